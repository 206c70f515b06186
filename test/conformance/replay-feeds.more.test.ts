import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';
import { RECORDED_WITH } from './wordpress.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const CASES = 'cases-feeds.json.br';

/** Whether a difference is one that the quirk `coordinates-are-hidden` explains. */
const isOfQuirk = (profile: string, diff: string): boolean => profile === 'standard' && diff.includes('.location.geo: unexpected ');

const ALL = readScenarios(CASES).map(({ name }) => name);

describe.each([
  ['tec', ALL],
  // Feeds have more quirks (feeds.more.test.ts).
  ['standard', ALL.filter((name) => !name.startsWith('wp-feeds-'))],
] as const)('recorded feeds, heads of pages and slugs with accents, under %s', (profile, scenarios) => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH, profile });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const wanted = (name: string): boolean => scenarios.includes(name);
    // Responses under `standard` are compressed.
    const ignoreHeaders = profile === 'standard' ? ['vary'] : [];
    const report = await replay({
      restUrl,
      namespace: 'tribe/events/v1',
      resetUrl: `${url}/__qa/reset`,
      cases: CASES,
      wanted,
      ignoreHeaders,
    });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(scenarios)('%s', (name) => {
    const steps = (found.get(name)?.steps ?? []).map(({ label, diffs }) => ({
      label,
      diffs: diffs.filter((diff) => !isOfQuirk(profile, diff)),
    }));
    expect(steps.filter(({ diffs }) => diffs.length > 0)).toEqual([]);
  });
});
