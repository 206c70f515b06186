import { randomBytes } from 'node:crypto';
import { BSON, type Db } from 'mongodb';
import { isDuplicate, isOutage, isUncertain } from './errors.js';
import { COUNTERS } from './sequences.js';
import { messageOf, ownConnection } from './own-connection.js';
import { asBytes } from './reads.js';
import { LostWork } from './work-log.js';
import type { Id, Step, StepResult, WriteOptions, Writes } from './writes.js';

/*
 * How servers that share a database learn of each other's writes.
 *
 * One document, the head, lists the latest changes, and those that are open. A write is one ordered command: it announces itself in the head,
 * writes, and closes its announcement. So a server that sees a write also finds it in the head. Before a server uses its caches, it reads the
 * head, and renames what others have changed since it last did; documents of an open change have no name until it is closed. If the head no
 * longer has the change that a server followed last, the server forgets everything.
 *
 * Work of several commands (a restored snapshot, a load) stays open until its end, and each of its commands fails once it is no longer open.
 * Any server closes a change that stays open without renewal: by then, the database has long aborted the write.
 */

/** Documents that a change may write, by collection, which may be repeated; null: any. */
export type Named = readonly (readonly [collection: string, ids: readonly Id[] | null])[];

interface Head {
  _id: 'head';
  /** The latest changes, in the order in which they were announced: the name of each and, as JSON, what it writes. Short, as it is read often. */
  recent?: string[];
  /** The open changes, by name; for work of several commands, with the number of renewals. */
  open?: Record<string, { writes: string; beat?: number }>;
}

/** The collection of the head. */
export const CHANGES = 'changes';

const HEAD = 'head';

/** Number of changes in the list. A server that has missed some forgets everything. */
const LISTED = 32;

/** With more documents of a collection than this, a change names the whole collection. */
const MAX_NAMED = 30;

/** The database aborts a write, and each command of several that belong together, after this time, in ms. */
const MAX_WRITE_MS = 60_000;
const MAX_PART_MS = 10_000;

/** A change that stays open without renewal for this time, in ms, is closed: a write, and work of several commands. */
const WRITE_LEASE_MS = 90_000;
const LEASE_MS = 20_000;

/** An observation counts for at most this time, in ms, so that a database that hangs closes nothing. */
const MAX_GAP_MS = 1_000;

/** How often work of several commands is renewed, in ms. */
const BEAT_MS = 4_000;

/**
 * Interval, in ms, in which a server in use reads the head at least once, so that changes are still listed: while others write a lot,
 * initially, and while nobody writes.
 */
const MIN_POLL_MS = 25;
const POLL_MS = 250;
const MAX_POLL_MS = 1_000;

/** Requests that follow others within this time, in ms, wait a moment to share the read of the head with further ones. */
const BUSY_MS = 5;
const LINGER_MS = 1;

/** How long after the last request a server counts as in use, in ms. */
const IN_USE_MS = 60_000;

/** The names of the latest writes with unknown results that are remembered. */
const MAX_DOUBTFUL = 1_000;

/** Listeners for changes by other servers. */
interface Follower {
  /** Called when a change is seen, and when it is closed. */
  change: (named: Named, isDone: boolean) => void;
  /** Called if it is unknown what has changed. */
  collectionsReplaced: () => void;
}

/** Sends steps as a part of work of several commands. @throws LostWork if others have closed it */
export type SendPart = (steps: readonly Step[], options?: WriteOptions) => Promise<StepResult[]>;

/** A change by others that is open. */
interface Seen {
  named: Named;
  beat: number | undefined;
  /** How long it was seen without renewal, in ms, and when last. */
  silentMs: number;
  at: number;
}

/** The stored form of the documents that a change writes, without the sequences. */
function shortened(named: Named): string {
  const byCollection = new Map<string, readonly Id[] | null>();
  for (const [collection, ids] of named) {
    if (collection === COUNTERS) continue;
    const known = byCollection.get(collection);
    const all = known === null || ids === null ? null : [...(known ?? []), ...ids];
    byCollection.set(collection, all && all.length <= MAX_NAMED ? all : null);
  }
  return JSON.stringify([...byCollection]);
}

/** The changes of a database that several servers write to. */
export class Changes {
  private readonly server = randomBytes(6).toString('base64url');
  private count = 0;
  /** The change that was followed last. */
  private known: string | undefined;
  private bytes: Buffer | null = null;
  private readonly seen = new Map<string, Seen>();
  /** Own writes with unknown results, which are followed like those of other servers. */
  private readonly doubtful = new Set<string>();
  /** Those that failed since the head was last read. */
  private readonly failedLately = new Map<string, Named>();
  /** Lists that get what others write, for as long as somebody wants to know. */
  private readonly observers = new Set<Named[]>();
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private lastAskedFor = 0;
  private endedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private pollMs = POLL_MS;
  private isClosed = false;
  private readonly question: Buffer;
  /** For metrics: changes by others that were followed, and how often everything was forgotten. */
  readonly figures = { followed: 0, forgotten: 0 };

  constructor(
    private readonly db: Db,
    private readonly writes: Writes,
    private readonly follower: Follower,
    /** Milliseconds since any time, never turned back. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.question = messageOf(db, { find: CHANGES, filter: { _id: HEAD }, limit: 1, singleBatch: true });
  }

  /** Sends steps as one change. @throws MongoServerError of the step that failed */
  async write(steps: readonly Step[], named: Named): Promise<StepResult[]> {
    const name = this.newName();
    const results = await this.send(name, named, [announcement(name, named), ...steps, closing(name)], { maxTimeMS: MAX_WRITE_MS });
    return results.slice(1, -1);
  }

  /** Runs work of several commands as one change. @param work gets a function that sends steps */
  async during<T>(named: Named, work: (send: SendPart) => Promise<T>): Promise<T> {
    const name = this.newName();
    await this.send(name, named, [announcement(name, named, { beat: 0 })]);
    const guard: Step = {
      collection: CHANGES,
      // If it is no longer open, this inserts a second head, which fails and ends the command.
      update: { _id: HEAD, [`open.${name}`]: { $exists: true } },
      change: { $inc: { [`open.${name}.beat`]: 1 } },
      upsert: true,
    };
    const beat = setInterval(() => void this.writes.send([{ ...guard, upsert: false }]).catch(() => undefined), BEAT_MS).unref();
    try {
      return await work(async (steps, options) => {
        const results = await this.writes.send([guard, ...steps], { ...options, maxTimeMS: MAX_PART_MS }).catch((error: unknown) => {
          throw isDuplicate(error) && (error as { idx?: number }).idx === 0 ? new LostWork() : shifted(error);
        });
        return results.slice(1);
      });
    } finally {
      clearInterval(beat);
      // Again, so that nothing read since it began stays, even if others have closed it.
      await this.send(name, named, [announcing(`${name}.end`, shortened(named), { $unset: { [`open.${name}`]: '' } })]);
    }
  }

  /**
   * Settles when the caches are as current as the database was at the time of the call. Calls while the head is being read share the next
   * read.
   */
  current(): Promise<void> {
    this.lastAskedFor = this.now();
    this.timer ??= this.pollLater();
    return this.ask();
  }

  /** Runs work. @returns what other servers were writing meanwhile; null: anything */
  async othersDuring(work: () => Promise<void>): Promise<Named | null> {
    await this.ask();
    const { forgotten } = this.figures;
    const met = [...this.seen.values()].map(({ named }) => named);
    this.observers.add(met);
    try {
      await work();
      await this.ask();
    } finally {
      this.observers.delete(met);
    }
    return forgotten === this.figures.forgotten ? met.flat() : null;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private ask(): Promise<void> {
    this.next ??= (async () => {
      // Concurrent requests share it.
      await this.running?.catch(() => undefined);
      const isBusy = this.now() - this.endedAt < BUSY_MS;
      await new Promise((resolve) => (isBusy ? setTimeout(resolve, LINGER_MS) : setImmediate(resolve)));
      this.next = null;
      this.running = this.fetch().finally(() => {
        this.running = null;
        this.endedAt = this.now();
      });
      await this.running;
    })();
    return this.next;
  }

  private pollLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      if (this.isClosed || this.now() - this.lastAskedFor > IN_USE_MS) return;
      if (!this.next && !this.running) this.ask().catch(() => undefined);
      this.timer = this.pollLater();
    }, this.pollMs).unref();
  }

  private async readHead(): Promise<Buffer | null> {
    const reply = await ownConnection(this.db.client).send(this.question);
    if (reply) return (reply['cursor'] as { firstBatch: Buffer[] }).firstBatch.at(0) ?? null;
    // Not a plain command, which the driver would not send again if its connection is lost.
    const found = await this.db.collection<Head>(CHANGES).find({ _id: HEAD }, { raw: true }).toArray();
    return asBytes(found).at(0) ?? null;
  }

  private async fetch(): Promise<void> {
    let bytes = await this.readHead();
    if (bytes && this.bytes?.equals(bytes) === true && this.seen.size === 0 && this.failedLately.size === 0) {
      this.pollMs = Math.min(2 * this.pollMs, MAX_POLL_MS);
      return;
    }
    // An empty head could not be distinguished from a missing one.
    for (; !bytes || headIn(bytes).recent === undefined; bytes = await this.readHead())
      await this.writes.send([announcing(this.newName(), '[]')]);
    this.follow(headIn(bytes));
    this.bytes = bytes;
  }

  private follow({ recent = [], open = {} }: Head): void {
    const at = this.known === undefined ? -1 : recent.lastIndexOf(this.known);
    const latest = recent.slice(at + 1);
    if (at < 0) this.forget();
    else for (const [w, writes] of latest.map(parts)) if (!this.isOwn(w) && !this.seen.has(w) && !(w in open)) this.learn(namedBy(writes));
    for (const [w, { writes, beat }] of Object.entries(open)) if (!this.isOwn(w)) this.observe(w, namedBy(writes), beat);
    for (const [w, { named }] of this.seen) {
      if (w in open) continue;
      this.seen.delete(w);
      this.follower.change(named, true);
    }
    // Values read since then may be older than these writes.
    for (const named of this.failedLately.values()) this.learn(named);
    this.failedLately.clear();
    this.known = recent.at(-1);
    this.pollMs = latest.length > LISTED / 8 ? MIN_POLL_MS : POLL_MS;
  }

  private learn(named: Named): void {
    this.meet(named);
    this.follower.change(named, true);
  }

  private meet(named: Named): void {
    this.figures.followed += 1;
    for (const met of this.observers) met.push(named);
    this.follower.change(named, false);
  }

  private forget(): void {
    for (const { named } of this.seen.values()) this.follower.change(named, true);
    this.seen.clear();
    this.figures.forgotten += 1;
    this.follower.collectionsReplaced();
  }

  private observe(w: string, named: Named, beat: number | undefined): void {
    const at = this.now();
    const known = this.seen.get(w);
    if (!known) {
      this.seen.set(w, { named, beat, silentMs: 0, at });
      this.meet(named);
      return;
    }
    known.silentMs = beat === known.beat ? known.silentMs + Math.min(at - known.at, MAX_GAP_MS) : 0;
    Object.assign(known, { beat, at });
    // It counts as open until the head shows otherwise.
    if (known.silentMs > (beat === undefined ? WRITE_LEASE_MS : LEASE_MS)) this.writes.send([closing(w)]).catch(() => undefined);
  }

  private isOwn(w: string): boolean {
    return w.startsWith(`${this.server}-`) && !this.doubtful.has(w);
  }

  /** Sends steps of a change, and closes it if they fail. @throws MongoServerError with the index of the step after the announcement */
  private send(name: string, named: Named, steps: readonly Step[], options?: WriteOptions): Promise<StepResult[]> {
    return this.writes.send(steps, options).catch((error: unknown) => {
      if (isUncertain(error) || isOutage(error)) this.doubt(name, named);
      else this.writes.send([closing(name)]).catch(() => this.doubt(name, named));
      throw shifted(error);
    });
  }

  private doubt(name: string, named: Named): void {
    this.failedLately.set(name, named);
    this.doubtful.add(name);
    const [oldest] = this.doubtful;
    if (this.doubtful.size > MAX_DOUBTFUL) this.doubtful.delete(oldest);
  }

  private newName(): string {
    this.count += 1;
    return `${this.server}-${this.count.toString(36)}`;
  }
}

const headIn = (bytes: Buffer): Head => BSON.deserialize(bytes) as Head;

/** The name of a change in the list, and its documents. */
const parts = (listed: string): [name: string, writes: string] => {
  const end = listed.indexOf(' ');
  return [listed.slice(0, end), listed.slice(end + 1)];
};

const namedBy = (writes: string): Named => JSON.parse(writes) as Named;

/** Adds a change to the list. */
const announcing = (w: string, writes: string, more: object = {}): Step => ({
  collection: CHANGES,
  update: HEAD,
  change: { $push: { recent: { $each: [`${w} ${writes}`], $slice: -LISTED } }, ...more },
  upsert: true,
});

/** @param more is stored with it while it is open */
function announcement(w: string, named: Named, more: { beat?: number } = {}): Step {
  const writes = shortened(named);
  return announcing(w, writes, { $set: { [`open.${w}`]: { writes, ...more } } });
}

const closing = (w: string): Step => ({ collection: CHANGES, update: HEAD, change: { $unset: { [`open.${w}`]: '' } } });

/** An error with the index of the step among those of the caller. */
function shifted(error: unknown): unknown {
  const { idx } = error as { idx?: number };
  return idx === undefined ? error : Object.assign(error as object, { idx: idx - 1 });
}
