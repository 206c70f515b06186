import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { startTestServer } from '../../support/server.js';
import { freePort } from '../../support/port.js';
import { EFFORT } from '../../support/effort.js';

/*
 * No response is stale: after any sequence of steps, a server with all caches returns the same bytes as one without caches. So do two
 * servers that share a database, each with its own caches, for writes through either of them.
 */

const NOW = '2026-06-15T12:00:00Z';
const OPTIONS = { dataset: WORLD, url: 'http://calendar.test', now: NOW };
const PORTS = [await freePort(), await freePort(), await freePort(), await freePort()];
const [CACHED, PLAIN, ONE, OTHER] = PORTS as [number, number, number, number];
/** The servers that share a database. */
const PAIR = [ONE, OTHER];
const SHARED = { isShared: true, database: testDatabase() };
startTestServer({ ...OPTIONS, port: CACHED });
startTestServer({ ...OPTIONS, port: PLAIN, cacheMemory: 0 });
for (const port of PAIR) startTestServer({ ...OPTIONS, port }, SHARED);

/** Content for a seed: every second event of the recorded site. */
const HALF = (() => {
  const world = JSON.parse(readFileSync(WORLD, 'utf8')) as { events: object[] };
  return { ...world, events: world.events.filter((_, n) => n % 2 === 0) };
})();

const API = '/wp-json/tribe/events/v1';
const CORE = '/wp-json/wp/v2';

interface Call {
  method: string;
  path: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/** Nonces in pages: each database signs with a key of its own. */
const NONCES = /("tvn[12]":")[0-9a-f]+/g;

function send(port: number, { method, path, body, headers = {} }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, agent: false, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _date, connection: _connection, 'content-length': _length, ...shown } = response.headers;
        const content = Buffer.concat(chunks).toString('latin1').replace(NONCES, '$1');
        resolve(JSON.stringify({ status: response.statusCode, shown, text: content }));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

const id = fc.nat(130);
const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-0${1 + (date % 9)}-${String(date).padStart(2, '0')}`);

const listQuery = fc
  .record(
    {
      page: fc.integer({ min: 1, max: 3 }).map(String),
      per_page: fc.constantFrom('2', '5', '50'),
      start_date: day,
      end_date: day,
      starts_after: day,
      ends_before: day,
      categories: fc.constantFrom('2', '3', '4', '2,6', 'rock'),
      tags: fc.constantFrom('12', '13'),
      venue: fc.constantFrom('10', '13', '10,13'),
      organizer: fc.constantFrom('22', '30'),
      featured: fc.constantFrom('true', 'false'),
      search: fc.constantFrom('jazz', 'market', 'changed'),
      include: fc.constantFrom('35,36,37'),
      strict_dates: fc.constant('true'),
      status: fc.constantFrom('publish', 'draft'),
      _fields: fc.constantFrom('id,title', 'events', 'total'),
    },
    { requiredKeys: [] },
  )
  .map((query) => new URLSearchParams(Object.entries(query).slice(0, 4)).toString());

const path = fc.oneof(
  { weight: 6, arbitrary: listQuery.map((query) => `${API}/events?${query}`) },
  { weight: 3, arbitrary: fc.constant(`${API}/events`) },
  { weight: 4, arbitrary: id.map((each) => `${API}/events/${each}`) },
  { weight: 2, arbitrary: fc.constantFrom('venues', 'organizers', 'categories', 'tags').map((kind) => `${API}/${kind}`) },
  { weight: 2, arbitrary: id.map((each) => `${API}/venues/${each}`) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('venues?only_with_upcoming=true', 'organizers?has_events=true', 'venues?search=hall')
      .map((rest) => `${API}/${rest}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('tribe_events', 'tribe_venue', 'posts', 'tags', 'tribe_events?orderby=title')
      .map((base) => `${CORE}/${base}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('/', '/events/', '/events/feed/', '/?ical=1', '/wp-sitemap.xml', '/wp-json/', `${API}/doc`) },
);

const CALLERS: Record<string, string>[] = [{}, {}, {}, { authorization: signIn('admin') }, { authorization: signIn('author') }];

const read: fc.Arbitrary<Call> = fc
  .tuple(
    path,
    fc.constantFrom(...CALLERS),
    fc.constantFrom<Record<string, string>>({}, {}, {}, { 'accept-language': 'de' }, { 'x-understudy-now': '2026-01-05T10:00:00Z' }),
  )
  .map(([at, caller, others]) => ({ method: 'GET', path: at, headers: { ...caller, ...others } }));

const EVENT = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' };
const change = fc.constantFrom<object>(
  { title: 'A changed title' },
  { venue: 13, categories: [4] },
  { start_date: '2026-06-20 10:00:00', end_date: '2026-06-21 12:00:00' },
  { status: 'draft' },
  { status: 'publish', cost: '7', featured: true },
  { description: 'Changed [gallery ids="40,41"]', tags: ['new tag'] },
  { hide_from_listings: true },
);
const asAdmin = (method: string, at: string, body?: object): Call => ({
  method,
  path: at,
  body,
  headers: { authorization: signIn('admin') },
});

const write: fc.Arbitrary<Call> = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((n) => asAdmin('POST', `${API}/events`, { ...EVENT, title: `Event ${n}`, venue: 10, organizer: 22 })),
  fc.constant(asAdmin('POST', `${API}/events`, { ...EVENT, title: 'Later', status: 'future', date: '2026-06-16 12:00:00' })),
  fc.tuple(id, change).map(([each, body]) => asAdmin('POST', `${API}/events/${each}`, body)),
  id.map((each) => asAdmin('DELETE', `${API}/events/${each}`)),
  fc
    .tuple(fc.constantFrom(10, 13, 18), fc.nat(9))
    .map(([each, n]) => asAdmin('POST', `${API}/venues/${each}`, { venue: `Hall ${n}`, city: 'Changed' })),
  fc
    .constantFrom('<!-- wp:latest-posts /-->', 'Changed [gallery ids="40,41"]')
    .map((description) => asAdmin('POST', `${API}/venues/10`, { description })),
  fc.nat(9).map((n) => asAdmin('POST', `${CORE}/posts`, { title: `Post ${n}`, status: 'publish' })),
  fc.tuple(fc.constantFrom(2, 3, 4), fc.nat(9)).map(([each, n]) => asAdmin('PUT', `${API}/categories/${each}`, { name: `Category ${n}` })),
  fc.constantFrom(2, 12).map((each) => asAdmin('DELETE', `${CORE}/${each === 2 ? 'tribe_events_cat' : 'tags'}/${each}?force=true`)),
  fc.constantFrom('Europe/Berlin', 'UTC', 'America/New_York').map((timezone) => asAdmin('POST', `${CORE}/settings`, { timezone })),
  fc.constantFrom('', 'de_DE').map((language) => asAdmin('POST', `${CORE}/settings`, { language })),
  fc.constantFrom('Town Calendar', 'Renamed').map((title) => asAdmin('POST', `${CORE}/settings`, { title })),
  fc.nat(4).map((n) => asAdmin('POST', `${CORE}/tribe_events_cat`, { name: `New category ${n}` })),
  fc.tuple(fc.integer({ min: 2, max: 5 }), fc.nat(4)).map(([each, n]) => asAdmin('POST', `${CORE}/users/${each}`, { name: `User ${n}` })),
  // Change the author's capabilities, and revoke the author's password.
  fc.constantFrom('author', 'subscriber').map((role) => asAdmin('POST', `${CORE}/users/3`, { roles: [role] })),
  fc.constant(asAdmin('DELETE', `${CORE}/users/3/application-passwords`)),
);

const control: fc.Arbitrary<Call> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ method: 'POST', path: '/__qa/reset' }) },
  { weight: 1, arbitrary: fc.constant({ method: 'POST', path: '/__qa/seed', body: HALF }) },
  fc
    .constantFrom('2026-06-15T12:00:00Z', '2026-06-16T13:00:00Z', '2026-01-02T00:00:00Z', '2027-01-01T00:00:00Z')
    .map((now) => ({ method: 'PUT', path: '/__qa/clock', body: { now } })),
  fc.constantFrom('a', 'b').map((name) => ({ method: 'PUT', path: `/__qa/snapshots/${name}` })),
  fc.constantFrom('a', 'b').map((name) => ({ method: 'POST', path: `/__qa/snapshots/${name}/restore` })),
);

/** The target of a step: the main site, or a sandbox. */
const place = fc.constantFrom('', '', '', 'one', 'two');

interface Step {
  calls: Call[];
  isCompared: boolean;
  /** Name of the sandbox. Empty for the main site. */
  sandbox: string;
  /** The server of the pair that receives the writes. */
  via: number;
}

/** A step in the main site. */
const plainStep = (calls: Call[], isCompared: boolean, via = ONE): Step => ({ calls, isCompared, sandbox: '', via });

const within = (calls: fc.Arbitrary<Call[]>, isCompared: boolean): fc.Arbitrary<Step> =>
  fc.record({ calls, isCompared: fc.constant(isCompared), sandbox: place, via: fc.constantFrom(...PAIR) });

const step: fc.Arbitrary<Step> = fc.oneof(
  // Several reads at once. The second time, they come from the caches.
  { weight: 8, arbitrary: within(fc.array(read, { minLength: 1, maxLength: 4 }), true) },
  {
    weight: 4,
    arbitrary: within(
      write.map((each) => [each]),
      true,
    ),
  },
  {
    weight: 3,
    arbitrary: within(
      control.map((each) => [each]),
      false,
    ),
  },
  // Reads during a write: their own responses depend on timing, but later ones do not.
  {
    weight: 2,
    arbitrary: within(
      fc.tuple(write, fc.array(read, { minLength: 2, maxLength: 5 })).map(([each, reads]) => [...reads, each, ...reads]),
      false,
    ),
  },
);

const all = (port: number, calls: readonly Call[]): Promise<string[]> => Promise.all(calls.map((call) => send(port, call)));

const isRead = ({ method }: Call): boolean => method === 'GET';
const isClock = ({ path: at }: Call): boolean => at.startsWith('/__qa/clock');
const isControl = ({ path: at }: Call): boolean => at.startsWith('/__qa/');

/**
 * Requests to a server of the pair: reads, the writes that it receives, and everything local to the server, such as its clock and
 * sandboxes.
 */
const callsFor = (port: number, { calls, sandbox, via }: Step): Call[] =>
  calls.filter((call) => port === via || !PAIR.includes(port) || sandbox !== '' || isRead(call) || isClock(call));

/** Clocks are local to a server. After a reset, seed or restore, this sets the clocks of the pair, which publishes due posts. */
async function shareClock({ calls }: Step): Promise<void> {
  if (!calls.some(isControl)) return;
  const clock = JSON.parse(await send(PLAIN, { method: 'GET', path: '/__qa/clock' })) as { text: string };
  for (const port of PAIR) await send(port, { method: 'PUT', path: '/__qa/clock', body: JSON.parse(clock.text) as object });
}

async function take(taken: Step): Promise<void> {
  const { sandbox, isCompared } = taken;
  const headers: Record<string, string> = sandbox === '' ? {} : { 'x-understudy-sandbox': sandbox };
  const calls = taken.calls.map((call) => ({ ...call, headers: { ...call.headers, ...headers } }));
  const placed = { ...taken, calls };
  const answers = await Promise.all(PORTS.map((port) => all(port, callsFor(port, placed))));
  if (sandbox === '') await shareClock(placed);
  if (!isCompared) return;
  const expected = answers[PORTS.indexOf(PLAIN)] ?? [];
  for (const [i, port] of PORTS.entries()) sameAnswers({ calls, port }, answers[i], expected);
  if (!calls.every(isRead)) return;
  for (const port of PORTS) if (port !== PLAIN) sameAnswers({ calls, port }, await all(port, calls), expected);
}

const NAMES = new Map([
  [CACHED, 'with caches'],
  [ONE, 'one of a pair'],
  [OTHER, 'the other of a pair'],
]);

/** Compares responses byte by byte, and shows the first difference. */
function sameAnswers(
  { calls, port }: { calls: readonly Call[]; port: number },
  answers: readonly string[],
  expected: readonly string[],
): void {
  for (const [i, answer] of answers.entries()) {
    const wanted = expected[i] ?? '';
    if (answer === wanted) continue;
    let at = 0;
    while (answer[at] === wanted[at]) at += 1;
    const shown = (text: string): string => text.slice(Math.max(0, at - 100), at + 100);
    throw new Error(`${JSON.stringify(calls[i])}\n  ${NAMES.get(port)}: ${shown(answer)}\n  without caches: ${shown(wanted)}`);
  }
}

const SETTERS = [CACHED, PLAIN, ONE];
let isSeeded = false;

/** Restores the recorded content of all sites. */
async function reset(): Promise<void> {
  const world = { method: 'POST', path: '/__qa/seed', body: JSON.parse(readFileSync(WORLD, 'utf8')) as object };
  const call = isSeeded ? world : { method: 'POST', path: '/__qa/reset' };
  isSeeded = false;
  for (const port of SETTERS) expect(JSON.parse(await send(port, call))).toMatchObject({ status: 200 });
  const done = plainStep([call], false);
  await shareClock({ ...done, calls: [{ method: 'PUT', path: '/__qa/clock' }] });
}

test('what is shown of a venue in events changes with the posts that its text shows', async () => {
  const changeOf = (at: string, body: object): Step => plainStep([asAdmin('POST', at, body)], false, OTHER);
  const list = plainStep([{ method: 'GET', path: `${API}/events?venue=10` }], true);
  await reset();
  await take(changeOf(`${API}/venues/10`, { description: '<!-- wp:latest-posts /-->' }));
  await take(list);
  await take(changeOf(`${CORE}/posts`, { title: 'The newest post', status: 'publish' }));
  await take(list);
  expect((await send(CACHED, list.calls[0])).includes('The newest post')).toBe(true);
});

test('a part of an event that was not asked for yet is made from what was not loaded', async () => {
  const event = (title: string, organizer: number[]): object => ({
    title,
    organizer,
    start_date: '2026-07-01 10:00',
    end_date: '2026-07-01 11:00',
  });
  await reset();
  const create = (title: string, organizer: number[]): Call => asAdmin('POST', `${API}/events`, event(title, organizer));
  await take(plainStep([create('First one, then the other', [22, 23])], false));
  await take(plainStep([create('The other way round', [23, 22])], false));
  const single = (slug: string): Step => plainStep([{ method: 'GET', path: `${API}/events/by-slug/${slug}` }], true);
  // Only the first organizer is in the JSON-LD.
  await take(single('first-one-then-the-other'));
  await take(single('the-other-way-round'));
  const [shown] = await all(CACHED, single('the-other-way-round').calls);
  expect(shown).toMatch(/organizer\\":\{\\"@type\\":\\"Person/);
});

test.each([
  ['nobody', {}, '&password=cellar'],
  ['an author', { authorization: signIn('author') }, ''],
  ['an administrator', { authorization: signIn('admin') }, '&context=edit'],
])(
  'to %s, single events, venues and organizers look the same, whether lists have shown them or not',
  async (_, headers, tried) => {
    const statuses = 'authorization' in headers ? '&status=publish,draft,pending,private,future' : '';
    for (const query of EFFORT > 1 ? ['', '&context=edit', '&password=cellar'] : [tried]) {
      const get = (at: string): Call => ({ method: 'GET', path: `${API}/${at}${query}`, headers });
      await reset();
      await take(
        plainStep(
          ['events', 'venues', 'organizers'].map((kind) => get(`${kind}?per_page=50&start_date=2000-01-01${statuses}`)),
          true,
        ),
      );
      const pages = [2, 3].map((page) => get(`events?per_page=50&start_date=2000-01-01${statuses}&page=${page}`));
      for (const page of pages) await Promise.all([CACHED, ...PAIR].map((port) => send(port, page)));
      const world = JSON.parse(readFileSync(WORLD, 'utf8')) as Record<'events' | 'venues' | 'organizers', { id: number }[]>;
      for (const kind of ['events', 'venues', 'organizers'] as const)
        await take(
          plainStep(
            world[kind].map((each) => get(`${kind}/${each.id}?_=1`)),
            true,
          ),
        );
    }
  },
  60_000,
);

/** Number of steps in total, and average number in a sequence. */
const STEPS = EFFORT > 1 ? 250 * EFFORT : 40 * EFFORT;
const SEQUENCE = 22;

test('a server with caches, and two that share a database, respond like one without caches', async () => {
  const sandboxes = ['one', 'two'].map((name) => `/__qa/sandboxes/${name}`);
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), fc.boolean(), async (steps, hasSandboxes) => {
      await reset();
      for (const at of hasSandboxes ? sandboxes : [])
        for (const method of ['DELETE', 'PUT']) for (const port of PORTS) await send(port, { method, path: at });
      for (const port of SETTERS) await send(port, { method: 'PUT', path: '/__qa/snapshots/a' });
      for (const each of steps) {
        // Sandboxes do not follow another server's change of the reset state, so with sandboxes, seeds do not change it.
        const calls = each.calls.map((call) =>
          call.path === '/__qa/seed' ? { ...call, path: `${call.path}?pristine=${!hasSandboxes}` } : call,
        );
        isSeeded ||= calls.some((call) => call.path === '/__qa/seed?pristine=true');
        await take({ ...each, calls, sandbox: hasSandboxes ? each.sandbox : '' });
        taken += 1;
      }
    }),
    { numRuns: Math.ceil(STEPS / SEQUENCE), endOnFailure: true },
  );
  if (EFFORT > 1) console.info(`${taken} steps`);
}, 3_600_000);

test('settings written through one server of a pair hold for the other', async () => {
  await reset();
  await send(ONE, asAdmin('POST', `${CORE}/settings`, { timezone: 'Asia/Tokyo', title: 'Renamed' }));
  const [one, other] = await Promise.all(PAIR.map((port) => send(port, { method: 'GET', path: '/wp-json/' })));
  expect(other).toBe(one);
});
