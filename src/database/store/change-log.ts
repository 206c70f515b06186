import { randomBytes } from 'node:crypto';
import { BSON, type Db } from 'mongodb';
import { isDuplicate, isOutage, isUncertain } from './errors.js';
import { COUNTERS } from './sequences.js';
import { messageOf, pipelinedConnection } from './pipelined-connection.js';
import { asBytes } from './reads.js';
import { LostWork } from './work-log.js';
import type { Id, Step, StepResult, WriteOptions, Writes } from './writes.js';

/*
 * The change log: how servers that share a database learn of each other's writes.
 *
 * One document, the head, lists the latest changes, and the open ones. A write is one ordered command: it announces itself in the head,
 * writes, and closes its announcement. So a server that sees a write also finds it in the head. Before a server uses its caches, it reads
 * the head and assigns new versions to what others have changed since its last read; documents of an open change get a new version for
 * each reader until the change is closed. If the change that a server followed last is no longer in the head, the server invalidates all
 * of its caches.
 *
 * Work of several commands (a restored snapshot, a load) stays open until its end, and sends heartbeats. Each of its commands fails once it
 * is no longer open. Any server closes a change whose heartbeats stop: by then, the database has long aborted the write.
 */

/** The documents that a change may write, by collection; a collection may be repeated. Null: any document. */
export type WriteSet = readonly (readonly [collection: string, ids: readonly Id[] | null])[];

interface Head {
  _id: 'head';
  /** The latest changes in the order of their announcements: the id of each, and its write set as JSON. Short, as it is read often. */
  recent?: string[];
  /** The open changes by id; work of several commands with its number of heartbeats. */
  open?: Record<string, { writes: string; heartbeat?: number }>;
}

/** The collection of the head. */
export const CHANGES = 'changes';

const HEAD = 'head';

/** Number of changes in the list. A server that has missed some invalidates all of its caches. */
const LISTED = 32;

/** With more documents of a collection than this, a change names the whole collection. */
const MAX_NAMED = 30;

/** The database aborts a write, and each command of several that belong together, after this time, in ms. */
const MAX_WRITE_MS = 60_000;
const MAX_PART_MS = 10_000;

/** A change that stays open without a heartbeat for this time, in ms, is closed: a write, and work of several commands. */
const WRITE_LEASE_MS = 90_000;
const LEASE_MS = 20_000;

/** An observation counts for at most this time, in ms, so that a database that hangs closes nothing. */
const MAX_GAP_MS = 1_000;

/** Interval of heartbeats, in ms. */
const HEARTBEAT_MS = 4_000;

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

/** How many indeterminate writes are remembered. */
const MAX_INDETERMINATE = 1_000;

/** Listeners for changes by other servers. */
interface Follower {
  /** Called when a change is seen. */
  beginWrite: (writeSet: WriteSet) => void;
  /** Called when it is closed. */
  endWrite: (writeSet: WriteSet) => void;
  /** Called if it is unknown what has changed. */
  collectionsReplaced: () => void;
}

/** Sends steps as a part of work of several commands. @throws LostWork if others have closed it */
export type SendPart = (steps: readonly Step[], options?: WriteOptions) => Promise<StepResult[]>;

interface OpenChange {
  writeSet: WriteSet;
  heartbeat: number | undefined;
  /** For how long it was seen without a new heartbeat, in ms, and when last. */
  silentMs: number;
  at: number;
}

/** A write set as it is stored, without the sequences. */
function serialized(writeSet: WriteSet): string {
  const byCollection = new Map<string, readonly Id[] | null>();
  for (const [collection, ids] of writeSet) {
    if (collection === COUNTERS) continue;
    const known = byCollection.get(collection);
    const all = known === null || ids === null ? null : [...(known ?? []), ...ids];
    byCollection.set(collection, all && all.length <= MAX_NAMED ? all : null);
  }
  return JSON.stringify([...byCollection]);
}

/** The change log of a database that several servers write to. */
export class ChangeLog {
  private readonly server = randomBytes(6).toString('base64url');
  private count = 0;
  private lastFollowed: string | undefined;
  private bytes: Buffer | null = null;
  private readonly openElsewhere = new Map<string, OpenChange>();
  /** Own writes with unknown results. They are followed like writes of other servers. */
  private readonly indeterminate = new Set<string>();
  /** Own writes that failed since the head was last read. */
  private readonly recentlyFailed = new Map<string, WriteSet>();
  /** Lists that collect what others write while work runs (`collectConcurrentWrites`). */
  private readonly observers = new Set<WriteSet[]>();
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private lastAskedFor = 0;
  private endedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private pollMs = POLL_MS;
  private isClosed = false;
  private readonly question: Buffer;
  /** For metrics: changes by others that were followed, and how often all caches were invalidated. */
  readonly figures = { followed: 0, invalidated: 0 };

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
  async write(steps: readonly Step[], writeSet: WriteSet): Promise<StepResult[]> {
    const id = this.newId();
    const results = await this.send(id, writeSet, [announcement(id, writeSet), ...steps, closing(id)], { maxTimeMS: MAX_WRITE_MS });
    return results.slice(1, -1);
  }

  /** Runs work of several commands as one change. @param work gets a function that sends steps */
  async during<T>(writeSet: WriteSet, work: (send: SendPart) => Promise<T>): Promise<T> {
    const id = this.newId();
    await this.send(id, writeSet, [announcement(id, writeSet, { heartbeat: 0 })]);
    const guard: Step = {
      collection: CHANGES,
      // If it is no longer open, this inserts a second head, which fails and ends the command.
      update: { _id: HEAD, [`open.${id}`]: { $exists: true } },
      change: { $inc: { [`open.${id}.heartbeat`]: 1 } },
      upsert: true,
    };
    const timer = setInterval(() => void this.writes.send([{ ...guard, upsert: false }]).catch(() => undefined), HEARTBEAT_MS).unref();
    try {
      return await work(async (steps, options) => {
        const results = await this.writes.send([guard, ...steps], { ...options, maxTimeMS: MAX_PART_MS }).catch((error: unknown) => {
          throw isDuplicate(error) && (error as { idx?: number }).idx === 0 ? new LostWork() : shifted(error);
        });
        return results.slice(1);
      });
    } finally {
      clearInterval(timer);
      // Announced again, so that nothing read since it began stays cached, even if others have closed it.
      await this.send(id, writeSet, [announcing(`${id}.end`, serialized(writeSet), { $unset: { [`open.${id}`]: '' } })]);
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

  /** Runs work. @returns the writes of other servers meanwhile */
  async collectConcurrentWrites(work: () => Promise<void>): Promise<WriteSet | 'unknown'> {
    await this.ask();
    const { invalidated } = this.figures;
    const observed = [...this.openElsewhere.values()].map(({ writeSet }) => writeSet);
    this.observers.add(observed);
    try {
      await work();
      await this.ask();
    } finally {
      this.observers.delete(observed);
    }
    return invalidated === this.figures.invalidated ? observed.flat() : 'unknown';
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
    const reply = await pipelinedConnection(this.db.client).send(this.question);
    if (reply) return (reply['cursor'] as { firstBatch: Buffer[] }).firstBatch.at(0) ?? null;
    // Not a plain command, which the driver would not send again if its connection is lost.
    const found = await this.db.collection<Head>(CHANGES).find({ _id: HEAD }, { raw: true }).toArray();
    return asBytes(found).at(0) ?? null;
  }

  private async fetch(): Promise<void> {
    let bytes = await this.readHead();
    if (bytes && this.bytes?.equals(bytes) === true && this.openElsewhere.size === 0 && this.recentlyFailed.size === 0) {
      this.pollMs = Math.min(2 * this.pollMs, MAX_POLL_MS);
      return;
    }
    // An empty head could not be distinguished from a missing one.
    for (; !bytes || headIn(bytes).recent === undefined; bytes = await this.readHead())
      await this.writes.send([announcing(this.newId(), '[]')]);
    this.follow(headIn(bytes));
    this.bytes = bytes;
  }

  private follow({ recent = [], open = {} }: Head): void {
    const at = this.lastFollowed === undefined ? -1 : recent.lastIndexOf(this.lastFollowed);
    const latest = recent.slice(at + 1);
    if (at < 0) this.invalidateAll();
    else
      for (const [id, writes] of latest.map(parts))
        if (!this.isOwn(id) && !this.openElsewhere.has(id) && !(id in open)) this.applyCompleted(writeSetIn(writes));
    for (const [id, { writes, heartbeat }] of Object.entries(open)) if (!this.isOwn(id)) this.track(id, writeSetIn(writes), heartbeat);
    for (const [id, { writeSet }] of this.openElsewhere) {
      if (id in open) continue;
      this.openElsewhere.delete(id);
      this.follower.endWrite(writeSet);
    }
    // Cached values may be older than these writes.
    for (const writeSet of this.recentlyFailed.values()) this.applyCompleted(writeSet);
    this.recentlyFailed.clear();
    this.lastFollowed = recent.at(-1);
    this.pollMs = latest.length > LISTED / 8 ? MIN_POLL_MS : POLL_MS;
  }

  private applyCompleted(writeSet: WriteSet): void {
    this.applyAnnounced(writeSet);
    this.follower.endWrite(writeSet);
  }

  private applyAnnounced(writeSet: WriteSet): void {
    this.figures.followed += 1;
    for (const observed of this.observers) observed.push(writeSet);
    this.follower.beginWrite(writeSet);
  }

  private invalidateAll(): void {
    for (const { writeSet } of this.openElsewhere.values()) this.follower.endWrite(writeSet);
    this.openElsewhere.clear();
    this.figures.invalidated += 1;
    this.follower.collectionsReplaced();
  }

  private track(id: string, writeSet: WriteSet, heartbeat: number | undefined): void {
    const at = this.now();
    const known = this.openElsewhere.get(id);
    if (!known) {
      this.openElsewhere.set(id, { writeSet, heartbeat, silentMs: 0, at });
      this.applyAnnounced(writeSet);
      return;
    }
    known.silentMs = heartbeat === known.heartbeat ? known.silentMs + Math.min(at - known.at, MAX_GAP_MS) : 0;
    Object.assign(known, { heartbeat, at });
    // It counts as open until the head shows otherwise.
    if (known.silentMs > (heartbeat === undefined ? WRITE_LEASE_MS : LEASE_MS)) this.writes.send([closing(id)]).catch(() => undefined);
  }

  private isOwn(id: string): boolean {
    return id.startsWith(`${this.server}-`) && !this.indeterminate.has(id);
  }

  /** Sends steps of a change, and closes it if they fail. @throws MongoServerError with the index of the step after the announcement */
  private send(id: string, writeSet: WriteSet, steps: readonly Step[], options?: WriteOptions): Promise<StepResult[]> {
    return this.writes.send(steps, options).catch((error: unknown) => {
      if (isUncertain(error) || isOutage(error)) this.markIndeterminate(id, writeSet);
      else this.writes.send([closing(id)]).catch(() => this.markIndeterminate(id, writeSet));
      throw shifted(error);
    });
  }

  private markIndeterminate(id: string, writeSet: WriteSet): void {
    this.recentlyFailed.set(id, writeSet);
    this.indeterminate.add(id);
    const [oldest] = this.indeterminate;
    if (this.indeterminate.size > MAX_INDETERMINATE) this.indeterminate.delete(oldest);
  }

  private newId(): string {
    this.count += 1;
    return `${this.server}-${this.count.toString(36)}`;
  }
}

const headIn = (bytes: Buffer): Head => BSON.deserialize(bytes) as Head;

/** The id of a listed change, and its write set. */
const parts = (listed: string): [id: string, writes: string] => {
  const end = listed.indexOf(' ');
  return [listed.slice(0, end), listed.slice(end + 1)];
};

const writeSetIn = (writes: string): WriteSet => JSON.parse(writes) as WriteSet;

/** Adds a change to the list. */
const announcing = (id: string, writes: string, more: object = {}): Step => ({
  collection: CHANGES,
  update: HEAD,
  change: { $push: { recent: { $each: [`${id} ${writes}`], $slice: -LISTED } }, ...more },
  upsert: true,
});

/** @param more is stored with it while it is open */
function announcement(id: string, writeSet: WriteSet, more: { heartbeat?: number } = {}): Step {
  const writes = serialized(writeSet);
  return announcing(id, writes, { $set: { [`open.${id}`]: { writes, ...more } } });
}

const closing = (id: string): Step => ({ collection: CHANGES, update: HEAD, change: { $unset: { [`open.${id}`]: '' } } });

/** Corrects the index of the failed step: the announcement came before the caller's steps. */
function shifted(error: unknown): unknown {
  const { idx } = error as { idx?: number };
  return idx === undefined ? error : Object.assign(error as object, { idx: idx - 1 });
}
