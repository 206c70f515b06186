import { RestResponse, Refused, type CallContext, type Json, type Route, RestError, canEditTerms } from '../../rest/route.js';
import { canDelete, canEdit } from '../../users/capabilities.js';
import { foldForSearch } from '../../formatting/accents.js';
import { POST, ATTACHMENT, type Post, type Term } from '../../model.js';
import { permalink, type KnownPosts } from '../../posts/permalinks.js';
import { countPosts, listPosts, pagesAbove } from '../../posts/posts.js';
import type { PostQuery } from '../../query/post-query.js';
import { shownTitle } from '../../posts/rendered.js';
import { isSearched, parseSearch } from '../../query/search.js';
import { corePath, termUrl, countTerms, listTerms, withAncestors } from '../../terms/terms.js';
import type { TermQuery } from '../../query/term-query.js';
import { listResponse, pagingOf, type PageWanted } from '../../rest/lists.js';
import { allowHints, type PostLink } from '../posts/post-links.js';
import type { EndpointCall } from '../../rest/params.js';
import { toStr } from '../../../base/php/cast.js';
import { parseList } from '../../rest/request.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import type { PostType, Taxonomy } from '../../types/post-type.js';
import type { Registry } from '../../types/registry.js';
import * as shared from '../args.js';
import { described, get, route } from '../declare.js';
import { searchSchema } from '../registry/schemas.js';

const SEARCH_TYPES = ['post', 'term', 'post-format'] as const;

/** WP: only types with pages are searched. */
const searchedTypes = ({ postTypes }: Registry): PostType[] => postTypes.filter(({ name, viewable }) => viewable && name !== ATTACHMENT);

const searchedTaxonomies = ({ taxonomies }: Registry): Taxonomy[] => taxonomies.filter(({ isPublic }) => isPublic);

const searchSubtypes = (registry: Registry): string[] =>
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

const searchArgs = (registry: Registry) => ({
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

type SearchCall = EndpointCall<ReturnType<typeof searchArgs>>;

const some = (ids: number[]): number[] | undefined => (ids.length > 0 ? ids : undefined);

/** The requested subtypes that exist. WP: if none is left, defaults apply. */
function namesOf({ subtype }: SearchCall['params'], known: readonly { name: string }[], otherwise: readonly string[]): readonly string[] {
  const wanted = known.map(({ name }) => name).filter((name) => subtype.includes('any') || subtype.some((each) => each === name));
  return wanted.length > 0 ? wanted : otherwise;
}

function links(self: PostLink, about: string, { site }: CallContext): Json {
  return { self: [self], about: [{ href: site.restUrl(about) }], collection: [{ href: site.restUrl('/wp/v2/search') }] };
}

function presentPost(post: Post, known: KnownPosts, context: CallContext): Json {
  const { site, request } = context;
  const allow = allowHints(canEdit(request.user, post, site.registry), canDelete(request.user, post, site.registry));
  const self = {
    embeddable: true,
    href: site.restUrl(`/wp/v2/${site.registry.postTypeOf(post.type).base}/${post._id}`),
    targetHints: { allow },
  };
  return {
    id: post._id,
    title: shownTitle(post),
    url: permalink(post, site, true, known),
    type: 'post',
    subtype: post.type,
    _links: links(self, `/wp/v2/types/${post.type}`, context),
  };
}

function presentTerm(term: Term, known: Map<number, Term>, context: CallContext): Json {
  const { site, request } = context;
  const mayEdit = canEditTerms(request.user, term.taxonomy, site.registry);
  const self = {
    embeddable: true,
    href: site.restUrl(corePath(term, site.registry)),
    targetHints: { allow: allowHints(mayEdit, mayEdit) },
  };
  return {
    id: term._id,
    title: term.name,
    url: termUrl(term, known, site),
    type: term.taxonomy,
    _links: links(self, `/wp/v2/taxonomies/${term.taxonomy}`, context),
  };
}

interface SearchHits {
  items: Json[];
  total: number;
}

const NOTHING: SearchHits = { items: [], total: 0 };

async function findPosts(context: SearchCall, { perPage, offset }: PageWanted): Promise<SearchHits> {
  const { params, request, site } = context;
  const text = isSearched(params.search) ? params.search : undefined;
  const include = some(params.include);
  // WP: if none of the requested types is left, blog posts are searched, or terms of all taxonomies.
  const type = namesOf(params, searchedTypes(site.registry), [POST]);
  const query: PostQuery = {
    type,
    statuses: ['publish'],
    ids: include,
    excludeIds: include ? undefined : some(params.exclude),
    search: text === undefined ? undefined : { ...parseSearch(text), fields: [0, 1, 2] },
    withoutPassword: (text !== undefined && request.user === null) || undefined,
    sort: text === undefined ? 'newest' : { by: 'relevance', phrase: foldForSearch(text), descending: true },
    ...site.registry.listOfType(type, () => site.nowLocal),
    limit: perPage,
    offset,
  };
  const [posts, total] = await Promise.all([listPosts(site.store, query), countPosts(site.store, query)]);
  const known = await pagesAbove(site.store, posts);
  return { items: posts.map((post) => presentPost(post, known, context)), total };
}

async function findTerms(context: SearchCall, { perPage, offset }: PageWanted): Promise<SearchHits> {
  const { params, site } = context;
  const text = params.search || undefined;
  const include = some(params.include);
  const taxonomies = searchedTaxonomies(site.registry);
  const all = taxonomies.map(({ name }) => name);
  const query: TermQuery = {
    taxonomy: namesOf(params, taxonomies, all),
    search: text === undefined ? undefined : foldForSearch(text),
    include,
    exclude: include ? undefined : some(params.exclude),
    orderBy: 'name',
    descending: false,
    limit: perPage,
    offset,
  };
  const [terms, total] = await Promise.all([listTerms(site.store, query), countTerms(site.store, query)]);
  const known = await withAncestors(site.store, terms);
  return { items: terms.map((term) => presentTerm(term, known, context)), total };
}

const FIND = { post: findPosts, term: findTerms, 'post-format': () => NOTHING };

async function searchAll(context: SearchCall): Promise<RestResponse> {
  const paging = pagingOf(context.params);
  const { items, total } = await FIND[context.params.type](context, paging);
  // WP: on a page beyond the last one, the total is 0 for posts, and complete for terms.
  if (items.length === 0 && total > 0 && context.params.type === 'term')
    throw new RestError('rest_search_invalid_page_number', 'The page number requested is larger than the number of pages available.', 400);
  // WP: the total of an empty page is 0.
  const counted = items.length > 0 ? total : 0;
  const pages = Math.ceil(counted / paging.perPage);
  return listResponse(context, '/wp/v2/search', { items, total: counted, pages, page: paging.page, isLoose: true });
}

/** Routes of the search across kinds of content. */
export const searchRoutes = (registry: Registry): Route[] => [
  described(
    route('/search', get(searchArgs(registry), { permission: 'public', handler: searchAll })),
    searchSchema(SEARCH_TYPES, searchSubtypes(registry)),
  ),
];
