import { toStr } from '../php/cast.js';
import { RestError } from '../rest/error.js';
import { foldForSearch } from '../wp/formatting/accents.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { canWithPosts } from '../wp/capabilities.js';
import { ANY_STATUS, EVENT } from '../wp/model.js';
import {
  ORDER_COLUMNS,
  SEARCH_COLUMNS,
  type PostOrder,
  type PostQuery,
  type PublishedClause,
  type SearchClause,
  type TermClause,
} from '../wp/query.js';
import { parseSearch } from '../wp/search.js';
import { withDescendants } from '../wp/terms.js';
import { checkValue, isRefused } from '../rest/check.js';
import { parseList } from '../rest/fields.js';
import { LISTED_STATUSES } from './args.js';
import { readDate } from './dates.js';
import { pagingOf, type Paging } from './lists.js';
import type { CorePostType } from './post-types.js';
import { Refused, type CallContext, type Json } from '../rest/route.js';
import type { RestRequest } from '../rest/request.js';

const numbers = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(toStr) : []);

const some = <T>(values: T[]): T[] | undefined => (values.length > 0 ? values : undefined);

/**
 * The statuses of a list, cleaned. WP: `publish` is everybody's; the others are for those who may edit, private ones also for those
 * who may read them; each is then looked up by itself.
 * @param usual the status that is everybody's
 * @param known all that there are
 */
export function cleanStatuses(
  value: Json,
  { request: { user } }: CallContext,
  usual = 'publish',
  known: readonly string[] = LISTED_STATUSES,
): Json | Refused {
  const statuses = parseList(value).map(sanitizeTitle);
  for (const status of statuses) {
    if (status === usual) continue;
    if (!canWithPosts(user, 'edit') && !(status === 'private' && canWithPosts(user, 'read_private')))
      return new Refused({ code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: user ? 403 : 401 } });
    const checked = checkValue([status], { type: 'array', items: { type: 'string', enum: [...known] } }, 'status');
    if (isRefused(checked)) return new Refused(checked);
  }
  return statuses;
}

const statusesOf = (request: RestRequest): readonly string[] => {
  const given = texts(request.get('status'));
  return given.includes('any') ? [...new Set([...ANY_STATUS, ...given.filter((status) => status !== 'any')])] : given;
};

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
  const wanted = numbers(query.terms);
  if (wanted.length === 0) return [];
  const all = query.operator === 'AND' && !none;
  const ids = query.include_children === true ? await withDescendants(site.store, taxonomy, wanted) : wanted;
  return [{ taxonomy, ids, match: none ? 'none' : all ? 'all' : 'any' }];
}

async function termsOf(type: CorePostType, context: CallContext): Promise<TermClause[]> {
  const { request } = context;
  const clauses = type.taxonomies.flatMap(({ name, base }) => [
    termClause(request.get(base), name, false, context),
    termClause(request.get(`${base}_exclude`), name, true, context),
  ]);
  return (await Promise.all(clauses)).flat();
}

function searchOf(request: RestRequest): SearchClause | undefined {
  const text = request.get('search');
  if (typeof text !== 'string' || text === '') return undefined;
  const columns = texts(request.get('search_columns'));
  const fields = SEARCH_COLUMNS.flatMap((column, field) => (columns.length === 0 || columns.includes(column) ? [field] : []));
  return { ...parseSearch(text), fields, exact: request.get('search_semantics') === 'exact' };
}

const isColumn = (orderby: string): orderby is keyof typeof ORDER_COLUMNS => Object.hasOwn(ORDER_COLUMNS, orderby);

function orderOf({ request }: CallContext, type: CorePostType): PostOrder {
  const orderby = toStr(request.get('orderby'));
  const descending = request.get('order') !== 'asc';
  if (orderby === 'relevance') {
    const text = request.get('search');
    if (text === undefined || text === '')
      throw new RestError('rest_no_search_term_defined', 'You need to define a search term to order by relevance.', 400);
    return { by: 'relevance', phrase: foldForSearch(toStr(text)), descending };
  }
  if (orderby === 'include' && numbers(request.get('include')).length === 0)
    throw new RestError('rest_orderby_include_missing_include', 'You need to define an include parameter to order by include.', 400);
  // TEC: lists of events know no order but by a column.
  if (orderby === 'include' || orderby === 'include_slugs') {
    if (type.name === EVENT) return { by: 'id', descending: false };
    return { by: orderby === 'include' ? 'ids' : 'slugs' };
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
const notOver = (type: CorePostType, { site }: CallContext): Pick<PostQuery, 'dates'> =>
  type.name === EVENT ? { dates: [{ column: 'end', operator: '$gte', value: site.nowLocal }] } : {};

/**
 * From the parameters of a list of posts to its query.
 * @throws RestError for an order that lacks what it goes by
 */
export async function planPosts(type: CorePostType, context: CallContext): Promise<PostListPlan> {
  const { request } = context;
  const paging = pagingOf(context);
  const include = numbers(request.get('include'));
  const exclude = numbers(request.get('exclude'));
  const slugs = texts(request.get('slug')).map(sanitizeTitle);
  const search = searchOf(request);
  const query: PostQuery = {
    type: type.name,
    statuses: statusesOf(request),
    // WP: what is included is not excluded any more.
    ids: some(include),
    excludeIds: include.length > 0 ? undefined : some(exclude),
    authors: some(numbers(request.get('author')).map(Math.abs)),
    excludeAuthors: some(numbers(request.get('author_exclude')).map(Math.abs)),
    slugs: some(slugs),
    published: some(publishedOf(context)),
    terms: some(await termsOf(type, context)),
    anyTaxonomy: request.get('tax_relation') === 'OR' || undefined,
    search,
    withoutPassword: (search !== undefined && request.user === null) || undefined,
    ...notOver(type, context),
    sort: orderOf(context, type),
    limit: paging.perPage,
    offset: paging.offset,
  };
  return { query, paging, nothing: query.statuses.length === 0 };
}
