// Disturbances of three servers on one database, while clients write and read through all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { ANONYMOUS } from '../common/client.mjs';
import { Ledger } from '../common/ledger.mjs';
import { describeVerdict, linearize, recordModel } from '../common/linearizable.mjs';
import { datasetOf, readSite } from '../common/site.mjs';
import { OFFSETS, SIZE } from '../common/trio.mjs';
import { signal, until, untilHealthy } from '../common/understudy.mjs';
import { writeEvents } from '../common/writers.mjs';
import { playEvent, playSlug } from './linear.mjs';

const EVENT = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' };
const CLIENTS = 4;
/** Operations per client: enough to repeat requests to a server. */
const OPERATIONS = 14;
const WRITERS = 3;
/** Number of changes that an idle server misses. */
const MISSED = 1_050;

const itemsOf = (generation) => new Map(datasetOf(generation, SIZE).events.map(({ title }) => [title, 'version 0']));

/** Events that are checked in the histories of their writers. */
const isForeign = (title) => /^(?:v\d+x\d+|patient\d+|first|party-.*|Coherent.*)$/.test(title);

/** Sends requests to one server, so that it is busy. @returns a promise of all responses */
async function keepBusy({ random, histories }, { rest }) {
  const event = await histories;
  const requests = [0, 1, 2].flatMap((n) => [event.write(rest, `patient${n}`), event.read(rest)]);
  await sleep(random.between(0, 60));
  return { all: Promise.all(requests) };
}

/** Kills a server, and restarts it at once. */
async function kill(game) {
  const { trio, tally, random, untilBusy } = game;
  await untilBusy();
  const end = tally.fault('gone');
  const server = trio.pick(random);
  trio.leave(server);
  const requests = await keepBusy(game, server);
  server.signal('SIGKILL');
  await Promise.all([server.ended, requests.all]);
  end();
  await trio.restart(server, random);
}

/** Mostly short. One round in twenty exceeds a lease. */
function pauseOf(random, isShort) {
  if (isShort) return random.between(600, 1_200);
  const kind = random.below(20);
  if (kind === 0) return random.between(8_000, 30_000);
  return kind < 5 ? random.between(2_000, 8_000) : random.between(300, 2_000);
}

/** Stops a server in the middle of requests, for a while. @returns the duration */
async function stop(game) {
  const { trio, tally, random, isShort, untilBusy } = game;
  await untilBusy();
  const end = tally.fault();
  const server = trio.pick(random);
  const lasts = pauseOf(random, isShort);
  trio.leave(server);
  const requests = await keepBusy(game, server);
  server.signal('SIGSTOP');
  await sleep(lasts);
  server.signal('SIGCONT');
  await requests.all;
  trio.use(server);
  end();
  return lasts;
}

/** Kills the database, which then restarts. */
async function killEngine({ trio, engine, tally, random, where, untilBusy, kills }) {
  await untilBusy();
  const end = tally.fault();
  const killed = engine.pid;
  signal(killed, 'SIGKILL');
  kills.push(performance.now());
  const isBack = await until(() => engine.pid !== killed);
  await sleep(random.between(0, 100));
  const healthy = await Promise.all(trio.servers.map((server) => untilHealthy(server)));
  if (!isBack || !healthy.every(Boolean)) tally.fail(`${where}: the servers did not recover`);
  end();
}

/** Deletes the servers' record of changes. */
async function removeHead({ db, random, untilBusy }) {
  await untilBusy();
  for (let n = 0; n < 6; n += 1) {
    await db.collection('changes').deleteOne({ _id: 'head' });
    await sleep(random.between(0, 120));
  }
}

async function jump({ trio, random, untilBusy }) {
  await untilBusy();
  for (let n = 0; n < 4; n += 1) {
    trio.jump(random.pick([...OFFSETS, 0]));
    await sleep(random.between(0, 120));
  }
  trio.jump(random.pick(OFFSETS));
}

/** Sends no requests to one server, while the others write more changes than the record keeps. */
async function idle({ trio, send, tally, random, where }) {
  const server = trio.pick(random);
  const at = (each, path) => `${each.url}/wp-json/wp/v2/${path}`;
  const created = await send(at(server, 'tags'), 'POST', { name: 'Idle' });
  if (created?.status !== 201) return tally.fail(`${where}: a tag got ${created?.status}`);
  const address = `tags/${created.body.id}`;
  // Caches the tag before the missed changes.
  await send(at(server, address), 'GET', undefined, ANONYMOUS);
  trio.leave(server);
  let begun = 0;
  const last = [];
  const write = async (client) => {
    while (begun < MISSED) {
      const description = `${client} ${(begun += 1)}`;
      const response = await send(at(trio.pick(random), address), 'POST', { description });
      if (response?.status === 200) tally.acknowledged += 1;
      else tally.fail(`${where}: a change of a tag got ${response?.status}`);
      last[client] = description;
    }
  };
  await Promise.all([0, 1, 2, 3].map(write));
  const seen = await send(at(server, address), 'GET', undefined, ANONYMOUS);
  // The order of the last writes is unknown.
  tally.check(
    last.includes(seen?.body?.description),
    `${where}: the idle server reads "${seen?.body?.description}", not ${last.join(' or ')}`,
  );
  trio.use(server);
  return undefined;
}

/** Disturbances of a round. */
const DISTURBANCES = { kill, stop, engine: killEngine, head: removeHead, clock: jump, idle };

/** A write through one server is visible in the others at once. */
async function checkCoherence({ trio, send, tally, random, where }) {
  const created = await send(`${trio.pick(random).rest}/events`, 'POST', { title: 'Coherent', ...EVENT });
  if (created?.status !== 201) return tally.fail(`${where}: a creation got ${created?.status}`);
  tally.acknowledged += 1;
  const { id } = created.body;
  for (let n = 0; n < 3; n += 1) {
    const title = `Coherent ${n}`;
    const written = await send(`${trio.pick(random).rest}/events/${id}`, 'POST', { title });
    if (written?.status !== 200) tally.fail(`${where}: an update got ${written?.status}`);
    else tally.acknowledged += 1;
    await Promise.all(
      trio.servers.map(async ({ rest }, reader) => {
        const [single, list] = await Promise.all([
          send(`${rest}/events/${id}`, 'GET', undefined, ANONYMOUS),
          send(`${rest}/events?start_date=2026-07-01&end_date=2026-07-01&per_page=50`, 'GET', undefined, ANONYMOUS),
        ]);
        tally.check(single?.body?.title === title, `${where}: server ${reader} reads ${single?.body?.title}, not ${title}`);
        const listed = list?.body?.events?.find((event) => event.id === id)?.title;
        tally.check(listed === title, `${where}: the list of server ${reader} shows ${listed}, not ${title}`);
      }),
    );
  }
  return undefined;
}

/** Reads everything through all servers. */
async function readAll({ trio, send }) {
  return Promise.all(trio.servers.map(({ url }) => readSite(send, url, undefined, isForeign)));
}

/** Clients write and read through all servers during a disturbance. */
async function playDisturbed(game) {
  const { kind, trio, send, tally, random, where } = game;
  const reset = await send(`${trio.pick(random).url}/__qa/reset`, 'POST');
  if (reset?.status !== 200) tally.fail(`${where}: a reset got ${reset?.status}`);
  const known = itemsOf('trio');
  const ledger = new Ledger();
  let isOver = false;
  const busy = 5 + random.below(15);
  const untilBusy = () => until(() => ledger.acknowledged > busy);
  const pause = () => sleep(random.between(0, 40));
  const job = (n) => ({ send, server: trio.any(random), ledger, tally, random, name: `w${n}`, isOver: () => isOver, pause });
  const work = Array.from({ length: WRITERS }, (_, n) => writeEvents(job(n)));
  const restOf = (by) => trio.pick(by).rest;
  let useHistory;
  const histories = new Promise((resolve) => (useHistory = resolve));
  const kills = [];
  const disturbing = DISTURBANCES[kind]({ ...game, untilBusy, histories, kills });
  const played = { ...game, kills, restOf, clients: CLIENTS, operations: OPERATIONS, pause };
  const playing = playEvent({
    ...played,
    disturb: async (own) => {
      useHistory(own);
      await disturbing;
    },
  });
  await Promise.all([playing, playSlug({ ...played, disturb: () => disturbing })]);
  const waited = await disturbing;
  isOver = true;
  await Promise.all(work);
  for (const [n, site] of (await readAll(game)).entries()) tally.compare(site, ledger.judge(site.items, known), `${where}, server ${n}: `);
  return waited;
}

/** Ways to replace all content, and the resulting generation. */
const REPLACEMENTS = {
  reset: () => ({ path: '/reset', generation: 'trio' }),
  seed: ({ round }, n) => ({
    path: '/seed?pristine=false',
    body: datasetOf(`r${round}n${n}`, SIZE),
    generation: `r${round}n${n}`,
  }),
  restore: () => ({ path: '/snapshots/trio/restore', generation: 'snapshot' }),
};

/** Reads the current generation. Returns its name, or a problem. */
async function readGeneration({ send }, { rest }) {
  const response = await send(`${rest}/events?categories=generation&per_page=50&start_date=2000-01-01`, 'GET', undefined, ANONYMOUS);
  if (response?.status !== 200) return { wrong: `status ${response?.status}` };
  const { events, total } = response.body;
  const generations = [...new Set(events.map(({ title, venue }) => `${title.split(',')[0]} ${venue.venue}`))];
  const name = generations.length === 1 && /^Generation (\w+) Hall \1$/.exec(generations[0])?.[1];
  const isWhole = name && events.length === SIZE && total === SIZE;
  return isWhole ? { name } : { wrong: `${events.length} of ${total} events: ${generations.join(' and ')}` };
}

/** Two servers replace all content at once. Afterwards, all servers show the result of one of them. */
async function playReplacements(game) {
  const { trio, send, tally, random, where } = game;
  await prepareSnapshot(game);
  const history = [];
  const timed = async (operation, run) => {
    const entry = { ...operation, invoked: performance.now(), responded: Infinity };
    history.push(entry);
    await run(entry);
    return entry;
  };
  let running = 0;
  let mixed = 0;
  const replace = (server, n) => {
    const kind = random.pick(Object.keys(REPLACEMENTS));
    const { path, body, generation } = REPLACEMENTS[kind](game, n);
    return timed(
      { kind: 'write', via: `${kind} through server ${trio.servers.indexOf(server)}`, fields: { generation } },
      async (entry) => {
        running += 1;
        const response = await send(`${server.url}/__qa${path}`, 'POST', body);
        running -= 1;
        if (response?.status === 200) tally.acknowledged += 1;
        else
          tally.fail(
            `${where}: ${path} got ${response?.status} ${response?.text?.slice(0, 200)}. The server says:\n${server.stderr().slice(-1500)}`,
          );
        if (response && response.status < 500) entry.responded = performance.now();
      },
    );
  };
  /** Outside a replacement, a server must not show parts of two generations. The order of generations must be the same for all servers. */
  const readOnce = async (server) => {
    const isDuring = running > 0;
    const entry = await timed({ kind: 'read', via: `server ${trio.servers.indexOf(server)}` }, async (own) => {
      own.shown = await readGeneration(game, server);
      own.responded = performance.now();
    });
    const { name, wrong } = entry.shown;
    if (name) return (entry.output = { generation: name });
    history.splice(history.indexOf(entry), 1);
    if (isDuring || running > 0) mixed += 1;
    else tally.fail(`${where}: after all replacements, server ${trio.servers.indexOf(server)} shows ${wrong}`);
    return undefined;
  };
  let isOver = false;
  const isReading = () => !isOver;
  const read = async (n) => {
    const server = trio.servers[n % trio.servers.length];
    while (isReading()) {
      await readOnce(server);
      await sleep(random.between(0, 10));
    }
  };
  const { name: first, wrong } = await readGeneration(game, trio.pick(random));
  if (!first) return tally.fail(`${where}: before all replacements, a server shows ${wrong}`);
  const reading = [0, 1, 2].map(read);
  for (let turn = 0; turn < 3; turn += 1) {
    const [left, right] = [0, 1, 2].toSorted(() => random.next() - 0.5).map((n) => trio.servers[n]);
    const before = replace(left, 2 * turn);
    await sleep(random.between(0, 60));
    await Promise.all([before, replace(right, 2 * turn + 1)]);
    // All servers agree on the last replacement.
    await Promise.all(trio.servers.map(readOnce));
  }
  isOver = true;
  await Promise.all(reading);
  const verdict = linearize(history, recordModel({ generation: first }));
  tally.check(verdict.isLinearizable, verdict.isLinearizable || `${where}: ${describeVerdict(verdict)}`);
  for (const [n, { problems }] of (await readAll(game)).entries())
    for (const text of problems) tally.fail(`${where}, server ${n}: ${text}`);
  game.seen.mixed += mixed;
  return undefined;
}

const prepared = new WeakSet();

/** Saves the snapshot that is restored later. */
async function prepareSnapshot({ trio, send, tally, random, where }) {
  if (prepared.has(trio)) return;
  prepared.add(trio);
  const seeded = await send(`${trio.pick(random).url}/__qa/seed?pristine=false`, 'POST', datasetOf('snapshot', SIZE));
  const saved = await send(`${trio.pick(random).url}/__qa/snapshots/trio`, 'PUT');
  if (seeded?.status !== 200 || saved?.status !== 201) tally.fail(`${where}: a snapshot got ${seeded?.status} and ${saved?.status}`);
}

/**
 * Plays a round.
 * @param game.kind kind of disturbance
 * @returns how long a server was stopped, in ms
 */
export async function playTrio(game) {
  const { kind, trio, tally, where } = game;
  const waited = await (kind === 'replace' ? playReplacements(game) : playDisturbed(game));
  await checkCoherence(game);
  for (const server of trio.servers) if (server.hasEnded) tally.fail(`${where}: a server ended: ${server.stderr()}`);
  return typeof waited === 'number' ? waited : 0;
}
