import { readFileSync } from 'node:fs';
import { startTestServer } from '../support/server.js';
import { COMPANIONS, worldWith } from './companions.mjs';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';
import { RECORDED_WITH } from './wordpress.mjs';

/** Steps that differ from the recording with another plugin, by scenario, each with the reason. */
const KNOWN = JSON.parse(readFileSync(new URL('known-differences.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>;

describe.each(Object.entries(COMPANIONS))('recorded responses with the companion %s, %s', (companion, plugin) => {
  const cases = `cases-companions.json.br#${companion}`;
  const names = readScenarios(cases).map(({ name }) => name);
  const server = startTestServer({ dataset: worldWith(companion), wordpress: RECORDED_WITH, plugins: [plugin] });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(names)('%s', (name) => {
    const known = Object.keys(KNOWN[name] ?? {});
    const differing = (found.get(name)?.steps ?? [{ label: 'not replayed', ok: false, diffs: [] }]).filter(({ ok }) => !ok);
    // A known difference that no longer occurs must be removed from the list.
    expect(differing.filter(({ label }) => !known.includes(label)).map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
    expect(differing.map(({ label }) => label)).toEqual(known);
  });
});
