import { jest } from '@jest/globals';
import { MongoClient, type Document } from 'mongodb';
import { Memory } from '../../src/database/memory/index.js';
import { findPost, listPosts } from '../../src/wordpress/posts/posts.js';
import { Store } from '../../src/wordpress/store.js';
import type { PostQuery } from '../../src/wordpress/query/post-query.js';
import { testDatabase } from '../support/database.js';
import { EFFORT } from '../support/effort.js';
import { storedPost } from '../support/posts.js';
import { furtherChoices, runOnce, type Actor, type Choices, type Run } from './explore.js';
import { connectionOf, Released } from './released.js';
import { registry } from '../support/registry.js';

/*
 * Checks the caches of servers that share a database, in every order of their commands with few switches between servers. It runs the real
 * code on the real engine, and releases the commands one by one (`released.ts`). The rule: a read never shows a state older than one that
 * was acknowledged, or shown by another read, before it began.
 */

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
const db = client.db(name);

const MOST_RUNS = 5 * EFFORT;
/** Maximum number of switches to another server while the current one could continue. */
const MOST_SWITCHES = 3;

/** Each read of the clock advances it, so that no request waits for others to join. */
let clock = 0;
beforeAll(async () => {
  await begin();
  jest.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
});
afterAll(async () => {
  jest.restoreAllMocks();
  await client.close();
});

const TERM = { _id: 1, taxonomy: 'category', name: 'Term', slug: 'term', description: '', parent: 0, termGroup: 0, termTaxonomyId: 1 };
const POSTS = [1, 2, 3];

const postsOf = (title: string, status: string): Document[] =>
  POSTS.map((id) => ({ ...storedPost(id), title, status, slugKey: `post-${id}` }));

/** Stores three drafts of version 0. The title of a post is its version. A snapshot contains version 1 of them, published. */
async function begin(): Promise<void> {
  for (const each of await db.collections()) await each.drop();
  const write = async (title: string, status: string, count: number): Promise<void> => {
    for (const each of ['posts', 'terms']) await db.collection(each).deleteMany({});
    await db.collection('posts').insertMany(postsOf(title, status));
    await db.collection('terms').insertOne({ ...TERM, count, branchCount: count } as unknown as Document);
  };
  await write('1', 'publish', POSTS.length);
  const store = await Store.openAsIs(uri, registry, name, true, new Memory(0));
  await store.snapshots.save('later');
  await store.close();
  await write('0', 'draft', 0);
}

/** Undoes the writes of a run, which is faster than creating everything again. */
async function beginAgain(): Promise<void> {
  await Promise.all(['changes', 'underway', 'counters'].map((each) => db.collection(each).deleteMany({})));
  const documents = postsOf('0', 'draft').map((replacement) => ({
    replaceOne: { filter: { _id: replacement['_id'] as never }, replacement, upsert: true },
  }));
  await db.collection('posts').bulkWrite(documents);
  await db.collection('terms').replaceOne({ _id: 1 as never }, { ...TERM, count: 0, branchCount: 0 }, { upsert: true });
}

/** The minimum of values that only increase. */
class Known {
  private readonly least = new Map<string, number>();

  at(thing: string): number {
    return this.least.get(thing) ?? 0;
  }

  learn(thing: string, value: number): void {
    this.least.set(thing, Math.max(this.at(thing), value));
  }

  /** Checks a value that an actor has read. */
  check(thing: string, value: number, least: number): string | null {
    this.learn(thing, value);
    return value < least ? `${thing}: read ${value}, but ${least} was known before` : null;
  }
}

const PUBLISHED: PostQuery = { type: 'post', statuses: ['publish'], sort: { by: 'id', descending: false }, limit: 10, offset: 0 };

/** The count of the term, cached or stored. */
const countIn = async (store: Store): Promise<number> =>
  ((await store.allTerms())?.get(1) ?? (await store.terms.findOne({ _id: 1 })))?.count ?? Number.NaN;

/** Actors by letter: what they do in a server. */
const ACTS: Record<string, (store: Store, id: number, known: Known) => Promise<string | null>> = {
  /** Changes a title. */
  w: async (store, id, known) => {
    const written = await store.changePost(id, (post) => ({ ...post, title: String(Number(post.title) + 1) }));
    known.learn(`title ${id}`, Number(written?.after.title));
    return null;
  },
  /** Publishes a post, which increments the count of the term. */
  p: async (store, id, known) => {
    const count = { collection: 'terms', update: 1, change: { $inc: { count: 1, branchCount: 1 } } };
    await store.changePost(
      id,
      (post) => ({ ...post, status: 'publish' }),
      null,
      (_change, steps) => store.writeTogether([...steps, count]),
    );
    known.learn(`listed ${id}`, 1);
    known.learn('count', known.at('published') + 1);
    known.learn('published', known.at('published') + 1);
    return null;
  },
  /** Restores a snapshot in which every version is one higher. */
  z: async (store, _id, known) => {
    await store.snapshots.restore('later');
    for (const id of POSTS) for (const thing of ['title', 'listed']) known.learn(`${thing} ${id}`, 1);
    known.learn('count', POSTS.length);
    return null;
  },
  /** Reads repeatedly until the changes of a dead server are closed. */
  o: async (store) => {
    for (let seconds = 0; seconds < 120; seconds += 1) {
      clock += 1_000;
      await store.current();
    }
    return null;
  },
  /** Reads a title. */
  r: async (store, id, known) => {
    const least = known.at(`title ${id}`);
    await store.current();
    return known.check(`title ${id}`, Number((await findPost(store, id))?.title), least);
  },
  /** Reads the list of published posts. */
  l: async (store, id, known) => {
    const least = known.at(`listed ${id}`);
    await store.current();
    const posts = await listPosts(store, PUBLISHED);
    return known.check(`listed ${id}`, posts.some(({ _id }) => _id === id) ? 1 : 0, least);
  },
  /** Reads the count of the term. */
  c: async (store, _id, known) => {
    const least = known.at('count');
    await store.current();
    return known.check('count', await countIn(store), least);
  },
};

type Tamper = (ops: Document[]) => Document[];

interface Scenario {
  /** A letter, a server and a post per actor. */
  actors: string;
  /** The server that dies, and before which step. */
  kill?: { server: number; at: number };
  tamper?: Tamper;
  /** Disables a part of the code. */
  without?: (store: Store) => void;
}

/** Runs work, and releases each step at once. */
async function released<T>(steps: Released, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = (): void => void (isDone = true);
  work.then(done, done);
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await steps.pending.shift()?.run();
  }
  return work;
}

/** Differences between what servers show and what is stored, when no write is pending. */
async function disagreement(stores: readonly Store[]): Promise<string | null> {
  const shown = await Promise.all(
    stores.map(async (store) => {
      await store.current();
      const titles = await Promise.all(POSTS.map(async (id) => (await findPost(store, id))?.title));
      const listed = (await listPosts(store, PUBLISHED)).map(({ _id }) => _id);
      return JSON.stringify({ titles, listed, count: await countIn(store) });
    }),
  );
  // The last server has no caches.
  return new Set(shown).size === 1 ? null : `at rest, servers show ${shown.join(', ')}`;
}

/** The cache memory of each server, in MB. The last one has none. */
const MEMORIES = [80, 80, 0];

/** A run takes a hundredth of this, in ms. */
const MAX_RUN_MS = 25_000;

/** One run. @throws if it does not end, with what it waits for */
async function play(scenario: Scenario, choices: Choices): Promise<Run> {
  const steps = new Released();
  let stopped: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const what = (): string => JSON.stringify({ choices, executed: steps.executed, waiting: steps.pending.map((step) => step.what) });
    stopped = setTimeout(() => reject(new Error(`a run of ${scenario.actors} does not end: ${what()}`)), MAX_RUN_MS);
  });
  try {
    return await Promise.race([playWith(steps, scenario, choices), limit]);
  } finally {
    clearTimeout(stopped);
  }
}

/** Servers read everything once, and then the actors run. */
async function playWith(steps: Released, { actors, kill, tamper, without }: Scenario, choices: Choices): Promise<Run> {
  await beginAgain();
  const stores = await Promise.all(
    MEMORIES.map((megabytes, server) =>
      Store.openAsIs(connectionOf(db, server, steps, tamper), registry, undefined, true, new Memory(megabytes)),
    ),
  );
  const known = new Known();
  const warm = stores.map(async (store) => {
    await store.current();
    await Promise.all([findPost(store, 1), store.rows?.read(), store.allTerms()]);
  });
  await released(steps, Promise.all(warm));
  if (without) stores.forEach(without);
  const acting = actors.split(',').map((text): Actor => {
    const server = Number(text[1]);
    return { server, act: () => ACTS[text[0]](stores[server], Number(text[2]), known) };
  });
  const run = await runOnce(steps, acting, choices, kill);
  if (!kill) run.problem ??= await released(steps, disagreement(stores));
  for (const store of stores) store.changeLog?.close();
  return run;
}

/** Runs a scenario with an increasing number of switches. @returns the number of runs, and the first one that breaks the rule */
async function explore(scenario: Scenario, most = MOST_RUNS): Promise<{ runs: number; broken: Run | null }> {
  let level: Choices[] = [[]];
  let runs = 0;
  for (let switches = 0; switches <= MOST_SWITCHES && level.length > 0; switches += 1) {
    const next: Choices[] = [];
    // A prime step visits the whole level in a fixed, scattered order.
    for (let i = 0; i < level.length && runs < most; i += 1) {
      const choices = level[(i * 7_919) % level.length];
      const run = await play(scenario, choices);
      runs += 1;
      if (run.problem !== null) return { runs, broken: run };
      next.push(...furtherChoices(choices, run, MOST_SWITCHES));
    }
    level = next;
  }
  return { runs, broken: null };
}

const told = (run: Run | null): string => (run ? `${run.problem}\n  ${run.trace.join('\n  ')}` : '');

describe('what ships holds', () => {
  test.each([
    ['w01,r11,r01'],
    ['w01,w11,r11'],
    ['w01,r11,r11'],
    ['w01,r21,r11'],
    ['p01,l21,l11,c11'],
    ['p01,l11,l01'],
    ['p01,p12,c01,c11'],
    ['w01,p11,r01,l01'],
    ['z01,r11,l01'],
    ['z01,w12,r12'],
    ['z01,z11,r01'],
  ])(
    '%s',
    async (actors) => {
      const { broken } = await explore({ actors });
      expect(told(broken)).toBe('');
    },
    60_000 * EFFORT,
  );

  // In the middle of the command, and between its end and the reply. The change then stays open until another server closes it.
  test.each([2, 3, 4, 5, 6, 7])(
    'w01,r11,o11,r11, and server 0 dies before step %i',
    async (at) => {
      const { broken } = await explore({ actors: 'w01,r11,o11,r11', kill: { server: 0, at } }, MOST_RUNS / 5);
      expect(told(broken)).toBe('');
    },
    60_000 * EFFORT,
  );
});

describe('what is left out is found', () => {
  const broken = async (scenario: Scenario): Promise<string> => told((await explore(scenario, 500)).broken);

  /** Announces a change after the change itself. */
  const late: Tamper = (ops) => (ops.length < 3 ? ops : [...ops.slice(1, -1), ops[0], ops[ops.length - 1]]);
  test('announce first', async () => {
    expect(await broken({ actors: 'w01,r21,r11', tamper: late })).toMatch(/known before|at rest/);
  }, 60_000);

  /** Treats a change as done when it is first seen, and ignores its end. */
  const once = (store: Store): void => {
    const [beginWrite, endWrite] = [store.beginWrite.bind(store), store.endWrite.bind(store)];
    store.beginWrite = (named) => {
      beginWrite(named);
      endWrite(named);
    };
    store.endWrite = () => undefined;
  };
  test('what is open has no name until it is closed', async () => {
    expect(await broken({ actors: 'w01,r11,r11', without: once })).toMatch(/known before|at rest/);
  }, 60_000);

  /** Keeps cached values despite changes in the meantime. */
  const kept = (store: Store): void => {
    const { state } = store;
    const versionOf = state.versionOf.bind(state);
    state.versionOf = (collection, id) =>
      collection === 'posts' ? Math.floor(versionOf(collection, id) / 1e9) : versionOf(collection, id);
  };
  test('names of documents', async () => {
    expect(await broken({ actors: 'r11,w01,r11', without: kept })).toMatch(/known before|at rest/);
  }, 60_000);

  /** Does not check for changes of other servers. */
  const deaf = (store: Store): void => {
    store.current = () => Promise.resolve();
  };
  test('asking at all', async () => {
    expect(await broken({ actors: 'p01,l11', without: deaf })).toMatch(/known before|at rest/);
  }, 60_000);
});
