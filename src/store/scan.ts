import { BSON, type Db, type Document } from 'mongodb';
import { idOf } from './differences.js';
import { retryRead, asBytes } from './reads.js';
import type { Raw } from '../memory/raw-documents.js';

/** Documents in a batch. Processing one blocks the event loop. */
const BATCH = 1_000;

const BY_ID = { _id: 1 } as const;

/**
 * Reads many documents, in the order of their ids, which are numbers from 0 on. One plain command for each batch: the driver's cursors
 * double the time of decoding a document. A plain command ignores the read preference of the connection: it goes to the primary. Documents
 * written meanwhile may be missing.
 * @param filter conditions, none of them for the id
 * @param asRaw reads documents as their bytes
 */
export async function* scan<T extends { _id: number }>(
  { db, collection }: { db: Db; collection: string },
  filter: Document,
  projection: Document,
  asRaw?: (bytes: Buffer) => T,
): AsyncGenerator<readonly T[]> {
  // Without conditions, this order is the cheapest way too.
  const hint = Object.keys(filter).length === 0 ? { hint: BY_ID } : {};
  for (let last = -1; ;) {
    const which = { filter: { ...filter, _id: { $gt: last } }, sort: BY_ID, limit: BATCH, ...hint };
    const options = asRaw ? { fieldsAsRaw: { firstBatch: true } } : {};
    const reply = await retryRead(() =>
      db.command({ find: collection, ...which, projection, batchSize: BATCH, singleBatch: true }, options),
    );
    const { firstBatch: found } = (reply as { cursor: { firstBatch: T[] } }).cursor;
    const documents = asRaw ? asBytes(found).map(asRaw) : found;
    const final = documents.at(-1);
    // A reply holds 16 MB at most, so one with fewer documents may not be the last.
    if (!final) return;
    yield documents;
    last = final._id;
  }
}

/** Stored texts are valid UTF-8. */
const TRUSTED = { validation: { utf8: false } } as const;

const rawOf = (bytes: Buffer): Raw => ({ _id: idOf(bytes) as number, bytes });

/** Reads documents as their bytes. */
export const rawSource = (db: Db, collection: string, projection: Document) => ({
  decode: <T>(bytes: Uint8Array): T => BSON.deserialize(bytes, TRUSTED) as T,
  some: async (ids: number[]): Promise<Raw[]> => {
    const filter = { _id: { $in: ids } } as Document;
    const found = await retryRead(() =>
      db
        .collection(collection)
        .find(filter, { projection, batchSize: ids.length + 1, raw: true })
        .toArray(),
    );
    return asBytes(found).map(rawOf);
  },
  all: () => scan({ db, collection }, {}, projection, rawOf),
});
