import { Validator } from '@seriousme/openapi-schema-validator';
import { createServer } from '../../../src/index.js';
import { ACKNOWLEDGEMENT } from '../../../src/tec-v1/routes.js';
import { QUIRKS, QUIRK_NAMES, type QuirkName } from '../../../src/wp/quirks.js';
import { EDGE, edgeApi } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { send, type Answer } from '../../support/toy.js';
import type { Api, Login } from '../../support/api.js';
import type { CategoryList, ErrorBody, Event, EventList, Organizer, OrganizerList, TagList, Venue, VenueList } from '../../../src/types.js';

/** What a proof has to ask with. */
interface Ask extends Api {
  /** Sends a request exactly as written, and shows the answer as it came. */
  raw: (route: string, options?: { headers?: Record<string, string>; body?: string }) => Promise<Answer>;
  /** Asks for an address of the site. */
  page: (path: string) => Promise<Answer>;
}

/** One question to the server, and the two answers to it. */
interface Proof<T = unknown> {
  ask: (ask: Ask) => Promise<T>;
  plugin: T;
  documented: T;
  /** It changes things, so the next one needs the dataset anew. */
  writes?: true;
}

const proof = <T>(given: Proof<T>): Proof => given;

const slugsOf = async ({ get }: Ask, query: string, as?: Login): Promise<string[]> =>
  (await get<EventList>(`events?per_page=50&${query}`, as)).body.events.map(({ slug }) => slug);

const event = async ({ get }: Ask, slug: string, as?: Login): Promise<Event> => (await get<Event>(`events/by-slug/${slug}`, as)).body;

const outcome = (status: number, { code }: { code?: string }): string => (code === undefined ? `${status}` : `${status} ${code}`);

const tried = async ({ call }: Ask, method: string, route: string, as?: Login, body?: unknown): Promise<string> => {
  const answer = await call<ErrorBody>(method, route, { ...(as && { as }), ...(body !== undefined && { body }) });
  return outcome(answer.status, answer.body);
};

const DATES = { start_date: '2026-11-10 10:00:00', end_date: '2026-11-10 11:00:00' };

/** A published event of the author's own; its id. */
const newEvent = async ({ post }: Ask, body: object, as: Login = 'admin'): Promise<{ status: number; body: Event }> =>
  post<Event>('events', { title: 'New', ...DATES, ...body }, as);

const ids = async ({ get }: Ask, ...slugs: string[]): Promise<number[]> =>
  Promise.all(slugs.map(async (slug) => (await get<Venue>(`venues/by-slug/${slug}`)).body.id));

const tagId = async ({ get }: Ask, slug: string): Promise<number> => (await get<TagList>(`tags?hide_empty=0&slug=${slug}`)).body.tags[0].id;

/** The lines of a calendar file that begin so, and its type if it is none. */
const lines = async ({ page }: Ask, path: string, ...names: string[]): Promise<string[]> => {
  const { text, headers } = await page(path);
  const type = headers['content-type']?.split(';')[0];
  return type === 'text/calendar' ? text.split('\r\n').filter((line) => names.some((name) => line.startsWith(name))) : [type ?? ''];
};

const IN_ENGLISH = 'Title of the event.';

/** How an index describes the title of an event. */
const described = (index: unknown): string | undefined =>
  Object.entries((index as { routes: Record<string, { endpoints: { args: Record<string, { description?: string }> }[] }> }).routes)
    .find(([route]) => route.endsWith('/events'))?.[1]
    .endpoints.at(-1)?.args.title.description;

/** A request to `tec/v1` with what it wants acknowledged: status and id of the item that is answered, total of the list. */
const newer = async ({ call }: Ask, method: string, route: string, as?: Login, body?: object) => {
  const answer = await call<{ id: number; status: string }>(method, `/tec/v1/${route}`, {
    ...(as && { as }),
    ...(body && { body }),
    headers: { 'x-tec-eea': ACKNOWLEDGEMENT },
  });
  return { body: answer.body, total: answer.headers.get('x-wp-total') };
};

/** For every quirk a question that tells the plugin from its documented interface. */
const PROOFS: Record<QuirkName, Proof> = {
  'include-keeps-default-window': proof({
    ask: async (ask) => {
      const wanted = await Promise.all(['year-1943', 'series'].map((slug) => event(ask, slug)));
      const include = `include=${wanted.map(({ id }) => id).join(',')}`;
      return [await slugsOf(ask, include), await slugsOf(ask, `${include}&start_date=2030-01-01`)];
    },
    plugin: [['series'], ['series']],
    documented: [
      ['year-1943', 'series'],
      ['year-1943', 'series'],
    ],
  }),
  'sibling-dates-override': proof({
    ask: async (ask) => [
      await slugsOf(ask, 'categories=order&starts_after=2026-10-04&start_date=2026-10-06'),
      await slugsOf(ask, 'categories=order&ends_before=2026-10-04&end_date=2026-10-03'),
      await slugsOf(ask, 'categories=order&starts_before=2026-10-04&start_date=2026-10-05'),
    ],
    plugin: [
      ['same-title', 'same-title-2', 'same-title-3'],
      ['order-first', 'order-second', 'order-third', 'order-fourth', 'order-early-in-utc'],
      [],
    ],
    documented: [[], [], []],
  }),
  'only-first-tag-counts': proof({
    ask: async (ask) => [
      await slugsOf(ask, `tags=rock-roll,${encodeURIComponent('日本')}`),
      await slugsOf(ask, 'tags[]=rock-roll&tags[]=free'),
    ],
    plugin: [['half-way-down'], ['half-way-down']],
    documented: [
      ['deep-down', 'half-way-down'],
      ['locked-event', 'half-way-down'],
    ],
  }),
  'term-names-find-nothing': proof({
    ask: async (ask) => [
      await slugsOf(ask, 'tags=Twenty-six'),
      await slugsOf(ask, `categories=${encodeURIComponent('Other & more')}`),
      await tried(ask, 'GET', 'events?tags=Nobody'),
    ],
    plugin: [[], [], '400 rest_invalid_param'],
    documented: [['half-way-down'], ['half-way-down'], '400 rest_invalid_param'],
  }),
  'upcoming-looks-at-first-page': proof({
    ask: async ({ get }) => {
      const { venues } = (await get<VenueList>('venues?only_with_upcoming=1&per_page=50')).body;
      const { organizers } = (await get<OrganizerList>('organizers?only_with_upcoming=true&per_page=50')).body;
      return [...venues, ...organizers].map(({ slug }) => slug);
    },
    // The first ten are at noon on the first of July, and at no place.
    plugin: [],
    documented: [
      // At ten of this morning, when the UTC clock is at noon and the one on the wall at half past nine; not that of nine.
      'only-a-name',
      'greenwich',
      'null-island',
      'taveuni-west',
      'taveuni-east',
      'south-pole',
      'beyond-the-pole',
      'north-pole',
      'locked-hall',
      'open-hall',
      ...Array.from({ length: 12 }, (_, index) => `guild-${String(12 - index).padStart(2, '0')}`),
      'locked-guild',
      'open-guild',
    ],
  }),
  'empty-search-counts-everything': proof({
    ask: async ({ get }) => {
      const totals = async (query: string): Promise<number[]> => {
        const { body, headers } = await get<VenueList>(query);
        return [body.venues.length, body.total, body.total_pages, Number(headers.get('x-tec-total'))];
      };
      return [await totals('venues?search=nothing-is-called-so'), await totals('venues?search=hidden-way')];
    },
    plugin: [
      [0, 12, 2, 12],
      [0, 12, 2, 12],
    ],
    documented: [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  }),
  'geoloc-is-ignored': proof({
    ask: async (ask) => [
      await slugsOf(ask, `venue=${(await ids(ask, 'south-pole'))[0]}&geoloc=true&geoloc_lat=90&geoloc_lng=0`),
      (await slugsOf(ask, 'categories=places&geoloc=true')).length,
      (await slugsOf(ask, 'categories=places&geoloc=true&geoloc_lat=-16.8&geoloc_lng=180')).length,
      await tried(ask, 'GET', 'events?geoloc=true&geoloc_lat=50'),
    ],
    plugin: [['at-south-pole'], 10, 10, '200'],
    documented: [[], 7, 2, '400 rest_invalid_param'],
  }),
  'coordinates-are-hidden': proof({
    ask: async (ask) => {
      const { geo_lat, geo_lng, json_ld } = (await ask.get<Venue>('venues/by-slug/open-hall')).body;
      const within = (await event(ask, 'at-open-hall')).venue as Venue;
      return [geo_lat, geo_lng, json_ld?.geo, within.geo_lat];
    },
    plugin: [undefined, undefined, undefined, undefined],
    documented: [50.9413, 6.9583, { '@type': 'GeoCoordinates', latitude: 50.9413, longitude: 6.9583 }, 50.9413],
  }),
  'ticketed-needs-plugin': proof<unknown[]>({
    ask: async (ask) => [
      await tried(ask, 'GET', 'events?ticketed=true'),
      await tried(ask, 'GET', 'events?ticketed=perhaps'),
      await slugsOf(ask, 'categories=tickets&ticketed=0'),
    ],
    plugin: [
      '400 rest_invalid_param',
      '400 rest_invalid_param',
      ['with-tickets', 'with-ticket-provider', 'without-tickets', 'with-tickets-and-cost'],
    ],
    documented: ['200', '400 rest_invalid_param', ['without-tickets']],
  }),
  'next-pages-forget-filters': proof({
    ask: async (ask) => {
      const nextOf = async (query: string): Promise<string[]> => {
        const { body } = await ask.get<EventList>(query);
        const given = new URL(body.next_rest_url ?? 'http://none').searchParams;
        return ['categories', 'tags', 'strict_dates', 'search', 'only_with_upcoming'].filter((name) => given.has(name));
      };
      return [
        await nextOf('events?per_page=1&categories=statuses,passwords&strict_dates=true'),
        await nextOf('events?per_page=1&tags=free'),
        await nextOf('venues?per_page=1&search=a'),
        await nextOf('organizers?per_page=1&only_with_upcoming=true'),
        await nextOf('events?per_page=1'),
      ];
    },
    plugin: [[], [], [], [], []],
    documented: [['categories', 'strict_dates'], ['tags'], ['search'], ['only_with_upcoming'], []],
  }),
  'status-any-is-refused': proof({
    ask: async (ask) => {
      const { body } = await ask.get<EventList>('events?per_page=1', 'admin');
      const next = body.next_rest_url?.replace(/^.*\/events\/\?/, 'events?') ?? '';
      return [
        next.includes('&status=any&'),
        await tried(ask, 'GET', next, 'admin'),
        await tried(ask, 'GET', next),
        await tried(ask, 'GET', 'venues?status=any,trash', 'admin'),
        await tried(ask, 'GET', 'venues?status=anything', 'admin'),
      ];
    },
    plugin: [true, ...Array<string>(4).fill('400 rest_invalid_param')],
    documented: [true, '200', '400 rest_invalid_param', '200', '400 rest_invalid_param'],
  }),
  'strict-dates-takes-text': proof({
    ask: async (ask) => {
      const route = `events?categories=days&start_date=${encodeURIComponent('2026-08-02 00:00:00')}&end_date=${encodeURIComponent('2026-08-03 00:00:00')}`;
      const sent = async (value: unknown): Promise<string> => {
        const { status, json } = await ask.raw(route, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ strict_dates: value }),
        });
        return status === 200 ? (json as EventList).events.map(({ slug }) => slug).join(' ') : outcome(status, json as ErrorBody);
      };
      return [
        await sent('true'),
        await sent(true),
        await sent(1),
        await sent(false),
        await sent(0),
        await tried(ask, 'GET', 'events?strict_dates=0'),
        await tried(ask, 'GET', 'events?strict_dates='),
        await sent(['true']),
      ];
    },
    plugin: ['over-midnight from-midnight', ...Array<string>(7).fill('400 rest_invalid_param')],
    documented: [
      'over-midnight from-midnight',
      'over-midnight from-midnight',
      'over-midnight from-midnight',
      'from-midnight no-time-at-all',
      'from-midnight no-time-at-all',
      '200',
      '200',
      '400 rest_invalid_param',
    ],
  }),
  'venue-list-is-refused': proof({
    writes: true,
    ask: async (ask) => {
      const [open, greenwich] = await ids(ask, 'open-hall', 'greenwich');
      const place = async (venue: unknown): Promise<unknown> => {
        const { status, body } = await newEvent(ask, { venue });
        return status === 201 ? [body.venue].flat().map(({ slug }) => slug) : outcome(status, body as unknown as ErrorBody);
      };
      return [
        await place(open),
        await place([open]),
        await place([open, greenwich]),
        await place([{ venue: 'New Hall' }]),
        await place(`${open},${greenwich}`),
      ];
    },
    plugin: [['open-hall'], ...Array<string>(4).fill('400 could-not-create-venue')],
    documented: [['open-hall'], ['open-hall'], ['open-hall', 'greenwich'], ['new-hall'], '400 could-not-create-venue'],
  }),
  'existing-tag-becomes-its-id': proof({
    writes: true,
    ask: async (ask) => {
      const id = await tagId(ask, 'free');
      const tags = async (given: unknown): Promise<string[]> =>
        (await newEvent(ask, { tags: given })).body.tags.map(({ slug }) => (slug === String(id) ? 'its id' : slug));
      return [await tags(['free']), await tags('FREE,Brand new'), await tags([id])];
    },
    // By id it is itself at first, and the tag called so once there is one.
    plugin: [['its id'], ['its id', 'brand-new'], ['its id']],
    documented: [['free'], ['brand-new', 'free'], ['free']],
  }),
  'bad-input-is-server-error': proof({
    writes: true,
    ask: async (ask) => {
      const tag = await tagId(ask, '2026');
      return [
        await tried(ask, 'POST', 'events', 'admin', { title: ' ', ...DATES }),
        await tried(ask, 'POST', 'tags', 'admin', { name: ' ' }),
        await tried(ask, 'POST', 'tags', 'admin', { name: '<p></p>' }),
        await tried(ask, 'POST', 'categories', 'admin', { name: 'x'.repeat(201) }),
        await tried(ask, 'POST', `tags/${tag}`, 'admin', { slug: 'free' }),
      ];
    },
    plugin: ['500 empty_content', '500 empty_term_name', '500 invalid_term_name', '500 db_insert_error', '500 duplicate_term_slug'],
    documented: ['400 empty_content', '400 empty_term_name', '400 invalid_term_name', '400 db_insert_error', '400 duplicate_term_slug'],
  }),
  'by-slug-checks-general-right': proof({
    writes: true,
    ask: async (ask) => [
      await tried(ask, 'POST', 'events/by-slug/series', 'contributor', { title: 'Mine' }),
      await tried(ask, 'DELETE', 'events/by-slug/series-part-one', 'author'),
      await tried(ask, 'POST', 'venues/by-slug/greenwich', 'author', { city: 'London' }),
      await tried(ask, 'DELETE', 'organizers/by-slug/guild-12', 'author'),
      await tried(ask, 'DELETE', 'events/by-slug/draft-with-a-slug', 'author'),
      await tried(ask, 'DELETE', 'events/by-slug/series-part-two', 'subscriber'),
      await tried(ask, 'DELETE', 'events/by-slug/series-part-two'),
    ],
    plugin: ['200', '200', '200', '200', '200', '403 rest_forbidden', '401 rest_forbidden'],
    documented: [...Array<string>(4).fill('403 rest_forbidden'), '200', '403 rest_forbidden', '401 rest_forbidden'],
  }),
  'author-is-not-checked': proof({
    writes: true,
    ask: async (ask) => {
      const under = async (as: Login, author: number, kind = 'events', body: object = { title: 'New', ...DATES }): Promise<string> => {
        const answer = await ask.post<Event & ErrorBody>(kind, { ...body, author }, as);
        return answer.status === 201 ? answer.body.author : outcome(answer.status, answer.body);
      };
      return [
        await under('author', 1),
        await under('contributor', 1, 'venues', { venue: 'New hall' }),
        await under('contributor', 1, 'organizers', { organizer: 'New guild' }),
        await under('author', 3),
        await under('editor', 1),
      ];
    },
    plugin: ['1', '1', '1', '3', '1'],
    documented: [...Array<string>(3).fill('403 rest_cannot_edit_others'), '3', '1'],
  }),
  'lists-show-what-one-may-not-read': proof({
    ask: async (ask) => {
      const titles = async (status: string, as: Login): Promise<string[]> =>
        (await ask.get<EventList>(`events?categories=statuses&status=${status}`, as)).body.events.map(({ title }) => title);
      const { venues } = (await ask.get<VenueList>('venues?status=draft,private', 'contributor')).body;
      return [
        await titles('draft,private', 'contributor'),
        await titles('trash', 'contributor'),
        await titles('draft,private', 'editor'),
        venues.map(({ slug }) => slug),
      ];
    },
    plugin: [
      ['Draft without a slug', 'Draft with a slug', 'Private event'],
      ['Trashed event'],
      ['Draft without a slug', 'Draft with a slug', 'Private event'],
      ['private-hall', 'nameless-draft-hall', 'draft-hall'],
    ],
    documented: [['Draft without a slug'], [], ['Draft without a slug', 'Draft with a slug', 'Private event'], []],
  }),
  'lists-follow-unreadable-events': proof({
    ask: async (ask) => {
      const slugs = async (list: 'venues' | 'categories', slug: string, as?: Login): Promise<string[]> => {
        const { body } = await ask.get<{ id: number }>(`events/by-slug/${slug}?context=edit`, 'admin');
        const answer = await ask.get<Record<string, { slug: string }[]>>(`${list}?event=${body.id}`, as);
        return (answer.body[list] ?? []).map((item) => item.slug);
      };
      return [
        await slugs('categories', 'draft-deep-down'),
        await slugs('categories', 'draft-deep-down', 'admin'),
        await slugs('venues', 'locked-event'),
        await slugs('venues', 'locked-event', 'editor'),
        await slugs('categories', 'private-event', 'author'),
      ];
    },
    plugin: [['level-4'], ['level-4'], ['open-hall'], ['open-hall'], ['statuses']],
    documented: [[], ['level-4'], [], ['open-hall'], []],
  }),
  'linked-posts-ignore-status': proof({
    ask: async (ask) => {
      const linked = async (as?: Login): Promise<(string | undefined)[]> => {
        const { venue, organizer } = await event(ask, 'with-a-draft-venue', as);
        return [...[venue].flat(), ...organizer].map(({ slug }) => slug);
      };
      return [await linked(), await linked('author'), await linked('admin')];
    },
    plugin: Array<string[]>(3).fill(['draft-hall', 'trashed-guild__trashed', 'private-guild', 'open-guild']),
    documented: [['open-guild'], ['draft-hall', 'open-guild'], ['draft-hall', 'trashed-guild__trashed', 'private-guild', 'open-guild']],
  }),
  'duplicates-overwrite-others': proof({
    writes: true,
    ask: async (ask) => {
      const [id] = await ids(ask, 'only-a-name');
      const again = await ask.post<Venue>('venues', { venue: 'Only a Name', city: 'Elsewhere' }, 'author');
      await newEvent(ask, { organizer: [{ organizer: 'Guild 1', phone: '666' }] }, 'contributor');
      const unread = await ask.post<Venue>('venues', { venue: 'Private Hall' }, 'contributor');
      return [
        again.status,
        again.body.id === id,
        (await ask.get<Venue>(`venues/${id}`)).body.city,
        (await ask.get<Organizer>('organizers/by-slug/guild-01')).body.phone,
        // Saying its name is no way to see what one may not read.
        unread.body.status,
      ];
    },
    plugin: [201, true, 'Elsewhere', '666', 'private'],
    documented: [201, true, undefined, undefined, 'draft'],
  }),
  'search-looks-behind-passwords': proof({
    ask: async (ask) => {
      const venues = await ask.get<VenueList>('venues?search=kumquat');
      const organizers = await ask.get<OrganizerList>('organizers?search=kumquat');
      const signedIn = await ask.get<VenueList>('venues?search=kumquat', 'editor');
      return [venues.body.venues.length, organizers.body.organizers.length, signedIn.body.venues.length];
    },
    plugin: [1, 1, 1],
    documented: [0, 0, 1],
  }),
  'protected-meta-is-shown': proof({
    ask: async (ask) => {
      const [hall] = await ids(ask, 'locked-hall');
      const guild = (await ask.get<Organizer>('organizers/by-slug/locked-guild')).body.id;
      const showsMeta = async (route: string, as?: Login): Promise<boolean> => {
        const { meta } = (await ask.get<{ meta: Record<string, unknown> }>(`/wp/v2/${route}`, as)).body;
        return Object.values(meta).some((value) => typeof value === 'string' && value !== '');
      };
      return [
        await showsMeta(`tribe_venue/${hall}`),
        await showsMeta(`tribe_organizer/${guild}`),
        await showsMeta(`tribe_venue/${hall}?context=edit`, 'editor'),
      ];
    },
    plugin: [true, true, true],
    documented: [false, false, true],
  }),
  'links-lead-to-refusals': proof({
    writes: true,
    ask: async (ask) => {
      const leads = async (route: string, relation: string, as?: Login): Promise<string> => {
        const { _links: links = {} } = (await ask.get<{ _links?: Record<string, { href: string }[]> }>(`/wp/v2/${route}`, as)).body;
        if (!Object.hasOwn(links, relation)) return 'nowhere';
        return tried(ask, 'GET', links[relation][0].href.replace(/^.*\/wp-json/, ''), as);
      };
      const [{ id }] = (await ask.get<VenueList>('venues')).body.venues;
      const history = (as?: Login): Promise<string> => leads(`tribe_venue/${id}`, 'version-history', as);
      const page = async (body: object): Promise<number> => (await ask.post<{ id: number }>('/wp/v2/pages', body, 'admin')).body.id;
      const below = await page({ title: 'Below', status: 'publish', parent: await page({ title: 'Above' }) });
      return [
        [await history(), await history('author'), await history('editor')],
        [await leads('types/wp_block', 'wp:items'), await leads('types/tribe_events', 'wp:items')],
        [await leads('statuses/tribe-ignored', 'archives'), await leads('statuses/publish', 'archives')],
        [await leads(`pages/${below}`, 'up'), await leads(`pages/${below}`, 'up', 'editor')],
      ];
    },
    plugin: [
      ['401 rest_cannot_read', '403 rest_cannot_read', '200'],
      ['501 understudy_not_built', '200'],
      ['400 rest_invalid_param', '200'],
      ['401 rest_forbidden', '200'],
    ],
    documented: [
      ['nowhere', 'nowhere', '200'],
      ['nowhere', '200'],
      ['nowhere', '200'],
      ['nowhere', '200'],
    ],
  }),
  'venues-have-no-pages': proof({
    ask: async ({ get, page }) => {
      const [{ id }] = (await get<VenueList>('venues')).body.venues;
      const answers = await Promise.all(['/venue/no-such-venue/', '/organizer/nobody/', `/?post_type=tribe_venue&p=${id}`].map(page));
      return answers.map(({ status }) => status);
    },
    plugin: [200, 200, 404],
    documented: [404, 404, 301],
  }),
  'ical-lists-stop-at-thirty': proof({
    ask: async (ask) => (await lines(ask, '/events/?ical=1', 'BEGIN:VEVENT')).length > 30,
    plugin: false,
    documented: true,
  }),
  'ical-all-day-is-timed': proof({
    writes: true,
    ask: async (ask) => {
      const { body } = await newEvent(ask, { all_day: true, timezone: 'Europe/Paris' });
      return lines(ask, `/event/${body.slug}/?ical=1`, 'DTSTART;', 'DTEND;');
    },
    plugin: ['DTSTART;TZID=Europe/Paris:20261110T000000', 'DTEND;TZID=Europe/Paris:20261110T235959'],
    documented: ['DTSTART;VALUE=DATE:20261110', 'DTEND;VALUE=DATE:20261111'],
  }),
  'ical-breaks-the-format': proof({
    ask: async (ask) => {
      const { text } = await ask.page('/event/many-words/?ical=1');
      return [
        await lines(ask, '/event/zone-utc/?ical=1', 'DTSTART;', 'DTSTART:2026'),
        text.split('\r\n').some((line) => Buffer.byteLength(line) > 75),
        text.endsWith('END:VCALENDAR\r\n'),
      ];
    },
    plugin: [['DTSTART;TZID=UTC:20260701T120000'], true, false],
    documented: [['DTSTART:20260701T120000Z'], false, true],
  }),
  'ical-of-anything-is-a-list': proof({
    ask: async (ask) => [
      (await ask.page('/event/series/?ical=0')).headers['content-type'],
      (await lines(ask, '/event/series/?ical=yes', 'UID')).length === 1,
      (await ask.page('/event/no-such-event/?ical=1')).status,
    ],
    plugin: ['text/calendar; charset=UTF-8', false, 200],
    documented: ['text/html; charset=UTF-8', true, 404],
  }),
  'ical-of-venues-is-general': proof({
    ask: async (ask) => [
      (await lines(ask, '/venue/only-a-name/?ical=1', 'UID')).length === 1,
      (await lines(ask, '/organizer/guild-12/?ical=1', 'UID')).length === 1,
    ],
    plugin: [false, false],
    documented: [true, true],
  }),
  'ical-of-nothing-is-a-page': proof({
    ask: (ask) => lines(ask, '/events/1600-01/?ical=1', 'END:VCALENDAR'),
    plugin: ['text/html'],
    documented: ['END:VCALENDAR'],
  }),
  'ical-borrows-states': proof({
    writes: true,
    ask: async (ask) => {
      const [venue] = await ids(ask, 'united-states');
      await newEvent(ask, { categories: ['order'], venue });
      const places = await lines(ask, '/events/category/order/?ical=1', 'LOCATION');
      return [...new Set(places)];
    },
    plugin: ['LOCATION:CA', 'LOCATION:In the United States\\, CA\\, United States'],
    documented: ['LOCATION:In the United States\\, CA\\, United States'],
  }),
  'ical-shows-what-is-protected': proof({
    ask: async (ask) => [
      (await lines(ask, '/event/locked-event/?ical=1', 'LOCATION', 'ORGANIZER')).length,
      (await lines(ask, '/event/at-locked-places/?ical=1', 'LOCATION')).map((line) => line.includes('Hidden Way')),
    ],
    plugin: [2, [true]],
    documented: [0, [false]],
  }),
  'tec-v1-needs-acknowledgement': proof({
    ask: async (ask) => [await tried(ask, 'GET', '/tec/v1/venues'), await tried(ask, 'GET', '/tec/v1/docs')],
    plugin: ['400 missing_experimental_endpoint_acknowledgement', '200'],
    documented: ['200', '200'],
  }),
  'tec-v1-filters-do-nothing': proof({
    ask: async (ask) => {
      const [{ id }] = (await ask.get<CategoryList>('categories?slug=order')).body.categories;
      const pairs = [
        ['events', `events?categories[]=${id}`],
        ['events?featured=true', 'events?featured=false'],
        ['venues?has_events=true', 'venues?has_events=false'],
        ['venues', 'venues?only_with_upcoming=true'],
      ];
      const answers = pairs.map((pair) => Promise.all(pair.map(async (route) => (await newer(ask, 'GET', route)).total)));
      return (await Promise.all(answers)).map(([first, second]) => first === second);
    },
    plugin: [true, true, true, true],
    documented: [false, false, false, false],
  }),
  'tec-v1-publishes-by-default': proof({
    writes: true,
    ask: async (ask) => {
      const made = await newer(ask, 'POST', 'organizers', 'contributor', { title: 'New' });
      const draft = await newer(ask, 'POST', 'venues', 'admin', { title: 'New', status: 'draft' });
      const changed = await newer(ask, 'PUT', `venues/${draft.body.id}`, 'admin', { title: 'Newer' });
      return [made, draft, changed].map(({ body }) => body.status);
    },
    plugin: ['publish', 'draft', 'publish'],
    documented: ['draft', 'draft', 'draft'],
  }),
  'never-compressed': proof({
    ask: async ({ raw }) => {
      const encodings = ['gzip', 'br', 'identity'];
      const answers = await Promise.all(
        encodings.map((encoding) => raw('events?per_page=50', { headers: { 'accept-encoding': encoding } })),
      );
      return answers.map(({ headers }) => headers['content-encoding'] ?? 'none');
    },
    plugin: ['none', 'none', 'none'],
    documented: ['gzip', 'br', 'none'],
  }),
  'locale-takes-only-user': proof({
    ask: async (ask) => {
      const read = async (query: string): Promise<string | undefined> => described((await ask.raw(`?${query}`)).json);
      return [await read('_locale=de_DE'), await read('_locale=user'), await read('_locale=tlh'), await read('_locale[]=de')];
    },
    plugin: [IN_ENGLISH, IN_ENGLISH, IN_ENGLISH, IN_ENGLISH],
    documented: ['Titel der Veranstaltung.', IN_ENGLISH, IN_ENGLISH, IN_ENGLISH],
  }),
  'no-language-negotiation': proof({
    ask: async (ask) => {
      const { headers, json } = await ask.raw('', { headers: { 'accept-language': 'tlh, pt-PT;q=0.9, en;q=0.5' } });
      return [described(json), headers['content-language'], headers.vary?.includes('Accept-Language')];
    },
    plugin: [IN_ENGLISH, undefined, false],
    documented: ['Título do evento.', 'pt-BR', true],
  }),
  'doc-is-not-openapi': proof({
    ask: async ({ raw }) => {
      const doc = (await raw('doc')).json as { servers: { url: string }[]; paths: Record<string, object> };
      const { valid } = await new Validator().validate(structuredClone(doc));
      return [valid, new URL(doc.servers[0].url).port !== '', Object.keys(doc.paths['/events'])];
    },
    plugin: [false, false, ['get']],
    documented: [true, true, ['get', 'post']],
  }),
  'no-etags': proof({
    ask: async ({ raw }) => {
      const first = await raw('events/by-slug/series');
      const again = await raw('events/by-slug/series', { headers: { 'if-none-match': first.headers.etag ?? 'W/"none"' } });
      const other = await raw('events/by-slug/series', { headers: { 'if-none-match': 'W/"other"' } });
      return [first.headers.etag !== undefined, again.status, again.text === '', other.status];
    },
    plugin: [false, 200, false, 200],
    documented: [true, 304, true, 200],
  }),
};

const alternate = (state: 'on' | 'off', parity: number): string[] =>
  QUIRK_NAMES.map((name, index) => `${name}=${index % 2 === parity ? state : state === 'on' ? 'off' : 'on'}`);

/** Servers that between them have each quirk on and off, with its neighbours alike and not. */
const SERVERS = [
  { what: 'profile tec', options: { profile: 'tec' } },
  { what: 'profile standard', options: { profile: 'standard' } },
  { what: 'profile tec, every other quirk switched off', options: { profile: 'tec', quirks: alternate('on', 0) } },
] as const;

test('every quirk has a proof, and no proof is of none', () => {
  expect(Object.keys(PROOFS).toSorted()).toEqual(Object.keys(QUIRKS).toSorted());
  for (const [name, { plugin, documented }] of Object.entries(PROOFS))
    expect({ name, answer: plugin }).not.toEqual({ name, answer: documented });
});

describe.each(SERVERS)('$what', ({ options }) => {
  const server = startTestServer({ dataset: EDGE, ...options, quirks: 'quirks' in options ? [...options.quirks] : [] });
  const api = edgeApi(server);
  const ask: Ask = {
    ...api,
    raw: (route, given = {}) => send(server().url, `/wp-json/tribe/events/v1/${route}`, given),
    page: (path) => send(server().url, path),
  };
  test.each(QUIRK_NAMES)('%s', async (name) => {
    const { ask: question, plugin, documented, writes } = PROOFS[name];
    const answer = await question(ask);
    if (writes) await server().reset();
    expect(answer).toEqual(server().site.quirks.has(name) ? plugin : documented);
  });
});

describe('an invalid quirk option', () => {
  test.each(['no-such-quirk=on', 'no-etags', 'no-etags=perhaps', '=on', ''])(
    '"%s" is rejected with a list of the valid names',
    async (quirk) => {
      await expect(createServer({ quirks: [quirk] })).rejects.toThrow(
        `invalid quirk ${JSON.stringify(quirk)}. Use NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`,
      );
    },
  );
});
