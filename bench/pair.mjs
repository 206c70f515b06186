import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEngine } from '../dist/engine/index.js';
import { residentMegabytes } from './cpu.mjs';
import { median } from './figures.mjs';
import { measureRow } from './measure.mjs';
import { rowsOf } from './rows.mjs';
import { AUTHORIZATION, EVENTS, freePort, read, SITE_URL, startCli } from './servers.mjs';

/** Two servers over one database, as behind a load balancer: what they cost, and whether each reads at once what the other wrote. */

/** How often something is written through one server and read through the other. */
const EXCHANGES = 60;
const ROWS = [
  'cached list',
  'default list, address never seen',
  'list from another start each time',
  'single by id, never seen',
  'create an event',
];

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

/**
 * @param data a filled data folder that no server uses
 * @param site as for `rowsOf`
 */
export async function measurePair(tools, data, site) {
  const engine = await startEngine({ directory: path.join(data, 'db'), uri: process.env.MONGODB_URI });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-pair-'));
  const servers = [];
  try {
    const uri = site.uri ?? engine.uri.replace('/?', `/${engine.database}?`);
    const ports = [await freePort(), await freePort()];
    for (const [i, port] of ports.entries()) servers.push(await startCli(path.join(folder, String(i)), port, { uri, url: SITE_URL }));
    const server = { ports, pids: { server: servers.map(({ pid }) => pid), engine: [engine.pid] } };
    const rows = [];
    for (const row of rowsOf(site).filter(({ name }) => ROWS.includes(name))) {
      tools.tell(`two servers: ${row.name}`);
      rows.push(await measureRow(tools, { server }, { ...row, target: undefined }));
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
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
