import fc from 'fast-check';
import { fewPipeline } from '../../src/wordpress/query/query.js';
import { inOrder, fewTermsPipeline, type TermQuery } from '../../src/wordpress/query/term-query.js';
import type { PostQuery } from '../../src/wordpress/query/post-query.js';
import { Store } from '../../src/wordpress/store.js';
import { testDatabase } from '../support/database.js';
import { registry } from '../support/registry.js';

const POSTS: PostQuery = { type: 'tribe_events', statuses: ['publish'], sort: 'start', limit: 10, offset: 0 };
const TERMS: TermQuery = { taxonomy: 'post_tag', orderBy: 'name', descending: false, limit: 10, offset: 0 };
const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

test.each<[PostQuery, boolean]>([
  [POSTS, false],
  [{ ...POSTS, ids: ids(20) }, true],
  [{ ...POSTS, ids: ids(21) }, false],
  [{ ...POSTS, ids: [1], sort: { by: 'ids' } }, false],
  [{ ...POSTS, ids: [1], sort: { by: 'date', descending: false } }, true],
  [{ ...POSTS, ids: [1], sort: { by: 'title', descending: false } }, false],
])('posts: %j', (query, isFew) => expect(fewPipeline(query, registry.queries) !== null).toBe(isFew));

test.each<[TermQuery, boolean]>([
  [TERMS, false],
  [{ ...TERMS, slug: 'jazz' }, true],
  [{ ...TERMS, include: ids(20) }, true],
  [{ ...TERMS, include: ids(21) }, false],
  [{ ...TERMS, include: [1], orderBy: 'include' }, false],
])('terms: %j', (query, isFew) => expect(fewTermsPipeline(query) !== null).toBe(isFew));

describe('documents are sorted in the order of the database', () => {
  let store: Store;
  const { uri, name } = testDatabase();
  beforeAll(async () => {
    store = await Store.open(uri, registry, name);
  });
  afterAll(() => store.close());

  const text = fc.constantFrom('', 'a', 'b', 'ä', '\u{1F600}', '\uFFFD', '2026-01-01 10:00:00', '2026-01-02 10:00:00');
  const document = fc.record({ at: fc.record({ start: text }), date: text, count: fc.nat(3) }, { requiredKeys: ['date'] });

  test.each<Record<string, 1 | -1>>([
    { 'at.start': 1, date: 1, _id: 1 },
    { date: -1, _id: -1 },
    { count: -1, _id: 1 },
  ])('%j', async (order) => {
    const [given] = fc.sample(fc.array(document, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 });
    const documents = given.map((fields, _id) => ({ _id, ...fields }));
    const collection = store.db.collection<{ _id: number }>(`few-${Object.keys(order).join('-')}`);
    await collection.insertMany(documents);
    const expected = await collection.find().sort(order).toArray();
    expect(inOrder(documents, order).map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
  });
});
