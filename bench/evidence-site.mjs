import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createServer } from '../dist/index.js';
import { withDerivedColumns } from '../dist/wordpress/posts/posts.js';
import { recountTerms } from '../dist/wordpress/terms/term-save.js';
import { makeSite, NOW, ZONE } from './data.mjs';
import { ownDatabase, PASSWORD } from './servers.mjs';

/** How many posts are stored at a time. */
const BATCH = 5_000;

async function store(server, site) {
  const into = server.site.store;
  let batch = [];
  const flush = async () => {
    await into.insert('posts', batch);
    batch = [];
  };
  for (const post of site.posts()) {
    batch.push(withDerivedColumns(post, into.registry));
    if (batch.length === BATCH) await flush();
  }
  await flush();
  await into.insert('terms', site.terms);
  await into.sequences.reserve('posts', 10 + Math.max(...site.ids.events.slice(-1)));
  await into.sequences.reserve('terms', 1_000);
  await recountTerms(into);
}

/**
 * A server in this process, on an empty ephemeral store that is filled without its help. The events stay in `ZONE`, regardless of the zone
 * of the site.
 * @param more further options of the server
 */
export async function startSite(size, zone = ZONE, more = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-evidence-'));
  const dataset = path.join(folder, 'empty.json');
  writeFileSync(dataset, JSON.stringify({ site: { timezone: zone } }));
  delete process.env.UNDERSTUDY_URL;
  const options = { dataset, now: NOW, adminPassword: PASSWORD, host: '127.0.0.1', port: 0, ephemeral: true, logLevel: 'error', ...more };
  const server = await createServer({ ...options, mongodbUri: ownDatabase() });
  const close = async () => {
    if (server.engine === 'uri') await server.site.store.drop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const site = makeSite(size);
    await store(server, site);
    return { server, close, ...site };
  } catch (error) {
    await close();
    throw error;
  }
}
