import { readScenarios } from './replay-run.mjs';

/** The release of WordPress that all recordings were made with, except for the ones of other releases. */
export const RECORDED_WITH = '6.8';

/** The recordings of newer releases: per release the scenarios whose responses differ from those of 6.8, and what is new. */
export const WORDPRESS_CASES = 'cases-wordpress.json.br';

/** Corpora that were recorded with every release. Scenarios that are not in a release's own recordings have the same responses as here. */
const COMMON = ['cases', 'cases-wp', 'cases-site.json.br'];

/** The newer releases that were recorded, newest first. */
export const NEWER_RELEASES = ['7.1.4', '7.0.4', '6.9.7'];

/**
 * The corpora that apply to a release of WordPress.
 * @param {string} release
 * @returns {{ cases: string, wanted?: (name: string) => boolean }[]} corpora, with the scenarios of each to replay
 */
export function corporaOfWordPress(release) {
  if (!NEWER_RELEASES.includes(release)) return COMMON.map((cases) => ({ cases }));
  const cases = `${WORDPRESS_CASES}#${release}`;
  const own = new Set(readScenarios(cases).map(({ name }) => name));
  return [{ cases }, ...COMMON.map((common) => ({ cases: common, wanted: (name) => !own.has(name) }))];
}
