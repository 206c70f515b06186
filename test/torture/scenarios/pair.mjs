// Servers on one database, each in a separate process.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../common/client.mjs';
import { writeDataset } from '../common/site.mjs';
import { Trio } from '../common/trio.mjs';
import { spawnServer } from '../common/understudy.mjs';
import { playTrio } from './pair-rounds.mjs';

const EVENT = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' };

/** Database names may not contain the dots of a socket path. */
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

/**
 * Starts two servers at once on an empty database, and kills one during its first start. Writes that the other one acknowledged must
 * survive restarts.
 */
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
    // The killed server's load is taken over while the other server runs.
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

/** The kinds of rounds in order. The first eight are all of them. `TORTURE_KIND` selects a single one. */
const ORDER =
  'kill stop replace engine head clock idle first kill stop replace head kill stop replace engine kill stop replace clock stop'.split(' ');

/** Time limits of requests, in ms: in general, and while a server takes over another one's work. */
const PROMPT_MS = 10_000;
const LEASE_MS = 20_000;
const LIMITS = { stop: LEASE_MS + 5_000, first: LEASE_MS + 5_000, replace: LEASE_MS + 5_000 };

/** Measures the rounds of each kind, and their slowest requests. */
class Times {
  #kinds = new Map();

  async measure(kind, tally, play) {
    const before = tally.slowest;
    tally.slowest = 0;
    const started = performance.now();
    const waited = (await play()) ?? 0;
    const known = this.#kinds.get(kind) ?? { rounds: 0, ms: 0, slowest: 0 };
    const slowest = Math.max(known.slowest, tally.slowest);
    this.#kinds.set(kind, { rounds: known.rounds + 1, ms: known.ms + performance.now() - started, slowest });
    const limit = waited + (LIMITS[kind] ?? PROMPT_MS);
    tally.check(tally.slowest < limit, `${kind}: a request took ${Math.round(tally.slowest)} ms, more than ${Math.round(limit)}`);
    tally.slowest = Math.max(tally.slowest, before);
  }

  *lines() {
    for (const [kind, { rounds, ms, slowest }] of this.#kinds)
      yield `${kind}: ${rounds} rounds, ${(ms / rounds / 1000).toFixed(1)} s each, slowest request ${Math.round(slowest)} ms.`;
  }
}

/** @type {import('./index.mjs').Scenario} */
export const pair = {
  name: 'pair',
  title:
    'Three servers share a database. They are killed, paused or idle, load content at the same time, and have wrong clocks. The database is killed, too',
  rounds: { short: 2, full: 100 },
  async run({ tally, randomFor, folder, rounds, isShort, progress }) {
    const { startEngine } = await import('../../../dist/database/engine/index.js');
    const { MongoClient } = await import('mongodb');
    const engine = await startEngine({ directory: `${folder}/db` });
    const mongo = await MongoClient.connect(engine.uri);
    // Large enough for a kill during the load.
    const large = writeDataset(folder, 'a', isShort ? 40 : 400);
    const { send, close } = clientOf(tally, { deadline: 90_000 });
    const startFirst = (round) => () =>
      spawnServer({ args: ['--ephemeral', '--dataset', large, '--mongodb-uri', uriOf(engine, `round${round}`)] });
    const trio = new Trio({ folder, uri: uriOf(engine, 'trio') });
    const times = new Times();
    const seen = { mixed: 0 };
    try {
      await trio.start(randomFor('start'));
      for (let round = 0; round < rounds; round += 1) {
        const kind = process.env.TORTURE_KIND ?? ORDER[round % ORDER.length];
        const random = randomFor(round);
        const game = { send, tally, random, round, isShort, seen, where: `round ${round} (${kind})` };
        await times.measure(kind, tally, async () => {
          if (kind !== 'first') return playTrio({ ...game, kind, trio, engine, db: mongo.db('trio') });
          // A short run does not wait for leases to end.
          return playFirstStart({ ...game, start: startFirst(round), isKilled: !isShort });
        });
        progress(round + 1);
      }
      for (const line of times.lines()) tally.note(line);
      if (seen.mixed > 0) tally.note(`replace: ${seen.mixed} reads during a replacement showed parts of two contents.`);
      await trio.stop();
    } finally {
      close();
      trio.kill();
      await mongo.close();
      await engine.close();
    }
  },
};
