import { BSON, type Db, type Document } from 'mongodb';
import { allDone } from './turns.js';
import type { WorkLog, WriteOptions } from './work-log.js';

/** The documents of each collection that were written to; null: they may be any. */
type Written = Map<string, Set<number | string> | null>;

/** What was written since everything was as a snapshot (`identityOf`). */
interface Changes {
  snapshot: string;
  written: Written;
}

/** Documents that are looked for one by one; of more, all are read. */
const MOST_SINGLE = 500;

/** How many documents of a collection are kept in memory. */
const MOST_KEPT = 5_000;

/** What a copy of everything has besides its collections. */
const FACTS = 'facts';

/** The collection that every database has. */
const MARKER = 'counters';

/** The collection that holds a part of a snapshot. */
export const snapshotOf = (name: string, collection: string): string => `snapshot.${name}.${collection}`;

/** Copies of everything in a database, below names, and the way back to them. What has not changed since is not touched. */
export class Snapshots {
  /** Null while it is not known. */
  private changes: Changes | null = null;
  /** Small collections of snapshots as they were read, by collection, for every database that goes back to them. */
  private readonly copies = new Map<string, Map<string, Uint8Array>>();
  /** How often snapshots were saved or deleted: a snapshot of the same name may be another. */
  private saves = 0;

  /**
   * @param collections names of the collections that are copied
   * @param shared others may write to the database too: it is not known what was written
   * @param onRestored called after content was put back
   */
  constructor(
    private readonly db: Db,
    private readonly collections: readonly string[],
    private readonly shared: boolean,
    private readonly workLog: WorkLog,
    private readonly onRestored: () => void,
  ) {}

  /** Called for every write. @param ids the documents; null: any of them */
  wrote(collection: string, ids: readonly (number | string)[] | null): void {
    const written = this.changes?.written;
    if (!written) return;
    const known = written.get(collection);
    if (ids === null) written.set(collection, null);
    else if (known === undefined) written.set(collection, new Set(ids));
    else for (const id of ids) known?.add(id);
  }

  /** Called when whole collections were exchanged, snapshots included. */
  replaced(): void {
    this.renew();
    this.changes = null;
  }

  /** Keeps a copy of everything under a name. @param facts what else is to be known of it */
  async save(name: string, facts: Document = {}): Promise<void> {
    this.renew();
    const changes = this.follow(this.identityOf(name));
    const kept = this.db.collection<{ _id: string }>(snapshotOf(name, FACTS));
    await Promise.all([
      ...this.collections.map((collection) => this.copy(collection, snapshotOf(name, collection))),
      kept.replaceOne({ _id: FACTS }, facts, { upsert: true }),
    ]).catch((error: unknown) => {
      this.changes = null;
      throw error;
    });
    // Once more: what others have read in between may be of the copy that was there before.
    this.renew();
    changes.snapshot = this.identityOf(name);
  }

  async has(name: string): Promise<boolean> {
    return (await this.db.listCollections({ name: snapshotOf(name, MARKER) }, { nameOnly: true }).toArray()).length > 0;
  }

  /** The copies that there are, by name, with their facts. */
  async list(): Promise<Map<string, Document>> {
    const collections = await this.db.listCollections({ name: /^snapshot\.[^.]+\.counters$/ }, { nameOnly: true }).toArray();
    const names = collections.map(({ name }) => name.slice('snapshot.'.length, -`.${MARKER}`.length)).sort();
    const factsOf = (name: string): Promise<Document | null> =>
      this.db.collection<{ _id: string }>(snapshotOf(name, FACTS)).findOne({ _id: FACTS });
    return new Map(await Promise.all(names.map(async (name) => [name, (await factsOf(name)) ?? {}] as const)));
  }

  async delete(name: string): Promise<void> {
    this.renew();
    await Promise.all([...this.collections, FACTS].map((part) => this.db.collection(snapshotOf(name, part)).drop()));
  }

  /**
   * Puts everything back to where it was when the snapshot was saved. What has not changed since is not touched.
   * @param source where the snapshot is kept
   * @param isNoted whether the work log says already that this is done
   */
  async restore(name: string, source: Snapshots = this, isNoted = false): Promise<void> {
    const written = this.writtenSince(name, source);
    if (written.size === 0) return;
    try {
      // A database without the snapshot cannot complete the work after a crash.
      const note = source === this && !isNoted ? await this.workLog.begin({ restore: name }, this.unhurried) : null;
      await allDone(
        [...written].map(([collection, ids]) =>
          collection === 'counters' ? this.restoreCounters(source, name) : this.restoreDocuments(source, name, collection, ids),
        ),
      );
      if (note) await this.workLog.end(note);
    } catch (error) {
      this.changes = null;
      throw error;
    } finally {
      this.onRestored();
    }
  }

  /** The collections that differ from a snapshot, with the documents in question. From now on, writes are compared with that snapshot. */
  private writtenSince(name: string, source: Snapshots): Written {
    const identity = source.identityOf(name);
    const known = this.changes?.snapshot === identity ? this.changes.written : null;
    const written: Written =
      this.shared || known === null ? new Map(this.collections.map((collection) => [collection, null] as const)) : new Map(known);
    if (known === null) this.follow(identity);
    known?.clear();
    return written;
  }

  /**
   * For writes in the middle of work that is noted as begun: they need not wait for the journal, since it takes what was written before
   * whatever waits for it later. Where others decide how the database is kept, every write waits.
   */
  private get unhurried(): WriteOptions {
    return this.shared ? {} : { writeConcern: { w: 1, journal: false } };
  }

  private identityOf(snapshot: string): string {
    return `${this.db.databaseName} ${snapshot} ${this.saves}`;
  }

  /** From now on no snapshot is the one that it was. */
  private renew(): void {
    this.copies.clear();
    this.saves += 1;
  }

  /** From now on the collections differ from this snapshot where they are written to. */
  private follow(snapshot: string): Changes {
    this.changes = { snapshot, written: new Map() };
    return this.changes;
  }

  /** @param ids the documents that may differ; null: any of them */
  private async restoreDocuments(source: Snapshots, name: string, to: string, ids: ReadonlySet<number | string> | null): Promise<void> {
    const wanted = ids && ids.size <= MOST_SINGLE ? [...ids] : null;
    const copy = wanted ? source.rawDocuments(snapshotOf(name, to), wanted) : source.copyOf(name, to);
    const [kept, current] = await Promise.all([copy, this.rawDocuments(to, wanted)]);
    const strays = [...current].filter(([bytes]) => !kept.has(bytes)).map(([, raw]) => BSON.deserialize(raw)._id as number);
    const missing = [...kept].filter(([bytes]) => !current.has(bytes)).map(([, raw]) => BSON.deserialize(raw));
    const target = this.db.collection<{ _id: number }>(to);
    // Strays go first: their unique values may be those of what comes back.
    if (strays.length > 0) await target.deleteMany({ _id: { $in: strays } }, this.unhurried);
    if (missing.length > 0) await target.insertMany(missing as { _id: number }[], { ordered: false, ...this.unhurried });
  }

  /** Sequences are never away, not even for a moment: a write meanwhile would begin them anew. */
  private async restoreCounters(source: Snapshots, name: string): Promise<void> {
    const kept = await source.db.collection<{ _id: string; value: number }>(snapshotOf(name, 'counters')).find({}).toArray();
    await this.db
      .collection<{ _id: string }>('counters')
      .bulkWrite(
        [
          ...kept.map(({ _id, value }) => ({ replaceOne: { filter: { _id }, replacement: { value }, upsert: true } })),
          { deleteMany: { filter: { _id: { $nin: kept.map(({ _id }) => _id) } } } },
        ],
        this.unhurried,
      );
  }

  /** The documents of a snapshot by their bytes; those of small collections are read once. */
  private async copyOf(name: string, collection: string): Promise<Map<string, Uint8Array>> {
    const from = snapshotOf(name, collection);
    const known = this.copies.get(from);
    if (known && !this.shared) return known;
    const since = this.saves;
    const copy = await this.rawDocuments(from);
    if (copy.size <= MOST_KEPT && since === this.saves) this.copies.set(from, copy);
    return copy;
  }

  /** The documents of a collection, all or those of some ids, by their bytes. */
  private async rawDocuments(collection: string, ids: readonly (number | string)[] | null = null): Promise<Map<string, Uint8Array>> {
    const filter = ids === null ? {} : { _id: { $in: [...ids] } };
    const found = this.db.collection<{ _id: number | string }>(collection).find(filter, { raw: true });
    const documents = (await found.toArray()) as unknown as Buffer[];
    return new Map(documents.map((raw) => [raw.toString('latin1'), raw]));
  }

  private async copy(from: string, to: string): Promise<void> {
    await this.db
      .collection(from)
      .aggregate([{ $match: {} }, { $out: to }])
      .toArray();
  }
}
