import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

const scenarios = readdirSync(path.join(here, 'cases')).map(
  (file) => (JSON.parse(readFileSync(path.join(here, 'cases', file), 'utf8')) as { name: string }).name,
);

// standard.slow.test.ts replays them under the alias of these routes, on a server without caches.
describe('recorded responses of tribe/events/v1', () => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset` });
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
