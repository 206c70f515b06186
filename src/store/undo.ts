import { BSON, type Db, type Document } from 'mongodb';
import type { Memory } from '../memory/index.js';
import { retryRead, asBytes } from './reads.js';
import type { Step } from './writes.js';

type Id = number | string;

/** A document of a snapshot. */
interface Original {
  document: Document & { _id: Id };
  bytes: number;
}

/** The documents of a collection that may differ from a snapshot. */
export interface Differing {
  collection: string;
  ids: readonly Id[];
  /** Those of the ids that the snapshot has. */
  originals: readonly Original[];
}

/** Reads documents of snapshots by id. Cached, since tests write to the same ones repeatedly. */
export class Originals {
  constructor(
    private readonly db: Db,
    private readonly memory: Memory['documents'],
  ) {}

  /**
   * @param identity of the snapshot; changes whenever its content does
   * @param from the collection with the copy
   */
  async read(identity: string, from: string, ids: readonly Id[]): Promise<Original[]> {
    const keyOf = (id: Id): string => `${identity} ${from} ${JSON.stringify(id)}`;
    const known = new Map(ids.map((id) => [id, this.memory.get(keyOf(id)) as Original | typeof ABSENT | undefined]));
    const missing = ids.filter((id) => known.get(id) === undefined);
    if (missing.length > 0) {
      for (const id of missing) known.set(id, ABSENT);
      const originals = this.db.collection<{ _id: Id }>(from);
      const found = await retryRead(() => originals.find({ _id: { $in: missing } }, { raw: true }).toArray());
      for (const raw of asBytes(found)) {
        const document = BSON.deserialize(raw) as Original['document'];
        known.set(document._id, { document, bytes: raw.length });
      }
      for (const id of missing) {
        const original = known.get(id) ?? ABSENT;
        this.memory.set(keyOf(id), original, original === ABSENT ? 0 : 2 * original.bytes);
      }
    }
    return [...known.values()].filter((original) => original !== ABSENT && original !== undefined);
  }
}

/** Represents a document that is missing in a snapshot. */
const ABSENT = 'absent';

/** Maximum number of bytes to write back in one command, which has room for 17 MB. */
const MAX_BYTES = 12 * 1024 * 1024;

export interface Undo {
  /** The writes. */
  steps: Step[];
  /** The documents after the writes, by collection. */
  documents: ReadonlyMap<string, Document[]>;
}

/**
 * The steps that restore documents of a snapshot in one command; null if they are too large for that.
 * @param counters name of the collection of sequences. They are never absent in between: a concurrent write would restart them at 1
 */
export function undoOf(all: readonly Differing[], counters: string): Undo | null {
  const bytes = all.reduce((sum, { originals }) => originals.reduce((total, original) => total + original.bytes, sum), 0);
  if (bytes > MAX_BYTES) return null;
  const others = all.filter(({ collection }) => collection !== counters);
  return {
    steps: [
      // Delete first: the restored documents may have the same unique values.
      ...others.map(({ collection, ids }): Step => ({ collection, delete: ids })),
      ...others.flatMap(({ collection, originals }) => originals.map(({ document }): Step => ({ collection, insert: document }))),
      ...all.filter(({ collection }) => collection === counters).flatMap(sequenceSteps),
    ],
    documents: new Map(all.map(({ collection, originals }) => [collection, originals.map(({ document }) => document)])),
  };
}

function sequenceSteps({ collection, ids, originals }: Differing): Step[] {
  const kept = originals.map(({ document }) => document._id);
  const strays = ids.filter((id) => !kept.includes(id));
  return [
    ...originals.map(({ document: { _id, value } }): Step => ({
      collection,
      update: _id,
      change: { $set: { value: value as unknown } },
      upsert: true,
    })),
    ...(strays.length > 0 ? [{ collection, delete: strays }] : []),
  ];
}
