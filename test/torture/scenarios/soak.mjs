// All kinds of work at once, for a long time. Memory and open files must not grow.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { readGeneration, writeDataset } from '../common/site.mjs';
import { measure, startServer } from '../common/understudy.mjs';
import { writeEvents, writeImages } from '../common/writers.mjs';

const MINUTE = 60_000;
const SHORT_MS = 1_500;
const SAMPLES = 80;

/** Maximum growth from the second quarter to the last one. */
const FLAT = { memory: 40, handles: 12 };

/**
 * Minimum duration for a check of growth. The database fills its caches for minutes, and closes unused files after ten: until then, the
 * files of deleted sandboxes accumulate.
 */
const JUDGED_FROM = { server: { memory: MINUTE, handles: MINUTE }, engine: { memory: 5 * MINUTE, handles: 30 * MINUTE } };

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Typical work of testers, repeatedly. */
const TASKS = [
  ({ send, url }) => send(`${url}/__qa/reset`, 'POST'),
  async ({ send, url, n }) => {
    await send(`${url}/__qa/snapshots/soak${n % 3}`, 'PUT');
    await send(`${url}/__qa/snapshots/soak${n % 3}/restore`, 'POST');
  },
  async ({ send, url, n }) => {
    const at = `${url}/__sandbox/soak${n % 5}`;
    await send(`${at}/wp-json/tribe/events/v1/events`);
    await send(`${at}/__qa/reset`, 'POST');
    await send(`${url}/__qa/sandboxes/soak${n % 5}`, 'DELETE');
  },
  async ({ send, url }) => {
    const fault = await send(`${url}/__qa/faults`, 'POST', { match: { path: '/never' }, effect: { status: 500 } });
    await send(`${url}/__qa/faults/${fault?.body?.id}`, 'DELETE');
  },
  ({ send, url }) => send(`${url}/__qa/clock`, 'PUT', { advance: '1 hour' }),
  ({ send, url }) => send(`${url}/__qa/export`),
];

const READS = [
  (url, n) => `${url}/wp-json/tribe/events/v1/events?per_page=${1 + (n % 50)}&start_date=2000-01-01`,
  (url, n) => `${url}/wp-json/tribe/events/v1/events?search=${n}`,
  (url, n) => `${url}/wp-json/wp/v2/tribe_events?per_page=10&page=${1 + (n % 4)}`,
  (url) => `${url}/events/`,
  (url, n) => `${url}/events/?ical=1&n=${n}`,
  (url, n) => `${url}/wp-json/tribe/events/v1/events/by-slug/nothing-${n}`,
];

/** @param place of the content, in the folder of the scenario @param args of the server @param processes those that are measured */
const soakOf = (name, title, { place, args, processes }) => ({
  name,
  title,
  rounds: { short: 1, full: 1 },
  async run({ tally, randomFor, folder, isShort, soakMinutes, progress }) {
    const lasts = soakMinutes === undefined ? (isShort ? SHORT_MS : 5 * MINUTE) : soakMinutes * MINUTE;
    const dataset = writeDataset(folder, 'a');
    const server = await startServer({ ...place(folder), args: ['--dataset', dataset, ...args] });
    const { send, close } = clientOf(tally);
    const { url } = server;
    const began = performance.now();
    const isOver = () => performance.now() - began > lasts;
    const samples = [];
    const sampling = (async () => {
      while (!isOver()) {
        await sleep(Math.max(200, lasts / SAMPLES));
        const pids = { server: server.pid, engine: server.enginePid() };
        samples.push(Object.fromEntries(processes.map((who) => [who, measure(pids[who])])));
        progress(samples.length, SAMPLES);
      }
    })();
    const loop = async (work) => {
      for (let n = 0; !isOver(); n += 1) await work(n);
    };
    try {
      // Resets delete events and images, so missing ones are not failures here.
      const job = (n) => ({
        send,
        server,
        ledger: new Ledger(),
        tally,
        random: randomFor(n),
        name: `w${n}`,
        allowed: [400, 404, 410],
        isOver,
      });
      const random = randomFor('tasks');
      /** Sends a request that must succeed. */
      const act = async (address, method, body) => {
        const response = await send(address, method, body);
        if (response) tally.check(response.status < 300, `${method ?? 'GET'} ${address} got ${response.status}`);
        return response;
      };
      await Promise.all([
        sampling,
        writeEvents({ ...job(0), pause: () => sleep(20) }),
        writeImages(job(1)),
        loop(async (n) => {
          await send(random.pick(READS)(url, n));
        }),
        loop(async (n) => {
          await random.pick(TASKS)({ send: act, url, n });
          await sleep(isShort ? 50 : 200);
        }),
        loop(async () => {
          const problem = await readGeneration(send, url);
          if (problem) tally.fail(problem);
          await sleep(50);
        }),
      ]);
      const of = (from, to, who, what) =>
        median(samples.slice(samples.length * from, samples.length * to).map((sample) => sample[who][what]));
      for (const who of processes)
        for (const [what, most] of Object.entries(FLAT)) {
          const [early, late] = [of(0.25, 0.5, who, what), of(0.75, 1, who, what)].map(Math.round);
          if (lasts >= JUDGED_FROM[who][what]) tally.check(late - early <= most, `${what} of the ${who} grew from ${early} to ${late}`);
          tally.note(
            `${what === 'memory' ? 'Memory (MB)' : 'Open files'} of the ${who}: ${early} in the second quarter, ${late} in the last.`,
          );
        }
      tally.note(`Duration: ${(lasts / MINUTE).toFixed(1)} minutes.`);
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
});

const WORK = 'Reads, writes, uploads, resets, snapshots, sandboxes, faults and exports continue for minutes';

/** @type {import('./index.mjs').Scenario} */
export const soak = soakOf('soak', `${WORK}. Memory and open files must not grow`, {
  place: (folder) => ({ data: `${folder}/data` }),
  // The database cache grows to its limit (256 MB by default). With a small limit, memory is stable after minutes.
  args: ['--engine-memory', '64'],
  processes: ['server', 'engine'],
});

/** @type {import('./index.mjs').Scenario} */
export const soakInMemory = soakOf('soak-memory', `${WORK}, on an ephemeral site. Memory and open files must not grow`, {
  place: () => ({}),
  args: ['--ephemeral'],
  processes: ['server'],
});
