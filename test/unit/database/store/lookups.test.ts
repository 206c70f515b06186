import fc from 'fast-check';
import type { Document, IndexDescription } from 'mongodb';
import { CollectionContent, select, Stored } from '../../../../src/database/store/local/content.js';
import { matcher } from '../../../../src/database/store/local/match.js';

/*
 * Documents of a large collection in memory are looked up by the values of indexed fields. What is found is what a look at each document
 * finds.
 */

const INDEXES: IndexDescription[] = [
  { key: { type: 1, slug: 1 }, name: 'by_slug' },
  { key: { parent: 1 }, name: 'by_parent' },
  { key: { venues: 1 }, name: 'by_venue' },
];

const document = (id: number, seed: number): Document => ({
  type: ['event', 'venue'][seed % 2],
  slug: `slug-${seed % 90}`,
  venues: seed % 3 === 0 ? [] : [seed % 40, seed % 41],
  other: seed % 50,
  ...(seed % 5 === 0 ? {} : { parent: seed % 60 }),
  _id: id,
});

const slug = fc.nat(95).map((number) => `slug-${number}`);
const number = fc.nat(62);
const filter: fc.Arbitrary<Document> = fc.oneof(
  slug.map((each) => ({ slug: each })),
  fc.tuple(slug, number).map(([a, parent]) => ({ slug: a, parent })),
  fc.array(slug, { maxLength: 4 }).map((slugs) => ({ type: 'event', slug: { $in: slugs } })),
  number.map((venues) => ({ venues, type: { $in: ['event', 'venue'] } })),
  number.map((parent) => ({ $and: [{ parent }, { type: 'venue' }] })),
  fc.tuple(slug, number).map(([a, parent]) => ({ $or: [{ slug: a }, { parent }] })),
  fc.constantFrom<Document>(
    { parent: null },
    { type: 'event' },
    { slug: /^slug-1/ },
    { other: 3 },
    { constructor: 1 },
    { _id: { $in: [3, 900] } },
  ),
);
const step = fc.record({ id: fc.nat(800), seed: fc.nat(10_000), isRemoved: fc.boolean(), filter });

const STORED = Array.from({ length: 700 }, (_, id) => Stored.of(id, document(id, id * 7)));

test('lookups find what a look at each document finds, after any writes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const content = new CollectionContent(new Map(STORED.map((stored) => [stored.id, stored])), INDEXES);
      for (const { id, seed, isRemoved, filter: given } of steps) {
        const found = select(content, given).map((stored) => stored.id);
        const all = [...content.documents.values()].filter((stored) => matcher(given)(stored.document)).map((stored) => stored.id);
        expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(all.toSorted((a, b) => Number(a) - Number(b)));
        content.put(id, isRemoved ? null : Stored.of(id, document(id, seed)));
      }
    }),
    { numRuns: 10 },
  );
});

test('a lookup of a slug decodes the documents found, not all', () => {
  const all = Array.from({ length: 2_000 }, (_, id) => Stored.of(id, { ...document(id, id), slug: `slug-${id}` }));
  const content = new CollectionContent(new Map(all.map((stored) => [stored.id, stored])), INDEXES);
  // Makes the lookups.
  select(content, { type: 'venue', slug: 'slug-3' });
  let decoded = 0;
  for (const stored of all) {
    const { document: read } = stored;
    Object.defineProperty(stored, 'fields', { value: () => ((decoded += 1), read) });
  }
  expect(select(content, { type: 'venue', slug: { $in: ['slug-5', 'slug-6', 'none'] } }).map(({ id }) => id)).toEqual([5]);
  expect(decoded).toBe(2);
});
