import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOW } from './data.mjs';

export const PASSWORD = 'bench bench bench bench';

/** The credentials of the administrator of a measured site. */
export const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** The URL of the measured site, independent of its port, since stored content contains it. */
export const SITE_URL = 'http://127.0.0.1:8899';

export const EVENTS = '/wp-json/tribe/events/v1/events';

/** The folder of this build. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const JSON_SERVER = require.resolve('json-server/lib/cli/bin.js');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A separate database of this run on the user's MongoDB; undefined if none is set. */
export function ownDatabase(suffix = '') {
  return process.env.MONGODB_URI?.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/understudy_bench_${process.pid}${suffix}`);
}

/** Reads a successful response. */
export async function read(url, init) {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status} ${bytes.toString().slice(0, 300)}`);
  return { response, bytes };
}

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a server in a separate process, and waits for its first response. */
export async function startProcess(args, port, firstPath) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } });
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2_000)));
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    for (;;) {
      const answer = await read(`http://127.0.0.1:${port}${firstPath}`).catch((error) => {
        if (!(error instanceof TypeError)) throw error;
      });
      if (answer) return { pid: child.pid, port, ms: performance.now() - started, close };
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${said}`);
      await sleep(4);
    }
  } catch (error) {
    await close();
    throw error;
  }
}

/** The child of a server, on Linux; undefined if it has none. */
function childOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  const [child] = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean) : [];
  return child === undefined ? undefined : Number(child);
}

/** The process of the engine that serves a data folder; undefined if there is none. */
function enginePid(data) {
  const folder = path.join(data, 'db');
  const note = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith('-owner.json'));
  return note ? JSON.parse(readFileSync(path.join(folder, note), 'utf8')).database : undefined;
}

/** The command line, as users start it. @param data folder; undefined: the site is ephemeral @param root folder of the build */
export async function startCli(data, port, { uri = ownDatabase(), url, cacheMemory, dataset, root = ROOT } = {}) {
  const options = {
    data,
    port,
    now: NOW,
    'log-level': 'error',
    'admin-password': PASSWORD,
    'mongodb-uri': uri,
    url,
    'cache-memory': cacheMemory,
    dataset,
    // The first reset after a start compares all documents.
    'request-timeout': 3_600,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const args = [
    path.join(root, 'dist/cli.js'),
    'serve',
    ...(data === undefined ? ['--ephemeral'] : []),
    ...given.flatMap(([name, value]) => [`--${name}`, String(value)]),
  ];
  const server = await startProcess(args, port, EVENTS);
  const engine = data === undefined ? childOf(server.pid) : enginePid(data);
  return { ...server, engine, ports: [port], pids: { server: [server.pid], ...(engine === undefined ? {} : { engine: [engine] }) } };
}

export async function startJsonServer(file, port) {
  const args = [JSON_SERVER, file, '--port', String(port), '--host', '127.0.0.1', '--quiet'];
  const server = await startProcess(args, port, '/events?_limit=10');
  return { ...server, ports: [port], pids: { server: [server.pid] } };
}

/** A module of this folder in a separate process, which handles one message at a time. */
export class Helper {
  constructor(module) {
    this.child = fork(new URL(module, import.meta.url));
  }

  get pid() {
    return this.child.pid;
  }

  /** @param onNote receives messages before the result, which have `note` */
  ask(message, onNote = () => {}) {
    return new Promise((resolve, reject) => {
      const settle = (work) => {
        this.child.off('message', hear);
        this.child.off('exit', exited);
        work();
      };
      const exited = (code) => settle(() => reject(new Error(`A process of the bench ended with ${code}.`)));
      const hear = (answer) => {
        if (answer.note !== undefined) onNote(answer.note);
        else settle(() => (answer.error ? reject(new Error(answer.error)) : resolve(answer)));
      };
      this.child.on('message', hear);
      this.child.on('exit', exited);
      if (message !== undefined) this.child.send(message);
    });
  }

  /** Sends a message without a response. */
  tell(message) {
    this.child.send(message);
  }

  async close() {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** A server that only sends the bytes that another one sent. */
export class Bare extends Helper {
  static async start() {
    const bare = new Bare('bare.mjs');
    ({ port: bare.port } = await bare.ask());
    return bare;
  }

  async imitate({ response, bytes }) {
    const own = new Set(['content-length', 'content-encoding', 'date', 'connection', 'keep-alive', 'transfer-encoding']);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
    await this.ask({ headers, body: bytes.toString('base64') });
  }
}
