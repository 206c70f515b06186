import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

const recorded = readdirSync(path.join(here, 'cases')).map(
  (file) => JSON.parse(readFileSync(path.join(here, 'cases', file), 'utf8')) as { name: string; writes?: boolean },
);
const namesOf = (scenarios: typeof recorded): string[] => scenarios.map(({ name }) => name);

// Both names lead to the same routes: what writes is replayed as one of them here, and as both by `npm run conformance`.
// One server caches, the other, whose database may be shared, does not.
describe.each([
  { namespace: 'tribe/events/v1', isShared: false, scenarios: namesOf(recorded) },
  { namespace: 'calendar/events/v1', isShared: true, scenarios: namesOf(recorded.filter(({ writes }) => !writes)) },
])('recorded responses of $namespace', ({ namespace, isShared, scenarios }) => {
  const server = startTestServer({ dataset: path.join(here, 'world.json') }, { isShared });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const only = scenarios.length < recorded.length ? scenarios : [];
    const report = await replay({ restUrl, namespace, resetUrl: `${url}/__qa/reset`, only });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 120_000);

  test.each(scenarios)('%s', (name) => {
    const differences = found
      .get(name)
      ?.steps.filter((step) => !step.ok)
      .map(({ label, diffs }) => ({ label, diffs }));
    expect(differences).toEqual([]);
  });
});
