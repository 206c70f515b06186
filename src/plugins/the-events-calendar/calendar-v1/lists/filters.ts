/**
 * A filter is one row of a table: an argument, what it adds to the query (`clause`), and how the address of the list shows it (`echo`).
 * Properties of the whole list (page, statuses, dates) are read once and passed to every row.
 */
import { toStr } from '../../../../base/php/cast.js';
import { addQueryArgs } from '../../../../wordpress/posts/links.js';
import { argsUnder } from '../../../../wordpress/rest/schema.js';
import { listOf } from '../../../../wordpress/rest/checks.js';
import { intersect } from '../../model/event-queries.js';
import { TYPE_OF_COLUMN } from '../../model/linked.js';
import type { PostQuery } from '../../../../wordpress/query/post-query.js';
import type { ParamOf, ParamsOf } from '../../../../wordpress/rest/params.js';
import type { Arg, Args, CallContext, Json } from '../../../../wordpress/rest/route.js';
import type { QuirkName } from '../../../../wordpress/quirks.js';
import type { QueryValue } from '../../../../base/php/query-string.js';
import { namesOf } from '../../../../base/values/records.js';

export interface ListPaging {
  page: number;
  perPage: number;
  limit: number;
  offset: number;
}

/** The statuses of a list, and their spelling in its URL. */
export interface Statuses {
  wanted: readonly string[];
  shown: QueryValue;
  /** Excludes private items of other users. */
  ownPrivate?: boolean;
}

/** A request for a list of posts. */
export interface ListCallContext extends CallContext {
  paging: ListPaging;
  statuses: Statuses;
}

export interface FilterEffect<Value, Query, Context> {
  /** Condition that it adds to the query if it is sent. */
  clause?: (value: Value, context: Context) => Partial<Query> | Promise<Partial<Query>>;
  /** How the URL of the list shows it; undefined: not at all. Default: as it was sent, lists comma-separated. */
  echo?: (sent: Json | undefined, context: Context) => QueryValue;
  /** The quirk under which the URL omits it. */
  hiddenBy?: QuirkName;
}

/** A row of a table of filters. */
type FilterRow<Query, Context> = Arg & FilterEffect<never, Query, Context>;

type Filters<Query, Context> = Record<string, FilterRow<Query, Context>>;

/** Makes rows of filters for queries of a kind. */
export const filters =
  <Query, Context>() =>
  <A extends Arg>(arg: A, effect: FilterEffect<NonNullable<ParamOf<A>>, Query, Context>): A & FilterEffect<never, Query, Context> => ({
    ...arg,
    ...effect,
  });

/** Collects the conditions that the rows of a table add to a query. */
export function clausesOf<Query, Context>(
  table: Filters<Query, Context>,
  params: ParamsOf<Args>,
  context: Context,
): Promise<Partial<Query>[]> {
  const clauses: Promise<Partial<Query>>[] = [];
  for (const name in table) {
    const { clause } = table[name];
    // A row and its value have the same type, which the type of the table cannot express.
    if (params[name] !== undefined && clause) clauses.push(Promise.resolve(clause(params[name] as never, context)));
  }
  return Promise.all(clauses);
}

const joined = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): T[] | undefined => (a || b) && [...(a ?? []), ...(b ?? [])];

const COLUMNS = namesOf(TYPE_OF_COLUMN);

/** Combines a query and a clause with AND. */
export function withClause(query: PostQuery, clause: Partial<PostQuery>): PostQuery {
  const both: PostQuery = { ...query, ...clause };
  for (const column of COLUMNS) both[column] = intersect(query[column], clause[column]);
  both.ids = intersect(query.ids, clause.ids);
  both.terms = joined(query.terms, clause.terms);
  both.where = joined(query.where, clause.where);
  return both;
}

/** A value in an address as it was sent. */
export const asSent = (sent: Json | undefined): QueryValue => sent;

/** A value in an address as it was sent, the items of a list separated by commas. */
const asCsv = (sent: Json | undefined): QueryValue =>
  sent !== null && typeof sent === 'object' ? listOf(sent).map(toStr).join(',') : sent;

/**
 * The filters in the order of the URL of a list; those in neither group come last. TEC: the second group is added in a second step, which
 * also encodes the first group.
 */
export type EchoOrder<Table = Args> = readonly [first: readonly (keyof Table & string)[], second: readonly (keyof Table & string)[]];

/** The URL of a list with the effective filters. */
export function listAddress<Context extends CallContext>(
  base: string,
  table: Record<string, Arg & Omit<FilterEffect<never, never, Context>, 'clause'>>,
  [first, second]: EchoOrder,
  context: Context,
): string {
  const { request, site } = context;
  const rows = argsUnder(site.quirks, table);
  const withGroup = (url: string, names: readonly string[]): string => {
    const group: Record<string, QueryValue> = {};
    for (const name of names) {
      const { echo, hiddenBy } = rows[name];
      if (!(echo || request.isGiven(name)) || (hiddenBy && site.quirks.has(hiddenBy))) continue;
      const value = (echo ?? asCsv)(request.get(name), context);
      if (value !== undefined) group[name] = value;
    }
    return Object.keys(group).length > 0 ? addQueryArgs(url, group) : url;
  };
  const others = Object.keys(rows).filter((name) => !first.includes(name) && !second.includes(name));
  return withGroup(withGroup(base, first), [...second, ...others]);
}
