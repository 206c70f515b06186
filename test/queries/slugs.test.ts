import { type CommandStartedEvent, type Document, type MongoClient } from 'mongodb';
import { truncateSlug } from '../../src/wordpress/formatting/sanitize.js';
import { freeSlugs, withFreeSlug } from '../../src/wordpress/posts/slugs.js';
import { Store } from '../../src/wordpress/store.js';
import type { Site } from '../../src/wordpress/site.js';
import { clearStore, testDatabase } from '../support/database.js';
import { registry } from '../support/registry.js';

/* Unique slugs like in WordPress: the first free one of slug, slug-2, slug-3, … */

const { uri, name } = testDatabase();
let store: Store;
let site: Site;
const commands: Document[] = [];

beforeAll(async () => {
  store = await Store.open(`${uri}${uri.includes('?') ? '&' : uri.endsWith('/') ? '?' : '/?'}monitorCommands=true`, registry, name);
  site = { store } as Site;
  const { client } = store.db as unknown as { client: MongoClient };
  // Only scans have a hint: columns are read into memory meanwhile.
  client.on('commandStarted', ({ command }: CommandStartedEvent) => void ('hint' in command || commands.push(command)));
});
afterAll(() => store.close());
beforeEach(async () => {
  await clearStore(store);
  commands.length = 0;
});

/** Numbers in a range. */
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

interface Holder {
  slug: string;
  type?: string;
  parent?: number;
  status?: string;
}

async function put(holders: readonly (string | Holder)[]): Promise<void> {
  const posts = holders.map((holder, index) => ({
    _id: index + 1,
    type: 'post',
    status: 'publish',
    parent: 0,
    ...(typeof holder === 'string' ? { slug: holder } : holder),
  }));
  await store.insert('posts', posts);
}

const freeFor = async (wanted: string, type = 'post', id = 0, parent = 0): Promise<string | undefined> =>
  (await freeSlugs(site, type, [{ id, wanted, parent }])).get(id);

const numbered = (wanted: string, numbers: readonly number[]): string[] => numbers.map((number) => truncateSlug(wanted, `-${number}`));

const LONG = 'y'.repeat(200);
/** Each letter takes six bytes, so the number of digits determines how many fit. */
const GREEK = '%ce%b1'.repeat(33);
/** Truncated after a dash for one digit, and before it for two. */
const DASHES = `${'z'.repeat(197)}-zz`;

test.each<[title: string, wanted: string, taken: (string | Holder)[], expected: string]>([
  ['nothing is taken', 'a', [], 'a'],
  ['others have numbers', 'a', ['a-2', 'a-3'], 'a'],
  ['the slug is taken', 'a', ['a'], 'a-2'],
  ['the first gap', 'a', ['a', 'a-2', 'a-4', 'a-5'], 'a-3'],
  ['a gap before 10', 'a', ['a', ...numbered('a', from(2, 8)), ...numbered('a', from(10, 30))], 'a-9'],
  ['a gap among three digits', 'a', ['a', ...numbered('a', from(2, 136)), ...numbered('a', from(138, 250))], 'a-137'],
  ['no gap up to 9', 'a', ['a', ...numbered('a', from(2, 9))], 'a-10'],
  ['no gap up to 99', 'a', ['a', ...numbered('a', from(2, 99))], 'a-100'],
  ['no gap up to 1,200', 'a', ['a', ...numbered('a', from(2, 1_200))], 'a-1201'],
  ['what only looks like a number', 'a', ['a', 'a-02', 'a-2-b', 'a-2b', 'a--2', 'a-', 'a-1', 'a-0', 'b-a-2'], 'a-2'],
  ['a slug that is longer', 'a', ['a', 'a-2', 'a-2-2', 'a-2-3'], 'a-3'],
  ['a slug with a number', 'a-2', ['a', 'a-2', 'a-3'], 'a-2-2'],
  ['very large numbers', 'a', ['a', 'a-2', 'a-99999999999999'], 'a-3'],
  ['signs of patterns', 'a.+', ['a.+', 'a.+-2', 'abb-3'], 'a.+-3'],
  ['a reserved word', 'feed', [], 'feed-2'],
  ['a reserved word with numbers', 'feed', ['feed-2', 'feed-3'], 'feed-4'],
  ['a year', '2026', [], '2026-2'],
  ['other types', 'a', [{ slug: 'a', type: 'page' }, 'a-2'], 'a'],
  ['other types with numbers', 'a', ['a', { slug: 'a-2', type: 'page' }, { slug: 'a-2', type: 'attachment' }], 'a-2'],
  ['posts in the trash', 'a', ['a', { slug: 'a-2', status: 'trash' }], 'a-3'],
  ['a long slug', LONG, [LONG], `${'y'.repeat(198)}-2`],
  ['a long slug with more digits', LONG, [LONG, ...numbered(LONG, from(2, 9))], `${'y'.repeat(197)}-10`],
  ['a long slug with a gap', LONG, [LONG, ...numbered(LONG, [...from(2, 57), ...from(59, 120)])], `${'y'.repeat(197)}-58`],
  ['a long slug of encoded letters', GREEK, [GREEK, ...numbered(GREEK, from(2, 120))], `${'%ce%b1'.repeat(32)}-121`],
  ['a long slug that loses a dash', DASHES, [DASHES, ...numbered(DASHES, from(2, 12))], `${'z'.repeat(197)}-13`],
])('%s', async (_, wanted, taken, expected) => {
  await put(taken);
  expect(await freeFor(wanted)).toBe(expected);
  await store.rows?.read();
  expect(await freeFor(wanted)).toBe(expected);
});

describe('with the posts in memory', () => {
  const write = (id: number, slug: string): Promise<void> =>
    store.insert('posts', [{ _id: id, type: 'post', status: 'publish', parent: 0, slug, slugKey: slug }]);
  beforeEach(async () => {
    await put(['a', 'b']);
    await store.rows?.read();
    commands.length = 0;
  });

  test('a slug that no post has takes no query', async () => {
    expect(await freeFor('c')).toBe('c');
    expect(commands).toEqual([]);
    expect(await freeFor('b')).toBe('b-2');
    expect(commands).toHaveLength(2);
  });

  test('slugs of this server and of others are known after the write', async () => {
    await write(10, 'c');
    expect(await freeFor('c')).toBe('c-2');
    await store.db.collection<{ _id: number }>('posts').insertOne({ _id: 11, type: 'post', slug: 'd' } as { _id: number });
    store.beginWrite([['posts', [11]]]);
    store.endWrite([['posts', [11]]]);
    expect(await freeFor('d')).toBe('d-2');
    await store.posts.deleteMany({ _id: { $in: [10, 11] } });
    expect([await freeFor('c'), await freeFor('d')]).toEqual(['c', 'd']);
  });

  test('while a post is being written, its slug may be free', async () => {
    store.beginWrite([['posts', [10]]]);
    expect([await freeFor('c'), commands.length]).toEqual(['c', 0]);
    store.endWrite([['posts', [10]]]);
  });

  test.each<[type: string, wanted: string, parent: number]>([
    ['post', 'c', 0],
    ['page', 'd', 7],
  ])('a slug that was taken without notice, by a %s: the write is repeated with the next one', async (type, wanted, parent) => {
    const postWith = (_id: number, slug: string) => ({ _id, type, parent, slug, slugKey: type === 'page' ? `${parent}/${slug}` : slug });
    await store.db.collection<{ _id: number }>('posts').insertOne(postWith(10, wanted));
    const tried: string[] = [];
    await withFreeSlug(store, async () => {
      const slug = (await freeFor(wanted, type, 11, parent)) ?? '';
      tried.push(slug);
      await store.writeTogether([{ collection: 'posts', insert: postWith(11, slug) }]);
    });
    expect(tried).toEqual([wanted, `${wanted}-2`]);
  });
});

test('a post does not take its own slugs from itself', async () => {
  await put(['a', 'a-2', 'a-3']);
  expect([await freeFor('a', 'post', 1), await freeFor('a', 'post', 2), await freeFor('a', 'post', 3)]).toEqual(['a', 'a-2', 'a-3']);
});

test('pages need free slugs only among siblings, of which attachments are some', async () => {
  const page = (slug: string, parent: number): Holder => ({ slug, parent, type: 'page' });
  await put([page('a', 0), page('a-2', 0), page('a', 7), page('a-3', 7), { slug: 'a-4', type: 'attachment' }, page('a-3', 0), 'a-5']);
  expect([await freeFor('a', 'page', 0, 0), await freeFor('a', 'page', 0, 7), await freeFor('a', 'page', 0, 8)]).toEqual([
    'a-5',
    'a-2',
    'a',
  ]);
});

test('an attachment shares slugs with posts of all types', async () => {
  await put(['a', { slug: 'a-2', type: 'page', parent: 5 }, { slug: 'a-3', type: 'tribe_events' }, { slug: 'a-4', type: 'attachment' }]);
  expect(await freeFor('a', 'attachment')).toBe('a-5');
});

test('several requests at once', async () => {
  await put(['a', 'b', 'b-2', 'c-2', LONG]);
  const wanted = ['a', 'b', 'c', 'd', 'feed', LONG];
  const free = await freeSlugs(
    site,
    'post',
    wanted.map((each, id) => ({ id: 100 + id, wanted: each })),
  );
  expect(wanted.map((_, id) => free.get(100 + id))).toEqual(['a-2', 'b-3', 'c', 'd', 'feed-2', `${'y'.repeat(198)}-2`]);
});

test('a hundred long slugs at once', async () => {
  const wanted = from(100, 199).map((number) => `${number}${'y'.repeat(197)}`);
  await put(wanted.flatMap((each) => [each, ...numbered(each, from(2, 10))]));
  commands.length = 0;
  const free = await freeSlugs(
    site,
    'post',
    wanted.map((each, id) => ({ id: 5_000 + id, wanted: each })),
  );
  expect(wanted.map((_, id) => free.get(5_000 + id))).toEqual(wanted.map((each) => truncateSlug(each, '-11')));
  expect(commands).toHaveLength(2);
});

test.each([1, 100, 800, 3_000])('%d equal slugs are found with two queries, the second of which reads only the index', async (count) => {
  const title = `equal-title-of-${count}-posts`;
  // Slugs next to them in the index, most of which are not read.
  const others = from(1, 300).flatMap((number) => [`${title}-${number}-more`, `${title}-by-${number}`, `${title}s-${number}`]);
  await put([title, ...numbered(title, from(2, count)), ...others]);
  commands.length = 0;
  expect(await freeFor(title)).toBe(`${title}-${count + 1}`);
  expect(commands).toHaveLength(2);

  const { aggregate, pipeline } = commands[1];
  const explained = await store.db.command({ explain: { aggregate, pipeline, cursor: {} }, verbosity: 'executionStats' });
  const { queryPlanner, executionStats: stats } = explained.stages[0].$cursor;
  const plan = JSON.stringify(queryPlanner.winningPlan);
  expect(plan).toContain('"indexName":"posts_by_slug"');
  expect(plan).not.toMatch(/COLLSCAN|"FETCH"/);
  expect(stats.totalDocsExamined).toBe(0);
  expect(stats.totalKeysExamined).toBeLessThan(count + 300 + 20);
});
