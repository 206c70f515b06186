import { open } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../../base/system/package-version.js';
import { datasetFile, fileNotFound } from '../../base/system/included-datasets.js';
import { lookup } from '../../base/values/records.js';
import { type DatasetSource, type SourceItem, DatasetError, warningText } from '../source.js';
import { decode, encoded, encodingProblem, encodingProblemOf, statedEncoding } from './encoding.js';
import type { InputFile, ReadOptions, Warn } from './format.js';
import { CONTENT_FORMATS, formatNamed, formatNames, formatOfName } from './registry.js';
import { realTime } from '../../wordpress/clock.js';
import { problemOfSource } from '../uploads.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, textFields } from '../../plugins/the-events-calendar/model/event.js';
import { loadContents } from '../../plugins/register.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { isEmail } from '../../wordpress/formatting/email.js';
import { metaValue, metaValues, type Post } from '../../wordpress/model.js';
import { kindOfPost } from '../writing.js';

/** A number with separators of two kinds, with one that is repeated, or with one that no decimals begin with: `1,234.50`, `1.234.567`, `1'234`. */
const GROUPED = /\d+(?:[.,]\d+){2,}|\b\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?:[.,]\d+)?\b/g;

/** A grouped number as the plugin reads it whole: without the separators of thousands. */
function ungrouped(number: string): string {
  const separators = number.replace(/\d/g, '');
  const [last] = separators.slice(-1);
  const isDecimal = /[.,]/.test(last) && separators.indexOf(last) === separators.length - 1;
  const digits = number.split(/\D/);
  return isDecimal ? `${digits.slice(0, -1).join('')}${last}${digits.at(-1) ?? ''}` : digits.join('');
}

/** The fields with addresses of each type of post. */
const ADDRESSES: Readonly<Record<string, ReturnType<typeof textFields>>> = lookup(
  Object.fromEntries(
    [[EVENT, EVENT_FIELDS] as const, ...LINKED_KINDS.map((kind) => [LINKED[kind].type, LINKED[kind].fields] as const)].map(
      ([type, fields]) => [
        type,
        textFields(fields).filter(([, { kind, format }]) =>
          [kind, format].some((each) => each === 'url' || each === 'uri' || each === 'email'),
        ),
      ],
    ),
  ),
);

/** A host name of two labels or more, or an address of a scheme: what browsers open. */
const OPENABLE = /^(?:[a-z][a-z0-9+.-]*:|\/|[^\s./]+(?:\.[^\s./]+)+(?:[/?#:]\S*)?$)/i;

function* addressDoubts(post: Post): Iterable<string> {
  for (const [name, { key, kind, format }] of ADDRESSES[post.type] ?? []) {
    const isEmailField = kind === 'email' || format === 'email';
    const wrong = metaValues(post, key).find((value) => value !== '' && !(isEmailField ? isEmail(value) : OPENABLE.test(value)));
    if (wrong !== undefined) yield `The ${name} of the ${kindOfPost(post)} "${post.title}" is not an address: "${wrong}"`;
  }
}

/** Years in which nobody has an event. */
const TOO_EARLY = '1000';

/** Days after which the year of an end is probably wrong. */
const LONG = 360;

function* dateDoubts(post: Post): Iterable<string> {
  const [start, end] = [EVENT_FIELDS.start_date.key, EVENT_FIELDS.end_date.key].map((key) => metaValue(post, key) ?? '');
  const early = [start, end].find((date) => /^\d{4}-/.test(date) && date < TOO_EARLY);
  const days = Math.round((Date.parse(`${end.slice(0, 10)}Z`) - Date.parse(`${start.slice(0, 10)}Z`)) / 86_400_000);
  if (early !== undefined) yield `The event "${post.title}" is in the year ${Number(early.slice(0, 4))}. Write all four digits`;
  else if (days >= LONG) yield `The event "${post.title}" lasts ${days} days, from ${start} to ${end}`;
}

/** Warnings about probable mistakes in an item, one sentence each. */
function* doubtsOf(item: SourceItem): Iterable<string> {
  if (item.kind === 'user' && item.user.email !== '' && !isEmail(item.user.email))
    yield `The email address of the user "${item.user.login}" is not an address: "${item.user.email}"`;
  if (item.kind !== 'post') return;
  yield* addressDoubts(item.post);
  if (item.post.type !== EVENT) return;
  yield* dateDoubts(item.post);
  for (const cost of metaValues(item.post, EVENT_FIELDS.cost.key))
    if (cost.match(GROUPED)) {
      const meant = cost.replace(GROUPED, ungrouped);
      yield `The event "${item.post.title}" costs "${cost}", which The Events Calendar reads as several amounts. Write "${meant}"`;
    }
}

/** A source that reports warnings about probable mistakes. */
export function withMistakeWarnings(source: DatasetSource, warn: (line: string) => void): DatasetSource {
  return {
    ...source,
    async *items(problems) {
      const contents = (await loadContents()).filter(({ plugin }) => source.plugins?.includes(plugin.name));
      const ofPlugins = contents.flatMap(({ doubts }) => doubts?.() ?? []);
      for await (const item of source.items(problems)) {
        for (const doubt of doubtsOf(item)) warn(doubt);
        if (item.kind === 'post') for (const each of ofPlugins) each.add(item.post);
        yield item;
      }
      for (const each of ofPlugins) for (const doubt of each.doubts()) warn(doubt);
    },
  };
}

/** How long a source is read before signals and timers get their turn, in ms. */
const TURN = 50;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A source from anybody, in which everybody who reads it can trust: its files are inside of their folder, and the process responds to signals
 * meanwhile. Items of most formats come from memory, without a pause.
 */
export const guardedSource = (source: DatasetSource, signal?: AbortSignal): DatasetSource => ({
  ...source,
  async *items(problems) {
    let since = realTime();
    for await (const item of source.items(problems)) {
      if (realTime() - since > TURN) {
        await turn();
        signal?.throwIfAborted();
        since = realTime();
      }
      const problem = item.kind === 'file' && item.file.within !== undefined ? await problemOfSource(item.file) : null;
      if (problem && !problem.isMissing) problems(problem.message, 'at' in item ? item.at : undefined);
      else yield item;
    }
  },
});

const START = 4_096;

/** Problems with a file, by the code of the error. */
const UNREADABLE: Readonly<Record<string, string>> = lookup({
  EISDIR: 'is a folder. Name the files in it',
  EACCES: 'permission denied',
});

async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START), 0, START, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Modules that export a dataset: TypeScript and JavaScript. */
const MODULE = /\.[cm]?[jt]s$/i;

/** Runs a module. @throws DatasetError for one that was sent: only the user's own are run */
async function openOwnModule(input: InputFile, options: ReadOptions): Promise<DatasetSource> {
  if (input.isOwn !== true)
    throw new DatasetError(input.name, ['is a module, which only the command line runs. Import it, and pass what it exports']);
  return (await import('./dataset/module.js')).openModule(input, options);
}

/** A file with an encoding, by name. @throws DatasetError if it is unknown */
async function encodedInput(input: InputFile, encoding: string | undefined): Promise<InputFile> {
  const problem = encoding === undefined ? null : await encodingProblem(encoding);
  if (problem !== null) throw new DatasetError(input.name, [problem]);
  return { ...input, ...encoded(input.file, encoding) };
}

/**
 * Opens a file of any format. The format is `formatName`, or follows from the extension, or is the first that recognizes the content. A
 * module is recognized only by its extension, and run only if the user has named it (`isOwn`). The
 * encoding of a file is the option `encoding`, or what the file tells, or UTF-8.
 * @throws DatasetError when the file does not exist, its format cannot be determined, or it has bytes that its encoding does not have
 */
export async function openFile(input: InputFile, options: ReadOptions, formatName?: string): Promise<DatasetSource> {
  const bytes = await startOf(input.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR' && input.isOwn === true) return null;
    const problem = error.code === 'ENOENT' ? fileNotFound(input.name) : UNREADABLE[error.code ?? ''];
    throw new DatasetError(input.name, [problem ?? `cannot be read: ${error.message}`]);
  });
  if (bytes === null) return guardedSource(await (await import('../recordings/open.js')).openFolder(input, options), options.signal);
  if (formatName === undefined && MODULE.test(input.name)) return guardedSource(await openOwnModule(input, options), options.signal);
  const text = await encodedInput(input, options.encoding ?? statedEncoding(bytes));
  const start = await decode(bytes, text.encoding);
  if (start.trim() === '') throw new DatasetError(input.name, ['the file is empty']);
  const format =
    formatName === undefined ? (formatOfName(input.name) ?? CONTENT_FORMATS.find(({ sniff }) => sniff(start))) : formatNamed(formatName);
  if (!format) throw new DatasetError(input.name, [`unknown format. Set it with --format: ${formatNames().join(', ')}`]);
  if (!format.read) throw new DatasetError(input.name, [`the format ${format.name} is write-only`]);
  const problem = format.isFolded ? null : await encodingProblemOf(text, options.signal);
  if (problem) throw new DatasetError(input.name, [problem]);
  const warn = options.warn && once(options.warn);
  const source = guardedSource(await (await format.read())(text, { ...options, ...(warn ? { warn } : {}) }), options.signal);
  return warn ? withMistakeWarnings(source, warn) : source;
}

/**
 * Opens several files. Those with recorded responses are one source. Warnings and problems are in the order of the files, which are
 * read at the same time.
 * @throws DatasetError, as `openFile`
 */
export async function openFiles(inputs: readonly InputFile[], given: ReadOptions, formatName?: string): Promise<DatasetSource[]> {
  const warn = given.warn && once(given.warn);
  const options = { ...given, ...(warn ? { warn } : {}) };
  let held: Parameters<Warn>[][] | null = inputs.map(() => []);
  const hold = (index: number): ReadOptions =>
    warn ? { ...options, warn: (...line) => void (held === null ? warn(...line) : held[index].push(line)) } : options;
  const opened = await Promise.allSettled(inputs.map((input, index) => openFile(input, hold(index), formatName)));
  for (const line of held.flat()) warn?.(...line);
  held = null;
  const failed = opened.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  const [first] = failed;
  if (first instanceof DatasetError && failed.every((each) => each instanceof DatasetError))
    throw new DatasetError(
      first.file,
      failed.flatMap(({ file, located }) => located.map((problem) => ({ file, ...problem }))),
    );
  if (failed.length > 0) throw first;
  const sources = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return sources.some(({ exchanges }) => exchanges) ? (await import('../recordings/open.js')).joined(sources, options) : sources;
}

/** Maximum number of warnings of a file. */
const MAX_WARNINGS = 1_000;

/** Passes on each warning once, since sources are read more than once, up to a number. */
function once(warn: Warn): Warn {
  const said = new Set<string>();
  return (line, at) => {
    const key = warningText(line, at);
    if (said.has(key) || said.size > MAX_WARNINGS) return;
    said.add(key);
    if (said.size <= MAX_WARNINGS) warn(line, at);
    else warn(`there are more than ${MAX_WARNINGS} warnings: further ones are not shown`);
  };
}

/** A file on disk as input. @param name of the file, or of a dataset of this package */
export const inputFile = (name: string): InputFile => {
  const file = datasetFile(name, packageRoot);
  return { file, name: file, folder: path.dirname(path.resolve(file)), isOwn: true };
};
