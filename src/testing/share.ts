import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, statSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFetch } from './http.js';
import { Control } from './control.js';
import { ConnectionError } from '../client/errors.js';
import { serverGiven, shareKey } from './environment.js';

/** A server that tests can use. */
export interface SharedServer {
  url: string;
  /** Token of its test surface, where one is needed. */
  token?: string;
  /** Application password of the user `admin`, where it is known. */
  adminPassword?: string;
}

export interface Lease extends SharedServer {
  /** Lets go of the server, and of the sandbox. */
  release: () => Promise<void>;
}

/** What `understudy share` tells whoever connects to it. */
type Greeting = SharedServer | { error: string };

/** First start with an empty cache: the database has to be unpacked. */
const LONGEST_START = 60_000;
const BETWEEN_TRIES = 20;

/** The command line of the package that this file belongs to, whether this is its ESM or its CommonJS build. */
async function findCli(): Promise<string> {
  const { default: here } = await import('./root.cjs');
  const found = [path.join(here, '../cli.js'), path.join(here, '../../cli.js')].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`The package is not complete: there is no cli.js above ${here}`);
  return found;
}

/** A folder that is only this user's. */
function shareFolder(): string {
  const folder = path.join(os.tmpdir(), `understudy-${os.userInfo().username.replace(/\W/g, '_')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid && statSync(folder).uid !== process.getuid())
    throw new Error(`${folder} belongs to another user; remove it, or set TMPDIR`);
  return folder;
}

/** Where the server of a key is met: the name of a socket. */
const socketOf = (key: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\understudy-${key}` : path.join(shareFolder(), `${key}.sock`);

/** Connects to a server that is shared; null when there is none. */
function connect(socketName: string, sandbox: string): Promise<{ greeting: Greeting; socket: net.Socket } | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketName);
    let text = '';
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(`${sandbox}\n`));
    socket.on('data', (chunk: string) => {
      text += chunk;
      // A worker has ended when its tests have, whatever it is connected to.
      if (text.endsWith('\n')) resolve({ greeting: JSON.parse(text) as Greeting, socket: socket.unref() });
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(null) : reject(error),
    );
    socket.on('close', () => resolve(null));
  });
}

interface Starting {
  /** Exit code, once it has ended. */
  ended: number | null;
  log: string;
}

/** Starts a server that is met at a socket and outlives this process, if others use it. */
function start(cli: string, socketName: string, key: string, args: readonly string[]): Starting {
  const log = path.join(shareFolder(), `${key}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [cli, 'share', '--socket', socketName, ...args], {
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  closeSync(output);
  const starting: Starting = { ended: null, log };
  child.on('exit', (code) => (starting.ended = code ?? 1));
  child.unref();
  return starting;
}

const quote = (log: string): string => readFileSync(log, 'utf8').trim() || `${log} is empty`;

async function leaseShared(sandbox: string, args: readonly string[]): Promise<Lease> {
  const cli = await findCli();
  const key = shareKey(cli, args);
  const socketName = socketOf(key);
  const deadline = performance.now() + LONGEST_START;
  let starting: Starting | undefined;
  for (;;) {
    const met = await connect(socketName, sandbox);
    if (met) {
      const { greeting, socket } = met;
      if ('error' in greeting) throw new Error(`The server for the tests could not be started: ${greeting.error}`);
      const closed = new Promise<void>((resolve) => socket.once('close', resolve));
      return { ...greeting, release: () => (socket.ref().end(), closed) };
    }
    starting ??= start(cli, socketName, key, args);
    // Another process may have been faster; then this one's server has ended in favour of that.
    if (starting.ended !== null && starting.ended !== 0)
      throw new Error(`The server for the tests could not be started: ${quote(starting.log)}`);
    if (performance.now() > deadline) throw new Error(`The server for the tests did not start within 60 seconds: ${quote(starting.log)}`);
    await sleep(BETWEEN_TRIES);
  }
}

/** A server that is started beside the tests may need longer than they do. */
async function waitFor(control: Control, url: string): Promise<void> {
  const deadline = performance.now() + LONGEST_START;
  for (;;) {
    try {
      await control.health();
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError) || performance.now() > deadline) throw error;
      await sleep(BETWEEN_TRIES * 10);
    }
    if (performance.now() > deadline) throw new Error(`UNDERSTUDY_URL: nobody answers at ${url}`);
  }
}

/**
 * A server to test with: the one that UNDERSTUDY_URL names; otherwise one that all tests of this project share, started by the first that
 * needs it, and ended after the last.
 * @param sandbox that this lease is for: it goes with it
 * @param args of `understudy serve` for a server that is started
 */
export async function lease(sandbox: string, args: readonly string[]): Promise<Lease> {
  const given = serverGiven();
  if (!given) return leaseShared(sandbox, args);
  const control = new Control({ ...given, fetch: nodeFetch });
  await waitFor(control, given.url);
  return { ...given, release: () => control.dropSandbox(sandbox).catch(() => undefined) };
}
