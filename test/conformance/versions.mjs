import { RECORDED_VERSIONS } from '../../dist/plugins/the-events-calendar/quirks/version.js';
import { readScenarios } from './replay-run.mjs';

/** The recordings of older releases: per release the scenarios whose responses differ from those of the newest one. */
export const VERSIONS = 'cases-versions.json.br';

/** Corpora that were recorded with every release. Scenarios that are not in a release's own recordings have the same responses as here. */
export const COMMON = ['cases', 'cases-wp'];

/**
 * The corpora that apply to a release.
 * @param {string} version
 * @returns {{ cases: string, wanted?: (name: string) => boolean }[]} corpora, with the scenarios of each to replay
 */
export function corporaOf(version) {
  if (version === RECORDED_VERSIONS[0]) return COMMON.map((cases) => ({ cases }));
  const cases = `${VERSIONS}#${version}`;
  const own = new Set(readScenarios(cases).map(({ name }) => name));
  return [{ cases }, ...COMMON.map((common) => ({ cases: common, wanted: (name) => !own.has(name) }))];
}
