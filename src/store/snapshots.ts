import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, type Db, type Document } from 'mongodb';
import { differences, idOf } from './differences.js';
import type { Since } from './good-order.js';
import { settleAll } from './locks.js';
import type { Memory } from '../memory/index.js';
import type { Mark, State } from '../memory/state.js';
import type { Named, SendPart } from './changes.js';
import { isDuplicate } from './errors.js';
import { retryRead } from './reads.js';
import { Originals, undoOf, type Undo } from './undo.js';
import { LostWork, type WorkLog } from './work-log.js';
import { insertsOf, type Step, type WriteOptions } from './writes.js';

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

/** The largest collection, in documents, that is kept in memory. */
const MAX_CACHED = 5_000;

/** The collection of a snapshot's metadata, besides the copied collections. */
export const FACTS = 'facts';

/** A collection that every database has. The copy of it is written last and dropped first: as long as it exists, the snapshot is complete. */
const MARKER = 'counters';

/** The name of the collection with a snapshot's copy of a collection. */
export const snapshotOf = (name: string, collection: string): string => `snapshot.${name}.${collection}`;

/** Names of collections in the order in which to write them, so that a snapshot exists once it is complete. */
export const markersLast = (names: readonly string[]): string[] => {
  const isMarker = (name: string): boolean => name === MARKER || name.endsWith(`.${MARKER}`);
  return [...names.filter((name) => !isMarker(name)), ...names.filter(isMarker)];
};

/** Copies a collection, or another one that replaces it meanwhile. */
export const copyCollection = (db: Db, from: string, to: string): Promise<unknown> =>
  retryRead(() =>
    db
      .collection(from)
      .aggregate([{ $match: {} }, { $out: to }])
      .toArray(),
  );

/** A snapshot does not exist, or does not exist any more. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot';
  constructor(name: string) {
    super(`Snapshot ${JSON.stringify(name)} does not exist.`);
  }
}

/** A snapshot was saved anew while it was read. */
class SnapshotReplaced extends Error {}

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
  /** `versionOf` the snapshot when the restore began. */
  version: string;
  written: Written;
  /** Sends steps. */
  send: SendPart;
}

/** A sequence. */
interface Counter {
  _id: string;
  value: number;
}

/** How to bring a collection back to what a snapshot has of it. */
interface Plan {
  collection: string;
  /** Whether the copy has no documents, as if it did not exist. */
  isEmpty: boolean;
  /** Ids of the documents to delete. */
  strays: (number | string)[];
  /** The documents to insert. */
  missing: Document[];
  /** Ids of documents to insert that are too many to be held in memory. */
  others: (number | string)[];
}

/** How often a restore is begun again that another server has overtaken, or whose snapshot was replaced. */
const MAX_RESTORES = 20;

/** The pause before the next attempt, in ms, which grows with each of them. */
const PAUSE_MS = 5;

/** Saves and restores named copies of a database. A restore writes only what has changed since. */
export class Snapshots {
  /** Null: unknown. */
  private changes: Changes | null = null;
  /** Cached contents of small snapshot collections, by collection name. Shared by all databases that restore from them. */
  private readonly copies = new Map<string, Map<string, Uint8Array>>();
  /** The states of snapshots, where known, by name. Shared by all databases that restore from them. */
  private readonly marks = new Map<string, Mark>();
  /** The versions of snapshots, where known, by name. Shared by all databases that restore from them. */
  private readonly versions = new Map<string, string>();
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
      ...this.collections.filter((collection) => collection !== MARKER).map((collection) => this.copy(name, collection)),
      retryRead(() => kept.replaceOne({ _id: FACTS }, facts, { upsert: true })),
    ])
      .then(() => this.copy(name, MARKER))
      .catch((error: unknown) => {
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
    return retryRead(() => this.db.collection<{ _id: string }>(snapshotOf(name, FACTS)).findOne({ _id: FACTS }));
  }

  async delete(name: string): Promise<void> {
    this.invalidate();
    this.marks.delete(name);
    await this.db.collection(snapshotOf(name, MARKER)).drop();
    // Again: readers may have cached what there was before.
    this.invalidate();
    const parts = [...this.collections.filter((collection) => collection !== MARKER), FACTS];
    await settleAll(parts.map((part) => this.db.collection(snapshotOf(name, part)).drop()));
  }

  /**
   * Names the copy that a snapshot has at the moment. If it is the same before and after reads, all collections existed meanwhile: those that
   * do not exist have no documents either.
   * @throws NoSnapshot
   */
  private async versionOf(name: string): Promise<string> {
    const known = this.versions.get(name);
    if (known !== undefined && !this.shared) return known;
    const since = this.saves;
    const [marker] = await this.db.listCollections({ name: snapshotOf(name, MARKER) }).toArray();
    if (!marker) throw new NoSnapshot(name);
    const version = String((marker as { info?: { uuid?: unknown } }).info?.uuid);
    if (since === this.saves) this.versions.set(name, version);
    return version;
  }

  /** @throws NoSnapshot or SnapshotReplaced if the copy that a restore reads does not exist any more */
  private async checkVersion({ name, version }: Pick<Restore, 'name' | 'version'>): Promise<void> {
    if ((await this.versionOf(name)) !== version) throw new SnapshotReplaced(`Snapshot ${JSON.stringify(name)} was replaced.`);
  }

  /**
   * Restores a snapshot. Writes only what has changed since: in one command, if that is known and not too much. After a crash the content is
   * as before, or the work log has an entry that tells to repeat the restore.
   * @param source the snapshots to restore from
   * @throws NoSnapshot if it does not exist, or is deleted before its documents were read
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

  /** Writes once more where another server has taken over meanwhile, or has written what is in the way, and where the snapshot was replaced. */
  private async writeUntilDone(restore: Omit<Restore, 'send' | 'version'>): Promise<Undo['documents'] | null> {
    const named = [...restore.written].flatMap(([collection, ids]) =>
      collection === MARKER ? [] : [[collection, ids && [...ids]] as const],
    );
    for (let again = 1; ; again += 1) {
      try {
        const version = await restore.source.versionOf(restore.name);
        return await this.of.during(named, (send) => this.write({ ...restore, version, send }));
      } catch (error) {
        const isOvertaken = this.shared && (error instanceof LostWork || isDuplicate(error));
        if (again === MAX_RESTORES || !(isOvertaken || error instanceof SnapshotReplaced)) throw error;
        await sleep(again * PAUSE_MS);
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
  private async undoOf({ name, version, source, written }: Restore): Promise<Undo | null> {
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
    if (all.some(({ originals }) => originals.length === 0)) await source.checkVersion({ name, version });
    return undoOf(all, MARKER);
  }

  /** Reads everything before it writes anything: a snapshot that is being deleted changes nothing. */
  private async writeDifferences(restore: Restore): Promise<void> {
    const { source, written } = restore;
    const documents = [...written].filter(([collection]) => collection !== MARKER);
    const [counters, ...plans] = await Promise.all([
      written.has(MARKER) ? this.countersOf(restore) : null,
      ...documents.map(([collection, ids]) => this.planOf(restore, collection, ids)),
    ]);
    const isDoubtful = plans.some(({ isEmpty, strays }) => isEmpty && strays.length > 0) || counters?.length === 0;
    if (isDoubtful) await source.checkVersion(restore);
    await settleAll([...(counters ? [this.restoreCounters(restore, counters)] : []), ...plans.map((plan) => this.replace(restore, plan))]);
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
    const documents = this.db.collection<{ _id: number | string }>(snapshotOf(name, collection));
    return retryRead(() => documents.find({ _id: { $in: [...ids] } }).toArray());
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
    this.versions.clear();
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
  private async planOf(restore: Restore, collection: string, ids: ReadonlySet<number | string> | null): Promise<Plan> {
    const { source, name } = restore;
    const wanted = ids && ids.size <= MAX_BY_ID ? [...ids] : null;
    const from = snapshotOf(name, collection);
    if (wanted === null && (await this.sizeOf(collection)) > MAX_CACHED) return this.planOfLarge(restore, collection);
    const copy = wanted ? source.rawDocuments(from, wanted) : source.copyOf(name, collection);
    const [kept, current] = await Promise.all([copy, this.rawDocuments(collection, wanted)]);
    const strays = [...current].filter(([bytes]) => !kept.has(bytes)).map(([, raw]) => idOf(raw));
    const missing = [...kept].filter(([bytes]) => !current.has(bytes)).map(([, raw]) => BSON.deserialize(raw));
    return { collection, isEmpty: kept.size === 0, strays, missing, others: [] };
  }

  /** Compares a collection that is not to be held in memory. */
  private async planOfLarge({ source, name }: Restore, collection: string): Promise<Plan> {
    const kept = source.db.collection<{ _id: number | string }>(snapshotOf(name, collection));
    const { strays, missing } = await differences(kept, this.db.collection<{ _id: number | string }>(collection));
    const others = missing.splice(MAX_CACHED);
    const documents = await Promise.all([...chunks(missing)].map((ids) => source.documentsOf(name, collection, ids)));
    // What was found to be there, and is not any more, makes the snapshot as doubtful as one that has nothing.
    const isEmpty = missing.length === 0 || documents.flat().length < missing.length;
    return { collection, isEmpty, strays, missing: documents.flat(), others };
  }

  private sizeOf(collection: string): Promise<number> {
    return retryRead(() => this.db.collection(collection).estimatedDocumentCount());
  }

  /** Deletes first: the restored documents may have the same unique values. */
  private async replace({ source, name, send }: Restore, { collection, strays, missing, others }: Plan): Promise<void> {
    for (const ids of chunks(strays)) await send([{ collection, delete: ids }], this.unjournaled);
    const insert = async (documents: readonly Document[]): Promise<void> => {
      for (const part of insertsOf(collection, documents)) await send(part, this.unjournaled);
    };
    await insert(missing);
    for (const ids of chunks(others)) await insert(await source.documentsOf(name, collection, ids));
  }

  private countersOf({ source, name }: Restore): Promise<Counter[]> {
    return retryRead(() => source.db.collection<Counter>(snapshotOf(name, MARKER)).find({}).toArray());
  }

  /** Restores sequences without deleting them in between: a concurrent write would restart them at 1. */
  private async restoreCounters({ send }: Restore, kept: readonly Counter[]): Promise<void> {
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
    const stored = this.db.collection<{ _id: number | string }>(collection);
    const documents = (await retryRead(() => stored.find(filter, { raw: true }).toArray())) as unknown as Buffer[];
    return new Map(documents.map((raw) => [raw.toString('latin1'), raw]));
  }

  private async copy(name: string, collection: string): Promise<void> {
    await copyCollection(this.db, collection, snapshotOf(name, collection));
  }
}
