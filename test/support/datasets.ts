import path from 'node:path';
import { type DatasetContent, DatasetError } from '../../src/transfer/source.js';
import { collect } from '../../src/transfer/formats/collect.js';
import { inputFile, openFile } from '../../src/transfer/formats/open.js';
import type { SitePlace } from '../../src/transfer/load/mirror.js';
import { loadSource, type LoadResult } from '../../src/transfer/load/load.js';
import { withDerivedColumns } from '../../src/wordpress/posts/posts.js';
import type { Store } from '../../src/wordpress/store.js';
import { registry } from './registry.js';

/**
 * The documents of a dataset file, with derived columns as a load stores them. Errors are reported without line numbers.
 * @param now base of relative dates, in ms since 1970; null: the dataset's clock or, without one, the real time
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
  const posts = documents.posts.map((post) => withDerivedColumns(post, registry));
  return { ...documents, posts, siteUrl, clock, nextIds };
}

/** The folders of a site with the given uploads folder. */
export const placeOf = (uploads: string): SitePlace => ({
  uploads,
  pristine: `${path.resolve(uploads)}-pristine`,
  snapshot: (name) => `${path.resolve(uploads)}-${name}`,
});

/** Loads a dataset file into a store, and replaces its content. */
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
