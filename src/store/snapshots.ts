import { BSON, type Db, type Document } from 'mongodb';
import { differences, idOf } from './differences.js';
import type { Since } from './good-order.js';
import { settleAll } from './locks.js';
import type { Memory } from '../memory/index.js';
import type { Mark, State } from '../memory/state.js';
import type { Named, SendPart } from './changes.js';
import { isDuplicate } from './errors.js';
import { Originals, undoOf, type Undo } from './undo.js';
import { LostWork, type WorkLog } from './work-log.js';
import type { Step, WriteOptions } from './writes.js';

/** The ids of the documents that were written, by collection; null: any document. */
type Written = Map<string, Set<number | string> | null>;

/** What was written since the content was identical to a snapshot. */
interface Changes {
  name: string;
  /** `identityOf` it. */
  snapshot: string;
  written: Written;
}

/** Up to this many documents are fetched by id; above that, the whole collection is read. */
const MAX_BY_ID = 500;

/** Up to this many ids of a collection are told to the next process. */
const MAX_TOLD = 5_000;

/** Bytes of the largest document, and of documents that are sent in one command. */
const MAX_DOCUMENT = 16 * 1024 * 1024;
const MAX_COMMAND = 32 * 1024 * 1024;

/** The largest collection, in documents, that is kept in memory. */
const MAX_CACHED = 5_000;

/** The collection of a snapshot's metadata, besides the copied collections. */
export const FACTS = 'facts';

/** A collection that every database has. */
const MARKER = 'counters';

/** The name of the collection with a snapshot's copy of a collection. */
export const snapshotOf = (name: string, collection: string): string => `snapshot.${name}.${collection}`;

/** Ids in parts that one command can name. */
function* chunks<T>(ids: readonly T[]): Generator<T[]> {
  for (let from = 0; from < ids.length; from += MAX_BY_ID) yield ids.slice(from, from + MAX_BY_ID);
}

/** What a restore has written to a collection. */
export interface Restored {
  collection: string;
  /** Null: any document. */
  ids: readonly (number | string)[] | null;
  /** Those of the ids that there are now; null: unknown. */
  documents: readonly Document[] | null;
  /** `State.now` when it began, and before its end. */
  began: number;
  ended: number;
}

interface Snapshotted {
  db: Db;
  /** Names of the collections to copy. */
  collections: readonly string[];
  /** Whether other processes write to the database too, so that it is unknown what was written. */
  shared: boolean;
  /** Does work that other servers see as one change. */
  during: <T>(named: Named, work: (send: SendPart) => Promise<T>) => Promise<T>;
  workLog: WorkLog;
  /** The names of the content, which a restore brings back. */
  state: State;
  /** Holds documents of snapshots that were restored. */
  memory: Memory['documents'];
  /** Called after every restore for each collection that was written to. */
  onRestored: (restored: Restored) => void;
}

interface RestoreOptions {
  /** Whether the work log already has an entry for this restore. */
  isLogged?: boolean;
  /** Further work, such as that of files, which must be repeatable. */
  alongside?: (() => Promise<unknown>) | undefined;
}

/** A restore that is under way. */
interface Restore extends RestoreOptions {
  name: string;
  source: Snapshots;
  written: Written;
  /** Sends steps. */
  send: SendPart;
}

/** How often a restore is begun again that another server has overtaken. */
const MAX_RESTORES = 5;

/** Saves and restores named copies of a database. A restore writes only what has changed since. */
export class Snapshots {
  /** Null: unknown. */
  private changes: Changes | null = null;
  /** Cached contents of small snapshot collections, by collection name. Shared by all databases that restore from them. */
  private readonly copies = new Map<string, Map<string, Uint8Array>>();
  /** The states of snapshots, where known, by name. Shared by all databases that restore from them. */
  private readonly marks = new Map<string, Mark>();
  /** Number of times that snapshots were saved or deleted. Tells snapshots of the same name apart. */
  private saves = 0;

  private readonly db: Db;
  private readonly collections: readonly string[];
  private readonly shared: boolean;
  private readonly state: State;
  private readonly originals: Originals;

  constructor(private readonly of: Snapshotted) {
    ({ db: this.db, collections: this.collections, shared: this.shared, state: this.state } = of);
    this.originals = new Originals(of.db, of.memory);
  }

  /** Called for every write. @param ids the documents; null: any document */
  recordWrite(collection: string, ids: readonly (number | string)[] | null): void {
    const written = this.changes?.written;
    if (!written) return;
    const known = written.get(collection);
    if (ids === null) written.set(collection, null);
    else if (known === undefined) written.set(collection, new Set(ids));
    else for (const id of ids) known?.add(id);
  }

  /** Called after whole collections were replaced, including those of snapshots. @param name a snapshot that the content is identical to */
  collectionsReplaced(name?: string): void {
    this.invalidate();
    this.marks.clear();
    this.changes = null;
    if (name === undefined) return;
    this.trackChangesSince(name);
    this.markAs(name);
  }

  /** Called when the content is identical to a snapshot. */
  private markAs(name: string): void {
    const mark = this.state.mark();
    if (mark && !this.shared) this.marks.set(name, mark);
  }

  /** Saves a copy of everything under a name. @param facts metadata */
  async save(name: string, facts: Document = {}): Promise<void> {
    this.invalidate();
    this.marks.delete(name);
    const since = this.state.revisionOf();
    const changes = this.trackChangesSince(name);
    const kept = this.db.collection<{ _id: string }>(snapshotOf(name, FACTS));
    await settleAll([
      ...this.collections.map((collection) => this.copy(collection, snapshotOf(name, collection))),
      kept.replaceOne({ _id: FACTS }, facts, { upsert: true }),
    ]).catch((error: unknown) => {
      this.changes = null;
      throw error;
    });
    // Again: readers may have cached the previous copy in the meantime.
    this.invalidate();
    changes.snapshot = this.identityOf(name);
    if (since === this.state.revisionOf()) this.markAs(name);
  }

  async has(name: string): Promise<boolean> {
    return (await this.db.listCollections({ name: snapshotOf(name, MARKER) }, { nameOnly: true }).toArray()).length > 0;
  }

  /** All snapshots, by name, with their metadata. */
  async list(): Promise<Map<string, Document>> {
    const collections = await this.db.listCollections({ name: /^snapshot\.[^.]+\.counters$/ }, { nameOnly: true }).toArray();
    const names = collections.map(({ name }) => name.slice('snapshot.'.length, -`.${MARKER}`.length)).sort();
    return new Map(await Promise.all(names.map(async (name) => [name, (await this.facts(name)) ?? {}] as const)));
  }

  /** The metadata of a snapshot that was saved; null if it does not exist. */
  facts(name: string): Promise<Document | null> {
    return this.db.collection<{ _id: string }>(snapshotOf(name, FACTS)).findOne({ _id: FACTS });
  }

  async delete(name: string): Promise<void> {
    this.invalidate();
    this.marks.delete(name);
    await settleAll([...this.collections, FACTS].map((part) => this.db.collection(snapshotOf(name, part)).drop()));
  }

  /**
   * Restores a snapshot. Writes only what has changed since: in one command, if that is known and not too much. After a crash the content is
   * as before, or the work log has an entry that tells to repeat the restore.
   * @param source the snapshots to restore from
   */
  async restore(name: string, source: Snapshots = this, { isLogged = false, alongside }: RestoreOptions = {}): Promise<void> {
    const written = this.writtenSince(name, source);
    if (written.size === 0) {
      await alongside?.();
      // Ids may have been drawn without being recorded.
      this.of.onRestored({ collection: MARKER, ids: [], documents: [], began: 0, ended: 0 });
      this.enterState(name, source);
      return;
    }
    const changeState = (isDone: boolean): void => {
      for (const [collection, ids] of written) if (collection !== MARKER) this.state.change(collection, ids && [...ids], isDone);
    };
    const began = this.state.now;
    changeState(false);
    let documents: Undo['documents'] | null = null;
    try {
      documents = await this.writeUntilDone({ name, source, written, isLogged, alongside });
    } catch (error) {
      this.changes = null;
      throw error;
    } finally {
      const ended = this.state.now;
      changeState(true);
      for (const [collection, ids] of written)
        this.of.onRestored({ collection, ids: ids && [...ids], documents: documents?.get(collection) ?? null, began, ended });
    }
    this.enterState(name, source);
  }

  /** Writes once more where another server has taken over meanwhile, or has written what is in the way. */
  private async writeUntilDone(restore: Omit<Restore, 'send'>): Promise<Undo['documents'] | null> {
    const named = [...restore.written].flatMap(([collection, ids]) =>
      collection === MARKER ? [] : [[collection, ids && [...ids]] as const],
    );
    for (let again = 1; ; again += 1) {
      try {
        return await this.of.during(named, (send) => this.write({ ...restore, send }));
      } catch (error) {
        if (!this.shared || again === MAX_RESTORES || !(error instanceof LostWork || isDuplicate(error))) throw error;
      }
    }
  }

  /** @returns the documents that were restored, by collection; null: unknown */
  private async write(restore: Restore): Promise<Undo['documents'] | null> {
    const { name, source, isLogged, alongside, send } = restore;
    const { workLog } = this.of;
    const undo = await this.undoOf(restore);
    const writeAll = (): Promise<void> =>
      settleAll([undo ? send(undo.steps, this.unjournaled) : this.writeDifferences(restore), ...(alongside ? [alongside()] : [])]);
    const everything = new Map(this.collections.map((collection) => [collection, null] as const));
    const complete = (): Promise<void> =>
      settleAll([this.writeDifferences({ ...restore, written: everything }), ...(alongside ? [alongside()] : [])]);
    // Without the snapshot, a database cannot complete the work after a crash.
    if (isLogged || source !== this) await writeAll();
    else if (undo && !alongside)
      await workLog.during({ restore: name }, async (begin, end) => void (await send([begin, ...undo.steps, end])), complete);
    else
      await workLog.during(
        { restore: name },
        async (begin, end) => {
          // Files do not wait for the journal.
          await send([begin], alongside ? {} : this.unjournaled);
          await writeAll();
          await send([end]);
        },
        complete,
      );
    return undo?.documents ?? null;
  }

  /** How to bring back what was written in one command; null: it is unknown what was written, or it is too much. */
  private async undoOf({ name, source, written }: Pick<Restore, 'name' | 'source' | 'written'>): Promise<Undo | null> {
    const known = [...written].flatMap(([collection, ids]) => (ids && ids.size <= MAX_BY_ID ? [{ collection, ids: [...ids] }] : []));
    if (known.length < written.size) return null;
    const identity = source.identityOf(name);
    const all = await Promise.all(
      known.map(async ({ collection, ids }) => ({
        collection,
        ids,
        originals: await source.originals.read(identity, snapshotOf(name, collection), ids),
      })),
    );
    return undoOf(all, MARKER);
  }

  private writeDifferences(restore: Restore): Promise<void> {
    return settleAll(
      [...restore.written].map(([collection, ids]) =>
        collection === MARKER ? this.restoreCounters(restore) : this.restoreDocuments(restore, collection, ids),
      ),
    );
  }

  /** Names the content, which is identical to a snapshot unless something was written since the restore began. */
  private enterState(name: string, source: Snapshots): void {
    const now = this.state.mark();
    if (this.shared || source.shared || now === null || this.changes?.written.size !== 0) return;
    const mark = source.marks.get(name);
    if (mark) this.state.enter(mark);
    else source.marks.set(name, now);
  }

  /**
   * Compares a collection with its copy in a snapshot.
   * @param source the snapshots to compare with
   * @returns ids of documents that are only in the collection or differ there, and of those that are only in the snapshot or differ there
   */
  async compare(
    name: string,
    collection: string,
    source: Snapshots = this,
  ): Promise<{ strays: (number | string)[]; missing: (number | string)[] }> {
    const isTracked = !this.shared && !source.shared && this.changes?.snapshot === source.identityOf(name);
    const written = isTracked ? this.changes?.written.get(collection) : null;
    if (isTracked && written === undefined) return { strays: [], missing: [] };
    const of = (db: Db, from: string) => db.collection<{ _id: number | string }>(from);
    const filter = written && written.size <= MAX_BY_ID ? { _id: { $in: [...written] } } : {};
    return differences(of(source.db, snapshotOf(name, collection)), of(this.db, collection), filter);
  }

  /** Documents of a snapshot. */
  documentsOf(name: string, collection: string, ids: readonly (number | string)[]): Promise<Document[]> {
    return this.db
      .collection<{ _id: number | string }>(snapshotOf(name, collection))
      .find({ _id: { $in: [...ids] } })
      .toArray();
  }

  /** The documents that may differ from a snapshot, by collection. From now on, writes are tracked relative to that snapshot. */
  private writtenSince(name: string, source: Snapshots): Written {
    const identity = source.identityOf(name);
    const known = this.changes?.snapshot === identity ? this.changes.written : null;
    const written: Written =
      this.shared || source.shared || known === null
        ? new Map(this.collections.map((collection) => [collection, null] as const))
        : new Map(known);
    if (known === null) this.trackChangesSince(name, source);
    known?.clear();
    return written;
  }

  /**
   * Options for writes between the begin and the end of logged work. They need not wait for the journal, since the final write flushes them
   * along with itself. In a shared database every write waits.
   */
  private get unjournaled(): WriteOptions {
    return this.shared ? {} : { writeConcern: { w: 1, journal: false } };
  }

  private identityOf(snapshot: string): string {
    return `${this.db.databaseName} ${snapshot} ${this.saves}`;
  }

  /** Discards cached snapshots and changes the identity of all snapshots. */
  private invalidate(): void {
    this.copies.clear();
    this.saves += 1;
  }

  /** Starts to track writes relative to a snapshot that the content is identical to. */
  private trackChangesSince(name: string, source: Snapshots = this): Changes {
    this.changes = { name, snapshot: source.identityOf(name), written: new Map() };
    return this.changes;
  }

  /** What was written since the content was identical to one of these snapshots, for the next process; null: unknown. */
  get since(): Since | null {
    const { changes } = this;
    if (!changes || changes.snapshot !== this.identityOf(changes.name)) return null;
    const written = [...changes.written].map(([collection, ids]): Since['written'][number] => [
      collection,
      ids && ids.size <= MAX_TOLD ? [...ids] : null,
    ]);
    return { snapshot: changes.name, written };
  }

  /** Takes over what the last process knew, before anything is written. */
  resume({ snapshot, written }: Since): void {
    const changes = this.trackChangesSince(snapshot);
    for (const [collection, ids] of written) changes.written.set(collection, ids && new Set(ids));
  }

  /** @param ids the documents that may differ; null: any document */
  private async restoreDocuments(restore: Restore, to: string, ids: ReadonlySet<number | string> | null): Promise<void> {
    const { source, name } = restore;
    const wanted = ids && ids.size <= MAX_BY_ID ? [...ids] : null;
    const target = this.db.collection<{ _id: number | string }>(to);
    if (wanted === null && (await target.estimatedDocumentCount()) > MAX_CACHED) return this.restoreLarge(restore, to);
    const copy = wanted ? source.rawDocuments(snapshotOf(name, to), wanted) : source.copyOf(name, to);
    const [kept, current] = await Promise.all([copy, this.rawDocuments(to, wanted)]);
    const strays = [...current].filter(([bytes]) => !kept.has(bytes)).map(([, raw]) => idOf(raw));
    const missing = [...kept].filter(([bytes]) => !current.has(bytes)).map(([, raw]) => BSON.deserialize(raw));
    await this.replace(restore, to, strays, missing);
  }

  /** Restores a collection that is not to be held in memory. */
  private async restoreLarge(restore: Restore, to: string): Promise<void> {
    const kept = restore.source.db.collection<{ _id: number | string }>(snapshotOf(restore.name, to));
    const { strays, missing } = await differences(kept, this.db.collection<{ _id: number | string }>(to));
    await this.replace(restore, to, strays, []);
    for (const ids of chunks(missing)) await this.replace(restore, to, [], await kept.find({ _id: { $in: ids } }).toArray());
  }

  /** Deletes first: the restored documents may have the same unique values. */
  private async replace({ send }: Restore, collection: string, strays: (number | string)[], missing: Document[]): Promise<void> {
    for (const ids of chunks(strays)) await send([{ collection, delete: ids }], this.unjournaled);
    for (const documents of chunks(missing)) {
      const inserts = documents.map((insert): Step => ({ collection, insert: insert as { _id: number } }));
      // As one command only if it has room for them.
      const isLarge = documents.length * MAX_DOCUMENT > MAX_COMMAND && BSON.calculateObjectSize(documents) > MAX_COMMAND;
      for (const steps of isLarge ? inserts.map((step) => [step]) : [inserts]) await send(steps, this.unjournaled);
    }
  }

  /** Restores sequences without deleting them in between: a concurrent write would restart them at 1. */
  private async restoreCounters({ source, name, send }: Restore): Promise<void> {
    const kept = await source.db.collection<{ _id: string; value: number }>(snapshotOf(name, 'counters')).find({}).toArray();
    const replaced = kept.map(({ _id, value }): Step => ({ collection: MARKER, update: _id, change: { value }, upsert: true }));
    await send([...replaced, { collection: MARKER, delete: { _id: { $nin: kept.map(({ _id }) => _id) } } }], this.unjournaled);
  }

  /** The documents of a snapshot, by their bytes. Small collections are cached. */
  private async copyOf(name: string, collection: string): Promise<Map<string, Uint8Array>> {
    const from = snapshotOf(name, collection);
    const known = this.copies.get(from);
    if (known && !this.shared) return known;
    const since = this.saves;
    const copy = await this.rawDocuments(from);
    if (copy.size <= MAX_CACHED && since === this.saves) this.copies.set(from, copy);
    return copy;
  }

  /** The documents of a collection, by their bytes. @param ids null: all documents */
  private async rawDocuments(collection: string, ids: readonly (number | string)[] | null = null): Promise<Map<string, Uint8Array>> {
    const filter = ids === null ? {} : { _id: { $in: [...ids] } };
    const found = this.db.collection<{ _id: number | string }>(collection).find(filter, { raw: true });
    const documents = (await found.toArray()) as unknown as Buffer[];
    return new Map(documents.map((raw) => [raw.toString('latin1'), raw]));
  }

  private async copy(from: string, to: string): Promise<void> {
    await this.db
      .collection(from)
      .aggregate([{ $match: {} }, { $out: to }])
      .toArray();
  }
}
