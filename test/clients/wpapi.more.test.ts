import { jest } from '@jest/globals';
import WPAPI, { type Handlers, type Paging, type WpRequest } from 'wpapi';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import {
  ascending,
  credentials,
  picture,
  PROFILES,
  type CalendarEvent,
  type Deleted,
  type EventList,
  type WpPost,
  type WpTerm,
} from './support.js';

/** wpapi (node-wpapi) finds the REST root by a Link header, and generates its methods from the routes of the index. */

const CALENDAR = 'tribe/events/v1';

type Page = { id: number }[] & { _paging?: Paging };

interface Index {
  namespaces: string[];
  routes: Record<string, { namespace: string; endpoints: { args: object }[] }>;
}

describe.each(PROFILES)('wpapi under %s', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile });
  let wp: Handlers;
  let calendar: Handlers;
  let discovered: WPAPI;
  let site: WPAPI;

  /** The routes of the index that this client can parse. It fails on a few of WordPress's own routes, as the test below shows. */
  const readable = ({ routes }: Index): object =>
    Object.fromEntries(
      Object.entries(routes).filter(
        ([route, { namespace }]) => [CALENDAR, 'wp/v2'].includes(namespace) && !/templat|styles|icon/.test(route),
      ),
    );

  beforeAll(async () => {
    const said = ['error', 'warn'].map((name) => jest.spyOn(console, name as 'warn').mockImplementation(() => undefined));
    discovered = await WPAPI.discover(server().url);
    // The same happens with any WordPress since 5.5: the client cuts the regular expression of a core route, and falls back to default
    // routes.
    expect(said.map(({ mock }) => String(mock.calls[0]))).toEqual([
      expect.stringContaining('Invalid regular expression'),
      expect.any(String),
    ]);
    for (const spy of said) spy.mockRestore();
    const index = await discovered.root().get<Index>();
    site = new WPAPI({ endpoint: server().restUrl, routes: readable(index), ...credentials('editor') });
    wp = site.namespace('wp/v2');
    calendar = site.namespace(CALENDAR);
  });

  const walk = async (first: WpRequest): Promise<{ items: { id: number }[]; total: number }> => {
    const items: { id: number }[] = [];
    let total = 0;
    for (let request: WpRequest | undefined = first; request;) {
      const page: Page = await request.get<{ id: number }[]>();
      items.push(...page);
      total = page._paging?.total ?? 0;
      request = page._paging?.next;
    }
    return { items, total };
  };

  test('discovers the REST root from any page', async () => {
    expect(discovered.root('wp/v2').toString()).toBe(`${server().restUrl}/wp/v2`);
    const headers = await discovered.url(`${server().url}/events/`).headers();
    expect(headers).toMatchObject({ link: `<${server().restUrl}/>; rel="https://api.w.org/"`, 'x-tec-api-version': 'v1' });
  });

  test('has a method for each collection', () => {
    expect(Object.keys(calendar)).toEqual(expect.arrayContaining(['events', 'venues', 'organizers', 'categories', 'tags', 'doc']));
    const kinds = [
      'tribe_events',
      'tribe_venue',
      'tribe_organizer',
      'tribe_events_cat',
      'tags',
      'media',
      'users',
      'types',
      'taxonomies',
      'settings',
    ];
    expect(Object.keys(wp)).toEqual(expect.arrayContaining(kinds));
  });

  test.each(['tribe_events', 'tribe_venue', 'tribe_organizer', 'tribe_events_cat', 'tags', 'media'])(
    'reads all pages of wp/v2 %s',
    async (kind) => {
      const { items, total } = await walk(wp[kind]().perPage(3));
      expect(items.length).toBe(total);
      expect(ascending(items)).toEqual([...new Set(ascending(items))]);
      expect(total).toBeGreaterThan(3);
    },
  );

  // TEC: the plugin rejects further pages for users who may edit.
  test.each(profile === 'tec' ? ['nobody'] : ['nobody', 'the editor'])('reads all pages of the calendar as %s', async (who) => {
    const client = who === 'nobody' ? discovered : site;
    const events: CalendarEvent[] = [];
    let next: string | undefined = `${server().restUrl}/${CALENDAR}/events?per_page=20`;
    let total = 0;
    while (next !== undefined) {
      const page: EventList = await client.url(next).get<EventList>();
      events.push(...page.events);
      ({ next_rest_url: next, total } = page);
    }
    expect([events.length, new Set(ascending(events)).size]).toEqual([total, total]);
    expect(total).toBeGreaterThan(20);
  });

  test('creates, reads, updates and deletes an event with an image', async () => {
    const media = await wp
      .media()
      .file(await picture(), 'town hall.png')
      .create<WpPost>({ title: 'Town hall', alt_text: 'A hall', caption: 'At noon' });
    expect(media).toMatchObject({ title: { raw: 'Town hall' }, alt_text: 'A hall', media_details: { width: 320 } });
    expect(media.source_url).toMatch(/\/wp-content\/uploads\/.*\/town-hall\.png$/);

    const dates = { start_date: '2026-07-01 18:00:00', end_date: '2026-07-01 20:00:00' };
    const made = await calendar
      .events()
      .create<CalendarEvent>({ title: 'Made by wpapi', ...dates, image: String(media.id), categories: [2], cost: 12 });
    expect(made).toMatchObject({ slug: 'made-by-wpapi', status: 'publish', cost: '$12', image: { id: media.id, url: media.source_url } });

    const shown = await wp.tribe_events().id(made.id).embed().get<WpPost>();
    expect([shown.title.rendered, shown._embedded?.['wp:featuredmedia'][0].source_url]).toEqual(['Made by wpapi', media.source_url]);
    const changed = await calendar.events().id(made.id).update<CalendarEvent>({ id: made.id, title: 'Changed by wpapi' });
    expect([changed.id, changed.title]).toEqual([made.id, 'Changed by wpapi']);
    const [bySlug] = await wp.tribe_events().slug('made-by-wpapi').get<WpPost[]>();
    expect(bySlug.id).toBe(made.id);

    expect(await calendar.events().id(made.id).delete<CalendarEvent>()).toMatchObject({ id: made.id });
    expect(await wp.tribe_events().id(made.id).edit().get<WpPost>()).toMatchObject({ status: 'trash' });
    const gone = await wp.tribe_events().id(made.id).delete<Deleted<WpPost>>({ force: true });
    expect([gone.deleted, gone.previous.id]).toEqual([true, made.id]);
    expect((await wp.media().id(media.id).delete<Deleted<WpPost>>({ force: true })).deleted).toBe(true);
    await expect(wp.tribe_events().id(made.id).get()).rejects.toMatchObject({ code: 'rest_post_invalid_id', data: { status: 404 } });
  });

  test('creates, updates and deletes terms, drafts and venues in wp/v2', async () => {
    const tag = await wp.tags().create<WpTerm>({ name: 'From wpapi' });
    expect(await wp.tags().id(tag.id).update<WpTerm>({ name: 'Still from wpapi' })).toMatchObject({
      name: 'Still from wpapi',
      slug: 'from-wpapi',
    });
    const draft = await wp.tribe_events().create<WpPost>({ title: 'A draft', content: 'Text', tags: [tag.id] });
    expect(draft).toMatchObject({ status: 'draft', tags: [tag.id], content: { raw: 'Text', rendered: '<p>Text</p>\n' } });
    // TEC: an event created through `wp/v2` has no occurrence, so lists do not contain it.
    const drafts = await wp.tribe_events().status(['draft', 'pending']).param('tags', tag.id).get<WpPost[]>();
    expect(drafts.map(({ id }) => id)).toEqual([]);
    const venue = await wp.tribe_venue().create<WpPost>({ title: 'A hall', status: 'publish' });
    expect(await calendar.venues().id(venue.id).get()).toMatchObject({ venue: 'A hall', slug: 'a-hall' });
    for (const request of [wp.tribe_venue().id(venue.id), wp.tribe_events().id(draft.id), wp.tags().id(tag.id)])
      expect((await request.delete<Deleted<unknown>>({ force: true })).deleted).toBe(true);
  });

  test('reads the current user and gets an error for what it may not do', async () => {
    expect(await wp.users().me().get()).toMatchObject({ slug: 'editor' });
    await expect(wp.settings().get()).rejects.toMatchObject({ code: 'rest_forbidden', data: { status: 403 } });
    await expect(wp.media().id(4).delete()).rejects.toMatchObject({ code: 'rest_trash_not_supported', data: { status: 501 } });
    const nobody = new WPAPI({ endpoint: server().restUrl, username: 'editor', password: 'wrong wrong' });
    await expect(nobody.root('wp/v2/users/me').get()).rejects.toMatchObject({
      code: 'incorrect_password',
    });
  });

  test('creates a method from a single route', async () => {
    const bySlug = discovered.registerRoute(CALENDAR, 'events/by-slug/(?P<slug>[^/]+)', { params: ['_fields'] });
    const event = (await calendar.events().perPage(1).get<EventList>()).events[0];
    expect(await bySlug.call(discovered).bySlug(event.slug).param('_fields', 'id,title').get()).toEqual({
      id: event.id,
      title: event.title,
    });
  });
});
