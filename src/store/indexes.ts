import { MongoServerError, type Collection, type Document, type IndexDescription } from 'mongodb';

/** MongoDB's codes for an index whose name or keys are taken by a different one. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** True of every text, and of no other value. */
export const ANY_TEXT = { $gte: '' };

/** Compares without regard to case (WP: logins and addresses). */
export const ANY_CASE = { locale: 'en', strength: 2 };

/** Creates the indexes of a collection that are missing. */
export async function createIndexes(collection: Collection<Document>, indexes: readonly IndexDescription[]): Promise<void> {
  if (indexes.length === 0) return;
  await collection.createIndexes([...indexes]).catch(async (error: unknown) => {
    if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code)) throw error;
    // Another version of this program has created one under the same name: all are rebuilt.
    await collection.dropIndexes();
    await collection.createIndexes([...indexes]);
  });
}
