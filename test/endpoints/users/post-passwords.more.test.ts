import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { http } from '../../support/http.js';
import { RSVP_ATTENDEE, RSVP_TICKET, TC_ATTENDEE, TC_TICKET } from '../../../src/plugins/event-tickets/model/ticket.js';
import { startTestServer } from '../../support/server.js';

/*
 * Every method of every route of the index, and every page, with passwords of posts in each place that a request has for them: none shows
 * protected content without the password, and none tells a right password from a wrong one after too many wrong ones.
 */

const RIGHT = 'open sesame';
/** In all that is protected. */
const HIDDEN = 'kumquat';

/** Tickets of a post, of each kind, with somebody who has one. */
const TICKETS = {
  tickets: [
    {
      name: `${HIDDEN} ticket`,
      description: `A ${HIDDEN} in the ticket.`,
      price: 5,
      capacity: 9,
      sku: HIDDEN,
      attendees: [{ name: HIDDEN }],
    },
  ],
  rsvp: [{ name: `${HIDDEN} reply`, description: `A ${HIDDEN} in the reply.`, capacity: 9, attendees: [{ name: HIDDEN }] }],
};

/** What is protected of each type: words in every text field. */
const texts = (type: string, content = 'description'): object => ({
  slug: `locked-${type}`,
  password: RIGHT,
  [content]: `A ${HIDDEN} in the description. <!--more--> Another ${HIDDEN}.`,
  excerpt: `A ${HIDDEN} in the excerpt.`,
});
const PLACE = { state: `${HIDDEN} State`, country: 'United States', city: `${HIDDEN} City`, zip: `${HIDDEN} 1`, lat: 50.7374, lng: 7.0982 };
const DATASET = {
  venues: [
    {
      ...texts('venue'),
      name: 'Locked venue',
      address: `1 ${HIDDEN} Way`,
      phone: `${HIDDEN} 5`,
      website: `https://${HIDDEN}.test/`,
      ...PLACE,
    },
  ],
  organizers: [
    {
      ...texts('organizer'),
      name: 'Locked organizer',
      phone: `${HIDDEN} 6`,
      email: `${HIDDEN}@example.org`,
      website: `https://${HIDDEN}.test/o`,
    },
  ],
  events: [
    {
      ...texts('event'),
      title: 'Locked event',
      start: '2026-07-20 10:00',
      duration: '1h',
      cost: HIDDEN,
      website: `https://${HIDDEN}.test/e`,
      ...TICKETS,
    },
    {
      slug: 'open-event',
      title: 'Open event',
      start: '2026-07-21 10:00',
      duration: '1h',
      venue: 'locked-venue',
      organizers: ['locked-organizer'],
    },
  ],
  posts: [{ ...texts('post', 'content'), title: 'Locked post' }],
  pages: [{ ...texts('page', 'content'), title: 'Locked page', ...TICKETS }],
  comments: ['event', 'post', 'page'].map((type) => ({
    post: `locked-${type}`,
    content: `A ${HIDDEN} in the comment.`,
    author_name: 'Anna',
  })),
};

const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'understudy-passwords-')), 'locked.json');
writeFileSync(file, JSON.stringify(DATASET));
const LIMIT = 3;
const server = startTestServer({ dataset: file, profile: 'standard', signInAttempts: LIMIT, now: '2026-06-15T12:00:00Z' });

interface Sent {
  method: string;
  /** Path and query below the REST root. */
  at: string;
  headers?: Record<string, string>;
  body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const withQuery = (at: string, query: string): string => `${at}${at.includes('?') ? '&' : '?'}${query}`;
const encoded = (password: string): string => `password=${encodeURIComponent(password)}`;

/** The places of a request that a password can be in. */
const CARRIERS: Record<string, (at: string, password: string) => Sent> = {
  query: (at, password) => ({ method: 'GET', at: withQuery(at, encoded(password)) }),
  head: (at, password) => ({ method: 'HEAD', at: withQuery(at, encoded(password)) }),
  embedded: (at, password) => ({ method: 'GET', at: withQuery(at, `_embed=1&${encoded(password)}`) }),
  enveloped: (at, password) => ({ method: 'GET', at: withQuery(at, `_envelope=1&${encoded(password)}`) }),
  'query of _method': (at, password) => ({ method: 'POST', at: withQuery(at, `_method=GET&${encoded(password)}`) }),
  'query of the header': (at, password) => ({
    method: 'POST',
    at: withQuery(at, encoded(password)),
    headers: { 'x-http-method-override': 'GET' },
  }),
  'JSON of GET': (at, password) => ({ method: 'GET', at, headers: JSON_TYPE, body: JSON.stringify({ password }) }),
  'JSON of _method': (at, password) => ({
    method: 'POST',
    at: withQuery(at, '_method=GET'),
    headers: JSON_TYPE,
    body: JSON.stringify({ password }),
  }),
  'JSON of the header': (at, password) => ({
    method: 'POST',
    at,
    headers: { ...JSON_TYPE, 'x-http-method-override': 'GET' },
    body: JSON.stringify({ password }),
  }),
  'form of _method': (at, password) => ({ method: 'POST', at: withQuery(at, '_method=GET'), headers: FORM_TYPE, body: encoded(password) }),
  ...Object.fromEntries(
    ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `query of ${method}`,
      (at: string, password: string) => ({ method, at: withQuery(at, encoded(password)) }),
    ]),
  ),
  ...Object.fromEntries(
    ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `batch of ${method}`,
      (at: string, password: string) => ({
        method: 'POST',
        at: '/batch/v1',
        headers: JSON_TYPE,
        body: JSON.stringify({ requests: [{ method, path: withQuery(at, encoded(password)), body: { password } }] }),
      }),
    ]),
  ),
};

const ask = ({ method, at, headers, body }: Sent) => http(method, `${server().restUrl}${at}`, headers, body);

/** What a caller learns from a response: status, permissions, length, and the protected texts, but not the password itself. */
async function learned(sent: Sent): Promise<string> {
  const { status, headers, text } = await ask(sent);
  const shown = text.replaceAll(/open(?:\+|%20| )sesame|wrong(?:\+|%20| )\d+|in \d+ s|"Retry-After":\s*"?\d+"?/g, '');
  return `${status} ${headers.get('allow')} ${shown.split(HIDDEN).length - 1} ${shown.length}`;
}

const reset = async (): Promise<void> => expect((await http('POST', `${server().url}/__qa/reset`)).status).toBe(200);

const CAPTURE = /\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Addresses of all routes below the REST root. */
let paths: string[] = [];
beforeAll(async () => {
  const read = async (at: string): Promise<unknown> => JSON.parse((await http('GET', `${server().restUrl}${at}`)).text);
  const ids = new Map<string, number>();
  for (const [type, list] of Object.entries({
    event: 'tribe_events',
    venue: 'tribe_venue',
    organizer: 'tribe_organizer',
    post: 'posts',
    page: 'pages',
  }))
    ids.set(type, ((await read(`/wp/v2/${list}?slug=locked-${type}`)) as { id: number }[])[0].id);
  for (const type of [TC_TICKET, RSVP_TICKET, TC_ATTENDEE, RSVP_ATTENDEE])
    ids.set(type, (await server().site.store.posts.findOne({ type, forEvent: ids.get('event') }))?._id ?? 0);
  interface Described {
    endpoints: { args: Record<string, unknown> | unknown[] }[];
  }
  const { routes } = (await read('/')) as { routes: Record<string, Described> };
  const filled = Object.entries(routes).flatMap(([route, { endpoints }]) => {
    const takes = (name: string): boolean => endpoints.some(({ args }) => Object.hasOwn(args, name));
    const of = (name: string): string[] => (takes(name) ? [...ids.values()].map((id) => `${route}?${name}=${id}`) : []);
    if (!route.includes('(?P<')) return [[route], ...['post', 'event', 'post_id', 'ticket_id', 'include_post'].map(of)];
    const own = (type: string, id: number) => (_: string, name: string) =>
      name === 'slug' ? `locked-${type}` : String(name === 'id' && route.includes('/comments/') ? 1 : id);
    return [[...new Set([...ids].map(([type, id]) => route.replace(CAPTURE, own(type, id))))]];
  });
  // Of the addresses of a route, those that lead to something, but at least one.
  const leads = async (at: string): Promise<string[]> => ((await ask(CARRIERS['query'](at, RIGHT))).status === 404 ? [] : [at]);
  for (const addresses of filled) {
    const found = (await Promise.all(addresses.map(leads))).flat();
    paths.push(...(found.length > 0 ? found : addresses.slice(0, 1)));
  }
  paths = paths.filter((at) => at !== '/batch/v1');
}, 60_000);

test('no route shows protected texts without the password', async () => {
  const shown: string[] = [];
  for (const at of paths) if ((await ask({ method: 'GET', at: withQuery(at, '_embed=1') })).text.includes(HIDDEN)) shown.push(at);
  expect(shown).toEqual([]);
  expect(paths.length).toBeGreaterThan(170);
}, 120_000);

test('no search finds what is protected', async () => {
  const found: string[] = [];
  for (const at of paths.filter((each) => !each.includes('?'))) {
    const [some, none] = await Promise.all([HIDDEN, 'absent'].map((word) => http('GET', `${server().restUrl}${at}?search=${word}`)));
    const total = (response: typeof some): string | null =>
      response.headers.get('x-wp-total') ?? response.headers.get('x-tec-total') ?? response.headers.get('x-et-total');
    if (total(some) !== total(none)) found.push(at);
  }
  // WP: the total includes comments that the caller may not read.
  expect(found).toEqual(['/wp/v2/comments']);
}, 120_000);

test('no page and no feed shows protected texts without the password', async () => {
  const { url } = server();
  const pages = [
    '/',
    '/events/',
    '/events/month/',
    '/events/2026-07-20/',
    '/feed/',
    '/events/feed/',
    '/comments/feed/',
    '/sitemap.xml',
    '/2026/',
  ];
  const own = ['/event/locked-event/', '/event/open-event/', '/venue/locked-venue/', '/organizer/locked-organizer/', '/locked-page/'];
  const forms = [...pages, ...own].flatMap((at) => [at, `${at}?ical=1`, `${at}feed/`, `${at}embed/`, `${at}?s=${HIDDEN}`]);
  const shown: string[] = [];
  let found = 0;
  for (const at of forms) {
    const { status, text } = await http('GET', `${url}${at}`);
    if (status === 200) found += 1;
    // The words of a search are repeated in its heading and its form.
    if (!at.includes('?s=') && text.includes(HIDDEN)) shown.push(at);
    if (at.includes('?s=') && /in the (?:description|excerpt|comment)/.test(text)) shown.push(at);
  }
  expect(shown).toEqual([]);
  expect(found).toBeGreaterThan(30);
}, 60_000);

/** Whether a right password tells nothing after the wrong ones. Repeated, if more time has passed than the first wait: a second. */
async function isClosedAfterGuesses(guess: (i: number) => Promise<string>, tryRight: () => Promise<string>): Promise<boolean> {
  for (;;) {
    await reset();
    for (let i = 1; i < LIMIT; i += 1) await guess(i);
    const started = performance.now();
    await guess(LIMIT);
    const [wrong, right] = [await guess(LIMIT + 1), await tryRight()];
    if (performance.now() - started < 1000) return wrong === right;
  }
}

test('each route that tells a right password from a wrong one counts wrong ones, and then tells nothing', async () => {
  const open: string[] = [];
  const telling: string[] = [];
  for (const at of paths) {
    await reset();
    for (const [name, carry] of Object.entries(CARRIERS)) {
      const guess = (i: number): Promise<string> => learned(carry(at, `wrong ${i}`));
      const wrong = await guess(0);
      if (wrong === (await learned(carry(at, RIGHT)))) continue;
      telling.push(`${name} ${at}`);
      if (!(await isClosedAfterGuesses(guess, () => learned(carry(at, RIGHT))))) open.push(`${name} ${at}`);
      await reset();
    }
  }
  expect(open).toEqual([]);
  // Each namespace has some, each type has some, and each carrier but forms, which are not read for GET.
  for (const part of [
    '/calendar/events/v1/',
    '/tribe/events/v1/',
    '/tec/v1/',
    '/wp/v2/comments',
    '/wp/v2/pages',
    'by-slug',
    'venues',
    'organizers',
  ])
    expect([part, telling.some((each) => each.includes(part))]).toEqual([part, true]);
  for (const name of Object.keys(CARRIERS).filter((each) => !each.startsWith('form')))
    expect([name, telling.some((each) => each.startsWith(`${name} `))]).toEqual([name, true]);
  expect(telling.length).toBeGreaterThan(100);
}, 600_000);
