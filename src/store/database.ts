import type { Collection, Db, Document, IndexDescription as Index } from 'mongodb';
import { Cache } from './cache.js';
import { Connection } from './connection.js';
import { createIndexes } from './indexes.js';
import { observeWrites, type Write } from './observe.js';
import { Sequences } from './sequences.js';
import { Snapshots } from './snapshots.js';
import { WorkLog } from './work-log.js';

export type { Collection, IndexDescription as Index } from 'mongodb';

/** The collections of a database, each with its indexes. */
export type Indexes = Readonly<Record<string, readonly Index[]>>;

/** Where a database is. */
export interface Place {
  connection: Connection;
  /** The one that the connection names when absent. */
  name?: string | undefined;
  /** Other processes may write to the database too: nothing that was read is cached. */
  shared: boolean;
  /** The connection ends with this database. */
  ownsConnection: boolean;
}

/** The sequences are kept in a collection of their own, which every database has. */
const COUNTERS = 'counters';

/** A MongoDB database: its collections, what is cached of them, and the snapshots that it can go back to. */
export abstract class Database {
  readonly db: Db;
  readonly shared: boolean;
  readonly cache: Cache;
  readonly sequences: Sequences;
  readonly workLog: WorkLog;
  readonly snapshots: Snapshots;
  /** Names of the collections. */
  readonly collections: readonly string[];

  protected constructor(
    private readonly place: Place,
    readonly indexes: Indexes,
  ) {
    this.db = place.connection.database(place.name);
    this.shared = place.shared;
    this.collections = [...Object.keys(indexes), COUNTERS];
    this.cache = new Cache(place.shared);
    this.sequences = new Sequences(this.collection(COUNTERS));
    this.workLog = new WorkLog(this.db.collection('underway'));
    this.snapshots = new Snapshots(this.db, this.collections, place.shared, this.workLog, () => this.invalidate());
  }

  /** A collection. Whatever is written through it is no longer cached, and will be put back when a snapshot is restored. */
  collection<T extends Document>(name: string): Collection<T> {
    return observeWrites(this.db.collection<T>(name), (write) => {
      this.snapshots.wrote(name, write.ids);
      if (write.isDone && name !== COUNTERS) this.invalidate(name, write);
    });
  }

  /** Called when content has changed. @param collection the one that was written to; absent: any of them */
  protected invalidate(_collection?: string, _write?: Write): void {
    this.cache.invalidate();
  }

  /** Creates the indexes that are missing. */
  protected async prepare(): Promise<this> {
    await Promise.all(Object.entries(this.indexes).map(([name, indexes]) => createIndexes(this.db.collection(name), indexes)));
    return this;
  }

  /** Where another database of the same server is. It uses the connection of this one. */
  protected besides(name: string): Place {
    return { ...this.place, name, ownsConnection: false };
  }

  /** Names of the server's databases that begin with a prefix. */
  databases(prefix: string): Promise<string[]> {
    return this.place.connection.databases(prefix);
  }

  /** Drops another database of the same server. */
  dropSibling(name: string): Promise<void> {
    return this.place.connection.dropDatabase(name);
  }

  async close(): Promise<void> {
    if (this.place.ownsConnection) await this.place.connection.close();
  }

  /** True while the database responds. */
  async ping(): Promise<boolean> {
    return this.db
      .command({ ping: 1 })
      .then(() => true)
      .catch(() => false);
  }

  /** Runs a pipeline. Every list goes through here. */
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
  }

  /** Called after whole collections were exchanged, snapshots included. */
  replaced(): void {
    this.snapshots.replaced();
    this.invalidate();
  }

  /** Drops the database, indexes and all. */
  async drop(): Promise<void> {
    await this.db.dropDatabase();
  }
}
