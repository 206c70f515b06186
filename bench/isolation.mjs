/**
 * Isolated tests: each creates a sandbox, reads it, writes to it and deletes it. Several builds take turns, so that the machine's noise
 * meets all of them. Afterwards the server has served so many tests that its memory says what they leave behind.
 */
import { residentMegabytes } from './cpu.mjs';
import { median } from './figures.mjs';
import { runTasks } from './measure.mjs';
import { AUTHORIZATION, EVENTS, freePort, startCli } from './servers.mjs';

const HEADERS = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
const READS = ['/events', '/venues', '/categories', '/events?search=night'];
const TESTS = 60;
const WARM_UP = 60;
/** After how many tests memory is read. */
const MANY = 500;

const EVENT = JSON.stringify({ title: 'Isolated', start_date: '2026-09-01 19:00', end_date: '2026-09-01 22:00' });

/** A dataset of 20 events. @param name of its titles */
const datasetOf = (name) => ({
  events: Array.from({ length: 20 }, (_, i) => ({
    title: `${name} ${i}`,
    start: `2026-09-${String(i + 1).padStart(2, '0')} 19:00`,
    end: `2026-09-${String(i + 1).padStart(2, '0')} 22:00`,
    venue: `Hall ${i % 3}`,
    categories: ['Concert'],
  })),
});

/** The requests of a test. @param dataset its own, if any */
function testOf(n, dataset) {
  const api = `/__sandbox/bench-${n}${EVENTS.slice(0, -'/events'.length)}`;
  const own = dataset && {
    method: 'POST',
    path: `/__sandbox/bench-${n}/__qa/seed?create=true`,
    headers: HEADERS,
    body: JSON.stringify(dataset),
  };
  return [
    { method: 'PUT', path: `/__qa/sandboxes/bench-${n}` },
    ...(own ? [own] : []),
    ...READS.map((read) => ({ path: api + read })),
    { method: 'POST', path: `${api}/events`, headers: HEADERS, body: EVENT },
    { method: 'DELETE', path: `/__qa/sandboxes/bench-${n}` },
  ];
}

const KINDS = [
  { name: 'isolated test: sandbox, four reads, a write', test: (n) => testOf(n) },
  { name: 'the same with a dataset of 20 events', test: (n) => testOf(n, datasetOf('Own')) },
  { name: 'the same, another dataset each time', test: (n) => testOf(n, datasetOf(`Own ${n}`)) },
];

/** Fewer than a server may have. */
const SANDBOXES = 30;

/** The first list of new sandboxes, of the server's dataset. @returns ms each */
async function measureFirstLists(tools, server, from) {
  const tasks = (request) => Array.from({ length: SANDBOXES }, (_, i) => [request(`first-${from + i}`)]);
  const run = (request) => runTasks(tools, server, { tasks: tasks(request), connections: 1 });
  await run((name) => ({ method: 'PUT', path: `/__qa/sandboxes/${name}` }));
  const { cpu } = await run((name) => ({ path: `/__sandbox/${name}${EVENTS}` }));
  await run((name) => ({ method: 'DELETE', path: `/__qa/sandboxes/${name}` }));
  return Object.values(cpu).map((ms) => ms / SANDBOXES);
}

const FIRST_LIST = 'first list of a sandbox';

/** @param builds folder of each build to measure, by name @returns figures */
export async function measureIsolation(tools, runs, tell, builds) {
  const servers = [];
  let asked = 0;
  const run = async (each, test, count) => {
    const { server } = each;
    each.tests += count;
    const tasks = Array.from({ length: count }, () => test((asked += 1)));
    const { cpu } = await runTasks(tools, server, { tasks, connections: 1 });
    return Object.values(cpu).map((ms) => ms / count);
  };
  try {
    for (const [name, root] of Object.entries(builds))
      servers.push({
        name,
        server: await startCli(undefined, await freePort(), { root, uri: undefined }),
        times: [...KINDS, { name: FIRST_LIST }].map(() => []),
        tests: 0,
      });
    for (let turn = -1; turn < runs; turn += 1) {
      for (const [i, { name, test }] of KINDS.entries())
        for (const each of servers) {
          tell(`${name}: ${each.name}`);
          const cpu = await run(each, test, turn < 0 ? WARM_UP : TESTS);
          if (turn >= 0) each.times[i].push(cpu);
        }
      for (const each of servers) {
        tell(`${FIRST_LIST}${each.name}`);
        const cpu = await measureFirstLists(tools, each.server, (asked += SANDBOXES));
        if (turn >= 0) each.times[KINDS.length].push(cpu);
      }
    }
    const figures = [...KINDS, { name: FIRST_LIST }].flatMap(({ name }, i) =>
      servers.map((each) => {
        const [server, engine] = [0, 1].map((at) => median(each.times[i].map((cpu) => cpu[at])));
        const total = median(each.times[i].map((cpu) => cpu[0] + (cpu[1] || 0)));
        return {
          name: `${name}${each.name}`,
          figure: total,
          unit: 'ms',
          notes: `${server.toFixed(1)} here, ${(engine || 0).toFixed(1)} in the engine`,
        };
      }),
    );
    for (const each of servers) while (each.tests < MANY) await run(each, KINDS[0].test, TESTS);
    const memory = servers.flatMap(({ name, server, tests }) =>
      Object.entries({ server: server.pid, ...(server.engine ? { engine: server.engine } : {}) }).map(([what, pid]) => ({
        name: `resident memory of the ${what}, after ${MANY} isolated tests${name}`,
        figure: residentMegabytes(pid),
        unit: 'MB',
        notes: `${tests} tests`,
      })),
    );
    return [...figures, ...memory];
  } finally {
    for (const { server } of servers) await server.close();
  }
}
