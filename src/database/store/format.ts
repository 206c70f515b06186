import type { Collection, Db, Document } from 'mongodb';
import { packageVersion } from '../../base/system/package-version.js';
import { SNAPSHOTS, type CopyRow } from './copies.js';
import { EngineError } from '../engine/types.js';
import { SCHEMA } from './indexes.js';
import type { WorkLog } from './work-log.js';

/** A set of documents with the collections of a site: its content, a snapshot, or a copy of either. */
interface DocumentSet {
  collection<T extends Document = Document>(name: string): Collection<T>;
}

/** A step from one format of the stored data to the next. */
export interface Migration {
  /** Description of its changes, for the log. */
  what: string;
  /** Converts a set of documents. After a crash it runs again, on documents that it may have converted already. */
  run?: (set: DocumentSet) => Promise<void>;
  /** Converts the rest of a database. Can be repeated, too. */
  runOnce?: (db: Db) => Promise<void>;
}

/** In format 1, a snapshot existed if a collection of its name did. */
const listSnapshots = async (db: Db): Promise<void> => {
  const found = await db.listCollections({ name: /^snapshot\.[^.]+\.counters$/ }, { nameOnly: true }).toArray();
  for (const { name } of found) {
    const [, snapshot] = name.split('.');
    await db
      .collection<CopyRow>(SNAPSHOTS)
      .updateOne({ _id: snapshot }, { $setOnInsert: { at: `snapshot.${snapshot}` } }, { upsert: true });
  }
};

/** In format 2, a site had one release, of The Events Calendar. */
const nameReleases = async (set: DocumentSet): Promise<void> => {
  const options = set.collection<Document & { _id: string }>('options');
  const row = await options.findOne({ _id: 'plugin_version' });
  if (!row) return;
  await options.replaceOne({ _id: 'release:the-events-calendar' }, { value: row['value'] as unknown }, { upsert: true });
  await options.deleteOne({ _id: 'plugin_version' });
};

/** The steps from each format to the next: the first one leads from format 1 to format 2. Released rows must not change. */
const MIGRATIONS: readonly Migration[] = [
  { what: 'snapshots are listed', runOnce: listSnapshots },
  { what: 'releases have the names of their products', run: nameReleases },
];

/** The format that a table of migrations leads to. Data without a format has format 1. */
const formatOf = (migrations: readonly Migration[]): number => migrations.length + 1;

/** The format of the stored data that this version writes. */
export const FORMAT = formatOf(MIGRATIONS);

export interface FormatRow {
  _id: 'format';
  version: number;
  /** The version of Understudy that opened it last. */
  by: string;
  /** The step that is under way, or that a crash interrupted. */
  migrating?: { to: number; by: string };
}

const FIRST: FormatRow = { _id: 'format', version: 1, by: '' };

const rowsOf = (db: Db): Collection<FormatRow> => db.collection<FormatRow>(SCHEMA);

/** The format of a database. @returns null if it has none: it is new, or has format 1 */
export const storedFormat = (db: Db): Promise<FormatRow | null> => rowsOf(db).findOne({ _id: 'format' });

/**
 * Checks that this version can read a format.
 * @param what subject of the message
 * @throws EngineError that names the version to install
 */
export function requireFormat(what: string, { version, by, migrating }: Omit<FormatRow, '_id'>, newest = FORMAT): void {
  const needed = Math.max(version, migrating?.to ?? 0);
  if (needed <= newest) return;
  const writer = migrating?.by ?? by;
  const own = newest === 1 ? 'format 1' : `formats 1 to ${newest}`;
  throw new EngineError(
    `${what} has format ${needed}, written by Understudy ${writer}. This is Understudy ${packageVersion()}, which reads ${own}. Nothing was changed.`,
    [],
    `Install wp-understudy@${writer} or a later version.`,
  );
}

/** The sets of documents of a database: content, snapshots and staged content, as prefixes of the names of collections. */
async function prefixesOf(db: Db): Promise<string[]> {
  const found = await db.listCollections({ name: /^snapshot\..+\.counters$/ }, { nameOnly: true }).toArray();
  return ['', ...found.map(({ name }) => name.slice(0, -'counters'.length))];
}

/**
 * Converts sets of documents to the format of this version, step by step.
 * @param prefixes what the names of their collections begin with
 */
export async function migrateSets(db: Db, prefixes: readonly string[], from: number, migrations = MIGRATIONS): Promise<void> {
  for (const { run } of migrations.slice(from - 1))
    for (const prefix of prefixes) await run?.({ collection: (name) => db.collection(`${prefix}${name}`) });
}

async function migrate(db: Db, migrations: readonly Migration[], by: string): Promise<string[]> {
  const rows = rowsOf(db);
  const done: string[] = [];
  const before = (await storedFormat(db)) ?? FIRST;
  // Another server may have converted them.
  for (let version = before.version; version < formatOf(migrations); version += 1) {
    const to = version + 1;
    await rows.replaceOne({ _id: 'format' }, { version, by: before.by, migrating: { to, by } }, { upsert: true });
    await migrateSets(db, await prefixesOf(db), version, migrations.slice(0, version));
    await migrations[version - 1].runOnce?.(db);
    await rows.replaceOne({ _id: 'format' }, { version: to, by }, { upsert: true });
    done.push(`Converted the stored data to format ${to}: ${migrations[version - 1].what}.`);
  }
  return done;
}

/**
 * Converts a database of an older format, and rejects one of a newer format. Call it before anything else is read or written. An interrupted
 * conversion is resumed.
 * @returns a sentence for each step
 * @throws EngineError if a newer version of Understudy wrote the data
 */
export async function openFormat(db: Db, workLog: WorkLog, migrations = MIGRATIONS, by = packageVersion()): Promise<string[]> {
  const row = await storedFormat(db);
  if (row === null && !(await db.listCollections({}, { nameOnly: true }).hasNext())) return [];
  const { version } = row ?? FIRST;
  requireFormat('The stored data', row ?? FIRST, formatOf(migrations));
  if (version === formatOf(migrations)) return [];
  return workLog.alone('migrate', () => migrate(db, migrations, by));
}

/** Records the format and the version of Understudy in a database, unless they are recorded. */
export async function recordFormat(db: Db): Promise<void> {
  const by = packageVersion();
  const row = await storedFormat(db);
  if (row?.version === FORMAT && row.by === by) return;
  await rowsOf(db).replaceOne({ _id: 'format' }, { version: FORMAT, by }, { upsert: true });
}
