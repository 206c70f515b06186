import type { openFile } from '../../src/transfer/formats/open.js';
import type { Format } from '../../src/transfer/formats/format.js';

export interface FileReport {
  /** Number of runs by outcome: `read`, or the name of an error. */
  ends: Record<string, number>;
  failures: string[];
}

export interface ValidDataset {
  name: string;
  extension: string;
  bytes: Buffer;
}

interface Runs {
  folder: string;
  seed: number;
  runs: number;
}

export function datasets(given: {
  formats: readonly Format[];
  openFile: typeof openFile;
  dataset: string;
  folder: string;
}): Promise<ValidDataset[]>;
export function fuzzDataset(dataset: ValidDataset, given: Runs & { openFile: typeof openFile }): Promise<FileReport>;
export function fuzzBackup(file: string, given: Runs & { use: (file: string) => Promise<unknown> }): Promise<FileReport>;
