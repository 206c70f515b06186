import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { residentMegabytes } from './cpu.mjs';
import { makeSite } from './data.mjs';
import { allowance, MOST_READ } from './figures.mjs';
import { EFFORT, measureRow, sample } from './measure.mjs';
import { measurePair } from './pair.mjs';
import { measureEphemeral } from './ephemeral.mjs';
import { measureIsolation } from './isolation.mjs';
import { loadRun, printChanges, printFigures, printPair, printRows, saveRun, withFigure, writeReadme } from './report.mjs';
import { rowsOf } from './rows.mjs';
import { AUTHORIZATION, EVENTS, freePort, Helper, ownDatabase, read, ROOT, SITE_URL, startCli, startJsonServer } from './servers.mjs';
import { measureStart, writeJsonServerFile } from './start.mjs';

const HELP = `Measures what an answer costs: processor time of the server and of the database engine in milliseconds per request (user and system,
read from the operating system before and after 300 requests over 4 connections), which the noise of a machine hardly touches.

Usage: npm run bench -- [options]

  --quick           1,000 and 10,000 events only, with fewer requests
  --events N        Number of events; may be repeated (default: 1000, 10000 and 100000). 1000000 takes from ten minutes on
  --data FOLDER     Keeps the loaded sites there for the next run, which then loads nothing. Delete them when what is stored has changed
  --cache-memory MB What the server is started with; default: its own
  --only TEXT       Only rows whose name holds one of these texts, separated by commas; also "start", "pair", "isolation", "ephemeral"
  --beside FOLDER   "isolation", "ephemeral": another build of this package, which takes turns with this one
  --all             Also each filter of the lists, and further writes
  --json FILE       Saves the figures
  --compare FILE    Shows them beside those that were saved there
  --write-readme    Writes the tables of docs/speed.md
  --with FILE       Writes what was saved there, too: sizes that take another amount of memory
  --help            Shows this

"x bare" is how many times the processor time of a bare node:http server, which does nothing but send the bytes of the default list,
the server and the engine need together: the number to compare between machines. (The single event is compared with its own bytes.)
Both are asked 300 times, a few to warm up apart; rows that take long, fewer times. Targets are for 10,000 events; up to 100,000 a row may
cost 1.5 times as much, beyond that 2 times. Beside it are the driver's own find of ten documents, and json-server with the same data,
which takes up to 10,000 events. "pair" are two servers over one database, with 10,000 events unless asked for by name.

What a row's first request has the server read into memory in the background is not part of the row: it is waited for, and told below.

The clock of the server stands still. The database is the embedded one, or a database of its own on MONGODB_URI, whose processor time
cannot be read. On Windows no processor time can be read at all.`;

class UsageError extends Error {}

const FLAGS = {
  quick: { type: 'boolean', default: false },
  events: { type: 'string', multiple: true },
  data: { type: 'string' },
  'cache-memory': { type: 'string' },
  only: { type: 'string', default: '' },
  beside: { type: 'string' },
  all: { type: 'boolean', default: false },
  json: { type: 'string' },
  compare: { type: 'string' },
  'write-readme': { type: 'boolean', default: false },
  with: { type: 'string' },
  help: { type: 'boolean', default: false },
};

function readFlags() {
  try {
    return parseArgs({ options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function positive(text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 100) throw new UsageError(`--events must be a whole number from 100 on, not ${text}`);
  return value;
}

/** Default number of events for two servers. */
const PAIR_SIZE = 10_000;

function defaultSizes(only, quick) {
  if (only === 'pair') return [String(PAIR_SIZE)];
  return quick ? ['1000', '10000'] : ['1000', '10000', '100000'];
}

function readOptions() {
  const { quick, events, all, ...rest } = readFlags();
  const { only } = rest;
  const texts = only.split(',').filter(Boolean);
  const isWanted = (name) => texts.length === 0 || texts.some((text) => name.includes(text));
  for (const file of [rest.compare, rest.with]) if (file && !existsSync(file)) throw new UsageError(`There is no ${file}.`);
  return {
    ...rest,
    sizes: (events ?? defaultSizes(only, quick)).map(positive),
    effort: quick ? EFFORT.quick : EFFORT.full,
    runs: quick ? 3 : 7,
    isWanted,
    isPairWanted: (size) => isWanted('pair') && (texts.length > 0 || size === PAIR_SIZE),
    // Further rows that are selected by name need no --all.
    isRowWanted: (row) => isWanted(row.name) && (!row.extra || all || texts.length > 0),
  };
}

const whole = (value) => value.toLocaleString('en-US');

/** Shows progress on a terminal, on a line that the next one replaces. */
function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** Long steps are reported in files, too. */
function report(text) {
  if (process.stderr.isTTY) tell(text);
  else console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

/** json-server with the same data. @returns also the ids of the events that it has */
async function startPeer(folder, server, events) {
  if (events > MOST_READ) return null;
  const file = path.join(folder, 'db.json');
  const ids = await writeJsonServerFile(file, `http://127.0.0.1:${server.ports[0]}`);
  return { ...(await startJsonServer(file, await freePort())), ids };
}

/** The number of pages of the default list. */
async function pagesOf(port) {
  const { bytes } = await read(`http://127.0.0.1:${port}${EVENTS}`);
  return Math.min(300, JSON.parse(bytes.toString()).total_pages);
}

const loadingFigures = ({ load, sizes, finds }) => [
  {
    name: 'bulk load, as a share of the speed of bare insertMany',
    figure: load.perSecond / load.bare,
    unit: '',
    notes: `${whole(Math.round(load.perSecond))} and ${whole(Math.round(load.bare))} documents a second; ${load.seconds.toFixed(1)} s, at most ${load.peak.toFixed(0)} MB${Number.isFinite(load.disk) ? `, ${load.disk.toFixed(0)} MB on disk` : ''}`,
  },
  {
    name: 'bytes per post: its document',
    figure: sizes.document,
    unit: 'bytes',
    notes: `${whole(Math.round(sizes.stored))} on disk, ${whole(Math.round(sizes.indexes))} of index`,
  },
  ...finds.map(({ name, server, engine }) => ({
    name,
    figure: server + (engine || 0),
    unit: 'ms',
    notes: `${server.toFixed(2)} here, ${(engine || 0).toFixed(2)} in the engine`,
  })),
];

const memoryFigures = ({ pid, engine }, when, events) => [
  {
    name: `resident memory of the server, ${when}`,
    figure: residentMegabytes(pid),
    unit: 'MB',
    ...(when === 'after all rows' ? { target: 250 * allowance(events) } : {}),
  },
  { name: `resident memory of the engine, ${when}`, figure: residentMegabytes(engine), unit: 'MB' },
];

/** Minimum time to report, in ms. */
const LITTLE = 100;

/** Background work after the first request of each row. */
const backgroundFigures = (rows) =>
  rows.flatMap(({ name, background: { server, engine } }) => {
    const figure = server + (engine || 0);
    if (!(figure > LITTLE)) return [];
    const notes = `${whole(Math.round(server))} here, ${whole(Math.round(engine || 0))} in the engine`;
    return [{ name: `read in the background after the first "${name}"`, figure, unit: 'ms', notes }];
  });

/** Loads the site, unless an earlier run kept it. */
async function filledSite(folder, job, note) {
  const kept = path.join(folder, 'filled.json');
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const filled = await withHelper('fill.mjs', (helper) => helper.ask(job, note));
  writeFileSync(kept, JSON.stringify(filled));
  return filled;
}

/** Makes the server compare its content with the copy for resets, which takes minutes for a million events. */
function restoreContent(port) {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/__qa/reset' });
  return new Promise((resolve, reject) => {
    sent.on('response', (response) =>
      response.resume().on('end', () => (response.statusCode === 200 ? resolve() : reject(response.statusCode))),
    );
    sent.on('error', reject).end();
  });
}

function folderFor(events, { data }) {
  if (data === undefined) return mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-'));
  const folder = path.join(data, String(events));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** All figures of a site of so many events, by group. */
async function benchSize(events, options, given) {
  const folder = folderFor(events, options);
  const data = path.join(folder, 'data');
  const { ids } = makeSite(events);
  const name = `${whole(events)} events`;
  const closing = [];
  try {
    const port = await freePort();
    const job = { data, events, siteUrl: SITE_URL, uri: ownDatabase(), effort: options.effort };
    tell(`${name}: loading`);
    const filled = await filledSite(folder, job, (text) => report(`${name}: ${text}`));
    const server = await startCli(data, port, { url: SITE_URL, cacheMemory: options['cache-memory'] });
    closing.push(server);
    // The writes of the previous rows.
    if (options.data !== undefined) await restoreContent(port);
    const early = memoryFigures(server, 'after the start', events);
    const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
    const own = { ids, pages: await pagesOf(port), headers, peerIds: [] };
    const needsPeer = rowsOf(own).some((row) => row.peer && options.isRowWanted(row));
    if (needsPeer) tell(`${name}: the same for json-server`);
    const jsonServer = needsPeer ? await startPeer(folder, server, events) : null;
    if (jsonServer) closing.push(jsonServer);

    const site = { ...own, peerIds: jsonServer?.ids ?? [] };
    const rows = rowsOf(site).filter(options.isRowWanted);
    const tools = { ...given, list: await sample(port, [{ path: EVENTS }]) };
    const results = [];
    for (const row of rows) {
      tell(`${name}: ${row.name}`);
      const target = row.target && row.target * allowance(events);
      results.push(withFigure(await measureRow(tools, { server, jsonServer }, { ...row, target })));
    }
    const figures = [
      ...loadingFigures(filled),
      ...backgroundFigures(results),
      ...early,
      ...memoryFigures(server, 'after all rows', events),
    ].filter((row) => options.isWanted(row.name));
    tell('');
    printRows(`${name}: processor time in ms per request`, results);
    printFigures(`${name}: memory, loading, and the driver alone`, figures);
    while (closing.length > 0) await closing.pop().close();

    if (!options.isPairWanted(events)) return { [name]: [...results, ...figures] };
    const size = { events, cacheMemory: options['cache-memory'] };
    const pair = await measurePair(tools, data, { ...site, uri: ownDatabase() }, size);
    tell('');
    printPair(`Two servers over one database of ${name}`, pair.rows);
    printFigures(`Two servers over one database of ${name}`, pair.figures);
    return { [name]: [...results, ...figures], [`two servers, ${name}`]: [...pair.rows.map(withFigure), ...pair.figures] };
  } finally {
    tell('');
    for (const one of closing) await one.close();
    if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function withHelper(module, work) {
  const helper = new Helper(module);
  try {
    return await work(helper);
  } finally {
    await helper.close();
  }
}

async function measureAll(options) {
  const load = new Helper('load.mjs');
  const tools = { load, effort: options.effort, tell };
  const groups = {};
  try {
    for (const events of ['start', 'isolation', 'ephemeral'].includes(options.only) ? [] : options.sizes)
      Object.assign(groups, await benchSize(events, options, tools));
    if (options.isWanted('start')) {
      groups.start = await measureStart(options.runs, tell);
      tell('');
      printFigures('Starts and resets, medians', groups.start);
    }
    const builds = { '': ROOT, ...(options.beside === undefined ? {} : { ', beside': options.beside }) };
    if (options.isWanted('ephemeral')) {
      groups.ephemeral = await measureEphemeral(tools, options.runs, tell, builds);
      tell('');
      printFigures('An ephemeral site of 10,000 events: server and engine together, medians', groups.ephemeral);
    }
    if (options.isWanted('isolation')) {
      groups.isolation = await measureIsolation(tools, options.runs, tell, builds);
      tell('');
      printFigures('Isolated tests with the demo: processor time of server and engine, medians', groups.isolation);
    }
    return groups;
  } finally {
    await load.close();
  }
}

async function main() {
  const options = readOptions();
  if (options.help) {
    console.log(HELP);
    return;
  }
  const started = performance.now();
  const machine = `Node ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}`;
  console.log(machine);
  const before = options.compare ? loadRun(options.compare) : null;
  const run = { when: new Date().toISOString(), machine, groups: await measureAll(options) };
  if (before) printChanges(before, run);
  if (options.json) saveRun(options.json, run);
  const others = options.with ? loadRun(options.with).groups : {};
  if (options['write-readme']) writeReadme(fileURLToPath(new URL('../docs/speed.md', import.meta.url)), { ...run.groups, ...others });
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} seconds.`);
}

main().catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\nnpm run bench -- --help shows the options.` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
