import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Clock } from '../../../wp/clock.js';
import type { Dataset } from '../../dataset.js';
import { DatasetError, Problems } from '../../problems.js';
import type { DatasetItem, DatasetSource, Place } from '../../source.js';
import type { UploadFolder } from '../../uploads.js';
import type { InputFile, Open } from '../format.js';
import { POST_LISTS, isRecording, looksLikeRecording } from '../site/declaration.js';
import { readRecording } from '../site/rows.js';
import { isDatasetFile } from './declaration.js';
import { parse, type Parsed, type Syntax } from './parse.js';
import { readDatasetFile } from './read.js';
import { addFurther, validParts } from './repair.js';
import { readMoment } from '../../../moment.js';

/** Reads datasets and recorded sites, as JSON or YAML, into memory. */

/** The clock of a file that has not been validated yet, ms since 1970 UTC. */
function ownClock(value: unknown): number | null {
  const clock: unknown = (value as { clock?: unknown } | null)?.clock;
  return typeof clock === 'string' ? readMoment(clock) : null;
}

/** Reads a dataset. If it is invalid, reports the problems of its valid parts, too. */
async function readDataset(value: unknown, uploads: UploadFolder, seconds: number, problems: Problems): Promise<Dataset | null> {
  if (isDatasetFile(value, problems)) return readDatasetFile(value, uploads, seconds, problems);
  const further = new Problems();
  const parts = validParts(value, problems);
  if (parts) await readDatasetFile(parts, uploads, seconds, further);
  addFurther(problems, further);
  problems.missingFiles.push(...further.missingFiles);
  return null;
}

/** Reads a dataset or a recorded site. Returns null if it has problems. */
async function readValue(value: unknown, uploads: UploadFolder, now: number | null, problems: Problems): Promise<Dataset | null> {
  const seconds = Math.floor((now ?? ownClock(value) ?? new Clock().now()) / 1000);
  const dataset = looksLikeRecording(value)
    ? isRecording(value, problems) && (await readRecording(value, uploads.path, seconds, problems))
    : await readDataset(value, uploads, seconds, problems);
  return dataset && problems.entries.length === 0 ? dataset : null;
}

/** Wraps a dataset in memory as a source. */
export function datasetSource(name: string, dataset: Dataset, keepsIds: boolean): DatasetSource {
  const { posts, terms, users, options, files } = dataset;
  return {
    name,
    siteUrl: dataset.siteUrl,
    clock: dataset.clock,
    keepsIds,
    nextIds: dataset.nextIds,
    count: 1 + posts.length + terms.length + users.length + files.length,
    async *items(): AsyncGenerator<DatasetItem> {
      yield { kind: 'options', options };
      for (const user of users) yield { kind: 'user', user };
      for (const term of terms) yield { kind: 'term', term };
      for (const file of files) yield { kind: 'file', file };
      for (const post of posts) yield { kind: 'post', post };
    },
  };
}

const NOTHING: readonly DatasetItem[] = [];

/** A source without items that reports problems. */
const faultySource = (name: string, faults: readonly { problem: string; at: Place }[], missing: readonly string[]): DatasetSource => ({
  name,
  missing,
  siteUrl: '',
  clock: null,
  keepsIds: false,
  async *items(problems): AsyncGenerator<DatasetItem> {
    for (const { problem, at } of faults) problems(problem, at);
    yield* NOTHING;
  },
});

const LISTS: readonly string[] = ['categories', 'tags', ...POST_LISTS];

/** Whether a file contains ids, which are then kept. */
const containsIds = (value: unknown): boolean =>
  looksLikeRecording(value) ||
  LISTS.flatMap((list) => (value as Record<string, { id?: unknown }[] | undefined> | null)?.[list] ?? []).some(
    ({ id }) => id !== undefined,
  );

/**
 * Converts the parsed content of a file to a source.
 * @param input the name of the file, and the folder that contains the media folder `uploads`
 * @param now base of relative dates, ms since 1970 UTC; null: the clock of the content, or the real time
 */
export async function sourceOf(
  value: unknown,
  { name, folder, shownFolder = folder }: Omit<InputFile, 'file'>,
  now: number | null,
  positionOf: Parsed['positionOf'] = () => undefined,
): Promise<DatasetSource> {
  const problems = new Problems();
  const uploads = { path: path.join(folder, 'uploads'), shown: path.join(shownFolder, 'uploads') };
  const dataset = await readValue(value, uploads, now, problems);
  if (dataset) return datasetSource(name, dataset, containsIds(value));
  const faults = problems.entries.map(({ path: at, message }): { problem: string; at: Place } => ({
    problem: message,
    at: { path: at, ...positionOf(at) },
  }));
  // Without positions, the order stays.
  faults.sort((a, b) => (a.at.line ?? 0) - (b.at.line ?? 0) || (a.at.column ?? 0) - (b.at.column ?? 0));
  return faultySource(name, faults, problems.missingFiles);
}

/** Opens a JSON or YAML file; with null, the content decides. */
export const opener =
  (syntax: Syntax | null): Open =>
  async (input, { now }) => {
    const { file, name } = input;
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new DatasetError(name, [error.code === 'ENOENT' ? 'file not found' : `cannot be read: ${error.message}`]);
    });
    const isJson = syntax === null ? /^\s*[{[]/.test(text) : syntax === 'json';
    const { value, positionOf } = parse(text, name, isJson ? 'json' : 'yaml');
    return sourceOf(value, input, now, positionOf);
  };
