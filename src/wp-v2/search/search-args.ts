import * as shared from '../args.js';

export const SEARCH_TYPES = ['post', 'term', 'post-format'] as const;
export const SEARCH_SUBTYPES = ['post', 'page', 'tribe_events', 'category', 'post_tag', 'tribe_events_cat'];

export const SEARCH_ARGS = {
  context: shared.contextOf('view', 'embed'),
  page: shared.page,
  per_page: shared.perPage(10),
  search: shared.search,
  type: shared.choice('Kind of thing to look for.', SEARCH_TYPES, { default: 'post' }),
  subtype: shared.list('Post types or taxonomies to look in.', { enum: [...SEARCH_SUBTYPES, 'any'], type: 'string' }, { default: 'any' }),
  exclude: shared.exclude,
  include: shared.include,
};
