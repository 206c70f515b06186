// Stops the database or the server for a while (SIGSTOP). Requests wait or get 503, and acknowledged writes are kept.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf, exchange } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { readSite, writeDataset } from '../common/site.mjs';
import { startServer, signal, untilHealthy } from '../common/understudy.mjs';
import { writeEvents, writeImages } from '../common/writers.mjs';

const TIMEOUT_S = 2;

/** Time limit of /health on a busy machine. It never waits for the database. */
const HEALTH_MS = 2_000;

async function pause({ server, tally, random, round, seen }) {
  const isServer = round % 3 === 2;
  const pid = isServer ? server.pid : server.enginePid();
  const lasts = round % 3 === 1 ? TIMEOUT_S * 1000 + 500 : random.between(50, 1_200);
  const end = tally.fault();
  signal(pid, 'SIGSTOP');
  await sleep(lasts / 2);
  if (!isServer) {
    const asked = performance.now();
    const response = await exchange(`${server.url}/health`, { deadline: 10_000 }).catch(() => null);
    seen.health = Math.max(seen.health, performance.now() - asked);
    tally.check([200, 503].includes(response?.status), `round ${round}: /health during a pause: ${response?.status}`);
  }
  await sleep(lasts / 2);
  signal(pid, 'SIGCONT');
  if (!(await untilHealthy(server))) tally.fail(`round ${round}: the server was not healthy after a pause`);
  // Waiting requests now get their responses, or 503.
  await sleep(300);
  end();
  await sleep(random.between(50, 200));
}

/** @type {import('./index.mjs').Scenario} */
export const pauses = {
  name: 'pauses',
  title: 'The database or the server is paused for 50 ms to 2.5 s during writes',
  rounds: { short: 1, full: 60 },
  async run({ tally, randomFor, folder, rounds, progress }) {
    const dataset = writeDataset(folder, 'a');
    const data = `${folder}/data`;
    const start = () => startServer({ data, args: ['--dataset', dataset, '--request-timeout', String(TIMEOUT_S)] });
    const { send, close } = clientOf(tally);
    let server = await start();
    const seen = { health: 0 };
    try {
      const known = (await readSite(send, server.url, data)).items;
      const ledger = new Ledger();
      let isOver = false;
      const job = (n) => ({
        send,
        server,
        ledger,
        tally,
        random: randomFor(`writer ${n}`),
        name: `w${n}`,
        isOver: () => isOver,
        pause: () => sleep(20),
      });
      const work = [writeImages(job(0)), ...[1, 2, 3].map((n) => writeEvents(job(n)))];
      for (let round = 0; round < rounds; round += 1) {
        await pause({ server, tally, random: randomFor(round), round, seen });
        progress(round + 1);
      }
      isOver = true;
      await Promise.all(work);
      await server.stop();
      server = await start();
      const site = await readSite(send, server.url, data);
      tally.compare(site, ledger.judge(site.items, known));
      tally.check(seen.health < HEALTH_MS, `/health took ${Math.round(seen.health)} ms while the database was stopped`);
      tally.note(`/health took ${Math.round(seen.health)} ms at most while the database was stopped.`);
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
