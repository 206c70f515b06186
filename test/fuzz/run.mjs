import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { campaign } from './campaign.mjs';
import { fuzzCassettes } from './cassettes.mjs';
import { costs, rowOf } from './costs/campaign.mjs';
import { datasets, fuzzBackup, fuzzDataset } from './files.mjs';
import { testApiCampaign } from './test-api.mjs';

const HELP = `Sends any number of random and hostile requests to servers in this process, gives damaged files to readers, and says what none may
answer.

Usage: npm run fuzz -- [options]

  --requests N       How many requests and files, over all parts and both profiles (default: 20000)
  --seed N           The same seed makes the same requests (default: another one each time)
  --only PART        requests, test-api, datasets, backups, cassettes or costs; --requests is then for that part (default: all parts)
  --profile NAME     tec or standard only
  --namespace NAME   Only routes of this namespace, such as wp/v2
  --failures N       Goes on until so many were found in a profile (default: 1)
  --at-once N        Requests at the same time (default: 4)
  --events N         How many events the site has on which the cost of a request is measured, and as many of each other
                     kind of content (default: 10000)
  --help             Shows this`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    profile: { type: 'string' },
    failures: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '4' },
    namespace: { type: 'string' },
    only: { type: 'string' },
    events: { type: 'string', default: '10000' },
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

const here = path.dirname(fileURLToPath(import.meta.url));
const dataset = path.join(here, '../conformance/world.json');
const world = JSON.parse(readFileSync(dataset, 'utf8'));
const build = (module) => import(`../../dist/${module}.js`);
const { createServer } = await build('index');
const { siteRoutes } = await build('server/app/routes');

/** Prints the findings of a part. */
function report(what, { sent, statuses, ends = statuses, failures }) {
  const counts = Object.entries(ends).map(([end, count]) => `${end}: ${count}`);
  console.log(`\r${what}: ${sent === undefined ? '' : `${sent} requests `}from seed ${seed}, answered with ${counts.join(', ')}`);
  for (const failure of failures) console.log(`\n${failure}`);
  return failures.length;
}

async function run(profile, requests) {
  const server = await createServer({ dataset, profile, logLevel: 'error' });
  const started = performance.now();
  const onProgress = (sent) => {
    if (sent % 100 !== 0) return;
    const perSecond = (sent / (performance.now() - started)) * 1000;
    process.stdout.write(`\r${profile}: ${sent} of ${requests} requests, ${perSecond.toFixed(0)} a second `);
  };
  try {
    const found = await campaign({
      server,
      table: (await siteRoutes(server.namespaces))
        .tableOf(server.site.registry)
        .filter(({ namespace }) => !values.namespace || namespace === values.namespace),
      world,
      profile,
      requests,
      seed,
      atOnce: Number(values['at-once']),
      failuresAtMost: Number(values.failures),
      onProgress,
    });
    return report(profile, found);
  } finally {
    await server.close();
  }
}

async function withServer(options, work) {
  const server = await createServer({ dataset, logLevel: 'error', ...options });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const fixtures = path.join(here, '../../fixtures');
const sentDatasets = ['demo.json', 'import/calendar.ics', 'import/events.csv', 'import/site.wxr.xml'].map((name) =>
  path.join(fixtures, name),
);

/** The parts of the fuzzer, each called with the number of runs. @returns number of failures */
const PARTS = {
  requests: async (runs) => {
    let failed = 0;
    for (const profile of profiles) failed += await run(profile, Math.ceil(runs / profiles.length));
    return failed;
  },
  'test-api': async (runs) => {
    let failed = 0;
    for (const isMain of [false, true]) {
      const options = {
        world,
        datasets: sentDatasets,
        isMain,
        requests: Math.ceil(runs / 2),
        seed,
        failuresAtMost: Number(values.failures),
      };
      failed += report(
        `test API of ${isMain ? 'the main site' : 'a sandbox'}`,
        await withServer({}, (server) => testApiCampaign({ server, ...options })),
      );
    }
    return failed;
  },
  datasets: async (runs) => {
    const [{ openFile }, { CONTENT_FORMATS: formats }] = [await build('transfer/formats/open'), await build('transfer/formats/registry')];
    let failed = 0;
    for (const one of await datasets({ formats, openFile, dataset: path.join(fixtures, 'demo.json'), folder }))
      failed += report(`dataset ${one.name}`, await fuzzDataset(one, { openFile, folder, seed, runs: Math.ceil(runs / formats.length) }));
    return failed;
  },
  backups: (runs) =>
    withServer({}, async (server) => {
      const [{ readBackup }, { restoreBackup }, { placeIn }] = [
        await build('transfer/backup/read'),
        await build('transfer/backup/restore'),
        await build('transfer/load/files'),
      ];
      const file = path.join(folder, 'valid.tar.gz');
      writeFileSync(file, Buffer.from(await (await fetch(`${server.url}/__qa/backup`, { method: 'POST' })).arrayBuffer()));
      const manifest = await readBackup(file);
      const place = placeIn(path.dirname(server.site.uploads));
      const restore = (damaged) => restoreBackup(server.site.store, place, damaged, manifest);
      const given = { folder: path.join(folder, 'damaged'), seed };
      return (
        report('backups, read', await fuzzBackup(file, { ...given, use: readBackup, runs: Math.ceil(0.8 * runs) })) +
        report('backups, restored', await fuzzBackup(file, { ...given, use: restore, runs: Math.ceil(0.2 * runs) }))
      );
    }),
  cassettes: (runs) => {
    const cassette = path.join(folder, 'cassette');
    return withServer({ proxy: 'http://127.0.0.1:9', proxyMode: 'replay', cassette }, async (server) =>
      report('cassettes', await fuzzCassettes({ server, folder: cassette, seed, runs })),
    );
  },
  costs: async (runs) => {
    let failed = 0;
    for (const profile of profiles) {
      const name = `costs, ${profile}`;
      const onProgress = (done, all) => done % 50 === 0 && process.stdout.write(`\r${name}: ${done} of ${all} requests `);
      const found = await costs({ profile, seed, most: Math.ceil(runs / profiles.length), events: Number(values.events), onProgress });
      failed += report(name, found);
      console.log('\n| Request | Status | Processor time, ms | Memory, MB | Others wait, ms |\n| --- | --- | --: | --: | --: |');
      console.log(found.dearest.map(rowOf).join('\n'));
    }
    return failed;
  },
};
/** The share of each part in the total number. */
const SHARES = { requests: 0.68, 'test-api': 0.15, datasets: 0.05, backups: 0.02, cassettes: 0.08, costs: 0.02 };

if (values.only !== undefined && !Object.hasOwn(PARTS, values.only)) {
  console.error(`fuzz: unknown part "${values.only}". Use one of: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
let failed = 0;
for (const [part, work] of Object.entries(PARTS))
  if (values.only === undefined || values.only === part) failed += await work(values.only ? wanted : Math.ceil(SHARES[part] * wanted));
process.exit(failed === 0 ? 0 : 1);
