import type { Collection, Document } from 'mongodb';
import type { Database } from './database.js';
import { isOversized } from './errors.js';
import { createIndexes } from './indexes.js';
import { COPIES, copyAt, copyCollection, partOf } from './copies.js';
import { settleAll } from './locks.js';
import type { LastStep, Lease } from './work-log.js';

export interface InsertError {
  index: number;
  /** Whether another document has the same id. */
  isDuplicate: boolean;
  message: string;
}

const DUPLICATE = 11_000;
const TOO_LARGE = 'is larger than 16 MB, the maximum size of a document';

interface Reply {
  writeErrors?: { index: number; code: number; errmsg: string }[];
}

/**
 * Inserts documents without waiting for the journal: in a shared database, such a write may be lost unnoticed.
 * @returns an error for each document that could not be inserted
 */
export async function insertStaged({ shared, db }: Database, collection: string, documents: readonly Document[]): Promise<InsertError[]> {
  // The database takes no empty command.
  if (documents.length === 0) return [];
  const { w, journal: j } = (shared ? db.writeConcern : null) ?? { w: 1, journal: false };
  // Bypasses the driver's bulk writes, which measure every document first.
  const command = { insert: collection, documents, ordered: false, writeConcern: { w, j } };
  const { writeErrors = [] } = (await db.command(command, { ignoreUndefined: true })) as Reply;
  return writeErrors.map(({ index, code, errmsg }) => ({
    index,
    isDuplicate: code === DUPLICATE,
    message: /too large/i.test(errmsg) ? TOO_LARGE : errmsg,
  }));
}

/** The names of the indexes on slugs. */
const UNIQUE_SLUG = 'posts_unique_slug';
const BY_SLUG = 'posts_by_slug';

/** One of several posts with the same slug. */
export interface SlugConflict {
  _id: number;
  type: string;
  slug: string;
  parent: number;
}

/** Returns the fields to set, with another slug. */
type ResolveSlug = (post: SlugConflict, isTaken: (slug: string) => Promise<boolean>) => Promise<Document>;

/** Up to this many documents, writing the differences is faster than building indexes and swapping whole collections. */
const MAX_RESTORED = 5_000;

/**
 * Stages content as a copy that is not yet a snapshot, without indexes and without waiting for the journal. This makes loading fast, and an
 * error changes nothing until everything is staged.
 */
export class Staging {
  private readonly at: string;
  private count = 0;

  constructor(
    private readonly database: Database,
    id: string,
  ) {
    this.at = copyAt(id);
  }

  async create(): Promise<void> {
    await settleAll(this.database.collections.map((collection) => this.database.db.createCollection(this.nameOf(collection))));
  }

  private nameOf(collection: string): string {
    return partOf(this.at, collection);
  }

  private collection<T extends Document = { _id: number }>(name: string): Collection<T> {
    return this.database.db.collection(this.nameOf(name));
  }

  /** The copy that becomes a snapshot if the staged collections themselves become the content. */
  private get copyAt(): string {
    return `${this.at}.copy`;
  }

  /** Inserts documents. @returns an error for each document that could not be inserted */
  async insert(collection: string, documents: readonly Document[]): Promise<InsertError[]> {
    try {
      const errors = await insertStaged(this.database, this.nameOf(collection), documents);
      this.count += documents.length;
      return errors;
    } catch (error) {
      if (!isOversized(error)) throw error;
      if (documents.length === 1) return [{ index: 0, isDuplicate: false, message: TOO_LARGE }];
      // One by one, to find out which of them are too large.
      const errors: InsertError[] = [];
      for (const [index, document] of documents.entries())
        for (const each of await this.insert(collection, [document])) errors.push({ ...each, index });
      return errors;
    }
  }

  /** The ids that exist, out of the given ones. */
  async present(collection: 'posts', ids: readonly number[]): Promise<Set<number>> {
    const found = this.collection(collection).find({ _id: { $in: [...ids] } });
    return new Set((await found.project({ _id: 1 }).toArray()).map(({ _id }) => _id as number));
  }

  /** The highest id; 0 if the collection is empty. */
  async highest(collection: 'posts'): Promise<number> {
    return (await this.collection(collection).findOne({}, { sort: { _id: -1 } }))?._id ?? 0;
  }

  /** The lowest id of the documents that match a filter. */
  async find(collection: string, filter: object): Promise<number | undefined> {
    return (await this.collection(collection).findOne(filter, { sort: { _id: 1 } }))?._id;
  }

  /** All documents of a collection, ordered by id. */
  documents<T extends Document>(collection: string): AsyncIterable<T> {
    return this.collection(collection).find<T>({}, { sort: { _id: 1 }, batchSize: 1_000 });
  }

  /**
   * Completes the staged content: makes slugs unique and, where needed, builds indexes.
   * @param snapshot name of a snapshot to save as well
   * @param resolveSlug chooses another slug; called for all but the first of several posts with the same slug
   * @returns how the staged content is to replace the content
   */
  async finish(snapshot: string | undefined, resolveSlug: ResolveSlug): Promise<LastStep> {
    const count = (): Promise<number> => this.database.collection('posts').estimatedDocumentCount();
    if (this.count <= MAX_RESTORED && (await count()) <= MAX_RESTORED) {
      await this.resolveSlugConflicts(resolveSlug);
      return 'restore';
    }
    await this.buildIndexes(resolveSlug);
    if (snapshot === undefined) return 'swap';
    const { db, collections } = this.database;
    await settleAll(collections.map((name) => copyCollection(db, this.nameOf(name), partOf(this.copyAt, name))));
    return 'swap';
  }

  private async buildIndexes(resolveSlug: ResolveSlug): Promise<void> {
    const posts = this.collection('posts');
    const { posts: ofPosts, ...indexes } = this.database.indexes;
    const ofSlugs = ofPosts.filter(({ name }) => name === UNIQUE_SLUG || name === BY_SLUG);
    const others = ofPosts.filter((index) => !ofSlugs.includes(index));
    // Slugs first: a conflict would make the other builds useless.
    await posts.createIndexes(ofSlugs).catch(async (error: { code?: number }) => {
      if (error.code !== DUPLICATE) throw error;
      await posts.createIndexes(ofSlugs.filter(({ unique }) => !unique));
      await this.resolveSlugConflicts(resolveSlug);
      await posts.createIndexes(ofSlugs.filter(({ unique }) => unique));
    });
    // Two commands in parallel: the engine builds the indexes of one command one after another.
    const halves = [0, 1].map((half) => others.filter((_, index) => index % 2 === half));
    await settleAll([
      ...halves.map((half) => posts.createIndexes(half)),
      ...Object.entries(indexes).map(([name, all]) => createIndexes(this.collection<Document>(name), all)),
    ]);
  }

  private async resolveSlugConflicts(resolveSlug: ResolveSlug): Promise<void> {
    const posts = this.collection<SlugConflict & { slugKey?: string }>('posts');
    const groups = posts.aggregate<{ _id: { type: string; slugKey: string } }>(
      [
        { $match: { slugKey: { $exists: true } } },
        { $group: { _id: { type: '$type', slugKey: '$slugKey' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ],
      { allowDiskUse: true },
    );
    for await (const { _id: key } of groups) {
      const [, ...others] = await posts.find(key).sort({ _id: 1 }).project<SlugConflict>({ type: 1, slug: 1, parent: 1 }).toArray();
      const isTaken = async (slug: string): Promise<boolean> =>
        (await posts.findOne({ type: key.type, slug }, { projection: { _id: 1 } })) !== null;
      for (const post of others) await posts.updateOne({ _id: post._id }, { $set: await resolveSlug(post, isTaken) });
    }
  }

  /** Replaces the content with the staged content. Idempotent: retry until it succeeds. */
  async commit({ settled, snapshot }: Lease): Promise<void> {
    const { snapshots } = this.database;
    if (settled === 'restore') {
      if (snapshot === undefined) return snapshots.restoreCopy(this.at);
      await snapshots.copies.put(snapshot, this.at);
      return snapshots.restore(snapshot, snapshots, { isLogged: true });
    }
    await swapIn(this.database, this.at, snapshot === undefined ? undefined : this.copyAt);
    if (snapshot !== undefined) await snapshots.copies.put(snapshot, this.copyAt);
  }
}

async function stagedNames({ db }: Database, at: string): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map((collection) => collection.name).filter((collection) => collection.startsWith(at));
}

/** Replaces the content with the collections of a copy. Can be repeated: those that are missing were renamed already. @param same a further copy */
export const swapIn = (database: Database, at: string, same?: string): Promise<void> =>
  database.replacing(async () => {
    const staged = await stagedNames(database, at);
    for (const name of database.collections) {
      const from = partOf(at, name);
      if (staged.includes(from)) await database.db.collection(from).rename(name, { dropTarget: true });
    }
    database.collectionsReplaced(same);
  });

/** The names of the collections of copies that are neither snapshots nor under way. */
export async function strays(database: Database): Promise<string[]> {
  // In this order: the entry of a copy exists before its collections, and until it is listed.
  const names = await stagedNames(database, COPIES);
  if (names.length === 0) return [];
  const loads = stagedLoads(await database.workLog.unfinished()).map(({ staging }) => copyAt(staging));
  const listed = (await database.snapshots.copies.list()).map(({ at }) => at);
  return names.filter((name) => ![...loads, ...listed].some((at) => name.startsWith(partOf(at, ''))));
}

/** Deletes copies that are neither snapshots nor under way. */
export async function dropStrays(database: Database): Promise<void> {
  await settleAll((await strays(database)).map((collection) => database.db.collection(collection).drop()));
}

/** A work log entry of a load. */
export type StagedLoad = Lease & { staging: string };

export const stagedLoads = (entries: readonly Lease[]): StagedLoad[] =>
  entries.filter((entry): entry is StagedLoad => entry.staging !== undefined);
