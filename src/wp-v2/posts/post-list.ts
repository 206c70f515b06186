import { absint, intval, toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import { foldForSearch } from '../../wp/formatting/accents.js';
import { sanitizeTitle } from '../../wp/formatting/slug.js';
import { canWithPosts } from '../../wp/users/capabilities.js';
import { ANY_STATUS, ATTACHMENT } from '../../wp/model.js';
import { EVENT } from '../../tec/index.js';
import {
  ORDER_COLUMNS,
  SEARCH_COLUMNS,
  type PostOrder,
  type PostQuery,
  type PublishedClause,
  type SearchClause,
  type TermClause,
} from '../../wp/query/query.js';
import { parseSearch } from '../../wp/query/search.js';
import { findTerms, withDescendants } from '../../wp/terms.js';
import { checkValue, isRefused } from '../../rest/check.js';
import { parseList } from '../../rest/fields.js';
import { LISTED_STATUSES } from '../args.js';
import { readDate } from '../../rest/dates.js';
import { pagingOf, type Paging } from '../../rest/lists.js';
import type { PostType } from '../../rest/posts/post-types.js';
import { Refused, type CallContext, type Json } from '../../rest/route.js';
import type { RestRequest } from '../../rest/request.js';

const numbers = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** WP: of ids of posts and of users only the size counts. */
const ids = (value: Json | undefined): number[] => numbers(value).map(absint);

const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(toStr) : []);

const some = <T>(values: T[]): T[] | undefined => (values.length > 0 ? values : undefined);

/**
 * The statuses of a list, cleaned. WP: `publish` is everybody's; the others are for those who may edit, private ones also for those
 * who may read them; each is then looked up by itself.
 * @param usual the status that is everybody's
 * @param known all that there are
 * @param type post type whose capabilities count
 */
export function cleanStatuses(
  value: Json,
  { request: { user } }: CallContext,
  usual = 'publish',
  known: readonly string[] = LISTED_STATUSES,
  type: string = EVENT,
): Json | Refused {
  const statuses = parseList(value).map(sanitizeTitle);
  for (const status of statuses) {
    if (status === usual) continue;
    if (!canWithPosts(user, 'edit', type) && !(status === 'private' && canWithPosts(user, 'read_private', type)))
      return new Refused({ code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: user ? 403 : 401 } });
    const checked = checkValue([status], { type: 'array', items: { type: 'string', enum: [...known] } }, 'status');
    if (isRefused(checked)) return new Refused(checked);
  }
  return statuses;
}

/** Features of blog posts and pages by which lists are filtered (WP). */
function featuresOf({ hierarchical, supports }: PostType, { request }: CallContext): Partial<PostQuery> {
  const parents = { parents: some(ids(request.get('parent'))), excludeParents: some(ids(request.get('parent_exclude'))) };
  const order = request.get('menu_order');
  const sticky = request.get('sticky');
  // WP: what is included is not excluded any more, sticky or not.
  const leavesOut = sticky === false && numbers(request.get('include')).length === 0;
  return {
    ...(hierarchical ? parents : {}),
    ...(supports.includes('page-attributes') && order !== undefined ? { menuOrder: intval(order) } : {}),
    ...(supports.includes('sticky') && (sticky === true || leavesOut) ? { sticky } : {}),
    ...(supports.includes('formats') ? { formats: some(texts(request.get('format'))) } : {}),
  };
}

/** The statuses of a list. WP: where none is named, they are those of a page of the site: what is public, and private things of the reader. */
function statusesOf({ name }: PostType, request: RestRequest): readonly string[] {
  const given = texts(request.get('status'));
  if (given.length === 0) return name === ATTACHMENT ? ['inherit'] : request.user ? ['publish', 'private'] : ['publish'];
  return given.includes('any') ? [...new Set([...ANY_STATUS, ...given.filter((status) => status !== 'any')])] : given;
}

/** Whose private things are in a list that names no status; undefined for those of all. */
const readerOf = ({ name }: PostType, request: RestRequest): number | undefined =>
  name === ATTACHMENT || texts(request.get('status')).length > 0 || canWithPosts(request.user, 'read_private', name)
    ? undefined
    : request.user?._id;

const DATE_FILTERS: readonly [name: string, column: PublishedClause['column'], operator: PublishedClause['operator']][] = [
  ['after', 'date', '$gt'],
  ['before', 'date', '$lt'],
  ['modified_after', 'modified', '$gt'],
  ['modified_before', 'modified', '$lt'],
];

const publishedOf = (context: CallContext): PublishedClause[] =>
  DATE_FILTERS.flatMap(([name, column, operator]) => {
    const given = context.request.get(name);
    return given === undefined ? [] : [{ column, operator, value: readDate(toStr(given), false, context.site).date }];
  });

/** A filter by terms as it may come: a list of ids, or a query that says how they count. */
async function termClause(value: Json | undefined, taxonomy: string, none: boolean, { site }: CallContext): Promise<TermClause[]> {
  if (value === undefined || value === null || typeof value !== 'object') return [];
  const query = Array.isArray(value) ? { terms: value } : value;
  const wanted = numbers(query.terms).map(absint);
  if (wanted.length === 0) return [];
  // WP: leaving out what there is not is no filter, not even beside others of which one is enough.
  if (none && !(await findTerms(site.store, wanted)).some((term) => term.taxonomy === taxonomy)) return [];
  const all = query.operator === 'AND' && !none;
  const found = query.include_children === true ? await withDescendants(site.store, taxonomy, wanted) : wanted;
  return [{ taxonomy, ids: found, match: none ? 'none' : all ? 'all' : 'any' }];
}

async function termsOf(type: PostType, context: CallContext): Promise<TermClause[]> {
  const { request } = context;
  const clauses = type.taxonomies.flatMap(({ name, base }) => [
    termClause(request.get(base), name, false, context),
    termClause(request.get(`${base}_exclude`), name, true, context),
  ]);
  return (await Promise.all(clauses)).flat();
}

function searchOf(type: PostType, request: RestRequest): SearchClause | undefined {
  const text = request.get('search');
  if (typeof text !== 'string' || text === '') return undefined;
  const columns = texts(request.get('search_columns'));
  const fields = SEARCH_COLUMNS.flatMap((column, field) => (columns.length === 0 || columns.includes(column) ? [field] : []));
  // WP: attachments are found by the name of their file too, whatever columns are named.
  const inFile = type.name === ATTACHMENT;
  return { ...parseSearch(text), fields, exact: request.get('search_semantics') === 'exact', inFile };
}

const isColumn = (orderby: string): orderby is keyof typeof ORDER_COLUMNS => Object.hasOwn(ORDER_COLUMNS, orderby);

/** @throws RestError for an order that lacks what it goes by */
export function checkOrder({ request }: CallContext): void {
  const orderby = request.get('orderby');
  const text = request.get('search');
  if (orderby === 'relevance' && (text === undefined || text === ''))
    throw new RestError('rest_no_search_term_defined', 'You need to define a search term to order by relevance.', 400);
  if (orderby === 'include' && numbers(request.get('include')).length === 0)
    throw new RestError('rest_orderby_include_missing_include', 'You need to define an include parameter to order by include.', 400);
}

function orderOf(context: CallContext, type: PostType): PostOrder {
  checkOrder(context);
  const { request } = context;
  const orderby = toStr(request.get('orderby'));
  const descending = request.get('order') !== 'asc';
  if (orderby === 'relevance') return { by: 'relevance', phrase: foldForSearch(toStr(request.get('search'))), descending };
  // TEC: lists of events know no order but by a column.
  if (orderby === 'include' || orderby === 'include_slugs') {
    if (type.name === EVENT) return { by: 'id', descending: false };
    if (orderby === 'include') return { by: 'ids' };
    if (texts(request.get('slug')).length > 0) return { by: 'slugs' };
  }
  return { by: isColumn(orderby) ? orderby : 'date', descending };
}

/** What a list came to. */
export interface PostListPlan {
  query: PostQuery;
  paging: Paging;
  /** Nothing can match: no query is made. */
  nothing: boolean;
}

/** TEC: events that are over are in no list; their wall clock is compared with that of the site, whatever their zone. */
const notOver = (type: PostType, { site }: CallContext): Pick<PostQuery, 'dates'> =>
  type.name === EVENT ? { dates: [{ column: 'end', operator: '$gte', value: site.nowLocal }] } : {};

/**
 * From the parameters of a list of posts to its query.
 * @throws RestError for an order that lacks what it goes by
 */
export async function planPosts(type: PostType, context: CallContext): Promise<PostListPlan> {
  const { request } = context;
  const paging = pagingOf(context);
  const include = ids(request.get('include'));
  const exclude = ids(request.get('exclude'));
  const leftOut = ids(request.get('author_exclude'));
  const slugs = texts(request.get('slug')).map(sanitizeTitle);
  const search = searchOf(type, request);
  const query: PostQuery = {
    type: type.name,
    statuses: statusesOf(type, request),
    readableBy: readerOf(type, request),
    // WP: what is included is not excluded any more.
    ids: some(include),
    excludeIds: include.length > 0 ? undefined : some(exclude),
    // WP: of authors to keep and authors to leave out only the latter count.
    authors: leftOut.length > 0 ? undefined : some(ids(request.get('author'))),
    excludeAuthors: some(leftOut),
    slugs: some(slugs),
    published: some(publishedOf(context)),
    terms: some(await termsOf(type, context)),
    anyTaxonomy: request.get('tax_relation') === 'OR' || undefined,
    search,
    withoutPassword: (search !== undefined && request.user === null) || undefined,
    ...featuresOf(type, context),
    ...notOver(type, context),
    sort: orderOf(context, type),
    limit: paging.perPage,
    offset: paging.offset,
  };
  return { query, paging, nothing: query.statuses.length === 0 };
}
