import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { campaign } from './campaign.mjs';

const HELP = `Sends any number of random and hostile requests to a server in this process and says which is answered as none may be.

Usage: npm run fuzz -- [options]

  --requests N       How many, over both profiles (default: 20000)
  --seed N           The same seed makes the same requests (default: another one each time)
  --profile NAME     tec or standard only
  --namespace NAME   Only routes of this namespace, such as wp/v2
  --failures N       Goes on until so many were found in a profile (default: 1)
  --at-once N        Requests at the same time (default: 4)
  --help             Shows this`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    profile: { type: 'string' },
    failures: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '4' },
    namespace: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const wanted = Number(values.requests);
const profiles = values.profile === undefined ? ['tec', 'standard'] : [values.profile];

const dataset = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world.json');
const world = JSON.parse(readFileSync(dataset, 'utf8'));
const { createServer } = await import('../../dist/index.js');
const { routeTable } = await import('../../dist/app/koa.js');

async function run(profile, requests) {
  const server = await createServer({ dataset, profile, logLevel: 'error' });
  const started = performance.now();
  const onProgress = (sent) => {
    if (sent % 100 !== 0) return;
    const perSecond = (sent / (performance.now() - started)) * 1000;
    process.stdout.write(`\r${profile}: ${sent} of ${requests} requests, ${perSecond.toFixed(0)} a second `);
  };
  try {
    const { sent, statuses, failures } = await campaign({
      server,
      table: routeTable(server.namespaces).filter(({ namespace }) => !values.namespace || namespace === values.namespace),
      world,
      profile,
      requests,
      seed,
      atOnce: Number(values['at-once']),
      failuresAtMost: Number(values.failures),
      onProgress,
    });
    const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    console.log(`\r${profile}: ${sent} requests from seed ${seed}, answered with ${counts.join(', ')}`);
    for (const failure of failures) console.log(`\n${failure}`);
    return failures.length;
  } finally {
    await server.close();
  }
}

let failed = 0;
for (const profile of profiles) failed += await run(profile, Math.ceil(wanted / profiles.length));
process.exit(failed === 0 ? 0 : 1);
