/**
 * How much of src runs for a request: `node bench/walk.mjs` counts the files and functions, by folder, of
 * - an uncached list of events by category and start date,
 * - the same list, requested again after a second of the clock,
 * - the creation of an event with a venue and an image,
 * - a reset of the site after a write.
 *
 * They are counted by V8 (precise coverage) in a server of this process, on the modules of dist, which correspond to the files of src one to
 * one. Each request is preceded by others of its kind, so that everything loaded on first use has been loaded.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { totalsOf, walked } from './figures.mjs';
import { printTable } from './report.mjs';
import { AUTHORIZATION, PASSWORD, read } from './servers.mjs';

const HELP = `Counts the files and functions of src that run for a request.

Usage: node bench/walk.mjs [options]    (after npm run build)

  --json      Prints JSON: files, functions and, by folder, the names of the functions
  --help      Shows this`;

const CALENDAR = '/wp-json/tribe/events/v1';
const HEADERS = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
const DIST = new URL('../dist/', import.meta.url).href;
const NOW = '2026-06-15T12:00:00Z';

/** Requests of each kind before those that count, and how many count. */
const TIMES = { before: 8, counted: 3 };
/** Reading ahead and work after a response are over by then, in ms. */
const SETTLED = 300;

const date = (n) => `2026-0${1 + (n % 6)}-${String(1 + n).padStart(2, '0')}`;

const newEvent = ({ venue, image }, n) => ({
  title: `Walk ${n}`,
  description: 'An evening of music.',
  start_date: '2026-09-01 19:00:00',
  end_date: '2026-09-01 22:00:00',
  venue,
  image: String(image),
});

/**
 * The counted requests. @returns for each its name, `ask(n)`, and `prepare(n)` for what comes before and does not count
 */
function walksOf({ url, setClock }, known) {
  const get = (path) => read(`${url}${path}`);
  const post = (path, body) => read(`${url}${path}`, { method: 'POST', headers: HEADERS, body: body && JSON.stringify(body) });
  const { categories } = known;
  return [
    {
      name: 'list of events by category and start date, uncached',
      ask: (n) => get(`${CALENDAR}/events?categories=${categories[n % categories.length]}&start_date=${date(n)}`),
    },
    {
      name: 'a list that was requested a second before',
      // The clock of a server is frozen where it is set.
      prepare: async (n) => {
        setClock(Date.parse(NOW));
        await get(`${CALENDAR}/events?start_date=${date(1)}`);
        setClock(Date.parse(NOW) + 1_000 * (n + 1));
      },
      ask: () => get(`${CALENDAR}/events?start_date=${date(1)}`),
    },
    { name: 'creation of an event with a venue and an image', ask: (n) => post(`${CALENDAR}/events`, newEvent(known, n)) },
    {
      name: 'reset of the site after a write',
      prepare: (n) => post(`${CALENDAR}/events`, newEvent(known, n)),
      ask: () => post('/__qa/reset'),
    },
  ];
}

/** Ids of the demo's content. */
async function knownOf(url) {
  const ask = async (path) => JSON.parse((await read(`${url}${CALENDAR}${path}`)).bytes.toString());
  const { events } = await ask('/events?start_date=2020-01-01&per_page=50');
  const { categories } = await ask('/categories?hide_empty=true&per_page=50');
  const image = events.find((event) => event.image)?.image.id;
  const venue = events.find((event) => event.venue?.id)?.venue.id;
  if (!image || !venue || categories.length === 0)
    throw new Error('The demo has no event with an image, none with a venue, or no categories.');
  return { image, venue, categories: categories.map(({ slug }) => slug) };
}

async function countAll(server, session) {
  const walks = walksOf(server, await knownOf(server.url));
  // All kinds come first: one may load what another uses.
  for (const { prepare, ask } of walks)
    for (let n = 0; n < TIMES.before; n += 1) {
      await prepare?.(n);
      await ask(n);
    }
  // Reading the counts sets them back to zero.
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  const results = [];
  for (const { name, prepare, ask } of walks) {
    const runs = [];
    for (let n = TIMES.before; n < TIMES.before + TIMES.counted; n += 1) {
      await prepare?.(n);
      await sleep(SETTLED);
      await take();
      await ask(n);
      runs.push(await take());
    }
    results.push({ name, ...totalsOf(walked(runs, DIST)) });
  }
  return results;
}

function print({ name, files, functions, rooms }) {
  const rows = rooms.map((room) => [room.name, room.files, room.functions]);
  printTable(name, ['folder of src', 'files', 'functions'], [...rows, ['all', files, functions]]);
}

async function main() {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Before the server is loaded, so that V8 counts in its functions from their first call on.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { createServer } = await import(`${DIST}index.js`);
  // In a folder: an ephemeral site does itself what a database does for others.
  const data = mkdtempSync(join(os.tmpdir(), 'understudy-bench-walk-'));
  const server = await createServer({ data, now: NOW, host: '127.0.0.1', port: 0, logLevel: 'error', adminPassword: PASSWORD });
  try {
    const results = await countAll(server, session);
    if (values.json) console.log(JSON.stringify(results, null, 2));
    else for (const result of results) print(result);
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true });
    session.disconnect();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
