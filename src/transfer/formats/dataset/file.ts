import path from 'node:path';
import { mysqlDate, secondsToWall } from '../../../base/php/date.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { loadContents, registryWithDefaults } from '../../../plugins/register.js';
import type { Post } from '../../../wordpress/model.js';
import { readOptions } from '../../../wordpress/options.js';
import { utcToSite } from '../../../wordpress/timezones.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { PLUGINS_OPTION } from '../../../wordpress/quirks.js';
import { Clock } from '../../../wordpress/clock.js';
import { byPosition, DatasetError, Problems } from '../../source.js';
import type { DatasetContent, Mention, SourceItem, DatasetSource, SourcePlace } from '../../source.js';
import type { UploadFolder } from '../../uploads.js';
import { readText } from '../encoding.js';
import { asWritten } from '../schema.js';
import type { InputFile, Open, ReadOptions } from '../format.js';
import { readRecording, POST_LISTS, isRecording, looksLikeRecording } from '../site/rows.js';
import { looksLikeResponses } from '../../recordings/recognize.js';
import { isDatasetFile, type DatasetFile } from './declaration.js';
import { parse, type Parsed, type Syntax } from './parse.js';
import type { DatasetBase } from '../../dates.js';
import { readDatasetFile } from './read.js';
import { addFurther, validParts } from './repair.js';
import { readStubs } from './stubs.js';
import { withFieldGroups } from './registered/field-groups.js';
import { readMoment } from '../../../base/text/moment.js';

/** Reads datasets and recorded sites, as JSON or YAML, into memory. */

declare module '../../../wordpress/types/hooks.js' {
  interface Hooks {
    /** Changes the posts of a file after it was read. @param now site time and UTC of a recorded site; null: the file has the dates */
    loadedPosts: (posts: Post[], registry: Registry, now: { local: string; utc: string } | null) => Post[];
  }
}

type ReadBase = Pick<ReadOptions, 'now' | 'zones' | 'zone' | 'warn' | 'notify'>;

/** The clock of a file that has not been validated yet, ms since 1970 UTC. */
function ownClock(value: unknown): number | null {
  const clock: unknown = (value as { clock?: unknown } | null)?.clock;
  return typeof clock === 'string' ? readMoment(clock) : null;
}

/** The folders with the files of a dataset. */
interface Folders {
  uploads: UploadFolder;
  stubs: UploadFolder;
}

async function readParts(file: DatasetFile, { uploads, stubs }: Folders, base: DatasetBase, problems: Problems): Promise<DatasetContent> {
  const dataset = await readDatasetFile(file, uploads, base, problems);
  return { ...dataset, options: { ...dataset.options, ...(await readStubs(file.stubs, stubs, problems)) } };
}

/** Reads a dataset. If it is invalid, reports the problems of its valid parts, too. */
async function readDataset(value: unknown, folders: Folders, base: DatasetBase, problems: Problems): Promise<DatasetContent | null> {
  if (isDatasetFile(value, await loadContents(), problems)) return readParts(value, folders, base, problems);
  const further = new Problems();
  const parts = validParts(value, problems);
  if (parts) await readParts(parts, folders, base, further);
  addFurther(problems, further);
  problems.missingFiles.push(...further.missingFiles);
  problems.missingStubs.push(...further.missingStubs);
  return null;
}

/** Reads a dataset or a recorded site. Returns null if it is too broken to read. */
async function readValue(
  given: unknown,
  { root, ...folders }: Folders & { root: string },
  { now, zones, warn }: ReadBase,
  problems: Problems,
): Promise<DatasetContent | null> {
  const value = await withFieldGroups(given, root, problems);
  const seconds = Math.floor((now ?? ownClock(value) ?? new Clock().now()) / 1000);
  const isRecorded = looksLikeRecording(value);
  const dataset = isRecorded
    ? isRecording(value, problems) && (await readRecording(value, folders.uploads.path, seconds, problems))
    : await readDataset(value, folders, { now: seconds, zones, warn }, problems);
  return dataset ? { ...dataset, posts: await loadedPosts(dataset, isRecorded ? (dataset.clock ?? seconds * 1000) : null) } : null;
}

/** The posts of a file, as plugins leave them once their content is there. @param now of a recorded site, ms since 1970 UTC */
async function loadedPosts({ posts, options, declarations = {} }: DatasetContent, now: number | null): Promise<Post[]> {
  const registry = (await registryWithDefaults((options[PLUGINS_OPTION] ?? []) as string[])).with(declarations);
  const hooks = registry.hooks('loadedPosts');
  if (hooks.length === 0) return posts;
  const utc = mysqlDate(secondsToWall(Math.floor((now ?? 0) / 1000)));
  const moment = now === null ? null : { utc, local: utcToSite(newestZones(), utc, readOptions(options, registry.optionReaders).timezone) };
  return hooks.reduce((known, change) => change(known, registry, moment), posts);
}

const pathOnly = (at: string): SourcePlace => ({ path: at });

/** Wraps a dataset in memory as a source. @param placeOf the place of a value, by its path */
export function datasetSource(
  name: string,
  dataset: DatasetContent,
  keepsIds: boolean,
  placeOf: (path: string) => SourcePlace = pathOnly,
): DatasetSource {
  const { posts, terms, users, options, files, mentions, comments = [], declarations = {} } = dataset;
  const mentioned = (mention: Mention | undefined) => mention && { reuse: true, absent: mention.problem, at: placeOf(mention.path) };
  return {
    name,
    siteUrl: dataset.siteUrl,
    clock: dataset.clock,
    plugins: (options[PLUGINS_OPTION] ?? []) as string[],
    declarations,
    keepsIds,
    nextIds: dataset.nextIds,
    count: 1 + posts.length + terms.length + users.length + files.length,
    async *items(): AsyncGenerator<SourceItem> {
      yield { kind: 'options', options };
      for (const user of users) yield { kind: 'user', user };
      for (const term of terms) yield { kind: 'term', term, ...mentioned(mentions?.terms.get(term._id)) };
      for (const file of files) yield { kind: 'file', file };
      for (const post of posts) {
        const mention = mentions?.posts.get(post._id);
        yield { kind: 'post', post, ...(mention ? { bySlug: true, ...mentioned(mention) } : {}) };
      }
      for (const comment of comments) yield { kind: 'comment', comment };
    },
  };
}

/** A source that reports problems, and has only mentioned items, since a missing one may be a problem, too. */
const faultySource = (
  name: string,
  faults: readonly { problem: string; at: SourcePlace }[],
  { missingFiles, missingStubs }: Problems,
  dataset: DatasetSource | null,
): DatasetSource => ({
  name,
  missing: missingFiles,
  missingStubs,
  siteUrl: '',
  clock: null,
  keepsIds: false,
  async *items(problems): AsyncGenerator<SourceItem> {
    for (const { problem, at } of faults) problems(problem, at);
    for await (const item of dataset?.items(problems) ?? []) if ('reuse' in item && item.reuse) yield item;
  },
});

const LISTS: readonly string[] = [
  'categories',
  'tags',
  ...POST_LISTS,
  'post_categories',
  'posts',
  'pages',
  'pattern_categories',
  'patterns',
  'navigation',
  'menus',
];

/** Whether a file contains ids, which are then kept. */
const containsIds = (value: unknown): boolean => {
  if (looksLikeRecording(value)) return true;
  const file = (value ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const lists = [...LISTS.map((list) => file[list]), ...MAPS.flatMap((map) => Object.values(file[map] ?? {}))];
  return (lists as ({ id?: unknown }[] | undefined)[]).flatMap((list) => list ?? []).some(({ id }) => id !== undefined);
};

/** The lists by type and by taxonomy. */
const MAPS = ['items', 'terms'] as const;

/**
 * Converts the parsed content of a file to a source.
 * @param input the name of the file, and the folder that contains the folders `uploads` and `stubs`
 */
export async function sourceOf(
  value: unknown,
  { name, folder, shownFolder = folder, isOwn = false }: Omit<InputFile, 'file'>,
  base: ReadBase,
  { positionOf, writtenAt }: Pick<Parsed, 'positionOf' | 'writtenAt'> = { positionOf: () => undefined, writtenAt: () => undefined },
): Promise<DatasetSource> {
  if (!looksLikeRecording(value) && looksLikeResponses(value)) {
    const { recordedSource, responsesIn } = await import('../../recordings/source.js');
    return recordedSource(name, responsesIn(value, { name, folder, isOwn }), base);
  }
  const problems = new Problems();
  const below = (inner: string): UploadFolder => ({ path: path.join(folder, inner), shown: path.join(shownFolder, inner) });
  // Positions take as long as parsing the file, so they are computed only for problems.
  const placeOf = (at: string): SourcePlace => ({
    path: at,
    get line() {
      return positionOf(at)?.line;
    },
    get column() {
      return positionOf(at)?.column;
    },
  });
  const dataset = await readValue(value, { root: folder, uploads: below('uploads'), stubs: below('stubs') }, base, problems);
  for (const mention of [dataset?.mentions?.posts, dataset?.mentions?.terms].flatMap((all) => [...(all?.values() ?? [])]))
    if (mention.like !== undefined)
      base.warn?.(
        `${JSON.stringify(mention.name)} is created beside ${JSON.stringify(mention.like)}. If that is meant, list both`,
        placeOf(mention.path),
      );
  const source = dataset && datasetSource(name, dataset, containsIds(value), placeOf);
  if (source && problems.entries.length === 0) return source;
  const faults = problems.entries.map(({ path: at, message }): { problem: string; at: SourcePlace } => ({
    problem: asWritten(message, () => writtenAt(at)),
    at: { path: at, ...positionOf(at) },
  }));
  // Without positions, the order stays.
  faults.sort((a, b) => byPosition(a.at, b.at));
  return faultySource(name, faults, problems, source);
}

/** Opens a JSON or YAML file; with null, the content decides. */
export const opener =
  (syntax: Syntax | null): Open =>
  async (input, base) => {
    const { name } = input;
    const text = await readText(input).catch((error: NodeJS.ErrnoException) => {
      throw new DatasetError(name, [error.code === 'ENOENT' ? 'file not found' : `cannot be read: ${error.message}`]);
    });
    const isJson = syntax === null ? /^\s*[{[]/.test(text) : syntax === 'json';
    const { value, ...parsed } = parse(text, name, isJson ? 'json' : 'yaml');
    return sourceOf(value, input, base, parsed);
  };
