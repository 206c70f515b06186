import { EVENT, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { registerIndexes, indexes } from '../../../src/wordpress/indexes.js';
import { readOptions } from '../../../src/wordpress/options.js';
import { withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { matchStage } from '../../../src/wordpress/query/query.js';
import { countedTaxonomies, postTypeOf, taxonomyOf, typesWith } from '../../../src/wordpress/types/registry.js';
import type { Post } from '../../../src/wordpress/model.js';
import type { PostQuery } from '../../../src/wordpress/query/post-query.js';
import { storedPost } from '../../support/posts.js';

const post = (type: string, meta: Record<string, string>): Post =>
  storedPost(1, {
    type,
    title: 'Café ',
    content: 'Text',
    slug: 'cafe',
    meta: Object.entries(meta).map(([key, value]) => ({ key, value })),
  });

test('the plugin adds its types after those of WordPress', () => {
  const names = (quirks: Parameters<typeof typesWith>[1]): string[] => typesWith('post_tag', quirks).map(({ name }) => name);
  expect(names(new Set())).toEqual(['post', EVENT, 'tec_calendar_embed']);
  expect(names(new Set(['no-calendar-embeds']))).toEqual(['post', EVENT]);
  expect(countedTaxonomies()).toEqual(['category', 'post_tag', 'tribe_events_cat']);
});

test('a post has the columns of its type', () => {
  expect(withDerivedColumns(post(VENUE, { _VenueLat: '52.5', _VenueLng: '13.4', _VenueCity: 'Köln' }))).toMatchObject({
    titleKey: 'cafe',
    search: expect.arrayContaining(['koln']),
    location: { type: 'Point', coordinates: [13.4, 52.5] },
  });
  expect(withDerivedColumns(post(EVENT, { _EventVenueID: '7', _tribe_featured: '' }))).toMatchObject({
    venues: [7],
    organizers: [],
    featured: true,
  });
  const blogPost = withDerivedColumns(post('post', { _EventVenueID: '7' }));
  expect(blogPost).not.toHaveProperty('venues');
  expect(blogPost.titleKey).toBe('cafe');
  expect(withDerivedColumns(post('of_another_plugin', {}))).not.toHaveProperty('titleKey');
});

test('settings of the plugin stand beside those of the site; null and false mean not set', () => {
  const options = readOptions({ blogname: 'Name', tribe_events_calendar_options: { eventsSlug: 'kalender', multiDayCutoff: null } });
  expect(options.name).toBe('Name');
  expect(options.calendar).toMatchObject({ eventsSlug: 'kalender', multiDayCutoff: '00:00' });
});

describe('unregistered names throw', () => {
  test('a condition', () => {
    const query = { type: EVENT, statuses: ['publish'], sort: 'newest', limit: 1, offset: 0, speakers: [1] } as PostQuery;
    expect(() => matchStage(query)).toThrow('No clause is registered for speakers.');
  });

  test('a post type, a taxonomy', () => {
    expect(() => postTypeOf('speaker')).toThrow('No post type speaker is registered.');
    expect(() => taxonomyOf('topic')).toThrow('No taxonomy topic is registered.');
  });

  test('indexes, once a store has been opened without them', () => {
    indexes();
    expect(() => registerIndexes({ posts: [], carried: {} })).toThrow('before opening a store');
  });
});
