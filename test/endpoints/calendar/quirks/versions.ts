import type { VERSION_QUIRKS } from '../../../../src/plugins/the-events-calendar/quirks/index.js';
import type { EventList, Organizer, Venue } from '../../../../src/sdk/types/responses.js';
import { event, ids, newEvent, proof, tagId, tried, type Ask, type Proof } from './proof.js';
import type { Login } from '../../../support/api.js';

const allowed = async ({ call }: Ask, route: string, as?: Login): Promise<string | null> =>
  (await call('GET', route, { ...(as && { as }) })).headers.get('allow');

const ALL_METHODS = 'GET, DELETE, POST, PUT, PATCH';

const maps = ({ show_map, show_map_link }: Venue): (boolean | null)[] => [show_map, show_map_link];

/** Releases of the plugin: `plugin` is the behavior of older releases, `documented` that of the newest one. */
export const VERSION_PROOFS = {
  'unknown-events-are-invalid-ids': proof({
    ask: async (ask) => {
      const [venue] = await ids(ask, 'open-hall');
      return [
        await tried(ask, 'GET', 'events/999999'),
        await tried(ask, 'GET', `events/${venue}`, 'admin'),
        await tried(ask, 'DELETE', 'events/999999'),
        await tried(ask, 'POST', `events/${venue}`, 'admin', { title: 'None' }),
      ];
    },
    plugin: Array<string>(4).fill('400 rest_invalid_param'),
    documented: ['404 rest-event-not-found', '400 rest-invalid-event-id', '401 rest_forbidden', '400 rest-invalid-event-id'],
  }),
  'trashed-events-are-readable': proof({
    ask: async (ask) => {
      const read = (as?: Login): Promise<string> => tried(ask, 'GET', 'events/by-slug/trashed-event__trashed', as);
      return [await read(), await read('contributor'), await read('author'), await read('admin')];
    },
    plugin: ['403 event-not-accessible', '403 event-not-accessible', '200', '200'],
    documented: Array<string>(4).fill('403 event-no-longer-available'),
  }),
  'unknown-slugs-are-updated': proof({
    writes: true,
    ask: async (ask) => {
      const { status, body } = await ask.post<Record<string, unknown>>('events/by-slug/no-such-slug', { title: 'None' }, 'contributor');
      return [
        status,
        'errors' in body ? body : null,
        await tried(ask, 'POST', 'events/by-slug/no-such-slug', undefined, { title: 'None' }),
      ];
    },
    plugin: [
      200,
      { errors: { 'event-not-found': ['The requested post ID does not exist or is not an event'] }, error_data: [] },
      '401 rest_forbidden',
    ],
    documented: [404, null, '401 rest_forbidden'],
  }),
  'events-suffice-for-terms': proof({
    writes: true,
    ask: async (ask) => {
      const tag = await tagId(ask, 'free');
      return [
        await tried(ask, 'POST', 'categories', 'contributor', { name: 'New' }),
        await tried(ask, 'POST', 'tags', 'author', { name: 'New' }),
        await tried(ask, 'DELETE', `tags/${tag}`, 'contributor'),
        await tried(ask, 'POST', 'tags', 'subscriber', { name: 'Newer' }),
        await tried(ask, 'POST', 'tags', undefined, { name: 'Newer' }),
        await tried(ask, 'POST', 'categories', 'author', { name: 'Newer' }),
      ];
    },
    plugin: ['201', '201', '200', '403 rest_forbidden', '401 rest_forbidden', '201'],
    documented: [...Array<string>(4).fill('403 rest_forbidden'), '401 rest_forbidden', '201'],
  }),
  'writes-check-general-right': proof({
    writes: true,
    ask: async (ask) => {
      const { id } = await event(ask, 'series');
      const [venue] = await ids(ask, 'greenwich');
      return [
        await allowed(ask, `events/${id}`, 'contributor'),
        await allowed(ask, 'venues/999999', 'admin'),
        await allowed(ask, `events/${id}`, 'subscriber'),
        await tried(ask, 'POST', `events/${id}`, 'contributor', { title: 'Mine' }),
        await tried(ask, 'DELETE', `venues/${venue}`, 'contributor'),
        await tried(ask, 'POST', `venues/${venue}`, 'subscriber', { city: 'London' }),
        await tried(ask, 'DELETE', `events/${id}`),
      ];
    },
    plugin: [ALL_METHODS, ALL_METHODS, 'GET', '200', '200', '403 rest_forbidden', '401 rest_forbidden'],
    documented: [...Array<string>(3).fill('GET'), ...Array<string>(3).fill('403 rest_forbidden'), '401 rest_forbidden'],
  }),
  'linked-passwords-do-nothing': proof({
    ask: async (ask) => {
      const password = encodeURIComponent('open sesame');
      const { body: locked } = await ask.get<Venue>('venues/by-slug/locked-hall');
      const { body: opened } = await ask.get<Venue>(`venues/by-slug/locked-hall?password=${password}`);
      const { body: guild } = await ask.get<Organizer>('organizers/by-slug/locked-guild', 'admin');
      const { organizer, venue } = await event(ask, 'at-locked-places');
      return [
        [locked.city, locked.show_map, 'json_ld' in locked],
        [opened.city, opened.show_map, 'json_ld' in opened],
        [guild.phone, 'json_ld' in guild],
        [organizer[0].email, [venue].flat()[0].venue],
      ];
    },
    plugin: [
      ['Bonn', true, false],
      ['Bonn', true, false],
      ['555', false],
      ['locked@example.org', 'Locked Hall'],
    ],
    documented: [
      ['', null, false],
      ['Bonn', true, true],
      ['', false],
      // The types do not cover this: the name of a protected venue is an empty array.
      ['', [] as unknown as string],
    ],
  }),
  'no-custom-fields': proof({
    ask: async (ask) => (await event(ask, 'series')).custom_fields,
    plugin: undefined,
    documented: [],
  }),
  'venue-maps-start-hidden': proof({
    writes: true,
    ask: async (ask) => {
      const { body: plain } = await ask.post<Venue>('venues', { venue: 'New Hall' });
      const { body: half } = await ask.post<Venue>('venues', { venue: 'Newer Hall', show_map: 'true' });
      const { body: linked } = await newEvent(ask, { venue: { venue: 'Newest Hall' } });
      const { body: updated } = await ask.post<Venue>(`venues/${plain.id}`, { city: 'Cork' });
      return [maps(plain), maps(half), maps([linked.venue].flat()[0]), maps(updated)];
    },
    plugin: [
      [false, false],
      [true, false],
      [false, false],
      [true, true],
    ],
    documented: Array<boolean[]>(4).fill([true, true]),
  }),
  'lists-ignore-passwords': proof({
    ask: async (ask) => {
      const shown = async (query: string): Promise<unknown[]> => {
        const { events } = (await ask.get<EventList>(`events?categories=passwords&per_page=50&${query}`)).body;
        const found = events.find(({ slug }) => slug === 'locked-event');
        return [found?.description, found?.cost, found?.featured, found?.tags.map(({ slug }) => slug)];
      };
      return [await shown(''), await shown(`password=${encodeURIComponent('open sesame')}`)];
    },
    plugin: Array<unknown[]>(2).fill(['<p>A secret kumquat.</p>', '$10', true, ['free']]),
    documented: [
      ['', '', null, []],
      ['<p>A secret kumquat.</p>', '$10', true, ['free']],
    ],
  }),
} satisfies Partial<Record<keyof typeof VERSION_QUIRKS, Proof>>;
