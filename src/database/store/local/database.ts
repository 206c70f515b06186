import type { Db, Document, IndexDescription } from 'mongodb';
import { createIndexes } from '../indexes.js';
import { settleAll } from '../locks.js';
import { asBytes } from '../reads.js';
import { insertsOf, Writes, type Id, type Step, type StepResult, type WriteOptions } from '../writes.js';
import { LocalCollection } from './collection.js';
import { applyStep, CollectionContent, Stored, type StoredDocuments } from './content.js';
import { Unsupported } from './values.js';

/*
 * A database in the memory of the server, for ephemeral sites and sandboxes: they end with the process. A sandbox begins as a copy of content
 * that was read once, and shares the documents. The database does what the driver's calls mean to the engine. If it cannot, it moves to a
 * database of the engine, which gets its content and does everything from then on.
 */

/** Documents by collection. Nobody changes it. */
export type Content = ReadonlyMap<string, StoredDocuments>;

/**
 * Limits of what is kept in memory: the documents of a collection, and the bytes of all databases of a server without the content that they
 * are copies of. Tests lower them.
 */
export const LIMITS = { documents: 50_000, bytes: 128 * 1024 * 1024 };

/** A recount must free the memory down to this fraction of the limit. */
const ENOUGH = 3 / 4;

/** The databases of the engine that others have moved to. */
export class EngineDatabasePool {
  private readonly free: Db[] = [];
  private readonly all = new Set<Db>();
  /** Bytes of the documents that the databases in memory do not share. */
  bytes = 0;

  /** @param open opens a database of the engine, which may have to start first */
  constructor(private readonly open: (name: string) => Db | Promise<Db>) {}

  /** @param name of a new one */
  async take(name: string, indexes: LocalDatabase['indexes']): Promise<Db> {
    const db = this.free.pop() ?? (await this.open(name));
    this.all.add(db);
    // Leftovers of a move that failed, or of the last one that had it.
    await this.empty(db, indexes);
    await settleAll(Object.entries(indexes).map(([collection, all]) => createIndexes(db.collection(collection), all)));
    return db;
  }

  /** Gives a database back. Its content stays until the next one takes it. */
  give(db: Db): void {
    this.free.push(db);
  }

  /** Keeps collections: the embedded engine deletes the files of dropped ones only at its next start. */
  private async empty(db: Db, indexes: LocalDatabase['indexes']): Promise<void> {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    await settleAll(names.map((name) => (name in indexes ? db.collection(name).deleteMany({}) : db.collection(name).drop())));
  }

  async close(): Promise<void> {
    await settleAll([...this.all].map((db) => db.dropDatabase()));
  }
}

/** The driver's database, as far as it is used. */
export class LocalDatabase {
  private readonly collections = new Map<string, CollectionContent>();
  /** The database of the engine that it has moved to. */
  private moved: Promise<Db | null> | null = null;
  private bytes = 0;

  constructor(
    readonly databaseName: string,
    private readonly content: Content,
    readonly indexes: Readonly<Record<string, readonly IndexDescription[]>>,
    private readonly reserve: EngineDatabasePool,
  ) {
    for (const [name, documents] of content) this.collections.set(name, new CollectionContent(documents, indexes[name]));
  }

  /** Has the type of the driver's database. */
  get asDb(): Db {
    return this as unknown as Db;
  }

  get isMoved(): boolean {
    return this.moved !== null;
  }

  /** The database of the engine that it has moved to; null: it is in memory, or is again after a move that failed. */
  get server(): Promise<Db | null> | null {
    return this.moved?.catch(() => null) ?? null;
  }

  /** Does work here. If that is not possible, moves to the engine, and does it there. @param here leaves everything as it was if it throws */
  async run<T>(here: () => T, there: (db: Db) => Promise<T>): Promise<T> {
    while (this.moved) {
      const db = await this.moved.catch(() => null);
      if (db) return there(db);
    }
    try {
      return here();
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return there(await this.move());
    }
  }

  private move(): Promise<Db> {
    const moving = this.moveAll();
    this.moved = moving;
    // Until it succeeds, nothing has left.
    moving.catch(() => (this.moved = null));
    return moving;
  }

  private async moveAll(): Promise<Db> {
    const db = await this.reserve.take(this.databaseName, this.indexes);
    for (const [name, { documents }] of this.collections) {
      const all = [...documents.values()];
      if (all.length === 0) await db.createCollection(name).catch(() => undefined);
      const parts = insertsOf(
        name,
        all.map(({ document }) => document),
      );
      for (const part of parts)
        await db.command({ insert: name, documents: part.map(({ insert }) => insert), writeConcern: { w: 1, j: true } });
    }
    this.forget();
    return db;
  }

  /**
   * Brings the content back from the engine, if memory suffices: after a reset, when little is left. Nothing may write meanwhile; who still
   * reads from the engine finds the same.
   */
  async comeBack(): Promise<void> {
    const db = await this.server;
    if (!db) return;
    const coming = this.takeBack(db);
    // Calls that begin meanwhile wait, and go on there if this fails.
    this.moved = coming.catch(() => db);
    await coming;
  }

  /** @returns the database that the content is still in; null: none */
  private async takeBack(db: Db): Promise<Db | null> {
    const { dataSize } = await db.command({ dbStats: 1 });
    if (this.reserve.bytes + (dataSize as number) > ENOUGH * LIMITS.bytes) return db;
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const found = await Promise.all(
      names.map(async (name) => [name, storedOf(asBytes(await db.collection(name).find({}, { raw: true }).toArray()))] as const),
    );
    if (found.some(([, documents]) => documents.size > ENOUGH * LIMITS.documents)) return db;
    for (const [name, documents] of found) this.collections.set(name, new CollectionContent(documents, this.indexes[name]));
    this.isFull(0);
    this.moved = null;
    this.reserve.give(db);
    return null;
  }

  private forget(): void {
    this.collections.clear();
    this.reserve.bytes -= this.bytes;
    this.bytes = 0;
  }

  private collected(name: string): CollectionContent {
    const known = this.collections.get(name) ?? new CollectionContent(new Map(), this.indexes[name]);
    this.collections.set(name, known);
    return known;
  }

  contentOf(name: string): CollectionContent {
    return this.collections.get(name) ?? new CollectionContent();
  }

  /** The documents of a collection, if they are those that it began with. */
  originOf(name: string): StoredDocuments | null {
    const documents = this.moved ? null : this.collections.get(name)?.documents;
    return documents && documents === this.content.get(name) ? documents : null;
  }

  copyTo(name: string, target: string): void {
    this.collections.set(target, this.collected(name).copy(this.indexes[target] ?? []));
  }

  /** Replaces collections. @param targets the names that each collection gets */
  replaceAll(content: Content, targets: (name: string) => readonly string[]): Promise<void> {
    return this.run(
      () => {
        for (const [name, documents] of content)
          for (const target of targets(name)) this.collections.set(target, new CollectionContent(documents, this.indexes[target] ?? []));
      },
      async (db) => {
        for (const [name, documents] of content)
          for (const target of targets(name)) {
            await db.collection(target).deleteMany({});
            const all = [...documents.values()].map((stored) => stored.copy());
            if (all.length > 0) await db.collection(target).insertMany(all);
          }
      },
    );
  }

  dropLocal(name: string): boolean {
    return this.collections.delete(name);
  }

  /** Applies writes in order; the first failure ends them. @throws MongoServerError of the one that failed, with its index as `idx` */
  send(steps: readonly Step[], options: WriteOptions = {}): Promise<StepResult[]> {
    return this.run(
      () => this.apply(steps),
      (db) => new Writes(db).send(steps, options),
    );
  }

  /** Applies writes in memory. @throws as `send`, and Unsupported */
  apply(steps: readonly Step[]): StepResult[] {
    const undo: (() => void)[] = [];
    let bytes = 0;
    let idx = 0;
    try {
      return steps.map((step, i) => {
        idx = i;
        const into = this.collected(step.collection);
        return applyStep(into, step, (collection, id, before, after) => {
          undo.push(() => collection.put(id, before));
          bytes += (after?.bytes.length ?? 0) - (before?.bytes.length ?? 0);
          if (!after || after === before) return;
          if (collection.documents.size >= LIMITS.documents || (this.reserve.bytes + bytes > LIMITS.bytes && this.isFull(bytes)))
            throw new Unsupported('So much');
        });
      });
    } catch (error) {
      if (!(error instanceof Unsupported)) throw Object.assign(error as Error, { idx });
      for (const back of undo.toReversed()) back();
      bytes = 0;
      throw error;
    } finally {
      this.bytes += bytes;
      this.reserve.bytes += bytes;
    }
  }

  /** Counts the documents that are still stored: dropped collections may have shared theirs. @param more bytes that were not counted yet */
  private isFull(more: number): boolean {
    const shared = new Set([...this.content.values()].flatMap((documents) => [...documents.values()]));
    const own = new Set([...this.collections.values()].flatMap(({ documents }) => [...documents.values()]));
    const bytes = [...own].reduce((sum, stored) => sum + (shared.has(stored) ? 0 : stored.bytes.length), -more);
    this.reserve.bytes += bytes - this.bytes;
    this.bytes = bytes;
    // Not again for each of the next writes.
    return this.reserve.bytes + more > ENOUGH * LIMITS.bytes;
  }

  collection(name: string): LocalCollection {
    return new LocalCollection(this, name);
  }

  async createCollection(name: string): Promise<void> {
    await this.run(
      () => void this.collected(name),
      async (db) => void (await db.createCollection(name)),
    );
  }

  listCollections(filter: { name?: string | RegExp } = {}): {
    toArray: () => Promise<{ name: string }[]>;
    hasNext: () => Promise<boolean>;
  } {
    const { name: wanted = '' } = filter;
    const isWanted = (name: string): boolean => (typeof wanted === 'string' ? wanted === '' || name === wanted : wanted.test(name));
    const toArray = (): Promise<{ name: string }[]> =>
      this.run(
        () => [...this.collections.keys()].filter(isWanted).map((name) => ({ name })),
        (db) => db.listCollections(filter, { nameOnly: true }).toArray(),
      );
    return { toArray, hasNext: async () => (await toArray()).length > 0 };
  }

  /** The commands that are sent as such. */
  command(command: Document, options: object = {}): Promise<Document> {
    return this.run(
      () => {
        if ('ping' in command) return { ok: 1 };
        if (typeof command['insert'] !== 'string') throw new Unsupported(Object.keys(command)[0]);
        return this.insertAll(command['insert'], command['documents'] as (Document & { _id: Id })[]);
      },
      (db) => db.command(command, options),
    );
  }

  private insertAll(collection: string, documents: readonly (Document & { _id: Id })[]): Document {
    const writeErrors: Document[] = [];
    const before = this.collected(collection).copy();
    try {
      for (const [index, insert] of documents.entries()) {
        try {
          this.apply([{ collection, insert }]);
        } catch (error) {
          if (error instanceof Unsupported) throw error;
          const { code, message } = error as { code: number; message: string };
          writeErrors.push({ index, code, errmsg: message });
        }
      }
    } catch (error) {
      this.collections.set(collection, before);
      throw error;
    }
    return writeErrors.length > 0 ? { writeErrors } : {};
  }

  async dropDatabase(): Promise<void> {
    const { moved } = this;
    this.moved = null;
    this.forget();
    const db = await moved?.catch(() => null);
    if (db) this.reserve.give(db);
  }
}

/** The database in memory that a database is; null: it is the engine's. */
export const localOf = (db: Db): LocalDatabase | null =>
  (db as unknown) instanceof LocalDatabase ? (db as unknown as LocalDatabase) : null;

/** Documents as they are stored, by their bytes. @param found in the order of ids */
export const storedOf = (found: readonly Uint8Array[]): StoredDocuments =>
  new Map(found.map((bytes) => new Stored(Buffer.from(bytes))).map((stored) => [stored.id, stored]));
