import { fork } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createServer } from '../dist/index.js';
import { derive } from '../dist/wp/posts.js';
import { recountTerms } from '../dist/wp/terms.js';
import { makeSite, NOW, ZONE } from './data.mjs';

const PASSWORD = 'bench bench bench bench';

/** How the administrator of the measured site signs in. */
export const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** The process that makes the load; see `load.mjs`. */
export class Load {
  constructor(connections) {
    this.connections = connections;
    this.child = fork(new URL('load.mjs', import.meta.url));
  }

  /** @param job what differs from an unlimited anonymous GET */
  run(job) {
    const usual = { connections: this.connections, limit: Number.MAX_SAFE_INTEGER, first: 1, method: 'GET', headers: {}, body: '' };
    return new Promise((resolve, reject) => {
      this.child.once('message', (result) => {
        if (result.error) reject(new Error(`${job.path}: ${result.error}`));
        else resolve(result);
      });
      this.child.send({ ...usual, ...job });
    });
  }

  close() {
    this.child.disconnect();
  }
}

/** A bare server that sends the same bytes whatever it is asked: what the machine can do at best. */
export class Yardstick {
  bytes = Buffer.alloc(0);
  headers = {};

  static async start() {
    const yardstick = new Yardstick();
    yardstick.server = createHttpServer((request, response) => {
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { ...yardstick.headers, 'Content-Length': yardstick.bytes.length }).end(yardstick.bytes);
      });
    });
    await new Promise((resolve) => yardstick.server.listen(0, '127.0.0.1', resolve));
    return yardstick;
  }

  /** Takes over what the real server answered. */
  imitate({ response, bytes }) {
    const own = new Set(['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding']);
    this.headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
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

/** On a MongoDB of the user's, a database of this run's own. */
function databaseOptions() {
  const uri = process.env.MONGODB_URI;
  if (!uri) return {};
  return { mongodbUri: uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/understudy_bench_${process.pid}`) };
}

/** The server on an empty ephemeral store, filled without its help. The events stay in `ZONE`, whatever the zone of the site. */
export async function startSite(size, zone = ZONE) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-bench-'));
  const dataset = path.join(folder, 'empty.json');
  writeFileSync(dataset, JSON.stringify({ site: { timezone: zone } }));
  delete process.env.UNDERSTUDY_URL;
  const options = { dataset, now: NOW, adminPassword: PASSWORD, host: '127.0.0.1', port: 0, ephemeral: true, logLevel: 'error' };
  const server = await createServer({ ...options, ...databaseOptions() });
  const close = async () => {
    if (server.engine === 'uri') await server.site.store.drop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const site = makeSite(size);
    const { store } = server.site;
    await store.insert('posts', site.posts.map(derive));
    await store.insert('terms', site.terms);
    await store.sequences.reserve('posts', 1_000_000);
    await store.sequences.reserve('terms', 1_000);
    await recountTerms(store);
    return { server, close, ...site };
  } catch (error) {
    await close();
    throw error;
  }
}
