import { TICKETS_QUIRKS } from '../../../src/plugins/event-tickets/quirks/index.js';
import { namesOf } from '../../../src/base/values/records.js';
import { apiOf, type Api, type Login } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

type Name = keyof typeof TICKETS_QUIRKS;

interface Proof {
  ask: (api: Api) => Promise<unknown>;
  plugin: unknown;
  documented: unknown;
}

const V1 = '/tribe/tickets/v1';

interface Body {
  id: number;
  code?: string;
  ticket_id: number;
  stock: number;
  total: number;
  ticketed: unknown;
  capacity_details: { available: number };
  cost_details: { values: string[] };
  events: { id: number }[];
  tickets: { id: number }[];
}

const send = async (api: Api, method: string, route: string, as?: Login, body?: unknown) => {
  const { status, body: found } = await api.call<Body>(method, route, { ...(as && { as }), body, headers: ACKNOWLEDGED });
  return { ...found, status };
};

const newAttendee = { full_name: 'New One', email: 'new@example.org' };

/** For each quirk, requests whose response differs between the plugin and its documentation. */
const PROOFS: Record<Name, Proof> = {
  'attendees-ignore-stock': {
    ask: async (api) => {
      const { status, code } = await send(api, 'POST', `${V1}/attendees`, 'admin', { ticket_id: 310, ...newAttendee });
      return [status, code];
    },
    plugin: [201, undefined],
    documented: [400, 'ticket-sold-out'],
  },
  'attendee-status-keeps-stock': {
    ask: async (api) => {
      await send(api, 'POST', `${V1}/attendees/313`, 'admin', { attendee_status: 'no' });
      return (await send(api, 'GET', `${V1}/tickets/303`)).capacity_details.available;
    },
    plugin: 18,
    documented: 19,
  },
  'ticket-updates-subtract-sold': {
    ask: async (api) => (await send(api, 'PUT', '/tec/v1/tickets/301', 'admin', { title: 'Other' })).stock,
    plugin: 8,
    documented: 9,
  },
  'title-updates-replace-cost': {
    ask: async (api) => (await send(api, 'PUT', 'events/52', 'admin', { title: 'Other' })).cost_details.values,
    plugin: ['25.5', '1200'],
    documented: [],
  },
  'ticketed-keeps-indexes': {
    ask: async (api) => {
      const meta = { _tribe_rsvp_for_event: '52', _tribe_ticket_capacity: '5' };
      await send(api, 'POST', '/wp/v2/tribe_rsvp_tickets', 'admin', { title: 'I come', status: 'publish', meta });
      return (await send(api, 'GET', 'events/52')).ticketed;
    },
    plugin: { 0: 'tc', 2: 'rsvp' },
    documented: ['tc', 'rsvp'],
  },
  'ticketed-filter-counts-trash': {
    ask: async (api) => {
      await send(api, 'DELETE', '/tec/v1/tickets/305', 'admin');
      const { events } = await send(api, 'GET', 'events?ticketed=true&start_date=2020-01-01');
      return events.some(({ id }) => id === 31);
    },
    plugin: true,
    documented: false,
  },
  'ticket-status-shows-drafts': {
    ask: async (api) => {
      const { tickets } = await send(api, 'GET', `${V1}/tickets?post_status=draft,publish&per_page=50`);
      return tickets.some(({ id }) => id === 306);
    },
    plugin: true,
    documented: false,
  },
  'attendees-are-public': {
    ask: async (api) => (await send(api, 'GET', `${V1}/attendees`)).total,
    plugin: 4,
    documented: 0,
  },
  'attendees-pass-as-tickets': {
    ask: async (api) => (await send(api, 'GET', `${V1}/tickets/321`)).status,
    plugin: 200,
    documented: 401,
  },
  'tickets-for-any-event': {
    ask: async (api) => (await send(api, 'POST', '/tec/v1/tickets', 'contributor', { title: 'New', event: 36, price: 1, stock: 1 })).status,
    plugin: 201,
    documented: 403,
  },
  'rsvps-of-hidden-events-are-public': {
    ask: async (api) => {
      const { body } = await api.get<{ id: number }[]>('/wp/v2/tribe_rsvp_tickets');
      return [(await send(api, 'GET', '/wp/v2/tribe_rsvp_tickets/306')).status, body.some(({ id }) => id === 306)];
    },
    plugin: [200, true],
    documented: [401, false],
  },
  'tickets-list-shows-sold': {
    ask: async (api) => {
      const { body } = await api.get<{ meta: { _tribe_tickets_list: string } }>('/wp/v2/tribe_events/52');
      const [first] = JSON.parse(body.meta._tribe_tickets_list) as object[];
      return ['title', 'available', 'capacity', 'sold'].filter((name) => name in first);
    },
    plugin: ['title', 'available', 'capacity', 'sold'],
    documented: ['title', 'available'],
  },
  'ids-of-hidden-posts-are-told': {
    ask: (api) =>
      Promise.all(
        [`${V1}/tickets?include_post=74`, `${V1}/attendees?post_id=74`, `${V1}/qr/306`, `${V1}/qr/313`].map(
          async (route) => (await send(api, 'GET', route)).status,
        ),
      ),
    plugin: [200, 200, 200, 200],
    documented: [400, 400, 400, 400],
  },
  'ticket-totals-count-hidden': {
    ask: async (api) => (await api.call('GET', '/tec/v1/tickets', { headers: ACKNOWLEDGED })).headers.get('x-wp-total'),
    plugin: '8',
    documented: '7',
  },
  'zero-tickets-per-page-crashes': {
    ask: async (api) => {
      const { restUrl } = address(api);
      return (await fetch(`${restUrl}${V1}/tickets?per_page=0`)).status;
    },
    plugin: 500,
    documented: 400,
  },
  'ticket-lists-ignore-parameters': {
    ask: async (api) => (await send(api, 'GET', `${V1}/tickets?currency=USD`)).total,
    plugin: 0,
    documented: 11,
  },
  'unknown-attendees-crash': {
    ask: async (api) => (await send(api, 'POST', `${V1}/attendees/99999`, 'admin', { check_in: true })).status,
    plugin: 500,
    documented: 404,
  },
};

const addresses = new WeakMap<Api, () => { restUrl: string }>();
const address = (api: Api): { restUrl: string } => addresses.get(api)!();

test('every quirk has a proof, and every proof a difference', () => {
  expect(Object.keys(PROOFS).toSorted()).toEqual(Object.keys(TICKETS_QUIRKS).toSorted());
  for (const [name, { plugin, documented }] of Object.entries(PROOFS)) expect({ name, plugin }).not.toEqual({ name, plugin: documented });
});

describe.each(['tec', 'standard'] as const)('profile %s', (profile) => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile });
  const api = apiOf(server);
  addresses.set(api, server);
  afterEach(() => server().reset());

  test.each(namesOf(TICKETS_QUIRKS))('%s', async (name) => {
    const { ask, plugin, documented } = PROOFS[name];
    expect(await ask(api)).toEqual(profile === 'tec' ? plugin : documented);
  });
});
