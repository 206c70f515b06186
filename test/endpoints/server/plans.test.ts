import { jest } from '@jest/globals';
import type { Document } from 'mongodb';
import { ANY_STATUS, ATTACHMENT, PAGE, POST, type Post } from '../../../src/wordpress/model.js';
import { EVENT, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { listPosts, withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { withRange, countPipeline, pagePipeline, type Counted } from '../../../src/wordpress/query/query.js';
import type { PostQuery } from '../../../src/wordpress/query/post-query.js';
import type { DateClause } from '../../../src/plugins/the-events-calendar/model/query.js';
import { Store } from '../../../src/wordpress/store.js';
import { testDatabase } from '../../support/database.js';
import { storedPost } from '../../support/posts.js';
import { registry } from '../../support/registry.js';

const EVENTS = 1200;
const VENUES = 60;
const STATUSES = ['draft', 'pending', 'private', 'future', 'trash'];

/** One event per day since 2025. Every tenth is unpublished. */
function event(i: number): Post {
  const day = new Date(Date.UTC(2025, 0, 1) + i * 86_400_000).toISOString().slice(0, 10);
  const meta = {
    _EventStartDate: `${day} 10:00:00`,
    _EventEndDate: `${day} 12:00:00`,
    _EventStartDateUTC: `${day} 08:00:00`,
    _EventEndDateUTC: `${day} 10:00:00`,
    _EventVenueID: String(5000 + (i % 20)),
    _EventOrganizerID: String(6000 + (i % 20)),
    ...(i % 20 === 3 ? { _tribe_featured: '1' } : {}),
    ...(i % 30 === 4 ? { _EventHideFromUpcoming: 'yes' } : {}),
  };
  return withDerivedColumns(
    {
      ...post(i + 1, EVENT),
      status: i % 10 === 9 ? STATUSES[Math.floor(i / 10) % STATUSES.length] : 'publish',
      parent: i % 50 === 1 ? 1 : 0,
      meta: Object.entries(meta).map(([key, value]) => ({ key, value })),
      terms: { tribe_events_cat: [i % 20], post_tag: [i % 20, 100 + (i % 3)] },
    },
    registry,
  );
}

/** Blog posts, pages and attachments: every twentieth post is sticky and an aside, and pages have one of four parents. */
const blog = (): Post[] =>
  Array.from({ length: 300 }, (_, i) => [
    { ...post(10_000 + i, POST), terms: { category: [i % 5] }, ...(i % 20 === 0 ? { sticky: true, format: 'aside' } : {}) },
    { ...post(20_000 + i, PAGE), parent: i < 4 ? 0 : 20_000 + (i % 4) },
    { ...post(30_000 + i, ATTACHMENT), status: 'inherit', parent: 10_000 + i },
  ]).flat();

const post = (id: number, type: string): Post =>
  storedPost(id, { type, title: `Item ${id}${id % 7 === 0 ? ' seventh' : ''}`, slug: `item-${id}` });

const from = (column: DateClause['column']): DateClause => ({ column, operator: '$gte', value: '2026-06-01 00:00:00' });
const until = (column: DateClause['column']): DateClause => ({ column, operator: '$lte', value: '2027-06-01 00:00:00' });
const WINDOW = [from('start'), until('end')];
const BASE: PostQuery = { type: EVENT, listed: true, statuses: ['publish'], dates: WINDOW, sort: 'start', limit: 10, offset: 0 };
const UTC_MODE: PostQuery = { ...BASE, dates: [from('startUtc'), until('endUtc')], sort: 'startUtc' };
const EDITOR: PostQuery = { ...BASE, statuses: ANY_STATUS };
/** Lists of `wp/v2`. */
const CORE: PostQuery = {
  type: EVENT,
  statuses: ['publish'],
  dates: [from('end')],
  sort: { by: 'date', descending: true },
  limit: 10,
  offset: 0,
};
/** Lists of `tec/v1`. */
const NEWER: PostQuery = { type: EVENT, scheduled: true, statuses: ['publish'], sort: 'start', limit: 10, offset: 0 };
/** Lists of a blog. */
const BLOG: PostQuery = { type: POST, statuses: ['publish'], sort: { by: 'date', descending: true }, limit: 10, offset: 0 };
const SEARCH = { words: ['item'], without: [], inOneField: false };

/** Queries that read one document per row, in index order. */
const CHEAP: [string, PostQuery][] = [
  ['the default list', BASE],
  ['the default list of an editor', EDITOR],
  ['the default list in site time', UTC_MODE],
  ['the default list in site time of an editor', { ...UTC_MODE, statuses: ANY_STATUS }],
  ['the default list on a site in UTC', { ...UTC_MODE, sort: 'start' }],
  ['no window at all', { ...BASE, dates: [] }],
  ['a late page', { ...BASE, offset: 200 }],
  ['a start only', { ...BASE, dates: [from('start')] }],
  ['an end only', { ...BASE, dates: [until('end')] }],
  ['a lower bound of the end only', { ...BASE, dates: [from('end')] }],
  ['a late lower bound of the end only', { ...BASE, dates: [{ ...from('end'), value: '2028-03-01 00:00:00' }] }],
  ['four bounds', { ...BASE, dates: [...WINDOW, until('start'), from('end')] }],
  ['one other status', { ...BASE, statuses: ['draft'] }],
  ['a category', { ...BASE, terms: [{ taxonomy: 'tribe_events_cat', ids: [3] }] }],
  ['three categories', { ...BASE, terms: [{ taxonomy: 'tribe_events_cat', ids: [3, 4, 5] }] }],
  ['a category, not featured', { ...BASE, featured: false, terms: [{ taxonomy: 'tribe_events_cat', ids: [4] }] }],
  ['a category, without tickets', { ...BASE, ticketed: false, terms: [{ taxonomy: 'tribe_events_cat', ids: [4] }] }],
  ['a category, for an editor', { ...EDITOR, terms: [{ taxonomy: 'tribe_events_cat', ids: [3] }] }],
  ['a tag', { ...BASE, terms: [{ taxonomy: 'post_tag', ids: [3] }] }],
  ['a venue', { ...BASE, venues: [5003] }],
  ['three venues', { ...BASE, venues: [5003, 5004, 5005] }],
  ['a venue, for an editor', { ...EDITOR, venues: [5003] }],
  ['an organizer', { ...BASE, organizers: [6003] }],
  ['featured', { ...BASE, featured: true }],
  ['not featured', { ...BASE, featured: false }],
  ['a parent', { ...BASE, parent: 1 }],
  ['venues', { type: VENUE, statuses: ['publish'], sort: 'newest', limit: 10, offset: 0 }],
  ['events by publication, of those that are not over', CORE],
  ['events by publication, for an editor', { ...CORE, statuses: ANY_STATUS }],
  ['events by title', { ...CORE, sort: { by: 'title', descending: false } }],
  ['events of an author', { ...CORE, authors: [1] }],
  ['events of tec/v1', NEWER],
  ['events of tec/v1, the last first', { ...NEWER, backwards: true }],
  ['events of tec/v1 from a day on', { ...NEWER, dates: [from('start')] }],
  ['events of tec/v1, for an editor', { ...NEWER, statuses: ANY_STATUS }],
  ['events of tec/v1 at a venue', { ...NEWER, venues: [5003] }],
  ['events of tec/v1 below one', { ...NEWER, parent: 1 }],
  ['events of tec/v1 that are featured', { ...NEWER, featured: true }],
  ['events of tec/v1 by title', { ...NEWER, sort: { by: 'title', descending: false } }],
  ['events of tec/v1 by publication', { ...NEWER, sort: { by: 'date', descending: true } }],
  ['blog posts', BLOG],
  ['blog posts of a category', { ...BLOG, terms: [{ taxonomy: 'category', ids: [3] }] }],
  ['blog posts that are kept at the top', { ...BLOG, sticky: true }],
  ['blog posts of a format', { ...BLOG, formats: ['aside'] }],
  ['pages below one', { ...BLOG, type: PAGE, parents: [20_000] }],
  ['blog posts of two categories', { ...BLOG, terms: [{ taxonomy: 'category', ids: [3, 4] }] }],
  ['attachments', { ...BLOG, type: ATTACHMENT, statuses: ['inherit'] }],
  ['venues, for an editor', { type: VENUE, statuses: ANY_STATUS, sort: 'newest', limit: 10, offset: 20 }],
];

/** Queries that read more documents, or sort: at most the documents that the index and the time window leave. */
const BOUNDED: [string, PostQuery, number][] = [
  ['ids', { ...BASE, ids: [600, 610, 620] }, 3],
  ['a search', { ...BASE, search: SEARCH }, 12],
  ['a search at a venue', { ...BASE, venues: [5003], search: SEARCH }, 12],
  ['a search that finds nothing', { ...BASE, search: { ...SEARCH, words: ['xyzzy'] } }, 400],
  ['a search of an editor', { ...EDITOR, search: SEARCH }, 15],
  ['a category and a venue', { ...BASE, terms: [{ taxonomy: 'tribe_events_cat', ids: [3] }], venues: [5003] }, 20],
  [
    'two tags of different width',
    {
      ...BASE,
      terms: [
        { taxonomy: 'post_tag', ids: [3] },
        { taxonomy: 'post_tag', ids: [101] },
      ],
    },
    20,
  ],
  ['featured in a category', { ...BASE, featured: true, terms: [{ taxonomy: 'tribe_events_cat', ids: [3] }] }, 20],
  ['venues by words', { type: VENUE, statuses: ['publish'], search: SEARCH, sort: 'newest', limit: 10, offset: 0 }, 12],
];

interface Plan {
  stages: string[];
  keys: number;
  docs: number;
  rows: number;
}

const asList = (value: unknown): Document[] => (value === undefined ? [] : ([value].flat() as Document[]));

const stagesOf = (node: Document): string[] => [
  String(node.stage),
  ...[...asList(node.inputStage), ...asList(node.inputStages), ...asList(node.queryPlan)].flatMap(stagesOf),
];

const { queries } = registry;

describe('lists of many posts', () => {
  const database = testDatabase();
  let store: Store;
  beforeAll(async () => {
    store = await Store.open(database.uri, registry, database.name);
    const venues = Array.from({ length: VENUES }, (_, i) => withDerivedColumns(post(5000 + i, VENUE), registry));
    await store.insert('posts', [
      ...Array.from({ length: EVENTS }, (_, i) => event(i)),
      ...venues,
      ...blog().map((each) => withDerivedColumns(each, registry)),
    ]);
  });
  afterAll(() => store.close());

  /** The query as lists send it: limited to the range of starts that the count returned. */
  async function bounded(query: PostQuery): Promise<PostQuery> {
    const [counted] = queries.unboundedColumn(query) !== null ? await store.aggregate<Counted>('posts', countPipeline(query, queries)) : [];
    return counted ? withRange(query, counted, queries) : query;
  }

  async function explain(pipeline: Document[]): Promise<Plan> {
    const explained = await store.db.collection('posts').aggregate(pipeline).explain('executionStats');
    const cursor = (explained.stages as Document[] | undefined)?.[0]?.$cursor ?? explained;
    const stats = cursor.executionStats as { totalKeysExamined: number; totalDocsExamined: number; nReturned: number };
    return {
      stages: stagesOf(cursor.queryPlanner.winningPlan),
      keys: stats.totalKeysExamined,
      docs: stats.totalDocsExamined,
      rows: stats.nReturned,
    };
  }

  test.each(CHEAP)('%s: examines one document per row, sorts with an index, counts without documents', async (_, query) => {
    const page = await explain(pagePipeline(await bounded(query), queries));
    expect(page.rows).toBeGreaterThan(0);
    expect(page.keys).toBeLessThan(query.offset + 100);
    expect(page.docs).toBe(page.rows);
    expect(page.stages).not.toContain('COLLSCAN');
    expect(page.stages).not.toContain('SORT');
    const count = await explain(countPipeline(query, queries));
    expect(count.stages).not.toContain('COLLSCAN');
    expect(count.docs).toBe(0);
  });

  test.each<['title' | 'slug', PostQuery['type']]>([
    ['title', EVENT],
    ['slug', EVENT],
    ['title', [EVENT, VENUE]],
    ['slug', [EVENT, VENUE]],
  ])('pages far down by %s of %j need the ids in an index alone, and those once', async (by, type) => {
    const ordered = [false, true].map((descending): PostQuery => ({
      ...{ type, statuses: ['publish', 'draft'], limit: 10, offset: 700 },
      sort: { by, descending },
    }));
    const expected = await Promise.all(ordered.map((query) => store.aggregate<Post>('posts', pagePipeline(query, queries))));
    await store.rows?.read();
    const aggregate = jest.spyOn(store, 'aggregate');
    const [calls, find] = [[] as [Document, object][], store.posts.find.bind(store.posts)];
    Object.assign(store.posts, { find: (...call: [Document, object]) => (calls.push(call), find(...call)) });
    const found = [await listPosts(store, ordered[0]), await listPosts(store, ordered[1])];
    Reflect.deleteProperty(store.posts, 'find');
    const sent = aggregate.mock.calls.length;
    aggregate.mockRestore();
    expect(found.map((posts) => posts.map(({ _id }) => _id))).toEqual(expected.map((posts) => posts.map(({ _id }) => _id)));
    expect(found.map(({ length }) => length)).toEqual([10, 10]);
    expect([sent, calls.length]).toEqual([0, 1]);
    const explained = await store.db
      .collection('posts')
      .find(...calls[0])
      .explain('executionStats');
    expect(explained.executionStats.totalDocsExamined).toBe(0);
    expect(stagesOf(explained.queryPlanner.winningPlan)).not.toContain('SORT');
  });

  test.each(BOUNDED)('%s: uses an index within its bounds', async (_, query, most) => {
    const page = await explain(pagePipeline(query, queries));
    expect(page.docs).toBeLessThanOrEqual(most);
    expect(page.stages).not.toContain('COLLSCAN');
  });
});

describe('the engine', () => {
  const database = testDatabase();

  // Without a plan hint, the embedded engine fails here: no candidate plan returns a result before the sort ends.
  test('sorts many documents with several candidate indexes', async () => {
    const store = await Store.open(database.uri, registry, database.name);
    try {
      const collection = store.db.collection('large');
      await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
      await collection.insertMany(Array.from({ length: 12_000 }, (_, i) => ({ a: i, b: i, c: 12_000 - i })));
      const pipeline = [{ $match: { a: { $gte: 0 }, b: { $gte: 0 } } }, { $sort: { c: 1 } }, { $limit: 1 }];
      expect(await collection.aggregate(pipeline).toArray()).toMatchObject([{ a: 11_999 }]);
    } finally {
      await store.close();
    }
  });
});

describe('the indexes of a database', () => {
  const database = testDatabase();
  const INDEX = 'posts_unique_slug';

  const openAndClose = async (shared: boolean, spoil?: (store: Store) => Promise<unknown>): Promise<string[]> => {
    const store = await Store.open(database.uri, registry, database.name, shared);
    try {
      const found = (await store.db.collection('posts').indexes()).map(({ name }) => name ?? '');
      await spoil?.(store);
      return found;
    } finally {
      await store.close();
    }
  };
  const drop = (store: Store): Promise<unknown> => store.db.collection('posts').dropIndex(INDEX);
  const forget = (digest: string) => (store: Store) =>
    store.db.collection('schema').updateOne({ digest: { $exists: true } }, { $set: { digest } });

  test('are created, and it is remembered that they were', async () => {
    const all = await openAndClose(false);
    expect(all).toContain(INDEX);
    expect(await openAndClose(false, drop)).toEqual(all);
    expect(await openAndClose(false)).not.toContain(INDEX);
  });

  test('are created again when they were defined otherwise', async () => {
    await openAndClose(false, forget('of another version'));
    expect(await openAndClose(false, drop)).toContain(INDEX);
  });

  test('are created where others may have dropped them', async () => {
    expect(await openAndClose(true)).toContain(INDEX);
  });
});
