import { randomUUID } from 'node:crypto';
import {
  MongoClient,
  MongoError,
  MongoServerError,
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  type Document,
  type Filter,
} from 'mongodb';
import { EngineError, reasonOf } from './engine/types.js';
import { ANY_TEXT, COLLECTIONS, INDEXES, type CollectionName } from './indexes.js';
import { Memory } from './memory.js';
import type { Post, Term, User } from '../wp/model.js';
import { Snapshots, type WriteOptions } from './snapshots.js';
import { tellingOfWrites } from './written.js';

/** One site option. WP: a row of `wp_options`. */
export interface OptionDocument {
  _id: string;
  value: unknown;
}

interface Counter {
  _id: string;
  value: number;
}

/** Work in several steps that has begun: what is still noted at a start was cut short by a crash. */
export interface Underway {
  _id: string;
  /** Loading the dataset into an empty store. */
  load?: string;
  /** Going back to the copy of this name. */
  restore?: string;
  /** Storing these files, below the uploads folder, and the attachment that names them. */
  files?: string[];
  /** Content that is being laid ready under this name (`staging.ts`). */
  staging?: string;
  /** It all lies ready: what remains is to put it in place of what is there, or beside it. */
  settled?: 'replace' | 'add';
}

export type Sequence = 'posts' | 'terms' | 'users';

/** Mean radius of the earth, metres. */
const EARTH_RADIUS = 6_371_008.8;

/** How many documents are kept in memory, and how many characters the names of results may have in all. */
const MOST_DOCUMENTS = 5_000;
const MOST_CHARACTERS = 4_000_000;

/** MongoDB's codes for an index whose name or keys are taken by one that is not the same. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** True when a write failed because a unique index already holds the value of a column. */
export const isDuplicate = (error: unknown, column: string): boolean =>
  error instanceof MongoServerError && error.code === 11000 && column in ((error.keyPattern as object | undefined) ?? {});

/** True when something was too large to be stored or asked for: documents and commands end at 16 MB. */
export function isOversized(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  // The driver runs over the end of its buffer before the database gets to see anything.
  if (code === 'ERR_OUT_OF_RANGE') return message.includes('"offset"');
  return error instanceof MongoError && /larger than the maximum|too large/i.test(message);
}

/** The database: collections, indexes, id sequences, and the pristine copy that a reset goes back to. The only importer of the driver. */
export class Store {
  readonly posts: Collection<Post>;
  readonly terms: Collection<Term>;
  readonly users: Collection<User>;
  readonly options: Collection<OptionDocument>;
  private readonly counters: Collection<Counter>;
  private readonly underway: Collection<Underway>;
  private writes = 0;
  private readonly kept: Snapshots;
  private readonly results = new Memory<Promise<unknown>>(
    () => this.writes,
    MOST_CHARACTERS,
    (_, name) => name.length + 100,
  );
  private readonly documents = new Memory<{ _id: number } | null>(() => this.writes, MOST_DOCUMENTS);
  /** UTC text of the next scheduled publication; null: there is none; undefined: to be looked up. */
  private nextPublication: string | null | undefined;
  /** How often something was scheduled, or may have been. */
  private scheduled = 0;

  private constructor(
    private readonly client: MongoClient,
    readonly db: Db,
    /** Others may write to the database too: nothing that was read once may be taken for true later. */
    readonly shared: boolean,
    private readonly ownsClient = true,
  ) {
    this.kept = new Snapshots(db, shared);
    const telling = <T extends Document>(name: CollectionName): Collection<T> =>
      tellingOfWrites(db.collection<T>(name), (ids) => this.kept.wrote(name, ids));
    this.posts = telling('posts');
    this.terms = telling('terms');
    this.users = telling('users');
    this.options = telling('options');
    this.counters = telling('counters');
    this.underway = db.collection('underway');
  }

  /**
   * Connects and makes sure that the indexes are there.
   * Writes wait for the journal: an acknowledged one survives `kill -9`.
   * @param uri a MongoDB connection string
   * @param name database to use; the one in the string, or `understudy`, when absent
   * @param shared true when other processes may write to it
   * @throws EngineError when the server does not answer or refuses
   */
  static async open(uri: string, name?: string, shared = false): Promise<Store> {
    const client = new MongoClient(uri, {
      writeConcern: { w: 1, journal: true },
      maxPoolSize: 16,
      serverSelectionTimeoutMS: 10_000,
      ignoreUndefined: true,
    });
    await client.connect().catch(async (error: unknown) => {
      await client.close();
      const why = { what: client.options.hosts.join(', '), why: reasonOf(error) };
      throw new EngineError('The database cannot be used.', [why], 'Check MONGODB_URI, and whether that server is running.');
    });
    const store = new Store(
      client,
      client.db(name ?? (/\/[^/?]+(\?|$)/.test(uri.replace(/^mongodb(\+srv)?:\/\//, '')) ? undefined : 'understudy')),
      shared,
    );
    await store.createIndexes();
    return store;
  }

  /** The store of another database of the same server, over the same connections; its indexes are made if they are missing. */
  async sibling(name: string): Promise<Store> {
    const store = new Store(this.client, this.client.db(name), this.shared, false);
    await store.createIndexes();
    return store;
  }

  /** Names of the databases of the same server that begin like this. */
  async databases(prefix: string): Promise<string[]> {
    const { databases } = await this.client.db('admin').admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  }

  /** Throws another database of the same server away. */
  async dropSibling(name: string): Promise<void> {
    await this.client.db(name).dropDatabase();
  }

  /** Ends the connections; those of a `sibling` belong to the store it was made from. */
  async close(): Promise<void> {
    if (this.ownsClient) await this.client.close();
  }

  /** True while the database answers. */
  async ping(): Promise<boolean> {
    return this.db
      .command({ ping: 1 })
      .then(() => true)
      .catch(() => false);
  }

  private async createIndexes(): Promise<void> {
    await Promise.all(
      COLLECTIONS.filter((name) => INDEXES[name].length > 0).map(async (name) => {
        const collection = this.db.collection(name);
        await collection.createIndexes([...INDEXES[name]]).catch(async (error: unknown) => {
          if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code)) throw error;
          // Made by another version of this program, under the same name: all are made anew.
          await collection.dropIndexes();
          await collection.createIndexes([...INDEXES[name]]);
        });
      }),
    );
  }

  /** Number of changes since the store was opened: what was computed at one revision holds until the next. */
  get revision(): number {
    return this.writes;
  }

  /** To be called after every change, by whoever made it. */
  changed(): void {
    this.writes += 1;
  }

  /** What was computed under a name, as long as nothing has changed since. */
  remember<T>(name: string, compute: () => Promise<T>): Promise<T> {
    if (this.shared) return compute();
    const known = this.results.get(name);
    if (known) return known as Promise<T>;
    const since = this.writes;
    const value = compute();
    this.results.set(name, value, since);
    value.catch(() => this.results.delete(name));
    return value;
  }

  /**
   * Documents by id, those that are not known from before loaded in one go. They are everybody's: not to be modified.
   * @param load finds the documents of some ids, in any order
   */
  async recall<T extends { _id: number }>(kind: string, ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
    if (this.shared) return ids.length === 0 ? [] : load([...ids]);
    const since = this.writes;
    const known = ids.map((id) => this.documents.get(`${kind} ${id}`) as T | null | undefined);
    const missing = ids.filter((_, i) => known[i] === undefined);
    const loaded = missing.length === 0 ? [] : await load(missing);
    const byId = new Map(loaded.map((document) => [document._id, document]));
    for (const id of missing) this.documents.set(`${kind} ${id}`, byId.get(id) ?? null, since);
    return [...known, ...loaded].filter((document) => document !== undefined && document !== null);
  }

  /** Runs a pipeline. Every list goes through here. */
  aggregate<T extends Document>(collection: 'posts' | 'terms' | 'users', pipeline: Document[]): Promise<T[]> {
    return this.db.collection(collection).aggregate<T>(pipeline).toArray();
  }

  /** Ids of what the events that meet a condition are linked to. */
  async linkedTo(column: 'venues' | 'organizers', filter: Filter<Post>): Promise<number[]> {
    const ids = await this.posts.distinct(column, filter);
    return ids.filter((id) => id !== undefined);
  }

  /** Ids of all venues or of all organizers, read from their index alone. */
  async idsOfType(type: string): Promise<number[]> {
    const found = await this.posts.find({ type, date: ANY_TEXT }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** When the last of the events that meet a condition starts, by the id of what they are linked to. */
  async lastStarts(column: 'venues' | 'organizers', filter: Filter<Post>): Promise<Map<number, string>> {
    const rows = await this.aggregate<{ _id: number; last: string | null }>('posts', [
      { $match: filter },
      { $unwind: `$${column}` },
      { $group: { _id: `$${column}`, last: { $max: '$occurrence.start' } } },
    ]);
    return new Map(rows.map(({ _id, last }) => [_id, last ?? '']));
  }

  /** Ids of the venues around a point (degrees, metres), or without one of all that have coordinates. */
  async venuesAround(lat?: number, lng?: number, radius = 0): Promise<number[]> {
    const area =
      lat === undefined || lng === undefined ? { $exists: true } : { $geoWithin: { $centerSphere: [[lng, lat], radius / EARTH_RADIUS] } };
    const found = await this.posts.find({ type: 'tribe_venue', location: area } as Filter<Post>, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** The next unused id of a sequence; ids are handed out once, whatever becomes of them (WP: auto increment). */
  async nextId(sequence: Sequence): Promise<number> {
    const counter = await this.counters.findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    return counter?.value ?? 1;
  }

  /** Takes so many unused ids of a sequence at once. @returns the first of them; the others follow it */
  async takeIds(sequence: Sequence, count: number): Promise<number> {
    const counter = await this.counters.findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.value ?? count) - count + 1;
  }

  /** Makes sure that the sequence hands out nothing below this id. */
  async reserveIds(sequence: Sequence, next: number): Promise<void> {
    await this.counters.updateOne({ _id: sequence }, { $max: { value: next - 1 } }, { upsert: true });
  }

  /** The highest id that a sequence has handed out. */
  async lastId(sequence: 'posts' | 'terms'): Promise<number> {
    return (await this.counters.findOne({ _id: sequence }))?.value ?? 0;
  }

  /** Notes that work in several steps begins. To be ended by `end`; a start after a crash finds the note. */
  async begin(work: Omit<Underway, '_id'>, options: WriteOptions = {}): Promise<Underway> {
    const note = { _id: randomUUID(), ...work };
    await this.underway.insertOne(note, options);
    return note;
  }

  /** Notes that all is ready for the last step. From here on a crash leads to what is new and not back to what was. */
  async settle({ _id }: Underway, settled: 'replace' | 'add'): Promise<void> {
    await this.underway.updateOne({ _id }, { $set: { settled } });
  }

  async end({ _id }: Underway): Promise<void> {
    await this.underway.deleteOne({ _id });
  }

  /** What was begun and not ended. */
  unfinished(): Promise<Underway[]> {
    return this.underway.find({}).toArray();
  }

  /** True when nothing was ever stored here. */
  async isEmpty(): Promise<boolean> {
    return (await this.options.findOne({}, { projection: { _id: 1 } })) === null;
  }

  /** Takes all documents of all collections away. */
  async clear(): Promise<void> {
    this.kept.forget();
    await Promise.all(COLLECTIONS.map((name) => this.db.collection(name).deleteMany({})));
    this.forgetSchedule();
    this.changed();
  }

  /**
   * When the next scheduled post is to be published, UTC, or null when none is scheduled. Known as long as only this store writes; of
   * what others write it hears with `lookAgain`.
   */
  async nextScheduled(lookAgain = false): Promise<string | null> {
    if (this.nextPublication !== undefined && !lookAgain) return this.nextPublication;
    const since = this.scheduled;
    const next = await this.posts.findOne({ status: 'future', dateGmt: ANY_TEXT }, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
    // What was scheduled meanwhile may have been missed.
    this.nextPublication = since === this.scheduled ? (next?.dateGmt ?? null) : undefined;
    return next?.dateGmt ?? null;
  }

  /** The same without looking anything up: undefined when it is not known. */
  get knownNextScheduled(): string | null | undefined {
    return this.nextPublication;
  }

  /** To be told of every post that is written, by whoever writes it. */
  noteSchedule({ status, dateGmt }: Pick<Post, 'status' | 'dateGmt'>): void {
    if (status !== 'future') return;
    this.scheduled += 1;
    if (this.nextPublication === undefined) return;
    if (this.nextPublication === null || dateGmt < this.nextPublication) this.nextPublication = dateGmt;
  }

  /** To be told when scheduled posts were published or may be anything. */
  forgetSchedule(): void {
    this.scheduled += 1;
    this.nextPublication = undefined;
  }

  /** Stores many documents at once. */
  async insert(collection: CollectionName, documents: Document[]): Promise<void> {
    if (documents.length === 0) return;
    const ids = documents.map(({ _id }) => _id as number | string);
    this.kept.wrote(collection, ids);
    await this.db.collection(collection).insertMany(documents, { ordered: false });
    this.kept.wrote(collection, ids);
    if (collection === 'posts') this.forgetSchedule();
    this.changed();
  }

  /**
   * Replaces a post by what is made of it, at the moment of writing: when somebody else was quicker it is made anew.
   * @returns the post before and after, or null when it is gone
   */
  async changePost(id: number, change: (current: Post) => Post | Promise<Post>): Promise<{ before: Post; after: Post } | null> {
    for (;;) {
      const before = await this.posts.findOne({ _id: id });
      if (!before) return null;
      const after = { ...(await change(before)), version: (before.version ?? 0) + 1 };
      const { matchedCount } = await this.posts.replaceOne({ _id: id, version: before.version ?? { $exists: false } }, after);
      if (matchedCount === 0) continue;
      this.noteSchedule(after);
      this.changed();
      return { before, after };
    }
  }

  async bulkUpdatePosts(operations: AnyBulkWriteOperation<Post>[]): Promise<void> {
    if (operations.length === 0) return;
    await this.posts.bulkWrite(operations, { ordered: false });
    this.forgetSchedule();
    this.changed();
  }

  /** Keeps a copy of everything under a name. @param facts what else is to be known of it */
  saveSnapshot(name: string, facts: Document = {}): Promise<void> {
    return this.kept.save(name, facts);
  }

  hasSnapshot(name: string): Promise<boolean> {
    return this.kept.has(name);
  }

  /** The copies that there are, by name, with their facts. */
  snapshots(): Promise<Map<string, Document>> {
    return this.kept.list();
  }

  deleteSnapshot(name: string): Promise<void> {
    return this.kept.delete(name);
  }

  /**
   * Puts everything back to where it was when the copy was made. What has not changed since is not touched.
   * @param source the store that keeps the copy, when it is another
   */
  async restoreSnapshot(name: string, source: Store = this): Promise<void> {
    const written = this.kept.writtenSince(name, source.kept);
    if (written.size === 0) return;
    try {
      // A store without the copy cannot go on with it after a crash.
      const note = source === this ? await this.begin({ restore: name }, this.kept.unhurried) : null;
      await this.kept.restore(name, source.kept, written);
      if (note) await this.end(note);
    } catch (error) {
      this.kept.forget();
      throw error;
    }
    this.forgetSchedule();
    this.changed();
  }

  /** To be called after whole collections were exchanged, copies included: nothing that was known of them holds any longer. */
  replaced(): void {
    this.kept.replaced();
    this.forgetSchedule();
    this.changed();
  }

  /** Throws the database away, indexes and all. */
  async drop(): Promise<void> {
    await this.db.dropDatabase();
  }
}
