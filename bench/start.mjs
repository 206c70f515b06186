/**
 * How long one waits for a server: from nothing to the first answer, and back to a known state. Each figure is the median of many runs,
 * on the embedded engine (or on MONGODB_URI, where starts are measured on a database that exists already).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from '../dist/index.js';
import { NOW } from './data.mjs';
import { AUTHORIZATION, startSite } from './servers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const JSON_SERVER = path.join(root, 'node_modules/json-server/lib/cli/bin.js');
const EVENTS = '/wp-json/tribe/events/v1/events';
const PASSWORD = 'bench bench bench bench';

export const START_HEADER = ['what', 'median ms', 'fastest', 'slowest', 'aim', 'notes'];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function read(url, init) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function repeat(runs, once) {
  const times = [];
  for (let run = 0; run < runs; run += 1) times.push(await once(run));
  return times.sort((a, b) => a - b);
}

const round = (value) => value.toFixed(value < 10 ? 1 : 0);

const row = (name, times, aim = '', notes = '') => [
  name,
  round(times[Math.floor(times.length / 2)]),
  round(times[0]),
  round(times[times.length - 1]),
  aim,
  notes,
];

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createNetServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** From the start of a process to the first answer of the server in it. */
async function startProcess(args, url) {
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    return await timed(async () => {
      for (;;) {
        const answer = await read(url).catch((error) => (error instanceof TypeError ? null : Promise.reject(error)));
        if (answer !== null) return;
        if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
        await sleep(5);
      }
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The data of the demo as json-server takes it. */
async function writeDatabase(folder, url) {
  const list = async (name) => JSON.parse(await read(`${url}/wp-json/tribe/events/v1/${name}?per_page=50&start_date=2000-01-01`))[name];
  const file = path.join(folder, 'db.json');
  writeFileSync(file, JSON.stringify({ events: await list('events'), venues: await list('venues'), organizers: await list('organizers') }));
  return file;
}

async function measureStartsOf(runs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-start-'));
  const data = path.join(folder, 'data');
  const options = { data, now: NOW, host: '127.0.0.1', logLevel: 'error', adminPassword: PASSWORD };
  try {
    const first = await createServer(options);
    const database = await writeDatabase(folder, first.url);
    await first.close();
    const once = async (given) => {
      let server;
      const ms = await timed(async () => {
        server = await createServer({ ...options, ...given, port: 0 });
        await read(server.url + EVENTS);
      });
      await server.close();
      return ms;
    };
    const rows = [
      row('createServer(), folder exists', await repeat(runs, () => once({})), '150'),
      row('createServer(), demo loaded anew', await repeat(Math.ceil(runs / 4), () => once({ data: undefined }))),
    ];
    const cli = async () => {
      const port = await freePort();
      const args = [path.join(root, 'dist/cli.js'), 'serve', '--data', data, '--port', String(port), '--now', NOW, '--log-level', 'error'];
      return startProcess(args, `http://127.0.0.1:${port}${EVENTS}`);
    };
    rows.push(row('CLI, folder exists', await repeat(runs, cli)));
    if (existsSync(JSON_SERVER)) {
      const peer = async () => {
        const port = await freePort();
        return startProcess(
          [JSON_SERVER, database, '--port', String(port), '--host', '127.0.0.1', '--quiet'],
          `http://127.0.0.1:${port}/events`,
        );
      };
      rows.push(row('CLI of json-server, same data', await repeat(runs, peer), '', 'a file in memory, no such API'));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const event = JSON.stringify({ title: 'Stray', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });

/** Going back, each time after something was written. */
async function measureReturns(url, name, runs, aims) {
  const post = (at, method = 'POST') => read(`${url}/__qa/${at}`, { method });
  const write = () =>
    read(url + EVENTS, { method: 'POST', body: event, headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' } });
  const back = async (at) => {
    await write();
    return timed(() => post(at));
  };
  await post('snapshots/bench', 'PUT');
  const rows = [row(`snapshot restore, ${name}`, await repeat(runs, () => back('snapshots/bench/restore')), aims.restore)];
  if (aims.reset) rows.push(row(`reset, ${name}`, await repeat(runs, () => back('reset')), aims.reset));
  return rows;
}

async function measureSandboxes(url, runs) {
  // The pool is full when the last of it was made ready.
  await read(`${url}/__qa/sandboxes/bench-first`, { method: 'PUT' });
  const once = async (run) => {
    await sleep(400);
    const ms = await timed(() => read(`${url}/__sandbox/bench-${run}${EVENTS}?per_page=1`));
    await read(`${url}/__qa/sandboxes/bench-${run}`, { method: 'DELETE' });
    return ms;
  };
  return [row('new sandbox, first answer included', await repeat(runs, once), '20', 'from the pool')];
}

/** Rows for `START_HEADER`. */
export async function measureStart({ runs }) {
  const rows = await measureStartsOf(runs);
  const demo = await createServer({ now: NOW, host: '127.0.0.1', logLevel: 'error', adminPassword: PASSWORD });
  try {
    rows.push(...(await measureReturns(demo.url, 'demo', runs, { reset: '10', restore: '10' })));
    rows.push(...(await measureSandboxes(demo.url, runs)));
  } finally {
    await demo.close();
  }
  const large = await startSite(1000);
  try {
    rows.push(...(await measureReturns(large.server.url, '1,000 events', runs, { restore: '50' })));
  } finally {
    await large.close();
  }
  return rows;
}
