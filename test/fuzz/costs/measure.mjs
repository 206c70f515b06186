// Measures what one request costs a server in another process: processor time, memory, and how long others wait meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { cpuDuring, cpuOf } from '../../../bench/cpu.mjs';

/** How often the health of the server is requested while it handles a request, in ms. */
const EVERY = 4;

/** Redirects to sign-in repeat a long URL, encoded. */
const LONGEST_HEAD = 256 * 1024;

/** Peak of resident memory since it was reset, in bytes; NaN where the system does not tell. */
const peakOf = (pid) => memoryOf(pid, 'VmHWM');
const residentOf = (pid) => memoryOf(pid, 'VmRSS');

function memoryOf(pid, field) {
  if (process.platform !== 'linux') return Number.NaN;
  const line = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) * 1024;
}

/** Linux: 5 resets the peak of resident memory. */
function resetPeak(pid) {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Sends a request as it is, and reads the response. @returns status and length of the response */
function send(agent, origin, { method, target, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'Content-Length': bytes.length };
    const request = http.request(
      origin,
      { agent, method, path: target, headers: { ...headers, ...length }, maxHeaderSize: LONGEST_HEAD },
      (response) => {
        let size = 0;
        response.on('data', (chunk) => (size += chunk.length));
        response.on('end', () => resolve({ status: response.statusCode, size }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

/**
 * A site in its own process, and what one request to it costs.
 * @param options `events`: how many it has, and as many of each other kind of content; `profile`
 */
export async function startMeasured({ events, profile }) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'understudy-costs-'));
  const child = fork(new URL('server.mjs', import.meta.url), { execArgv: ['--expose-gc'] });
  const ended = once(child, 'exit');
  const tell = async (message) => {
    child.send(message);
    const [answer] = await once(child, 'message');
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  const close = async () => {
    if (child.connected) child.disconnect();
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const { url, ids, routes, engine, reference } = await tell({ events, profile, data });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const prober = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const busy = () => cpuOf(child.pid).get(String(child.pid)) ?? Number.NaN;
    const pids = { server: [child.pid], engine: engine === undefined ? [] : [engine] };

    /**
     * For how long requests for the health of the server waited at most, until `isOver`: how long its thread computed meanwhile in ms, since
     * other programs let it wait, too.
     */
    const longestWait = async (isOver) => {
      let longest = 0;
      while (!isOver()) {
        const before = busy();
        await send(prober, url, { method: 'GET', target: '/health' });
        longest = Math.max(longest, busy() - before);
        await new Promise((resolve) => setTimeout(resolve, EVERY));
      }
      return longest;
    };

    /**
     * Sends a request and measures it.
     * @param clean whether garbage is collected before, so that the growth of memory is the request's
     * @returns `cpu` in ms by process, `grown`: megabytes by which resident memory grew at most, `waited`: the longest wait of others in ms
     */
    const measure = async (request, clean) => {
      if (clean) await tell({ collect: true });
      resetPeak(child.pid);
      const resident = residentOf(child.pid);
      let isOver = false;
      const { result, cpu } = await cpuDuring(pids, async () => {
        const waiting = longestWait(() => isOver);
        const answer = await send(agent, url, request).catch((error) => ({ status: error.code ?? error.message, size: 0 }));
        isOver = true;
        return { ...answer, waited: await waiting };
      });
      return { ...result, cpu: cpu.server + cpu.engine, grown: (peakOf(child.pid) - resident) / 1e6 };
    };
    return { url, ids, routes, reference, measure, close };
  } catch (error) {
    await close();
    throw error;
  }
}
