/**
 * How fast content is loaded in bulk: `node bench/bulk.mjs [EVENTS] [--from DIST]`. Writes a file of so many events, loads it into an
 * embedded engine in place of what is there, exports it again, and says how many events a second that made and how much memory it took.
 */
import { createWriteStream } from 'node:fs';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSite } from './data.mjs';

const [events = '50000', flag, from] = process.argv.slice(2);
const dist = flag === '--from' ? pathToFileURL(`${path.resolve(from)}/`) : new URL('../dist/', import.meta.url);
const load = (name) => import(new URL(name, dist));
const [{ startEngine }, { Store }, { ndjsonOf }, { openFile, inputFile }, { loadSource }, { storeSource }] = await Promise.all(
  [
    'store/engine/index.js',
    'wp/store.js',
    'content/formats/ndjson/write.js',
    'content/formats/open.js',
    'content/load/load.js',
    'content/load/site-source.js',
  ].map(load),
);

const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-bulk-'));
const file = path.join(folder, 'set.ndjson');
const size = Number(events);

async function writeSet() {
  const { posts, terms } = makeSite(size);
  const items = [
    { kind: 'options', options: { timezone_string: 'Europe/Berlin' } },
    ...terms.map((term) => ({ kind: 'term', term })),
    ...posts.map((post) => ({ kind: 'post', post })),
  ];
  const source = {
    name: 'made up',
    siteUrl: '',
    clock: null,
    keepsIds: true,
    count: items.length,
    items: async function* () {
      yield* items;
    },
  };
  const out = createWriteStream(file);
  for await (const text of ndjsonOf(source)) out.write(text);
  await new Promise((resolve) => out.end(resolve));
}

/** Seconds of processor time that the engine's process has used so far; NaN where nobody tells. */
function engineSeconds() {
  try {
    const db = path.join(folder, 'db');
    const note = readdirSync(db).find((name) => name.endsWith('-owner.json'));
    const { database } = JSON.parse(readFileSync(path.join(db, note), 'utf8'));
    const fields = readFileSync(`/proc/${database}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Runs something and says how fast it was, and how high the memory of this process went. */
async function measured(name, work) {
  globalThis.gc?.();
  let top = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => (top = Math.max(top, process.memoryUsage().rss)), 20);
  const [cpu, engineCpu] = [process.cpuUsage(), engineSeconds()];
  const started = performance.now();
  const phases = new Map();
  await work((phase) => phases.has(phase) || phases.set(phase, performance.now()));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpu);
  const micros = (used) => Math.round((used * 1e6) / size);
  const busy = `processor time per event: ${micros((user + system) / 1e6)} µs here, ${micros(engineSeconds() - engineCpu)} µs in the engine`;
  const megabytes = (bytes) => Math.round(bytes / 1_048_576);
  const parts = [...phases].map(([phase, at]) => `${phase} after ${((at - started) / 1000).toFixed(1)} s`).join(', ');
  console.log(
    `${name}: ${seconds.toFixed(2)} s, ${Math.round(size / seconds)} events/s, memory ${megabytes(before)} -> at most ${megabytes(top)} MB; ${busy}${parts ? ` (${parts})` : ''}`,
  );
}

await writeSet();
console.log(`${size} events, ${((await stat(file)).size / 1_048_576).toFixed(0)} MB`);
const engine = await startEngine({ directory: path.join(folder, 'db') });
const store = await Store.open(engine.uri, 'bulk');
try {
  const options = {
    place: { uploads: path.join(folder, 'uploads'), pristine: path.join(folder, 'pristine') },
    siteUrl: 'http://127.0.0.1:8080',
    now: 1_800_000_000,
  };
  const open = () => openFile(inputFile(file), { now: null });
  // The yardstick: what the engine takes of the same documents without parsing, derived columns and indexes.
  const documents = makeSite(size).posts;
  const bare = store.db.collection('bare');
  await store.db.createCollection('bare');
  await measured('bare insertMany', async () => {
    for (let i = 0; i < documents.length; i += 1_000)
      await bare.insertMany(documents.slice(i, i + 1_000), { ordered: false, writeConcern: { w: 1, journal: false } });
  });
  await measured('one index on them', () => bare.createIndex({ 'occurrence.start': 1 }));
  await bare.drop();
  documents.length = 0;
  await measured('seed', async (phase) => loadSource(store, await open(), { ...options, mode: 'replace', onProgress: phase }));
  if (process.env.BULK_ADD)
    await measured('import', async (phase) => loadSource(store, await open(), { ...options, mode: 'add', onProgress: phase }));
  await measured('export', async () => {
    let bytes = 0;
    for await (const text of ndjsonOf(await storeSource(store, options.place.uploads))) bytes += text.length;
    return bytes;
  });
} finally {
  await store.close();
  await engine.close();
  await rm(folder, { recursive: true });
}
