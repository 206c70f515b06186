import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { signIn, WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/*
 * Nothing stale can be read: whatever is done in whatever order, a server with all caches answers as one does that has none, to the byte.
 */

/** The URL of both sites is the same and does not tell the port. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

const NOW = '2026-06-15T12:00:00Z';
const OPTIONS = { dataset: WORLD, url: 'http://calendar.test', now: NOW };
const PORTS = [await freePort(), await freePort()];
startTestServer({ ...OPTIONS, port: PORTS[0]! });
startTestServer({ ...OPTIONS, port: PORTS[1]! }, { isShared: true });

const API = '/wp-json/tribe/events/v1';
const CORE = '/wp-json/wp/v2';

interface Call {
  method: string;
  path: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/** Email addresses are disguised at random: some of their characters are references. */
const undisguised = (text: string): string => text.replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)));

function send(port: number, { method, path, body, headers = {} }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, agent: false, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _date, connection: _connection, 'content-length': _length, ...shown } = response.headers;
        resolve(JSON.stringify({ status: response.statusCode, shown, text: undisguised(Buffer.concat(chunks).toString('latin1')) }));
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
);

const control: fc.Arbitrary<Call> = fc.oneof(
  fc.constant({ method: 'POST', path: '/__qa/reset' }),
  fc
    .constantFrom('2026-06-15T12:00:00Z', '2026-06-16T13:00:00Z', '2026-01-02T00:00:00Z', '2027-01-01T00:00:00Z')
    .map((now) => ({ method: 'PUT', path: '/__qa/clock', body: { now } })),
  fc.constantFrom('a', 'b').map((name) => ({ method: 'PUT', path: `/__qa/snapshots/${name}` })),
  fc.constantFrom('a', 'b').map((name) => ({ method: 'POST', path: `/__qa/snapshots/${name}/restore` })),
);

/** Where a step takes place: in the site itself, or in a sandbox. */
const place = fc.constantFrom<Record<string, string>>({}, {}, {}, { 'x-understudy-sandbox': 'one' }, { 'x-understudy-sandbox': 'two' });

type Step = { calls: Call[]; isCompared: boolean };

const within = (calls: fc.Arbitrary<Call[]>, isCompared: boolean): fc.Arbitrary<Step> =>
  fc
    .tuple(calls, place)
    .map(([each, where]) => ({ calls: each.map((call) => ({ ...call, headers: { ...call.headers, ...where } })), isCompared }));

const step: fc.Arbitrary<Step> = fc.oneof(
  // Several at once; the second time from the caches.
  { weight: 8, arbitrary: within(fc.array(read, { minLength: 1, maxLength: 4 }), true) },
  {
    weight: 4,
    arbitrary: within(
      write.map((each) => [each]),
      false,
    ),
  },
  {
    weight: 3,
    arbitrary: within(
      control.map((each) => [each]),
      false,
    ),
  },
  // Reads during a write: what they answer depends on chance, what is read later must not.
  {
    weight: 2,
    arbitrary: within(
      fc.tuple(write, fc.array(read, { minLength: 2, maxLength: 5 })).map(([each, reads]) => [...reads, each, ...reads]),
      false,
    ),
  },
);

const all = (port: number, calls: readonly Call[]): Promise<string[]> => Promise.all(calls.map((call) => send(port, call)));

const [CACHED, PLAIN] = PORTS as [number, number];

async function take({ calls, isCompared }: Step): Promise<void> {
  const [answers, expected] = await Promise.all([all(CACHED, calls), all(PLAIN, calls)]);
  if (!isCompared) return;
  sameAnswers(calls, answers, expected);
  sameAnswers(calls, await all(CACHED, calls), expected);
}

/** Compares answers to the byte; shows where the first that differs begins to. */
function sameAnswers(calls: readonly Call[], answers: readonly string[], expected: readonly string[]): void {
  for (const [i, answer] of answers.entries()) {
    const wanted = expected[i] ?? '';
    if (answer === wanted) continue;
    let at = 0;
    while (answer[at] === wanted[at]) at += 1;
    const shown = (text: string): string => text.slice(Math.max(0, at - 100), at + 100);
    throw new Error(`${JSON.stringify(calls[i])}\n  cached: ${shown(answer)}\nwithout: ${shown(wanted)}`);
  }
}

test('what is shown of a venue in events changes with the posts that its text shows', async () => {
  const change = (path: string, body: object): Step => ({ calls: [asAdmin('POST', path, body)], isCompared: false });
  const list: Step = { calls: [{ method: 'GET', path: `${API}/events?venue=10` }], isCompared: true };
  for (const port of PORTS) await send(port, { method: 'POST', path: '/__qa/reset' });
  await take(change(`${API}/venues/10`, { description: '<!-- wp:latest-posts /-->' }));
  await take(list);
  await take(change(`${CORE}/posts`, { title: 'The newest post', status: 'publish' }));
  await take(list);
  expect((await send(CACHED, list.calls[0]!)).includes('The newest post')).toBe(true);
});

test('a part of an event that was not asked for yet is made from what was not loaded', async () => {
  const event = (title: string, organizer: number[]): object => ({
    title,
    organizer,
    start_date: '2026-07-01 10:00',
    end_date: '2026-07-01 11:00',
  });
  for (const port of PORTS) await send(port, { method: 'POST', path: '/__qa/reset' });
  const create = (title: string, organizer: number[]): Call => asAdmin('POST', `${API}/events`, event(title, organizer));
  await take({ calls: [create('First one, then the other', [22, 23])], isCompared: false });
  await take({ calls: [create('The other way round', [23, 22])], isCompared: false });
  const single = (slug: string): Step => ({ calls: [{ method: 'GET', path: `${API}/events/by-slug/${slug}` }], isCompared: true });
  // Only the first organizer is in the JSON-LD.
  await take(single('first-one-then-the-other'));
  await take(single('the-other-way-round'));
  const [shown] = await all(CACHED, single('the-other-way-round').calls);
  expect(shown).toMatch(/organizer\\":\{\\"@type\\":\\"Person/);
});

test('a server with caches answers like one without', async () => {
  const setUp: Call[] = [
    { method: 'POST', path: '/__qa/reset' },
    { method: 'DELETE', path: '/__qa/sandboxes/one' },
    { method: 'DELETE', path: '/__qa/sandboxes/two' },
    { method: 'PUT', path: '/__qa/sandboxes/one' },
    { method: 'PUT', path: '/__qa/sandboxes/two' },
    { method: 'PUT', path: '/__qa/snapshots/a' },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      for (const call of setUp) for (const port of PORTS) await send(port, call);
      for (const each of steps) await take(each);
    }),
    { numRuns: Math.ceil(2 * Number(process.env['UNDERSTUDY_TEST_EFFORT'] ?? 1)), endOnFailure: true },
  );
}, 3_600_000);
