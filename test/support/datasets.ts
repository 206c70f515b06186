import path from 'node:path';
import type { DatasetContent } from '../../src/content/dataset.js';
import { collect } from '../../src/content/formats/collect.js';
import { inputFile, openFile } from '../../src/content/formats/open.js';
import type { SitePlace } from '../../src/content/load/files.js';
import { loadSource, type LoadResult } from '../../src/content/load/load.js';
import { DatasetError } from '../../src/content/problems.js';
import type { Store } from '../../src/wp/store.js';

/**
 * The documents of a dataset file. Problems are without the lines of the file.
 * @param now the moment that relative dates start from, ms since 1970; null: the clock of the dataset, or the real time when it has none
 */
export async function readDataset(file: string, now: number | null): Promise<DatasetContent> {
  const { siteUrl, clock, nextIds = { posts: 1, terms: 1 }, ...source } = await openFile(inputFile(file), { now });
  const documents = await collect({ ...source, siteUrl, clock }).catch((error: unknown) => {
    if (!(error instanceof DatasetError)) throw error;
    throw new DatasetError(
      error.file,
      error.problems.map((problem) => problem.replace(/^line \d+: /, '')),
    );
  });
  return { ...documents, siteUrl, clock, nextIds };
}

/** The folders of a site with a given folder of uploads. */
export const placeOf = (uploads: string): SitePlace => ({
  uploads,
  pristine: `${path.resolve(uploads)}-pristine`,
  snapshot: (name) => `${path.resolve(uploads)}-${name}`,
});

/** Loads a dataset file into a store, in place of what it holds. */
export const loadFile = async (
  file: string,
  store: Store,
  uploads: string,
  siteUrl: string,
  now: number | null = null,
): Promise<LoadResult> =>
  loadSource(store, await openFile(inputFile(file), { now }), {
    mode: 'replace',
    place: placeOf(uploads),
    siteUrl,
    now: 1,
  });
