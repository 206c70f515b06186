import { setTimeout as sleep } from 'node:timers/promises';
import { cpuDuring } from './cpu.mjs';
import { median, multipleOf, requestsFor } from './figures.mjs';
import { Bare, read } from './servers.mjs';

/**
 * How many requests a measurement sends to each server: `most`, but no more than use `budget` ms of processor time, and at least `least`
 * of them unless that takes longer than `longest` ms.
 */
export const EFFORT = {
  full: { budget: 4_000, least: 12, most: 300, longest: 20_000 },
  quick: { budget: 1_000, least: 6, most: 300, longest: 5_000 },
};
const CONNECTIONS = 4;
/** Warm-up requests to each server, a few at a time, and their maximum processor time in ms. */
const WARM_UP = { most: 32, step: 4, longest: 600 };
/** Fresh processes in which the bare server is measured. */
const BARE_RUNS = 5;

/** Runs a number of tasks. @returns total processor time of each process in ms, and the result of the load */
export async function runTasks({ load }, { ports, pids }, { tasks, connections = CONNECTIONS, every }) {
  const job = { ports, connections: Math.min(connections, tasks.length), tasks, every };
  const { result, cpu } = await cpuDuring(pids, () => load.ask(job));
  return { ...result, cpu };
}

const total = (cpu) => Object.values(cpu).reduce((sum, ms) => sum + (Number.isFinite(ms) ? ms : 0), 0);

/**
 * Warms up, then sends as many requests as the effort allows.
 * @param target `ports` and `pids` of the server
 * @returns processor time of each process in ms per task, and how long a task took
 */
export async function measureTasks({ load, effort }, target, { tasks, most = Number.MAX_SAFE_INTEGER, connections }) {
  const servers = target.ports.length;
  let asked = 0;
  const run = (count) => {
    const those = Array.from({ length: count }, (_, i) => tasks(asked + i));
    asked += count;
    return runTasks({ load }, target, { tasks: those, connections });
  };
  let spent = 0;
  while (asked < Math.min(servers * WARM_UP.most, most / 4) && spent < servers * WARM_UP.longest)
    spent += total((await run(WARM_UP.step)).cpu);
  // Each of several servers compiles and renders separately: it gets as many requests as a single server.
  const each = requestsFor(spent / asked, effort);
  const requests = Math.max(1, Math.min(servers * each, most - asked));
  const { cpu, ...result } = await run(requests);
  return { ...result, cpu: Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / requests])) };
}

/** The response to the last request of a task, which must be successful. */
export async function sample(port, task) {
  for (const [i, { path, method = 'GET', headers = {}, body }] of task.entries()) {
    const answer = await read(`http://127.0.0.1:${port}${path}`, { method, headers: { ...headers, 'Accept-Encoding': 'identity' }, body });
    if (i === task.length - 1) return answer;
  }
}

/** Processes are idle if they use at most this much processor time in this interval, several times in a row, in ms. */
const REST = { usedEach: 4, during: 150, times: 3 };

/**
 * Waits for background work: the first request of a kind makes the server read columns or texts into memory. @returns the processor time of
 * that in ms
 */
export async function untilAtRest(pids) {
  const spent = Object.fromEntries(Object.keys(pids).map((name) => [name, 0]));
  // Servers that share a database poll for changes.
  const atRest = REST.usedEach * Object.values(pids).flat().length;
  for (let quiet = 0; quiet < REST.times;) {
    const { cpu } = await cpuDuring(pids, () => sleep(REST.during));
    quiet = total(cpu) > atRest ? 0 : quiet + 1;
    for (const [name, ms] of Object.entries(cpu)) spent[name] += ms;
  }
  return spent;
}

/**
 * The cost of a response of a bare server, in ms: the median of fresh processes, which are warmed up like the server. Measured beside each
 * row, since the speed of a machine changes.
 */
export async function measureBare(tools, answer) {
  const figures = [];
  for (let run = 0; run < BARE_RUNS; run += 1) {
    const bare = await Bare.start();
    try {
      await bare.imitate(answer);
      const { cpu } = await measureTasks(tools, { ports: [bare.port], pids: { server: [bare.pid] } }, { tasks: () => [{ path: '/' }] });
      figures.push(cpu.server);
    } finally {
      await bare.close();
    }
  }
  return median(figures);
}

/**
 * Measures a row, and the same on json-server.
 * @param tools load, effort, and `list`: what the bare server sends for all rows but those with `ownBytes`
 * @param site `server`: the ports and processes of the measured server; `jsonServer`: those of json-server, if there is one
 */
export async function measureRow(tools, { server, jsonServer }, row) {
  // Each server reads into memory what the row needs.
  const [sampled] = await Promise.all(server.ports.map((port) => sample(port, row.tasks(0))));
  const background = await untilAtRest(server.pids);
  const { tasks, most, connections } = row;
  // The samples have been processed.
  const ours = await measureTasks(tools, server, { tasks: (n) => tasks(n + 1), most: most && most - 1, connections });
  const bare = await measureBare(tools, row.ownBytes ? sampled : tools.list);
  const peer = row.peer && jsonServer ? await measureTasks(tools, jsonServer, { tasks: (n) => [{ path: row.peer(n) }], most }) : null;
  return {
    name: row.name,
    bytes: sampled.bytes.length,
    requests: ours.count,
    server: ours.cpu.server,
    engine: ours.cpu.engine,
    bare,
    multiple: multipleOf(ours.cpu, bare),
    target: row.target,
    jsonServer: peer?.cpu.server,
    background,
    p50: ours.p50,
    perSecond: ours.count / ours.seconds,
  };
}
