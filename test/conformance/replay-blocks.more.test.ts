import { readFileSync } from 'node:fs';
import { startTestServer } from '../support/server.js';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';
import { withOptions } from './settings.mjs';

/** Releases of WordPress with blocks, and one with a classic theme. */
const SITES: Record<string, { wordpress: string; options: Record<string, string> }> = {
  '6.8': { wordpress: '6.8', options: {} },
  '7.1': { wordpress: '7.1', options: {} },
  '7.1-classic': { wordpress: '7.1', options: { stylesheet: 'plain' } },
};

/** Steps that differ from the recording, by scenario, each with the reason. */
const KNOWN = JSON.parse(readFileSync(new URL('known-differences.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>;

describe.each(Object.entries(SITES))('recorded blocks of %s', (site, { wordpress, options }) => {
  const cases = `cases-blocks.json.br#${site}`;
  const names = readScenarios(cases).map(({ name }) => name);
  const server = startTestServer({ dataset: withOptions(options), wordpress });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { url } = server();
    const at = { restUrl: `${url}/wp-json`, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset` };
    const report = await replay({ ...at, cases });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(names)('%s', (name) => {
    const steps = found.get(name)?.steps ?? [{ label: 'not replayed', ok: false, diffs: [] }];
    const known = Object.keys(KNOWN[name] ?? {});
    const differing = steps.filter(({ ok }) => !ok);
    // A known difference that no longer occurs must be removed from the list.
    expect(differing.filter(({ label }) => !known.includes(label)).map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
    expect(differing.map(({ label }) => label)).toEqual(expect.arrayContaining(known));
  });
});
