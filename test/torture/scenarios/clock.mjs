// Jumps of the site's clock, by the test API, and of the machine's clock.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { readSite, writeDataset } from '../common/site.mjs';
import { startServer, until } from '../common/understudy.mjs';
import { writeEvents } from '../common/writers.mjs';

const PRELOAD = new URL('../common/clock-preload.mjs', import.meta.url);
const DAY = 86_400_000;

/** Jumps of the machine's clock. */
const JUMPS = [3_600_000, -3_600_000, DAY, -DAY, 400 * DAY, -10_000 * DAY, 10_000 * DAY, 0];

/** Times of the site's clock. */
const TIMES = ['1970-01-02T00:00:00Z', '2026-03-08T06:59:59Z', '2026-11-01T05:30:00Z', '2038-01-19T03:14:08Z', '9999-12-30T00:00:00Z'];

/** Checks that a scheduled event is published when the site's clock reaches its date, and not before. */
async function checkSchedule({ send, server, tally, where, n }) {
  const clock = (now) => send(`${server.url}/__qa/clock`, 'PUT', { now, frozen: true });
  await clock('2026-06-15T12:00:00Z');
  const fields = {
    title: `Scheduled ${n}`,
    start_date: '2026-07-01 10:00:00',
    end_date: '2026-07-01 11:00:00',
    date: '2026-06-20 10:00:00',
  };
  const created = await send(`${server.rest}/events`, 'POST', { ...fields, status: 'future' });
  if (created?.status !== 201) return tally.fail(`${where}: a scheduled event got ${created?.status} ${created?.text}`);
  const isPublic = async () => {
    const response = await send(`${server.rest}/events?search=Scheduled+${n}&start_date=2000-01-01`, 'GET', undefined, {
      authorization: '',
    });
    return response?.body?.events?.some(({ title }) => title === fields.title) ?? false;
  };
  tally.check(created.body.status === 'future' && !(await isPublic()), `${where}: a scheduled event is public before its date`);
  await clock('2026-06-21T12:00:00Z');
  tally.check(await until(isPublic, 10_000, 50), `${where}: a scheduled event was not published on its date`);
  await send(`${server.rest}/events/${created.body.id}`, 'DELETE');
  return undefined;
}

/** @type {import('./index.mjs').Scenario} */
export const clock = {
  name: 'clock',
  title: 'The clocks of the site and of the machine jump by up to 27 years during writes',
  rounds: { short: 1, full: 50 },
  async run({ tally, randomFor, folder, rounds, progress }) {
    const dataset = writeDataset(folder, 'a');
    const data = `${folder}/data`;
    const file = `${folder}/clock`;
    writeFileSync(file, '0');
    const env = { NODE_OPTIONS: `--import ${fileURLToPath(PRELOAD)}`, TORTURE_CLOCK: file };
    const server = await startServer({ data, args: ['--dataset', dataset, '--request-timeout', '20'], env });
    const { send, close } = clientOf(tally);
    try {
      const known = (await readSite(send, server.url, data)).items;
      const ledger = new Ledger();
      for (let round = 0; round < rounds; round += 1) {
        const random = randomFor(round);
        const where = `round ${round}`;
        let isOver = false;
        const job = (n) => ({ send, server, ledger, tally, random, name: `r${round}-w${n}`, isOver: () => isOver, pause: () => sleep(10) });
        const work = [0, 1].map((n) => writeEvents(job(n)));
        for (let jump = 0; jump < 3; jump += 1) {
          writeFileSync(file, String(random.pick(JUMPS)));
          server.signal('SIGUSR2');
          await send(
            `${server.url}/__qa/clock`,
            'PUT',
            random.below(4) ? { now: random.pick(TIMES), frozen: random.below(2) === 0 } : { real: true },
          );
          await sleep(random.between(10, 80));
          const health = await send(`${server.url}/health`);
          tally.check(health?.status === 200, `${where}: /health is ${health?.status} after a jump`);
        }
        isOver = true;
        await Promise.all(work);
        await checkSchedule({ send, server, tally, where, n: round });
        progress(round + 1);
      }
      await send(`${server.url}/__qa/clock`, 'PUT', { now: '2026-06-15T12:00:00Z', frozen: true });
      const { items, problems } = await readSite(send, server.url, data);
      for (const name of items.keys()) if (name.startsWith('Scheduled ')) items.delete(name);
      tally.compare({ problems: problems.filter((text) => !text.includes('Scheduled ')) }, ledger.judge(items, known));
      const reset = await send(`${server.url}/__qa/reset`, 'POST');
      tally.check(reset?.status === 200, `a reset got ${reset?.status} after all jumps`);
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
