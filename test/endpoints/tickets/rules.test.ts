import { apiOf, passwordOf, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import type { Dataset } from '../../../src/index.js';
import { ACKNOWLEDGED } from '../../support/tickets.js';

/* Rules that are the same in both profiles, and what `standard` hides. */

const V1 = '/tribe/tickets/v1';

const users = (['admin', 'editor', 'author', 'contributor', 'subscriber'] as const).map((login, index) => ({
  login,
  id: index + 1,
  role: login === 'admin' ? ('administrator' as const) : login,
  application_password: passwordOf(login),
}));

const january = (day: number) => `2018-01-${day} 09:00:00`;

const attendee = (id: number, more: object = {}) => ({ id, name: `Guest ${id}`, date: january(id % 100), ...more });

/** Attendees of an event: public, opted out, not coming, and of other dates. */
const guests = (first: number) => [attendee(first + 11), attendee(first + 12, { opted_out: true }), attendee(first + 13, { going: false })];

const DATASET: Dataset = {
  site: { timezone: 'UTC', plugins: ['event-tickets'] },
  users,
  events: [
    {
      id: 10,
      title: 'Dates',
      start: '+1d',
      duration: '2h',
      tickets: [11, 12, 13, 14, 15].map((id) => ({ id, name: `T${id}`, date: january(id) })),
    },
    {
      id: 20,
      title: 'Statuses',
      start: '+1d',
      duration: '2h',
      tickets: [{ id: 21, name: 'Private', status: 'private' }],
      rsvp: [
        { id: 22, name: 'Private', status: 'private' },
        { id: 23, name: 'Draft', status: 'draft' },
        { id: 24, name: 'Of the contributor', status: 'private', author: 'contributor' },
      ],
    },
    { id: 100, title: 'Silent', start: '+1d', duration: '2h', rsvp: [{ id: 101, name: 'R', attendees: guests(100) }] },
    {
      id: 200,
      title: 'Block',
      description: '<!-- wp:tribe/attendees /-->',
      start: '+1d',
      duration: '2h',
      rsvp: [{ id: 201, name: 'R', attendees: guests(200) }],
    },
    {
      id: 300,
      title: 'Code',
      description: '[tribe_attendees_list]',
      start: '+1d',
      duration: '2h',
      rsvp: [{ id: 301, name: 'R', attendees: guests(300) }],
    },
  ],
};

interface Body {
  total: number;
  total_pages: number;
  code?: string;
  message?: string;
  tickets: { id: number }[];
  attendees: { id: number }[];
}

describe.each(['tec', 'standard'] as const)('profile %s', (profile) => {
  const server = startTestServer({ dataset: DATASET, profile }, { isInMemory: true });
  const api = apiOf(server);
  const isTec = profile === 'tec';

  const get = (route: string, as?: Login) => api.call<Body>('GET', `${V1}/${route}`, { ...(as && { as }), headers: ACKNOWLEDGED });

  /** Who gets a ticket: everybody else gets 401. */
  const READERS: [id: number, readers: Login[]][] = [
    [21, ['admin', 'editor']],
    [22, ['admin', 'editor']],
    [23, ['admin', 'editor']],
    [24, ['admin', 'editor', 'contributor']],
  ];
  test.each(READERS)('ticket %d, which is not published, is for those who may read it', async (id, readers) => {
    const logins = [undefined, ...users.map(({ login }) => login)];
    const found = await Promise.all(logins.map(async (as) => [as, (await get(`tickets/${id}`, as)).status]));
    expect(found).toEqual(logins.map((as) => [as, as && readers.includes(as) ? 200 : 401]));
  });

  const ids = async (query: string, as?: Login) => (await get(`tickets?include_post=10&${query}`, as)).body.tickets.map(({ id }) => id);
  const DATES: [query: string, found: number[], bothCount?: number[]][] = [
    [`after=${january(13)}`, [13, 14, 15]],
    ['after=2018-01-13 09:00:01', [14, 15]],
    [`before=${january(13)}`, [11, 12, 13]],
    ['before=2018-01-13 08:59:59', [11, 12]],
    ['after=2018-01-12 09:00:01&before=2018-01-14 08:59:59', [11, 12, 13], [13]],
    ['before=2018-01-14 08:59:59&after=2018-01-12 09:00:01', [11, 12, 13], [13]],
    ['before=2018-01-12 09:00:00&after=2018-01-14 08:59:59', [11, 12], []],
  ];
  test.each(DATES)('the moment itself counts: %s', async (query, found, bothCount = found) => {
    expect(await ids(query)).toEqual(isTec ? found : bothCount);
    const { body } = await get(`attendees?post_id=100&${query}`, 'admin');
    expect(body.attendees.map(({ id }) => id - 100)).toEqual((isTec ? found : bothCount).filter((id) => id < 14));
  });

  const OFFSETS: [query: string, total: number, ids: number[], documented: number[]][] = [
    ['offset=0', 5, [11, 12, 13, 14, 15], [11, 12, 13, 14, 15]],
    ['offset=2', 5, [11, 12, 13, 14, 15], [13, 14, 15]],
    ['offset=5', 0, [], []],
    ['offset=99', 0, [], []],
  ];
  test.each(OFFSETS)('%s', async (query, total, found, documented) => {
    const { body, headers } = await get(`tickets?include_post=10&per_page=5&${query}`);
    const expected = isTec ? total : 5;
    expect([body.total, body.total_pages, headers.get('x-et-total')]).toEqual([expected, Math.sign(expected), String(expected)]);
    expect(body.tickets.map(({ id }) => id)).toEqual(isTec ? found : documented);
  });

  test('an offset beyond the attendees, and a page beyond that', async () => {
    expect((await get('attendees?post_id=100&offset=3', 'admin')).body.total).toBe(isTec ? 0 : 3);
    expect((await get('attendees?post_id=100&offset=3&page=2', 'admin')).body.code).toBe('invalid-page-number');
  });

  test.each([
    [101, undefined, []],
    [201, undefined, [211]],
    [301, undefined, [311]],
    [301, 'subscriber', [311]],
    [301, 'editor', [311]],
    [101, 'admin', [111, 112, 113]],
    [301, 'admin', [311, 312, 313]],
  ] as const)('a ticket has the attendees that its event lists: %d for %s', async (id, as, found) => {
    const shown = isTec || as === 'admin' ? found : [];
    const single = await api.call<Body>('GET', `${V1}/tickets/${id}`, { ...(as && { as }) });
    const { body: list } = await get(`tickets?include=${id}`, as);
    for (const { attendees } of [single.body, list.tickets[0] as unknown as Body]) expect(attendees.map((one) => one.id)).toEqual(shown);
  });
});
