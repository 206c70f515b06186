import { toStr } from '../../../base/php/cast.js';
import { parseList } from '../../rest/fields.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { Refused, type CallContext, type Json } from '../../rest/route.js';
import { sanitizeTitle } from '../../formatting/slug.js';
import { ATTACHMENT } from '../../model.js';
import type { PostType, Taxonomy } from '../../types/post-type.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';

export const SEARCH_TYPES = ['post', 'term', 'post-format'] as const;

/** WP: only types with pages are searched. */
export const searchedTypes = ({ postTypes }: Registry): PostType[] =>
  postTypes.filter(({ name, viewable }) => viewable && name !== ATTACHMENT);

export const searchedTaxonomies = ({ taxonomies }: Registry): Taxonomy[] => taxonomies.filter(({ isPublic }) => isPublic);

/** Names of the post types and taxonomies that are searched. */
export const searchSubtypes = (registry: Registry): string[] =>
  [...searchedTypes(registry), ...searchedTaxonomies(registry)].map(({ name }) => name);

/** WP: `any` means all, and types that the searched kind does not have are removed from the list. */
function knownSubtypes(value: Json, { request, site: { registry } }: CallContext): string[] | Refused {
  const named = parseList(value).map((text) => sanitizeTitle(text));
  const checked = checkValue(named, { type: 'array', items: { type: 'string', enum: [...searchSubtypes(registry), 'any'] } }, 'subtype');
  if (isRefused(checked)) return new Refused(checked);
  if (named.includes('any')) return ['any'];
  const kinds: Record<string, readonly { name: string }[]> = {
    post: searchedTypes(registry),
    term: searchedTaxonomies(registry),
    'post-format': [],
  };
  const type = toStr(request.get('type'));
  if (!Object.hasOwn(kinds, type))
    return new Refused({ code: 'rest_search_invalid_type', message: 'Invalid type parameter.', data: { status: 400 } });
  const known = kinds[type];
  return named.filter((name) => known.some((kind) => kind.name === name));
}

export const searchArgs = (registry: Registry) => ({
  context: shared.contextOf('view', 'embed'),
  page: shared.page,
  per_page: shared.perPage(10),
  search: shared.search,
  type: shared.choice('Type of the objects to search for.', SEARCH_TYPES, { default: 'post' }),
  subtype: shared.list(
    'Post types or taxonomies to search.',
    { enum: [...searchSubtypes(registry), 'any'], type: 'string' },
    { default: 'any', sanitize: knownSubtypes },
  ),
  exclude: shared.exclude,
  include: shared.include,
});
