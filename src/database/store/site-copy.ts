import { BSON, type Document } from 'mongodb';
import type { Database } from './database.js';
import { differences } from './differences.js';
import { migrateSets } from './format.js';
import { createIndexes } from './indexes.js';
import { settleAll } from './locks.js';
import { copyAt, copyCollection, FACTS, partOf, type CopyRow } from './copies.js';
import { insertStaged, swapIn } from './staging.js';
import { asBytes } from './reads.js';
import { messageOf } from '../../base/values/errors.js';

/** A collection of a site: of its content, or of a snapshot. */
export interface SitePart {
  /** Name of the snapshot; `''`: the content. */
  snapshot: string;
  /** Name in the content: `posts`, or `facts` for the metadata of a snapshot. */
  part: string;
}

/** A part and the name of the collection with its documents. */
export type StoredPart = SitePart & { collection: string };

/** Other processes kept writing to the database, so that no consistent copy was possible. */
export class SiteBusy extends Error {
  override readonly name = 'SiteBusy';
  constructor() {
    super('Other servers write to the database all the time. Stop them, or wait until they are idle, and try again.');
  }
}

/** How often a database that others write to is copied before giving up. */
const MAX_COPIES = 5;

/** Prefix of the staged names of snapshots. */
const OF = 'of.';

/** Keeps the types of numbers: a value is stored again with the bytes that it had. */
const EXACT = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

const describePart = ({ snapshot, part }: SitePart): string => (snapshot === '' ? part : `${part} of snapshot ${snapshot}`);

/** An invalid document, or one that the database rejects, for example for a duplicate id. */
export class RejectedDocument extends Error {
  override readonly name = 'RejectedDocument';
}

function decode(part: SitePart, raw: Uint8Array): Document {
  try {
    return BSON.deserialize(raw, EXACT);
  } catch (error) {
    throw new RejectedDocument(`${describePart(part)}: ${messageOf(error)}`);
  }
}

const contentParts = ({ collections }: Database): StoredPart[] => collections.map((part) => ({ snapshot: '', part, collection: part }));

const snapshotParts = ({ collections }: Database, { _id: snapshot, at }: CopyRow): StoredPart[] =>
  [...collections, FACTS].map((part) => ({ snapshot, part, collection: partOf(at, part) }));

/** The collections of the content and of all snapshots. */
export async function partsOf(database: Database): Promise<StoredPart[]> {
  const snapshots = await database.snapshots.copies.list();
  return [...contentParts(database), ...snapshots.flatMap((row) => snapshotParts(database, row))];
}

/** The documents of a collection as they are stored, in the order of their ids. */
export async function* rawDocumentsOf({ db }: Database, collection: string): AsyncGenerator<Buffer> {
  const found = db.collection(collection).find({}, { raw: true, sort: { _id: 1 }, batchSize: 1_000 });
  for await (const raw of found) yield* asBytes([raw]);
}

/**
 * A staged copy of a whole site, with its snapshots: made from the site for a backup, or from a backup to replace the site. Like staged
 * loads (`staging.ts`) it belongs to an entry of the work log, for recovery after a crash.
 */
export class SiteCopy {
  private readonly at: string;

  constructor(
    private readonly database: Database,
    id: string,
  ) {
    this.at = copyAt(id);
  }

  private stagedName({ snapshot, part }: SitePart): string {
    return partOf(snapshot === '' ? this.at : this.copyAt(snapshot), part);
  }

  /** The location of the staged copy of a snapshot, which stays the same once it belongs to the site. */
  private copyAt(snapshot: string): string {
    return partOf(this.at, `${OF}${snapshot}`);
  }

  /**
   * Copies a consistent state of the site. If only this process writes to the database, it must not write meanwhile; otherwise the copy is
   * repeated until nothing changed in between.
   * @throws SiteBusy if something changes each time
   */
  async take(): Promise<StoredPart[]> {
    const { database } = this;
    const parts = contentParts(database);
    await this.untilUnchanged(async () => {
      await this.copy(parts);
      return !database.shared || this.isUnchanged(parts);
    });
    for (const { _id: snapshot } of await database.snapshots.copies.list())
      await this.untilUnchanged(async () => {
        const at = await database.snapshots.copies.find(snapshot);
        if (at === null) return true;
        const copied = snapshotParts(database, { _id: snapshot, at });
        await this.copy(copied);
        const isListed = (await database.snapshots.copies.find(snapshot)) === at;
        if (isListed) parts.push(...copied);
        return isListed;
      });
    return parts.map((part) => ({ ...part, collection: this.stagedName(part) }));
  }

  /** @param copy returns whether what it has copied did not change meanwhile */
  private async untilUnchanged(copy: () => Promise<boolean>): Promise<void> {
    for (let copies = 1; !(await copy()); copies += 1) if (copies === MAX_COPIES) throw new SiteBusy();
  }

  private copy(parts: readonly StoredPart[]): Promise<void> {
    return settleAll(parts.map((part) => copyCollection(this.database.db, part.collection, this.stagedName(part))));
  }

  /** Compares each collection after all were copied: if none differs, the copies are consistent. */
  private async isUnchanged(parts: readonly StoredPart[]): Promise<boolean> {
    const { db } = this.database;
    for (const part of parts) {
      const [copy, current] = [this.stagedName(part), part.collection].map((name) => db.collection<{ _id: number | string }>(name));
      const { strays, missing } = await differences(copy, current);
      if (strays.length + missing.length > 0) return false;
    }
    return true;
  }

  /** Creates the collections. @param snapshots names of the snapshots */
  async create(snapshots: readonly string[]): Promise<void> {
    const ofSnapshots = snapshots.flatMap((_id) => snapshotParts(this.database, { _id, at: this.copyAt(_id) }));
    const names = [...contentParts(this.database), ...ofSnapshots].map((part) => this.stagedName(part));
    await settleAll(names.map((name) => this.database.db.createCollection(name)));
  }

  /** Inserts documents as they were stored, without waiting for the journal. @throws RejectedDocument */
  async insert(part: SitePart, documents: readonly Uint8Array[]): Promise<void> {
    const decoded = documents.map((raw) => decode(part, raw));
    const [error] = await insertStaged(this.database, this.stagedName(part), decoded);
    if (error) throw new RejectedDocument(`${describePart(part)}: ${error.message}`);
  }

  /**
   * Completes a staged site: converts it to the format of this version and builds its indexes.
   * @param format the format that it has
   */
  async complete(snapshots: readonly string[], format: number): Promise<void> {
    const prefixes = ['', ...snapshots].map((snapshot) => this.stagedName({ snapshot, part: '' }));
    const { db, indexes } = this.database;
    await migrateSets(db, prefixes, format);
    await settleAll(
      Object.entries(indexes).map(async ([part, all]) => createIndexes(db.collection(this.stagedName({ snapshot: '', part })), all)),
    );
  }

  /** How many documents are staged. */
  count(part: SitePart): Promise<number> {
    return this.database.db.collection(this.stagedName(part)).countDocuments();
  }

  /** Replaces the site with the staged one. Idempotent: retry until it succeeds. @param snapshots names of its snapshots */
  async commit(snapshots: readonly string[]): Promise<void> {
    const { database } = this;
    const { copies } = database.snapshots;
    await swapIn(database, this.at);
    for (const { _id } of await copies.list()) if (!snapshots.includes(_id)) await copies.delete(_id);
    for (const name of snapshots) await copies.put(name, this.copyAt(name));
  }
}
