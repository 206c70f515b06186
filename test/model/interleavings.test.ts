import { jest } from '@jest/globals';
import { MongoClient, type Document } from 'mongodb';
import { Memory } from '../../src/memory/index.js';
import { findPost, listPosts } from '../../src/wp/posts.js';
import { Store } from '../../src/wp/store.js';
import type { PostQuery } from '../../src/wp/query/post-query.js';
import { testDatabase } from '../support/database.js';
import { EFFORT } from '../support/effort.js';
import { storedPost } from '../support/posts.js';
import { furtherChoices, runOnce, type Actor, type Choices, type Run } from './explore.js';
import { connectionOf, Released } from './released.js';

/*
 * The memory of servers that share a database, in every order of their commands with few switches between them: the code that ships, over the
 * engine, with commands that are released one by one (`released.ts`). What must hold: a read shows nothing older than what was acknowledged,
 * or shown by another read, before it began.
 */

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
const db = client.db(name);

const MOST_RUNS = 5 * EFFORT;
/** Switches to another server in a run, besides those where a server has nothing to do. */
const MOST_SWITCHES = 3;

/** Time goes on with each look at the clock, so that nobody waits for others to join. */
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

/** Three drafts of version 0: the title of a post counts its changes. A snapshot has version 1 of them, published. */
async function begin(): Promise<void> {
  for (const each of await db.collections()) await each.drop();
  const write = async (title: string, status: string, count: number): Promise<void> => {
    for (const each of ['posts', 'terms']) await db.collection(each).deleteMany({});
    await db.collection('posts').insertMany(postsOf(title, status));
    await db.collection('terms').insertOne({ ...TERM, count, branchCount: count } as unknown as Document);
  };
  await write('1', 'publish', POSTS.length);
  const store = await Store.openAsIs(uri, name, true, new Memory(0));
  await store.snapshots.save('later');
  await store.close();
  await write('0', 'draft', 0);
}

/** Nothing that a run needs is made again for each: what it has written is undone. */
async function beginAgain(): Promise<void> {
  await Promise.all(['changes', 'underway', 'counters'].map((each) => db.collection(each).deleteMany({})));
  const documents = postsOf('0', 'draft').map((replacement) => ({
    replaceOne: { filter: { _id: replacement['_id'] as never }, replacement, upsert: true },
  }));
  await db.collection('posts').bulkWrite(documents);
  await db.collection('terms').replaceOne({ _id: 1 as never }, { ...TERM, count: 0, branchCount: 0 }, { upsert: true });
}

/** What is known of things that only grow. */
class Known {
  private readonly least = new Map<string, number>();

  at(thing: string): number {
    return this.least.get(thing) ?? 0;
  }

  learn(thing: string, value: number): void {
    this.least.set(thing, Math.max(this.at(thing), value));
  }

  /** Looks at a value that somebody has read. */
  check(thing: string, value: number, least: number): string | null {
    this.learn(thing, value);
    return value < least ? `${thing}: read ${value}, but ${least} was known before` : null;
  }
}

const PUBLISHED: PostQuery = { type: 'post', statuses: ['publish'], sort: { by: 'id', descending: false }, limit: 10, offset: 0 };

/** The count of the term, as kept or as stored. */
const countIn = async (store: Store): Promise<number> =>
  ((await store.allTerms())?.get(1) ?? (await store.terms.findOne({ _id: 1 })))?.count ?? Number.NaN;

/** The actors by a letter: what it does in which server. */
const ACTS: Record<string, (store: Store, id: number, known: Known) => Promise<string | null>> = {
  /** Changes a title. */
  w: async (store, id, known) => {
    const written = await store.changePost(id, (post) => ({ ...post, title: String(Number(post.title) + 1) }));
    known.learn(`title ${id}`, Number(written?.after.title));
    return null;
  },
  /** Publishes a post, which counts for a term. */
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
  /** Restores a snapshot, in which everything is one further. */
  z: async (store, _id, known) => {
    await store.snapshots.restore('later');
    for (const id of POSTS) for (const thing of ['title', 'listed']) known.learn(`${thing} ${id}`, 1);
    known.learn('count', POSTS.length);
    return null;
  },
  /** Looks again and again for so long that what is dead is closed. */
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
  /** Reads the list of what is published. */
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
  /** A letter, a server and a post for each actor. */
  actors: string;
  /** Which server dies, before which step. */
  kill?: { server: number; at: number };
  tamper?: Tamper;
  /** Leaves something out of the code. */
  without?: (store: Store) => void;
}

/** Does work with all steps released as they come. */
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

/** What of the content some servers show other than it is stored, when nobody writes. */
async function disagreement(stores: readonly Store[]): Promise<string | null> {
  const shown = await Promise.all(
    stores.map(async (store) => {
      await store.current();
      const titles = await Promise.all(POSTS.map(async (id) => (await findPost(store, id))?.title));
      const listed = (await listPosts(store, PUBLISHED)).map(({ _id }) => _id);
      return JSON.stringify({ titles, listed, count: await countIn(store) });
    }),
  );
  // The last one keeps nothing.
  return new Set(shown).size === 1 ? null : `at rest, servers show ${shown.join(', ')}`;
}

/** The memory of each server, in MB: the last one keeps nothing. */
const MEMORIES = [80, 80, 0];

/** One run: servers that have read everything once, and then the actors. */
async function play({ actors, kill, tamper, without }: Scenario, choices: Choices): Promise<Run> {
  await beginAgain();
  const steps = new Released();
  const stores = await Promise.all(
    MEMORIES.map((megabytes, server) => Store.openAsIs(connectionOf(db, server, steps, tamper), undefined, true, new Memory(megabytes))),
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
  for (const store of stores) store.changes?.close();
  return run;
}

/** Runs of a scenario, with more and more switches. @returns the first that breaks the rule */
async function explore(scenario: Scenario, most = MOST_RUNS): Promise<{ runs: number; broken: Run | null }> {
  let level: Choices[] = [[]];
  let runs = 0;
  for (let switches = 0; switches <= MOST_SWITCHES && level.length > 0; switches += 1) {
    const next: Choices[] = [];
    // A step of a prime that divides no usual number: all over the level, and the same each time.
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

  // In the middle of the command, and between its end and the reply; then the change stays open until somebody closes it.
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

  /** A change is announced after what it announces. */
  const late: Tamper = (ops) => (ops.length < 3 ? ops : [...ops.slice(1, -1), ops[0], ops[ops.length - 1]]);
  test('announce first', async () => {
    expect(await broken({ actors: 'w01,r21,r11', tamper: late })).toMatch(/known before|at rest/);
  }, 60_000);

  /** A change that is seen counts as done, and is not followed again when it is closed. */
  const once = (store: Store): void => {
    const change = store.change.bind(store);
    store.change = (named, isDone) => {
      if (!isDone) for (const each of [false, true]) change(named, each);
    };
  };
  test('what is open has no name until it is closed', async () => {
    expect(await broken({ actors: 'w01,r11,r11', without: once })).toMatch(/known before|at rest/);
  }, 60_000);

  /** What was read is kept, whatever was followed meanwhile. */
  const kept = (store: Store): void => {
    const { state } = store;
    const versionOf = state.versionOf.bind(state);
    state.versionOf = (collection, id) =>
      collection === 'posts' ? Math.floor(versionOf(collection, id) / 1e9) : versionOf(collection, id);
  };
  test('names of documents', async () => {
    expect(await broken({ actors: 'r11,w01,r11', without: kept })).toMatch(/known before|at rest/);
  }, 60_000);

  /** Nobody asks what others have written. */
  const deaf = (store: Store): void => {
    store.current = () => Promise.resolve();
  };
  test('asking at all', async () => {
    expect(await broken({ actors: 'p01,l11', without: deaf })).toMatch(/known before|at rest/);
  }, 60_000);
});
