import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Document, Filter } from 'mongodb';
import { isOutage } from './errors.js';
import type { Step } from './writes.js';

/** A log entry of work in several steps. If its owner is gone, a crash has interrupted the work. */
export interface Lease {
  _id: string;
  /** A restore of the snapshot of this name. */
  restore?: string;
  /** Creation of an attachment with these files, relative to the uploads folder. */
  files?: string[];
  /** A load of content that is staged under this name (`staging.ts`). */
  staging?: string;
  /** Name of a snapshot to save the loaded content as. */
  snapshot?: string;
  /** Whether the staged content is a copy of the site, for a backup. */
  isCopy?: boolean;
  /** Names of the snapshots of the staged content, if that is a whole site. */
  snapshots?: readonly string[];
  /** Set once everything is staged: the last step, which remains. */
  settled?: LastStep;
  /** Work that only one process may do at a time. */
  lock?: string;
  /** The process that does the work, in a shared database. */
  owner?: string;
  /** When the lease of the owner expires unless it is renewed. In the time of the database, since clocks of machines differ. */
  until?: Date;
}

/** How staged content replaces the content: by a restore, by swapping the collections, by adding to it, or as a whole site with its snapshots. */
export type LastStep = 'restore' | 'swap' | 'add' | 'site';

/** Work that was not finished in time has been taken over by another process. */
export class LostWork extends Error {
  constructor() {
    super('This process was held up for so long that another one took over its work. Nothing was changed. Try again.');
  }
}

/** The duration of a lease, in ms. */
export const LEASE_MS = 20_000;
const RENEW_MS = LEASE_MS / 4;
const POLL_MS = 100;

const IN_TIME = { $add: ['$$NOW', LEASE_MS] };
const IS_OVER = { $expr: { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] } };
const IS_HELD = { $expr: { $gt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] } };

const leased = (entry: Lease): Document[] => [{ $replaceWith: { $mergeObjects: [{ $literal: entry }, { until: IN_TIME }] } }];

/**
 * A log of unfinished work, for recovery after a crash. In a database that several processes share, each entry has an owner, which renews
 * its lease: work of other running processes is left alone.
 */
export class WorkLog {
  /** Names this process; null if no other one writes to the database. */
  private readonly owner: string | null;
  /** The entries of this process whose leases are renewed. */
  private readonly own = new Set<string>();
  /** Work that was taken over from processes that are gone. */
  private readonly adopted = new Set<string>();
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly entries: Collection<Lease>,
    shared: boolean,
  ) {
    this.owner = shared ? `${os.hostname()} ${process.pid} ${randomUUID()}` : null;
  }

  private entryOf<Work extends object>(work: Work): Work & Lease {
    return { _id: randomUUID(), ...work, ...(this.owner === null ? {} : { owner: this.owner }) };
  }

  private hold(id: string): void {
    if (this.owner === null) return;
    this.own.add(id);
    this.renewal ??= setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  private release(id: string): void {
    this.own.delete(id);
    this.adopted.delete(id);
    if (this.own.size > 0) return;
    clearInterval(this.renewal);
    this.renewal = undefined;
  }

  private async renew(): Promise<void> {
    // An outage longer than the lease ends it.
    await this.entries.updateMany(this.mine([...this.own]), [{ $set: { until: IN_TIME } }]).catch(() => undefined);
  }

  private mine(ids: readonly string[]): Filter<Lease> {
    return { _id: { $in: [...ids] }, ...(this.owner === null ? {} : { owner: this.owner }) };
  }

  /** Adds an entry for work that begins now. `end` removes it. */
  async begin<Work extends Omit<Lease, '_id'>>(work: Work): Promise<Work & Lease> {
    const entry = this.entryOf(work);
    if (this.owner === null) await this.entries.insertOne(entry);
    else await this.entries.updateOne({ _id: entry._id }, leased(entry), { upsert: true });
    this.hold(entry._id);
    return entry;
  }

  /**
   * Runs work that writes the begin and the end of its entry itself, together with other writes. If it fails, the entry is removed: a crash
   * after the failure was reported must not repeat the work. If the database went away after the begin, the work is completed when it is back.
   * @param complete does all of the work again, after the begin
   */
  async during(work: Omit<Lease, '_id'>, run: (begin: Step, end: Step) => Promise<void>, complete: () => Promise<void>): Promise<void> {
    const entry = this.entryOf(work);
    const collection = this.entries.collectionName;
    const begin: Step =
      this.owner === null ? { collection, insert: entry } : { collection, update: entry._id, change: leased(entry), upsert: true };
    this.hold(entry._id);
    try {
      await run(begin, { collection, delete: [entry._id] });
    } catch (error) {
      // If the database stays unavailable, the entry stays for recovery.
      if (isOutage(error) && (await this.entries.findOne({ _id: entry._id }))) {
        await complete();
        await this.end(entry);
        return;
      }
      await this.end(entry).catch(() => undefined);
      throw error;
    } finally {
      this.release(entry._id);
    }
  }

  /**
   * Records that only the last step remains. From here on, recovery after a crash completes the work instead of undoing it.
   * @throws LostWork if another process has treated the work as interrupted
   */
  async settle({ _id }: Lease, settled: LastStep): Promise<void> {
    const { matchedCount } = await this.entries.updateOne(this.mine([_id]), { $set: { settled } });
    if (matchedCount === 0) throw new LostWork();
  }

  /**
   * Records that only the last step remains, and does it. If the database fails meanwhile, the step is repeated after the restart, which
   * overwrites what others write in between.
   * @param last can be repeated
   * @throws LostWork if another process has treated the work as interrupted
   */
  async complete(entry: Lease, settled: LastStep, last: () => Promise<void>): Promise<void> {
    try {
      await this.settle(entry, settled);
      await last();
    } catch (error) {
      if (!isOutage(error) || !(await this.isSettled(entry).catch(() => false))) throw error;
      await last();
    }
  }

  /** Whether only the last step of work remains. */
  async isSettled({ _id }: Lease): Promise<boolean> {
    return (await this.entries.findOne({ _id }))?.settled !== undefined;
  }

  async end({ _id }: Lease): Promise<void> {
    this.release(_id);
    await this.entries.deleteOne({ _id });
  }

  /** Leaves work to the next recovery. */
  async abandon({ _id }: Lease): Promise<void> {
    this.release(_id);
    // Without a database, the lease expires.
    if (this.owner !== null) await this.entries.updateOne({ _id }, { $set: { until: new Date(0) } }).catch(() => undefined);
  }

  /** The entries of work that a crash interrupted. In a shared database, this process becomes their owner. */
  async interrupted(): Promise<Lease[]> {
    if (this.owner === null) return this.entries.find({}).toArray();
    // A lock protects nothing once its owner is gone.
    await this.entries.deleteMany({ lock: { $exists: true }, ...IS_OVER });
    const take = [{ $set: { owner: { $literal: this.owner }, until: IN_TIME } }];
    for (;;) {
      const found = await this.entries.findOneAndUpdate(IS_OVER, take);
      if (!found) break;
      this.hold(found._id);
      this.adopted.add(found._id);
    }
    return this.adopted.size === 0 ? [] : this.entries.find(this.mine([...this.adopted])).toArray();
  }

  /** The entries of all unfinished work, of any process. */
  unfinished(): Promise<Lease[]> {
    return this.entries.find({}).toArray();
  }

  /**
   * Waits while another process replaces content, if the database is shared. This takes a moment, or until the lease of that process
   * expires.
   */
  async untilReplaced(): Promise<void> {
    if (this.owner === null) return;
    const isReplacing = { $or: [{ settled: { $exists: true } }, { restore: { $exists: true } }] };
    while (await this.entries.findOne({ owner: { $ne: this.owner }, ...isReplacing, ...IS_HELD })) await sleep(POLL_MS);
  }

  /**
   * Runs work exclusively among the processes that share the database, by name.
   * @param onWait called if another process does, before waiting for it
   */
  async alone<T>(lock: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
    if (this.owner === null) return work();
    const entry = { ...this.entryOf({ lock }), _id: `lock ${lock}` };
    for (let isFirst = true; !(await this.take(entry)); isFirst = false) {
      if (isFirst) onWait?.();
      await sleep(POLL_MS);
    }
    this.hold(entry._id);
    try {
      return await work();
    } finally {
      this.release(entry._id);
      await this.entries.deleteOne(this.mine([entry._id]));
    }
  }

  /** @returns whether a lock was free, or its owner gone */
  private async take(entry: Lease): Promise<boolean> {
    const [{ $replaceWith: mine }] = leased(entry);
    const held = { $gt: ['$until', '$$NOW'] };
    const change = [{ $replaceWith: { $cond: [held, '$$ROOT', mine] } }];
    const found = await this.entries.findOneAndUpdate({ _id: entry._id }, change, { upsert: true, returnDocument: 'after' });
    return found?.owner === this.owner;
  }
}
