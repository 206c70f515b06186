// Servers as users start them: the built command line in a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLI = path.join(ROOT, 'dist/cli.js');

/** Timeout of a server's start, in ms. Machines are busy. */
const START_MS = 90_000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** The environment without variables that configure the command. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_') && name !== 'MONGODB_URI'));

/** PID of the database process of a data folder; 0 if there is none. */
function enginePidOf(folder) {
  try {
    const db = path.join(folder, 'db');
    const note = readdirSync(db).find((name) => name.endsWith('-owner.json'));
    return JSON.parse(readFileSync(path.join(db, note), 'utf8')).database ?? 0;
  } catch {
    return 0;
  }
}

/** Sends a signal to a process that may have ended. */
export function signal(pid, name) {
  // 0 and negative numbers are process groups.
  if (!(pid > 1)) return false;
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Resident memory of a process in MB, and number of open files. Zeros if the system does not report them. */
export function measure(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      memory: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
      handles: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return { memory: 0, handles: 0 };
  }
}

/** Number of open sockets of a process. */
export function socketsOf(pid) {
  const files = readdirSync(`/proc/${pid}/fd`);
  const target = (fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  };
  return files.filter((fd) => target(fd).startsWith('socket:')).length;
}

/** Starts `understudy serve` without waiting for it. @param data folder; absent: `args` say where the content is */
export function spawnServer({ data, args = [], env = {} }) {
  const place = data === undefined ? [] : ['--data', data];
  const child = spawn(process.execPath, [CLI, 'serve', '--config', 'none', '--port', '0', '--log-level', 'warn', ...place, ...args], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => (said[stream] += chunk));
  const server = {
    pid: child.pid,
    data,
    hasEnded: false,
    stderr: () => said.stderr,
    enginePid: () => (data === undefined ? undefined : enginePidOf(data)),
    signal: (name) => signal(child.pid, name),
    ended: once(child, 'close').then(([code, by]) => {
      running.delete(child);
      server.hasEnded = true;
      return { code, by };
    }),
    /** Stops the server. @throws Error if it does not end */
    stop: async (name = 'SIGTERM', patience = 60_000) => {
      child.kill(name);
      const late = sleep(patience, null, { ref: false });
      const end = await Promise.race([server.ended, late]);
      if (end) return end;
      child.kill('SIGKILL');
      throw new Error(`The server did not end within ${patience / 1000} s after ${name}.`);
    },
    /** Waits until the server prints its URL, and adds `url`. */
    untilServing: async () => {
      for (const deadline = performance.now() + START_MS; performance.now() < deadline; await sleep(10)) {
        const url = /serves a calendar at (\S+)[\s\S]*Stop with/.exec(said.stdout)?.[1];
        if (url !== undefined) return Object.assign(server, { url, rest: `${url}/wp-json/tribe/events/v1` });
        if (server.hasEnded) throw new Error(`The server ended: ${said.stderr}`);
      }
      child.kill('SIGKILL');
      throw new Error(`The server did not start within ${START_MS / 1000} s. ${said.stderr}`);
    },
  };
  return server;
}

/** Starts `understudy serve` and waits until it is ready. */
export const startServer = (settings) => spawnServer(settings).untilServing();

/** Waits until a condition is true. @returns whether it became true */
export async function until(isTrue, patience = 60_000, every = 10) {
  for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(every)) if (await isTrue()) return true;
  return false;
}

/** Waits until a server reports that it is healthy. */
export const untilHealthy = ({ url }, patience) =>
  until(async () => {
    try {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }, patience);

/**
 * Waits until a server has recovered from a killed database. `/health` may be out of date, so the new database process must exist first.
 */
export const untilRecovered = async (server, killed, patience) =>
  (await until(() => server.enginePid() !== killed, patience)) && untilHealthy(server, patience);
