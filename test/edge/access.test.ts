import type { Login } from '../support/api.js';
import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import { readersOf } from './readers.js';
import type { ErrorBody, Event, Organizer, OrganizerList, VenueList } from '../../src/sdk/types/responses.js';

const tecServer = startTestServer({ dataset: EDGE });
const tec = edgeApi(tecServer);
const standard = edgeApi(startTestServer({ dataset: EDGE, profile: 'standard' }));
const { event, list, slugs, venue, refusal } = readersOf(tec);

describe('post passwords', () => {
  const OPEN = `password=${encodeURIComponent('open sesame')}`;

  test('a list shows only title, URL, dates and ids of a protected event', async () => {
    const { events } = await list('categories=passwords');
    const locked = events.find(({ slug }) => slug === 'locked-event');
    expect(locked).toMatchObject({
      title: 'Locked &#8220;event&#8221;',
      start_date: '2026-07-20 10:00:00',
      date: '2026-06-01 09:00:00',
      description: '',
      excerpt: '',
      cost: '',
      website: '',
      image: false,
      all_day: null,
      show_map: null,
      show_map_link: null,
      hide_from_listings: null,
      sticky: null,
      featured: null,
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
    expect(locked?.url).toMatch(/\/event\/locked-event\/$/);
  });

  test.each(['', '&password=wrong', '&password=Open sesame', '&context=edit'])(
    'a protected event stays protected with "%s"',
    async (extra) => {
      const { events } = await list(`categories=passwords${extra}`);
      expect(events.find(({ slug }) => slug === 'locked-event')?.description).toBe('');
    },
  );

  test('the password, or the edit context for editors, reveals a protected event in a list', async () => {
    for (const { events } of [
      await list(`categories=passwords&${OPEN}`),
      await list('categories=passwords&status=publish&context=edit', 'editor'),
    ]) {
      expect(events.find(({ slug }) => slug === 'locked-event')).toMatchObject({
        description: '<p>A secret kumquat.</p>',
        excerpt: '<p>Kumquat.</p>',
        cost: '$10',
        website: 'https://locked.example.org',
        featured: true,
        sticky: true,
        venue: { slug: 'open-hall' },
      });
    }
  });

  test('a single protected event is rejected without the password, even for administrators', async () => {
    const route = 'events/by-slug/locked-event';
    const refused = [403, 'event-password-protected'];
    expect(await refusal(route)).toEqual(refused);
    expect(await refusal(route, 'admin')).toEqual(refused);
    expect(await refusal(`${route}?password=wrong`)).toEqual(refused);
    expect(await refusal(`${route}?context=edit`, 'subscriber')).toEqual(refused);
    expect((await tec.get<Event>(`${route}?${OPEN}`)).body.description).toBe('<p>A secret kumquat.</p>');
    expect((await tec.get<Event>(`${route}?context=edit`, 'admin')).body.description).toBe('<p>A secret kumquat.</p>');
  });

  test('a protected event that is not public is rejected for its status first', async () => {
    expect(await refusal(`events/by-slug/locked-and-private?${OPEN}`)).toEqual([403, 'event-not-accessible']);
    expect((await tec.get<Event>(`events/by-slug/locked-and-private?${OPEN}`, 'editor')).status).toBe(200);
  });

  test('a password may contain any character', async () => {
    const password = encodeURIComponent("пароль & 'quotes' +%20");
    expect((await tec.get<Event>(`events/by-slug/password-of-signs?password=${password}`)).body.description).toBe('<p>Behind signs.</p>');
  });

  test('anonymous searches skip protected content', async () => {
    expect(await slugs('search=kumquat')).toEqual([]);
    expect(await slugs('search=kumquat', 'subscriber')).toEqual(['locked-event']);
  });

  test('a protected venue hides its name and contact data', async () => {
    const locked = await venue('locked-hall');
    expect(locked).toMatchObject({
      venue: [],
      description: '',
      address: '',
      city: '',
      country: '',
      state: 'Shown',
      show_map: null,
      show_map_link: null,
    });
    expect(locked).not.toHaveProperty('json_ld');
    expect(await venue('locked-hall', `?${OPEN}`)).toMatchObject({
      venue: 'Locked Hall',
      description: '<p>A hidden kumquat.</p>',
      address: '2 Hidden Way',
      city: 'Bonn',
      show_map: true,
    });
  });

  test('a protected venue has zero coordinates', async () => {
    expect(await venue('locked-hall', '', standard)).toMatchObject({ geo_lat: 0, geo_lng: 0 });
    expect(await venue('locked-hall', `?${OPEN}`, standard)).toMatchObject({ geo_lat: 50.7374, geo_lng: 7.0982 });
  });

  test('a protected organizer hides its name and contact data', async () => {
    const { body } = await tec.get<Organizer>('organizers/by-slug/locked-guild');
    expect(body).toMatchObject({ organizer: [], description: '', phone: '', email: '', slug: 'locked-guild' });
    expect(body).not.toHaveProperty('json_ld');
  });

  test('an event omits its protected venue and organizers; their structured data is false', async () => {
    const shown = await event('at-locked-places');
    expect(shown.venue).toMatchObject({ venue: [], address: '' });
    expect(shown.venue).not.toHaveProperty('json_ld');
    expect(shown.organizer.map(({ organizer }) => organizer)).toEqual([[], 'Open &#8220;Guild&#8221;']);
    expect(shown.json_ld).toMatchObject({ location: false, organizer: false });
  });
});

describe('post statuses', () => {
  const EVENTS = [
    ['Draft without a slug', 'draft', ''],
    ['Draft with a slug', 'draft', 'draft-with-a-slug'],
    ['Pending event', 'pending', 'pending-event'],
    ['Private event', 'private', 'private-event'],
    ['Scheduled event', 'future', 'scheduled-event'],
    ['Trashed event', 'trash', 'trashed-event__trashed'],
  ] as const;

  const byTitle = async (title: string, status: string): Promise<Event> => {
    const { events } = await list(`categories=statuses&status=${status}`, 'admin');
    const found = events.find((one) => one.title === title);
    if (!found) throw new Error(`There is no ${title}.`);
    return found;
  };

  test('subscribers and anonymous users see published events', async () => {
    expect(await slugs('categories=statuses')).toEqual(['with-a-draft-venue', 'with-a-private-venue']);
    expect(await refusal('events?status=draft')).toEqual([400, 'rest_invalid_param']);
  });

  test('editors see everything except the trash', async () => {
    const { events } = await list('categories=statuses', 'contributor');
    expect(events.map(({ title }) => title)).toEqual([
      'Draft without a slug',
      'Draft with a slug',
      'Pending event',
      'Private event',
      'Scheduled event',
      'With a draft venue',
      'With a private venue',
    ]);
  });

  test.each(EVENTS)('%s has status %s and slug "%s"', async (title, status, slug) => {
    const shown = await byTitle(title, status);
    expect(shown).toMatchObject({ status, slug });
    expect(shown.date_utc === '0000-00-00 00:00:00').toBe(status === 'draft' || status === 'pending');
    const home = tecServer().url;
    expect(shown.url).toBe(status === 'private' ? `${home}/event/${slug}/` : `${home}/?post_type=tribe_events&p=${shown.id}`);
  });

  test.each<[title: string, status: string, readers: Login[]]>([
    ['Draft without a slug', 'draft', ['admin', 'editor', 'contributor']],
    ['Draft with a slug', 'draft', ['admin', 'editor', 'author']],
    ['Pending event', 'pending', ['admin', 'editor', 'contributor']],
    ['Private event', 'private', ['admin', 'editor']],
    ['Scheduled event', 'future', ['admin', 'editor', 'author']],
  ])('%s (%s) can be read by id only by %j', async (title, status, readers) => {
    const { id } = await byTitle(title, status);
    for (const login of ['admin', 'editor', 'author', 'contributor', 'subscriber', undefined] as const) {
      const { status: answer, body } = await tec.get<ErrorBody>(`events/${id}`, login);
      const may = login !== undefined && readers.includes(login);
      expect({ login, answer }).toEqual({ login, answer: may ? 200 : 403 });
      if (!may) expect(body.code).toBe('event-not-accessible');
    }
  });

  test('a trashed event is gone (410) for everyone', async () => {
    const { id } = await byTitle('Trashed event', 'trash');
    for (const login of ['admin', 'author', undefined] as const)
      expect(await refusal(`events/${id}`, login)).toEqual([403, 'event-no-longer-available']);
    const { status, body } = await tec.delete<ErrorBody>(`events/${id}`);
    expect([status, body.code]).toEqual([410, 'event-is-in-trash']);
  });

  test('lists of venues and organizers follow the rules for events', async () => {
    const venues = async (login?: Login): Promise<(string | undefined)[]> =>
      (await tec.get<VenueList>('venues?per_page=50', login)).body.venues.map(({ slug }) => slug);
    expect(await venues()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(draft|pending|private|scheduled|trashed)-/)]));
    expect(await venues('contributor')).toEqual(expect.arrayContaining(['draft-hall', 'pending-hall', 'private-hall', 'scheduled-hall']));
    expect(await venues('contributor')).not.toEqual(expect.arrayContaining([expect.stringMatching(/^trashed-/)]));
    const trashed = await tec.get<OrganizerList>('organizers?status=trash', 'admin');
    expect(trashed.body.organizers.map(({ slug }) => slug)).toEqual(['trashed-guild__trashed']);
  });

  test('a draft venue without a slug gets one', async () => {
    const { body } = await tec.get<VenueList>('venues?status=draft', 'admin');
    expect(body.venues.map(({ slug }) => slug)).toEqual(['nameless-draft-hall', 'draft-hall']);
  });

  test('an event shows its draft venue and organizers to everyone, but their structured data only to users who may read them', async () => {
    const shown = await event('with-a-draft-venue');
    expect(shown.venue).toMatchObject({ slug: 'draft-hall', status: 'draft' });
    expect(shown.venue).not.toHaveProperty('json_ld');
    expect(shown.organizer.map(({ slug, status }) => [slug, status])).toEqual([
      ['trashed-guild__trashed', 'trash'],
      ['private-guild', 'private'],
      ['open-guild', 'publish'],
    ]);
    expect(shown.json_ld).toMatchObject({ location: false, organizer: false });
    expect((await event('with-a-draft-venue', 'subscriber')).json_ld).toMatchObject({
      location: { name: 'Draft Hall' },
      organizer: { name: 'Trashed Guild' },
    });
    expect((await event('with-a-private-venue', 'subscriber')).json_ld).toMatchObject({ location: false, organizer: false });
    expect((await event('with-a-private-venue', 'editor')).json_ld).toMatchObject({
      location: { name: 'Private: Private Hall' },
      organizer: { name: 'Private: Private Guild' },
    });
  });

  test('the standard profile shows only venues and organizers that the user may read', async () => {
    const shown = await event('with-a-draft-venue', undefined, standard);
    expect(shown.venue).toEqual([]);
    expect(shown.organizer.map(({ slug }) => slug)).toEqual(['open-guild']);
    expect(shown.json_ld).not.toHaveProperty('location');
    expect((await event('with-a-private-venue', 'editor', standard)).venue).toMatchObject({ slug: 'private-hall' });
    expect(await slugs('categories=statuses&status=draft', 'author', standard)).toEqual(['draft-with-a-slug']);
  });
});
