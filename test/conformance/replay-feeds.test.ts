import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { readScenarios, replay, type ScenarioReport } from './replay-run.mjs';
import { RECORDED_WITH } from './wordpress.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const CASES = 'cases-feeds.json.br';

/** Number of requests by scenario whose responses do not match the recording yet. It may only fall; a scenario without a number matches. */
const LEFT: Readonly<Record<string, number>> = {};

/**
 * The recordings say that lists of events have no JSON-LD, since they were made of heads alone: the site has it in the body of a list,
 * for 10 events in the list, 10 on its second page, 19 in the month, 4 today, and 6 in the category (test/endpoints/pages/scrapers.test.ts).
 */
const isInBody = (name: string, diff: string): boolean => name === 'wp-pages-lists' && diff === 'body.jsonLd: expected 0 items [], got 1';

describe('recorded feeds, heads of pages and slugs with accents', () => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH });
  const found = new Map<string, ScenarioReport>();

  beforeAll(async () => {
    const { restUrl, url } = server();
    const report = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases: CASES });
    for (const scenario of report.scenarios) found.set(scenario.name, scenario);
  }, 300_000);

  test.each(readScenarios(CASES).map(({ name }) => name))('%s', (name) => {
    const steps = found.get(name)?.steps ?? [];
    const differing = steps.filter(({ ok, diffs }) => !ok && !diffs.every((diff) => isInBody(name, diff)));
    const left = LEFT[name] ?? 0;
    // The differences are shown if there are more than before. If there are fewer, lower the number.
    if (differing.length > left) expect(differing.map(({ label, diffs }) => ({ label, diffs }))).toEqual([]);
    expect(differing).toHaveLength(left);
  });
});
