import { RECORDED_VERSIONS } from '../../dist/wp/quirks/plugin-version.js';
import { readScenarios } from './replay-run.mjs';

/** The recordings of older releases: per release the scenarios whose responses differ from those of the newest one. */
export const VERSIONS = 'cases-versions.json.br';

/** The corpora that every release was sent. A scenario that is not in the recordings of a release has the same responses there. */
export const COMMON = ['cases', 'cases-wp'];

/**
 * What a release has to pass.
 * @param {string} version
 * @returns {{ cases: string, wanted?: (name: string) => boolean }[]} corpora, with the scenarios of each that are to be replayed
 */
export function corporaOf(version) {
  if (version === RECORDED_VERSIONS[0]) return COMMON.map((cases) => ({ cases }));
  const cases = `${VERSIONS}#${version}`;
  const own = new Set(readScenarios(cases).map(({ name }) => name));
  return [{ cases }, ...COMMON.map((common) => ({ cases: common, wanted: (name) => !own.has(name) }))];
}
