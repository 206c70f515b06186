import { randomUUID, randomBytes } from 'node:crypto';
import type { Collection, Db, Document, IndexDescription as Index } from 'mongodb';
import { within } from '../../base/system/deadline.js';
import { Cache } from '../memory/cache.js';
import { ChangeLog, type WriteSet, type SendPart } from './change-log.js';
import type { Connection, LaterConnection } from './connection.js';
import { copyAt, partOf } from './copies.js';
import { isDuplicate } from './errors.js';
import { openFormat, recordFormat } from './format.js';
import { createAllIndexes, SCHEMA } from './indexes.js';
import { LocalDatabase, localOf, EngineDatabasePool, type Content } from './local/database.js';
import { settleAll } from './locks.js';
import { Memory } from '../memory/index.js';
import type { OwnWrite } from '../memory/mirror.js';
import { documentsIn, type Documents } from './documents.js';
import { retryRead } from './reads.js';
import { COUNTERS, Sequences } from './sequences.js';
import { Snapshots, type Copied, type Restored, type Since } from './snapshots.js';
import { State } from '../memory/state.js';
import { WorkLog } from './work-log.js';
import { idsOf, insertsOf, Writes, type Id, type Step, type StepResult } from './writes.js';

interface KeyRow {
  _id: 'key';
  /** In hexadecimal. */
  key: string;
}

const generated = (): string => randomBytes(32).toString('hex');

/**
 * The key of a database, with which its site signs sessions and the like. It is not part of the content: neither snapshots, exports and backups
 * nor the sandboxes and copies that are made of them have it, so that no other site accepts what this one has signed.
 */
class SigningKey {
  private known: Promise<string> | undefined;

  /** @param rows where it is kept; null: in this process alone, for a database that ends with it */
  constructor(private readonly rows: Collection<KeyRow> | null) {}

  /** The key, generated on first use. Servers that share a database have the same. */
  get(): Promise<string> {
    if (this.known) return this.known;
    const reading = this.rows ? this.findOrCreate(this.rows) : Promise.resolve(generated());
    this.known = reading;
    reading.catch(() => this.forget());
    return reading;
  }

  private async findOrCreate(rows: Collection<KeyRow>): Promise<string> {
    const row = await rows.findOneAndUpdate(
      { _id: 'key' },
      { $setOnInsert: { key: generated() } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!row) throw new Error('The key of the database was neither found nor stored.');
    return row.key;
  }

  /** Ends what was signed with a key that only this process has: the next one is another. */
  forget(): void {
    this.known = undefined;
  }
}

export type { Document, IndexDescription as Index } from 'mongodb';
export type { Documents } from './documents.js';

export type Indexes = Readonly<Record<string, readonly Index[]>>;

export type DatabaseLocation = (InServer | InMemory) & {
  /** Whether other processes may write to the database too. */
  shared: boolean;
  /** Whether closing the database closes the connection. */
  ownsConnection: boolean;
  /** The caches, which all databases of a server share. */
  memory: Memory;
};

interface InServer {
  connection: Connection;
  /** Default: the database that the connection string names. */
  name?: string | undefined;
  local?: undefined;
}

/** In memory, until it has to move to the server. */
interface InMemory {
  connection: Connection | LaterConnection;
  name: string;
  local: { content: Content; reserve?: EngineDatabasePool };
}

/** The note that a process leaves at a clean shutdown. The next process removes it, and need not check the content. */
interface Closed {
  _id: 'closed';
  /** Identifies the code and its data, on which the content depends besides the database. */
  by: string;
  /** Absent: unknown. */
  since?: Since;
}

/** Timeout for writing the note, in ms: the database may be gone. */
const NOTE_MS = 1_000;

/** A MongoDB database: its collections, their cache, and the snapshots that can be restored. */
export abstract class Database {
  readonly db: Db;
  readonly shared: boolean;
  readonly state = new State();
  readonly memory: Memory;
  readonly cache: Cache;
  readonly sequences: Sequences;
  private readonly writes: Pick<Writes, 'send'>;
  /** Null: no other process writes to the database. */
  readonly changeLog: ChangeLog | null;
  readonly workLog: WorkLog;
  readonly snapshots: Snapshots;
  readonly key: SigningKey;
  readonly collections: readonly string[];

  protected constructor(
    private readonly location: DatabaseLocation,
    readonly indexes: Indexes,
  ) {
    this.db = location.local
      ? new LocalDatabase(location.name, location.local.content, indexes, location.local.reserve ?? this.reserve).asDb
      : location.connection.database(location.name);
    this.shared = location.shared;
    this.collections = [...Object.keys(indexes), COUNTERS];
    // If a write takes several commands, a server that was paused between two of them may send the rest too late.
    this.memory = location.shared && !location.connection.writesTogether ? new Memory(0) : location.memory;
    this.cache = new Cache(this.state, this.memory);
    const writes = new Writes(this.db);
    this.writes = localOf(this.db) ?? writes;
    this.changeLog = location.shared ? new ChangeLog(this.db, writes, this) : null;
    const countersWritten = (ids: readonly Id[]): void => this.snapshots.recordWrite(COUNTERS, ids);
    this.sequences = new Sequences(this.db.collection(COUNTERS), location.shared, countersWritten);
    this.workLog = new WorkLog(this.db.collection('underway'), location.shared);
    this.snapshots = new Snapshots(this);
    this.key = new SigningKey(location.ownsConnection ? this.db.collection(SCHEMA) : null);
  }

  /** Whether the database stores its files in the data folder. */
  get isInFolder(): boolean {
    return !this.shared;
  }

  /** A collection. Writes through it change the state and are recorded for the next restore of a snapshot. */
  collection<T extends Document>(name: string): Documents<T> {
    return documentsIn(this.db.collection<T>(name), (steps) => this.writeTogether(steps));
  }

  /** Settles when the caches are as current as the database was at the time of the call; undefined if they are. */
  current(): Promise<void> | undefined {
    return this.changeLog?.current();
  }

  /** Called before a write is sent, here or by another server. */
  beginWrite(named: WriteSet): void {
    for (const [collection, ids] of named) {
      this.snapshots.recordWrite(collection, ids);
      if (collection !== COUNTERS) this.state.beginWrite(collection, ids);
    }
  }

  /** Called after the response to a write, or its failure. */
  endWrite(named: WriteSet): void {
    for (const [collection, ids] of named) {
      this.snapshots.recordWrite(collection, ids);
      if (collection !== COUNTERS) this.state.endWrite(collection, ids);
    }
  }

  /**
   * Sends several writes at once and waits for the journal. They are applied in order; the first failure ends them.
   * @returns the result of each; empty if there are many
   * @throws MongoServerError of the write that failed
   */
  async writeTogether(steps: readonly Step[]): Promise<StepResult[]> {
    if (steps.length === 0) return [];
    const named = steps.map((step) => [step.collection, idsOf(step)] as const);
    const began = this.state.latestVersion;
    this.beginWrite(named);
    const write = async (): Promise<StepResult[]> => {
      let isWritten = false;
      try {
        const results = await (this.changeLog?.write(steps, named) ?? this.writes.send(steps));
        isWritten = true;
        return results;
      } catch (error) {
        // It is unknown what was written.
        if (!isDuplicate(error)) this.isConsistent = false;
        throw error;
      } finally {
        const ended = this.state.latestVersion;
        this.endWrite(named);
        if (isWritten) this.written(steps, { began, ended });
      }
    };
    const writing = write();
    this.state.ownWrites.add(writing);
    return writing.finally(() => this.state.ownWrites.delete(writing));
  }

  /** Runs work of several commands that other servers see as one change. @param work gets a function that sends steps */
  during<T>(named: WriteSet, work: (send: SendPart) => Promise<T>): Promise<T> {
    return this.changeLog?.during(named, work) ?? work((steps, options) => this.writes.send(steps, options));
  }

  /** Runs work. @returns the writes of other servers meanwhile */
  collectConcurrentWrites(work: () => Promise<void>): Promise<WriteSet | 'unknown'> {
    return this.changeLog?.collectConcurrentWrites(work) ?? work().then(() => []);
  }

  /** Like `during`, for work that may write any document. */
  replacing<T>(work: () => Promise<T>): Promise<T> {
    return this.during(
      this.collections.map((name) => [name, null]),
      work,
    );
  }

  /** Called after steps were written here. */
  protected written(_steps: readonly Step[], _times: Omit<OwnWrite, 'ids'>): void {}

  /** Called after a snapshot was restored, for each collection. */
  restored({ collection, documents }: Restored): void {
    if (collection === COUNTERS) this.sequences.restored(documents);
  }

  /** Settles when all indexes exist. */
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

  /** Creates missing indexes in the background. */
  protected createIndexes(): this {
    const format = this.location.ownsConnection ? recordFormat(this.db) : Promise.resolve();
    this.indexed = settleAll([createAllIndexes(this.db, this.indexes, this.shared), format]);
    // Callers that wait get the error.
    this.indexed.catch(() => undefined);
    return this;
  }

  /** Number of crashes of the database since it was opened: writes that did not wait for the journal may be lost. */
  crashes = 0;

  /** Whether the content was found to be consistent, and no write has failed since. */
  isConsistent = false;

  /** Identifies the code and its data, on which the content depends besides the database. Absent: unknown. */
  private code: string | undefined;

  /**
   * Whether the last process shut the database down cleanly and had the same code, so that the content need not be checked.
   * @param code names the code and its data; absent: unknown
   */
  async openInOrder(code: string | undefined): Promise<boolean> {
    const note = await this.notes.findOneAndDelete({ _id: 'closed' });
    if (this.shared) return false;
    this.code = code;
    this.isConsistent = code !== undefined && note?.by === code;
    if (this.isConsistent && note?.since) this.snapshots.resume(note.since);
    return this.isConsistent;
  }

  private get notes(): Collection<Closed> {
    return this.db.collection(SCHEMA);
  }

  /** Tells the next process that the content is consistent, if it is. */
  private async closeInOrder(): Promise<void> {
    const since = this.state.revisionOf();
    const isInOrder = (): boolean => this.isConsistent && this.state.mark() !== null && since === this.state.revisionOf();
    if (this.code === undefined || !isInOrder() || (await this.workLog.unfinished()).length > 0) return;
    const { since: changes } = this.snapshots;
    const note = { by: this.code, ...(changes ? { since: changes } : {}) };
    await within<unknown>(NOTE_MS, this.notes.replaceOne({ _id: 'closed' }, note, { upsert: true }), () => undefined);
    if (!isInOrder()) await this.notes.deleteOne({ _id: 'closed' });
  }

  /** Creates missing indexes. */
  protected async prepare(): Promise<this> {
    await this.createIndexes().indexed;
    return this;
  }

  /** The location of another database of the same server. It shares this connection. */
  protected async siblingLocation(name: string): Promise<DatabaseLocation> {
    return { ...this.unshared, connection: await this.location.connection.opened(), name };
  }

  /** The location of another database in memory, which moves to the same server. */
  protected localLocation(name: string, content: Content): DatabaseLocation {
    return { ...this.unshared, connection: this.location.connection, name, local: { content, reserve: this.reserve } };
  }

  /** It is not shared: no other server knows its name. */
  private get unshared(): Pick<DatabaseLocation, 'shared' | 'ownsConnection' | 'memory'> {
    return { shared: false, ownsConnection: false, memory: this.location.memory };
  }

  /** The databases that others in memory have moved to. */
  private readonly reserve = new EngineDatabasePool(async (name) => (await this.location.connection.opened()).database(name));

  /** Whether it is in memory. */
  get isLocal(): boolean {
    return localOf(this.db)?.isMoved === false;
  }

  /** Brings a database back that has moved out of memory, if what is left fits. Nothing may write meanwhile. */
  async comeBack(): Promise<void> {
    await localOf(this.db)?.comeBack();
  }

  /** Replaces the content of a database in memory, and a snapshot, with the content of another one's copy. */
  async replaceLocal(snapshot: string, { content, mark }: Copied): Promise<void> {
    const local = localOf(this.db);
    if (!local) throw new Error('The database is not in memory.');
    const at = copyAt(randomUUID());
    await local.replaceAll(content, (name) => [name, partOf(at, name)]);
    await this.snapshots.copies.put(snapshot, at);
    this.collectionsReplaced(at);
    if (mark) this.snapshots.enter(at, mark);
  }

  /** Drops the databases that others in memory have moved to. */
  dropMoved(): Promise<void> {
    return this.reserve.close();
  }

  /** The names of the server's databases that start with a prefix. */
  async databases(prefix: string): Promise<string[]> {
    // One in memory has just begun.
    if (localOf(this.db)) return [];
    const { databases } = await this.db.admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  }

  /** Drops another database of the same server. */
  async dropSibling(name: string): Promise<unknown> {
    const connection = await this.location.connection.opened();
    return connection.database(name).dropDatabase();
  }

  async close(): Promise<void> {
    this.changeLog?.close();
    if (!this.location.ownsConnection) return;
    // Without the note, the next process checks the content.
    await this.closeInOrder().catch(() => undefined);
    await this.location.connection.close();
  }

  /** Whether the database responds. */
  ping(): Promise<boolean> {
    return this.db.command({ ping: 1 }).then(
      () => true,
      () => false,
    );
  }

  aggregate<T extends Document>(collection: string, pipeline: Document[]): Promise<T[]> {
    return retryRead(() => this.db.collection(collection).aggregate<T>(pipeline).toArray());
  }

  /** Stores many documents. @throws MongoServerError of the first that conflicts with another one; later ones are not stored */
  async insert(collection: string, documents: readonly Document[]): Promise<void> {
    for (const steps of insertsOf(collection, documents)) await this.writeTogether(steps);
  }

  /** Called after whole collections were replaced, or if it is unknown what others have changed. @param at a copy that is identical to the content */
  collectionsReplaced(at?: string): void {
    this.state.changeAll();
    this.snapshots.collectionsReplaced(at);
    this.sequences.forget();
  }

  /** Drops the database, including its indexes. */
  async drop(): Promise<void> {
    await this.db.dropDatabase();
    this.sequences.forget();
  }
}
