import { holds, type Queries } from './clauses.js';
import { ORDER_COLUMNS, type PostOrder, type PostQuery, type Stage } from './post-query.js';

/** Conditions that match every post, but are required for the use of the partial indexes of general orders. */
function sortedColumns({ sort }: PostQuery): Stage[] {
  if (typeof sort === 'string' && sort !== 'newest') return [];
  return [{ [typeof sort === 'object' && sort.by === 'title' ? ORDER_COLUMNS.title : ORDER_COLUMNS.date]: { $gte: '' } }];
}

/** The conditions of a query, as the argument of `$match`. Values from requests are never used as operators. */
export const matchStage = (query: PostQuery, queries: Queries): Stage => allOf([...sortedColumns(query), ...queries.conditionsOf(query)]);

/** The same for a count: without the conditions for sorting, if another index can count. */
const countStage = (query: PostQuery, queries: Queries): Stage =>
  queries.hasCountIndex(query) ? allOf(queries.conditionsOf(query)) : matchStage(query, queries);

const allOf = (conditions: Stage[]): Stage => (conditions.length === 1 ? conditions[0] : { $and: conditions });

const columnSort = (by: keyof typeof ORDER_COLUMNS, direction: 1 | -1): Stage => {
  const column = ORDER_COLUMNS[by];
  return { [column]: direction, ...(column === '_id' ? {} : { _id: direction }) };
};

function orderStages(order: PostOrder, { ids = [], slugs = [], search }: PostQuery): Stage[] {
  if (!('descending' in order)) {
    const position = order.by === 'ids' ? { $indexOfArray: [ids, '$_id'] } : { $indexOfArray: [slugs, '$slug'] };
    return [{ $set: { position } }, { $sort: { position: 1, _id: 1 } }, { $unset: 'position' }];
  }
  const direction = order.descending ? -1 : 1;
  if (order.by !== 'relevance') return [{ $sort: columnSort(order.by, direction) }];
  const rank = relevance(order.phrase, search?.words ?? []);
  return [{ $set: { rank } }, { $sort: { rank: 1, date: direction, _id: direction } }, { $unset: 'rank' }];
}

/** WP: with more words, only the whole phrase is ranked. */
const MAX_RANKED_WORDS = 6;

/** A rank, which a post has if a field (of `Post.search`) contains all of some words, or any. */
export interface Rank {
  field: number;
  words: readonly string[];
  isAny?: boolean;
}

/**
 * The ranks of posts by relevance, the highest first. WP: a single word is in the title or not. Of several words: the whole phrase in the title, then
 * all words there, then any of them, then the phrase in the excerpt, then in the content.
 */
export function ranksOf(phrase: string, words: readonly string[]): Rank[] {
  const inTitle = { field: 0, words };
  if (words.length < 2) return [inTitle];
  const [title, ...others] = [0, 1, 2].map((field) => ({ field, words: [phrase] }));
  return [title, ...(words.length > MAX_RANKED_WORDS ? [] : [inTitle, { ...inTitle, isAny: true }]), ...others];
}

function relevance(phrase: string, words: string[]): Stage {
  const ranks = ranksOf(phrase, words);
  const condition = ({ field, words: some, isAny = false }: Rank): Stage => {
    const text = { $arrayElemAt: [{ $ifNull: ['$search', []] }, field] };
    return { [isAny ? '$or' : '$and']: some.map((word) => holds(text, word)) };
  };
  return ranks.reduceRight<Stage | number>((below, each, rank) => ({ $cond: [condition(each), rank, below] }), ranks.length) as Stage;
}

const reversed = (sort: Stage): Stage =>
  Object.fromEntries(Object.entries(sort).map(([column, direction]) => [column, -Number(direction)]));

function sortStages(query: PostQuery, queries: Queries): Stage[] {
  if (typeof query.sort === 'object') return orderStages(query.sort, query);
  const sort = queries.sortStage(query.sort);
  return [{ $sort: query.backwards ? reversed(sort) : sort }];
}

/** Excludes derived columns. */
const WITHOUT_DERIVED = { $project: { search: 0, titleKey: 0 } };

export const pagePipeline = (query: PostQuery, queries: Queries): Stage[] => [
  { $match: matchStage(query, queries) },
  ...sortStages(query, queries),
  ...(query.offset > 0 ? [{ $skip: query.offset }] : []),
  { $limit: query.limit },
  WITHOUT_DERIVED,
];

/** The order of a list by columns that are read with a post, as `$sort`. Null for other orders. */
export function columnOrder({ sort, backwards }: PostQuery, queries: Queries): Stage | null {
  if (typeof sort === 'string') return backwards ? reversed(queries.sortStage(sort)) : queries.sortStage(sort);
  if (!('descending' in sort) || sort.by === 'relevance' || sort.by === 'title') return null;
  return columnSort(sort.by, sort.descending ? -1 : 1);
}

/**
 * A pipeline for all posts of a few ids, unsorted, and the order to sort them by: no index supports both ids and an order.
 * Null if the list may be long or its order is not one of columns that are read.
 */
export function fewPipeline(query: PostQuery, queries: Queries): { stages: Stage[]; order: Stage } | null {
  const { ids, limit } = query;
  const order = ids && ids.length <= 2 * limit ? columnOrder(query, queries) : null;
  return order && { stages: [{ $match: matchStage(query, queries) }, WITHOUT_DERIVED], order };
}

export interface Counted {
  total: number;
  /** The minimum and maximum of the sort column, for queries with an `unboundedColumn`. */
  first?: string;
  last?: string;
}

/** Adds the range that the count has found, for queries with an `unboundedColumn`. */
export function withRange(query: PostQuery, { first, last }: Counted, queries: Queries): PostQuery {
  const column = queries.unboundedColumn(query);
  return column === null || first === undefined || last === undefined ? query : { ...query, range: { column, first, last } };
}

export function countPipeline(query: PostQuery, queries: Queries): Stage[] {
  const column = queries.unboundedColumn(query);
  const count = column
    ? { $group: { _id: null, total: { $sum: 1 }, first: { $min: `$${column}` }, last: { $max: `$${column}` } } }
    : { $count: 'total' };
  return [{ $match: countStage(query, queries) }, count];
}
