import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteRoutes } from '../../src/server/app/routes.js';
import { readsOf } from '../fuzz/costs/reads.mjs';
import { EFFORT } from '../support/effort.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';
import { readScenarios } from './replay-run.mjs';

/* No read moves an ephemeral site to a database: none of the recordings, and none that is made to cost much. */

const here = path.dirname(fileURLToPath(import.meta.url));

const CORPORA = {
  'world.json': [
    ...['cases', 'cases-wp', 'cases-feeds.json.br', 'cases-more.json.br', 'cases-random.json.br', 'cases-site.json.br'],
    ...['cases-versions.json.br', 'cases-wordpress.json.br', 'cases-wp-more.json.br'],
  ],
  'world-tickets.json': ['cases-tickets.json.br'],
  'world-other-plugins.json': ['cases-other-plugins.json.br'],
};

/** On a busy machine, in ms. */
const LONGEST = 600_000;

interface Recorded {
  request: { method: string; path: string; site_path?: string; as: string | null };
}

/** A corpus has scenarios, or such lists by release. */
const stepsOf = (cases: string): Recorded[] =>
  Object.values(readScenarios(cases) as object)
    .flat()
    .flatMap(({ steps }: { steps: Recorded[] }) => steps);

describe.each(['tec', 'standard'] as const)('under %s', (profile) => {
  describe.each(Object.entries(CORPORA))('the reads of a site of %s', (world, corpora) => {
    const dataset = path.join(here, world);
    const server = startTestServer({ dataset, profile }, { isInMemory: true });

    /** The requests that move the site. */
    const moving = async (reads: readonly { name: string; target: string; headers?: Record<string, string> }[]): Promise<string[]> => {
      const { site, url } = server();
      const found: string[] = [];
      for (const { name, target, headers } of reads) {
        await http('GET', `${url}${target}`, headers);
        if (site.store.isLocal) continue;
        found.push(name);
        await http('POST', `${url}/__qa/reset`);
      }
      return found;
    };

    test.each(corpora)(
      '%s',
      async (cases) => {
        const { users = [] } = JSON.parse(readFileSync(dataset, 'utf8')) as { users?: { login: string; application_password: string }[] };
        const reads = new Map<string, { name: string; target: string; headers?: Record<string, string> }>();
        for (const { request } of stepsOf(cases)) {
          if (request.method !== 'GET') continue;
          const target = (request.site_path ?? `/wp-json${request.path}`).replaceAll(/\{\{#?\w+\}\}/g, '1');
          const user = users.find(({ login }) => login === request.as);
          const headers = user && {
            authorization: `Basic ${Buffer.from(`${user.login}:${user.application_password}`).toString('base64')}`,
          };
          reads.set(`${target} ${request.as}`, { name: `${target} ${request.as}`, target, ...(headers ? { headers } : {}) });
        }
        expect(reads.size).toBeGreaterThan(10);
        expect(await moving([...reads.values()])).toEqual([]);
      },
      LONGEST,
    );

    test(
      'the campaign of costs',
      async () => {
        const { site, url, namespaces } = server();
        const table = (await siteRoutes(namespaces)).tableOf(site.registry);
        expect(await moving(await readsOf({ url, table }, 400 * EFFORT))).toEqual([]);
      },
      LONGEST,
    );
  });
});
