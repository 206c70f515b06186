import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';

/* A real site with a post type, taxonomies, an image size and a route that other plugins register. The dataset declares them. */

const here = path.dirname(fileURLToPath(import.meta.url));
const KNOWN = JSON.parse(readFileSync(path.join(here, 'known-differences.json'), 'utf8')) as Record<string, Record<string, string>>;

/** Fields that those plugins add to posts. Datasets do not have them yet. */
const ADDED: readonly string[] = [
  'acf',
  'yoast_head',
  'yoast_head_json',
  'internal_notes',
  'is_virtual',
  'virtual_url',
  'recurring',
  'accessible',
];

const without = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(without)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (ADDED.includes(name) ? [] : [[name, without(inner)]])))
      : value;

const scenarios = readScenarios('cases-other-plugins.json.br');
const server = startTestServer({ dataset: path.join(here, 'world-other-plugins.json'), wordpress: RECORDED_WITH });
const found = new Map<string, ScenarioReport>();
const cases = mkdtempSync(path.join(os.tmpdir(), 'understudy-cases-'));
afterAll(() => rmSync(cases, { recursive: true }));

beforeAll(async () => {
  for (const scenario of scenarios) writeFileSync(path.join(cases, `${scenario.name}.json`), JSON.stringify(without(scenario)));
  const { restUrl, url } = server();
  const report = await replay({
    restUrl,
    namespace: 'tribe/events/v1',
    resetUrl: `${url}/__qa/reset`,
    cases,
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
