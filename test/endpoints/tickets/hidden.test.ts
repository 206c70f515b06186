import { apiOf } from '../../support/api.js';
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
