import type { PostQuery, Sorts, Stage, TermClause } from './post-query.js';
import { searchConditions } from './search-conditions.js';

/** What a condition of a query is in the database, as arguments of `$and`. */
export type Clauses = { [Name in keyof PostQuery]?: (value: NonNullable<PostQuery[Name]>, query: PostQuery) => Stage[] };

function termCondition({ taxonomy, ids, match = 'any' }: TermClause): Stage {
  const column = `terms.${taxonomy}`;
  if (match === 'none') return { [column]: { $nin: ids } };
  if (ids.length === 1) return { [column]: ids[0] };
  return { [column]: match === 'all' ? { $all: ids } : { $in: ids } };
}

function termConditions(terms: readonly TermClause[], { anyTaxonomy }: PostQuery): Stage[] {
  const conditions = terms.map(termCondition);
  return anyTaxonomy && conditions.length > 1 ? [{ $or: conditions }] : conditions;
}

/** The value of a column, or one of several. */
export const oneOrAny = <T>(values: readonly T[]): T | { $in: T[] } => (values.length === 1 ? values[0] : { $in: [...values] });

function formatCondition(formats: readonly string[]): Stage {
  const named = { format: { $in: [...formats] } };
  return formats.includes('standard') ? { $or: [named, { format: { $exists: false } }] } : named;
}

const nothing = (): Stage[] => [];

/** What every list may ask for, in the order of the conditions. */
const clauses: Clauses = {
  type: (types) => [{ type: typeof types === 'string' ? types : oneOrAny(types) }],
  statuses: (statuses) => [{ status: oneOrAny(statuses) }],
  ids: (ids) => [{ _id: { $in: ids } }],
  excludeIds: (ids) => [{ _id: { $nin: ids } }],
  range: ({ column, first, last }) => [{ [column]: { $gte: first } }, { [column]: { $lte: last } }],
  terms: termConditions,
  authors: (authors) => [{ author: oneOrAny(authors) }],
  excludeAuthors: (authors) => [{ author: { $nin: authors } }],
  slugs: (slugs) => [{ slug: oneOrAny(slugs) }],
  published: (dates) => dates.map(({ column, operator, value }) => ({ [column]: { [operator]: value } })),
  parent: (parent) => [{ parent }],
  parents: (parents) => [{ parent: { $in: parents } }],
  excludeParents: (parents) => [{ parent: { $nin: parents } }],
  menuOrder: (menuOrder) => [{ menuOrder }],
  sticky: (sticky) => [{ sticky: sticky ? true : { $ne: true } }],
  formats: (formats) => [formatCondition(formats)],
  mimeTypes: (types) => [{ mimeType: { $in: [...types] } }],
  readableBy: (user) => [{ $or: [{ status: 'publish' }, { author: user }] }],
  search: searchConditions,
  where: (conditions) => [...conditions],
  withoutPassword: (isWanted) => (isWanted ? [{ password: '' }] : []),
  // These are no conditions.
  anyTaxonomy: nothing,
  sort: nothing,
  backwards: nothing,
  limit: nothing,
  offset: nothing,
};

/** `$sort` of the orders that have a name. TEC: events by start, then publication date, then id; WP: the rest newest first. */
const sorts: Partial<Sorts> = { newest: { date: -1, _id: -1 } };

/** What a plugin adds to queries. */
export interface QueryExtension {
  clauses: Clauses;
  /** `$sort` of each of its orders. Indexes of its own serve them. */
  sorts: Partial<Sorts>;
  /** True when an index of its own counts the list. */
  isCounted: (query: PostQuery) => boolean;
  /**
   * The column that sorts a list, when the conditions leave out the beginning of the list by another column: its first page would be
   * looked for from the first row of the index on.
   */
  unboundedColumn: (query: PostQuery) => string | null;
}

const extensions: QueryExtension[] = [];

export function registerQueries(extension: QueryExtension): void {
  extensions.push(extension);
  Object.assign(clauses, extension.clauses);
  Object.assign(sorts, extension.sorts);
}

/** The conditions of a query. @throws Error when the plugin that brings one of them was not imported */
export function conditionsOf(query: PostQuery): Stage[] {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(clauses, name));
  if (unknown !== undefined) throw new Error(`There is no clause for ${unknown}. Import the plugin that registers it.`);
  return (Object.keys(clauses) as (keyof PostQuery)[]).flatMap((name) => conditionOf(name, query));
}

function conditionOf<Name extends keyof PostQuery>(name: Name, query: PostQuery): Stage[] {
  const value = query[name];
  const clause: Clauses[Name] = clauses[name];
  return value === undefined || value === null || !clause ? [] : clause(value, query);
}

/** `$sort` of an order that has a name. */
export function sortStage(name: keyof Sorts): Stage {
  const sort = sorts[name];
  if (!sort) throw new Error(`There is no order ${name}. Import the plugin that registers it.`);
  return sort;
}

export const isCountedByItself = (query: PostQuery): boolean => extensions.some(({ isCounted }) => isCounted(query));

export function unboundedColumn(query: PostQuery): string | null {
  for (const extension of extensions) {
    const column = extension.unboundedColumn(query);
    if (column !== null) return column;
  }
  return null;
}
