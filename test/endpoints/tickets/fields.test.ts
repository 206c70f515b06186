import { jest } from '@jest/globals';
import { apiOf } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

const V1 = '/tribe/tickets/v1';

interface Ticket {
  id: number;
  available_until: string;
}

const server = startTestServer({ dataset: TICKETS_WORLD, wordpress: '6.8' }, { isInMemory: false });
const api = apiOf(server);
afterEach(() => server().reset());

/** The queries of tickets of events that requests lead to. */
async function ticketQueries(work: () => Promise<unknown>): Promise<unknown[]> {
  const { store } = server().site;
  const seen: unknown[] = [];
  const spied = jest.spyOn(store, 'aggregate');
  await work();
  for (const [, pipeline] of spied.mock.calls) if (JSON.stringify(pipeline[0]).includes('forEvent')) seen.push(pipeline[0]);
  spied.mockRestore();
  return seen;
}

test.each(['events?per_page=50', '/wp/v2/tribe_events?per_page=50', '/tec/v1/events?per_page=50'])(
  'the tickets of all events of %s are one query, by index',
  async (route) => {
    const seen = await ticketQueries(() => api.call('GET', route, { as: 'admin', headers: ACKNOWLEDGED }));
    expect(seen).toHaveLength(1);
    const [{ $match }] = seen as [{ $match: object }];
    const plan = JSON.stringify(await server().site.store.db.collection('posts').find($match).explain('queryPlanner'));
    expect(plan).toContain('tickets_by_event');
    expect(plan).not.toContain('COLLSCAN');
  },
);

test('events without tickets are not asked for again after they were shown', async () => {
  const get = () => api.get('events?per_page=50');
  await get();
  expect(await ticketQueries(get)).toEqual([]);
});

test('a ticket that is added, changed or deleted shows at once', async () => {
  const ticketed = async () => (await api.get<{ ticketed: unknown }>('events/36')).body.ticketed;
  expect(await ticketed()).toBe(false);
  const { body } = await api.call<Ticket>('POST', '/tec/v1/tickets', {
    as: 'admin',
    body: { title: 'New', event: 36, price: 3, stock: 2 },
    headers: ACKNOWLEDGED,
  });
  expect(await ticketed()).toEqual(['tc']);
  await api.call('DELETE', `/tec/v1/tickets/${body.id}?force=true`, { as: 'admin', headers: ACKNOWLEDGED });
  expect(await ticketed()).toBe(false);
});

test('the sale ends when the event starts, until that is changed by hand', async () => {
  const until = async () => (await api.get<Ticket>(`${V1}/tickets/301`)).body.available_until;
  const start = (date: string) => api.post('events/52', { title: 'Show', start_date: date, end_date: '2026-09-06 12:00:00' });
  await start('2026-09-05 10:00:00');
  expect(await until()).toBe('2026-09-05 10:00:00 20:00:00');
  const body = { end_date: '2026-09-01 09:00:00' };
  await api.call('PUT', '/tec/v1/tickets/301', { as: 'admin', body, headers: ACKNOWLEDGED });
  await start('2026-09-06 10:00:00');
  expect(await until()).toBe('2026-09-01 09:00:00');
});

test('pages name the API of tickets', async () => {
  const { headers, text } = await http('GET', `${server().url}/event/ten-dollar-show/`);
  expect(headers.get('x-et-api-root')).toBe(`${server().restUrl}${V1}/`);
  expect(text).toContain('<meta name="et-api-version" content="v1" />');
  expect(text).toContain('"availability":"InStock"');
});

test('attendees of a ticket that was deleted leave gaps in their list', async () => {
  await api.call('DELETE', '/tec/v1/tickets/310?force=true', { as: 'admin', headers: ACKNOWLEDGED });
  const { body } = await api.get<{ total: number; attendees: object }>(`${V1}/attendees`, 'admin');
  expect([body.total, Object.keys(body.attendees)]).toEqual([7, ['0', '1', '2', '5', '6']]);
  expect((await api.get(`${V1}/attendees/317`, 'admin')).body).toEqual([]);
});

test('the statuses of the plugin come after the ones of the calendar', async () => {
  interface Described {
    endpoints: { args: { status: { items: { enum: string[] } } } }[];
  }
  const { body } = await api.call<Described>('OPTIONS', '/wp/v2/tribe_rsvp_tickets');
  const known = body.endpoints[0].args.status.items.enum;
  expect(known.slice(known.indexOf('tribe-ignored'))).toEqual([
    ...['tribe-ignored', 'tec-tc-action-req', 'tec-tc-approved', 'tec-tc-created', 'tec-tc-completed', 'tec-tc-denied'],
    ...['tec-tc-not-completed', 'tec-tc-pending', 'tec-tc-refunded', 'tec-tc-reversed', 'tec-tc-undefined', 'tec-tc-voided', 'any'],
  ]);
});

test('browsers send the header of tec/v1 to their own origin only, as with the plugin', async () => {
  const { headers } = await http('OPTIONS', `${server().restUrl}/tec/v1/tickets`, {
    origin: 'https://elsewhere.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-tec-eea',
  });
  expect(headers.get('access-control-allow-headers')).toBe('Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type');
});

describe('the JSON-LD of a page', () => {
  const jsonLdOf = async (path: string): Promise<Record<string, unknown>[]> => {
    const { text } = await http('GET', `${server().url}${path}`);
    return [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
      ([, json]) => JSON.parse(json) as Record<string, unknown>,
    );
  };
  const pathOf = async (route: string): Promise<string> => new URL((await api.get<{ link: string }>(route)).body.link).pathname;

  test('with tickets is a product with their offers', async () => {
    const path = await pathOf('/wp/v2/pages/2');
    const url = server().url + path;
    expect(await jsonLdOf(path)).toEqual([
      {
        '@context': 'http://schema.org',
        '@type': 'Product',
        name: 'Sample Page',
        description: expect.any(String) as string,
        url,
        offers: [
          {
            ...{ '@type': 'Offer', url, price: '0', category: 'primary', availability: 'LimitedAvailability', priceCurrency: 'USD' },
            ...{ validFrom: expect.any(String) as string, validThrough: expect.any(String) as string },
          },
        ],
      },
    ]);
  });

  test('of a post, too, as soon as it has tickets', async () => {
    const path = await pathOf('/wp/v2/posts/1');
    expect(await jsonLdOf(path)).toEqual([]);
    const meta = { _tribe_rsvp_for_event: '1', _tribe_ticket_capacity: '50' };
    await api.post('/wp/v2/tribe_rsvp_tickets', { title: 'I come', status: 'publish', meta });
    expect(await jsonLdOf(path)).toMatchObject([{ '@type': 'Product', offers: [{ availability: 'InStock' }] }]);
    await api.post('/wp/v2/posts/1', { password: 'secret' });
    expect(await jsonLdOf(path)).toEqual([]);
  });

  test('of an event is the event with a list of offers', async () => {
    const found = await jsonLdOf(await pathOf('/wp/v2/tribe_events/52'));
    expect(found).toMatchObject([[{ '@type': 'Event', offers: [{ price: '25.5' }, { price: '1200' }] }]]);
  });
});
