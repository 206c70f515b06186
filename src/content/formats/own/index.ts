import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { once } from 'node:events';
import path from 'node:path';
import { LineCounter, parseDocument, stringify } from 'yaml';
import { Clock } from '../../../wp/clock.js';
import type { Dataset } from '../../dataset.js';
import { readClock } from '../../dates.js';
import { isFriendlyFile } from './format.js';
import { readFriendly } from './friendly.js';
import type { FormatCode, InputFile, ReadOptions, WriteOptions } from '../registry.js';
import { DatasetError, Problems } from '../../problems.js';
import type { DatasetItem, DatasetSource, Place } from '../../source.js';
import { isWorldFile, looksLikeWorld, readWorld } from './world.js';

/** Files that people write, and recorded sites, as JSON and as YAML. They are read whole. */

/** A file as a value, and where in the file each part of it stands. */
export interface Parsed {
  value: unknown;
  /** Line (from 1) of a value, or of the nearest one around it that is there. */
  lineOf: (path: string) => number | undefined;
}

/** The steps of a path such as `events[3].venue`. */
const stepsOf = (at: string): (string | number)[] =>
  [...at.matchAll(/\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name) : Number(index),
  );

interface Ranged {
  range?: [number, number, number] | null;
}

/** Finds lines in YAML, of which JSON is a part. Only called when there is something to tell. */
function lineFinder(text: string): (path: string) => number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false });
  return (at) => {
    const steps = stepsOf(at);
    for (let length = steps.length; length >= 0; length -= 1) {
      const node = document.getIn(steps.slice(0, length), true) as Ranged | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const offset = /position (\d+)/.exec(message)?.[1];
    const line = offset === undefined ? text.split('\n').length : lineAt(text, Number(offset));
    throw new DatasetError(name, [`line ${line}: is not JSON: ${message}`]);
  }
}

/** Aliases may refer to each other in a file that is made to exhaust memory. */
const MOST_ALIASES = 1_000;

function parseYaml(text: string, name: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [first] = document.errors;
  if (first) throw new DatasetError(name, [`line ${lines.linePos(first.pos[0]).line}: is not YAML: ${first.message}`]);
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw new DatasetError(name, [`is not YAML: ${(error as Error).message}`]);
  }
}

/** A JSON or YAML file as a value. @throws DatasetError */
export function parse(text: string, name: string, syntax: 'json' | 'yaml'): Parsed {
  const plain = text.replace(/^\uFEFF/, '');
  const value = (syntax === 'json' ? parseJson : parseYaml)(plain, name);
  let find: ((at: string) => number | undefined) | undefined;
  return { value, lineOf: (at) => (find ??= lineFinder(plain))(at) };
}

/** The clock that a file brings along, ms, before anything else of it is known to be right. */
function ownClock(value: unknown): number | null {
  const clock: unknown = (value as { clock?: unknown } | null)?.clock;
  return typeof clock === 'string' ? readClock(clock) : null;
}

/** Reads a value, be it of the friendly format or a recorded site. Null when it has problems. */
export async function readValue(value: unknown, folder: string, now: number | null, problems: Problems): Promise<Dataset | null> {
  const seconds = Math.floor((now ?? ownClock(value) ?? new Clock().now()) / 1000);
  const before = problems.lines.length;
  const dataset = looksLikeWorld(value)
    ? isWorldFile(value, problems) && (await readWorld(value, folder, seconds, problems))
    : isFriendlyFile(value, problems) && (await readFriendly(value, folder, seconds, problems));
  return dataset && problems.lines.length === before ? dataset : null;
}

/** A dataset that is in memory, as a source. */
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

/** A source that has nothing but problems. */
const faultySource = (name: string, faults: readonly { problem: string; at: Place }[]): DatasetSource => ({
  name,
  siteUrl: '',
  clock: null,
  keepsIds: false,
  async *items(problems): AsyncGenerator<DatasetItem> {
    for (const { problem, at } of faults) problems(problem, at);
    yield* NOTHING;
  },
});

const LISTS = ['categories', 'tags', 'media', 'venues', 'organizers', 'events'] as const;

/** Whether somebody has given an id: then it is meant to be kept. */
const namesIds = (value: unknown): boolean =>
  looksLikeWorld(value) ||
  LISTS.flatMap((list) => (value as Record<string, { id?: unknown }[] | undefined> | null)?.[list] ?? []).some(
    ({ id }) => id !== undefined,
  );

const opener =
  (syntax: 'json' | 'yaml' | null) =>
  async ({ file, name, folder }: InputFile, { now }: ReadOptions): Promise<DatasetSource> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new DatasetError(name, [error.code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${error.message}`]);
    });
    const isJson = syntax === null ? /^\s*[{[]/.test(text) : syntax === 'json';
    const { value, lineOf } = parse(text, name, isJson ? 'json' : 'yaml');
    const problems = new Problems();
    const dataset = await readValue(value, folder, now, problems);
    if (dataset) return datasetSource(name, dataset, namesIds(value));
    return faultySource(
      name,
      problems.entries.map(({ path: at, message }) => {
        const line = lineOf(at);
        return { problem: message, at: { path: at, ...(line === undefined ? {} : { line }) } };
      }),
    );
  };

/** How long lines of YAML get before they are folded. */
const YAML_STYLE = { lineWidth: 120 } as const;

/** Writes a value in the syntax that the name of the file asks for. */
async function put(value: object, out: Writable, { file }: WriteOptions, usual: 'json' | 'yaml'): Promise<void> {
  const isYaml = file === null ? usual === 'yaml' : /\.ya?ml$/i.test(path.extname(file)) || (usual === 'yaml' && !/\.json$/i.test(file));
  const text = isYaml ? stringify(value, YAML_STYLE) : `${JSON.stringify(value, null, 2)}\n`;
  if (!out.write(text)) await once(out, 'drain');
}

export const json: FormatCode = {
  open: opener('json'),
  write: async (source, out, options) => put(await (await import('./write-friendly.js')).friendlyOf(source, options), out, options, 'json'),
};

export const yaml: FormatCode = {
  open: opener('yaml'),
  write: async (source, out, options) => put(await (await import('./write-friendly.js')).friendlyOf(source, options), out, options, 'yaml'),
};

export const site: FormatCode = {
  open: opener(null),
  write: async (source, out, options) => put(await (await import('./write-site.js')).siteOf(source, options), out, options, 'json'),
};
