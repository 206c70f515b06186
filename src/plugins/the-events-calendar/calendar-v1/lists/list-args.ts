import { MOST_PER_PAGE } from '../collection.js';
import { offsetOf } from '../../../../wordpress/rest/lists.js';
import { listStatus, nonEmptyString, statusList } from '../validators.js';
import { positiveInt, listOf } from '../../../../wordpress/rest/checks.js';
import { ANY_STATUS } from '../../../../wordpress/model.js';
import { eventsPerPage } from '../../model/options.js';
import { canWithPosts } from '../../../../wordpress/users/capabilities.js';
import type { PostQuery } from '../../../../wordpress/query/post-query.js';
import type { Given } from '../../../../wordpress/rest/request.js';
import type { CallContext, Arg, Args, Json } from '../../../../wordpress/rest/route.js';
import { toStr } from '../../../../base/php/cast.js';
import { addQueryArgs } from '../../../../wordpress/posts/links.js';
import { argsUnder } from '../../../../wordpress/rest/schema.js';
import { intersect } from '../../model/event-queries.js';
import { TYPE_OF_COLUMN } from '../../model/event.js';
import type { ParamOf, ParamsOf } from '../../../../wordpress/rest/params.js';
import type { QuirkName } from '../../../../wordpress/quirks.js';
import type { QueryValue } from '../../../../base/php/query-string.js';
import { namesOf } from '../../../../base/values/records.js';

/**
 * A filter is one row of a table: an argument, what it adds to the query (`clause`), and how the address of the list shows it (`echo`).
 * Properties of the whole list (page, statuses, dates) are read once and passed to every row.
 */

export interface ListPaging {
  page: number;
  perPage: number;
  limit: number;
  offset: number;
}

/** The statuses of a list, and their spelling in its URL. */
interface Statuses {
  wanted: readonly string[];
  shown: QueryValue;
  /** Excludes private items of other users. */
  ownPrivate?: boolean;
}

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
    // Rows of another profile have no argument here.
    for (const name of names.filter((each) => Object.hasOwn(rows, each))) {
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

/** The requested page, its size capped. */
export function listPaging(params: { page: number; per_page: number }): ListPaging {
  const { page } = params;
  const perPage = Math.min(params.per_page, MOST_PER_PAGE);
  return { page, perPage, limit: perPage, offset: offsetOf(page, perPage) };
}

/** Parameters that every list has. The default of `per_page` is the site's option, shown as it was saved: text, as a rule (WP). */
export const pagingArgs = (what: string) =>
  ({
    page: { type: 'integer', default: 1, description: 'Page of results to return.', validate: positiveInt },
    per_page: {
      type: 'integer',
      default: (site: CallContext['site']) => eventsPerPage(site.options),
      description: `Number of ${what} per page; at most ${MOST_PER_PAGE}.`,
      validate: positiveInt,
    },
  }) as const;

export const searchArg = (where: string) =>
  ({ type: 'string', description: `Text to search for in ${where}.`, validate: nonEmptyString }) as const;

const row = filters<PostQuery, ListCallContext>();

/** The page, in lists whose address names it. */
export function pagingFilters(what: string) {
  const { page, per_page } = pagingArgs(what);
  return {
    page: row(page, { echo: (_sent, { paging }) => paging.page }),
    per_page: row(per_page, { echo: (_sent, { paging }) => paging.perPage }),
  };
}

export const statusArg = () =>
  row(
    {
      format: 'string',
      description: 'Post status, or several separated by commas. All but `publish` require permission to edit.',
      validate: listStatus,
      doc: { type: 'string' },
    },
    { echo: (_sent, { statuses }) => statuses.shown },
  );

const READABLE = ['publish', 'private'];

/** Statuses that a list shows. TEC: users who may edit see all statuses but the trash. */
export function shownStatuses({ request: { user } }: CallContext, { status }: { status: Given | undefined }): Statuses {
  if (status !== undefined) {
    const given = statusList(status).map(String);
    // TEC: with an empty list, WordPress chooses the statuses that the caller may read; the URL keeps an empty argument.
    if (given.length === 0) return { wanted: READABLE, shown: [], ownPrivate: !canWithPosts(user, 'read_private') };
    return { wanted: [...new Set(given.flatMap((name) => (name === 'any' ? ANY_STATUS : [name])))], shown: given.join(',') };
  }
  return canWithPosts(user, 'edit') ? { wanted: ANY_STATUS, shown: 'any' } : { wanted: ['publish'], shown: 'publish' };
}
