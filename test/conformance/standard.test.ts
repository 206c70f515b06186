import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { QUIRK_NAMES, VERSION_QUIRK_NAMES } from '../../src/wp/quirks.js';
import { startTestServer } from '../support/server.js';
import { replay } from './replay-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Recorded steps that each quirk accounts for, by scenario; made by `npm run conformance:predict`. */
const predicted = JSON.parse(readFileSync(path.join(here, 'standard-differences.json'), 'utf8')) as Record<
  string,
  Record<string, number[]>
>;

const asLines = (differences: Record<string, number[]>): string[] =>
  Object.entries(differences).flatMap(([scenario, steps]) => steps.map((step) => `${scenario} step ${step}`));

// On a database that others may write to, so that nothing is cached, and under the other name of the routes.
const server = startTestServer({ dataset: path.join(here, 'world.json'), profile: 'standard' }, { isShared: true });

test('the table of differences lists every quirk of the newest release', () => {
  expect(Object.keys(predicted).sort()).toEqual(QUIRK_NAMES.filter((name) => !(VERSION_QUIRK_NAMES as string[]).includes(name)).sort());
});

test('responses under the standard profile differ from the recordings exactly where the quirks say so', async () => {
  const { restUrl, url } = server();
  // Compression makes every answer vary by Accept-Encoding.
  const report = await replay({
    restUrl,
    namespace: 'calendar/events/v1',
    resetUrl: `${url}/__qa/reset`,
    ignoreHeaders: ['vary'],
  });
  const found = report.scenarios.map(({ name, steps }) => [name, steps.flatMap((step, index) => (step.ok ? [] : [index + 1]))] as const);
  const expected = new Set(Object.values(predicted).flatMap(asLines));
  expect(asLines(Object.fromEntries(found)).sort()).toEqual([...expected].sort());
}, 300_000);
