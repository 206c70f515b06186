import { BSON, type Collection, type Db, type Document } from 'mongodb';
import { LIMITS, storedOf, type Content } from './local/database.js';
import type { Memory } from '../memory/index.js';
import type { Mark } from '../memory/state.js';
import { settleAll } from './locks.js';
import { retryRead, asBytes } from './reads.js';

type Id = number | string;

/** A snapshot: its name, and the unique prefix of the collections with its copy. */
export interface CopyRow {
  _id: string;
  at: string;
}

/** A document of a snapshot, to be written back. */
interface CopiedDocument {
  document: Document & { _id: Id };
  bytes: number;
}

/** The collection that lists the snapshots. */
export const SNAPSHOTS = 'snapshots';

/** The collection of a snapshot's metadata, besides the copied collections. */
export const FACTS = 'facts';

/** Prefix of all new copies. */
export const COPIES = 'snapshot.load.';

/** Prefix of the collections of a copy. */
export const copyAt = (id: string): string => `${COPIES}${id}`;

/** The name of a collection of a copy. */
export const partOf = (at: string, collection: string): string => `${at}.${collection}`;

/** Copies a collection, or the one that replaces it meanwhile. */
export const copyCollection = (db: Db, from: string, to: string): Promise<unknown> =>
  retryRead(() =>
    db
      .collection(from)
      .aggregate([{ $match: {} }, { $out: to }])
      .toArray(),
  );

/** A snapshot does not exist, or no longer exists. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot';
  constructor(name: string) {
    super(`Snapshot ${JSON.stringify(name)} does not exist.`);
  }
}

/**
 * The copies of a database's content that its snapshots have. A list has the copy of each snapshot: one write replaces a snapshot, and a
 * copy never changes as long as it is listed.
 */
export class Copies {
  private readonly known = new Map<string, string>();
  /** How often snapshots were replaced or deleted. */
  private replaced = 0;
  /** The known states of copies. Shared by all databases that restore from them. */
  readonly marks = new Map<string, Mark>();
  /** The content of copies, for databases in memory that share it. */
  private readonly contents = new Map<string, Promise<Content | null>>();
  private readonly rows: Collection<CopyRow>;

  constructor(
    readonly db: Db,
    private readonly collections: readonly string[],
    /** Whether other processes write to the database too. */
    readonly shared: boolean,
    private readonly memory: Memory['documents'],
  ) {
    this.rows = db.collection(SNAPSHOTS);
  }

  /** Identifies a copy across all databases. */
  identityOf(at: string): string {
    return `${this.db.databaseName} ${at}`;
  }

  /** All snapshots, by name. */
  list(): Promise<CopyRow[]> {
    return this.rows.find({}, { sort: { _id: 1 } }).toArray();
  }

  /** The location of the copy of a snapshot; null if the snapshot does not exist. */
  async find(name: string): Promise<string | null> {
    const known = this.known.get(name);
    if (known !== undefined && !this.shared) return known;
    const since = this.replaced;
    const at = (await this.rows.findOne({ _id: name }))?.at ?? null;
    if (since === this.replaced) this.learn(name, at);
    return at;
  }

  /** Makes a complete copy the snapshot with a name, and deletes its previous copy. Can be repeated. */
  async put(name: string, at: string): Promise<void> {
    const before = await this.rows.findOneAndUpdate({ _id: name }, { $set: { at } }, { upsert: true });
    this.replaced += 1;
    this.learn(name, at);
    // Last, so that a reader that finds the copy still listed has read all of it.
    if (before && before.at !== at) await this.drop(before.at);
  }

  async delete(name: string): Promise<void> {
    const before = await this.rows.findOneAndDelete({ _id: name });
    this.replaced += 1;
    this.learn(name, null);
    if (before) await this.drop(before.at);
  }

  private drop(at: string): Promise<void> {
    return settleAll([...this.collections, FACTS].map((collection) => this.db.collection(partOf(at, collection)).drop()));
  }

  private learn(name: string, at: string | null): void {
    const before = this.known.get(name);
    if (at === null) this.known.delete(name);
    else this.known.set(name, at);
    if (before === undefined || before === at) return;
    this.marks.delete(before);
    this.contents.delete(before);
  }

  /** The metadata of a copy. */
  factsAt(at: string): Promise<Document | null> {
    return retryRead(() => this.db.collection<{ _id: string }>(partOf(at, FACTS)).findOne({ _id: FACTS }));
  }

  /** Documents of a copy. @param ids absent: all */
  documents<T extends { _id: Id } = { _id: Id }>(at: string, collection: string, ids?: readonly Id[]): Promise<T[]> {
    const filter = ids ? { _id: { $in: [...ids] } } : {};
    return retryRead(() => this.collection(at, collection).find<T>(filter).toArray());
  }

  collection(at: string, collection: string): Collection<{ _id: Id }> {
    return this.db.collection(partOf(at, collection));
  }

  /** All documents of a copy, read once; null: they are too many to hold. */
  contentOf(at: string): Promise<Content | null> {
    const content = this.contents.get(at) ?? this.readContent(at);
    this.contents.set(at, content);
    content.catch(() => this.contents.delete(at));
    return content;
  }

  private async readContent(at: string): Promise<Content | null> {
    const counts = await Promise.all(this.collections.map((name) => this.collection(at, name).estimatedDocumentCount()));
    if (counts.some((count) => count >= LIMITS.documents)) return null;
    const read = async (name: string): Promise<[string, ReturnType<typeof storedOf>]> => {
      const found = await retryRead(() =>
        this.collection(at, name)
          .find({}, { raw: true, sort: { _id: 1 } })
          .toArray(),
      );
      return [name, storedOf(asBytes(found))];
    };
    return new Map(await Promise.all(this.collections.map(read)));
  }

  /** Documents of a copy, to be written back. Cached, since tests write to the same ones repeatedly. */
  async originalsOf(at: string, collection: string, ids: readonly Id[]): Promise<CopiedDocument[]> {
    const from = partOf(at, collection);
    const keyOf = (id: Id): string => `${this.identityOf(from)} ${JSON.stringify(id)}`;
    // Null: the copy does not have it.
    const known = new Map(ids.map((id) => [id, this.memory.get(keyOf(id)) as CopiedDocument | null | undefined]));
    const missing = ids.filter((id) => known.get(id) === undefined);
    if (missing.length > 0) {
      const found = await retryRead(() =>
        this.collection(at, collection)
          .find({ _id: { $in: missing } }, { raw: true })
          .toArray(),
      );
      for (const id of missing) known.set(id, null);
      for (const raw of asBytes(found)) {
        const document = BSON.deserialize(raw) as CopiedDocument['document'];
        known.set(document._id, { document, bytes: raw.length });
      }
      for (const id of missing) this.memory.set(keyOf(id), known.get(id), 2 * (known.get(id)?.bytes ?? 0));
    }
    return [...known.values()].filter((original) => original !== null && original !== undefined);
  }
}
