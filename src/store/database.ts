import type { Collection, Db, Document, IndexDescription as Index } from 'mongodb';
import { Cache } from '../memory/cache.js';
import { Connection } from './connection.js';
import { isDuplicate } from './errors.js';
import { openFormat, recordFormat } from './format.js';
import { GoodOrder } from './good-order.js';
import { createAllIndexes, SCHEMA } from './indexes.js';
import { settleAll } from './locks.js';
import { Memory } from '../memory/memory.js';
import { observeWrites, type Write } from './observe.js';
import { Sequences } from './sequences.js';
import { Snapshots, type Restored } from './snapshots.js';
import { State } from '../memory/state.js';
import { idsOf, Together, type Step } from './together.js';
import { WorkLog } from './work-log.js';

export type { Collection, IndexDescription as Index } from 'mongodb';

/** The indexes of each collection. */
export type Indexes = Readonly<Record<string, readonly Index[]>>;

/** A database of a server. */
export interface DatabaseLocation {
  connection: Connection;
  /** Default: the database that the connection string names. */
  name?: string | undefined;
  /** Whether other processes may write to the database too. If so, nothing is cached. */
  shared: boolean;
  /** Whether closing the database closes the connection. */
  ownsConnection: boolean;
  /** The caches, which all databases of a server share. */
  memory: Memory;
}

function documentsOf(step: Step): object[] | null {
  if ('delete' in step) return [];
  return 'insert' in step ? [step.insert] : null;
}

/** The collection of the sequences. */
const COUNTERS = 'counters';

/** A MongoDB database: its collections, their cache, and the snapshots that can be restored. */
export abstract class Database {
  readonly db: Db;
  readonly shared: boolean;
  readonly state = new State();
  readonly memory: Memory;
  readonly cache: Cache;
  readonly sequences: Sequences;
  private readonly together: Together;
  readonly workLog: WorkLog;
  readonly snapshots: Snapshots;
  /** Names of the collections. */
  readonly collections: readonly string[];

  protected constructor(
    private readonly location: DatabaseLocation,
    readonly indexes: Indexes,
  ) {
    this.db = location.connection.database(location.name);
    this.shared = location.shared;
    this.collections = [...Object.keys(indexes), COUNTERS];
    this.memory = location.memory;
    this.cache = new Cache(this.state, this.memory, location.shared);
    this.sequences = new Sequences(this.collection(COUNTERS), location.shared);
    this.together = new Together(this.db);
    this.workLog = new WorkLog(this.db.collection('underway'), location.shared);
    this.snapshots = new Snapshots({
      db: this.db,
      collections: this.collections,
      shared: location.shared,
      together: this.together,
      workLog: this.workLog,
      state: this.state,
      memory: location.memory.documents,
      onRestore: (collection, ids) => (collection === COUNTERS ? this.restoreSequences() : this.beginRestore(collection, ids)),
    });
  }

  /** A collection. Writes through it change the state and are recorded for the next restore of a snapshot. */
  collection<T extends Document>(name: string): Collection<T> {
    return observeWrites(this.db.collection<T>(name), (write) => this.recordWrite(name, write));
  }

  private recordWrite(name: string, write: Write): void {
    if (write.hasFailed) this.isConsistent = false;
    this.snapshots.recordWrite(name, write.ids);
    if (name === COUNTERS) return;
    this.state.change(name, write.ids, write.isDone);
    if (write.isDone) this.contentChanged(name, write);
  }

  /**
   * Sends several writes at once and waits for the journal. They happen in the given order; the first failure ends them.
   * @throws MongoServerError of the write that failed
   */
  async writeTogether(steps: readonly Step[]): Promise<void> {
    const record = (isDone: boolean, hasFailed = false): void => {
      for (const step of steps) this.recordWrite(step.collection, { ids: idsOf(step), documents: documentsOf(step), isDone, hasFailed });
    };
    record(false);
    let hasFailed = true;
    try {
      await this.together.write(steps);
      hasFailed = false;
    } catch (error) {
      hasFailed = !isDuplicate(error);
      throw error;
    } finally {
      record(true, hasFailed);
    }
  }

  private restoreSequences(): Restored {
    return (counters) => (counters ? this.sequences.restored(counters) : this.sequences.forget());
  }

  /** Called before a snapshot is restored, for each collection that is written to. @param ids the documents; null: any document */
  protected beginRestore(collection: string, ids: readonly (number | string)[] | null): Restored {
    return (documents) => this.contentChanged(collection, { ids, documents });
  }

  /** Called when content has changed. @param collection the collection that was written to; absent: any collection */
  protected contentChanged(_collection?: string, _write?: Pick<Write, 'ids' | 'documents'>): void {}

  /** Settles when no index is missing. */
  indexed: Promise<void> = Promise.resolve();

  /** A sentence for each step that converted the stored data to the format of this version. */
  migrated: readonly string[] = [];

  /**
   * Converts stored data of an older format.
   * @throws EngineError if a newer version of Understudy wrote it; the connection is closed then
   */
  protected async convert(): Promise<this> {
    try {
      this.migrated = await openFormat(this.db, this.workLog);
      return this;
    } catch (error) {
      await this.location.connection.close();
      throw error;
    }
  }

  /** Starts to create missing indexes. */
  protected createIndexes(): this {
    const format = this.location.ownsConnection ? recordFormat(this.db) : Promise.resolve();
    this.indexed = settleAll([createAllIndexes(this.db, this.indexes, this.shared), format]);
    // Waiting callers get the error.
    this.indexed.catch(() => undefined);
    return this;
  }

  /** How often the database has crashed since it was opened: what did not wait for the journal may be lost. */
  crashes = 0;

  /** Whether the content was found to be consistent, and no write has failed since. */
  isConsistent = false;

  /** What the content depends on besides the database: the code and its data. Absent: unknown. */
  private code: string | undefined;

  /**
   * Whether the last process closed the database in good order and had the same code, so that the content need not be checked.
   * @param code names the code and its data; absent: unknown
   */
  async openInOrder(code: string | undefined): Promise<boolean> {
    const note = await this.goodOrder.take();
    if (this.shared) return false;
    this.code = code;
    this.isConsistent = code !== undefined && note?.by === code;
    if (this.isConsistent && note?.since) this.snapshots.resume(note.since);
    return this.isConsistent;
  }

  private get goodOrder(): GoodOrder {
    return new GoodOrder(this.db.collection(SCHEMA));
  }

  /** Tells the next process that the content is consistent, if it is. */
  private async closeInOrder(): Promise<void> {
    const since = this.state.revisionOf();
    const isInOrder = (): boolean => this.isConsistent && this.state.mark() !== null && since === this.state.revisionOf();
    if (this.code === undefined || !isInOrder() || (await this.workLog.unfinished()).length > 0) return;
    const { since: changes } = this.snapshots;
    await this.goodOrder.leave({ by: this.code, ...(changes ? { since: changes } : {}) });
    if (!isInOrder()) await this.goodOrder.take();
  }

  /** Creates missing indexes. */
  protected async prepare(): Promise<this> {
    await this.createIndexes().indexed;
    return this;
  }

  /** The location of another database of the same server. It shares this connection. */
  protected siblingLocation(name: string): DatabaseLocation {
    return { ...this.location, name, ownsConnection: false };
  }

  /** The names of the server's databases that start with a prefix. */
  databases(prefix: string): Promise<string[]> {
    return this.location.connection.databases(prefix);
  }

  /** Drops another database of the same server. */
  dropSibling(name: string): Promise<void> {
    return this.location.connection.dropDatabase(name);
  }

  async close(): Promise<void> {
    if (!this.location.ownsConnection) return;
    // Without the note, the next process checks the content.
    await this.closeInOrder().catch(() => undefined);
    await this.location.connection.close();
  }

  /** Whether the database responds. */
  async ping(): Promise<boolean> {
    return this.db
      .command({ ping: 1 })
      .then(() => true)
      .catch(() => false);
  }

  /** Runs a pipeline. */
  aggregate<T extends Document>(collection: string, pipeline: Document[]): Promise<T[]> {
    return this.db.collection(collection).aggregate<T>(pipeline).toArray();
  }

  /** Stores many documents at once. */
  async insert(collection: string, documents: Document[]): Promise<void> {
    if (documents.length > 0) await this.collection(collection).insertMany(documents, { ordered: false });
  }

  /** Deletes all documents of all collections. */
  async clear(): Promise<void> {
    await Promise.all(this.collections.map((name) => this.collection(name).deleteMany({})));
    this.sequences.forget();
  }

  /** Called after whole collections were replaced, including those of snapshots. @param snapshot one that the content is identical to */
  collectionsReplaced(snapshot?: string): void {
    this.state.changeAll();
    this.snapshots.collectionsReplaced(snapshot);
    this.sequences.forget();
    this.contentChanged();
  }

  /** Drops the database, including its indexes. */
  async drop(): Promise<void> {
    await this.db.dropDatabase();
    this.sequences.forget();
  }
}
