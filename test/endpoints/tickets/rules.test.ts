import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { apiOf, passwordOf, type Login } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';
import type { Dataset } from '../../../src/index.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

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
    {
      id: 30,
      title: 'Sales',
      start: '+90d',
      duration: '2h',
      tickets: [
        { id: 33, name: 'Week', on_sale: { from: '-1w', until: '+1w' } },
        { id: 34, name: 'Later', on_sale: { from: '+1w', until: '+2w' } },
      ],
      rsvp: [
        { id: 31, name: 'Never' },
        { id: 32, name: 'No end', on_sale: { from: '-10d' } },
        { id: 35, name: 'No start', on_sale: { until: '+9d' } },
      ],
    },
    {
      id: 40,
      title: 'Orders',
      start: '+1d',
      duration: '2h',
      password: 'open sesame',
      tickets: [
        {
          id: 41,
          name: 'T',
          attendees: ['pending', 'denied', 'approved', 'refunded', 'completed'].map((status, index) =>
            attendee(411 + index, { order: { status: `tec-tc-${status}` } }),
          ),
        },
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

  test.each([
    ['available_from=-8 days', [31, 33, 34, 35]],
    ['available_until=%2B2 days', [31, 32]],
    ['available_from=-8 days&available_until=%2B10 days', [31, 33, 35]],
    ['available_until=%2B10 days&available_from=-20 days', [31, 32, 33, 35]],
  ])('tickets without a date are available from, or until, any time: %s', async (query, found) => {
    expect((await get(`tickets?include_post=30&${query.replaceAll(' ', '%20')}`)).body.tickets.map(({ id }) => id)).toEqual(found);
  });

  test.each([411, 412, 413, 414])('attendee %d, whose order is not completed, is not checked in', async (id) => {
    const { status, body } = await api.post<Body>(`${V1}/attendees/${id}`, { check_in: true });
    expect([status, body.code, body.message]).toEqual([
      400,
      'tec-et-attendee-invalid-check-in',
      'Attendee Order status is not authorized for check-in.',
    ]);
  });

  test('an attendee whose order is completed is checked in once', async () => {
    expect((await api.post(`${V1}/attendees/415`, { check_in: true })).status).toBe(201);
    const { status, body } = await api.post<Body>(`${V1}/attendees/415`, { check_in: true });
    expect([status, body.code, body.message]).toEqual([400, 'tec-et-attendee-already-checked-in', 'Attendee is already checked in.']);
  });

  test('the cookie with the password of an event opens its tickets and attendees', async () => {
    const cookieOf = async (password: string): Promise<string> => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const { headers } = await http(
        'POST',
        `${server().url}/wp-login.php?action=postpass`,
        type,
        `post_password=${encodeURIComponent(password)}`,
      );
      return (headers.get('set-cookie') ?? '').split(';')[0];
    };
    const read = (cookie?: string) =>
      Promise.all(
        [`${V1}/attendees/415`, `${V1}/tickets/41?_fields=title`].map((route) =>
          api.call<{ title: string }>('GET', route, { ...(cookie === undefined ? {} : { headers: { cookie } }) }),
        ),
      );
    const outcome = async (cookie?: string) => {
      const [one, ticket] = await read(cookie);
      return [one.status, ticket.body.title];
    };
    expect(await outcome()).toEqual([401, 'No Access']);
    expect(await outcome(await cookieOf('open sesame'))).toEqual([isTec ? 200 : 401, 'T']);
    expect(await outcome(await cookieOf('other'))).toEqual([401, 'No Access']);
    expect(await outcome()).toEqual([401, 'No Access']);
  });
});

describe('what describes the API', () => {
  const server = startTestServer({ dataset: DATASET }, { isInMemory: true });
  const api = apiOf(server);
  type Index = { routes: Record<string, { endpoints: { methods: string[]; args: Record<string, Body> }[] }> };

  const argsIn = async (namespace: string, route: string, method: string): Promise<Record<string, Body>> => {
    const { body } = await api.get<Index>(namespace);
    return body.routes[namespace + route].endpoints.find(({ methods }) => methods.includes(method))?.args ?? {};
  };

  /** The names of schemas that a value refers to. */
  const refsIn = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);

  test('the document has the parameters that the index has, and the schemas that it refers to', async () => {
    type Operation = { parameters: { name: string }[]; responses: object };
    type Document = { paths: Record<string, Record<'get' | 'post', Operation>>; components: { schemas: object } };
    const { body: doc } = await api.get<Document>(`${V1}/doc`);
    for (const route of ['/tickets', '/attendees', '/cart']) {
      const listed = Object.keys(await argsIn(V1, route, 'GET'));
      expect(listed.length).toBeGreaterThan(1);
      expect(doc.paths[route].get.parameters.map(({ name }) => name)).toEqual(listed);
    }
    expect(doc.paths['/tickets/{id}'].get.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    expect(refsIn(doc.paths)).toEqual(expect.arrayContaining(['Ticket', 'Attendee']));
    expect(Object.keys(doc.components.schemas)).toEqual(expect.arrayContaining(refsIn(doc)));
    expect(Object.keys(doc.paths).filter((route) => route.startsWith('/commerce/'))).toHaveLength(7);
  });

  test('a ticket has the properties of its schemas', async () => {
    type Schemas = Record<string, { properties: object; allOf: { properties: object }[] }>;
    const { body: v1 } = await api.get<{ components: { schemas: Schemas } }>(`${V1}/doc`);
    const { body: ticket } = await api.get<Body>(`${V1}/tickets/11`);
    // The plugin describes what only managers or add-ons see, too.
    const others = ['requires_attendee_information', 'attendee_information_fields', 'rsvp', 'checkin'];
    const named = Object.keys(v1.components.schemas.Ticket.properties).filter((name) => !others.includes(name));
    expect(named.length).toBeGreaterThan(20);
    expect(Object.keys(ticket)).toEqual(expect.arrayContaining(named));
    const { body: tec } = await api.get<{ paths: object; components: { schemas: Schemas } }>('/tec/v1/docs');
    expect(Object.keys(tec.paths)).toEqual(expect.arrayContaining(['/tickets', '/tickets/{id}']));
    const { TEC_Post_Entity: post, Ticket: own, Ticket_Request_Body: sent } = tec.components.schemas;
    const { body: plain } = await api.call<Body>('GET', '/tec/v1/tickets/11', { headers: ACKNOWLEDGED });
    expect(Object.keys({ ...post.properties, ...own.allOf[1].properties })).toEqual(expect.arrayContaining(Object.keys(plain)));
    expect(Object.keys(sent.allOf[1].properties)).toEqual(expect.arrayContaining(['event', 'price', 'event_capacity']));
    expect(Object.keys(sent.allOf[1].properties)).not.toContain('title');
  });

  test.each<[namespace: string, route: string, method: string, names: string]>([
    [V1, '/tickets/(?P<id>\\d+)', 'PUT', 'id post_id edit_ticket_nonce name price show_description sku ticket'],
    [V1, '/tickets/(?P<id>\\d+)/fees', 'PATCH', 'selected_fees'],
    [V1, '/fees', 'GET', 'status'],
    [V1, '/coupons', 'POST', 'slug display_name status amount sub_type start_time end_time'],
    [V1, '/coupons/apply', 'POST', 'coupon cart_hash payment_intent_id purchaser_data'],
    [V1, '/cart', 'POST', 'provider tickets meta post_id'],
    [V1, '/commerce/stripe/order/(?P<order_id>[0-9a-zA-Z_-]+)', 'DELETE', 'order_id failed_status failed_reason'],
    ['/tec/v1', '/tickets', 'POST', 'date title template event price event_capacity type menu_order sku'],
  ])('the index of %s has the arguments of %s: %s', async (namespace, route, method, names) => {
    expect(Object.keys(await argsIn(namespace, route, method))).toEqual(expect.arrayContaining(names.split(' ')));
  });

  test('the index has the routes of payments, which are not built', async () => {
    const { body: index } = await api.get<Index>(V1);
    expect(Object.keys(index.routes).filter((route) => route.includes('/commerce/'))).toHaveLength(12);
    expect((await api.post<Body>(`${V1}/commerce/stripe/webhook`, {})).body.code).toBe('understudy_not_built');
    expect((await api.post<Body>(`${V1}/coupons/validate`, {})).body.code).toBe('rest_missing_callback_param');
  });
});

describe('settings of the plugin', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const KEY = 'k-909090';
  const dataset = path.join(folder, 'world.json');
  const world = JSON.parse(readFileSync(TICKETS_WORLD, 'utf8')) as { site: { tec_options: object } };
  const options = {
    'et-rest-v1-disabled': true,
    'tickets-plus-qr-options-api-key': KEY,
    'ticket-enabled-post-types': ['post', 'tribe_venue'],
  };
  writeFileSync(dataset, JSON.stringify({ ...world, site: { ...world.site, tec_options: { ...world.site.tec_options, ...options } } }));
  const server = startTestServer({ dataset }, { isInMemory: true });
  const api = apiOf(server);

  test('pages do not name an API that is hidden', async () => {
    const { headers, text } = await http('GET', `${server().url}/event/ten-dollar-show/`);
    expect(['version', 'root', 'origin'].map((name) => headers.get(`x-et-api-${name}`))).toEqual(['disabled', null, null]);
    expect(text).not.toContain('et-api-');
    expect((await api.get(`${V1}/tickets`)).status).toBe(200);
  });

  test('only posts of the chosen types have tickets', async () => {
    const ticketed = async (route: string): Promise<unknown> =>
      (await api.call<{ ticketed?: unknown }>('GET', route, { headers: ACKNOWLEDGED })).body.ticketed;
    const { body: venue } = await api.post<{ id: number }>('/wp/v2/tribe_venue', { title: 'Hall', status: 'publish' });
    expect(await ticketed('/wp/v2/posts/1')).toBe(false);
    for (const id of [1, venue.id]) {
      const meta = { _tribe_rsvp_for_event: String(id), _tribe_ticket_capacity: '5' };
      await api.post('/wp/v2/tribe_rsvp_tickets', { title: 'I come', status: 'publish', meta });
    }
    const routes = ['/wp/v2/posts/1', `/wp/v2/tribe_venue/${venue.id}`, 'events/37'];
    expect(await Promise.all(routes.map(ticketed))).toEqual([['rsvp'], ['rsvp'], false]);
    expect(await Promise.all(['/wp/v2/tribe_events/37', '/wp/v2/pages/2', '/tec/v1/events/37'].map(ticketed))).toEqual(
      Array(3).fill(undefined),
    );
    const add = async (event: number) =>
      (await api.call<{ code?: string }>('POST', '/tec/v1/tickets', { as: 'admin', body: { title: 'T', event }, headers: ACKNOWLEDGED }))
        .status;
    expect([await add(1), await add(37)]).toEqual([201, 400]);
  });

  describe('the app that checks attendees in', () => {
    interface Scanned {
      msg: string;
      error?: string;
      attendee: { id: number; title: string; checked_in: boolean };
    }
    const codeOf = async (id: number): Promise<string> => {
      const post = await server().site.store.posts.findOne({ _id: id });
      return post?.meta.find(({ key }) => key.endsWith('_security_code'))?.value ?? '';
    };
    const scan = async (id: number, code?: string, more = `api_key=${KEY}`) =>
      api.get<Scanned>(`${V1}/qr?ticket_id=${id}&security_code=${code ?? (await codeOf(id))}&event_id=37&${more}`);

    test.each([313, 317])('checks attendee %d in once', async (id) => {
      const first = await scan(id);
      expect([first.status, first.body.msg, first.body.error]).toEqual([201, 'Checked In!', undefined]);
      expect(first.body.attendee).toMatchObject({ id, checked_in: false });
      const again = await scan(id);
      expect([again.status, again.body.msg, again.body.error]).toEqual([403, 'Already checked in!', 'attendee_already_checked_in']);
      expect(again.body.attendee).toMatchObject({ id, checked_in: true });
      const { body } = await api.get<{ checkin_details: object }>(`${V1}/attendees/${id}`, 'admin');
      expect(body.checkin_details).toMatchObject({ source: 'app', author: 0 });
      await api.post(`${V1}/attendees/${id}`, { check_in: false });
      expect((await scan(id)).status).toBe(201);
    });

    test('refuses a wrong code, a ticket, an unknown attendee, and those who may not come in', async () => {
      for (const [id, code] of [
        [313, 'no'],
        [303, 'no'],
        [99_999, 'no'],
      ] as const)
        expect(await scan(id, code)).toMatchObject({
          status: 403,
          body: { msg: 'Security code is not valid!', error: 'security_code_not_valid' },
        });
      await api.post(`${V1}/attendees/314`, { attendee_status: 'no' });
      const { status, body } = await scan(314);
      expect([status, body.error, body.attendee.id]).toEqual([403, 'attendee_not_authorized', 314]);
    });

    test.each([
      ['api_key=random', { api_key: 'random', ticket_id: '11', event_id: '10', security_code: '12' }],
      ['api_key=random&event_id=', { api_key: 'random', ticket_id: '11', event_id: '', security_code: '12' }],
    ])('a wrong key gets what it sent: %s', async (query, sent) => {
      expect(await api.get(`${V1}/qr?ticket_id=11&security_code=12&event_id=10&${query}`)).toMatchObject({ status: 400, body: sent });
    });

    test.each([
      [0, 403],
      [10 ** 7, 201],
    ])('checks in while the event happens only, if it shall: %d minutes around it', async (minutes, expected) => {
      const { store } = server().site;
      const timed = 'tickets-plus-qr-check-in-events-happening-now';
      const value = { 'tickets-plus-qr-options-api-key': KEY, [timed]: true, [`${timed}-time-buffer`]: String(minutes) };
      await store.options.replaceOne({ _id: 'tribe_events_calendar_options' }, { value }, { upsert: true });
      await server().site.reload();
      const { status, body } = await scan(319);
      expect([status, body.error]).toEqual([expected, expected === 403 ? 'event_not_happening_now' : undefined]);
    });

    test('manages attendees with its key', async () => {
      const emails = async (key: string) =>
        (await api.get<{ attendees: { email?: string }[] }>(`${V1}/attendees?api_key=${key}`)).body.attendees.filter(({ email }) => email)
          .length;
      expect(await emails(KEY)).toBeGreaterThan(0);
      expect(await emails('wrong')).toBe(0);
    });
  });
});
