import { createRequire } from 'node:module';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import type { WpApiClient as Base } from './wordpress-api-client-types.js';
import { ascending, credentials, picture, type CalendarEvent, type Deleted, type EventList, type WpPost, type WpTerm } from './support.js';

/**
 * wordpress-api-client: a typed client that sites extend with their post types. It sends `_embed=true&order=asc&per_page=100`, a slash
 * before every query, a JSON content type even without a body, and stray ampersands.
 */

const require = createRequire(import.meta.url);
const { default: WpApiClient } = require('wordpress-api-client') as { default: typeof Base };

const CALENDAR = 'tribe/events/v1/events';

class Client extends WpApiClient {
  events = this.addPostType<WpPost>('wp/v2/tribe_events', false, new URLSearchParams({ per_page: '7' }));
  categories = this.addPostType<WpTerm>('wp/v2/tribe_events_cat', false, new URLSearchParams({ per_page: '2' }));
  venues = this.addPostType<WpPost>('wp/v2/tribe_venue');
  list = this.createEndpointCustomGet<EventList>(`${CALENDAR}/?per_page=100&_embed=true&order=asc&`);
  add = this.createEndpointCustomPost<object, CalendarEvent>(CALENDAR);
  one = this.createEndpointGet<CalendarEvent>(CALENDAR);
  remove = this.createEndpointDelete<CalendarEvent>(CALENDAR);
}

/** Types the result of `create`, which the client leaves open. */
const asEvent = (answer: object | CalendarEvent): CalendarEvent => answer as CalendarEvent;

describe('wordpress-api-client', () => {
  const server = startTestServer({ dataset: WORLD, profile: 'standard' });
  let client: Client;
  const said: string[] = [];

  beforeAll(() => {
    const onError = (message: string): Promise<void> => {
      said.push(message);
      return Promise.resolve();
    };
    client = new Client(server().url, { auth: { type: 'basic', ...credentials('admin') }, onError });
  });

  test.each(['events', 'categories'] as const)('finds all %s across pages', async (kind) => {
    const all = await client[kind].dangerouslyFindAll();
    const response = await fetch(`${server().restUrl}/wp/v2/${kind === 'events' ? 'tribe_events' : 'tribe_events_cat'}?per_page=1`);
    expect(all.length).toBe(Number(response.headers.get('x-wp-total')));
    expect(ascending(all)).toEqual([...new Set(ascending(all))]);
  });

  test('finds several posts by id, with embedded resources', async () => {
    const [first, second] = await client.events.find(80, 31);
    expect([first?.id, second?.id]).toEqual([80, 31]);
    expect(second?._embedded?.['author']).toEqual([expect.objectContaining({ name: expect.any(String) as string })]);
    const venues = await client.venues.find(new URLSearchParams({ include: '12,13', orderby: 'include' }));
    expect(venues.map((venue) => venue?.id)).toEqual([12, 13]);
  });

  test('lists, creates, reads and deletes events of the calendar', async () => {
    const { events, total } = await client.list();
    expect(events.length).toBe(Math.min(total, 50));
    const dates = { start_date: '2026-07-01T18:00:00', end_date: '2026-07-01T20:00:00' };
    const made = asEvent(
      await client.add({ id: 31, title: 'By a client', ...dates, cost: '5', tags: ['live', 'brand new'], acf: { x: 1 } }),
    );
    expect(made).toMatchObject({ title: 'By a client', cost: '$5' });
    expect(made.id).not.toBe(31);
    expect((await client.one(made.id))[0]).toMatchObject({ id: made.id });
    const [removed] = await client.remove(made.id);
    expect(removed).toMatchObject({ id: made.id });
  });

  test('creates, updates and deletes posts in wp/v2', async () => {
    const made = await client.events.create({ title: { raw: 'A draft' }, content: { rendered: 'Text' } });
    expect(made).toMatchObject({ status: 'draft', title: { raw: 'A draft' }, content: { raw: 'Text' } });
    const changed = await client.events.update({ slug: 'a-draft', status: 'publish' }, made?.id ?? 0);
    expect(changed).toMatchObject({ slug: 'a-draft', status: 'publish' });
    const deleted = (await client.events.delete(made?.id ?? 0)) as Deleted<WpPost>[];
    expect(deleted).toMatchObject([{ deleted: true, previous: { id: made?.id } }]);
  });

  test('uploads, describes and deletes an image', async () => {
    const made = await client.media().create('stage.png', await picture(), 'image/png', { alt_text: 'A stage' });
    expect(made).toMatchObject({ alt_text: 'A stage', slug: 'stage', media_type: 'image' });
    await client.media().delete(made.id);
    await expect(client.media().find(made.id)).rejects.toThrow(/Invalid post ID.*404/);
  });

  test('reads the current user, application passwords, settings, types, taxonomies and statuses', async () => {
    const me = await client.user().findMe();
    expect(me).toMatchObject({ id: 1, slug: 'admin' });
    const passwords = client.applicationPassword();
    const made = await passwords.create(1, '5b0d9b7c-9f0d-4b0a-8f5f-0a4a4cf5f0aa', 'A client');
    expect(made.password).toMatch(/^(\w{4} ){5}\w{4}$/);
    const renamed = await passwords.update(1, made.uuid, undefined, 'The client');
    expect([renamed.name, renamed.app_id]).toEqual(['The client', '5b0d9b7c-9f0d-4b0a-8f5f-0a4a4cf5f0aa']);
    expect((await passwords.find(1)).map(({ uuid }) => uuid)).toContain(made.uuid);
    await passwords.delete(1, made.uuid);
    await expect(passwords.find(1, [made.uuid])).rejects.toThrow('404');

    expect(await client.siteSettings().update({ title: 'Renamed' })).toMatchObject({ title: 'Renamed' });
    expect(await client.siteSettings().find()).toMatchObject({ title: 'Renamed' });
    expect(Object.keys(await client.postType())).toEqual(expect.arrayContaining(['tribe_events', 'tribe_venue', 'attachment']));
    expect(await client.taxonomy('tribe_events_cat')).toMatchObject([{ slug: 'tribe_events_cat', hierarchical: true }]);
    expect((await client.search('expo', { subtype: 'tribe_events' })).length).toBeGreaterThan(0);
  });

  test('throws the error message of the server', async () => {
    said.length = 0;
    await expect(client.events.create({})).rejects.toThrow('Content, title, and excerpt are empty.');
    await expect(client.add({ title: 'No dates' })).rejects.toThrow('Missing parameter(s): start_date, end_date');
    expect(said.map((message) => /\((\d+)\)$/.exec(message)?.[1])).toEqual(['400', '400']);
  });
});
