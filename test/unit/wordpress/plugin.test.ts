import { EVENT, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { readOptions } from '../../../src/wordpress/options.js';
import { withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { matchStage } from '../../../src/wordpress/query/query.js';
import { registryOf } from '../../../src/plugins/register.js';
import type { QuirkName } from '../../../src/wordpress/quirks.js';
import type { Post } from '../../../src/wordpress/model.js';
import type { PostQuery } from '../../../src/wordpress/query/post-query.js';
import { storedPost } from '../../support/posts.js';
import { registry } from '../../support/registry.js';

const post = (type: string, meta: Record<string, string>): Post =>
  storedPost(1, {
    type,
    title: 'Café ',
    content: 'Text',
    slug: 'cafe',
    meta: Object.entries(meta).map(([key, value]) => ({ key, value })),
  });

test('the plugin adds its types after those of WordPress', () => {
  const names = (quirks: ReadonlySet<QuirkName>): string[] => registry.typesWith('post_tag', quirks).map(({ name }) => name);
  expect(names(new Set())).toEqual(['post', EVENT, 'tec_calendar_embed']);
  expect(names(new Set(['no-calendar-embeds']))).toEqual(['post', EVENT]);
  expect(registry.countedTaxonomies).toEqual(['category', 'post_tag', 'tribe_events_cat']);
});

test('a post has the columns of its type', () => {
  expect(withDerivedColumns(post(VENUE, { _VenueLat: '52.5', _VenueLng: '13.4', _VenueCity: 'Köln' }), registry)).toMatchObject({
    titleKey: 'cafe',
    search: expect.arrayContaining(['koln']),
    location: { type: 'Point', coordinates: [13.4, 52.5] },
  });
  expect(withDerivedColumns(post(EVENT, { _EventVenueID: '7', _tribe_featured: '' }), registry)).toMatchObject({
    venues: [7],
    organizers: [],
    featured: true,
  });
  const blogPost = withDerivedColumns(post('post', { _EventVenueID: '7' }), registry);
  expect(blogPost).not.toHaveProperty('venues');
  expect(blogPost.titleKey).toBe('cafe');
  expect(withDerivedColumns(post('of_another_plugin', {}), registry)).not.toHaveProperty('titleKey');
});

test('settings of the plugin stand beside those of the site; null and false mean not set', () => {
  const stored = { blogname: 'Name', tribe_events_calendar_options: { eventsSlug: 'kalender', multiDayCutoff: null } };
  const options = readOptions(stored, registry.optionReaders);
  expect(options.name).toBe('Name');
  expect(options.calendar).toMatchObject({ eventsSlug: 'kalender', multiDayCutoff: '00:00' });
});

describe('unregistered names throw', () => {
  test('a condition', () => {
    const query = { type: EVENT, statuses: ['publish'], sort: 'newest', limit: 1, offset: 0, speakers: [1] } as PostQuery;
    expect(() => matchStage(query, registry.queries)).toThrow('No clause is registered for speakers.');
  });

  test('a post type, a taxonomy', () => {
    expect(() => registry.postTypeOf('speaker')).toThrow('No post type speaker is registered.');
    expect(() => registry.taxonomyOf('topic')).toThrow('No taxonomy topic is registered.');
  });

  test('a plugin', async () => {
    const unknown = registryOf(['the-event-calendar']);
    await expect(unknown).rejects.toThrow('There is no plugin the-event-calendar. Did you mean "the-events-calendar"?');
  });
});

describe('a registry without plugins', () => {
  test('has nothing of a plugin, and is not changed by one', async () => {
    const bare = await registryOf([]);
    expect(bare.postTypes.map(({ name }) => name)).not.toContain(EVENT);
    expect(bare.families).toEqual(['posts']);
    expect(bare.countedTaxonomies).toEqual(['category', 'post_tag']);
    expect(bare.sharedMeta).toEqual([]);
    expect(Object.keys(bare.queries.columnKinds)).not.toContain('occurrence.start');
    expect(bare.indexes.posts.map(({ name }) => name)).not.toContain('events_by_start');
    expect(readOptions({}, bare.optionReaders)).not.toHaveProperty('calendar');
    expect(withDerivedColumns(post(EVENT, { _EventVenueID: '7' }), bare)).not.toHaveProperty('venues');
  });

  test('sites with the same plugins share a registry', async () => {
    expect(await registryOf(['the-events-calendar'])).toBe(registry);
    expect(await registryOf([])).toBe(await registryOf([]));
    expect(await registryOf([])).not.toBe(registry);
  });
});
