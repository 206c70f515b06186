import path from 'node:path';
import { didYouMean } from '../text/suggest.js';

/** The datasets of this package, which are named where a file is. */
export const INCLUDED_DATASETS: readonly string[] = ['demo', 'edge', 'empty', 'tickets'];

/** The file of a dataset. @param packageRoot folder of this package */
export const datasetFile = (nameOrFile: string, packageRoot: string): string =>
  INCLUDED_DATASETS.includes(nameOrFile) ? path.join(packageRoot, 'fixtures', `${nameOrFile}.json`) : nameOrFile;

/** Says that a file is missing. A name may be meant for a dataset of this package. */
export const fileNotFound = (name: string): string => `file not found${didYouMean(path.basename(name), INCLUDED_DATASETS)}`;
