import { apiOf, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

/** A ticket of an event with a password. */
const PROTECTED = 'Soiree';

const DETAILS = '_tribe_rsvp_checkedin_details';

const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard' });
const api = apiOf(server);
afterEach(() => server().reset());

describe.each([
  ['tribe/tickets/v1', 'X-ET-TOTAL'],
  ['tec/v1', 'X-WP-Total'],
])('a search of %s', (namespace, total) => {
  const found = async (query: string, as?: 'admin'): Promise<string | null> =>
    (await api.call('GET', `/${namespace}/tickets?${query}`, { ...(as && { as }), headers: ACKNOWLEDGED })).headers.get(total);

  test('finds tickets that everybody may read', async () => {
    expect(await found('search=standard')).toBe('1');
  });

  test('does not tell what a password protects', async () => {
    expect(await found(`search=${PROTECTED}`)).toBe('0');
    expect(await found(`search=${PROTECTED}`, 'admin')).toBe('1');
  });
});

test('a search of tickets finds what the password opens', async () => {
  const { headers } = await api.get(`/tribe/tickets/v1/tickets?search=${PROTECTED}&password=soiree`);
  expect(headers.get('x-et-total')).toBe('1');
});

test.each(['yes', '[]', '{"date":5}'])('details of a check-in that are stored as %s are unknown', async (stored) => {
  const { store } = server().site;
  await store.changePost(313, (current) => ({
    ...current,
    meta: [...current.meta.filter(({ key }) => key !== DETAILS), { key: DETAILS, value: stored }],
  }));
  const { status, body } = await api.get<{ checkin_details: unknown }>('/tribe/tickets/v1/attendees/313', 'admin');
  expect([status, body.checkin_details]).toEqual([200, false]);
});

describe('an RSVP of the core API', () => {
  const RSVPS = '/wp/v2/tribe_rsvp_tickets';
  const PASSWORD = 'soiree';

  /** Adds an RSVP to an event. @returns its id */
  async function rsvpOf(event: number): Promise<number> {
    const body = { title: 'I come', status: 'publish', meta: { _tribe_rsvp_for_event: String(event), _tribe_ticket_capacity: '5' } };
    return (await api.post<{ id: number }>(RSVPS, body)).body.id;
  }
  const statusOf = async (id: number, as?: Login, query = '') => (await api.get(`${RSVPS}/${id}${query}`, as)).status;
  const isListed = async (id: number, as?: Login, query = '') =>
    (await api.get<{ id: number }[]>(`${RSVPS}?per_page=100${query}`, as)).body.some((each) => each.id === id);
  const total = async (as?: Login) => (await api.get(RSVPS, as)).headers.get('x-wp-total');

  test('of a draft is shown to who may read the draft', async () => {
    expect([await statusOf(306), await statusOf(306, 'subscriber'), await statusOf(306, 'editor')]).toEqual([401, 403, 200]);
    expect([await isListed(306), await isListed(306, 'subscriber'), await isListed(306, 'editor')]).toEqual([false, false, true]);
    expect([await total(), await total('editor')]).toEqual(['3', '4']);
  });

  test('of a private event, too', async () => {
    const { body: event } = await api.post<{ id: number }>('/wp/v2/tribe_events', { title: 'For us', status: 'private' });
    const id = await rsvpOf(event.id);
    expect([await statusOf(id), await isListed(id)]).toEqual([401, false]);
    expect([await statusOf(id, 'editor'), await isListed(id, 'editor')]).toEqual([200, true]);
  });

  test('of an event with a password is shown with it', async () => {
    const id = await rsvpOf(80);
    expect([await statusOf(id), await isListed(id)]).toEqual([401, false]);
    expect(await isListed(id, undefined, `&password=${PASSWORD}`)).toBe(true);
    expect(await isListed(id, undefined, '&password=wrong')).toBe(false);
  });

  test('of an event that was deleted is shown to who may edit it', async () => {
    const id = await rsvpOf(36);
    expect([await statusOf(id), await isListed(id)]).toEqual([200, true]);
    await api.delete('/wp/v2/tribe_events/36?force=true');
    expect([await statusOf(id), await isListed(id)]).toEqual([401, false]);
    expect([await statusOf(id, 'admin'), await isListed(id, 'admin')]).toEqual([200, true]);
  });
});

describe('an id that a caller may not read', () => {
  interface Told {
    status: number;
    body: object;
  }
  const told = async (route: string, as?: Login, method = 'GET', body?: object): Promise<Told> => {
    const answer = await api.call<object>(method, route, { ...(as && { as }), ...(body && { body }), headers: ACKNOWLEDGED });
    return { status: answer.status, body: answer.body };
  };
  const V1 = '/tribe/tickets/v1';
  /** Requests with an id; 74 is a draft with the RSVP 306, and 313 an attendee. */
  const WITH_ID: [string, number, (id: number) => [route: string, method?: string, body?: object]][] = [
    ['include_post', 74, (id) => [`${V1}/tickets?include_post=${id}`]],
    ['exclude_post', 74, (id) => [`${V1}/tickets?exclude_post=${id}`]],
    ['include_post of attendees', 74, (id) => [`${V1}/attendees?include_post=${id}`]],
    ['post_id', 74, (id) => [`${V1}/attendees?post_id=${id}`]],
    ['ticket_id', 306, (id) => [`${V1}/attendees?ticket_id=${id}`]],
    ['an attendee as post_id', 313, (id) => [`${V1}/attendees?post_id=${id}`]],
    ['the cart', 74, (id) => [`${V1}/cart?post_id=${id}`]],
    ['a change of the cart', 74, (id) => [`${V1}/cart`, 'POST', { provider: 'tc', post_id: id }]],
    ['the code of a ticket', 306, (id) => [`${V1}/qr/${id}`]],
    ['the code of an attendee', 313, (id) => [`${V1}/qr/${id}`]],
    ['event', 74, (id) => [`/tec/v1/tickets?event=${id}`]],
  ];
  const UNKNOWN = 99_999;

  test.each(WITH_ID)('is like an unknown one: %s', async (_what, hidden, request) => {
    const [route, method, body] = request(hidden);
    const [otherRoute, , otherBody] = request(UNKNOWN);
    const asUnknown = await told(otherRoute, undefined, method, otherBody);
    const text = JSON.stringify(await told(route, undefined, method, body));
    expect(text.replaceAll(String(hidden), '?')).toBe(JSON.stringify(asUnknown).replaceAll(String(UNKNOWN), '?'));
  });

  test.each(WITH_ID.filter(([what]) => what !== 'event'))('is known to who may: %s', async (_what, id, request) => {
    const [route, method, body] = request(id);
    const answer = await told(route, 'admin', method, body);
    expect(answer.status).toBe(200);
  });
});

test('the meta with the tickets of a post has their numbers for who may edit it', async () => {
  const listed = async (as?: Login): Promise<Record<string, unknown>> => {
    const { body } = await api.get<{ meta: { _tribe_tickets_list: string } }>('/wp/v2/tribe_events/52', as);
    return (JSON.parse(body.meta._tribe_tickets_list) as Record<string, unknown>[])[0];
  };
  expect(Object.keys(await listed())).not.toEqual(expect.arrayContaining(['sold']));
  expect(Object.keys(await listed('subscriber'))).not.toEqual(expect.arrayContaining(['capacity']));
  expect(await listed('editor')).toMatchObject({ sold: 1, capacity: 10, shareSold: 1, sharedCapacity: 10 });
});

test('a ticket in the trash stays there: the second request says that it is', async () => {
  const remove = () => api.call('DELETE', '/tec/v1/tickets/301', { as: 'admin', headers: ACKNOWLEDGED });
  expect(await remove()).toMatchObject({ status: 200, body: [] });
  expect(await remove()).toMatchObject({ status: 410, body: { error: 'The entity has already been trashed.' } });
});

test.each(['GET', 'POST'])('coupons are for those who manage attendees: %s', async (method) => {
  const coupon = { slug: 'early', display_name: 'Early', status: 'active', amount: 5 };
  const body = method === 'GET' ? {} : { body: coupon };
  const ask = async (as?: Login): Promise<number> =>
    (await api.call(method, '/tribe/tickets/v1/coupons', { ...body, ...(as && { as }) })).status;
  expect([await ask(), await ask('editor'), await ask('admin')]).toEqual([401, 403, method === 'GET' ? 200 : 501]);
});
