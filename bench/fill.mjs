/**
 * Loads a generated site into a data folder as `understudy seed` does, in a separate process, and measures there what needs no server: how
 * fast content is loaded beside the bare `insertMany` of the driver, and what a find of ten documents costs by itself.
 *
 * Message in: `{ data, events, siteUrl, uri, effort }`. Messages out: `{ note }` on the way, then `{ load, sizes, finds }` or `{ error }`.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadSource } from '../dist/transfer/load/load.js';
import { startEngine } from '../dist/database/engine/index.js';
import { registryOf } from '../dist/plugins/register.js';
import { withDerivedColumns } from '../dist/wordpress/posts/posts.js';
import { Store } from '../dist/wordpress/store.js';
import { cpuDuring, residentMegabytes } from './cpu.mjs';
import { makeSite, NOW, sourceOf } from './data.mjs';
import { requestsFor } from './figures.mjs';
import { PASSWORD } from './servers.mjs';

/** How many documents are inserted for comparison, and how many at a time. */
const COMPARED = { most: 20_000, batch: 1_000 };
const UNJOURNALED = { ordered: false, writeConcern: { w: 1, journal: false } };
const CONNECTIONS = 4;

const seconds = async (work) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** Documents per second of the driver's `insertMany`, into a collection with the same indexes. */
async function insertBare(store, events) {
  const documents = [...makeSite(Math.min(events, COMPARED.most)).posts()].map((post) => withDerivedColumns(post, store.registry));
  const name = 'bench';
  const bare = store.db.collection(name);
  await store.db.createCollection(name);
  await bare.createIndexes([...store.indexes.posts]);
  const took = await seconds(async () => {
    for (let i = 0; i < documents.length; i += COMPARED.batch) await bare.insertMany(documents.slice(i, i + COMPARED.batch), UNJOURNALED);
  });
  await bare.drop();
  return documents.length / took;
}

/** The cost of the driver: the minimum find of a default list, and a count. */
async function measureFinds(store, engine, effort) {
  const filter = {
    type: 'tribe_events',
    status: 'publish',
    hidden: false,
    'occurrence.start': { $gte: NOW.slice(0, 10) },
  };
  const find = () => store.db.collection('posts').find(filter).sort({ 'occurrence.start': 1, date: 1, _id: 1 }).limit(10).toArray();
  const both = () => Promise.all([find(), store.db.collection('posts').countDocuments(filter)]);
  const pids = { server: [process.pid], engine: [engine] };
  const run = async (work, times) => {
    let left = times;
    const worker = async () => {
      while (left-- > 0) await work();
    };
    const { cpu } = await cpuDuring(pids, () => Promise.all(Array.from({ length: CONNECTIONS }, worker)));
    return { server: cpu.server / times, engine: cpu.engine / times };
  };
  const measure = async (name, work) => {
    const warm = await run(work, 40);
    const requests = requestsFor(warm.server + (warm.engine || 0), effort);
    return { name, requests, ...(await run(work, requests)) };
  };
  return [await measure("the driver's find of ten documents", find), await measure("the driver's find of ten, and a count", both)];
}

const megabytesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, path: older, name }) => sum + statSync(path.join(parentPath ?? older, name)).size, 0) / 1e6;

/** Bytes per post: its document, what that takes on disk (compressed), and its keys in the indexes. */
async function sizesOf(store) {
  const { count, size, storageSize, totalIndexSize } = await store.db.command({ collStats: 'posts' });
  return { document: size / count, stored: storageSize / count, indexes: totalIndexSize / count };
}

async function fill({ data, events, siteUrl, uri, effort }) {
  const note = (text) => process.send({ note: text });
  const engine = await startEngine({ uri, directory: path.join(data, 'db') });
  const store = await Store.open(engine.uri, await registryOf(), engine.database, uri !== undefined);
  try {
    const bare = await insertBare(store, events);
    const site = makeSite(events);
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(process.pid))), 250);
    const took = await seconds(() =>
      loadSource(store, sourceOf(site, note), {
        mode: 'replace',
        place: { uploads: path.join(data, 'uploads'), pristine: path.join(data, 'pristine') },
        siteUrl,
        now: Date.parse(NOW) / 1000,
        adminPassword: PASSWORD,
      }),
    );
    clearInterval(watch);
    const load = { perSecond: site.count / took, bare, seconds: took, peak, disk: uri === undefined ? megabytesIn(data) : Number.NaN };
    return { load, sizes: await sizesOf(store), finds: await measureFinds(store, engine.pid, effort) };
  } finally {
    await store.close();
    await engine.close();
  }
}

process.once('message', (job) => {
  fill(job).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
