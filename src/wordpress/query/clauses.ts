import type { PostQuery, Sorts, Stage, TermClause, SearchClause } from './post-query.js';
import { columnsOf, type ColumnKinds } from '../../database/memory/table/rows.js';
import { escapeRegExp } from '../../base/text/pattern.js';

/** Maximum pattern length in bytes. MongoDB rejects patterns of more than about 16 KB. */
const MAX_PATTERN = 4096;

/** An expression: whether a text contains a word. */
export const holds = (field: unknown, word: string): Stage => ({ $gte: [{ $indexOfCP: [field, { $literal: word }] }, 0] });

/** An expression: whether a single field contains all words. Slower than a pattern, but without a limit of length. */
const anyFieldHolds = (words: string[]): Stage => ({
  $anyElementTrue: [
    { $map: { input: { $ifNull: ['$search', []] }, as: 'field', in: { $and: words.map((word) => holds('$$field', word)) } } },
  ],
});

/** Whether a pattern is too long for the database. */
export const isLong = (pattern: string): boolean => Buffer.byteLength(pattern) > MAX_PATTERN;

const anyOf = (conditions: Stage[]): Stage => (conditions.length === 1 ? conditions[0] : { $or: conditions });

/** The conditions of a search in some of the fields, or for exact matches. */
function fieldConditions({ words, without, fields = [0, 1, 2], exact, inFile = false }: SearchClause): Stage[] {
  const found = (field: number, word: string): Stage => {
    if (exact) return { [`search.${field}`]: word };
    const pattern = escapeRegExp(word);
    if (!isLong(pattern)) return { [`search.${field}`]: { $regex: pattern } };
    return { $expr: holds({ $arrayElemAt: [{ $ifNull: ['$search', []] }, field] }, word) };
  };
  const inName = (word: string): Stage => ({ file: { $regex: exact ? `^${escapeRegExp(word)}$` : escapeRegExp(word), $options: 'i' } });
  const inAny = (word: string): Stage =>
    anyOf([...fields.map((field) => found(field, word)), ...(inFile && !isLong(escapeRegExp(word)) ? [inName(word)] : [])]);
  return [...words.map(inAny), ...without.map((word) => ({ $nor: [inAny(word)] }))];
}

function searchConditions(clause: SearchClause): Stage[] {
  const { words, without, inOneField } = clause;
  if (clause.fields || clause.exact) return fieldConditions(clause);
  const together = `^${words.map((word) => `(?=.*${escapeRegExp(word)})`).join('')}`;
  const wanted: Stage[] = inOneField
    ? [isLong(together) ? { $expr: anyFieldHolds(words) } : { search: { $regex: together, $options: 's' } }]
    : words.map((word) => (isLong(escapeRegExp(word)) ? { $expr: anyFieldHolds([word]) } : { search: { $regex: escapeRegExp(word) } }));
  const unwanted = without.map((word) =>
    isLong(escapeRegExp(word)) ? { $expr: { $not: anyFieldHolds([word]) } } : { search: { $not: { $regex: escapeRegExp(word) } } },
  );
  return [...wanted, ...unwanted];
}

/** The MongoDB conditions of each member of a query, as arguments of `$and`. */
type Clauses = { [Name in keyof PostQuery]?: (value: NonNullable<PostQuery[Name]>, query: PostQuery) => Stage[] };

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

/** A condition for one or several values. */
export const oneOrAny = <T>(values: readonly T[]): T | { $in: T[] } => (values.length === 1 ? values[0] : { $in: [...values] });

function formatCondition(formats: readonly string[]): Stage {
  const named = { format: { $in: [...formats] } };
  return formats.includes('standard') ? { $or: [named, { format: { $exists: false } }] } : named;
}

const nothing = (): Stage[] => [];

/** The clauses of all post types. Conditions have this order. */
const CLAUSES: Clauses = {
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
  // Not conditions.
  anyTaxonomy: nothing,
  sort: nothing,
  backwards: nothing,
  limit: nothing,
  offset: nothing,
};

/** `$sort` of the named orders. */
const SORTS: Partial<Sorts> = { newest: { date: -1, _id: -1 } };

export interface QueryExtension {
  clauses: Clauses;
  /** `$sort` of each of its orders. It also has to register indexes for them. */
  sorts: Partial<Sorts>;
  /** Whether one of its indexes can count the results. */
  isCounted: (query: PostQuery) => boolean;
  /**
   * The sort column of a list whose conditions exclude the beginning of the index by another column, so that a scan for the first page
   * would start at the first row of the index; else null.
   */
  unboundedColumn: (query: PostQuery) => string | null;
  /** The columns of its conditions and orders that are kept in memory. */
  columns: ColumnKinds;
}

/** The columns that every post has. */
const COLUMNS: ColumnKinds = {
  ...columnsOf('value', ['type', 'status', 'author', 'password', 'parent', 'menuOrder', 'sticky', 'format']),
  ...columnsOf('order', ['date', 'dateGmt', 'modified']),
  ...columnsOf('hash', ['slug']),
};

/** The clauses, orders and columns of queries of posts, from WordPress and from plugins. */
export class Queries {
  private readonly clauses: Clauses;
  private readonly sorts: Partial<Sorts>;
  /** The columns of posts that are kept in memory, to find and to count posts without the database. */
  readonly columnKinds: ColumnKinds;

  /** @param taxonomies their names */
  constructor(
    private readonly extensions: readonly QueryExtension[],
    taxonomies: readonly string[],
  ) {
    this.clauses = Object.assign({}, CLAUSES, ...extensions.map(({ clauses }) => clauses)) as Clauses;
    this.sorts = Object.assign({}, SORTS, ...extensions.map(({ sorts }) => sorts)) as Partial<Sorts>;
    const ofTerms = columnsOf(
      'ids',
      taxonomies.map((name) => `terms.${name}`),
    );
    this.columnKinds = Object.assign({}, COLUMNS, ofTerms, ...extensions.map(({ columns }) => columns)) as ColumnKinds;
  }

  /** The conditions of a query. @throws Error if no plugin has registered one of them */
  conditionsOf(query: PostQuery): Stage[] {
    const unknown = Object.keys(query).find((name) => !Object.hasOwn(this.clauses, name));
    if (unknown !== undefined) throw new Error(`No clause is registered for ${unknown}. Register the plugin that has it first.`);
    const stages: Stage[] = [];
    for (const name in this.clauses) this.addCondition(name as keyof PostQuery, query, stages);
    return stages;
  }

  private addCondition<Name extends keyof PostQuery>(name: Name, query: PostQuery, stages: Stage[]): void {
    const value = query[name];
    const clause: Clauses[Name] = this.clauses[name];
    if (value !== undefined && value !== null && clause) stages.push(...clause(value, query));
  }

  sortStage(name: keyof Sorts): Stage {
    const sort = this.sorts[name];
    if (!sort) throw new Error(`No order ${name} is registered. Register the plugin that has it first.`);
    return sort;
  }

  /** Whether an index can count the results. */
  hasCountIndex(query: PostQuery): boolean {
    return this.extensions.some(({ isCounted }) => isCounted(query));
  }

  /** Implements `QueryExtension`. */
  unboundedColumn(query: PostQuery): string | null {
    for (const extension of this.extensions) {
      const column = extension.unboundedColumn(query);
      if (column !== null) return column;
    }
    return null;
  }
}
