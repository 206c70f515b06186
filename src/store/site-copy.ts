import { BSON, type Document } from 'mongodb';
import type { Database } from './database.js';
import { differences } from './differences.js';
import { migrateSets } from './format.js';
import { createIndexes } from './indexes.js';
import { settleAll } from './locks.js';
import { copyCollection, FACTS, markersLast, snapshotOf } from './snapshots.js';
import { stagedFor, stagedOf, unjournaled } from './staging.js';

/** A collection of a site: of its content, or of a snapshot. */
export interface SitePart {
  /** Name of the snapshot; `''`: the content. */
  snapshot: string;
  /** Name in the content: `posts`, or `facts` for the metadata of a snapshot. */
  part: string;
}

/** A part and the name of the collection with its documents. */
export type StoredPart = SitePart & { collection: string };

/** The database is written to by other processes, so that there was no moment to copy it. */
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

const nameOf = ({ snapshot, part }: SitePart): string => (snapshot === '' ? part : snapshotOf(snapshot, part));

/** The collections of the content and of all snapshots. */
export async function partsOf({ collections, snapshots }: Database): Promise<StoredPart[]> {
  const names = [...(await snapshots.list()).keys()];
  const parts = [
    ...collections.map((part) => ({ snapshot: '', part })),
    ...names.flatMap((snapshot) => [...collections, FACTS].map((part) => ({ snapshot, part }))),
  ];
  return parts.map((part) => ({ ...part, collection: nameOf(part) }));
}

/** The documents of a collection as they are stored, in the order of their ids. */
export async function* rawDocuments({ db }: Database, collection: string): AsyncGenerator<Buffer> {
  const found = db.collection(collection).find({}, { raw: true, sort: { _id: 1 }, batchSize: 1_000 });
  for await (const raw of found) yield raw as unknown as Buffer;
}

/**
 * A staged copy of a whole site, with its snapshots: made from the site for a backup, or from a backup to replace the site. Like staged
 * loads (`staging.ts`) it belongs to an entry of the work log, which recovery after a crash goes by.
 */
export class SiteCopy {
  constructor(
    private readonly database: Database,
    private readonly id: string,
  ) {}

  private stagedName({ snapshot, part }: SitePart): string {
    return stagedOf(this.id, snapshot === '' ? part : `${OF}${snapshot}.${part}`);
  }

  /**
   * Copies the site as it is at one moment. Where this process alone writes to the database, nobody may write meanwhile; where others do, it
   * is copied until nothing changed in between.
   * @throws SiteBusy if something always does
   */
  async take(): Promise<StoredPart[]> {
    for (let copies = 1; ; copies += 1) {
      const parts = await partsOf(this.database);
      await settleAll(parts.map((part) => this.copy(part)));
      if (!this.database.shared || (await this.isUnchanged(parts)))
        return parts.map((part) => ({ ...part, collection: this.stagedName(part) }));
      if (copies === MAX_COPIES) throw new SiteBusy();
    }
  }

  private async copy(part: StoredPart): Promise<void> {
    await copyCollection(this.database.db, part.collection, this.stagedName(part));
  }

  /** Each collection is read after all were copied: if none differs, the copies have what the site had when the last one was made. */
  private async isUnchanged(parts: readonly StoredPart[]): Promise<boolean> {
    const { db } = this.database;
    for (const part of parts) {
      const [copy, current] = [this.stagedName(part), part.collection].map((name) => db.collection<{ _id: number | string }>(name));
      const { strays, missing } = await differences(copy, current);
      if (strays.length + missing.length > 0) return false;
    }
    return (await partsOf(this.database)).length === parts.length;
  }

  /** Creates the collections. @param snapshots names of the snapshots */
  async create(snapshots: readonly string[]): Promise<void> {
    const { db, collections } = this.database;
    const parts = [
      ...collections.map((part) => ({ snapshot: '', part })),
      ...snapshots.flatMap((snapshot) => [...collections, FACTS].map((part) => ({ snapshot, part }))),
    ];
    await settleAll(parts.map((part) => db.createCollection(this.stagedName(part))));
  }

  /** Inserts documents as they were stored, without waiting for the journal. @throws Error if one is rejected */
  async insert(part: SitePart, documents: readonly Uint8Array[]): Promise<void> {
    const decoded = documents.map((raw) => BSON.deserialize(raw, EXACT));
    const reply: Document = await this.database.db.command({
      insert: this.stagedName(part),
      documents: decoded,
      ordered: false,
      ...unjournaled(this.database),
    });
    const [error] = (reply['writeErrors'] ?? []) as { errmsg: string }[];
    if (error) throw new Error(`${nameOf(part)}: ${error.errmsg}`);
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
    const staged = stagedOf(this.id, '');
    for (const name of (await database.snapshots.list()).keys()) if (!snapshots.includes(name)) await database.snapshots.delete(name);
    await database.replacing(async () => {
      for (const from of markersLast(await stagedFor(database, this.id))) {
        const rest = from.slice(staged.length);
        const to = rest.startsWith(OF) ? `snapshot.${rest.slice(OF.length)}` : rest;
        await database.db.collection(from).rename(to, { dropTarget: true });
      }
      database.collectionsReplaced();
    });
  }
}
