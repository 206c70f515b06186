import type { Db, Document } from 'mongodb';
import { NoSnapshot, type Copies } from './copies.js';
import { differences } from './differences.js';
import { settleAll } from './locks.js';
import { COUNTERS, type Counter } from './sequences.js';
import { insertsOf, type Id, type Step } from './writes.js';

/** Ids of documents, by collection; null: any document. */
export type Written = Map<string, Set<Id> | null>;

/** Up to this many documents are fetched by id; above that, the whole collection is read. */
export const MAX_BY_ID = 500;

/** The maximum number of missing documents of a collection that are read before anything is written. */
const MAX_HELD = 5_000;

/** Maximum number of bytes to write back in one command, which has room for 17 MB. */
const MAX_BYTES = 12 * 1024 * 1024;

/** Writes that restore all written documents in one command. */
export interface Undo {
  steps: Step[];
  /** The documents after the writes, by collection. */
  documents: ReadonlyMap<string, Document[]>;
}

/** Restores sequences without deleting them in between: a concurrent write would restart them at 1. */
const sequenceSteps = (kept: readonly Counter[], strays: readonly Id[] | Document): Step[] => [
  ...kept.map(({ _id, value }): Step => ({ collection: COUNTERS, update: _id, change: { value }, upsert: true })),
  { collection: COUNTERS, delete: strays },
];

/** The changes that make a collection identical to a copy. */
interface Plan {
  collection: string;
  /** Ids of the documents to delete. */
  strays: Id[];
  /** The documents to insert. */
  missing: Document[];
  /** Ids of documents to insert if they are too many to hold in memory. */
  others: Id[];
}

/** The copy no longer exists: the snapshot was saved again, or deleted. */
export class CopyGone extends Error {}

/** A snapshot to restore. */
export interface Original {
  copies: Copies;
  /** Where its copy is. @throws NoSnapshot */
  find: () => Promise<string>;
}

export const snapshotIn = (copies: Copies, name: string): Original => ({
  copies,
  find: async () => {
    const at = await copies.find(name);
    if (at === null) throw new NoSnapshot(name);
    return at;
  },
});

/** Splits ids into parts that fit into one command. */
function* chunks<T>(ids: readonly T[]): Generator<T[]> {
  for (let from = 0; from < ids.length; from += MAX_BY_ID) yield ids.slice(from, from + MAX_BY_ID);
}

/** Makes the content of a database identical to a copy. Reads before it writes, so that a copy that is being deleted changes nothing. */
export class Restore {
  constructor(
    private readonly db: Db,
    private readonly original: Original,
    /** Where the copy was when the restore began. */
    private readonly at: string,
    private readonly send: (steps: readonly Step[]) => Promise<unknown>,
  ) {}

  /** The changes that restore all written documents in one command; null if these are unknown, or too many. */
  async undo(written: Written): Promise<Undo | null> {
    const known = [...written].flatMap(([collection, ids]) => (ids && ids.size <= MAX_BY_ID ? [{ collection, ids: [...ids] }] : []));
    if (known.length < written.size) return null;
    const { copies } = this.original;
    const all = await Promise.all(
      known.map(async ({ collection, ids }) => ({ collection, ids, originals: await copies.originalsOf(this.at, collection, ids) })),
    );
    await this.requireCopy();
    const bytes = all.flatMap(({ originals }) => originals).reduce((sum, original) => sum + original.bytes, 0);
    if (bytes > MAX_BYTES) return null;
    const documents = new Map(all.map(({ collection, originals }) => [collection, originals.map(({ document }) => document)]));
    const steps = all.map(({ collection, ids }) => {
      const kept = documents.get(collection) ?? [];
      // Delete first: the restored documents may have the same unique values.
      if (collection !== COUNTERS) return [{ collection, delete: ids }, ...kept.map((insert): Step => ({ collection, insert }))];
      const strays = ids.filter((id) => !kept.some(({ _id }) => _id === id));
      return sequenceSteps(kept as unknown as Counter[], strays);
    });
    const isLast = ({ collection }: Step): number => (collection === COUNTERS ? 1 : 0);
    return { steps: steps.flat().toSorted((a, b) => isLast(a) - isLast(b)), documents };
  }

  /** Writes what differs. @param written the documents that may */
  async writeDifferences(written: Written): Promise<void> {
    const documents = [...written].filter(([collection]) => collection !== COUNTERS);
    const [counters, ...plans] = await Promise.all([
      written.has(COUNTERS) ? this.original.copies.documents<Counter>(this.at, COUNTERS) : null,
      ...documents.map(([collection, ids]) => this.planOf(collection, ids)),
    ]);
    await this.requireCopy();
    const restoreCounters = (kept: readonly Counter[]): Promise<unknown> =>
      this.send(sequenceSteps(kept, { _id: { $nin: kept.map(({ _id }) => _id) } }));
    await settleAll([...(counters ? [restoreCounters(counters)] : []), ...plans.map((plan) => this.replace(plan))]);
  }

  /**
   * Call it after reads: missing documents may have been deleted with the copy. @throws NoSnapshot or CopyGone if the copy is no longer
   * listed
   */
  private async requireCopy(): Promise<void> {
    if ((await this.original.find()) !== this.at) throw new CopyGone('The snapshot was replaced.');
  }

  /** @param ids the documents that may differ; null: any document */
  private async planOf(collection: string, ids: ReadonlySet<Id> | null): Promise<Plan> {
    const { copies } = this.original;
    const current = this.db.collection<{ _id: Id }>(collection);
    const filter = ids && ids.size <= MAX_BY_ID ? { _id: { $in: [...ids] } } : {};
    const { strays, missing } = await differences(copies.collection(this.at, collection), current, filter);
    const others = missing.splice(MAX_HELD);
    const documents = (await Promise.all([...chunks(missing)].map((some) => copies.documents(this.at, collection, some)))).flat();
    return { collection, strays, missing: documents, others };
  }

  /** Deletes first: the restored documents may have the same unique values. */
  private async replace({ collection, strays, missing, others }: Plan): Promise<void> {
    for (const ids of chunks(strays)) await this.send([{ collection, delete: ids }]);
    const insert = async (documents: readonly Document[]): Promise<void> => {
      for (const part of insertsOf(collection, documents)) await this.send(part);
    };
    await insert(missing);
    for (const ids of chunks(others)) {
      const documents = await this.original.copies.documents(this.at, collection, ids);
      await this.requireCopy();
      await insert(documents);
    }
  }
}
