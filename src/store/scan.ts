import { BSON, type Db, type Document } from 'mongodb';
import { idOf } from './differences.js';
import { retryRead, asBytes } from './reads.js';

/** Documents in a batch. Processing one blocks the event loop. */
const BATCH = 1_000;

const BY_ID = { _id: 1 } as const;

/**
 * Reads many documents, in the order of their ids, which are numbers from 0 on. One plain command for each batch: the driver's cursors
 * double the time of decoding a document. A plain command ignores the read preference of the connection: it goes to the primary. Documents
 * written meanwhile may be missing.
 * @param filter conditions, none of them for the id
 */
export async function* scan<T extends { _id: number }>(
  { db, collection }: { db: Db; collection: string },
  filter: Document,
  projection: Document,
): AsyncGenerator<readonly T[]> {
  // Without conditions, this order is the cheapest way too.
  const hint = Object.keys(filter).length === 0 ? { hint: BY_ID } : {};
  for (let last = -1; ;) {
    const which = { filter: { ...filter, _id: { $gt: last } }, sort: BY_ID, limit: BATCH, ...hint };
    const reply = await retryRead(() => db.command({ find: collection, ...which, projection, batchSize: BATCH }));
    const { firstBatch, id } = (reply as { cursor: { firstBatch: T[]; id: number | BSON.Long } }).cursor;
    // A reply holds 16 MB at most.
    const isCut = Number(id) !== 0;
    // The driver makes a number of an id below 2^53, which the database does not accept.
    if (isCut) await db.command({ killCursors: collection, cursors: [BSON.Long.fromValue(id)] });
    const final = firstBatch.at(-1);
    if (final) yield firstBatch;
    if (!final || (firstBatch.length < BATCH && !isCut)) return;
    last = final._id;
  }
}

/** Documents in a batch, as their bytes. */
const RAW_BATCH = 500;

/** Stored texts are valid UTF-8. */
const TRUSTED = { validation: { utf8: false } } as const;

interface Raw {
  _id: number;
  bytes: Uint8Array;
}

/** Reads documents as their bytes, in the order of their ids. */
export function rawSource(db: Db, collection: string, projection: Document) {
  const read = async (filter: Document, limit: number): Promise<Raw[]> => {
    const options = { projection, sort: BY_ID, limit, batchSize: limit + 1, raw: true } as const;
    const found = await retryRead(() => db.collection(collection).find(filter, options).toArray());
    return asBytes(found).map((bytes) => ({ _id: idOf(bytes) as number, bytes }));
  };
  return {
    decode: <T>(bytes: Uint8Array): T => BSON.deserialize(bytes, TRUSTED) as T,
    some: (ids: number[]) => read({ _id: { $in: ids } }, ids.length),
    async *all(): AsyncGenerator<readonly Raw[]> {
      for (let last = -1; ;) {
        const batch = await read({ _id: { $gt: last } }, RAW_BATCH);
        const final = batch.at(-1);
        if (!final) return;
        yield batch;
        if (batch.length < RAW_BATCH) return;
        last = final._id;
      }
    },
  };
}
