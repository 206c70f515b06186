// Kills the server, its database, or both, during every kind of load.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { datasetOf, readGeneration, readSite, writeDataset } from '../common/site.mjs';
import { signal, startServer, until, untilRecovered } from '../common/understudy.mjs';
import { writeEvents, writeImages } from '../common/writers.mjs';

const WRITERS = 4;
const ARGS = ['--request-timeout', '10'];

const itemsOf = ({ events }) => new Map(events.map(({ title }) => [title, 'version 0']));

/** Work besides the writers at the moment of the kill: a replacement of all content, or none. */
const LOADS = {
  writes: null,
  reset: ({ pristine }) => ({ path: '/reset', items: pristine }),
  load: ({ round }) => {
    const dataset = datasetOf(`r${round}`);
    return { path: '/seed', body: dataset, items: itemsOf(dataset), isPristine: true };
  },
  restore: ({ snapshot }) => ({ path: '/snapshots/torture/restore', items: snapshot }),
  upload: null,
};

const VICTIMS = {
  server: (server) => [server.pid],
  engine: (server) => [server.enginePid()],
  both: (server, random) => (random.below(2) ? [server.pid, server.enginePid()] : [server.enginePid(), server.pid]),
};

/** One round: a load, a kill, and a check of the content. */
async function playRound({ server, send, tally, random, round, state, restart }) {
  const load = Object.keys(LOADS)[round % Object.keys(LOADS).length];
  const victim = Object.keys(VICTIMS)[Math.floor(round / Object.keys(LOADS).length) % Object.keys(VICTIMS).length];
  const ledger = new Ledger();
  const replacement = LOADS[load]?.({ ...state, round });
  let isOver = false;
  const job = (n) => ({
    send,
    server,
    ledger,
    tally,
    random,
    name: `r${round}-w${n}`,
    allowed: replacement ? [400, 404, 410] : [],
    isOver: () => isOver,
  });
  const write = (n) => (load === 'upload' || n === 0 ? writeImages(job(n)) : writeEvents(job(n)));
  const work = Array.from({ length: WRITERS }, (_, n) => write(n));
  const enough = 4 + random.below(20);
  await until(() => ledger.acknowledged >= enough || server.hasEnded);

  const reading = replacement && readWhile({ send, server, tally, isOver: () => isOver });
  const replacing = replacement && replace({ send, server, ledger, tally, replacement });
  await sleep(random.between(0, load === 'load' ? 250 : 80));

  // Read before the first kill, which may remove the database's PID file.
  const victims = VICTIMS[victim](server, random);
  const endFault = tally.fault(victim === 'engine' ? 'refusing' : 'gone');
  for (const pid of victims) signal(pid, 'SIGKILL');
  let running = server;
  if (victim === 'engine') {
    if (!(await untilRecovered(server, victims[0])))
      tally.fail(`round ${round}: the server did not recover from the end of its database:\n${server.stderr()}`);
    endFault();
    await sleep(random.between(0, 60));
    isOver = true;
    await Promise.all([...work, reading, replacing]);
  } else {
    await server.ended;
    isOver = true;
    await Promise.all([...work, reading, replacing]);
    endFault();
    running = await restart();
  }

  const site = await readSite(send, running.url, running.data);
  const verdict = ledger.judge(site.items, state.known);
  const where = `round ${round} (${victim} killed, ${load})`;
  tally.compare(site, verdict, `${where}: `);
  if (verdict.lost.length + verdict.wrong.length + site.problems.length > 0) tally.note(`${where}: log of the server:\n${server.stderr()}`);
  state.known = site.items;
  if (verdict.isReplaced && replacement.isPristine) state.pristine = replacement.items;
  return running;
}

async function replace({ send, server, ledger, tally, replacement }) {
  const acknowledge = ledger.replace(replacement.items);
  const response = await send(`${server.url}/__qa${replacement.path}`, 'POST', replacement.body);
  if (response?.status !== 200) {
    if (response && response.status < 500)
      tally.fail(`${replacement.path} was answered with ${response.status}: ${response.text.slice(0, 300)}`);
    return;
  }
  acknowledge();
  tally.acknowledged += 1;
}

/** Reads lists continuously. Each must show either the old content or the new. */
async function readWhile({ send, server, tally, isOver }) {
  while (!isOver() && !server.hasEnded) {
    const problem = await readGeneration(send, server.url);
    if (problem) tally.fail(problem);
  }
}

/** @type {import('./index.mjs').Scenario} */
export const kills = {
  name: 'kills',
  title: '`kill -9` of the server, the database or both during writes, uploads, loads, resets and restores',
  rounds: { short: 5, full: 100 },
  async run({ tally, randomFor, folder, rounds, progress }) {
    const dataset = writeDataset(folder, 'a');
    const data = `${folder}/data`;
    const start = () => startServer({ data, args: ['--dataset', dataset, ...ARGS] });
    const { send, close } = clientOf(tally);
    let server = await start();
    try {
      const images = new Ledger();
      let count = 0;
      await writeImages({ send, server, ledger: images, tally, random: randomFor('first'), name: 'first', isOver: () => ++count > 3 });
      await send(`${server.url}/__qa/snapshots/torture`, 'PUT');
      const { items } = await readSite(send, server.url, data);
      const state = { known: items, pristine: itemsOf(datasetOf('a')), snapshot: items };
      for (let round = 0; round < rounds; round += 1) {
        server = await playRound({ server, send, tally, random: randomFor(round), round, state, restart: start });
        progress(round + 1);
      }
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
