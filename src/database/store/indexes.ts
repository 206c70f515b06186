import { createHash } from 'node:crypto';
import { MongoServerError, type Collection, type Document, type Db, type IndexDescription } from 'mongodb';

/** MongoDB's error codes for an index whose name or keys conflict with an existing index. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** MongoDB's error code for an index that the collection cannot have, such as a unique one without the shard key. */
const CANNOT_CREATE = 67;

/** Matches every string and no other value. */
export const ANY_TEXT = { $gte: '' };

/** Case-insensitive collation (WP: logins and email addresses). */
export const ANY_CASE = { locale: 'en', strength: 2 };

/**
 * Creates missing indexes of a collection. In a sharded collection only an index that begins with the shard key can be unique; the others
 * are created without. Uniqueness (of slugs) is then checked before writing, as in WordPress.
 */
export async function createIndexes(collection: Collection, indexes: readonly IndexDescription[]): Promise<void> {
  if (indexes.length === 0) return;
  await collection.createIndexes([...indexes]).catch(async (error: unknown) => {
    if (!(error instanceof MongoServerError) || (error.code !== CANNOT_CREATE && !CONFLICTS.has(error.code))) throw error;
    const stats: Document = await collection.db.command({ collStats: collection.collectionName }).catch(() => ({}));
    const others = stats['sharded'] === true ? indexes.map(({ unique: _unique, ...index }) => index) : [...indexes];
    await collection.createIndexes(others).catch(async (again: unknown) => {
      if (!(again instanceof MongoServerError) || !CONFLICTS.has(again.code)) throw again;
      // Another version has created a different index of the same name: rebuild all of them.
      await collection.dropIndexes();
      await collection.createIndexes(others);
    });
  });
}

/**
 * The collection with facts about a database: the digest of its indexes, its key, and whether it was shut down cleanly. It is not part
 * of the content.
 */
export const SCHEMA = 'schema';

/**
 * Creates missing indexes of all collections, and records that in the database, since reading the record is faster than creating them
 * again.
 * @param shared whether others may drop indexes
 */
export async function createAllIndexes(
  db: Db,
  indexes: Readonly<Record<string, readonly IndexDescription[]>>,
  shared: boolean,
): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(indexes)).digest('hex');
  const schema = db.collection<{ _id: string; digest: string }>(SCHEMA);
  if (!shared && (await schema.findOne({ _id: 'indexes' }))?.digest === digest) return;
  await Promise.all(Object.entries(indexes).map(([name, of]) => createIndexes(db.collection(name), of)));
  if (!shared) await schema.replaceOne({ _id: 'indexes' }, { digest }, { upsert: true });
}
