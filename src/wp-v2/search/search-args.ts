import { ATTACHMENT } from '../../wp/model.js';
import type { PostType, Taxonomy } from '../../wp/types/post-type.js';
import { allTaxonomies, postTypes } from '../../wp/types/registry.js';
import * as shared from '../args.js';

export const SEARCH_TYPES = ['post', 'term', 'post-format'] as const;

/** WP: only what has pages of its own is searched. */
export const searchedTypes = (): PostType[] => postTypes().filter(({ name, viewable }) => viewable && name !== ATTACHMENT);

export const searchedTaxonomies = (): Taxonomy[] => allTaxonomies().filter(({ isPublic }) => isPublic);

/** Names of the post types and taxonomies that are searched. */
export const searchSubtypes = (): string[] => [...searchedTypes(), ...searchedTaxonomies()].map(({ name }) => name);

export const searchArgs = () => ({
  context: shared.contextOf('view', 'embed'),
  page: shared.page,
  per_page: shared.perPage(10),
  search: shared.search,
  type: shared.choice('Kind of thing to look for.', SEARCH_TYPES, { default: 'post' }),
  subtype: shared.list('Post types or taxonomies to look in.', { enum: [...searchSubtypes(), 'any'], type: 'string' }, { default: 'any' }),
  exclude: shared.exclude,
  include: shared.include,
});
