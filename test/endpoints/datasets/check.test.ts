import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFile, placeOf } from '../../support/datasets.js';
import { createServer } from '../../../src/index.js';
import { recoverWork } from '../../../src/transfer/load/commit.js';
import { checkConsistency } from '../../../src/wordpress/check.js';
import { ATTACHMENT, TAG, type Post, type Term } from '../../../src/wordpress/model.js';
import { EVENT_CATEGORY } from '../../../src/plugins/the-events-calendar/model/index.js';
import { Staging } from '../../../src/database/store/staging.js';
import { Store } from '../../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../../support/database.js';
import { readEverything, type Everything } from '../../support/scan.js';
import { registry } from '../../support/registry.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const WORLD = path.join(root, 'test/conformance/world.json');
const DEMO = path.join(root, 'fixtures/demo.json');
const SNAPSHOT = 'loaded';

const database = testDatabase();
let store: Store;
let uploads: string;

beforeAll(async () => {
  store = await Store.open(database.uri, registry, database.name);
  uploads = mkdtempSync(path.join(os.tmpdir(), 'understudy-check-'));
});
afterAll(async () => {
  await store.close();
  rmSync(uploads, { recursive: true });
});

const load = async (file: string): Promise<void> => {
  await loadFile(file, store, uploads, 'http://town.example');
};

const check = (): Promise<string[]> => checkConsistency(store, uploads);

test.each([WORLD, DEMO])('reports nothing for a consistent site: %s', async (file) => {
  await load(file);
  const before = await readEverything(store);
  expect(await check()).toEqual([]);
  expect(await readEverything(store)).toEqual(before);
});

describe('reports and repairs inconsistencies', () => {
  beforeAll(async () => {
    await load(WORLD);
    await store.snapshots.save(SNAPSHOT);
  });
  beforeEach(() => store.snapshots.restore(SNAPSHOT));

  const oneTerm = async (taxonomy: string): Promise<Term> =>
    (await readEverything(store)).terms.find((term) => term.taxonomy === taxonomy && term.count > 0)!;
  const onePost = async (): Promise<Post> =>
    (await readEverything(store)).posts.find(({ type, occurrence }) => type === 'tribe_events' && occurrence)!;
  const newestId = async (): Promise<number> => Math.max(...(await readEverything(store)).posts.map(({ _id }) => _id));

  /** Damages the store, and expects the check to restore it. */
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a count',
      async () => store.terms.updateOne({ _id: (await oneTerm(EVENT_CATEGORY))._id }, { $inc: { count: 1 } }),
      /^Stale counts of 1 term: recounted \(\d+\)\.$/,
    ],
    [
      'the count of a branch',
      () => store.terms.updateOne({ taxonomy: EVENT_CATEGORY, branchCount: { $gt: 1 } }, { $set: { branchCount: 0 } }),
      /^Stale counts of 1 term/,
    ],
    [
      'a term that a post should not have',
      async () => store.posts.updateOne({ _id: (await onePost())._id }, { $push: { [`terms.${TAG}`]: 999_999 } }),
      /^1 term of posts did not exist: removed from the posts \(post_tag 999999\)\.$/,
    ],
    [
      'a term of the other taxonomy',
      async () =>
        store.posts.updateOne(
          { _id: (await onePost())._id },
          {
            $push: { [`terms.${TAG}`]: (await oneTerm(EVENT_CATEGORY))._id },
          },
        ),
      /^1 term of posts did not exist/,
    ],
    [
      'the columns of an occurrence',
      async () => store.posts.updateOne({ _id: (await onePost())._id }, { $set: { 'occurrence.startUtc': '1999-01-01 00:00:00' } }),
      /^Stale derived columns of 1 post: recomputed \(\d+\)\.$/,
    ],
    [
      'a column that is missing',
      async () => store.posts.updateOne({ _id: (await onePost())._id }, { $unset: { slugKey: 1 } }),
      /^Stale derived columns of 1 post/,
    ],
    [
      'a sequence',
      async () => {
        await store.collection<{ _id: string }>('counters').updateOne({ _id: 'posts' }, { $set: { value: 3 } });
        // As after a restart.
        store.sequences.forget();
      },
      /^The sequence of posts was behind the highest id: raised it to \d+\.$/,
    ],
  ])('%s', async (_, damage, line) => {
    const before = await readEverything(store);
    await damage();
    const found = await check();
    expect(found).toEqual([expect.stringMatching(line)]);
    expect(withoutVersions(await readEverything(store))).toEqual(withoutVersions(before));
    expect(await check()).toEqual([]);
    expect(await store.sequences.next('posts')).toBeGreaterThan(await newestId());
  });

  test('a category whose parent does not exist is reported', async () => {
    const child = (await readEverything(store)).terms.find(({ parent }) => parent !== 0)!;
    await store.terms.updateOne({ _id: child._id }, { $set: { parent: 999_999 } });
    expect((await check())[0]).toBe(`1 term had a parent that does not exist: moved to the top level (${child._id}).`);
    expect((await store.terms.findOne({ _id: child._id }))?.parent).toBe(0);
    expect(await check()).toEqual([]);
  });

  test('a slug shared by two posts is reported but not changed', async () => {
    const post = await onePost();
    const twin = { ...post, _id: await store.sequences.next('posts'), slugKey: undefined };
    await store.insert('posts', [twin]);
    const line = `Post ${twin._id} has the same slug as another post, ${post.slug}: not changed.`;
    expect((await check()).at(-1)).toBe(line);
    expect(await check()).toEqual([line]);
  });

  test('an interrupted reset is repeated', async () => {
    const before = await readEverything(store);
    const place = placeOf(uploads);
    mkdirSync(place.snapshot(SNAPSHOT), { recursive: true });
    writeFileSync(path.join(place.snapshot(SNAPSHOT), 'kept.png'), 'x');
    await store.workLog.begin({ restore: SNAPSHOT });
    await store.terms.deleteMany({});
    writeFileSync(path.join(uploads, 'stray.png'), 'x');
    expect(await recoverWork(store, place)).toEqual(['A reset was interrupted: repeated it.']);
    expect(await readEverything(store)).toEqual(before);
    expect(readdirSync(uploads).filter((name) => name.endsWith('.png'))).toEqual(['kept.png']);
    expect(await store.workLog.unfinished()).toEqual([]);
    expect(await recoverWork(store, place)).toEqual([]);
  });

  describe('files of an upload', () => {
    const files = ['2026/07/poster-a1B2c3.png', '2026/07/poster-a1B2c3-150x150.png'];
    const there = (): boolean[] => files.map((file) => existsSync(path.join(uploads, file)));

    beforeEach(() => {
      mkdirSync(path.join(uploads, '2026/07'), { recursive: true });
      for (const file of files) writeFileSync(path.join(uploads, file), 'x');
    });

    test('an upload interrupted before the attachment was stored is removed', async () => {
      await store.workLog.begin({ files });
      expect(await check()).toEqual([`An upload was interrupted: removed 2 files without an attachment (${files.join(', ')}).`]);
      expect(there()).toEqual([false, false]);
      expect(await check()).toEqual([]);
    });

    test('an upload interrupted after the attachment was stored is kept', async () => {
      await store.workLog.begin({ files });
      const attachment = (await readEverything(store)).posts.find(({ type }) => type === ATTACHMENT)!;
      await store.insert('posts', [
        { ...attachment, _id: await store.sequences.next('posts'), slug: 'uploaded', slugKey: 'uploaded', file: files[0] },
      ]);
      expect(await check()).toEqual([]);
      expect(there()).toEqual([true, true]);
      expect(await store.workLog.unfinished()).toEqual([]);
    });

    test('files without an entry in the work log are left alone', async () => {
      expect(await check()).toEqual([]);
      expect(there()).toEqual([true, true]);
    });
  });
});

test('an interrupted first start is repeated', async () => {
  await clearStore(store);
  const { staging } = await store.workLog.begin({ staging: 'cut-short', snapshot: 'pristine' });
  await new Staging(store, staging).create();
  const server = await createServer({ mongodbUri: database.address, dataset: DEMO, logLevel: 'silent' });
  try {
    expect(await store.posts.countDocuments({ type: 'tribe_events' })).toBeGreaterThan(0);
    expect(await store.workLog.unfinished()).toEqual([]);
    await server.reset();
  } finally {
    await server.close();
  }
});

/** A repair is a change, so it increments the version. */
const withoutVersions = ({ posts, terms }: Everything): Everything => ({ posts: posts.map((post) => ({ ...post, version: 0 })), terms });
