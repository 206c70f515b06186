/** A stage of a pipeline, or a condition in one. */
export interface Stage {
  [key: string]: unknown;
}

/** How a column of the occurrence is compared. Values are wall-clock text, `YYYY-MM-DD HH:MM:SS`. */
export interface DateClause {
  column: 'start' | 'end' | 'startUtc' | 'endUtc';
  operator: '$gte' | '$gt' | '$lte' | '$lt';
  value: string;
}

/** Words to look for, folded (`foldForSearch`). */
export interface SearchClause {
  /** All must occur. `inOneField`: in one and the same field (TEC: venues, organizers); else each in any (WP: events). */
  words: string[];
  without: string[];
  inOneField: boolean;
}

/** A list of posts as plain data: what is asked for, before any database. All conditions AND together. */
export interface PostQuery {
  type: string;
  statuses: readonly string[];
  ids?: number[];
  excludeIds?: number[];
  dates?: DateClause[];
  /** One entry per taxonomy asked for: any of its term ids. */
  terms?: { taxonomy: string; ids: number[] }[];
  venues?: number[];
  organizers?: number[];
  featured?: boolean;
  parent?: number;
  search?: SearchClause;
  /** Events with tickets, or those without. */
  ticketed?: boolean;
  /** Leaves out what is not published, unless it belongs to this user. */
  readableBy?: number;
  /** Leaves out what has a password (WP: searches of anonymous callers). */
  withoutPassword?: boolean;
  /** Events: only those with an occurrence, and not hidden from listings (TEC). */
  listed?: boolean;
  sort: 'start' | 'startUtc' | 'newest';
  limit: number;
  offset: number;
}

/** The pattern of a text. The database takes no NUL in one. */
const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');

/** Longer patterns are not given to the database, which takes none beyond some 16 KB. */
const LONGEST_PATTERN = 4096;

const holds = (field: string, word: string): Stage => ({ $gte: [{ $indexOfCP: [field, { $literal: word }] }, 0] });

/** That one field of a list holds all words: what a pattern says faster, for texts of any length. */
const anyFieldHolds = (words: string[]): Stage => ({
  $anyElementTrue: [
    { $map: { input: { $ifNull: ['$search', []] }, as: 'field', in: { $and: words.map((word) => holds('$$field', word)) } } },
  ],
});

const isLong = (pattern: string): boolean => Buffer.byteLength(pattern) > LONGEST_PATTERN;

function searchConditions({ words, without, inOneField }: SearchClause): Stage[] {
  const together = `^${words.map((word) => `(?=.*${escapeRegExp(word)})`).join('')}`;
  const wanted: Stage[] = inOneField
    ? [isLong(together) ? { $expr: anyFieldHolds(words) } : { search: { $regex: together, $options: 's' } }]
    : words.map((word) => (isLong(escapeRegExp(word)) ? { $expr: anyFieldHolds([word]) } : { search: { $regex: escapeRegExp(word) } }));
  const unwanted = without.map((word) =>
    isLong(escapeRegExp(word)) ? { $expr: { $not: anyFieldHolds([word]) } } : { search: { $not: { $regex: escapeRegExp(word) } } },
  );
  return [...wanted, ...unwanted];
}

const START_OF = { start: 'start', end: 'start', startUtc: 'startUtc', endUtc: 'startUtc' } as const;

const isLower = ({ operator }: DateClause): boolean => operator.startsWith('$gt');

/** No occurrence ends before it starts: what bounds the end from above bounds the start, by which the indexes are sorted. */
function dateConditions(clauses: DateClause[]): Stage[] {
  const implied = clauses.filter((clause) => !isLower(clause)).map((clause) => ({ ...clause, column: START_OF[clause.column] }));
  const all = new Map([...clauses, ...implied].map((clause) => [Object.values(clause).join(' '), clause]));
  return [...all.values()].map(({ column, operator, value }) => ({ [`occurrence.${column}`]: { [operator]: value } }));
}

/**
 * True when the dates leave out the beginning of a list, but not by the column that sorts it: its first page would be looked for from
 * the first event on. The total of such a list comes with its first and last start (`countPipeline`), for `betweenStarts`.
 */
export const startsUnbounded = ({ dates = [], sort }: PostQuery): boolean =>
  sort !== 'newest' && dates.some(isLower) && !dates.some((clause) => isLower(clause) && clause.column === sort);

/** What a count finds. */
export interface Counted {
  total: number;
  /** The earliest and the latest start of a list that `startsUnbounded`. */
  first?: string;
  last?: string;
}

/** The same list, told between which starts it lies. */
export function betweenStarts(query: PostQuery, { first, last }: Counted): PostQuery {
  if (query.sort === 'newest' || first === undefined || last === undefined) return query;
  const bounds: DateClause[] = [
    { column: query.sort, operator: '$gte', value: first },
    { column: query.sort, operator: '$lte', value: last },
  ];
  return { ...query, dates: [...(query.dates ?? []), ...bounds] };
}

/** The conditions of a query, as the argument of `$match`. Values only ever stand where values belong. */
export function matchStage(query: PostQuery): Stage {
  const conditions: Stage[] = [{ type: query.type }];
  if (query.listed) conditions.push({ hidden: false });
  conditions.push({ status: query.statuses.length === 1 ? query.statuses[0] : { $in: [...query.statuses] } });
  if (query.ids) conditions.push({ _id: { $in: query.ids } });
  if (query.excludeIds) conditions.push({ _id: { $nin: query.excludeIds } });
  conditions.push(...dateConditions(query.dates ?? []));
  if (query.listed && !query.dates?.some(({ column }) => column.startsWith('start')))
    conditions.push({ [`occurrence.${query.sort}`]: { $gt: '' } });
  for (const { taxonomy, ids } of query.terms ?? []) conditions.push({ [`terms.${taxonomy}`]: ids.length === 1 ? ids[0] : { $in: ids } });
  if (query.venues) conditions.push({ venues: { $in: query.venues } });
  if (query.organizers) conditions.push({ organizers: { $in: query.organizers } });
  if (query.featured !== undefined) conditions.push({ featured: query.featured });
  if (query.parent !== undefined) conditions.push({ parent: query.parent });
  if (query.ticketed !== undefined) conditions.push({ ticketed: query.ticketed });
  if (query.readableBy !== undefined) conditions.push({ $or: [{ status: 'publish' }, { author: query.readableBy }] });
  if (query.search) conditions.push(...searchConditions(query.search));
  if (query.withoutPassword) conditions.push({ password: '' });
  return conditions.length === 1 ? conditions[0] : { $and: conditions };
}

/** `$sort` of a list. TEC: events by start, then publication date, then id; WP: the rest newest first. */
export function sortStage(sort: PostQuery['sort']): Stage {
  return sort === 'newest' ? { date: -1, _id: -1 } : { [`occurrence.${sort}`]: 1, date: 1, _id: 1 };
}

/** Fields that only serve queries stay in the database. */
const WITHOUT_DERIVED = { $project: { search: 0, titleKey: 0 } };

/** One page of a list. */
export function pagePipeline(query: PostQuery): Stage[] {
  return [
    { $match: matchStage(query) },
    { $sort: sortStage(query.sort) },
    ...(query.offset > 0 ? [{ $skip: query.offset }] : []),
    { $limit: query.limit },
    WITHOUT_DERIVED,
  ];
}

/** How many there are in all (`Counted`). */
export function countPipeline(query: PostQuery): Stage[] {
  const start = `$occurrence.${query.sort}`;
  const count = startsUnbounded(query)
    ? { $group: { _id: null, total: { $sum: 1 }, first: { $min: start }, last: { $max: start } } }
    : { $count: 'total' };
  return [{ $match: matchStage(query) }, count];
}

/** A list of terms as plain data. */
export interface TermQuery {
  taxonomy: string;
  search?: string;
  include?: number[];
  exclude?: number[];
  slug?: string;
  parent?: number;
  /** Only terms that count for something: `'used'` themselves, or `'branch'`: they or one below them (WP). */
  hideEmpty?: 'used' | 'branch';
  orderBy: 'name' | 'slug' | 'id' | 'count' | 'description' | 'group' | 'include' | 'parent';
  descending: boolean;
  limit: number;
  offset: number;
}

export function termMatchStage(query: TermQuery): Stage {
  const conditions: Stage[] = [{ taxonomy: query.taxonomy }];
  if (query.include) conditions.push({ _id: { $in: query.include } });
  if (query.exclude) conditions.push({ _id: { $nin: query.exclude } });
  if (query.slug !== undefined) conditions.push({ slug: query.slug });
  if (query.parent !== undefined) conditions.push({ parent: query.parent });
  if (query.hideEmpty === 'used') conditions.push({ count: { $gt: 0 } });
  if (query.hideEmpty === 'branch') conditions.push({ branchCount: { $gt: 0 } });
  if (query.search !== undefined) {
    const pattern = escapeRegExp(query.search);
    conditions.push(isLong(pattern) ? { $expr: holds('$search', query.search) } : { search: { $regex: pattern } });
  }
  return conditions.length === 1 ? conditions[0] : { $and: conditions };
}

const TERM_ORDER: Record<Exclude<TermQuery['orderBy'], 'include'>, string> = {
  name: 'nameKey',
  slug: 'slug',
  id: '_id',
  count: 'count',
  description: 'description',
  group: 'termGroup',
  parent: 'parent',
};

/** What no two terms of a taxonomy share needs nothing else to sort by. */
const IS_UNIQUE: ReadonlySet<TermQuery['orderBy']> = new Set(['id', 'slug']);

export function termPipeline(query: TermQuery): Stage[] {
  const direction = query.descending ? -1 : 1;
  const order =
    query.orderBy === 'include'
      ? [{ $set: { position: { $indexOfArray: [query.include ?? [], '$_id'] } } }, { $sort: { position: direction, _id: 1 } }]
      : [{ $sort: { [TERM_ORDER[query.orderBy]]: direction, ...(IS_UNIQUE.has(query.orderBy) ? {} : { _id: 1 }) } }];
  return [{ $match: termMatchStage(query) }, ...order, ...(query.offset > 0 ? [{ $skip: query.offset }] : []), { $limit: query.limit }];
}

export const termCountPipeline = (query: TermQuery): Stage[] => [{ $match: termMatchStage(query) }, { $count: 'total' }];
