import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';

/* A real site with fields, a post type, taxonomies, an image size and a route that other plugins register. The dataset declares them. */

const here = path.dirname(fileURLToPath(import.meta.url));
const KNOWN = JSON.parse(readFileSync(path.join(here, 'known-differences.json'), 'utf8')) as Record<string, Record<string, string>>;

const scenarios = readScenarios('cases-other-plugins.json.br');
const server = startTestServer({ dataset: path.join(here, 'world-other-plugins.json'), wordpress: RECORDED_WITH });
const found = new Map<string, ScenarioReport>();

beforeAll(async () => {
  const { restUrl, url } = server();
  const report = await replay({
    restUrl,
    namespace: 'tribe/events/v1',
    resetUrl: `${url}/__qa/reset`,
    cases: 'cases-other-plugins.json.br',
    ignoreHeaders: ['x-wp-totalpages'],
  });
  for (const scenario of report.scenarios) found.set(scenario.name, scenario);
}, 120_000);

test.each(scenarios.map(({ name }) => name))('%s', (name) => {
  const known = Object.keys(KNOWN[name] ?? {});
  const differing = found.get(name)?.steps.filter((step) => !step.ok);
  expect(differing?.filter(({ label }) => !known.includes(label)).map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
  expect(differing?.map(({ label }) => label).filter((label) => known.includes(label))).toEqual(known);
});
