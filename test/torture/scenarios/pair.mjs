// Two servers over one database, each in a process of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { readSite, writeDataset } from '../common/site.mjs';
import { spawnServer, until } from '../common/understudy.mjs';
import { writeEvents } from '../common/writers.mjs';
import { playRounds } from './linear.mjs';

const EVENT = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' };

/** Database names may not contain the dots of sockets. */
const uriOf = (engine, name) => {
  const [hosts, options] = engine.uri.replace(/^mongodb:\/\//, '').split('?');
  return `mongodb://${hosts.replace(/\/.*$/, '')}/${name}${options ? `?${options}` : ''}`;
};

/** Creates ten events through one server. */
async function createTen({ send, server, tally, where }) {
  const titles = Array.from({ length: 10 }, (_, n) => `Acknowledged ${n}`);
  for (const title of titles) {
    const response = await send(`${server.rest}/events`, 'POST', { title, ...EVENT });
    if (response?.status !== 201) tally.fail(`${where}: a creation got ${response?.status}`);
    else tally.acknowledged += 1;
  }
  return titles;
}

const titlesOf = async (send, server) => {
  const response = await send(`${server.rest}/events?search=Acknowledged&per_page=50&start_date=2000-01-01`);
  return response?.status === 200 ? response.body.events.map(({ title }) => title) : [];
};

/** Both start at once on an empty database, and one is killed in its first start. What the other acknowledged outlives restarts. */
async function playFirstStart({ start, send, tally, random, where, isKilled }) {
  const [one, other] = [start(), start()];
  const [victim, survivor] = random.below(2) ? [one, other] : [other, one];
  const running = [];
  try {
    if (isKilled) {
      await sleep(random.between(250, 1_500));
      victim.signal('SIGKILL');
      await victim.ended;
    }
    const server = await survivor.untilServing();
    running.push(server);
    if (!isKilled) running.push(await victim.untilServing());
    const titles = await createTen({ send, server, tally, where });
    // Its load is taken over while the other one runs.
    running.push(await start().untilServing());
    for (const each of running) {
      const found = await titlesOf(send, each);
      for (const title of titles.filter((name) => !found.includes(name))) tally.lose(`${where}: ${title}`);
    }
    await server.stop();
    running.shift();
    const again = await start().untilServing();
    running.push(again);
    const found = await titlesOf(send, again);
    for (const title of titles.filter((name) => !found.includes(name))) tally.lose(`${where}, after a restart: ${title}`);
  } finally {
    for (const each of [...running, one, other]) each.signal('SIGKILL');
    await Promise.all([...running, one, other].map(({ ended }) => ended));
  }
}

/** What was written through one is read through the other at once. */
async function checkCoherence({ servers, send, tally, random, where }) {
  const created = await send(`${servers[0].rest}/events`, 'POST', { title: 'Coherent', ...EVENT });
  if (created?.status !== 201) return tally.fail(`${where}: a creation got ${created?.status}`);
  tally.acknowledged += 1;
  const { id } = created.body;
  for (let n = 0; n < 10; n += 1) {
    const [writer, reader] = random.below(2) ? servers : [...servers].reverse();
    const title = `Coherent ${n}`;
    const written = await send(`${writer.rest}/events/${id}`, 'POST', { title });
    if (written?.status !== 200) tally.fail(`${where}: an update got ${written?.status}`);
    else tally.acknowledged += 1;
    const [single, list] = await Promise.all([
      send(`${reader.rest}/events/${id}`),
      send(`${reader.rest}/events?include=${id}&start_date=2000-01-01`),
    ]);
    tally.check(single?.body?.title === title, `${where}: the other server reads ${single?.body?.title}, not ${title}`);
    tally.check(
      list?.body?.events?.[0]?.title === title,
      `${where}: the list of the other server shows ${list?.body?.events?.[0]?.title}, not ${title}`,
    );
  }
  return undefined;
}

/** Clients write through both, and one of them is killed. */
async function playKill({ start, send, tally, random, where }) {
  let servers = await Promise.all([start().untilServing(), start().untilServing()]);
  try {
    const known = (await readSite(send, servers[0].url)).items;
    const ledger = new Ledger();
    let isOver = false;
    const job = (server, n) => ({ send, server, ledger, tally, random, name: `w${n}`, isOver: () => isOver });
    const work = servers.flatMap((server, n) => [writeEvents(job(server, 2 * n)), writeEvents(job(server, 2 * n + 1))]);
    await until(() => ledger.acknowledged > 10 + random.below(20));
    const end = tally.fault('gone');
    const killed = random.below(2);
    servers[killed].signal('SIGKILL');
    await servers[killed].ended;
    const enough = ledger.acknowledged + 5;
    await until(() => ledger.acknowledged >= enough);
    isOver = true;
    await Promise.all(work);
    end();
    servers[killed] = await start().untilServing();
    for (const server of servers) {
      const site = await readSite(send, server.url);
      tally.compare(site, ledger.judge(site.items, known), `${where}: `);
    }
    await checkCoherence({ servers, send, tally, random, where });
    await Promise.all(servers.map((server) => server.stop()));
    servers = [];
  } finally {
    for (const server of servers) server.signal('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
  }
}

/** @type {import('./index.mjs').Scenario} */
export const pair = {
  name: 'pair',
  title: 'Two servers over one database: killed in their first start and under writers, coherence, linearizability',
  rounds: { short: 1, full: 16 },
  async run({ tally, randomFor, folder, rounds, isShort, progress }) {
    const { startEngine } = await import('../../../dist/engine/index.js');
    const engine = await startEngine({ directory: `${folder}/db` });
    // Large enough that a kill meets the load.
    const dataset = writeDataset(folder, 'a', isShort ? 40 : 400);
    const { send, close } = clientOf(tally);
    const startOn = (name) => () =>
      spawnServer({ data: `${folder}/data`, args: ['--ephemeral', '--dataset', dataset, '--mongodb-uri', uriOf(engine, name)] });
    try {
      for (let round = 0; round < rounds; round += 1) {
        const random = randomFor(round);
        const game = { start: startOn(`round${round}`), send, tally, random, where: `round ${round}` };
        // A short run does not wait for leases to end.
        if (round % 2) await playFirstStart({ ...game, isKilled: !isShort });
        else await playKill(game);
        progress(round + 1);
      }
      // Another pair: not in a short run, as servers that start are most of it.
      if (isShort) return;
      const start = startOn('linear');
      const servers = await Promise.all([start().untilServing(), start().untilServing()]);
      const restOf = (random) => random.pick(servers).rest;
      await playRounds({
        send,
        restOf,
        tally,
        randomFor: (round) => randomFor(`linear ${round}`),
        rounds: 2 * rounds,
        progress: () => {},
      });
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      close();
      await engine.close();
    }
  },
};
