import { BSON, type Db, type Document } from 'mongodb';
import { idOf } from './differences.js';
import { AS_BYTES, messageOf, pipelinedConnection } from './pipelined-connection.js';
import { retryRead, asBytes } from './reads.js';
import { localOf } from './local/database.js';
import type { MirrorSource } from '../memory/mirror.js';
import type { Raw } from '../memory/raw-documents.js';

/** Documents in a batch. Processing one blocks the event loop. */
const BATCH = 1_000;

const BY_ID = { _id: 1 } as const;

/** Stored texts are valid UTF-8. */
const TRUSTED = { validation: { utf8: false } } as const;

/** The database of a server that a database is, or has moved to; null: it is in memory. */
export const serverOf = (db: Db): Db | Promise<Db | null> | null => {
  const local = localOf(db);
  return local ? local.server : db;
};

/** A document from its bytes. */
export const decode = <T>(bytes: Uint8Array): T => BSON.deserialize(bytes, TRUSTED) as T;

/**
 * Reads many documents, in the order of their ids, which are numbers from 0 on. One plain command for each batch: the driver's cursors
 * double the time of decoding a document. A plain command ignores the read preference of the connection: it goes to the primary. Documents
 * written meanwhile may be missing.
 * @param filter conditions, none of them for the id
 * @param from makes documents of their bytes
 */
export async function* scan<T extends { _id: number }>(
  { db, collection }: { db: Db; collection: string },
  filter: Document,
  projection: Document,
  from: (bytes: Buffer) => T = decode,
): AsyncGenerator<readonly T[]> {
  const server = await serverOf(db);
  if (server === null) {
    yield await findHere(db, collection, filter, { projection, sort: BY_ID }, from);
    return;
  }
  // Without conditions, this order is the cheapest way too.
  const hint = Object.keys(filter).length === 0 ? { hint: BY_ID } : {};
  for (let last = -1; ;) {
    const which = { filter: { ...filter, _id: { $gt: last } }, sort: BY_ID, limit: BATCH, ...hint };
    const command = { find: collection, ...which, projection, batchSize: BATCH, singleBatch: true };
    const reply = await retryRead(() => server.command(command, AS_BYTES));
    const documents = (reply as { cursor: { firstBatch: Buffer[] } }).cursor.firstBatch.map(from);
    const final = documents.at(-1);
    // A reply holds 16 MB at most, so one with fewer documents may not be the last.
    if (!final) return;
    yield documents;
    last = final._id;
  }
}

/** Finds documents of a database in memory, without encoding those that are decoded anyway. */
async function findHere<T>(db: Db, collection: string, filter: Document, options: object, from: (bytes: Buffer) => T): Promise<T[]> {
  const isDecoded = (from as unknown) === decode;
  const found: unknown[] = await db
    .collection(collection)
    .find(filter, { ...options, raw: !isDecoded })
    .toArray();
  return isDecoded ? (found as T[]) : asBytes(found).map(from);
}

/** Reads documents by id. @param filter further conditions @param from makes documents of their bytes */
export async function readByIds<T>(
  db: Db,
  collection: string,
  ids: readonly number[],
  projection: Document,
  filter: Document = {},
  from: (bytes: Buffer) => T = decode,
): Promise<T[]> {
  const query = { ...filter, _id: { $in: ids } } as Document;
  const batchSize = ids.length + 1;
  const server = await serverOf(db);
  if (!server) return findHere(db, collection, query, { projection }, from);
  const reply = await pipelinedConnection(server.client).send(
    messageOf(server, { find: collection, filter: query, projection, batchSize }),
  );
  const { firstBatch, id } = (reply?.['cursor'] ?? {}) as { firstBatch?: Buffer[]; id?: unknown };
  // With a cursor, the reply could not hold all of them.
  if (firstBatch && Number(id) === 0) return firstBatch.map(from);
  const found = await retryRead(() => db.collection(collection).find(query, { projection, batchSize, raw: true }).toArray());
  return asBytes(found).map(from);
}

/** A source of documents that meet conditions, none of them for the id. @param from makes them of their bytes */
export const sourceOf = <T extends { _id: number }>(
  db: Db,
  collection: string,
  projection: Document,
  filter: Document = {},
  from: (bytes: Buffer) => T = decode,
): MirrorSource<T> => ({
  isQuick: () => localOf(db)?.isMoved === false,
  origin: () => localOf(db)?.originOf(collection) ?? null,
  name: JSON.stringify([projection, filter]),
  all: () => scan<T>({ db, collection }, filter, projection, from),
  some: (ids) => readByIds(db, collection, ids, projection, filter, from),
});

export const rawSource = (db: Db, collection: string, projection: Document): MirrorSource<Raw> =>
  sourceOf(db, collection, projection, {}, (bytes) => ({ _id: idOf(bytes) as number, bytes }));
