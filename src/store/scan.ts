import type { Db, Document } from 'mongodb';

/** Documents in a batch: while one is worked on, nothing else happens. */
const BATCH = 1_000;

const BY_ID = { _id: 1 } as const;

/**
 * Reads many documents, in the order of their ids, which are numbers from 0 on. One plain command for each batch: for each document, the
 * driver's cursors take as much time again as it takes to decode it. For a database that no other process writes to, since a command that is
 * sent as such does not take over the read preference of the connection. What is written meanwhile may be missing.
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
    const reply = await db.command({ find: collection, ...which, projection, batchSize: BATCH });
    const { firstBatch, id } = (reply as { cursor: { firstBatch: T[]; id: unknown } }).cursor;
    // A reply holds 16 MB at most.
    const isCut = Number(id) !== 0;
    if (isCut) await db.command({ killCursors: collection, cursors: [id] });
    const final = firstBatch.at(-1);
    if (final) yield firstBatch;
    if (!final || (firstBatch.length < BATCH && !isCut)) return;
    last = final._id;
  }
}
