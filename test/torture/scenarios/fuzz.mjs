// Random and hostile requests. Responses are checked against the published shapes (see ../../fuzz).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { campaign } from '../../fuzz/campaign.mjs';
import { ROOT } from '../common/understudy.mjs';

const WORLD = path.join(ROOT, 'test/conformance/world.json');
const PROFILES = ['tec', 'standard'];
const FULL = 100_000;

/** Time limit of a response on a busy machine, in ms. */
const DEADLINE = 30_000;

/** @type {import('./index.mjs').Scenario} */
export const fuzz = {
  name: 'fuzz',
  title: 'Random and hostile requests under both profiles. After every 500 requests, a reset must restore each byte',
  // Not in a short run, since test/fuzz always sends 2,000 requests.
  rounds: { short: 0, full: 1 },
  async run({ tally, seed, rounds, requests = FULL * Math.min(1, rounds), progress }) {
    if (requests === 0) return tally.note('No requests in a short run: test/fuzz sends 2,000.');
    const { createServer } = await import('../../../dist/index.js');
    const { siteRoutes } = await import('../../../dist/server/app/routes.js');
    const world = JSON.parse(readFileSync(WORLD, 'utf8'));
    for (const profile of PROFILES) {
      const server = await createServer({ dataset: WORLD, profile, logLevel: 'silent' });
      try {
        const table = (await siteRoutes(server.namespaces)).tableOf(server.site.registry);
        const wanted = Math.ceil(requests / PROFILES.length);
        const settings = {
          server,
          table,
          world,
          profile,
          requests: wanted,
          seed,
          deadline: DEADLINE,
          failuresAtMost: 5,
          onProgress: (done) => progress(done, wanted),
        };
        const { sent, statuses, failures } = await campaign(settings);
        tally.requests += sent;
        const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count.toLocaleString('en-US')}`);
        tally.note(`${profile}: ${sent.toLocaleString('en-US')} requests, ${counts.join(', ')}.`);
        failures.forEach((failure) => tally.fail(`${profile}: ${failure}`));
      } finally {
        await server.close();
      }
    }
    return undefined;
  },
};
