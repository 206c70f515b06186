import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { within } from '../../../base/system/deadline.js';
import { messageOf } from '../../../base/values/errors.js';
import { parseSentJson } from '../../../base/values/nesting.js';
import { isRecord, type Json } from '../../../base/values/records.js';
import type { DatasetFunction } from '../../../sdk/types/dataset-function.js';
import { Clock } from '../../../wordpress/clock.js';
import { looksLikeResponses } from '../../recordings/recognize.js';
import { type DatasetSource, DatasetError } from '../../source.js';
import type { InputFile, ReadOptions } from '../format.js';
import { sourceOf } from './file.js';

/** Datasets in TypeScript and JavaScript: modules that export the dataset, or a function that returns it. Opening one runs it. */

const isOfPackage = (file: string): boolean => file.split(/[\\/]/).includes('node_modules');

/** Error that a module may throw, also one that runs in another realm. */
interface Thrown {
  name?: unknown;
  message?: unknown;
  stack?: unknown;
}

const partsOf = (error: unknown): Thrown => (typeof error === 'object' && error !== null ? error : {});

/** The default export, or all that a CommonJS module exports; undefined: nothing. */
function exportOf(exported: unknown): unknown {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return exported;
  // Not by the name: the loader's object then returns itself for `null`.
  const own = Object.getOwnPropertyDescriptor(exported, 'default');
  if (own) return own.get ? own.get() : own.value;
  // Fixtures have names: `export const mockEvents = […]`.
  if (typeof exported === 'object' && looksLikeResponses({ ...exported })) return { ...exported };
  const isEmpty = Reflect.has(exported, '__esModule') || (typeof exported === 'object' && Object.keys(exported).length === 0);
  return isEmpty ? undefined : exported;
}

/** Loads a module and the files that it imports, as they are now. */
class Loading {
  /** The files that have been loaded, absolute. */
  readonly files = new Set<string>();

  constructor(private readonly file: string) {}

  /** Runs the module and returns its export; undefined: none. @throws errors of the module */
  async run(): Promise<unknown> {
    const { createJiti } = await import('jiti');
    const source = await readFile(this.file, 'utf8');
    const jiti = createJiti(this.file, { tryNative: false, moduleCache: false, fsCache: false });
    const evaluate = (isAsync: boolean): unknown => {
      // Receives each file that is translated.
      const cache = {};
      try {
        const settings = { id: this.file, filename: this.file, ext: path.extname(this.file), forceTranspile: true };
        return jiti.evalModule(source, { ...settings, cache, async: isAsync });
      } finally {
        this.add(Object.keys(cache));
      }
    };
    try {
      // Node.js would keep modules that it imports itself, and return the same after an edit.
      return this.withoutNativeCache(() => exportOf(evaluate(false)));
    } catch (error) {
      const { name, message } = partsOf(error);
      if (name !== 'SyntaxError' || !/\bawait\b/.test(String(message))) throw error;
      return exportOf(await evaluate(true));
    }
  }

  private add(files: readonly string[]): void {
    for (const each of files) if (!isOfPackage(each)) this.files.add(path.resolve(each));
  }

  /** Runs synchronous work, and then forgets the files that Node.js has loaded for it (`.cjs`, `.json`). */
  private withoutNativeCache<T>(work: () => T): T {
    const { cache } = createRequire(this.file);
    const before = new Set(Object.keys(cache));
    try {
      return work();
    } finally {
      const loaded = Object.keys(cache).filter((each) => !before.has(each) && !isOfPackage(each));
      this.add(loaded);
      for (const each of loaded) Reflect.deleteProperty(cache, each);
    }
  }

  /** Where an error was thrown: the first place in its stack that is in a loaded file. A translated file has the lines of the original. */
  placeOf(error: unknown): { file: string; line: number } | null {
    const text = [partsOf(error).stack, partsOf(error).message].map(String).join('\n').replaceAll('\\', '/');
    const places = [...this.files].flatMap((file) => {
      const name = file.replaceAll('\\', '/');
      const at = text.indexOf(`${name}:`);
      const line = at === -1 ? undefined : /^\d+/.exec(text.slice(at + name.length + 1))?.[0];
      return line === undefined ? [] : [{ file, line: Number(line), at }];
    });
    return places.sort((a, b) => a.at - b.at)[0] ?? null;
  }
}

const EXPORT = 'Export the dataset, or a function that returns it: export default { events: [] }';

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? String(value) : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

/** How long a module may take, in ms. */
const PATIENCE = 10_000;

/** A replacer of JSON, which would leave functions out. */
function noFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`${JSON.stringify(name)} is a function. Call it, or write its value`);
  return value;
}

/** The dataset as files contain it: as JSON. @throws DatasetError */
function plain(value: unknown, name: string, isReturned: boolean): Json {
  const what = isReturned ? 'its function returns' : 'it exports';
  if (!isRecord(value) && !looksLikeResponses({ list: value }))
    throw new DatasetError(name, [`${what} ${kindOf(value)} instead of a dataset. ${EXPORT}`]);
  try {
    return parseSentJson(JSON.stringify(value, isRecord(value) && !looksLikeResponses(value) ? noFunction : undefined));
  } catch (error) {
    throw new DatasetError(name, [`${what} something that JSON cannot contain: ${messageOf(error).split('\n')[0]}`]);
  }
}

/**
 * Runs a module and opens the dataset that it exports. Its files (`uploads`, `stubs`) are beside it.
 * @throws DatasetError if the module throws, or exports no dataset
 */
export async function openModule(input: InputFile, options: ReadOptions, patience = PATIENCE): Promise<DatasetSource> {
  const { name } = input;
  const loading = new Loading(path.resolve(input.file));
  const valueOf = async (): Promise<Json> => {
    const exported = await loading.run();
    if (exported === undefined) throw new DatasetError(name, [`has no default export. ${EXPORT}`]);
    const isFunction = typeof exported === 'function';
    const now = new Date(options.now ?? new Clock().now());
    const value: unknown = isFunction ? await (exported as DatasetFunction)({ now }) : exported;
    return plain(value, name, isFunction);
  };
  try {
    const value = await within(patience, valueOf(), () => {
      throw new Error(`it has not finished after ${patience / 1000} seconds. A promise that it waits for is never resolved`);
    });
    return await sourceOf(value, input, options);
  } catch (error) {
    if (error instanceof DatasetError) throw error;
    const place = loading.placeOf(error);
    const message = `cannot be run: ${String(partsOf(error).message ?? error)
      .split('\n')[0]
      .trim()}`;
    const file =
      place === null || place.file === path.resolve(input.file)
        ? name
        : path.join(path.dirname(name), path.relative(input.folder, place.file));
    throw new DatasetError(name, [{ message, file, ...(place ? { line: place.line } : {}) }]);
  } finally {
    for (const file of loading.files) options.onImport?.(file);
  }
}
