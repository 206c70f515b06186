import type { Document } from 'mongodb';
import type { Database } from './database.js';
import { createIndexes } from './indexes.js';
import type { Underway } from './work-log.js';

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

/** Waits for all works, also when one of them fails: the others would go on after everything was thrown away. */
async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

type Settle = (rival: SlugRival, isTaken: (slug: string) => Promise<boolean>) => Promise<Document>;

/**
 * Collections in which a load is staged, without indexes and without waiting for the journal: loading is fast that way, and whatever
 * goes wrong before all is staged has changed nothing.
 */
export class Staging<S extends Database = Database> {
  private constructor(
    readonly store: S,
    readonly id: string,
  ) {}

  /** Creates the collections. */
  static async create<S extends Database>(store: S, id: string): Promise<Staging<S>> {
    const staging = new Staging(store, id);
    await Promise.all(store.collections.map((collection) => store.db.createCollection(staging.nameOf(collection))));
    return staging;
  }

  /** What is staged under a name. */
  static of<S extends Database>(store: S, id: string): Staging<S> {
    return new Staging(store, id);
  }

  nameOf(collection: string): string {
    return `load.${this.id}.${collection}`;
  }

  /** Puts documents in. @returns those that were refused */
  async insert(collection: string, documents: readonly Document[]): Promise<Refusal[]> {
    if (documents.length === 0) return [];
    // Past the driver's bulk writes, which measure every document before it is written.
    const answer = (await this.store.db.command(
      { insert: this.nameOf(collection), documents, ordered: false, ...NO_JOURNAL },
      { ignoreUndefined: true },
    )) as InsertAnswer;
    return (answer.writeErrors ?? []).map(({ index, code, errmsg }) => ({ index, isDuplicate: code === DUPLICATE, message: errmsg }));
  }

  /** Of some ids, those that are there. */
  async present(collection: 'posts', ids: readonly number[]): Promise<Set<number>> {
    const found = this.store.db.collection<{ _id: number }>(this.nameOf(collection)).find({ _id: { $in: [...ids] } });
    return new Set((await found.project({ _id: 1 }).toArray()).map(({ _id }) => _id as number));
  }

  /** The highest id; 0 when there is nothing. */
  async highest(collection: 'posts'): Promise<number> {
    const [last] = await this.store.db.collection<{ _id: number }>(this.nameOf(collection)).find().sort({ _id: -1 }).limit(1).toArray();
    return last?._id ?? 0;
  }

  /** The post of a type with a folded title, the oldest first. */
  async titled(type: string, titleKey: string): Promise<number | undefined> {
    const found = await this.store.db.collection<{ _id: number }>(this.nameOf('posts')).findOne({ type, titleKey }, { sort: { _id: 1 } });
    return found?._id;
  }

  /** All documents of a collection, in the order of their ids. */
  documents<T extends Document>(collection: string): AsyncIterable<T> {
    return this.store.db
      .collection(this.nameOf(collection))
      .find({}, { sort: { _id: 1 }, batchSize: 1_000 }) as unknown as AsyncIterable<T>;
  }

  /**
   * Builds the indexes, and copies what lies ready to where the snapshot of a name will be.
   * @param settle gives rivals for a slug other ones; each but the first of those that want the same
   */
  async finish(snapshot: string, settle: Settle): Promise<void> {
    const posts = this.store.db.collection(this.nameOf('posts'));
    const { posts: ofPosts, ...indexes } = this.store.indexes;
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
      ...Object.entries(indexes).map(([name, all]) => createIndexes(this.store.db.collection(this.nameOf(name)), all)),
      ...this.store.collections.map((collection) => this.copy(collection, snapshot)),
    ]);
  }

  private async settleSlugs(settle: Settle): Promise<void> {
    const posts = this.store.db.collection<SlugRival & { slugKey?: string }>(this.nameOf('posts'));
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

  private async copy(collection: string, snapshot: string): Promise<void> {
    await this.store.db
      .collection(this.nameOf(collection))
      .aggregate([{ $match: {} }, { $out: `${this.nameOf(collection)}.${snapshot}` }])
      .toArray();
  }

  /**
   * Replaces the content by what is staged, and the snapshot of a name by its copy. To be called until it succeeds: what was moved is
   * not there to be moved again.
   */
  async swapIn(snapshot: string): Promise<void> {
    const present = await this.names();
    for (const collection of this.store.collections) {
      await this.move(present, `${this.nameOf(collection)}.${snapshot}`, `snapshot.${snapshot}.${collection}`);
      await this.move(present, this.nameOf(collection), collection);
    }
    this.store.replaced();
  }

  private async move(present: ReadonlySet<string>, from: string, to: string): Promise<void> {
    if (present.has(from)) await this.store.db.collection(from).rename(to, { dropTarget: true });
  }

  /** Names of the collections that there are of it. */
  private async names(): Promise<Set<string>> {
    const found = await this.store.db.listCollections({}, { nameOnly: true }).toArray();
    return new Set(found.map(({ name }) => name).filter((name) => name.startsWith(`load.${this.id}.`)));
  }

  /** Throws away what is there of it. */
  async drop(): Promise<void> {
    for (const name of await this.names()) await this.store.db.collection(name).drop();
  }
}

/** Loads that are noted as begun. */
export const stagedLoads = (notes: readonly Underway[]): (Underway & { staging: string })[] =>
  notes.filter((note): note is Underway & { staging: string } => note.staging !== undefined);
