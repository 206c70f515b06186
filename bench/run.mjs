import { fork } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from '../dist/index.js';
import { derive } from '../dist/wp/posts.js';
import { recountTerms } from '../dist/wp/terms.js';
import { editorCases, readCases, writeCases } from './cases.mjs';
import { makeSite, NOW, ZONE } from './data.mjs';
import { explainPipeline, recordPipelines } from './plans.mjs';

const HELP = `Measures the server: requests per second and latency, and what the database reads per row.

Usage: npm run bench -- [options]

  --quick            Short measurements, 1,000 events only (under 20 seconds)
  --size N           Number of events; may be repeated (default: 1000 and 10000)
  --connections N    Connections that ask at the same time (default: 16)
  --only TEXT        Only requests whose name holds this text
  --help             Shows this

Every request is measured three times in the same run, over the same kind of connection:
  fresh   each request has an address that was not asked before: the work of one answer
  again   all requests have the same address, as many clients of one page
  bare    a node:http server that does nothing but send the same bytes: what this machine can do
"fresh/bare" and "again/bare" are the numbers to compare between machines.

The clock of the server stands still; with a running one, answers are made anew every second.`;

const NAMESPACE = '/wp-json/tribe/events/v1';
const PASSWORD = 'bench bench bench bench';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** Milliseconds per measurement. */
const TIMES = { full: { warm: 80, fresh: 420, again: 220, bare: 220, write: 700 }, quick: { warm: 30, fresh: 120, again: 60, bare: 60, write: 200 } };

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      size: { type: 'string', multiple: true },
      connections: { type: 'string', default: '16' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const positive = (name, text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive whole number, not ${text}`);
    return value;
  };
  return {
    ...values,
    connections: positive('connections', values.connections),
    sizes: (values.size ?? (values.quick ? ['1000'] : ['1000', '10000'])).map((text) => positive('size', text)),
    times: values.quick ? TIMES.quick : TIMES.full,
  };
}

/** The process that makes the load; see `load.mjs`. */
class Load {
  constructor(connections) {
    this.connections = connections;
    this.child = fork(new URL('load.mjs', import.meta.url));
  }

  run(job) {
    return new Promise((resolve, reject) => {
      this.child.once('message', (result) => (result.error ? reject(new Error(`${job.method} ${job.path}: ${result.error}`)) : resolve(result)));
      this.child.send({ connections: this.connections, limit: Infinity, first: 1, method: 'GET', headers: {}, body: '', ...job, limit: job.limit ?? 1e9 });
    });
  }

  close() {
    this.child.disconnect();
  }
}

/** A server that sends the same bytes whatever is asked. */
class Yardstick {
  bytes = Buffer.alloc(0);
  headers = {};

  static async start() {
    const yardstick = new Yardstick();
    yardstick.server = createHttpServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200, { ...yardstick.headers, 'Content-Length': yardstick.bytes.length }).end(yardstick.bytes));
    });
    await new Promise((resolve) => yardstick.server.listen(0, '127.0.0.1', resolve));
    return yardstick;
  }

  /** Takes over what the real server answered. */
  imitate(response, bytes) {
    const own = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];
    this.headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)));
    this.bytes = bytes;
  }

  get port() {
    return this.server.address().port;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A server on an empty ephemeral store, filled behind its back. */
async function startSite(size) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-'));
  const dataset = path.join(folder, 'empty.json');
  writeFileSync(dataset, JSON.stringify({ site: { timezone: ZONE } }));
  const server = await createServer({ dataset, now: NOW, adminPassword: PASSWORD, ephemeral: true, logLevel: 'error' });
  const site = makeSite(size);
  const { store } = server.site;
  await store.insert('posts', site.posts.map(derive));
  await store.insert('terms', site.terms);
  await store.reserveIds('posts', 1_000_000);
  await store.reserveIds('terms', 1_000);
  await recountTerms(store);
  const close = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, close, ...site };
}

const perSecond = ({ count, seconds }) => count / seconds;
const whole = (value) => Math.round(value).toLocaleString('en-US');
const ms = (value) => value.toFixed(value < 10 ? 2 : 1);
const ratio = (value) => (value >= 0.1 ? value.toFixed(2) : value.toFixed(3));

function printTable(title, header, rows) {
  const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => String(row[i]).length)));
  const line = (cells) => cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  ');
  console.log(`\n${title}\n${line(header)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const row of rows) console.log(line(row));
}

/** One request outside the measurement: its answer is what the yardstick sends, and it must be one. */
async function sample(url, init) {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status} ${bytes.toString().slice(0, 200)}`);
  return { response, bytes };
}

const failed = ({ statuses }) => Object.entries(statuses).filter(([status]) => !status.startsWith('2'));

function mustSucceed(name, result) {
  const failures = failed(result);
  if (failures.length > 0) throw new Error(`${name}: ${failures.map(([status, count]) => `${count} times ${status}`).join(', ')}`);
  return result;
}

async function measureReads(running, { load, yardstick, times }, cases) {
  const { port } = new URL(running.server.url);
  const rows = [];
  let fresh = 0;
  for (const { name, path: tail } of cases) {
    const address = `${NAMESPACE}${tail}`;
    const { response, bytes } = await sample(`${running.server.url}${address}`);
    yardstick.imitate(response, bytes);
    const measure = async (to, where, milliseconds) => mustSucceed(name, await load.run({ port: Number(to), path: where, milliseconds, first: (fresh += 1_000_000) }));
    await measure(port, `${address}&_={n}`, times.warm);
    const anew = await measure(port, `${address}&_={n}`, times.fresh);
    const again = await measure(port, address, times.again);
    const bare = await measure(yardstick.port, address, times.bare);
    rows.push([
      name,
      whole(bytes.length),
      ...[anew, again, bare].flatMap((result) => [whole(perSecond(result)), ms(result.p50), ms(result.p99)]),
      ratio(perSecond(anew) / perSecond(bare)),
      ratio(perSecond(again) / perSecond(bare)),
    ]);
  }
  return rows;
}

async function measureWrites(running, { load, yardstick, times }, cases) {
  const { port } = new URL(running.server.url);
  const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
  const rows = [];
  for (const { name, method, path: tail, body, limit, first } of cases) {
    const job = { method, path: `${NAMESPACE}${tail}`, body, headers, milliseconds: times.write };
    const result = mustSucceed(name, await load.run({ ...job, port: Number(port), limit, first }));
    const readable = `${running.server.url}${NAMESPACE}/events/${running.ids.events.at(-2)}`;
    yardstick.imitate(...Object.values(await sample(readable, { headers: { Authorization: AUTHORIZATION } })));
    const bare = await load.run({ ...job, port: yardstick.port, milliseconds: times.bare });
    rows.push([name, whole(result.count), whole(perSecond(result)), ms(result.p50), ms(result.p99), whole(perSecond(bare)), ms(bare.p50), ms(bare.p99), ratio(perSecond(result) / perSecond(bare))]);
  }
  return rows;
}

const perRow = (examined, rows) => (rows === 0 ? whole(examined) : (examined / rows).toFixed(1));

function planNotes({ blocking, merged, collscan }) {
  return [collscan && 'COLLECTION SCAN', blocking && 'sorts in memory', merged && 'merges'].filter(Boolean).join(', ');
}

async function explainReads(running, cases, headers = {}) {
  const { store } = running.server.site;
  const rows = [];
  for (const { name, path: tail } of cases.filter((one) => one.filter)) {
    store.changed();
    const pipelines = await recordPipelines(store, () => sample(`${running.server.url}${NAMESPACE}${tail}`, { headers }));
    const isCount = ({ pipeline }) => pipeline.some((stage) => '$count' in stage);
    const page = pipelines.find((one) => !isCount(one));
    const count = pipelines.find(isCount);
    if (!page) continue;
    const seen = await explainPipeline(store.db.collection(page.collection), page.pipeline);
    const counted = count ? await explainPipeline(store.db.collection(count.collection), count.pipeline) : null;
    rows.push([
      name,
      seen.rows,
      perRow(seen.keys, seen.rows),
      perRow(seen.docs, seen.rows),
      counted ? whole(counted.keys) : '',
      counted ? whole(counted.docs) : '',
      seen.index,
      [planNotes(seen), counted && counted.index !== seen.index ? `count: ${counted.index}` : '', counted?.collscan ? 'count: COLLECTION SCAN' : ''].filter(Boolean).join('; '),
    ]);
  }
  return rows;
}

const READ_HEADER = ['request', 'bytes', 'fresh/s', 'p50 ms', 'p99 ms', 'again/s', 'p50 ms', 'p99 ms', 'bare/s', 'p50 ms', 'p99 ms', 'fresh/bare', 'again/bare'];
const WRITE_HEADER = ['request', 'requests', 'per s', 'p50 ms', 'p99 ms', 'bare/s', 'p50 ms', 'p99 ms', 'ratio'];
const PLAN_HEADER = ['list', 'rows', 'keys/row', 'docs/row', 'keys counted', 'docs counted', 'index', 'notes'];

async function benchSize(size, options, tools) {
  const running = await startSite(size);
  try {
    const wanted = ({ name }) => name.includes(options.only);
    const events = whole(size);
    const reads = readCases(running).filter(wanted);
    printTable(`${events} events: reads, ${options.connections} connections`, READ_HEADER, await measureReads(running, tools, reads));
    const plans = [
      ...(await explainReads(running, reads)),
      ...(await explainReads(running, editorCases(running).filter(wanted), { Authorization: AUTHORIZATION })),
    ];
    printTable(`${events} events: what the database reads per row of a page, and in all to count the total`, PLAN_HEADER, plans);
    printTable(`${events} events: writes, ${options.connections} connections`, WRITE_HEADER, await measureWrites(running, tools, writeCases(running).filter(wanted)));
  } finally {
    await running.close();
  }
}

async function main() {
  const options = readOptions();
  if (options.help) return console.log(HELP);
  const started = performance.now();
  const load = new Load(options.connections);
  const yardstick = await Yardstick.start();
  try {
    console.log(`Node ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}`);
    for (const size of options.sizes) await benchSize(size, options, { load, yardstick, times: options.times });
  } finally {
    load.close();
    yardstick.close();
  }
  console.log(`\n${((performance.now() - started) / 1000).toFixed(1)} seconds`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
});
