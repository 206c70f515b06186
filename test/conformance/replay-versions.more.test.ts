import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RECORDED_VERSIONS } from '../../src/plugins/the-events-calendar/quirks/version.js';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const VERSIONS = 'cases-versions.json.br';

/**
 * The scenarios of each release whose recording differs from those of all newer releases. `npm run conformance -- --tec-version all`
 * replays the others.
 */
function samples(): [string, string[]][] {
  const known = new Set<string>();
  return RECORDED_VERSIONS.slice(1).map((version) => {
    const fresh = readScenarios(`${VERSIONS}#${version}`).filter((scenario) => !known.has(JSON.stringify(scenario)));
    for (const scenario of fresh) known.add(JSON.stringify(scenario));
    return [version, fresh.map(({ name }) => name)];
  });
}

test('there are recordings of each release that is called recorded', () => {
  expect(samples().map(([version]) => version)).toEqual(RECORDED_VERSIONS.slice(1));
});

describe.each(samples().filter(([, names]) => names.length > 0))('recorded responses of %s', (version, names) => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH, tecVersion: version });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const cases = `${VERSIONS}#${version}`;
    const wanted = (name: string): boolean => names.includes(name);
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases, wanted });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(names)('%s', (name) => {
    const differing = found.get(name)?.steps.filter((step) => !step.ok) ?? [{ label: 'not replayed', diffs: [] }];
    expect(differing.map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
  });
});
