import fc from 'fast-check';
import { BSON, type Document } from 'mongodb';
import { pathsIn, readerOf } from '../../../../src/database/store/local/fields.js';

/* Fields of documents are read from their bytes. The driver decodes the whole document. */

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.bigInt({ min: 0n, max: 2n ** 60n }).map((value) => BSON.Long.fromBigInt(value)),
  fc.constantFrom<unknown>(new BSON.ObjectId('0123456789abcdef01234567'), /a.b/i, new BSON.Binary(Buffer.from('ab'))),
);
const value = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'ab', 'ä'), leaf),
);
const name = fc.constantFrom('a', 'ab', 'abc', 'b', 'ä', 'title', 'constructor');

test('a reader finds what is in the document, and nothing else but where a value has an unusual type', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), fc.array(name, { maxLength: 4 }), (document, names) => {
      const bytes = Buffer.from(BSON.serialize({ _id: 1, ...document }));
      const whole = BSON.deserialize(bytes);
      const found = readerOf(names.flatMap((each) => [each, `${each}.below`]))(bytes);
      for (const each of names) expect([Object.hasOwn(found, each), found[each]]).toEqual([Object.hasOwn(whole, each), whole[each]]);
      const others = readerOf(names, false)(bytes);
      for (const each of Object.keys(whole)) if (!names.some((one) => one === each)) expect(others[each]).toEqual(whole[each]);
      const isUsual = !Object.values(document).some((each) => each instanceof RegExp || each instanceof BSON.Binary);
      if (isUsual)
        expect(Object.keys(found).toSorted()).toEqual([...new Set(names)].filter((each) => Object.hasOwn(whole, each)).toSorted());
    }),
    { numRuns: 1_000 },
  );
});

test.each<[conditions: Document, paths: readonly string[] | null]>([
  [{ type: 'a', 'terms.tag': { $in: [1] } }, ['type', 'terms.tag']],
  [{ $and: [{ type: 'a' }, { $or: [{ slug: 'b' }, { parent: { $exists: true } }] }] }, ['type', 'slug', 'parent']],
  [{ $nor: [{ $expr: { $eq: ['$a', '$b'] } }] }, null],
])('conditions look at certain paths (%j)', (conditions, paths) => {
  expect(pathsIn(conditions)).toEqual(paths);
});
