import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const cases = path.join(here, 'cases-wp');

const scenarios = readdirSync(cases).map((file) => (JSON.parse(readFileSync(path.join(cases, file), 'utf8')) as { name: string }).name);

describe('recorded responses outside the calendar', () => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases, only: scenarios });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(scenarios)('%s', (name) => {
    const differences = found
      .get(name)
      ?.steps.filter((step) => !step.ok)
      .map(({ label, diffs }) => ({ label, diffs }));
    expect(differences).toEqual([]);
  });
});
