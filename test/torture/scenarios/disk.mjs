// A full disk while clients write, and while the database is killed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { fieldsOf, readSite, writeDataset } from '../common/site.mjs';
import { signal, startServer, untilHealthy } from '../common/understudy.mjs';
import { writeEvents, writeImages } from '../common/writers.mjs';

const SIZE_MB = 400;
const MB = 1024 * 1024;

/** Mounts a small disk. @returns function that unmounts it; null if this user may not mount */
function mountDisk(folder) {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return () => execFileSync('umount', ['--lazy', folder]);
  } catch {
    return null;
  }
}

/** Fills a disk except for some bytes. */
function fill(file, left) {
  const { bavail, bsize } = statfsSync(path.dirname(file));
  const size = Math.max(0, bavail * bsize - left);
  try {
    for (let done = 0; done < size; done += 8 * MB) writeFileSync(file, Buffer.alloc(Math.min(8 * MB, size - done), 'x'), { flag: 'a' });
  } catch (error) {
    // The database used the last bytes.
    if (error.code !== 'ENOSPC') throw error;
  }
}

async function playRound({ server, send, tally, random, round, disk, ledger }) {
  const file = `${disk}/fill`;
  let isOver = false;
  const job = (n) => ({ send, server, ledger, tally, random, name: `r${round}-w${n}`, isOver: () => isOver, pause: () => sleep(20) });
  const work = [writeImages(job(0)), writeEvents(job(1)), writeEvents(job(2))];
  await sleep(random.between(100, 400));
  const end = tally.fault();
  // Every second time, the disk is completely full, so that the database itself may end.
  fill(file, round % 2 ? 0 : 8 * MB);
  await sleep(1_500);
  const read = await send(`${server.rest}/events?per_page=5`);
  tally.check(read === null || [200, 503].includes(read.status), `round ${round}: a read got ${read?.status} from a full disk`);
  const refused = await send(`${server.rest}/events`, 'POST', fieldsOf(`r${round} refused`, 1, 0));
  tally.check([507, 503].includes(refused?.status), `round ${round}: a write to a full disk got ${refused?.status}`);
  if (round % 4 > 1) signal(server.enginePid(), 'SIGKILL');
  await sleep(500);
  rmSync(file);
  const began = performance.now();
  tally.check(await untilHealthy(server), `round ${round}: the server did not recover when there was space again`);
  await sleep(1_200);
  end();
  const back = await send(`${server.rest}/events`, 'POST', fieldsOf(`r${round} again`, 1, 0));
  tally.check(back?.status === 201, `round ${round}: a write got ${back?.status} when there was space again`);
  if (back?.status === 201) await send(`${server.rest}/events/${back.body.id}`, 'DELETE');
  isOver = true;
  await Promise.all(work);
  return performance.now() - began;
}

/** @type {import('./index.mjs').Scenario} */
export const disk = {
  name: 'disk',
  title: `A disk of ${SIZE_MB} MB is full. In some rounds, the database is killed`,
  rounds: { short: 1, full: 8 },
  async run({ tally, randomFor, folder, rounds, progress }) {
    const small = `${folder}/disk`;
    const unmount = mountDisk(small);
    if (!unmount) {
      tally.note('skipped: this user may not mount a tmpfs.');
      return;
    }
    const dataset = writeDataset(folder, 'a');
    const data = `${small}/data`;
    const start = () => startServer({ data, args: ['--dataset', dataset, '--request-timeout', '10'] });
    const { send, close } = clientOf(tally);
    let server;
    try {
      server = await start();
      const known = (await readSite(send, server.url)).items;
      const ledger = new Ledger();
      let slowest = 0;
      for (let round = 0; round < rounds; round += 1) {
        slowest = Math.max(slowest, await playRound({ server, send, tally, random: randomFor(round), round, disk: small, ledger }));
        progress(round + 1);
      }
      await server.stop();
      server = await start();
      const site = await readSite(send, server.url, data);
      for (const name of site.items.keys()) if (/^r\d+ (again|refused)$/.test(name)) site.items.delete(name);
      tally.compare(site, ledger.judge(site.items, known));
      tally.note(`With space again, writes were accepted after ${(slowest / 1000).toFixed(1)} s at most.`);
      await server.stop();
    } finally {
      close();
      server?.signal('SIGKILL');
      await server?.ended;
      unmount();
    }
  },
};
