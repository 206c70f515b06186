import type { Document } from 'mongodb';
import type { Database } from './database.js';
import { isOversized } from './errors.js';
import { createIndexes } from './indexes.js';
import { snapshotOf } from './snapshots.js';
import { allDone } from './turns.js';
import type { LastStep, Underway } from './work-log.js';

/** A write that the database refused, by its place in the batch. */
export interface Refusal {
  index: number;
  /** True when another document has the same id. */
  isDuplicate: boolean;
  message: string;
}

interface InsertAnswer {
  writeErrors?: { index: number; code: number; errmsg: string }[];
}

const NO_JOURNAL = { writeConcern: { w: 1, j: false } };
const DUPLICATE = 11_000;
const TOO_LARGE = 'is larger than 16 MB, the most that a document may have';

const refusalOf = ({ index, code, errmsg }: { index: number; code: number; errmsg: string }): Refusal => ({
  index,
  isDuplicate: code === DUPLICATE,
  message: /too large/i.test(errmsg) ? TOO_LARGE : errmsg,
});

/** The indexes that say which slugs are taken. */
const UNIQUE_SLUG = 'posts_unique_slug';
const BY_SLUG = 'posts_by_slug';

/** One of a group of posts that want the same slug. */
export interface SlugRival {
  _id: number;
  type: string;
  slug: string;
  parent: number;
}

type Settle = (rival: SlugRival, isTaken: (slug: string) => Promise<boolean>) => Promise<Document>;

/** Up to so many documents, it is faster to write the differences than to build indexes and exchange whole collections. */
const FEW = 5_000;

/** Names of what is staged begin like this. Names of users' snapshots have no dots. */
const PREFIX = 'load.';

/**
 * Content that is being loaded. It is staged as a snapshot that no list shows, without indexes and without waiting for the journal: loading
 * is fast that way, and whatever goes wrong before all is staged has changed nothing.
 */
export class Staging {
  private readonly name: string;
  private count = 0;

  constructor(
    private readonly database: Database,
    id: string,
  ) {
    this.name = `${PREFIX}${id}`;
  }

  /** Creates the collections. */
  async create(): Promise<void> {
    await Promise.all(this.database.collections.map((collection) => this.database.db.createCollection(this.nameOf(collection))));
  }

  private nameOf(collection: string): string {
    return snapshotOf(this.name, collection);
  }

  /** The copy that becomes a snapshot when the collections themselves become the content. */
  private copyOf(collection: string): string {
    return snapshotOf(`${this.name}.copy`, collection);
  }

  /** Puts documents in. @returns those that were refused */
  async insert(collection: string, documents: readonly Document[]): Promise<Refusal[]> {
    if (documents.length === 0) return [];
    try {
      // Past the driver's bulk writes, which measure every document before it is written.
      const answer = (await this.database.db.command(
        { insert: this.nameOf(collection), documents, ordered: false, ...NO_JOURNAL },
        { ignoreUndefined: true },
      )) as InsertAnswer;
      this.count += documents.length;
      return (answer.writeErrors ?? []).map(refusalOf);
    } catch (error) {
      if (!isOversized(error)) throw error;
      return documents.length === 1 ? [{ index: 0, isDuplicate: false, message: TOO_LARGE }] : this.insertSingly(collection, documents);
    }
  }

  /** Tells which of the documents are too large. */
  private async insertSingly(collection: string, documents: readonly Document[]): Promise<Refusal[]> {
    const refused: Refusal[] = [];
    for (const [index, document] of documents.entries())
      for (const refusal of await this.insert(collection, [document])) refused.push({ ...refusal, index });
    return refused;
  }

  /** Of some ids, those that are there. */
  async present(collection: 'posts', ids: readonly number[]): Promise<Set<number>> {
    const found = this.database.db.collection<{ _id: number }>(this.nameOf(collection)).find({ _id: { $in: [...ids] } });
    return new Set((await found.project({ _id: 1 }).toArray()).map(({ _id }) => _id as number));
  }

  /** The highest id; 0 when there is nothing. */
  async highest(collection: 'posts'): Promise<number> {
    const staged = this.database.db.collection<{ _id: number }>(this.nameOf(collection));
    const [last] = await staged.find().sort({ _id: -1 }).limit(1).toArray();
    return last?._id ?? 0;
  }

  /** The post of a type with a folded title, the oldest first. */
  async titled(type: string, titleKey: string): Promise<number | undefined> {
    const staged = this.database.db.collection<{ _id: number }>(this.nameOf('posts'));
    return (await staged.findOne({ type, titleKey }, { sort: { _id: 1 } }))?._id;
  }

  /** All documents of a collection, in the order of their ids. */
  documents<T extends Document>(collection: string): AsyncIterable<T> {
    const staged = this.database.db.collection(this.nameOf(collection));
    return staged.find({}, { sort: { _id: 1 }, batchSize: 1_000 }) as unknown as AsyncIterable<T>;
  }

  /**
   * Completes what is staged.
   * @param snapshot name of the snapshot that it will be as well, if any
   * @param settle gives another slug to each but the first of those that want the same
   * @returns how it is to replace the content
   */
  async finish(snapshot: string | undefined, settle: Settle): Promise<LastStep> {
    if (this.count <= FEW && (await this.database.db.collection('posts').estimatedDocumentCount()) <= FEW) {
      await this.settleSlugs(settle);
      return 'restore';
    }
    await this.buildIndexes(settle);
    if (snapshot !== undefined) await allDone(this.database.collections.map((collection) => this.copy(collection)));
    return 'swap';
  }

  private async buildIndexes(settle: Settle): Promise<void> {
    const posts = this.database.db.collection(this.nameOf('posts'));
    const { posts: ofPosts, ...indexes } = this.database.indexes;
    const ofSlugs = ofPosts.filter(({ name }) => name === UNIQUE_SLUG || name === BY_SLUG);
    const others = ofPosts.filter((index) => !ofSlugs.includes(index));
    // Slugs first: two posts may want the same one, and then all would have been built for nothing.
    await posts.createIndexes(ofSlugs).catch(async (error: { code?: number }) => {
      if (error.code !== DUPLICATE) throw error;
      await posts.createIndexes(ofSlugs.filter(({ unique }) => !unique));
      await this.settleSlugs(settle);
      await posts.createIndexes(ofSlugs.filter(({ unique }) => unique));
    });
    // Two at a time: the engine builds those of one command one after the other.
    const halves = [0, 1].map((half) => others.filter((_, index) => index % 2 === half));
    await allDone([
      ...halves.map((half) => posts.createIndexes(half)),
      ...Object.entries(indexes).map(([name, all]) => createIndexes(this.database.db.collection(this.nameOf(name)), all)),
    ]);
  }

  private async settleSlugs(settle: Settle): Promise<void> {
    const posts = this.database.db.collection<SlugRival & { slugKey?: string }>(this.nameOf('posts'));
    const groups = posts.aggregate<{ _id: { type: string; slugKey: string } }>(
      [
        { $match: { slugKey: { $exists: true } } },
        { $group: { _id: { type: '$type', slugKey: '$slugKey' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ],
      { allowDiskUse: true },
    );
    for await (const { _id: key } of groups) {
      const [, ...rivals] = await posts.find(key).sort({ _id: 1 }).project<SlugRival>({ type: 1, slug: 1, parent: 1 }).toArray();
      const isTaken = async (slug: string): Promise<boolean> =>
        (await posts.findOne({ type: key.type, slug }, { projection: { _id: 1 } })) !== null;
      for (const rival of rivals) await posts.updateOne({ _id: rival._id }, { $set: await settle(rival, isTaken) });
    }
  }

  private async copy(collection: string): Promise<void> {
    const staged = this.database.db.collection(this.nameOf(collection));
    await staged.aggregate([{ $match: {} }, { $out: this.copyOf(collection) }]).toArray();
  }

  /** Replaces the content by what is staged. To be called until it succeeds: what was moved is not there to be moved again. */
  async commit({ settled, snapshot }: Underway): Promise<void> {
    const { db, collections, snapshots } = this.database;
    const present = new Set(await stagedNames(this.database, this.name));
    const move = async (from: string, to: string): Promise<void> => {
      if (present.has(from)) await db.collection(from).rename(to, { dropTarget: true });
    };
    for (const collection of collections) {
      const copy = settled === 'swap' ? this.copyOf(collection) : this.nameOf(collection);
      if (snapshot !== undefined) await move(copy, snapshotOf(snapshot, collection));
      if (settled === 'swap') await move(this.nameOf(collection), collection);
    }
    this.database.replaced();
    if (settled === 'restore') await snapshots.restore(snapshot ?? this.name, snapshots, true);
  }

  /** Deletes what is there of it. */
  async drop(): Promise<void> {
    await dropStaged(this.database, this.name);
  }
}

/** Names of the collections that are staged under a name. */
async function stagedNames({ db }: Database, name: string): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map((collection) => collection.name).filter((collection) => collection.startsWith(snapshotOf(name, '')));
}

/** Deletes all that is staged. */
export async function dropStaged(database: Database, name = PREFIX.slice(0, -1)): Promise<void> {
  await allDone((await stagedNames(database, name)).map((collection) => database.db.collection(collection).drop()));
}

/** Work that is noted as begun: a load. */
export type StagedLoad = Underway & { staging: string };

/** Loads that are noted as begun. */
export const stagedLoads = (notes: readonly Underway[]): StagedLoad[] =>
  notes.filter((note): note is StagedLoad => note.staging !== undefined);
