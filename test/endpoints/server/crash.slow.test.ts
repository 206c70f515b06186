import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startServe } from '../../support/cli.js';
import { PEOPLE, ask } from '../../support/people.js';

const WRITES = 200;
const AT_ONCE = 16;

type Json = Record<string, unknown>;
type Running = Awaited<ReturnType<typeof startServe>>;

const start = (folder: string): Promise<Running> =>
  startServe(['--data', folder, '--port', '0', '--dataset', PEOPLE, '--log-level', 'warn']);

/** PID of the database process of a data folder. */
function enginePid(folder: string): number {
  const db = path.join(folder, 'db');
  const note = readdirSync(db).find((name) => name.endsWith('-owner.json')) ?? '';
  return (JSON.parse(readFileSync(path.join(db, note), 'utf8')) as { database: number }).database;
}

const two = (n: number): string => String(n).padStart(2, '0');
const clock = (n: number, hour: number): string => `2026-07-${two(1 + (n % 28))} ${two(hour)}:${two(n % 60)}:00`;

/** Fields of the n-th write. Every field contains the number, which reveals a mixture of two writes. */
const fieldsOf = (n: number): Json => ({
  title: `Event ${n}`,
  description: `About ${n}`,
  excerpt: `Short ${n}`,
  start_date: clock(n, 10),
  end_date: clock(n, 12),
  categories: [`Category ${n % 7}`],
  venue: { venue: `Venue ${n % 6}` },
  organizer: [{ organizer: `Organizer ${n % 4}` }],
});

const numberOf = (event: Json): number => Number(String(event.title).replace('Event ', ''));

/** The complete event after the write with its number, including the columns that lists compare. */
const wholeEvent = (n: number): Json => ({
  title: `Event ${n}`,
  description: `<p>About ${n}</p>`,
  excerpt: `<p>Short ${n}</p>`,
  start_date: clock(n, 10),
  end_date: clock(n, 12),
  utc_start_date: clock(n, 14),
  utc_end_date: clock(n, 16),
  categories: [expect.objectContaining({ name: `Category ${n % 7}` })],
  venue: expect.objectContaining({ venue: `Venue ${n % 6}` }),
  organizer: [expect.objectContaining({ organizer: `Organizer ${n % 4}` })],
});

/** The expected state of the events, from acknowledged writes and from writes without a response. */
class Ledger {
  /** Number of the last acknowledged write of each event. */
  readonly answered = new Map<number, number>();
  readonly trashed = new Set<number>();
  /** Pending writes, and the event of each. Undefined for a creation. */
  readonly open = new Map<number, number | undefined>();
  count = 0;

  may(id: number, n: number): boolean {
    return this.answered.get(id) === n || (this.open.has(n) && [id, undefined].includes(this.open.get(n)));
  }

  mayBeTrashed(id: number): boolean {
    return this.trashed.has(id) || [...this.open.values()].includes(id);
  }
}

/** Sends writes until the server ends: creations, updates and deletions of the worker's own events. */
async function work(events: string, ledger: Ledger, next: () => number): Promise<void> {
  const own: number[] = [];
  for (let n = next(); n < WRITES; n = next()) {
    const id = n % 10 > 5 ? own.at(-1) : undefined;
    const isDelete = id !== undefined && n % 10 === 9;
    ledger.open.set(n, id);
    const address = id === undefined ? events : `${events}/${id}`;
    const answer = await ask('editor', isDelete ? 'DELETE' : 'POST', address, isDelete ? undefined : fieldsOf(n)).catch(() => null);
    if (!answer) return;
    expect([n, answer.status]).toEqual([n, id === undefined ? 201 : 200]);
    ledger.open.delete(n);
    ledger.count += 1;
    const made = answer.body.id as number;
    if (isDelete) ledger.trashed.add(own.pop() ?? 0);
    else ledger.answered.set(made, n);
    if (id === undefined) own.push(made);
  }
}

async function readAll(rest: string, collection: string, query: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await ask('administrator', 'GET', `${rest}/${collection}?per_page=50&page=${page}&${query}`);
    expect([collection, status]).toEqual([collection, 200]);
    items.push(...(body[collection] as Json[]));
    if (page >= (body.total_pages as number)) return items;
  }
}

const restOf = ({ url }: Running): string => `${url}/wp-json/tribe/events/v1`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-crash-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const kill = (pid: number): boolean => process.kill(pid, 'SIGKILL');

test.each<[string, (server: number, engine: number) => void, after: number]>([
  ['the server first', (server, engine) => [server, engine].forEach(kill), 70],
  ['the database first', (server, engine) => [engine, server].forEach(kill), 130],
])(
  'server and database killed during 200 writes, %s',
  async (_, killBoth, after) => {
    const killed = await start(folder);
    const database = enginePid(folder);
    const ledger = new Ledger();
    let last = -1;
    const workers = Array.from({ length: AT_ONCE }, () => work(`${restOf(killed)}/events`, ledger, () => (last += 1)));
    while (ledger.count < after) await new Promise((resolve) => setTimeout(resolve, 2));
    killBoth(killed.pid, database);
    await Promise.all([...workers, killed.ended]);
    expect(ledger.count).toBeGreaterThanOrEqual(after);
    expect(ledger.count).toBeLessThan(WRITES);
    expect(ledger.open.size).toBeGreaterThan(0);

    const restarted = await start(folder);
    const rest = restOf(restarted);
    try {
      const events = await readAll(rest, 'events', 'status=publish,trash');
      const byId = new Map(events.map((event) => [event.id as number, event]));

      const lost = [...ledger.answered.keys()].filter((id) => !byId.has(id));
      expect(lost).toEqual([]);
      const older = events.filter((event) => !ledger.may(event.id as number, numberOf(event))).map(({ id, title }) => ({ id, title }));
      expect(older).toEqual([]);
      for (const event of events) expect(event).toEqual(expect.objectContaining(wholeEvent(numberOf(event))));

      const trash = events.filter(({ status }) => status === 'trash').map(({ id }) => id as number);
      expect(trash).toEqual(expect.arrayContaining([...ledger.trashed]));
      expect(trash.filter((id) => !ledger.mayBeTrashed(id))).toEqual([]);
      expect(new Set(events.map(({ slug }) => slug)).size).toBe(events.length);

      const published = events.filter(({ status }) => status === 'publish');
      const has = (name: unknown) => (event: Json) => (event.categories as Json[]).some((category) => category.name === name);
      const categories = await readAll(rest, 'categories', 'hide_empty=false');
      expect(categories.map(({ name, count }) => [name, count])).toEqual(
        categories.map(({ name }) => [name, published.filter(has(name)).length]),
      );
      expect(categories.map(({ name }) => name)).toEqual(Array.from({ length: 7 }, (__, i) => `Category ${i}`));

      const one = await ask('editor', 'POST', `${rest}/events`, fieldsOf(0));
      expect(one.status).toBe(201);
      expect(byId.has(one.body.id as number)).toBe(false);
    } finally {
      await restarted.stop('SIGTERM');
    }

    const third = await start(folder);
    expect((await third.stop('SIGTERM')).stderr).toBe('');
  },
  60_000,
);

/** The titles of all events with any status. */
const titlesOf = async (server: Running): Promise<unknown[]> =>
  (await readAll(restOf(server), 'events', 'status=publish,trash,draft')).map(({ title }) => title).sort();

test('server and database killed during a reset: it is done or not begun, and done if it was acknowledged', async () => {
  const seen = new Set<string>();
  let running = await start(folder);
  const pristine = await titlesOf(running);
  for (const delay of [0, 1, 2, 4, 8, 'acknowledged'] as const) {
    const events = `${restOf(running)}/events`;
    for (let n = 0; n < 12; n += 1) expect((await ask('editor', 'POST', events, fieldsOf(n))).status).toBe(201);
    const written = await titlesOf(running);
    const killed = running;
    const database = enginePid(folder);
    let isAcknowledged = false;
    const reset = fetch(`${killed.url}/__qa/reset`, { method: 'POST' })
      .then(({ ok }) => (isAcknowledged = ok))
      .catch(() => false);
    await (delay === 'acknowledged' ? reset : new Promise((resolve) => setTimeout(resolve, delay)));
    const wasAcknowledged = isAcknowledged;
    [database, killed.pid].forEach(kill);
    await Promise.all([reset, killed.ended]);

    running = await start(folder);
    const found = await titlesOf(running);
    expect([pristine, written]).toContainEqual(found);
    if (wasAcknowledged) expect(found).toEqual(pristine);
    seen.add(found.length === pristine.length ? 'done' : 'not begun');
    await fetch(`${running.url}/__qa/reset`, { method: 'POST' });
  }
  await running.stop('SIGTERM');
  expect([...seen].sort()).toEqual(['done', 'not begun']);
}, 120_000);
