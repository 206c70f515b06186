/**
 * A large ephemeral site: its start, its memory, and its lists before and after they were shown. Several builds take turns, each with a fresh
 * process per run, so that the machine's noise meets all of them.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ndjsonOf } from '../dist/transfer/formats/ndjson/write.js';
import { cpuBetween, cpuOf, residentMegabytes } from './cpu.mjs';
import { makeSite, sourceOf } from './data.mjs';
import { median } from './figures.mjs';
import { measureBare, runTasks, sample, untilAtRest } from './measure.mjs';
import { rowsOf } from './rows.mjs';
import { EVENTS, freePort, startCli } from './servers.mjs';

const EVENTS_OF_SITE = 10_000;
const REQUESTS = 300;

/** Rows to ask, in this order: those of `rows.mjs` for the first time, and again when every event was shown. */
const ROWS = [
  { name: 'list from a new start date each time, first', row: 'list from a new start date each time' },
  { name: 'list from a new start date each time, later', row: 'list from a new start date each time', isShown: true },
  { name: 'deep page, later', row: 'page 1 to', isShown: true },
];

const pageOf50 = (page) => [{ path: `${EVENTS}?per_page=50&start_date=2000-01-01&page=${page}` }];

/** Requests that show every event. */
async function showAll(port) {
  const { bytes } = await sample(port, pageOf50(1));
  return Array.from({ length: JSON.parse(bytes.toString()).total_pages }, (_, i) => pageOf50(i + 1));
}

const total = (cpu) => Object.values(cpu).reduce((sum, ms) => sum + (ms || 0), 0);

/** Figures of one process, by name. */
async function measureOnce(tools, file, root, site) {
  const server = await startCli(undefined, await freePort(), { root, dataset: file, uri: undefined });
  try {
    const all = Object.values(server.pids).flat();
    const figures = {
      'processor time of the start, to the first list': all.reduce((sum, pid) => sum + cpuBetween(new Map(), cpuOf(pid)), 0),
    };
    await untilAtRest(server.pids);
    const rows = rowsOf(site);
    const list = await sample(server.port, [{ path: EVENTS }]);
    let asked = 0;
    for (const { name, row, isShown } of ROWS) {
      if (isShown) await runTasks(tools, server, { tasks: await showAll(server.port) });
      await untilAtRest(server.pids);
      const { tasks } = rows.find((each) => each.name.startsWith(row));
      const requests = Array.from({ length: REQUESTS }, () => tasks((asked += 1)));
      figures[name] = total((await runTasks(tools, server, { tasks: requests })).cpu) / REQUESTS;
    }
    figures.bare = await measureBare(tools, list);
    figures['resident memory of server and engine, MB'] = all.reduce((sum, pid) => sum + residentMegabytes(pid), 0);
    return figures;
  } finally {
    await server.close();
  }
}

/** @param builds folder of each build to measure, by name @returns figures */
export async function measureEphemeral(tools, runs, tell, builds) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-'));
  try {
    const file = path.join(folder, 'large.ndjson');
    const site = makeSite(EVENTS_OF_SITE);
    await pipeline(Readable.from(ndjsonOf(sourceOf(site))), createWriteStream(file));
    const asked = { ids: site.ids, pages: 300, headers: {}, peerIds: [] };
    const measured = Object.entries(builds).map(([name, root]) => ({ name, root, runs: [] }));
    for (let run = 0; run < runs; run += 1)
      for (const each of measured) {
        tell(`large ephemeral site${each.name}: run ${run + 1}`);
        each.runs.push(await measureOnce(tools, file, each.root, asked));
      }
    return Object.keys(measured[0].runs[0]).flatMap((figure) =>
      measured.map(({ name, runs: all }) => {
        const values = all.map((each) => each[figure]);
        const notes = `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)} in ${values.length} runs`;
        return { name: `${figure}${name}`, figure: median(values), unit: figure.endsWith('MB') ? 'MB' : 'ms', notes };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
