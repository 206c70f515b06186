import { FARTHEST_ZONE, shiftHours } from '../timezones.js';

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
  /** Positions of the fields to look into; all when absent. Those of `SEARCH_COLUMNS` come first. */
  fields?: readonly number[];
  /** A field has to be the word, not only to hold it. */
  exact?: boolean;
  /** The name of the file of an attachment is a field as well. */
  inFile?: boolean;
}

/** Fields of a post that every search can look into, in the order in which its folded texts are kept. */
export const SEARCH_COLUMNS = ['post_title', 'post_excerpt', 'post_content'] as const;

/** Columns that a list of posts may be sorted by, as `wp/v2` names it. */
export const ORDER_COLUMNS = {
  date: 'date',
  modified: 'modified',
  author: 'author',
  id: '_id',
  slug: 'slug',
  title: 'titleKey',
  parent: 'parent',
  menu_order: 'menuOrder',
} as const;

/** The order of a list that does not go by when events start. */
export type PostOrder =
  | { by: keyof typeof ORDER_COLUMNS; descending: boolean }
  /** In the order of the ids or slugs that are asked for. */
  | { by: 'ids' | 'slugs' }
  /** WP: by where the words of a search stand; then by date. */
  | { by: 'relevance'; phrase: string; descending: boolean };

/** How a date of a post is compared. Values are wall-clock text of the site. */
export interface PublishedClause {
  column: 'date' | 'modified';
  operator: '$gt' | '$lt';
  value: string;
}

/** Terms of a taxonomy that posts must have: any of them, all of them, or none. */
export interface TermClause {
  taxonomy: string;
  ids: number[];
  match?: 'any' | 'all' | 'none';
}

/** A list of posts as plain data: what is asked for, before any database. All conditions AND together. */
export interface PostQuery {
  type: string | readonly string[];
  statuses: readonly string[];
  ids?: number[];
  excludeIds?: number[];
  dates?: DateClause[];
  /** One entry per filter by a taxonomy. */
  terms?: TermClause[];
  /** One of the filters by taxonomy is enough. */
  anyTaxonomy?: boolean;
  authors?: number[];
  excludeAuthors?: number[];
  slugs?: string[];
  published?: PublishedClause[];
  venues?: number[];
  organizers?: number[];
  featured?: boolean;
  parent?: number;
  parents?: number[];
  excludeParents?: number[];
  menuOrder?: number;
  /** Blog posts that are kept at the top, or the others. */
  sticky?: boolean;
  /** Blog posts of one of these formats; `standard` stands for those that have none. */
  formats?: string[];
  /** Attachments of one of these types. */
  mimeTypes?: readonly string[];
  search?: SearchClause;
  /** Events with tickets, or those without. */
  ticketed?: boolean;
  /** Leaves out what is not published, unless it belongs to this user. */
  readableBy?: number;
  /** Leaves out what has a password (WP: searches of anonymous callers). */
  withoutPassword?: boolean;
  /** Events: only those with an occurrence, and not hidden from listings (TEC). */
  listed?: boolean;
  /** Events: only those with an occurrence, whether they are hidden from listings or not (TEC). */
  scheduled?: boolean;
  sort: 'start' | 'startUtc' | 'newest' | PostOrder;
  /** A list by start from its end on. */
  backwards?: boolean;
  limit: number;
  offset: number;
}

/** The pattern of a text. The database takes no NUL in one. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');

/** Longer patterns are not given to the database, which takes none beyond some 16 KB. */
const LONGEST_PATTERN = 4096;

/** That a text holds a word, as an expression. */
export const holds = (field: unknown, word: string): Stage => ({ $gte: [{ $indexOfCP: [field, { $literal: word }] }, 0] });

/** That one field of a list holds all words: what a pattern says faster, for texts of any length. */
const anyFieldHolds = (words: string[]): Stage => ({
  $anyElementTrue: [
    { $map: { input: { $ifNull: ['$search', []] }, as: 'field', in: { $and: words.map((word) => holds('$$field', word)) } } },
  ],
});

/** Whether a pattern is too long for the database. */
export const isLong = (pattern: string): boolean => Buffer.byteLength(pattern) > LONGEST_PATTERN;

const anyOf = (conditions: Stage[]): Stage => (conditions.length === 1 ? conditions[0] : { $or: conditions });

/** A search in some of the fields, or for what a field is as a whole. */
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

const START_OF = { start: 'start', end: 'start', startUtc: 'startUtc', endUtc: 'startUtc' } as const;

const isLower = ({ operator }: DateClause): boolean => operator.startsWith('$gt');

/** What a bound on UTC times means for the wall-clock start, by which most indexes are sorted. */
function boundOfStart({ column, operator, value }: DateClause): DateClause[] {
  const isFrom = operator.startsWith('$gt');
  const isBound = column === 'startUtc' || (column === 'endUtc' && !isFrom);
  const start = isBound ? shiftHours(value, isFrom ? -FARTHEST_ZONE : FARTHEST_ZONE) : null;
  return start === null ? [] : [{ column: 'start', operator: isFrom ? '$gte' : '$lte', value: start }];
}

/** No occurrence ends before it starts: what bounds the end from above bounds the start, by which the indexes are sorted. */
function dateConditions(clauses: DateClause[]): Stage[] {
  const implied = clauses.filter((clause) => !isLower(clause)).map((clause) => ({ ...clause, column: START_OF[clause.column] }));
  const all = new Map(
    [...clauses, ...implied, ...clauses.flatMap(boundOfStart)].map((clause) => [Object.values(clause).join(' '), clause]),
  );
  return [...all.values()].map(({ column, operator, value }) => ({ [`occurrence.${column}`]: { [operator]: value } }));
}

const goesByStart = (sort: PostQuery['sort']): sort is 'start' | 'startUtc' => sort === 'start' || sort === 'startUtc';

/**
 * True when the dates leave out the beginning of a list, but not by the column that sorts it: its first page would be looked for from
 * the first event on. The total of such a list comes with its first and last start (`countPipeline`), for `betweenStarts`.
 */
export const startsUnbounded = ({ dates = [], sort }: PostQuery): boolean =>
  goesByStart(sort) && dates.some(isLower) && !dates.some((clause) => isLower(clause) && clause.column === sort);

/** What a count finds. */
export interface Counted {
  total: number;
  /** The earliest and the latest start of a list that `startsUnbounded`. */
  first?: string;
  last?: string;
}

/** The same list, told between which starts it lies. */
export function betweenStarts(query: PostQuery, { first, last }: Counted): PostQuery {
  if (!goesByStart(query.sort) || first === undefined || last === undefined) return query;
  const bounds: DateClause[] = [
    { column: query.sort, operator: '$gte', value: first },
    { column: query.sort, operator: '$lte', value: last },
  ];
  return { ...query, dates: [...(query.dates ?? []), ...bounds] };
}

function termCondition({ taxonomy, ids, match = 'any' }: TermClause): Stage {
  const column = `terms.${taxonomy}`;
  if (match === 'none') return { [column]: { $nin: ids } };
  if (ids.length === 1) return { [column]: ids[0] };
  return { [column]: match === 'all' ? { $all: ids } : { $in: ids } };
}

function termConditions({ terms = [], anyTaxonomy }: PostQuery): Stage[] {
  const conditions = terms.map(termCondition);
  return anyTaxonomy && conditions.length > 1 ? [{ $or: conditions }] : conditions;
}

/** The value of a column, or one of several. */
export const oneOrAny = <T>(values: readonly T[]): T | { $in: T[] } => (values.length === 1 ? values[0] : { $in: [...values] });

/** Conditions on what every post has. */
function commonConditions({ authors, excludeAuthors, slugs, published = [] }: PostQuery): Stage[] {
  return [
    ...(authors ? [{ author: oneOrAny(authors) }] : []),
    ...(excludeAuthors ? [{ author: { $nin: excludeAuthors } }] : []),
    ...(slugs ? [{ slug: oneOrAny(slugs) }] : []),
    ...published.map(({ column, operator, value }) => ({ [column]: { [operator]: value } })),
  ];
}

function formatCondition(formats: readonly string[]): Stage {
  const named = { format: { $in: [...formats] } };
  return formats.includes('standard') ? { $or: [named, { format: { $exists: false } }] } : named;
}

/** Conditions that every post meets, and that the indexes of other orders than by start are asked for with. */
function sortedColumns({ sort }: PostQuery): Stage[] {
  if (goesByStart(sort)) return [];
  return [{ [typeof sort === 'object' && sort.by === 'title' ? ORDER_COLUMNS.title : ORDER_COLUMNS.date]: { $gte: '' } }];
}

/** The conditions of a query, as the argument of `$match`. Values only ever stand where values belong. */
export const matchStage = (query: PostQuery): Stage => allOf([...sortedColumns(query), ...conditionsOf(query)]);

/** The same without what only serves the order: what dates bound is counted by an index of the dates. */
const countStage = (query: PostQuery): Stage => (query.dates?.length || query.scheduled ? allOf(conditionsOf(query)) : matchStage(query));

const allOf = (conditions: Stage[]): Stage => (conditions.length === 1 ? conditions[0] : { $and: conditions });

function conditionsOf(query: PostQuery): Stage[] {
  const conditions: Stage[] = [{ type: typeof query.type === 'string' ? query.type : oneOrAny(query.type) }];
  if (query.listed) conditions.push({ hidden: false });
  // Said in so many words, for hidden or not stands before the dates in the indexes.
  if (query.scheduled) conditions.push({ hidden: { $in: [false, true] } });
  conditions.push({ status: oneOrAny(query.statuses) });
  if (query.ids) conditions.push({ _id: { $in: query.ids } });
  if (query.excludeIds) conditions.push({ _id: { $nin: query.excludeIds } });
  conditions.push(...dateConditions(query.dates ?? []));
  const isTimed = query.scheduled || (query.listed && goesByStart(query.sort));
  if (isTimed && !query.dates?.some(({ column }) => column.startsWith('start')))
    conditions.push({ [`occurrence.${goesByStart(query.sort) ? query.sort : 'start'}`]: { $gt: '' } });
  conditions.push(...termConditions(query), ...commonConditions(query));
  if (query.venues) conditions.push({ venues: { $in: query.venues } });
  if (query.organizers) conditions.push({ organizers: { $in: query.organizers } });
  if (query.featured !== undefined) conditions.push({ featured: query.featured });
  if (query.parent !== undefined) conditions.push({ parent: query.parent });
  if (query.parents) conditions.push({ parent: { $in: query.parents } });
  if (query.excludeParents) conditions.push({ parent: { $nin: query.excludeParents } });
  if (query.menuOrder !== undefined) conditions.push({ menuOrder: query.menuOrder });
  if (query.sticky !== undefined) conditions.push({ sticky: query.sticky ? true : { $ne: true } });
  if (query.formats) conditions.push(formatCondition(query.formats));
  if (query.mimeTypes) conditions.push({ mimeType: { $in: [...query.mimeTypes] } });
  if (query.ticketed !== undefined) conditions.push({ ticketed: query.ticketed });
  if (query.readableBy !== undefined) conditions.push({ $or: [{ status: 'publish' }, { author: query.readableBy }] });
  if (query.search) conditions.push(...searchConditions(query.search));
  if (query.withoutPassword) conditions.push({ password: '' });
  return conditions;
}

function orderStages(order: PostOrder, { ids = [], slugs = [], search }: PostQuery): Stage[] {
  if (!('descending' in order)) {
    const position = order.by === 'ids' ? { $indexOfArray: [ids, '$_id'] } : { $indexOfArray: [slugs, '$slug'] };
    return [{ $set: { position } }, { $sort: { position: 1, _id: 1 } }, { $unset: 'position' }];
  }
  const direction = order.descending ? -1 : 1;
  if (order.by !== 'relevance') {
    const column = ORDER_COLUMNS[order.by];
    return [{ $sort: { [column]: direction, ...(column === '_id' ? {} : { _id: direction }) } }];
  }
  const rank = relevance(order.phrase, search?.words ?? []);
  return [{ $set: { rank } }, { $sort: { rank: 1, date: direction, _id: direction } }, { $unset: 'rank' }];
}

/** More words than this are not looked for one by one in titles. */
const MOST_RANKED_WORDS = 6;

/** WP: a single word counts where it stands in the title; of several, first the whole phrase there, then all words, then any, then the phrase elsewhere. */
function relevance(phrase: string, words: string[]): Stage {
  const [title, excerpt, content] = [0, 1, 2].map((field) => ({ $arrayElemAt: [{ $ifNull: ['$search', []] }, field] }));
  if (words.length < 2) return { $cond: [{ $and: words.map((word) => holds(title, word)) }, 0, 1] };
  const inTitle = words.map((word) => holds(title, word));
  const ranks: [condition: Stage, rank: number][] = [
    [holds(title, phrase), 1],
    ...(words.length > MOST_RANKED_WORDS
      ? []
      : ([
          [{ $and: inTitle }, 2],
          [{ $or: inTitle }, 3],
        ] as [Stage, number][])),
    [holds(excerpt, phrase), 4],
    [holds(content, phrase), 5],
  ];
  return ranks.reduceRight<Stage | number>((otherwise, [condition, rank]) => ({ $cond: [condition, rank, otherwise] }), 6) as Stage;
}

/** `$sort` of a list. TEC: events by start, then publication date, then id; WP: the rest newest first. */
export function sortStage(sort: Exclude<PostQuery['sort'], PostOrder>): Stage {
  return sort === 'newest' ? { date: -1, _id: -1 } : { [`occurrence.${sort}`]: 1, date: 1, _id: 1 };
}

const reversed = (sort: Stage): Stage =>
  Object.fromEntries(Object.entries(sort).map(([column, direction]) => [column, -Number(direction)]));

function sortStages(query: PostQuery): Stage[] {
  if (typeof query.sort === 'object') return orderStages(query.sort, query);
  const sort = sortStage(query.sort);
  return [{ $sort: query.backwards ? reversed(sort) : sort }];
}

/** Fields that only serve queries stay in the database. */
const WITHOUT_DERIVED = { $project: { search: 0, titleKey: 0 } };

/** One page of a list. */
export const pagePipeline = (query: PostQuery): Stage[] => [
  { $match: matchStage(query) },
  ...sortStages(query),
  ...(query.offset > 0 ? [{ $skip: query.offset }] : []),
  { $limit: query.limit },
  WITHOUT_DERIVED,
];

/**
 * All of a list of a few ids, in no order, and the order that it is to be brought into: no index serves ids and an order at once.
 * Null for lists that may be long, and where the order is not told by columns.
 */
export function fewPipeline(query: PostQuery): { stages: Stage[]; order: Stage } | null {
  const { ids, limit, sort, backwards } = query;
  if (!ids || ids.length > 2 * limit || typeof sort === 'object') return null;
  const order = sortStage(sort);
  return { stages: [{ $match: matchStage(query) }, WITHOUT_DERIVED], order: backwards ? reversed(order) : order };
}

const columnOf = (document: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);

/** As the database compares: nothing comes first, texts go by their bytes. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a !== undefined) - Number(b !== undefined);
}

/** Documents in the order of a `$sort`. */
export function inOrder<T extends object>(documents: readonly T[], order: Stage): T[] {
  const columns = Object.entries(order) as [string, number][];
  return documents.toSorted((a, b) => {
    for (const [path, direction] of columns) {
      const difference = compareValues(columnOf(a, path), columnOf(b, path)) * direction;
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** How many there are in all (`Counted`). */
export function countPipeline(query: PostQuery): Stage[] {
  const start = `$occurrence.${typeof query.sort === 'string' ? query.sort : ''}`;
  const count = startsUnbounded(query)
    ? { $group: { _id: null, total: { $sum: 1 }, first: { $min: start }, last: { $max: start } } }
    : { $count: 'total' };
  return [{ $match: countStage(query) }, count];
}
