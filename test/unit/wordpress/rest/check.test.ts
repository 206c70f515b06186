import { checkValue } from '../../../../src/wordpress/rest/check.js';
import type { Json, Schema } from '../../../../src/wordpress/rest/route.js';

const integer: Schema = { type: 'integer' };
const oneToThree: Schema = { type: 'integer', minimum: 1, maximum: 3 };

test.each<[Json, Schema, Json]>([
  ['x', {}, 'x'],
  ['5.0', integer, 5],
  [' 5 ', integer, 5],
  ['1e2', integer, 100],
  ['9'.repeat(25), integer, 9223372036854775807],
  ['1.5', { type: 'number' }, 1.5],
  ['TRUE', { type: 'boolean' }, true],
  [0, { type: 'boolean' }, false],
  ['', { type: 'string' }, ''],
  [null, { type: 'null' }, null],
  [null, { type: ['integer', 'null'] }, null],
  ['5', { type: ['integer', 'string'] }, 5],
  ['1.5', { type: ['integer', 'string'] }, '1.5'],
  ['true', { type: ['string', 'boolean'] }, 'true'],
  ['', { type: ['array', 'string'] }, ''],
  ['a, b c', { type: 'array' }, ['a', 'b', 'c']],
  [true, { type: 'array' }, ['1']],
  [false, { type: 'array' }, []],
  [{}, { type: 'array' }, []],
  [{ '7': 'x' }, { type: 'array' }, ['x']],
  ['1,2', { type: 'array', items: integer }, [1, 2]],
  ['', { type: 'object' }, {}],
  [['a'], { type: 'object' }, { '0': 'a' }],
  [
    { a: '1', b: 2 },
    { type: 'object', properties: { a: integer } },
    { a: 1, b: 2 },
  ],
  [{ a: '1' }, { type: 'object', additionalProperties: integer }, { a: 1 }],
  ['b', { type: 'string', enum: ['a', 'b'] }, 'b'],
  ['2', { type: 'integer', enum: [1, 2] }, 2],
  [2, oneToThree, 2],
])('%j as %j is %j', (value, schema, cleaned) => {
  expect(checkValue(value, schema, 'p')).toEqual({ value: cleaned });
});

test.each<[Json, Schema, string, string]>([
  [true, integer, 'rest_invalid_type', 'p is not of type integer.'],
  ['1.5', integer, 'rest_invalid_type', 'p is not of type integer.'],
  ['', { type: ['integer', 'null'] }, 'rest_invalid_type', 'p is not of type integer,null.'],
  [{ a: 1 }, { type: 'array' }, 'rest_invalid_type', 'p is not of type array.'],
  [null, { type: 'array' }, 'rest_invalid_type', 'p is not of type array.'],
  ['x', { type: 'object' }, 'rest_invalid_type', 'p is not of type object.'],
  ['a,b', { type: 'array', items: integer }, 'rest_invalid_type', 'p[0] is not of type integer.'],
  [{ a: 'x' }, { type: 'object', properties: { a: integer } }, 'rest_invalid_type', 'p[a] is not of type integer.'],
  ['x', { type: 'string', enum: ['a'] }, 'rest_not_in_enum', 'p is not a.'],
  ['x', { type: 'string', enum: ['a', 'b'] }, 'rest_not_in_enum', 'p is not one of a and b.'],
  ['x', { type: 'string', enum: ['a', 'b', 'c'] }, 'rest_not_in_enum', 'p is not one of a, b, and c.'],
  [0, oneToThree, 'rest_out_of_bounds', 'p must be between 1 (inclusive) and 3 (inclusive)'],
  ['.5', oneToThree, 'rest_out_of_bounds', 'p must be between 1 (inclusive) and 3 (inclusive)'],
  [1, { ...oneToThree, exclusiveMinimum: true }, 'rest_out_of_bounds', 'p must be between 1 (exclusive) and 3 (inclusive)'],
  [0, { type: 'number', minimum: 1 }, 'rest_out_of_bounds', 'p must be greater than or equal to 1'],
  [1, { type: 'number', minimum: 1, exclusiveMinimum: true }, 'rest_out_of_bounds', 'p must be greater than 1'],
  [2, { type: 'number', maximum: 1 }, 'rest_out_of_bounds', 'p must be less than or equal to 1'],
  ['a', { type: 'string', minLength: 2 }, 'rest_too_short', 'p must be at least 2 characters long.'],
  ['😀😀', { type: 'string', maxLength: 1 }, 'rest_too_long', 'p must be at most 1 character long.'],
  ['b', { type: 'string', pattern: '^a' }, 'rest_invalid_pattern', 'p does not match pattern ^a.'],
  ['a', { type: 'array', minItems: 2 }, 'rest_too_few_items', 'p must contain at least 2 items.'],
  ['a,b', { type: 'array', maxItems: 1 }, 'rest_too_many_items', 'p must contain at most 1 item.'],
  ['a,a', { type: 'array', uniqueItems: true }, 'rest_duplicate_items', 'p has duplicate items.'],
  [
    { x: 1 },
    { type: 'object', additionalProperties: false },
    'rest_additional_properties_forbidden',
    'x is not a valid property of Object.',
  ],
])('%j as %j: %s', (value, schema, code, message) => {
  const data = code === 'rest_invalid_type' ? { param: message.slice(0, message.indexOf(' ')) } : null;
  expect(checkValue(value, schema, 'p')).toEqual({ code, message, data });
});
