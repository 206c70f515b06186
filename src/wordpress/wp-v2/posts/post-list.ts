import { absint } from '../../../base/php/cast.js';
import { foldForSearch } from '../../formatting/accents.js';
import { sanitizeSlug } from '../../formatting/sanitize.js';
import { canWithPosts } from '../../users/capabilities.js';
import { ANY_STATUS, ATTACHMENT } from '../../model.js';
import { countPosts, listPosts } from '../../posts/posts.js';
import type { Store } from '../../store.js';
import {
  SEARCH_COLUMNS,
  isOrderColumn,
  type PostQuery,
  type PublishedClause,
  type SearchClause,
  type TermClause,
} from '../../query/post-query.js';
import { isSearched, parseSearch } from '../../query/search.js';
import { findTerms, withDescendants } from '../../terms/terms.js';
import { readSentDate } from '../../rest/posts/dates.js';
import { pagingOf, type PageWanted } from '../../rest/lists.js';
import { readableOf } from '../../rest/posts/readers.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { PostListCall } from './post-args.js';
import { type CallContext, type Json, RestError } from '../../rest/route.js';

type Params = PostListCall['params'];

/** WP: the sign of ids of posts and users is ignored. */
const ids = (sent: number[] = []): number[] | undefined => some(sent.map(absint));

const some = <T>(values: T[]): T[] | undefined => (values.length > 0 ? values : undefined);

/** Filters by features of blog posts and pages (WP). */
function featuresOf({ sticky, include, menu_order: menuOrder, format, parent, parent_exclude }: Params): Partial<PostQuery> {
  // WP: included posts are not excluded, whether sticky or not.
  const leavesOut = sticky === false && include.length === 0;
  return {
    parents: ids(parent),
    excludeParents: ids(parent_exclude),
    menuOrder,
    ...(sticky === true || leavesOut ? { sticky } : {}),
    formats: some(format ?? []),
  };
}

/** The statuses of a list. WP: by default, as on a page of the site: public ones, and private ones for the reader. */
function statusesOf({ name }: RestType, { params: { status }, request }: PostListCall): readonly string[] {
  if (status.length === 0) return name === ATTACHMENT ? ['inherit'] : request.user ? ['publish', 'private'] : ['publish'];
  return status.includes('any') ? [...new Set([...ANY_STATUS, ...status.filter((each) => each !== 'any')])] : status;
}

/** The user whose private posts are in a list without a status; undefined for the private posts of all users. */
const readerOf = (type: RestType, { params, request }: PostListCall): number | undefined =>
  type.name === ATTACHMENT || params.status.length > 0 || canWithPosts(request.user, 'read_private', type) ? undefined : request.user?._id;

const DATE_FILTERS = [
  ['after', 'date', '$gt'],
  ['before', 'date', '$lt'],
  ['modified_after', 'modified', '$gt'],
  ['modified_before', 'modified', '$lt'],
] as const;

const publishedOf = ({ params, site }: PostListCall): PublishedClause[] =>
  DATE_FILTERS.flatMap(([name, column, operator]) => {
    const given = params[name];
    return given === undefined ? [] : [{ column, operator, value: readSentDate(given, false, site).date }];
  });

/** A filter by terms as sent: a list of ids, or a query that says how to combine them. */
async function termClause(value: Json | undefined, taxonomy: string, none: boolean, { site }: CallContext): Promise<TermClause[]> {
  if (value === undefined || value === null || typeof value !== 'object') return [];
  const query = Array.isArray(value) ? { terms: value } : value;
  const wanted = Array.isArray(query.terms) ? query.terms.map(absint) : [];
  if (wanted.length === 0) return [];
  // WP: excluding unknown terms is not a filter, even if combined with OR.
  if (none && !(await findTerms(site.store, wanted)).some((term) => term.taxonomy === taxonomy)) return [];
  const all = query.operator === 'AND' && !none;
  const found = query.include_children === true ? await withDescendants(site.store, taxonomy, wanted) : wanted;
  return [{ taxonomy, ids: found, match: none ? 'none' : all ? 'all' : 'any' }];
}

async function termsOf(type: RestType, context: CallContext): Promise<TermClause[]> {
  const { request } = context;
  const clauses = type.taxonomies.flatMap(({ name, base }) => [
    termClause(request.get(base), name, false, context),
    termClause(request.get(`${base}_exclude`), name, true, context),
  ]);
  return (await Promise.all(clauses)).flat();
}

function searchOf(type: RestType, { search, search_columns: columns, search_semantics }: Params): SearchClause | undefined {
  if (!isSearched(search)) return undefined;
  const isNamed = (column: string): boolean => columns.length === 0 || columns.some((each) => each === column);
  const fields = SEARCH_COLUMNS.flatMap((column, field) => (isNamed(column) ? [field] : []));
  // WP: a search finds attachments by file name, too, in spite of `search_columns`.
  const inFile = type.name === ATTACHMENT;
  return { ...parseSearch(search), fields, exact: search_semantics === 'exact', inFile };
}

/** @throws RestError for an order whose parameter is missing */
export function checkOrder({ orderby, search, include }: Pick<Params, 'orderby' | 'search' | 'include'>): void {
  if (orderby === 'relevance' && !search)
    throw new RestError('rest_no_search_term_defined', 'You need to define a search term to order by relevance.', 400);
  if (orderby === 'include' && include.length === 0)
    throw new RestError('rest_orderby_include_missing_include', 'You need to define an include parameter to order by include.', 400);
}

function orderOf(params: Params, type: RestType): PostQuery['sort'] {
  checkOrder(params);
  const { orderby, search = '', slug = [] } = params;
  const descending = params.order !== 'asc';
  if (type.ownOrder && !isOrderColumn(orderby)) return type.ownOrder;
  if (orderby === 'relevance') return { by: 'relevance', phrase: isSearched(search) ? foldForSearch(search) : '', descending };
  if (orderby === 'include') return { by: 'ids' };
  // WP: without slugs there is no order, and posts are in the order of creation.
  if (orderby === 'include_slugs') return slug.length > 0 ? { by: 'slugs' } : { by: 'id', descending: false };
  return { by: isOrderColumn(orderby) ? orderby : 'date', descending };
}

/** TEC: of older releases. */
const ordersNothing = ({ ownOrder }: RestType, { params: { orderby }, site }: PostListCall): boolean =>
  ownOrder !== undefined && ['include', 'include_slugs'].includes(orderby) && site.quirks.has('order-of-include-finds-nothing');

export interface PostListPlan {
  query: PostQuery;
  paging: PageWanted;
  /** Nothing can match: no query is made. */
  nothing: boolean;
}

/**
 * Converts the parameters of a list of posts to its query.
 * @throws RestError for an order whose parameter is missing
 */
export async function planPosts(type: RestType, call: PostListCall): Promise<PostListPlan> {
  const { params, request } = call;
  const paging = pagingOf(params);
  const include = ids(params.include);
  const leftOut = ids(params.author_exclude);
  const search = searchOf(type, params);
  const query: PostQuery = {
    type: type.name,
    statuses: statusesOf(type, call),
    readableBy: readerOf(type, call),
    // WP: included posts are not excluded.
    ids: include,
    excludeIds: include ? undefined : ids(params.exclude),
    // WP: excluded authors override included ones.
    authors: leftOut ? undefined : ids(params.author),
    excludeAuthors: leftOut,
    slugs: some((params.slug ?? []).map((text) => sanitizeSlug(text, call.site.quirks))),
    published: some(publishedOf(call)),
    terms: some(await termsOf(type, call)),
    anyTaxonomy: request.get('tax_relation') === 'OR' || undefined,
    search,
    withoutPassword: (search !== undefined && request.user === null) || undefined,
    ...featuresOf(params),
    ...type.listClauses?.(call.site.nowLocal),
    ...(await readableOf(type.name, call)),
    sort: orderOf(params, type),
    limit: paging.perPage,
    offset: paging.offset,
  };
  return { query, paging, nothing: query.statuses.length === 0 || ordersNothing(type, call) };
}

/** A page of a list with its totals. @throws RestError for one beyond the last */
export async function pageOfPosts({ query, paging, nothing }: PostListPlan, store: Store) {
  const { page, perPage, skips } = paging;
  const found = nothing ? 0 : await countPosts(store, query);
  // WP: an offset beyond the end has a total of 0.
  const total = skips && query.offset >= found ? 0 : found;
  const pages = Math.ceil(total / perPage);
  if (page > pages && total > 0)
    throw new RestError('rest_post_invalid_page_number', 'The page number requested is larger than the number of pages available.', 400);
  return { posts: total === 0 ? [] : await listPosts(store, query), total, pages, page };
}
