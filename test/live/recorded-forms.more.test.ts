import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serverWith } from '../../src/cli/commands/copy.js';
import { inputFile, openFiles } from '../../src/transfer/formats/open.js';
import { checkResponses } from '../../src/transfer/live/check/responses.js';
import { startTestServer } from '../support/server.js';
import { ACKNOWLEDGED } from '../support/tickets.js';
import { CONTAINERS, ORIGIN, type Recorded } from '../unit/transfer/recordings/recordings.js';

const NOW = '2026-06-15T12:00:00Z';
const server = startTestServer({ now: NOW, qa: true, plugins: ['event-tickets'] });
const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-forms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SITE = {
  site: { name: 'Harbor', timezone: 'Europe/Berlin', plugins: ['event-tickets'] },
  users: [{ login: 'ann', role: 'editor', name: 'Ann Lee' }],
  venues: [
    { name: 'Boat house', address: 'Quay 1', city: 'Kiel', country: 'Germany', zip: '24103' },
    { name: 'Mill', city: 'Ulm' },
  ],
  organizers: [{ name: 'Rowing club', email: 'club@example.org', phone: '+49 431 1' }],
  categories: [{ slug: 'sport', name: 'Sport & play' }],
  tags: [{ slug: 'free', name: 'Free' }],
  events: [
    {
      title: 'Regatta & fair',
      start: '2026-07-01 10:00',
      duration: '3h',
      venue: 'Boat house',
      organizers: ['Rowing club'],
      categories: ['sport'],
    },
    { title: 'Open day', start: '2026-07-02', all_day: true, tags: ['free'], description: '<p>Come in.</p>', author: 'ann' },
    {
      title: 'Concert',
      start: '2026-08-01 20:00',
      duration: '2h',
      venue: 'Mill',
      cost: '12',
      tickets: [
        { name: 'Standard', price: 25.5, capacity: 80 },
        { name: 'Balcony', price: 40 },
      ],
    },
    { title: 'Meeting', start: '2026-08-03 18:00', duration: '1h', rsvp: [{ name: 'Seat', capacity: 12 }] },
  ],
  posts: [{ title: 'News', content: 'Text', tags: ['free'], author: 'ann' }],
  pages: [{ title: 'About', content: 'Us' }],
};

/** The requests of a client of each namespace. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  'tribe/events/v1': [
    'events?start_date=2026-01-01&per_page=3',
    'events?start_date=2026-01-01&per_page=3&page=2',
    'events/*',
    'venues',
    'venues?per_page=1',
    'organizers',
    'categories?hide_empty=0',
    'tags',
  ],
  'calendar/events/v1': ['events?start_date=2026-01-01&per_page=50', 'events?page=1&per_page=3', 'events/*', 'venues/*', 'organizers'],
  'wp/v2': [
    'posts',
    'posts?per_page=5',
    'posts/*',
    'pages?per_page=100',
    'tribe_events?per_page=100',
    'tribe_venue?per_page=1',
    'tribe_venue?per_page=1&page=2',
    'users',
    'tags',
  ],
  'tec/v1': [
    'events?start_date=2026-01-01&per_page=3',
    'events?start_date=2026-01-01&per_page=3&page=2',
    'events/*',
    'venues',
    'organizers?per_page=5',
  ],
  'tribe/tickets/v1': ['tickets', 'tickets?per_page=1', 'tickets?per_page=2&page=2', 'tickets/*'],
};

const recorded = new Map<string, Recorded[]>();

beforeAll(async () => {
  const { url } = server();
  const seed = async (site: object): Promise<void> => {
    const seeded = await fetch(`${url}/__qa/seed?now=${NOW}`, { method: 'POST', body: JSON.stringify(site) });
    expect(await seeded.json()).toMatchObject({ seeded: true });
  };
  const read = async (route: string): Promise<Recorded> => {
    const response = await fetch(`${url}/wp-json/${route}`, { headers: ACKNOWLEDGED });
    const text = (await response.text()).replaceAll(url.replaceAll('/', '\\/'), ORIGIN.replaceAll('/', '\\/'));
    const { host, hostname } = new URL(url);
    const moved = [url, encodeURIComponent(url), host, hostname].reduce(
      (all, each, index) => all.replaceAll(each, [ORIGIN, encodeURIComponent(ORIGIN), new URL(ORIGIN).host, new URL(ORIGIN).host][index]),
      text,
    );
    expect([route, response.status]).toEqual([route, 200]);
    return { url: `${ORIGIN}/wp-json/${route}`, json: JSON.parse(moved), status: response.status };
  };
  for (const [namespace, routes] of Object.entries(REQUESTS)) {
    // Events show tickets that only the namespace of tickets describes.
    const isShop = namespace === 'tribe/tickets/v1';
    await seed(isShop ? SITE : { ...SITE, events: SITE.events.map((event) => ({ ...event, tickets: undefined, rsvp: undefined })) });
    const found: Recorded[] = [];
    for (const route of routes) {
      if (!route.endsWith('/*')) found.push(await read(`${namespace}/${route}`));
      else {
        const [base] = route.split('/');
        const query = base === 'events' ? '?start_date=2026-01-01' : '';
        const { json } = await read(`${namespace}/${base}${query}`);
        const list = (Array.isArray(json) ? json : (json as Record<string, unknown>)[base]) as { id: number }[];
        for (const { id } of list) found.push(await read(`${namespace}/${base}/${id}`));
      }
    }
    recorded.set(namespace, isShop ? [...found, await read('tribe/events/v1/events?start_date=2026-01-01&per_page=50')] : found);
  }
}, 60_000);

const FORMS = Object.keys(CONTAINERS).filter((name) => name !== 'response');

describe.each(Object.keys(REQUESTS))('%s', (namespace) => {
  test.each(FORMS)('a recording as %s becomes a site that answers it', async (form) => {
    const { file, save } = CONTAINERS[form];
    const responses = recorded.get(namespace)!;
    const place = path.join(folder, namespace.replaceAll('/', '-'), form);
    mkdirSync(place, { recursive: true });
    // Cassettes have a file for each request.
    const files = form === 'cassette' ? responses.map((each) => save([each])) : [save(responses)];
    for (const [index, text] of files.entries()) writeFileSync(path.join(place, `${index}-${file}`), text);
    const [source] = await openFiles([inputFile(place)], { now: Date.parse(NOW) });
    const copy = await serverWith(source, {
      own: { port: 0, profile: 'tec', logLevel: 'error', qa: false, now: NOW },
      client: { rate: 0, timeoutMs: 30_000, retries: 0 },
      progress: () => undefined,
    });
    const asked = checkResponses({
      exchanges: source.exchanges!,
      url: copy.server.url,
      client: { rate: 0, timeoutMs: 30_000, retries: 0 },
      progress: () => undefined,
    });
    const [result] = await Promise.allSettled([asked]);
    await copy.close();
    if (result.status === 'rejected') throw result.reason;
    const report = result.value;
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ same: report.requests, skipped: 0, fields: { missing: 0, other: 0 } });
    expect(report.requests).toBeGreaterThanOrEqual(form === 'jsonServer' ? 2 : responses.length);
  });
});
