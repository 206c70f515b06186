import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Index } from '../database/store/database.js';
import { FORMAT, requireFormat, storedFormat } from '../database/store/format.js';
import { serverOf } from '../database/store/scan.js';
import { findProblems } from '../wordpress/check.js';
import { ATTACHMENT, type Post } from '../wordpress/model.js';
import type { Store } from '../wordpress/store.js';

/** A result of a check. */
export interface Finding {
  status: 'ok' | 'warning' | 'problem';
  /** The checked part: `indexes`. */
  check: string;
  /** One sentence. */
  message: string;
  /** Next step. */
  advice?: string;
}

/** Makes the findings of a check: `findingsOf('port').problem('Port 80 is in use.', 'Set another port')`. */
export const findingsOf = (check: string) => {
  const of =
    (status: Finding['status']) =>
    (message: string, advice?: string): Finding => ({ check, status, message, ...(advice === undefined ? {} : { advice }) });
  return { ok: of('ok'), warning: of('warning'), problem: of('problem') };
};

/** The maximum number of names in a message. */
const MAX_LISTED = 5;

const list = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') + (names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '');

/** `1 post`, `3 posts`. */
export const many = (count: number, noun: string): string => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

const REPAIRED_AT_START = 'Restart the server: it repairs this when it starts';

async function inspectFormat({ db }: Store): Promise<Finding> {
  const check = findingsOf('format');
  const row = (await storedFormat(db)) ?? { version: 1, by: '' };
  try {
    requireFormat('The stored data', row);
  } catch (error) {
    const { summary, advice } = error as { summary: string; advice: string };
    return check.problem(summary, advice);
  }
  const by = row.by === '' ? '' : `, last opened by Understudy ${row.by}`;
  if (row.version === FORMAT) return check.ok(`The stored data has format ${row.version}${by}.`);
  return check.warning(
    `The stored data has format ${row.version}${by}. The next start converts it to format ${FORMAT}.`,
    'Make a backup first if you may want to go back to the older version',
  );
}

const OLDEST_MONGODB = 6;
/** Clocks that differ by less do not matter, in ms. */
const SKEW_MS = 5_000;

/** Checks the database server: its version and its clock. @throws MongoError if it does not respond */
export async function inspectDatabase(store: Store, now: number): Promise<Finding[]> {
  const check = findingsOf('database');
  const db = await serverOf(store.db);
  if (db === null) return [check.ok('The content is in the memory of the server, without a database.')];
  const { version } = (await db.command({ buildInfo: 1 })) as { version: string };
  const [clock] = await db.aggregate<{ now: Date }>([{ $documents: [{ now: '$$NOW' }] }]).toArray();
  const skew = Math.abs(clock.now.getTime() - now);
  const findings: Finding[] =
    Number.parseInt(version, 10) < OLDEST_MONGODB
      ? [check.problem(`The database is MongoDB ${version}.`, 'Use MongoDB 6.0 or later')]
      : [check.ok(`The database responds: MongoDB ${version}.`)];
  if (skew >= SKEW_MS)
    findings.push(
      findingsOf('clock').warning(
        `The clocks of the database and of this machine differ by ${Math.round(skew / 1000)} seconds.`,
        'Synchronize them (NTP)',
      ),
    );
  return findings;
}

/** The properties by which indexes of the same name are compared. */
const definitionOf = ({ key, unique = false, partialFilterExpression }: Index): unknown => ({
  key: Object.entries(key),
  unique,
  partialFilterExpression,
});

async function inspectIndexes({ db: own, indexes, shared }: Store): Promise<Finding[]> {
  const check = findingsOf('indexes');
  const db = (await serverOf(own)) ?? own;
  const missing: string[] = [];
  const different: string[] = [];
  const extra: string[] = [];
  let count = 0;
  for (const [collection, wanted] of Object.entries(indexes)) {
    const found = await db
      .collection(collection)
      .indexes()
      .catch(() => []);
    const byName = new Map(found.map((index) => [index.name ?? '', index as Index]));
    for (const index of wanted) {
      const name = index.name ?? '';
      const actual = byName.get(name);
      count += 1;
      if (!actual) missing.push(`${collection}.${name}`);
      // A sharded collection has its indexes without `unique`.
      else if (!isDeepStrictEqual(definitionOf(actual), definitionOf(index)) && !shared) different.push(`${collection}.${name}`);
    }
    const known = new Set(['_id_', ...wanted.map(({ name }) => name)]);
    extra.push(...[...byName.keys()].filter((name) => !known.has(name)).map((name) => `${collection}.${name}`));
  }
  const findings: Finding[] = [];
  const wrong = [...missing, ...different];
  if (wrong.length > 0)
    findings.push(
      check.problem(
        `${many(wrong.length, 'index')} missing or outdated: ${list(wrong)}.`.replace('indexs', 'indexes'),
        'Restart the server: it creates them when it starts',
      ),
    );
  if (extra.length > 0)
    findings.push(
      check.warning(
        `Indexes that Understudy does not use slow writes down: ${list(extra)}.`,
        'Drop them, unless you query the database yourself',
      ),
    );
  return findings.length > 0 ? findings : [check.ok(`All ${count} indexes are present.`)];
}

async function inspectContent(store: Store): Promise<Finding[]> {
  const check = findingsOf('consistency');
  const problems = await findProblems(store);
  if (problems.length > 0) return problems.map((message) => check.problem(message, REPAIRED_AT_START));
  const [posts, terms, users] = await Promise.all([store.posts, store.terms, store.users].map((each) => each.estimatedDocumentCount()));
  const counts = [many(posts, 'post'), many(terms, 'term'), many(users, 'user')].join(', ');
  return [check.ok(`The content is consistent: ${counts}.`)];
}

type MediaFile = Pick<Post, '_id' | 'file'>;

/** The missing media files that a filter finds, and the number of all. */
async function findMissing(
  store: Store,
  uploads: string,
  filter: { _id?: { $in: number[] } },
): Promise<{ count: number; missing: MediaFile[] }> {
  const missing: MediaFile[] = [];
  let count = 0;
  const found = store.posts.find({ type: ATTACHMENT, file: { $exists: true }, ...filter }, { projection: { file: 1 } });
  for await (const { _id, file } of found) {
    if (file === undefined) continue;
    count += 1;
    if (!existsSync(path.join(uploads, file))) missing.push({ _id, file });
  }
  return { count, missing };
}

async function inspectFiles(store: Store, uploads: string, alone: Alone | undefined): Promise<Finding> {
  const check = findingsOf('media');
  const { count, missing: suspects } = await findMissing(store, uploads, {});
  const again = (): ReturnType<typeof findMissing> => findMissing(store, uploads, { _id: { $in: suspects.map(({ _id }) => _id) } });
  const confirmed = alone && suspects.length > 0 ? (await alone(again)).missing : suspects;
  const missing = confirmed.map(({ file = '' }) => file);
  if (missing.length === 0)
    return check.ok(count === 0 ? 'There are no media files.' : `No media file is missing: ${many(count, 'file')}.`);
  return check.warning(
    `${missing.length} of ${many(count, 'media file')} missing in ${uploads}: ${list(missing)}.`,
    store.isInFolder
      ? 'Copy them there, or restore a backup'
      : 'Servers that share a MongoDB need a shared folder of media files: set the same --data',
  );
}

/** Unfinished work. @param isServed whether a server runs, so that its loads are not leftovers */
async function inspectWork(store: Store, isServed: boolean): Promise<Finding[]> {
  const entries = (await store.workLog.unfinished()).filter(({ lock }) => lock === undefined);
  if (isServed || !store.isInFolder || entries.length === 0) return [];
  return [
    findingsOf('work').warning(
      `${many(entries.length, 'load, reset, upload or backup').replace(/s$/, '')} was interrupted by a crash.`,
      'The next start completes or discards it',
    ),
  ];
}

/** Runs work while nobody writes. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

/** Checks, and if there is a problem, checks again while nobody writes, since concurrent writes may look like one. */
async function settled(check: () => Promise<Finding[]>, alone: Alone | undefined): Promise<Finding[]> {
  const found = await check();
  return alone && found.some(({ status }) => status === 'problem') ? alone(check) : found;
}

/**
 * Checks the stored data of a site: format, indexes, consistency, media files. Changes nothing.
 * @param uploads folder of the media library's files
 * @param alone runs checks that must be repeated without concurrent writes; absent: no server runs on the site
 */
export async function inspectSite(store: Store, uploads: string, alone?: Alone): Promise<Finding[]> {
  if ((await store.options.estimatedDocumentCount()) === 0)
    return [findingsOf('site').ok('There is no site yet.', 'The first start loads the dataset')];
  const format = await inspectFormat(store);
  if (format.status !== 'ok') return [format];
  return [
    format,
    ...(await settled(() => inspectIndexes(store), alone)),
    ...(await settled(() => inspectContent(store), alone)),
    await inspectFiles(store, uploads, alone),
    ...(await inspectWork(store, alone !== undefined)),
  ];
}
