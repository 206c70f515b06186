import path from 'node:path';
import { DEMO_DATASET, type ServerOptions } from '../config/index.js';
import { sourceOf } from '../../transfer/formats/dataset/file.js';
import { inputFile, openFile } from '../../transfer/formats/open.js';
import type { DatasetSource } from '../../transfer/source.js';

type GivenDataset = ServerOptions['dataset'];

/** The folder that contains the media folder `uploads` of a dataset: the file's own, or the working directory for an object. */
export const datasetFolder = (dataset: GivenDataset): string =>
  typeof dataset === 'string' ? path.dirname(path.resolve(dataset)) : process.cwd();

/** The name of a dataset in messages. */
export const datasetName = (dataset: GivenDataset): string => (typeof dataset === 'string' ? dataset : 'The dataset');

/** The name of a dataset for people, without its folder. */
export const shortName = (dataset: GivenDataset): string =>
  dataset === DEMO_DATASET ? 'demo' : typeof dataset === 'string' ? path.basename(dataset) : 'dataset of the program';

/**
 * Opens the dataset of the options.
 * @param now base of relative dates, ms since 1970 UTC; null: the clock of the dataset, or the real time
 * @throws DatasetError when the file cannot be read
 */
export const openDataset = (dataset: GivenDataset, now: number | null): Promise<DatasetSource> =>
  typeof dataset === 'string'
    ? openFile(inputFile(dataset), { now })
    : sourceOf(dataset, { name: datasetName(dataset), folder: datasetFolder(dataset) }, now);
