// Concurrent writers and readers of one event and of one slug. Their observations must be linearizable.
import { ANONYMOUS, clientOf } from '../common/client.mjs';
import { describeVerdict, lasting, linearize, nameModel, recordModel } from '../common/linearizable.mjs';
import { writeDataset } from '../common/site.mjs';
import { signal, startServer, untilRecovered } from '../common/understudy.mjs';

const CLIENTS = 6;
/** Operations per client and round. */
const OPERATIONS = 8;
const FIELDS = ['title', 'description', 'website'];

const VALUES = {
  title: (text) => text,
  description: (text) => `<p>${text}</p>`,
  website: (text) => `http://example.org/${text}`,
};
const sentAs = (field, text) => (field === 'website' ? VALUES.website(text) : text);

const shown = (event) => Object.fromEntries(FIELDS.map((field) => [field, event[field]]));

/** Runs an operation and records its times. Without a response, it may have happened at any later time. */
async function timed(history, operation, run) {
  const entry = { ...operation, invoked: performance.now(), responded: Infinity };
  history.push(entry);
  const response = await run();
  if (response && response.status < 500) entry.responded = performance.now();
  return { entry, response };
}

/** Reads without a response are discarded. */
const forget = (history, entry) => history.splice(history.indexOf(entry), 1);

const fieldsFrom = (random) => {
  const chosen = FIELDS.filter(() => random.below(2)).slice(0, 2);
  return chosen.length === 0 ? ['title'] : chosen;
};

async function createEvent({ send, rest }, title, more = {}) {
  return send(`${rest}/events`, 'POST', { title, start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00', ...more });
}

/** Writes some fields of the event. */
async function writeEvent({ send, id, history, random }, rest, text) {
  const names = fieldsFrom(random);
  // TEC: an update without a website takes it away.
  const fields = { website: '', ...Object.fromEntries(names.map((name) => [name, VALUES[name](text)])) };
  const body = Object.fromEntries(names.map((name) => [name, sentAs(name, text)]));
  const { entry, response } = await timed(history, { kind: 'write', fields }, () => send(`${rest}/events/${id}`, 'POST', body));
  if (response?.status === 200) entry.output = shown(response.body);
}

/** The fields of an event that WordPress's own routes return. */
const shownByCore = ({ title, content }) => ({ title: title.rendered, description: content.rendered.trim() });

const listed = ({ events }, id) => shown(events.find((event) => event.id === id) ?? {});

/** Ways to read an event: the route, and the fields in its response. */
const WAYS = [
  ({ id }) => ({ at: `events/${id}`, find: shown }),
  ({ slug }) => ({ at: `events/by-slug/${slug}`, find: shown }),
  ({ id }) => ({ at: `events?include=${id}&start_date=2000-01-01`, find: (body) => listed(body, id) }),
  ({ id, tag }) => ({ at: `events?tags=${tag}&start_date=2000-01-01`, find: (body) => listed(body, id) }),
  ({ id }) => ({ at: `../../../wp/v2/tribe_events/${id}`, find: shownByCore }),
];

/** Reads the event alone or in a list. */
async function readEvent({ send, history, random, ...event }, rest) {
  const { at, find } = random.pick(WAYS)(event);
  const headers = random.below(3) ? ANONYMOUS : {};
  const { entry, response } = await timed(history, { kind: 'read', via: at }, () => send(`${rest}/${at}`, 'GET', undefined, headers));
  if (response?.status !== 200) forget(history, entry);
  else entry.output = find(response.body);
}

/** One client: writes some fields of the event, or reads it alone or in a list. */
async function useEvent(game) {
  const { restOf, random, client, operations, pause } = game;
  for (let n = 0; n < operations; n += 1) {
    const rest = restOf(random);
    if (random.below(2)) await writeEvent(game, rest, `v${client}x${n}`);
    else await readEvent(game, rest);
    await pause();
  }
}

/** One client: creates events with one slug, trashes its own ones, and looks up the owner of the slug. */
async function useSlug({ send, restOf, slug, history, random, client, tally, operations, pause }) {
  const own = [];
  const nameOf = (n) => (n === 0 ? slug : `${slug}-${n + 1}`);
  const find = (name) => send(`${restOf(random)}/events/by-slug/${name}`, 'GET', undefined, random.below(3) ? ANONYMOUS : {});
  for (let n = 0; n < operations; n += 1) {
    const rest = restOf(random);
    const kind = random.pick(['take', 'take', 'find', 'find', 'free']);
    if (kind === 'free' && own.length > 0) {
      const event = own.pop();
      await timed(history, { kind, id: event.id, name: event.slug }, () => send(`${rest}/events/${event.id}`, 'DELETE'));
    } else if (kind === 'take') {
      const title = `${slug} of ${client}, ${n}`;
      const { entry, response } = await timed(history, { kind, title }, () => createEvent({ send, rest }, title, { slug }));
      if (response?.status !== 201) continue;
      tally.acknowledged += 1;
      Object.assign(entry, { id: response.body.id, name: response.body.slug });
      own.push(response.body);
    } else {
      const name = nameOf(random.below(4));
      const { entry, response } = await timed(history, { kind: 'find', name }, () => find(name));
      if (response?.status === 200) entry.output = response.body.id;
      else if (response?.status === 404) entry.output = null;
      else forget(history, entry);
    }
    await pause();
  }
}

/**
 * Clients write and read one event.
 * @param game.restOf selects the server of an operation
 * @param game.disturb called after the clients have started, with functions that write and read the event through a given server; awaited
 * before the last read
 * @param game.kills times at which the database was killed, complete once `disturb` has ended
 * @param game.operations number of operations per client
 * @param game.pause awaited by clients between operations
 */
export async function playEvent(game) {
  const { send, restOf, tally, random, where } = game;
  const tag = `tag-${where.replaceAll(' ', '-')}-${random.below(1e6)}`;
  const first = { description: 'first', website: 'http://example.org/first', tags: [tag] };
  const created = await createEvent({ send, rest: restOf(random) }, 'first', first);
  if (created?.status !== 201) return tally.fail(`${where}: the event was not created: ${created?.status}`);
  tally.acknowledged += 1;
  const { id, slug } = created.body;
  const history = [];
  const own = { ...game, id, slug, tag, history };
  const disturbing = game.disturb({ write: (rest, text) => writeEvent(own, rest, text), read: (rest) => readEvent(own, rest) });
  await Promise.all(Array.from({ length: game.clients }, (_, client) => useEvent({ ...own, client })));
  await disturbing;
  const { entry, response } = await timed(history, { kind: 'read' }, () => send(`${restOf(random)}/events/${id}`));
  if (response?.status !== 200) return tally.lose(`${where}: the event is ${response?.status}`);
  entry.output = shown(response.body);
  tally.acknowledged += history.filter(({ kind, responded }) => kind === 'write' && responded < Infinity).length;
  const verdict = linearize(lasting(history, game.kills), recordModel(shown(created.body)));
  return tally.check(verdict.isLinearizable, verdict.isLinearizable || `${where}, one event: ${describeVerdict(verdict)}`);
}

/** Clients create events with one slug, trash them, and look up its owner. */
export async function playSlug(game) {
  const { send, restOf, tally, random, where, round } = game;
  const slug = `party-${round}-${random.below(1e6)}`;
  const history = [];
  const disturbing = game.disturb();
  await Promise.all(Array.from({ length: game.clients }, (_, client) => useSlug({ ...game, slug, history, client })));
  await disturbing;
  // A creation without a response has happened if its event exists.
  const rest = restOf(random);
  const all = await send(`${rest}/events?per_page=50&status=publish,trash&start_date=2000-01-01&search=${slug}`);
  const events = all?.status === 200 ? all.body.events : [];
  for (const entry of history.filter(({ kind, id }) => kind === 'take' && id === undefined)) {
    const found = events.find(({ title }) => title === entry.title);
    if (found) Object.assign(entry, { id: found.id, name: found.slug.replace('__trashed', '') });
  }
  for (const { id, name } of history.filter(({ kind, responded }) => kind === 'take' && responded < Infinity)) {
    if (!events.some((event) => event.id === id)) tally.lose(`${where}: event ${id} with the slug ${name}`);
    const isFreed = history.some((other) => other.kind === 'free' && other.id === id);
    const last = await timed(history, { kind: 'find', name }, () => send(`${rest}/events/by-slug/${name}`));
    last.entry.output = last.response?.status === 200 ? last.response.body.id : null;
    if (!isFreed && last.entry.output !== id) tally.lose(`${where}: ${name} is ${last.entry.output}, not ${id}`);
  }
  const slugs = events.map((event) => event.slug);
  tally.check(new Set(slugs).size === slugs.length, `${where}: two events with one slug: ${slugs.join(' ')}`);
  for (const name of new Set(history.map((entry) => entry.name).filter(Boolean))) {
    const verdict = linearize(
      lasting(
        history.filter((entry) => entry.name === name),
        game.kills,
      ),
      nameModel(),
    );
    tally.check(verdict.isLinearizable, verdict.isLinearizable || `${where}, slug ${name}: ${describeVerdict(verdict)}`);
  }
}

/**
 * Plays rounds of concurrent clients against servers of one site.
 * @param restOf selects the server of an operation
 * @param disturb called after the clients have started, with a list for the times at which it kills the database; awaited before the last
 * reads
 */
async function playRounds({ send, restOf, tally, randomFor, rounds, disturb = async () => {}, progress }) {
  for (let round = 0; round < rounds; round += 1) {
    const random = randomFor(round);
    const kills = [];
    const game = {
      send,
      restOf,
      tally,
      random,
      round,
      clients: CLIENTS,
      operations: OPERATIONS,
      where: `round ${round}`,
      kills,
      disturb: () => disturb(round, random, kills),
      pause: async () => {},
    };
    await (round % 2 ? playSlug : playEvent)(game);
    progress(round + 1);
  }
}

/** Every third pair of rounds is disturbed. */
const isDisturbed = (round) => round % 6 > 3;

/** @type {import('./index.mjs').Scenario} */
export const linear = {
  name: 'linear',
  title: `${CLIENTS} clients use one event or one slug while the database is killed`,
  rounds: { short: 4, full: 100 },
  async run({ tally, randomFor, folder, rounds, progress }) {
    const dataset = writeDataset(folder, 'a', 3);
    const server = await startServer({ data: `${folder}/data`, args: ['--dataset', dataset, '--request-timeout', '20'] });
    const { send, close } = clientOf(tally);
    const disturb = async (round, random, kills) => {
      if (!isDisturbed(round)) return;
      const end = tally.fault();
      await new Promise((resolve) => setTimeout(resolve, random.between(5, 60)));
      const killed = server.enginePid();
      signal(killed, 'SIGKILL');
      kills.push(performance.now());
      if (!(await untilRecovered(server, killed))) tally.fail(`round ${round}: the server did not recover`);
      end();
    };
    try {
      await playRounds({ send, restOf: () => server.rest, tally, randomFor, rounds, disturb, progress });
      await server.stop();
    } finally {
      close();
      server.signal('SIGKILL');
    }
  },
};
