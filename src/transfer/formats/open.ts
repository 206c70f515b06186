import { open } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../../base/system/package-version.js';
import { datasetFile } from '../../base/system/included-datasets.js';
import { lookup } from '../../base/values/records.js';
import { DatasetError, warningText } from '../problems.js';
import type { DatasetSource } from '../source.js';
import { withMistakeWarnings } from './likely-mistakes.js';
import { decode, encoded, encodingProblem, encodingProblemOf, statedEncoding } from './encoding.js';
import type { InputFile, ReadOptions, Warn } from './format.js';
import { CONTENT_FORMATS, formatNamed, formatNames, formatOfName } from './registry.js';
import { realTime } from '../../wordpress/clock.js';
import { problemOfSource } from '../uploads.js';

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
  ENOENT: 'file not found',
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
    throw new DatasetError(input.name, [UNREADABLE[error.code ?? ''] ?? `cannot be read: ${error.message}`]);
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

/** Opens several files. Those with recorded responses are one source. @throws DatasetError, as `openFile` */
export async function openFiles(inputs: readonly InputFile[], given: ReadOptions, formatName?: string): Promise<DatasetSource[]> {
  const options = given.warn ? { ...given, warn: once(given.warn) } : given;
  const sources = await Promise.all(inputs.map((input) => openFile(input, options, formatName)));
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
