import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngine } from '../dist/database/engine/index.js';
import { cpuDuring, residentMegabytes } from './cpu.mjs';
import { allowance, median, MOST_READ, multipleOf, withoutWriter } from './figures.mjs';
import { measureBare, measureRow, runTasks, untilAtRest } from './measure.mjs';
import { rowsOf } from './rows.mjs';
import { AUTHORIZATION, EVENTS, freePort, Helper, read, SITE_URL, startCli } from './servers.mjs';
import { readContent } from './start.mjs';

/**
 * Two servers over one database, as behind a load balancer: the cost of a request in both of them and the engine together, without writes
 * and while the other server writes, and whether each immediately reads what the other wrote.
 */

/** Number of writes through one server that are read through the other. */
const EXCHANGES = 60;

/** The largest multiples of the bare server at 10,000 events: without writes, and with them. */
const AIMS = {
  'cached list': [4, 8],
  'default list, uncached': [12, 24],
  'list from a new start date each time': [18, 36],
  'category from a new start date each time': [18, 36],
  'single event, uncached': [10, 20],
  'create an event': [50, 60],
};

/**
 * With writes, requests come at most this often on each of the 4 connections, in ms: 100 a second, 10 for each write. Back to back,
 * hundreds of cached responses would be between two writes, and how many would depend on the speed of the machine.
 */
const REQUEST_EVERY = 40;
const WRITE_EVERY = 100;
/** More writes than the longest row takes. */
const MOST_WRITES = 10_000;
/** First number of requests beside a writer, above those without one. */
const FRESH = 1_000;

async function exchange([one, other], id, n) {
  const title = `Exchange ${n}`;
  const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
  const titleAt = async (port) => JSON.parse((await read(`http://127.0.0.1:${port}${EVENTS}/${id}`)).bytes.toString()).title;
  await titleAt(other);
  await read(`http://127.0.0.1:${one}${EVENTS}/${id}`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  return (await titleAt(other)) === title;
}

/** @returns figures of coherence */
async function measureCoherence(ports, id) {
  const times = [];
  let stale = 0;
  for (let n = 0; n < EXCHANGES; n += 1) {
    const started = performance.now();
    const isFresh = await exchange(n % 2 === 0 ? ports : [...ports].toReversed(), id, n);
    times.push(performance.now() - started);
    if (!isFresh) stale += 1;
  }
  return [
    { name: 'written through one server, read through the other: stale responses', figure: stale, unit: `of ${EXCHANGES}`, target: 0 },
    { name: 'read, write through one server and read through the other', figure: median(times), unit: 'ms' },
  ];
}

/** Updates of events all over the calendar, ten a second, for as long as `work` takes. @returns the results of the updates and the work */
async function besideWriter(writer, port, { ids, headers }, work) {
  const update = (n) => [
    {
      method: 'POST',
      path: `${EVENTS}/${ids.events[(n * 130) % ids.events.length]}`,
      headers,
      body: JSON.stringify({ title: `Written ${n}` }),
    },
  ];
  const job = { ports: [port], connections: 1, every: WRITE_EVERY, tasks: Array.from({ length: MOST_WRITES }, (_, n) => update(n)) };
  const [{ count }, result] = await Promise.all([writer.ask(job), work().finally(() => writer.tell({ stop: true }))]);
  return { ...result, writes: count };
}

/**
 * A row while ten events a second are updated through the second server; all its requests go to the first. The cost of the writer alone, in
 * both servers and the engine, is subtracted.
 * @param quiet the same row without writes
 */
async function measureBesideWriter({ writer, ...tools }, { ports: [one, other], pids }, site, row, quiet) {
  const from = row.most ? Math.floor(row.most / 2) : FRESH;
  const tasks = Array.from({ length: quiet.requests }, (_, i) => row.tasks(from + i));
  await untilAtRest(pids);
  const during = await besideWriter(writer, other, site, () => runTasks(tools, { ports: [one], pids }, { tasks, every: REQUEST_EVERY }));
  await untilAtRest(pids);
  const alone = await besideWriter(writer, other, site, () => cpuDuring(pids, () => sleep(during.seconds * 1000)));
  const cpu = withoutWriter(during, alone, during.count);
  const perWrite = Object.values(alone.cpu).reduce((sum, ms) => sum + (ms || 0), 0) / alone.writes;
  return {
    name: `${row.name}, 10 writes a second`,
    without: row.name,
    requests: during.count,
    ...cpu,
    multiple: multipleOf(cpu, await measureBare(tools, tools.list)),
    target: row.aims[1],
    writes: during.writes,
    perWrite,
    p50: during.p50,
  };
}

/** The rows of the table, in its order. */
const pairRows = (site, events) =>
  rowsOf(site)
    .filter(({ name }) => name in AIMS)
    .map((row) => ({ ...row, aims: AIMS[row.name].map((aim) => aim * allowance(events)) }));

/**
 * @param data a filled data folder that no server uses
 * @param site as for `rowsOf`
 * @param options `events`: how many there are; `cacheMemory`: what the servers are started with
 * @returns rows, each without writes and then with them, and other figures
 */
export async function measurePair(tools, data, site, { events, cacheMemory }) {
  const engine = await startEngine({ directory: path.join(data, 'db'), uri: process.env.MONGODB_URI });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-pair-'));
  const servers = [];
  const writer = new Helper('load.mjs');
  try {
    const uri = site.uri ?? engine.uri.replace('/?', `/${engine.database}?`);
    const ports = [await freePort(), await freePort()];
    for (const [i, port] of ports.entries())
      servers.push(await startCli(path.join(folder, String(i)), port, { uri, url: SITE_URL, cacheMemory }));
    const server = { ports, pids: { server: servers.map(({ pid }) => pid), engine: [engine.pid] } };
    if (events <= MOST_READ) {
      tools.tell('two servers: reading');
      for (const port of ports) await readContent(`http://127.0.0.1:${port}`);
    }
    const rows = [];
    for (const row of pairRows(site, events)) {
      tools.tell(`two servers: ${row.name}`);
      const half = row.most && Math.floor(row.most / 2);
      const quiet = await measureRow(tools, { server }, { ...row, most: half, target: row.aims[0] });
      tools.tell(`two servers: ${row.name}, with writes`);
      rows.push(quiet, await measureBesideWriter({ ...tools, writer }, server, site, row, quiet));
    }
    const figures = await measureCoherence(ports, site.ids.events[0]);
    const memory = servers.map(({ pid }) => residentMegabytes(pid).toFixed(0)).join(' and ');
    return {
      rows,
      figures: [
        ...figures,
        { name: 'resident memory of the engine', figure: residentMegabytes(engine.pid), unit: 'MB', notes: `servers: ${memory} MB` },
      ],
    };
  } finally {
    for (const server of servers) await server.close();
    await writer.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
