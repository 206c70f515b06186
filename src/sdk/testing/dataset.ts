import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../client/errors.js';
import type { Dataset } from '../types/dataset.js';
import type { DatasetFunction } from '../types/dataset-function.js';
import type { Seeded, SentDataset } from '../types/qa.js';
import { datasetFile, INCLUDED_DATASETS } from '../../base/system/included-datasets.js';
import type { Control } from './control.js';
import { packageFolder } from './package.js';
import { findInside } from '../../base/system/inside.js';

/**
 * A dataset: an object; a function of the clock that returns one; the path of a file of any format, or the name of a dataset of this package (`demo`, `edge`, `empty`); or several of
 * these, of which the first replaces all content.
 */
export type DatasetInput = Dataset | DatasetFunction | string | readonly string[];

export interface SeedOptions {
  /** Time (ISO 8601) at which the clock is frozen, and which relative dates refer to. */
  now?: string | Date | undefined;
  /** Folder of the files of the media library. Default: `uploads` beside the dataset; for an object, in the working directory. */
  uploads?: string | undefined;
  /** Whether to create venues, organizers and terms that are referenced but not defined. Default: the setting of the server. */
  create?: boolean | undefined;
}

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

/** Reads a file. The error has the full path, since test runners differ in their working directories. */
const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read the dataset ${file} (${error.code ?? error.message})`, { cause: error });
  });

const isFile = (dataset: DatasetInput): dataset is string | readonly string[] => typeof dataset === 'string' || Array.isArray(dataset);

async function filesOf(input: Exclude<DatasetInput, DatasetFunction>) {
  const given = isFile(input) ? [input].flat() : [];
  const root = given.some((name) => INCLUDED_DATASETS.includes(name)) ? await packageFolder() : '';
  const names = given.map((name) => path.resolve(datasetFile(name, root)));
  const folders = isFile(input) ? [...new Set(names.map((name) => path.dirname(name)))] : [process.cwd()];
  const dataset = isFile(input)
    ? await Promise.all(names.map(async (name) => ({ name, folder: path.dirname(name), content: base64(await contentOf(name)) })))
    : [{ name: 'The dataset', folder: process.cwd(), content: base64(JSON.stringify(input)) }];
  return { dataset, folders };
}

/**
 * The files and folders that a dataset is read from, absolute: its files, and the folders of pictures and of files of stubs beside them.
 * The datasets of this package are left out.
 */
export function datasetPaths({ dataset, uploads }: { dataset?: DatasetInput | undefined; uploads?: string | undefined }): string[] {
  if (dataset === undefined) return [];
  const files = isFile(dataset) ? [dataset].flat().filter((name) => !INCLUDED_DATASETS.includes(name)) : [];
  const folders = isFile(dataset) ? files.map((file) => path.dirname(file)) : ['.'];
  const below = (name: string): string[] => folders.map((folder) => path.join(folder, name));
  const paths = [...files, ...(uploads === undefined ? below('uploads') : [uploads]), ...below('stubs')];
  return [...new Set(paths.map((each) => path.resolve(each)))];
}

/** Reads the files that the server requested; those that do not exist are omitted. */
async function readRequested(names: readonly string[], folders: readonly string[]): Promise<Record<string, string>> {
  const found = await Promise.all(
    names.map(async (name): Promise<[string, string][]> => {
      for (const folder of folders) {
        const file = await findInside(folder, name);
        const content = file === null ? null : await readFile(file).catch(() => null);
        if (content) return [[name, base64(content)]];
      }
      return [];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** The files that an error of the server asks for; null if it is another error. */
function missingFiles(error: unknown): { files: string[]; stubs: string[] } | null {
  if (!(error instanceof ApiError) || error.code !== 'understudy_missing_files') return null;
  const { files, stubs } = (error.body?.data ?? {}) as { files?: unknown; stubs?: unknown };
  const names = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);
  return { files: names(files), stubs: names(stubs) };
}

/** The problems of a dataset without the request that failed, also not as a cause: test runners would print both. */
const readable = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'understudy_invalid_dataset' ? new Error(error.body?.message ?? error.message) : error;

/** Seeds a dataset. Sends its files first, and then, if it has any, the pictures and the files of stubs that the server asks for. */
export async function seedDataset(
  control: Pick<Control, 'clock' | 'seedFiles'>,
  input: DatasetInput,
  { now, uploads, create }: SeedOptions,
): Promise<Seeded> {
  const called = typeof input === 'function' ? await input({ now: new Date(now ?? (await control.clock.get()).now) }) : input;
  const { dataset, folders } = await filesOf(called);
  const send = (files: Pick<SentDataset, 'uploads' | 'stubs' | 'partial'>): Promise<Seeded> =>
    control.seedFiles({ dataset, ...files }, now, create);
  try {
    return await send({}).catch(async (error: unknown) => {
      const missing = missingFiles(error);
      if (!missing) throw error;
      const below = (name: string): string[] => folders.map((folder) => path.join(folder, name));
      return send({
        uploads: await readRequested(
          missing.files,
          uploads === undefined ? below('uploads') : [await realpath(uploads).catch(() => uploads)],
        ),
        stubs: await readRequested(missing.stubs, below('stubs')),
        partial: true,
      });
    });
  } catch (error) {
    throw readable(error);
  }
}
