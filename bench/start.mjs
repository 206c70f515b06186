/**
 * Times of a start up to the first response, and of a reset. Each figure is the median of several runs on the embedded engine, and starts
 * of the command line take turns with those of json-server with the same data.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createServer } from 'wp-understudy';
import { NOW } from './data.mjs';
import { cpuBetween, cpuOf } from './cpu.mjs';
import { median } from './figures.mjs';
import { AUTHORIZATION, EVENTS, freePort, PASSWORD, read, startCli, startJsonServer } from './servers.mjs';

const OPTIONS = { now: NOW, host: '127.0.0.1', port: 0, logLevel: 'error', adminPassword: PASSWORD };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs of several things in turn. @returns the times of each */
async function takeTurns(runs, things) {
  const times = things.map(() => []);
  for (let run = 0; run < runs; run += 1) for (const [i, thing] of things.entries()) times[i].push(await thing(run));
  return times;
}

/** @param cpu processor time of each run, if known */
const figure = (name, times, { cpu, ...more } = {}) => ({
  name,
  figure: median(times),
  unit: 'ms',
  notes: [
    `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} in ${times.length} runs`,
    ...(cpu?.some(Number.isFinite) ? [`${median(cpu).toFixed(0)} ms of processor time`] : []),
  ].join(', '),
  ...more,
});

/** Reads the whole content of a server. @returns events, venues and organizers */
export async function readContent(url) {
  const all = async (name) => {
    const items = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { bytes } = await read(`${url}/wp-json/tribe/events/v1/${name}?per_page=50&start_date=2000-01-01&page=${page}`);
      const body = JSON.parse(bytes.toString());
      items.push(...body[name]);
      pages = body.total_pages;
    }
    return items;
  };
  return { events: await all('events'), venues: await all('venues'), organizers: await all('organizers') };
}

/** Writes the content of a server to a file for json-server. @returns the ids of its events */
export async function writeJsonServerFile(file, url) {
  const content = await readContent(url);
  writeFileSync(file, JSON.stringify(content));
  return content.events.map(({ id }) => id);
}

async function measureStarts(folder, runs) {
  const data = path.join(folder, 'data');
  const database = path.join(folder, 'db.json');
  const first = await createServer({ ...OPTIONS, data });
  await writeJsonServerFile(database, first.url);
  await first.close();
  const api = async (options) => {
    let server;
    const ms = await timed(async () => {
      server = await createServer({ ...OPTIONS, ...options });
      await read(server.url + EVENTS);
    });
    await server.close();
    return ms;
  };
  const answered = async (server) => {
    // Since their beginning.
    const cpu = Object.values(server.pids)
      .flat()
      .reduce((sum, pid) => sum + cpuBetween(new Map(), cpuOf(pid)), 0);
    await server.close();
    return { ms: server.ms, cpu };
  };
  const cli = async (at) => answered(await startCli(at, await freePort(), { uri: undefined }));
  const peer = async () => answered(await startJsonServer(database, await freePort()));
  const fresh = (run) => path.join(folder, `fresh-${run}`);
  const things = [() => cli(data), (run) => cli(fresh(run)), () => cli(), peer];
  const starts = await takeTurns(runs, things);
  const [existing, anew, ephemeral, json] = starts.map((all) => all.map(({ ms }) => ms));
  const [ofExisting, ofAnew, ofEphemeral, ofJson] = starts.map((all) => all.map(({ cpu }) => cpu));
  const [apiExisting, apiAnew] = await takeTurns(runs, [() => api({ data }), () => api({ data: undefined })]);
  const times = (own) => ({ figure: median(own) / median(json), unit: 'x json-server' });
  return [
    figure('command line, existing folder', existing, { cpu: ofExisting }),
    { name: 'command line, existing folder, beside json-server', target: 2, ...times(existing) },
    figure('command line, new folder with the demo', anew, { cpu: ofAnew }),
    { name: 'command line, new folder, beside json-server', ...times(anew) },
    figure('command line, ephemeral, with the demo', ephemeral, { cpu: ofEphemeral }),
    { name: 'command line, ephemeral, beside json-server', ...times(ephemeral) },
    figure('json-server with the data of the demo, in a file', json, { cpu: ofJson }),
    figure('createServer(), existing folder', apiExisting, { target: 150 }),
    figure('createServer(), ephemeral, with the demo', apiAnew, { target: 200 }),
  ];
}

const EVENT = JSON.stringify({ title: 'Stray', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });

/** Resets, each after a write. */
async function measureReturns(url, runs) {
  const qa = (at, method = 'POST') => read(`${url}/__qa/${at}`, { method });
  const write = () =>
    read(url + EVENTS, { method: 'POST', body: EVENT, headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' } });
  const back = async (work) => {
    await write();
    return timed(work);
  };
  const list = () => read(url + EVENTS);
  await qa('snapshots/bench', 'PUT');
  // One after the other, as a test suite resets to the same state each time.
  const [reset] = await takeTurns(runs, [() => back(() => qa('reset'))]);
  const [both] = await takeTurns(runs, [() => back(async () => [await qa('reset'), await list()])]);
  const [restore] = await takeTurns(runs, [() => back(() => qa('snapshots/bench/restore'))]);
  return [
    figure('demo: reset after a write', reset),
    figure('demo: reset after a write, then the default list', both, { target: 5 }),
    figure('demo: restore of a snapshot after a write', restore),
  ];
}

async function measureSandboxes(url, runs) {
  // The pool is full when its last sandbox is prepared.
  await read(`${url}/__qa/sandboxes/bench-first`, { method: 'PUT' });
  const [times] = await takeTurns(runs, [
    async (run) => {
      await sleep(400);
      const ms = await timed(() => read(`${url}/__sandbox/bench-${run}${EVENTS}?per_page=1`));
      await read(`${url}/__qa/sandboxes/bench-${run}`, { method: 'DELETE' });
      return ms;
    },
  ]);
  return figure('demo: new sandbox from the pool, first answer included', times);
}

/** @param runs how often each start is made */
export async function measureStart(runs, tell) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-start-'));
  try {
    tell('starts');
    const starts = await measureStarts(folder, runs);
    tell('resets of the demo');
    const demo = await createServer(OPTIONS);
    try {
      return [...starts, ...(await measureReturns(demo.url, runs * 3)), await measureSandboxes(demo.url, runs)];
    } finally {
      await demo.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
