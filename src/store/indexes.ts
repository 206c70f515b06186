import { MongoServerError, type Collection, type Document, type IndexDescription } from 'mongodb';

/** MongoDB's error codes for an index whose name or keys conflict with an existing index. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** Matches every string and no other value. */
export const ANY_TEXT = { $gte: '' };

/** Case-insensitive collation (WP: logins and email addresses). */
export const ANY_CASE = { locale: 'en', strength: 2 };

/** Creates missing indexes of a collection. */
export async function createIndexes(collection: Collection<Document>, indexes: readonly IndexDescription[]): Promise<void> {
  if (indexes.length === 0) return;
  await collection.createIndexes([...indexes]).catch(async (error: unknown) => {
    if (!(error instanceof MongoServerError) || !CONFLICTS.has(error.code)) throw error;
    // Another version has created a different index of the same name: rebuild all of them.
    await collection.dropIndexes();
    await collection.createIndexes([...indexes]);
  });
}
