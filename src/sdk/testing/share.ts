import { spawn } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFetch, openSocket } from './http.js';
import { Control } from './control.js';
import { attach } from './attach.js';
import { givenServer, serverVariableWarnings, shareKey, type GivenServer, type Target } from './environment.js';
import { findCli } from './package.js';
import { userFolder } from '../../base/system/user-folder.js';

/** A server for tests. */
export interface SharedServer extends GivenServer {
  /** Its URL for this process, by HTTP. Default: `url`. */
  localUrl?: string;
  /** File of the certificate that clients of an `https:` server have to trust. */
  certificate?: string | null;
  /** Login of the administrator. Default: `admin`. */
  adminLogin?: string;
  /** The token of commands, if the socket told it. */
  commandToken?: string;
}

export interface Lease extends SharedServer {
  /** Whether the server ends with the tests. */
  endsWithTests: boolean;
  /** Releases the server and deletes the sandbox. */
  release: () => Promise<void>;
}

/** The message that `understudy share` sends to each connection. */
type Greeting = SharedServer | { error: string };

/** Timeout of the start in ms. The first start with an empty cache unpacks the database. */
const START_TIMEOUT = 60_000;
const RETRY_INTERVAL = 20;

// Real time, also while tests use fake timers.
const now = performance.now.bind(performance);

/** The socket of the server with a key. */
const socketOf = (key: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\understudy-${key}` : path.join(userFolder(), `${key}.sock`);

/** Connects to a shared server; null if there is none. */
function connect(socketName: string, sandbox: string): Promise<{ greeting: Greeting; socket: net.Socket } | null> {
  return new Promise((resolve, reject) => {
    const socket = openSocket({ path: socketName });
    let text = '';
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(`${sandbox}\n`));
    socket.on('data', (chunk: string) => {
      text += chunk;
      // The connection must not keep the worker running after its tests.
      if (text.endsWith('\n')) resolve({ greeting: JSON.parse(text) as Greeting, socket: socket.unref() });
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(null) : reject(error),
    );
    socket.on('close', () => resolve(null));
  });
}

interface Starting {
  /** Exit code, or null while it is running. */
  exitCode: number | null;
  log: string;
}

/** Starts a shared server, which outlives this process if others use it. */
function start(cli: string, socketName: string, key: string, args: readonly string[]): Starting {
  const log = path.join(userFolder(), `${key}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [cli, 'share', '--socket', socketName, ...args], {
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  closeSync(output);
  const starting: Starting = { exitCode: null, log };
  child.on('exit', (code) => (starting.exitCode = code ?? 1));
  child.unref();
  return starting;
}

const quote = (log: string): string => readFileSync(log, 'utf8').trim() || `${log} is empty`;

async function leaseShared(sandbox: string, args: readonly string[], apart: readonly unknown[] = []): Promise<Lease> {
  const cli = await findCli();
  const key = shareKey(cli, args, apart);
  const socketName = socketOf(key);
  const deadline = now() + START_TIMEOUT;
  let starting: Starting | undefined;
  for (;;) {
    const connected = await connect(socketName, sandbox);
    if (connected) {
      const { greeting, socket } = connected;
      if ('error' in greeting) throw new Error(`Cannot start the server for the tests: ${greeting.error}`);
      const closed = new Promise<void>((resolve) => socket.once('close', resolve));
      return { ...greeting, endsWithTests: true, release: () => (socket.ref().end(), closed) };
    }
    starting ??= start(cli, socketName, key, args);
    // Exit code 0: another process has started the server first.
    if (starting.exitCode !== null && starting.exitCode !== 0)
      throw new Error(`Cannot start the server for the tests: ${quote(starting.log)}`);
    if (now() > deadline) throw new Error(`The server for the tests did not start within 60 seconds: ${quote(starting.log)}`);
    await sleep(RETRY_INTERVAL);
  }
}

/**
 * Returns a server for tests: the one that the options or UNDERSTUDY_URL name, else one that all tests of the project share. The first test
 * that needs it starts it, and it stops after the last one.
 * @param sandbox name of the sandbox, which is deleted on release
 * @param args arguments of `understudy serve` if the server is started
 */
export async function lease(sandbox: string, args: readonly string[], target: Target): Promise<Lease> {
  const given = givenServer(target);
  if (!given) {
    for (const text of serverVariableWarnings()) console.warn(text);
    return leaseShared(sandbox, args);
  }
  await attach(given, target);
  const control = new Control({ ...given, fetch: nodeFetch });
  return { ...given, endsWithTests: false, release: () => control.dropSandbox(sandbox).catch(() => undefined) };
}

/**
 * Starts a server for this process alone, without a sandbox. It stops a few seconds after the process or the lease has ended.
 * @param purpose distinguishes several servers of a process
 */
export const leaseOwn = (args: readonly string[], purpose: string): Promise<Lease> => leaseShared('', args, [process.pid, purpose]);
