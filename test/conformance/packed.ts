import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { sample } from '../support/effort.js';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * Steps that differ from the recording, by scenario, each with the reason why the difference is unavoidable or intended. A scenario may name the
 * only release of WordPress whose recording differs.
 */
const KNOWN = JSON.parse(readFileSync(path.join(here, 'known-differences.json'), 'utf8')) as Record<string, Record<string, string>>;

/**
 * Declares a test for each scenario of a packed corpus. Responses must match the recording, except for known differences.
 * @param every only every n-th scenario, except in `npm run test:long`
 * @param wordpress the release of WordPress that was recorded
 * @param content the file with the content of the recorded site
 */
export function replayPacked(cases: string, every = 1, wordpress = RECORDED_WITH, content = 'world.json'): void {
  const scenarios = sample(readScenarios(cases), every).map(({ name }) => name);
  const server = startTestServer({ dataset: path.join(here, content), wordpress });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const wanted = (name: string): boolean => scenarios.includes(name);
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases, wanted });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(scenarios)('%s', (name) => {
    const known = [name, `${name} (WordPress ${wordpress})`].flatMap((each) => Object.keys(KNOWN[each] ?? {}));
    const differing = found.get(name)?.steps.filter((step) => !step.ok) ?? [];
    // A known difference that no longer occurs must be removed from the list.
    expect(
      differing
        .map(({ label }) => label)
        .filter((label) => known.includes(label))
        .toSorted(),
    ).toEqual(known.toSorted());
    expect(differing.filter(({ label }) => !known.includes(label)).map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
  });
}
