import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputFile, openFile } from '../../../src/content/formats/open.js';
import { placeIn, stagedFolder, type SitePlace } from '../../../src/content/load/files.js';
import { recoverLoads } from '../../../src/content/load/commit.js';
import type { DatasetItem, DatasetSource } from '../../../src/content/source.js';
import { PRISTINE, loadSource, loadSources, type LoadMode, type LoadResult } from '../../../src/content/load/load.js';
import type { Post, Term, User } from '../../../src/wp/model.js';
import { EVENT, ORGANIZER, VENUE } from '../../../src/tec/index.js';
import { checkConsistency } from '../../../src/wp/check.js';
import { Staging } from '../../../src/store/staging.js';
import { Store } from '../../../src/wp/store.js';
import { testDatabase } from '../../support/database.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const DEMO = path.join(here, '../../../fixtures/demo.json');
const NOW = Date.parse('2026-06-15T12:00:00Z');
const URL_HERE = 'http://here.example';

const database = testDatabase();
let store: Store;
let data: string;
let place: SitePlace;

beforeAll(async () => {
  store = await Store.open(database.uri, database.name);
  data = await mkdtemp(path.join(os.tmpdir(), 'understudy-load-'));
  place = placeIn(data);
});
afterAll(async () => {
  await store.close();
  await rm(data, { recursive: true });
});

const load = (sources: DatasetSource | DatasetSource[], mode: LoadMode, more: object = {}): Promise<LoadResult> =>
  loadSources(store, [sources].flat(), { mode, place, siteUrl: URL_HERE, now: NOW / 1000, ...more });

const openDemo = (): Promise<DatasetSource> => openFile(inputFile(DEMO), { now: NOW });

const sourceOf = (items: DatasetItem[], rest: Partial<DatasetSource> = {}): DatasetSource => ({
  name: 'made.ndjson',
  siteUrl: 'http://there.example',
  clock: null,
  keepsIds: true,
  async *items() {
    yield* items;
  },
  ...rest,
});

const post = (_id: number, type: string, slug: string, rest: Partial<Post> = {}): DatasetItem => ({
  kind: 'post',
  at: { line: _id },
  post: {
    _id,
    type,
    status: 'publish',
    author: 7,
    title: slug,
    content: '',
    excerpt: '',
    slug,
    password: '',
    parent: 0,
    menuOrder: 0,
    date: '2026-01-01 10:00:00',
    dateGmt: '2026-01-01 10:00:00',
    modified: '2026-01-01 10:00:00',
    modifiedGmt: '2026-01-01 10:00:00',
    meta: [],
    terms: {},
    ...rest,
  },
});
const term = (_id: number, slug: string, parent = 0): DatasetItem => ({
  kind: 'term',
  term: {
    _id,
    taxonomy: 'tribe_events_cat',
    name: slug,
    slug,
    description: 'http://there.example/x',
    parent,
    termGroup: 0,
    termTaxonomyId: _id,
    count: 0,
  } as Term,
});
const user = (_id: number, login: string, role = 'editor'): DatasetItem => ({
  kind: 'user',
  user: {
    _id,
    login,
    email: `${login}@x.org`,
    displayName: login,
    nicename: login,
    url: '',
    role,
    applicationPasswords: [],
  } satisfies User,
});

/** Everything that is stored, and the names of the collections and files. */
const everything = async (): Promise<unknown> => ({
  documents: await Promise.all(
    (['posts', 'terms', 'users', 'options', 'counters'] as const).map((name) =>
      store.db.collection(name).find({}).sort({ _id: 1 }).toArray(),
    ),
  ),
  collections: (await store.db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('snapshot.load.')),
  files: (await readdir(data, { recursive: true })).toSorted(),
  notes: await store.workLog.unfinished(),
});

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();

const bySlug = (slug: string): Promise<Post | null> => store.posts.findOne({ slug });

describe('in place of what is there', () => {
  let result: LoadResult;
  beforeAll(async () => {
    result = await load(await openDemo(), 'replace');
  });

  test('the site holds exactly that, with all indexes, and a reset goes back to it', async () => {
    expect(result).toMatchObject({
      events: 32,
      venues: 6,
      organizers: 6,
      posts: 52,
      terms: 18,
      users: 1,
      files: 8,
      administrator: { login: 'admin' },
    });
    expect(await store.posts.countDocuments({})).toBe(52);
    expect((await store.posts.indexes()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['events_by_start', 'posts_unique_slug', 'venues_by_location']),
    );
    expect(await store.sequences.next('posts')).toBe(53);
    const before = await store.posts.find({}).sort({ _id: 1 }).toArray();
    await store.posts.deleteMany({ type: EVENT });
    await store.snapshots.restore(PRISTINE);
    expect(await store.posts.find({}).sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await filesIn(place.uploads)).toEqual(await filesIn(place.pristine));
    expect(await checkConsistency(store, place.uploads)).toEqual([]);
  });

  test('terms are counted, also with what is below them', async () => {
    const music = await store.terms.findOne({ slug: 'music' });
    expect(music?.branchCount).toBeGreaterThan(music?.count ?? 0);
    expect(await store.posts.countDocuments({ 'terms.tribe_events_cat': music?._id, status: 'publish' })).toBe(music?.count);
  });

  test('administrators and passwords stay when the content brings none', async () => {
    const before = await store.users.findOne({ login: 'admin' });
    await load(sourceOf([post(1, EVENT, 'only')]), 'replace');
    expect(await store.users.find({}).toArray()).toEqual([before]);
    await load(sourceOf([user(3, 'Admin', 'administrator')]), 'replace');
    expect(await store.users.find({}).toArray()).toEqual([
      expect.objectContaining({ _id: 3, applicationPasswords: before?.applicationPasswords }),
    ]);
    expect(await store.posts.countDocuments({})).toBe(0);
    expect(await filesIn(place.uploads)).toEqual([]);
  });

  test('several files are one site: what comes later joins what came before', async () => {
    const first = sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]);
    const second = sourceOf(
      [
        user(9, 'ANNA'),
        term(5, 'music'),
        term(6, 'jazz', 5),
        post(10, EVENT, 'a', { author: 9, terms: { tribe_events_cat: [6, 5] }, meta: [{ key: '_EventVenueID', value: '11' }] }),
        post(11, VENUE, 'hall'),
      ],
      { siteUrl: '' },
    );
    await load([first, second], 'replace');
    expect((await store.posts.find({ type: VENUE }).toArray()).map(({ slug }) => slug).toSorted()).toEqual(['hall', 'hall-2']);
    const [event, hall] = [await bySlug('a'), await bySlug('hall-2')];
    expect(event).toMatchObject({ author: 7, venues: [hall?._id], slugKey: 'a' });
    const jazz = await store.terms.findOne({ slug: 'jazz' });
    expect(jazz).toMatchObject({ parent: 1, count: 1, description: 'http://there.example/x' });
    expect(event?.terms).toEqual({ tribe_events_cat: [jazz?._id, 1] });
    expect(await store.terms.findOne({ slug: 'music' })).toMatchObject({ count: 1, branchCount: 2, description: `${URL_HERE}/x` });
  });
});

describe('beside what is there', () => {
  beforeEach(async () => {
    await load(
      sourceOf([
        { kind: 'options', options: { blogname: 'Here' } },
        user(7, 'anna', 'administrator'),
        term(1, 'music'),
        post(10, VENUE, 'hall', { title: 'The Hall' }),
        post(11, EVENT, 'concert', { terms: { tribe_events_cat: [1] } }),
      ]),
      'replace',
    );
  });

  test('ids that are taken become others, and what refers to them follows', async () => {
    const added = sourceOf([
      { kind: 'options', options: { blogname: 'There' } },
      user(7, 'bert'),
      user(8, 'Anna'),
      term(1, 'talks'),
      term(2, 'music'),
      post(10, EVENT, 'concert', {
        author: 7,
        parent: 11,
        content: 'See http://there.example/a',
        terms: { tribe_events_cat: [1, 2, 99] },
        meta: ['_EventVenueID:12', '_EventOrganizerID:77', '_thumbnail_id:13', '_EventURL:http://there.example/'].map((row) => {
          const [key, ...value] = row.split(':');
          return { key, value: value.join(':') };
        }),
      }),
      post(11, EVENT, 'talk', { author: 8 }),
      post(12, VENUE, 'hall'),
      post(13, 'attachment', 'pic', { status: 'inherit', file: 'a/pic.txt', mimeType: 'text/plain', image: null }),
      { kind: 'file', file: { source: '', target: 'a/pic.txt', data: Buffer.from('new') } },
    ]);
    expect(await load(added, 'add')).toMatchObject({ events: 2, posts: 4, terms: 1, users: 1, files: 1 });
    const [event, talk, hall, picture] = await Promise.all(['concert-2', 'talk', 'hall-2', 'pic'].map(bySlug));
    expect([hall?._id, picture?._id]).toEqual([12, 13]);
    const [bert, talks] = [await store.users.findOne({ login: 'bert' }), await store.terms.findOne({ slug: 'talks' })];
    expect(event).toMatchObject({
      author: bert?._id,
      parent: talk?._id,
      content: `See ${URL_HERE}/a`,
      venues: [12],
      organizers: [],
      terms: { tribe_events_cat: [talks?._id, 1] },
      meta: [
        { key: '_EventVenueID', value: '12' },
        { key: '_thumbnail_id', value: '13' },
        { key: '_EventURL', value: `${URL_HERE}/` },
      ],
    });
    expect(talk?.author).toBe(7);
    expect(await store.posts.findOne({ _id: 11 })).toMatchObject({ slug: 'concert' });
    expect(await store.terms.findOne({ slug: 'music' })).toMatchObject({ _id: 1, count: 2 });
    expect((await store.options.findOne({ _id: 'blogname' }))?.value).toBe('Here');
    const last = (await store.posts.find({}).sort({ _id: -1 }).limit(1).toArray())[0]._id;
    expect(await store.sequences.next('posts')).toBeGreaterThan(last);
    expect(await checkConsistency(store, place.uploads)).toEqual([]);
  });

  test('files whose names are taken get others, and their attachments know', async () => {
    const files = (content: string): DatasetItem[] => [
      post(20, 'attachment', 'pic', {
        status: 'inherit',
        file: 'b/pic-scaled.jpg',
        mimeType: 'image/jpeg',
        image: {
          width: 9,
          height: 9,
          file: 'b/pic-scaled.jpg',
          original_image: 'pic.jpg',
          sizes: { medium: { file: 'pic-3x2.jpg', width: 3, height: 2, 'mime-type': 'image/jpeg' } },
        },
      }),
      ...['pic.jpg', 'pic-scaled.jpg', 'pic-3x2.jpg'].map((name): DatasetItem => ({
        kind: 'file',
        file: { source: '', target: `b/${name}`, data: Buffer.from(content) },
      })),
    ];
    await load(sourceOf(files('one')), 'add');
    await load(sourceOf(files('two')), 'add');
    expect((await readdir(path.join(place.uploads, 'b'))).toSorted()).toEqual(
      ['pic-1-3x2.jpg', 'pic-1-scaled.jpg', 'pic-1.jpg', 'pic-3x2.jpg', 'pic-scaled.jpg', 'pic.jpg'].toSorted(),
    );
    expect(await bySlug('pic-2')).toMatchObject({
      file: 'b/pic-1-scaled.jpg',
      image: { file: 'b/pic-1-scaled.jpg', original_image: 'pic-1.jpg', sizes: { medium: { file: 'pic-1-3x2.jpg' } } },
    });
  });

  test('the same again, and what is only named in passing', async () => {
    const many = Array.from({ length: 30 }, () => sourceOf([post(1, EVENT, 'concert')], { keepsIds: false }));
    await load(many, 'add');
    expect(await store.posts.countDocuments({ slug: { $regex: '^concert(-\\d+)?$' } })).toBe(31);
    const named = sourceOf(
      [
        { ...post(1, VENUE, 'x', { title: 'THE  HÁLL'.replace('  ', ' ') }), reuse: true } as DatasetItem,
        { ...post(2, ORGANIZER, 'club'), reuse: true } as DatasetItem,
        // Called like one that has another slug.
        { kind: 'term', term: { ...(term(4, 'musik') as { term: Term }).term, nameKey: 'music' }, reuse: true },
        post(3, EVENT, 'named', {
          terms: { tribe_events_cat: [4] },
          meta: [
            { key: '_EventVenueID', value: '1' },
            { key: '_EventOrganizerID', value: '2' },
          ],
        }),
      ],
      { keepsIds: false },
    );
    expect(await load(named, 'add')).toMatchObject({ events: 1, venues: 0, organizers: 1, terms: 0 });
    expect(await bySlug('named')).toMatchObject({ venues: [10], organizers: [(await bySlug('club'))?._id] });
  });
});

describe('whatever goes wrong leaves what was there', () => {
  let before: unknown;
  beforeAll(async () => {
    await load(sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]), 'replace');
    before = await everything();
  });

  const faulty: [string, DatasetItem[], RegExp][] = [
    ['an id twice', [post(1, EVENT, 'a'), post(1, EVENT, 'b')], /line 1: there is another post with the id 1/],
    ['a login twice', [user(1, 'a'), user(2, 'A')], /another user with the login "A"/],
    ['a slug of a term twice', [term(1, 'a'), term(2, 'a')], /another term of tribe_events_cat with the slug "a"/],
  ];
  test.each(faulty)('%s', async (_, items, message) => {
    await expect(load(sourceOf(items), 'replace')).rejects.toThrow(message);
    expect(await everything()).toEqual(before);
  });

  test.each<LoadMode>(['replace', 'add'])('all faults of all sources are told together (%s)', async (mode) => {
    const fault = (name: string): DatasetSource => ({
      ...sourceOf([]),
      name,
      async *items(problems) {
        yield post(1, EVENT, 'fine');
        problems('is wrong', { line: 3, path: 'events[0].start' });
        problems('is wrong too', { line: 4 });
      },
    });
    const failure = load([fault('a.json'), fault('b.json')], mode);
    await expect(failure).rejects.toThrow(
      'a.json: 4 problems\n  line 3: events[0].start: is wrong\n  line 4: is wrong too\n  b.json: line 3: events[0].start: is wrong',
    );
    expect(await everything()).toEqual(before);
  });

  test.each<LoadMode>(['replace', 'add'])('an interruption (%s)', async (mode) => {
    const controller = new AbortController();
    const endless: DatasetSource = {
      ...sourceOf([]),
      async *items() {
        for (let id = 100; ; id += 1) {
          if (id === 2_500) controller.abort();
          yield post(id, EVENT, `e-${id}`);
        }
      },
    };
    await expect(load(endless, mode, { signal: controller.signal })).rejects.toThrow(/abort/i);
    expect(await everything()).toEqual(before);
  });

  test('a crash before all lies ready', async () => {
    const note = await store.workLog.begin({ staging: 'crashed' });
    const staging = new Staging(store, note.staging);
    await staging.create();
    await staging.insert('posts', [{ _id: 1 }]);
    expect(await recoverLoads(store, place)).toEqual(['A load was cut short: nothing of it is left.']);
    expect(await everything()).toEqual(before);
    expect(existsSync(stagedFolder(place, 'crashed'))).toBe(false);
  });
});

test.each<[LoadMode, posts: number, lasts: number[]]>([
  ['replace', 40, [0, 1, 4, 6, 8, 11, 14]],
  ['replace', 5_100, [0, 4, 9]],
  ['add', 40, [0, 4]],
])(
  'a crash once all lies ready leads to what is new, wherever it falls (%s, %d posts)',
  async (mode, posts, lasts) => {
    const basis = sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]);
    const items = [
      term(1, 'talks'),
      post(10, EVENT, 'hall', { terms: { tribe_events_cat: [1] } }),
      ...Array.from({ length: posts }, (_, i) => post(100 + i, VENUE, i < 40 ? 'hall' : `hall-${i + 100}`)),
      { kind: 'file', file: { source: '', target: 'c/x.txt', data: Buffer.from('x') } } as DatasetItem,
    ];
    const isMade = async (): Promise<unknown> => ({
      slugs: (await store.posts.distinct('slug')).toSorted(),
      terms: (await store.terms.find({}).sort({ slug: 1 }).toArray()).map(({ slug, count }) => [slug, count]),
      files: await filesIn(place.uploads),
    });
    await load(basis, 'replace');
    await load(sourceOf(items), mode);
    const made = await isMade();

    // The commands of the last step, counted: each time another of them is the one that never comes back.
    const db = store.db as unknown as { collection: (name: string) => object };
    const genuine = db.collection.bind(store.db);
    for (const last of lasts) {
      await load(basis, 'replace');
      let steps = 0;
      let armed = false;
      const dying = (name: string): object => {
        if (armed && steps++ >= last) throw new Error('killed');
        return genuine(name);
      };
      db.collection = dying;
      const outcome = await load(sourceOf(items), mode, {
        alone: async (work: () => Promise<void>) => {
          armed = true;
          await work();
        },
      }).then(
        () => 'done',
        (error: Error) => error.message,
      );
      db.collection = genuine;
      expect(outcome).toBe('killed');
      const found = await recoverLoads(store, place);
      expect(await store.workLog.unfinished()).toEqual([]);
      if (found[0]?.includes('nothing of it')) expect(await store.posts.countDocuments({})).toBe(1);
      else expect(await isMade()).toEqual(made);
    }
    expect(await loadSource(store, basis, { mode: 'replace', place, siteUrl: URL_HERE, now: 1 })).toMatchObject({ posts: 1 });
  },
  60_000,
);
