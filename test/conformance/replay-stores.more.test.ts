import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../support/server.js';
import { RECORDED_WITH } from './wordpress.mjs';
import { readScenarios, replay } from './replay-run.mjs';
import { EFFORT, sample } from '../support/effort.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const KNOWN = JSON.parse(readFileSync(path.join(here, 'known-differences.json'), 'utf8')) as Record<string, Record<string, string>>;

/** All of all corpora: `npm run test:long`. standard.slow.test.ts replays the largest, too. */
const CORPORA = EFFORT > 1 ? ['cases', 'cases-wp', 'cases-more.json.br', 'cases-wp-more.json.br', 'cases-random.json.br'] : ['cases-wp'];

/* Wherever the content is, the responses are the same. */
describe.each([
  ['keeps nothing in memory', { cacheMemory: 0 }, { isInMemory: false }],
  ['keeps everything in memory', {}, { isInMemory: true }],
] as const)('recorded responses of a server that %s', (_, options, place) => {
  const server = startTestServer({ dataset: path.join(here, 'world.json'), wordpress: RECORDED_WITH, ...options }, place);

  test.each(CORPORA)(
    '%s',
    async (cases) => {
      const { restUrl, url } = server();
      const names = new Set(sample(readScenarios(cases), 4).map(({ name }) => name));
      const wanted = (name: string): boolean => names.has(name);
      const { scenarios } = await replay({ restUrl, namespace: 'tribe/events/v1', resetUrl: `${url}/__qa/reset`, cases, wanted });
      expect(scenarios).toHaveLength(names.size);
      const differing = scenarios.flatMap(({ name, steps }) =>
        steps.filter(({ ok, label }) => !ok && !(label in (KNOWN[name] ?? {}))).map(({ label, diffs }) => ({ name, label, diffs })),
      );
      expect(differing).toEqual([]);
    },
    300_000,
  );
});
