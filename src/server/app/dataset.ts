import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { DEMO_DATASET, type ServerOptions } from '../config/index.js';
import { INCLUDED_DATASETS } from '../../base/system/included-datasets.js';
import type { Zones } from '../../base/php/timezone.js';
import type { ReadOptions, Warn } from '../../transfer/formats/format.js';
import type { DatasetSource } from '../../transfer/source.js';

type GivenDataset = ServerOptions['dataset'];

/** The folder that contains the media folder `uploads` of a dataset: the file's own, or the working directory for an object. */
export const datasetFolder = (dataset: GivenDataset): string =>
  typeof dataset === 'string' ? path.dirname(path.resolve(dataset)) : process.cwd();

/** Whether a dataset is of this package. */
export const isIncluded = (dataset: GivenDataset): boolean =>
  typeof dataset === 'string' &&
  (INCLUDED_DATASETS.includes(dataset) || path.dirname(path.resolve(dataset)) === path.dirname(DEMO_DATASET));

/** The file of a dataset that may be changed; null for an object, and for the datasets of this package. */
export const savedFileOf = (dataset: GivenDataset): string | null =>
  typeof dataset !== 'string' || isIncluded(dataset) ? null : path.resolve(dataset);

/** The name of a dataset in messages. */
export const datasetName = (dataset: GivenDataset): string => (typeof dataset === 'string' ? dataset : 'The dataset');

/** The name of a dataset for people, without its folder. */
export const shortName = (dataset: GivenDataset): string =>
  dataset === DEMO_DATASET ? 'demo' : typeof dataset === 'string' ? path.basename(dataset) : 'dataset of the program';

const base = (now: number | null, zones: Zones | undefined, warn?: Warn, onImport?: ReadOptions['onImport']) => ({
  now,
  ...(zones ? { zones } : {}),
  ...(warn ? { warn } : {}),
  ...(onImport ? { onImport } : {}),
});

/**
 * Opens the dataset of the options.
 * @param now base of relative dates, ms since 1970 UTC; null: the clock of the dataset, or the real time
 * @param zones the time zones of the site; absent: as the dataset says
 * @param warn receives warnings about the dataset
 * @param onImport receives the files of a module
 * @throws DatasetError when the file cannot be read
 */
export async function openDataset(
  dataset: GivenDataset,
  now: number | null,
  zones?: Zones,
  warn?: Warn,
  onImport?: ReadOptions['onImport'],
): Promise<DatasetSource> {
  // Loaded on first use: a start with content reads no dataset.
  if (typeof dataset === 'string') {
    const { inputFile, openFile } = await import('../../transfer/formats/open.js');
    const [source, file] = await Promise.all([
      openFile(inputFile(dataset), base(now, zones, warn, onImport)),
      realpath(dataset).catch(() => undefined),
    ]);
    return { ...source, file };
  }
  const { sourceOf } = await import('../../transfer/formats/dataset/file.js');
  return sourceOf(dataset, { name: datasetName(dataset), folder: datasetFolder(dataset) }, base(now, zones));
}
