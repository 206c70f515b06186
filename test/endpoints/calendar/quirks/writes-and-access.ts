import { type QuirkName } from '../../../../src/wordpress/quirks.js';
import type { Login } from '../../../support/api.js';
import type { ErrorBody, Event, EventList, Organizer, OrganizerList, Venue, VenueList } from '../../../../src/sdk/types/responses.js';
import { proof, event, outcome, tried, DATES, newEvent, ids, tagId, type Proof } from './proof.js';

/** Writes, permissions and the visibility of posts. */
export const ACCESS_PROOFS = {
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
    // With the quirk, an id finds its own term at first, but a term with that name once one exists.
    plugin: [['its id'], ['its id', 'brand-new'], ['its id']],
    documented: [['free'], ['brand-new', 'free'], ['free']],
  }),
  'undated-events-have-no-zone': proof({
    writes: true,
    ask: async (ask) => {
      const made = async (meta: object): Promise<unknown[]> => {
        const options = { as: 'admin', body: { title: 'Undated', status: 'publish', meta } } as const;
        const { body } = await ask.call<{ id: number }>('POST', '/wp/v2/tribe_events', options);
        const { timezone, timezone_abbr, start_date, json_ld } = (await ask.get<Event>(`events/${body.id}`)).body;
        return [timezone, timezone_abbr, start_date, json_ld?.startDate];
      };
      const { id } = (await ask.call<{ id: number }>('POST', '/wp/v2/tribe_events', { as: 'admin', body: { title: 'x' } })).body;
      const { start_date, timezone } = (await ask.post<Event>(`events/${id}`, { featured: true }, 'admin')).body;
      return [await made({}), await made({ _EventStartDate: '2026-07-02 10:00:00' }), start_date, timezone];
    },
    plugin: [
      ['', '', null, '2026-06-15T12:00:00-02:30'],
      ['', '', '2026-07-02 10:00:00', '2026-07-02T10:00:00-02:30'],
      '',
      'America/St_Johns',
    ],
    documented: [
      ['America/St_Johns', 'NST', null, ''],
      ['America/St_Johns', 'NDT', '2026-07-02 10:00:00', '2026-07-02T10:00:00-02:30'],
      '',
      'America/St_Johns',
    ],
  }),
  'early-ends-hide-events': proof({
    writes: true,
    ask: async (ask) => {
      const early = { start_date: '2026-07-02 10:00:00', end_date: '2026-07-01 10:00:00' };
      const { status, body } = await newEvent(ask, { title: 'Backwards', ...early });
      const created = status === 201 ? `${body.end_date} ${body.utc_end_date}` : outcome(status, body as unknown as ErrorBody);
      const { body: list } = await ask.get<EventList>('events?search=Backwards&start_date=2026-06-01');
      const { id } = (await newEvent(ask, { title: 'Forwards', ...DATES })).body;
      return [created, list.events.length, await tried(ask, 'POST', `events/${id}`, 'admin', early)];
    },
    plugin: ['2026-07-02 10:00:00 2026-07-01 12:30:00', 0, '200'],
    documented: ['400 rest_invalid_param', 0, '400 rest_invalid_param'],
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
      await tried(ask, 'DELETE', 'events/by-slug/same-title', 'author'),
      await tried(ask, 'POST', 'venues/by-slug/greenwich', 'author', { city: 'London' }),
      await tried(ask, 'DELETE', 'organizers/by-slug/guild-12', 'author'),
      await tried(ask, 'DELETE', 'events/by-slug/draft-with-a-slug', 'author'),
      await tried(ask, 'DELETE', 'events/by-slug/same-title-2', 'subscriber'),
      await tried(ask, 'DELETE', 'events/by-slug/same-title-2'),
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
  'lists-show-private-items': proof({
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
  'saving-publishes-drafts': proof({
    writes: true,
    ask: async (ask) => {
      const { body: venue } = await ask.post<Venue>('venues', { venue: 'Not Yet', status: 'draft' });
      const { body: saved } = await ask.post<Event>('events', { title: 'Early', venue: venue.id, ...DATES }, 'author');
      await ask.post(`events/${saved.id}`, {}, 'author');
      return (await ask.get<Venue>(`venues/${venue.id}`, 'admin')).body.status;
    },
    plugin: 'publish',
    documented: 'draft',
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
        // A venue with this name exists, but the contributor may not read it.
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
        (await ask.get<Venue>(`venues/${hall}`)).body.state,
      ];
    },
    plugin: [true, true, true, 'Shown'],
    documented: [false, false, true, ''],
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
        [await leads('types/wp_template', 'wp:items'), await leads('types/tribe_events', 'wp:items')],
        [await leads('statuses/tribe-ea-success', 'archives'), await leads('statuses/publish', 'archives')],
        [await leads(`pages/${below}`, 'up'), await leads(`pages/${below}`, 'up', 'editor')],
      ];
    },
    plugin: [
      ['401 rest_cannot_read', '403 rest_cannot_read', '200'],
      ['401 rest_cannot_manage_templates', '200'],
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
} satisfies Partial<Record<QuirkName, Proof>>;
