import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stagedFolder } from '../../../src/transfer/load/mirror.js';
import { recoverWork } from '../../../src/transfer/load/commit.js';
import type { SourceItem, DatasetSource } from '../../../src/transfer/source.js';
import { loadSource, type LoadMode } from '../../../src/transfer/load/load.js';
import { EVENT, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { Staging } from '../../../src/database/store/staging.js';
import { sample } from '../../support/effort.js';
import { URL_HERE, store, place, load, sourceOf, post, term, user, everything, filesIn } from './loading.js';

describe('a failed load leaves the old content', () => {
  let before: unknown;
  beforeAll(async () => {
    await load(sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]), 'replace');
    before = await everything();
  });

  const faulty: [string, SourceItem[], RegExp][] = [
    ['an id twice', [post(1, EVENT, 'a'), post(1, EVENT, 'b')], /line 1: there is another post with the id 1/],
    ['a login twice', [user(1, 'a'), user(2, 'A')], /another user with the login "A"/],
    ['a slug of a term twice', [term(1, 'a'), term(2, 'a')], /another term of tribe_events_cat with the slug "a"/],
  ];
  test.each(faulty)('%s', async (_, items, message) => {
    await expect(load(sourceOf(items), 'replace')).rejects.toThrow(message);
    expect(await everything()).toEqual(before);
  });

  test.each<LoadMode>(['replace', 'add'])('reports all problems of all sources together (%s)', async (mode) => {
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

  test.each<LoadMode>(['replace', 'add'])('an aborted load (%s)', async (mode) => {
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

  test('a crash before everything is staged', async () => {
    const note = await store.workLog.begin({ staging: 'crashed' });
    const staging = new Staging(store, note.staging);
    await staging.create();
    await staging.insert('posts', [{ _id: 1 }]);
    expect(await recoverWork(store, place)).toEqual(['Discarded an interrupted load: its content was incomplete.']);
    expect(await everything()).toEqual(before);
    expect(existsSync(stagedFolder(place, 'crashed'))).toBe(false);
  });
});

test.each<[LoadMode, posts: number, lasts: number[]]>([
  ['replace', 40, sample([0, 1, 4, 8, 14], 2)],
  ['replace', 5_100, [4]],
  ['add', 40, [0, 4]],
])(
  'a crash after staging leads to the new content, at every step (%s, %d posts)',
  async (mode, posts, lasts) => {
    const basis = sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]);
    const items = [
      term(1, 'talks'),
      post(10, EVENT, 'hall', { terms: { tribe_events_cat: [1] } }),
      ...Array.from({ length: posts }, (_, i) => post(100 + i, VENUE, i < 40 ? 'hall' : `hall-${i + 100}`)),
      { kind: 'file', file: { source: '', target: 'c/x.txt', data: Buffer.from('x') } } as SourceItem,
    ];
    const isMade = async (): Promise<unknown> => ({
      slugs: (await store.posts.distinct('slug')).toSorted(),
      terms: (await store.terms.find({}).sort({ slug: 1 }).toArray()).map(({ slug, count }) => [slug, count]),
      files: await filesIn(place.uploads),
    });
    await load(basis, 'replace');
    await load(sourceOf(items), mode);
    const made = await isMade();

    // Counts the commands of the last step, and stops at a different one each time.
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
      // Someone wrote to the old content while the database was down.
      if (mode === 'replace') {
        await rm(path.join(place.uploads, 'c'), { recursive: true, force: true });
        await writeFile(path.join(place.uploads, 'later.txt'), 'x');
      }
      const found = await recoverWork(store, place);
      expect(await store.workLog.unfinished()).toEqual([]);
      if (found[0]?.includes('nothing of it')) expect(await store.posts.countDocuments({})).toBe(1);
      else expect(await isMade()).toEqual(made);
    }
    expect(await loadSource(store, basis, { mode: 'replace', place, siteUrl: URL_HERE, now: 1 })).toMatchObject({ posts: 1 });
  },
  60_000,
);
