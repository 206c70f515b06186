import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import type { Memory } from '../memory/index.js';
import type { Mark, State } from '../memory/state.js';
import type { WriteSet, SendPart } from './change-log.js';
import { Copies, copyAt, copyCollection, FACTS, partOf } from './copies.js';
import { differences } from './differences.js';
import { isDuplicate } from './errors.js';
import type { Content } from './local/database.js';
import { settleAll } from './locks.js';
import { CopyGone, MAX_BY_ID, Restore, snapshotIn, type Original, type Undo, type Written } from './restore.js';
import { COUNTERS } from './sequences.js';
import { LostWork, type WorkLog } from './work-log.js';
import type { Id, Step, StepResult, WriteOptions } from './writes.js';

/** Writes since the content was identical to a copy. */
interface Delta {
  at: string;
  /** `Copies.identityOf` it. */
  identity: string;
  written: Written;
}

/** The documents written since the content was identical to a snapshot, by collection; null: any document. */
export interface Since {
  snapshot: string;
  written: [collection: string, ids: Id[] | null][];
}

/** Maximum number of ids of a collection that the next process gets. */
const MAX_TOLD = 5_000;

export interface Restored {
  collection: string;
  /** Null: any document. */
  ids: readonly Id[] | null;
  /** The ids that exist now; null if unknown. */
  documents: readonly Document[] | null;
  /** Generation of the state when it began, and before its end. */
  began: number;
  ended: number;
}

interface Snapshotted {
  db: Db;
  collections: readonly string[];
  /** Whether other processes write to the database, too, so that it is unknown what was written. */
  shared: boolean;
  /** Runs work that other servers see as one change. */
  during: <T>(named: WriteSet, work: (send: SendPart) => Promise<T>) => Promise<T>;
  workLog: WorkLog;
  /** The names of the content, which a restore brings back. */
  state: State;
  memory: Memory;
  /** Called after every restore for each collection that was written to. */
  restored: (restored: Restored) => void;
}

interface RestoreOptions {
  /** Whether the work log already has an entry for this restore. */
  isLogged?: boolean;
  /** Further work, such as restoring files. It must be repeatable. */
  alongside?: (() => Promise<unknown>) | undefined;
}

/** The content of a copy. */
export interface Copied {
  at: string;
  content: Content;
  /** Its state, if it is known. */
  mark: Mark | undefined;
}

interface UnderWay extends RestoreOptions {
  /** For the work log. Null: it has an entry, or the snapshot is of another database. */
  name: string | null;
  original: Original;
  written: Written;
}

/** How often a restore is retried after another server has overtaken it, or its snapshot was replaced. */
const MAX_RESTORES = 20;

/** The pause before the next attempt, in ms, which grows with each of them. */
const PAUSE_MS = 5;

/** Saves and restores named copies of a database. A restore writes only what has changed since. */
export class Snapshots {
  readonly copies: Copies;
  /** Null: unknown. */
  private changes: Delta | null = null;

  constructor(private readonly of: Snapshotted) {
    this.copies = new Copies(of.db, of.collections, of.shared, of.memory.documents);
  }

  /** Called for every write. @param ids the documents; null: any document */
  recordWrite(collection: string, ids: readonly Id[] | null): void {
    const written = this.changes?.written;
    if (!written) return;
    const known = written.get(collection);
    if (ids === null) written.set(collection, null);
    else if (known === undefined) written.set(collection, new Set(ids));
    else for (const id of ids) known?.add(id);
  }

  /** Called after whole collections were replaced. @param at a copy that is identical to the content */
  collectionsReplaced(at?: string): void {
    this.changes = null;
    if (at === undefined) return;
    this.trackChangesSince(at);
    this.markAs(at);
  }

  /** Called when the content has become identical to a copy. */
  private markAs(at: string): void {
    const mark = this.of.state.mark();
    if (mark && !this.of.shared) this.copies.marks.set(at, mark);
  }

  /** Saves a copy of everything as a snapshot, and replaces one with the same name. @param facts metadata */
  async save(name: string, facts: Document = {}): Promise<void> {
    const entry = await this.of.workLog.begin({ staging: randomUUID(), isCopy: true });
    const at = copyAt(entry.staging);
    const since = this.of.state.revisionOf();
    // Before the copy: later writes may or may not be in it.
    const changes = this.trackChangesSince(at);
    try {
      await settleAll([
        ...this.of.collections.map((collection) => copyCollection(this.of.db, collection, partOf(at, collection))),
        this.of.db.collection<{ _id: string }>(partOf(at, FACTS)).insertOne({ _id: FACTS, ...facts }),
      ]);
      await this.copies.put(name, at);
    } catch (error) {
      if (this.changes === changes) this.changes = null;
      throw error;
    } finally {
      await this.of.workLog.end(entry);
    }
    if (since === this.of.state.revisionOf()) this.markAs(at);
  }

  /** The content of a snapshot, and where its copy is; null: it is too much to hold in memory. @throws NoSnapshot */
  async contentOf(name: string): Promise<Copied | null> {
    const { find } = snapshotIn(this.copies, name);
    for (;;) {
      const at = await find();
      const content = await this.copies.contentOf(at);
      // Otherwise it was replaced while it was read.
      if ((await find()) === at) return content && { at, content, mark: this.copies.marks.get(at) };
    }
  }

  /** Called for content that was made of a copy. */
  beginAt(at: string, copies: Copies): void {
    this.trackChangesSince(at, copies);
    this.enterState(at, copies);
  }

  /** Called when the content has become a copy whose content was in another state of the process. */
  enter(at: string, mark: Mark): void {
    this.copies.marks.set(at, mark);
    this.of.state.enter(mark);
  }

  async has(name: string): Promise<boolean> {
    return (await this.copies.find(name)) !== null;
  }

  /** All snapshots, by name, with their metadata. */
  async list(): Promise<Map<string, Document>> {
    const all = await this.copies.list();
    return new Map(await Promise.all(all.map(async ({ _id, at }) => [_id, (await this.copies.factsAt(at)) ?? {}] as const)));
  }

  /** The metadata of a snapshot that was saved; null if it does not exist. */
  async facts(name: string): Promise<Document | null> {
    const at = await this.copies.find(name);
    return at === null ? null : this.copies.factsAt(at);
  }

  async delete(name: string): Promise<void> {
    const at = await this.copies.find(name);
    if (this.changes?.at === at) this.changes = null;
    await this.copies.delete(name);
  }

  /**
   * Restores a snapshot. Writes only what has changed since: in one command, if that is known and not too much. After a crash the content
   * is as before, or the work log has an entry to repeat the restore.
   * @param source the snapshots to restore from
   * @throws NoSnapshot if it does not exist, or is deleted before its documents were read
   */
  restore(name: string, source: Snapshots = this, options: RestoreOptions = {}): Promise<void> {
    // Without the snapshot, a database cannot complete the work after a crash.
    const logged = options.isLogged === true || source !== this ? null : name;
    return this.restoreFrom(snapshotIn(source.copies, name), logged, options);
  }

  /** Restores a copy that is not a snapshot. The work log must have an entry for it. */
  restoreCopy(at: string): Promise<void> {
    return this.restoreFrom({ copies: this.copies, find: () => Promise.resolve(at) }, null);
  }

  private async restoreFrom(original: Original, name: string | null, { alongside }: RestoreOptions = {}): Promise<void> {
    const at = await original.find();
    const written = this.writtenSince(at, original.copies);
    if (written.size === 0) {
      await alongside?.();
      // Ids may have been generated without being recorded.
      this.of.restored({ collection: COUNTERS, ids: [], documents: [], began: 0, ended: 0 });
      this.enterState(at, original.copies);
      return;
    }
    const named = [...written].map(([collection, ids]) => [collection, ids && [...ids]] as const);
    const stated = named.filter(([collection]) => collection !== COUNTERS);
    const began = this.of.state.latestVersion;
    for (const [collection, ids] of stated) this.of.state.beginWrite(collection, ids);
    let documents: Undo['documents'] | null = null;
    try {
      documents = await this.writeUntilDone({ name, original, written, alongside }, named);
    } catch (error) {
      this.changes = null;
      throw error;
    } finally {
      const ended = this.of.state.latestVersion;
      for (const [collection, ids] of stated) this.of.state.endWrite(collection, ids);
      for (const [collection, ids] of named)
        this.of.restored({ collection, ids, documents: documents?.get(collection) ?? null, began, ended });
    }
    this.enterState(at, original.copies);
  }

  /** Retries if another server has taken over, has written a conflicting document, or has replaced the snapshot. */
  private async writeUntilDone(restore: UnderWay, named: WriteSet): Promise<Undo['documents'] | null> {
    for (let again = 1; ; again += 1) {
      try {
        const at = await restore.original.find();
        if (this.changes && this.changes.identity !== restore.original.copies.identityOf(at)) this.changes = null;
        return await this.of.during(named, (send) => this.write(restore, at, send));
      } catch (error) {
        const isOvertaken = this.of.shared && (error instanceof LostWork || isDuplicate(error));
        if (again === MAX_RESTORES || !(isOvertaken || error instanceof CopyGone)) throw error;
        await sleep(again * PAUSE_MS);
      }
    }
  }

  /** @returns the documents that were restored, by collection; null: unknown */
  private async write({ name, original, written, alongside }: UnderWay, at: string, send: SendPart): Promise<Undo['documents'] | null> {
    // The final write flushes these along with itself. In a shared database every write waits for the journal.
    const unjournaled: WriteOptions = this.of.shared ? {} : { writeConcern: { w: 1, journal: false } };
    const sendSoon = (steps: readonly Step[]): Promise<StepResult[]> => send(steps, unjournaled);
    const restore = new Restore(this.of.db, original, at, sendSoon);
    const undo = await restore.undo(written);
    const besides = (): Promise<unknown>[] => (alongside ? [alongside()] : []);
    const writeAll = (): Promise<void> => settleAll([undo ? sendSoon(undo.steps) : restore.writeDifferences(written), ...besides()]);
    const complete = (): Promise<void> =>
      settleAll([restore.writeDifferences(new Map(this.of.collections.map((collection) => [collection, null]))), ...besides()]);
    const writeLogged = async (begin: Step, end: Step): Promise<void> => {
      if (undo && !alongside) return void (await send([begin, ...undo.steps, end]));
      // Files do not wait for the journal.
      await (alongside ? send : sendSoon)([begin]);
      await writeAll();
      await send([end]);
    };
    if (name === null) await writeAll();
    else await this.of.workLog.during({ restore: name }, writeLogged, complete);
    return undo?.documents ?? null;
  }

  /** Names the content, which is identical to a copy unless something was written since the restore began. */
  private enterState(at: string, copies: Copies): void {
    const now = this.of.state.mark();
    if (this.of.shared || copies.shared || now === null || this.changes?.written.size !== 0) return;
    if (this.changes.identity !== copies.identityOf(at)) return;
    const mark = copies.marks.get(at);
    if (mark) this.of.state.enter(mark);
    else copies.marks.set(at, now);
  }

  /**
   * Compares a collection with its copy in a snapshot.
   * @param source the snapshots to compare with
   * @returns ids of documents that are only in the collection, or only in the snapshot, or differ
   * @throws NoSnapshot
   */
  async compare(name: string, collection: string, source: Snapshots = this): Promise<{ strays: Id[]; missing: Id[] }> {
    const at = await snapshotIn(source.copies, name).find();
    const isTracked = !this.of.shared && !source.of.shared && this.changes?.identity === source.copies.identityOf(at);
    const written = isTracked ? this.changes?.written.get(collection) : null;
    if (isTracked && written === undefined) return { strays: [], missing: [] };
    const filter = written && written.size <= MAX_BY_ID ? { _id: { $in: [...written] } } : {};
    return differences(source.copies.collection(at, collection), this.of.db.collection(collection), filter);
  }

  async documentsOf(name: string, collection: string, ids: readonly Id[]): Promise<Document[]> {
    const at = await this.copies.find(name);
    return at === null ? [] : this.copies.documents(at, collection, ids);
  }

  /** The documents that may differ from a copy, by collection. From now on, writes are tracked relative to that copy. */
  private writtenSince(at: string, copies: Copies): Written {
    const known = this.changes?.identity === copies.identityOf(at) ? this.changes.written : null;
    const written: Written =
      this.of.shared || copies.shared || known === null
        ? new Map(this.of.collections.map((collection) => [collection, null] as const))
        : new Map(known);
    if (known === null) this.trackChangesSince(at, copies);
    known?.clear();
    return written;
  }

  /** Starts to track writes relative to a copy that the content is identical to. */
  private trackChangesSince(at: string, copies = this.copies): Delta {
    this.changes = { at, identity: copies.identityOf(at), written: new Map() };
    return this.changes;
  }

  /** The documents written since the content was identical to one of these copies, for the next process; null if unknown. */
  get since(): Since | null {
    const { changes } = this;
    if (!changes || changes.identity !== this.copies.identityOf(changes.at)) return null;
    const written = [...changes.written].map(([collection, ids]): Since['written'][number] => [
      collection,
      ids && ids.size <= MAX_TOLD ? [...ids] : null,
    ]);
    return { snapshot: changes.at, written };
  }

  /** Takes over the record of the last process, before anything is written. */
  resume({ snapshot, written }: Since): void {
    const changes = this.trackChangesSince(snapshot);
    for (const [collection, ids] of written) changes.written.set(collection, ids && new Set(ids));
  }
}
