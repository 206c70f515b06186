import { decodeJson } from '../../../../src/base/php/json-decode.js';

const decode = (text: string | Buffer) => decodeJson(typeof text === 'string' ? Buffer.from(text, 'utf8') : text);

test.each<[string, unknown]>([
  ['null', null],
  ['true', true],
  [' \t\r\nfalse ', false],
  ['0', 0],
  ['-0', 0],
  ['-12.5e+2', -1250],
  ['1E400', Infinity],
  ['12345678901234567890', 12345678901234567000],
  ['"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', 'a"\\/\b\f\n\r\té'],
  ['"\\ud83d\\ude00 😀 \u007f"', '😀 😀 \u007f'],
  ['"\\u0000"', '\0'],
  ['[]', []],
  ['[1,[2,"3"],{}]', [1, [2, '3'], []]],
  ['{"a":{ },"b":{"c":{}}}', { a: [], b: { c: [] } }],
  ['{"a":1,"a":2,"b":{"c":null}}', { a: 2, b: { c: null } }],
  ['{"":1}', { '': 1 }],
  ['{"0":"a","1":"b"}', ['a', 'b']],
  ['{"1":"a"}', { '1': 'a' }],
  ['{"\\u0000a":1}', { '\0a': 1 }],
])('%s', (text, value) => {
  const decoded = decode(text);
  expect('value' in decoded && JSON.stringify(decoded.value)).toBe(JSON.stringify(value));
});

test('members cannot reach a prototype', () => {
  const decoded = decode('{"__proto__":{"a":1},"constructor":2}');
  const value = ('value' in decoded ? decoded.value : null) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
});

test.each<[string, string[]]>([
  ['{"a":1,"b":1.0,"c":1e2,"d":-0,"e":[1.0],"f":{"g":1.0},"h":"1.0"}', ['b', 'c']],
  ['{"a":1.0,"a":1}', []],
  ['{"a":1,"a":1.0}', ['a']],
  ['[{"a":1.0}]', []],
  ['1.0', []],
])('numbers that are floats at the top of %s: %j', (text, floats) => {
  const decoded = decode(text);
  expect('floats' in decoded && [...decoded.floats]).toEqual(floats);
});

test('a document has up to 50,000 values', () => {
  const list = (items: number): string => `[${Array.from({ length: items }, () => 1).join(',')}]`;
  expect(decode(list(49_999))).toHaveProperty('value.length', 49_999);
  expect(decode(list(50_000))).toEqual({ code: 1000, message: 'More than 50,000 values' });
});

test('a text has any number of escapes', () => {
  expect(decode(`"${'\\n\\u00e9'.repeat(60_000)}"`)).toHaveProperty('value', '\n\u00e9'.repeat(60_000));
});

const deep = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);

test.each<[string | Buffer, number]>([
  ['', 4],
  [' ', 4],
  ['{', 4],
  ['[1,', 4],
  ['[1,]', 4],
  ['[1 2]', 4],
  ['{"a"}', 4],
  ['{"a":}', 4],
  ['{a:1}', 4],
  ["'a'", 4],
  ['01', 4],
  ['1.', 4],
  ['.5', 4],
  ['+1', 4],
  ['-', 4],
  ['1e', 4],
  ['True', 4],
  ['NaN', 4],
  ['{} {}', 4],
  ['"\\x"', 4],
  ['"\\u12"', 4],
  ['é', 4],
  ['\ufeff{}', 4],
  ['"a', 3],
  ['"a\n"', 3],
  ['\u0001', 3],
  ['[1,\0]', 3],
  ['[1 "a]', 3],
  ['{]', 2],
  ['[}', 2],
  ['{"a":1]', 2],
  ['[1}', 2],
  [deep('[', ']', 512), 1],
  [deep('[', 'x', 512), 1],
  [deep('{"a":', '}', 512), 1],
  ['"\\ud800"', 10],
  ['"\\ud800\\u0041"', 10],
  ['"\\udc00"', 10],
  [Buffer.from('"\xff"', 'latin1'), 5],
  [Buffer.from('"\xc3("', 'latin1'), 5],
  [Buffer.from('"\xed\xa0\x80"', 'latin1'), 5],
  [Buffer.from('"\xc0\x80"', 'latin1'), 5],
  [Buffer.from('"\xf4\x90\x80\x80"', 'latin1'), 5],
  [Buffer.from('\xff', 'latin1'), 5],
  [Buffer.from('x"\xff"', 'latin1'), 4],
])('%j is error %d', (text, code) => {
  expect(decode(text)).toEqual({ code, message: expect.any(String) as string });
});

test.each(['[', '{"a":'])('511 levels of %s are fine', (open) => {
  const text = open === '[' ? deep('[', ']', 511) : `${open.repeat(511)}1${'}'.repeat(511)}`;
  expect(decode(text)).toHaveProperty('value');
});

test('100,000 levels are rejected quickly', () => {
  expect(decode('['.repeat(100_000))).toMatchObject({ code: 1, message: 'Maximum stack depth exceeded' });
});
