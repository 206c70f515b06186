import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Clock } from '../../wp/clock.js';
import type { Store } from '../../wp/store.js';
import { recountTerms } from '../../wp/terms.js';
import type { Dataset } from '../dataset.js';
import { isDatasetFile } from '../formats/dataset/declaration.js';
import { readDatasetFile } from '../formats/dataset/read.js';
import { placeFiles, withMadeImage } from '../uploads.js';
import { HOME_OPTION, movePost, moveTerm, moveUser, urlMover } from './links.js';
import { DatasetError, Problems } from '../problems.js';
import { isRecording, looksLikeRecording, readRecording } from '../formats/site/rows.js';
import { readClock } from '../dates.js';

export type { Dataset, DatasetFile } from '../dataset.js';
export { moveLinks } from './links.js';
export { DatasetError } from '../problems.js';

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DatasetError(file, [error.code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${reason(error)}`]);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new DatasetError(file, [`is not JSON: ${reason(error)}`]);
  }
}

/** The clock that a file brings along, ms, before anything else of it is known to be right. */
function ownClock(value: unknown): number | null {
  const clock: unknown = (value as { clock?: unknown } | null)?.clock;
  return typeof clock === 'string' ? readClock(clock) : null;
}

/**
 * Reads a dataset file, of the friendly format (`format.ts`) or a recorded site (`world.ts`), into documents. Media are in the folder
 * `uploads` beside it.
 * @param now the moment that relative dates start from, ms since 1970; null: the clock of the dataset, or the real time when it has none
 * @throws DatasetError with everything that is wrong with it
 */
export async function readDataset(file: string, now: number | null): Promise<Dataset> {
  const value = await readJson(file);
  const problems = new Problems();
  const dataset = await readKnown(value, path.dirname(path.resolve(file)), now, problems);
  problems.throwIfAny(file);
  if (!dataset) throw new DatasetError(file, ['cannot be read']);
  return dataset;
}

/**
 * The same for what a JSON file would hold.
 * @param folder folder of its media
 * @param now the moment that relative dates start from when the dataset has no clock, ms since 1970
 * @param name what it is called in errors
 * @throws DatasetError with everything that is wrong with it
 */
export async function readDatasetValue(value: unknown, folder: string, now: number, name: string): Promise<Dataset> {
  const problems = new Problems();
  const dataset = await readKnown(value, folder, ownClock(value) ?? now, problems);
  problems.throwIfAny(name);
  if (!dataset) throw new DatasetError(name, ['cannot be read']);
  return dataset;
}

async function readKnown(value: unknown, folder: string, now: number | null, problems: Problems): Promise<Dataset | null> {
  const seconds = Math.floor((now ?? ownClock(value) ?? new Clock().now()) / 1000);
  if (looksLikeRecording(value)) return isRecording(value, problems) ? readRecording(value, folder, seconds, problems) : null;
  return isDatasetFile(value, problems) ? readDatasetFile(value, folder, seconds, problems) : null;
}

/**
 * Puts a dataset into an empty store and its files into the uploads folder. Links to the dataset's own site become links to `siteUrl`.
 * The options come last: a store without any counts as empty, so a load that was cut short is simply made again.
 * @param uploads folder that the site serves its media from
 * @param siteUrl address of the running site, without trailing slash
 */
export async function storeDataset(dataset: Dataset, store: Store, uploads: string, siteUrl: string): Promise<void> {
  if (!(await store.isEmpty())) throw new Error('A dataset can only be loaded into an empty store.');
  await store.clear();
  const made = await placeFiles(dataset.files, uploads);
  const move = urlMover(dataset.siteUrl, siteUrl);
  await store.insert(
    'posts',
    dataset.posts.map((post) => movePost(withMadeImage(post, made), move)),
  );
  await store.insert(
    'terms',
    dataset.terms.map((term) => moveTerm(term, move)),
  );
  await store.insert(
    'users',
    dataset.users.map((user) => moveUser(user, move)),
  );
  await store.sequences.reserve('posts', dataset.nextIds.posts);
  await store.sequences.reserve('terms', dataset.nextIds.terms);
  await recountTerms(store);
  const options = Object.entries({ ...dataset.options, [HOME_OPTION]: siteUrl });
  await store.insert(
    'options',
    options.map(([name, value]) => ({ _id: name, value })),
  );
}
