import { oneOrAny, holds, isLong } from './clauses.js';
import type { Stage } from './post-query.js';
import { escapeRegExp } from '../../base/text/pattern.js';
import type { Term } from '../model.js';
import { membersOf } from '../../base/values/records.js';

const columnOf = (document: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => membersOf(value)?.[name], document);

/** Characters whose order by UTF-16 differs from their order by bytes. */
const HIGH = /[\ud800-\uffff]/;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (HIGH.test(a) && HIGH.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Compares values as MongoDB does: missing values first, strings by their bytes. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return Number(a !== undefined) - Number(b !== undefined);
}

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

/** A query for a list of terms, independent of the database. */
export interface TermQuery {
  taxonomy: string | readonly string[];
  search?: string;
  include?: number[];
  exclude?: number[];
  slug?: string;
  slugs?: string[];
  parent?: number;
  /** Excludes terms without posts. `'branch'`: unless one of their descendants has posts (WP). */
  hideEmpty?: 'used' | 'branch';
  orderBy: 'name' | 'slug' | 'id' | 'count' | 'description' | 'group' | 'include' | 'slugs' | 'parent';
  descending: boolean;
  limit: number;
  offset: number;
}

export function termMatchStage(query: TermQuery): Stage {
  const conditions: Stage[] = [{ taxonomy: typeof query.taxonomy === 'string' ? query.taxonomy : oneOrAny(query.taxonomy) }];
  if (query.include) conditions.push({ _id: { $in: query.include } });
  if (query.exclude) conditions.push({ _id: { $nin: query.exclude } });
  if (query.slug !== undefined) conditions.push({ slug: query.slug });
  if (query.slugs) conditions.push({ slug: oneOrAny(query.slugs) });
  if (query.parent !== undefined) conditions.push({ parent: query.parent });
  if (query.hideEmpty === 'used') conditions.push({ count: { $gt: 0 } });
  if (query.hideEmpty === 'branch') conditions.push({ branchCount: { $gt: 0 } });
  if (query.search !== undefined) {
    const pattern = escapeRegExp(query.search);
    conditions.push(isLong(pattern) ? { $expr: holds('$search', query.search) } : { search: { $regex: pattern } });
  }
  return conditions.length === 1 ? conditions[0] : { $and: conditions };
}

const TERM_ORDER: Record<Exclude<TermQuery['orderBy'], 'include' | 'slugs'>, string> = {
  name: 'nameKey',
  slug: 'slug',
  id: '_id',
  count: 'count',
  description: 'description',
  group: 'termGroup',
  parent: 'parent',
};

/** Unique columns, which need no second sort column. */
const IS_UNIQUE: ReadonlySet<TermQuery['orderBy']> = new Set(['id', 'slug']);

const givenPosition = ({ orderBy, include = [], slugs = [] }: TermQuery): Stage =>
  orderBy === 'include' ? { $indexOfArray: [include, '$_id'] } : { $indexOfArray: [slugs, '$slug'] };

function termOrder({ orderBy, descending }: TermQuery): Stage {
  const column = TERM_ORDER[orderBy as keyof typeof TERM_ORDER];
  return { [column]: descending ? -1 : 1, ...(IS_UNIQUE.has(orderBy) ? {} : { _id: 1 }) };
}

export function termPipeline(query: TermQuery): Stage[] {
  const direction = query.descending ? -1 : 1;
  const order =
    query.orderBy === 'include' || query.orderBy === 'slugs'
      ? [{ $set: { position: givenPosition(query) } }, { $sort: { position: direction, _id: 1 } }]
      : [{ $sort: termOrder(query) }];
  return [{ $match: termMatchStage(query) }, ...order, ...(query.offset > 0 ? [{ $skip: query.offset }] : []), { $limit: query.limit }];
}

export const termCountPipeline = (query: TermQuery): Stage[] => [{ $match: termMatchStage(query) }, { $count: 'total' }];

/** Like `fewPipeline`, for terms. */
export function fewTermsPipeline(query: TermQuery): { stages: Stage[]; order: Stage } | null {
  const { include, slug, limit, orderBy } = query;
  const isFew = slug !== undefined || (include !== undefined && include.length <= 2 * limit);
  return isFew && orderBy !== 'include' && orderBy !== 'slugs'
    ? { stages: [{ $match: termMatchStage(query) }], order: termOrder(query) }
    : null;
}

const setOf = <T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined => values && new Set(values);

export function termMatches(query: TermQuery): (term: Term) => boolean {
  const { slug, parent, hideEmpty, search } = query;
  const taxonomies = [query.taxonomy].flat();
  const [include, exclude, slugs] = [setOf(query.include), setOf(query.exclude), setOf(query.slugs)];
  return (term) =>
    taxonomies.includes(term.taxonomy) &&
    (search === undefined || term.search.includes(search)) &&
    (include === undefined || include.has(term._id)) &&
    !exclude?.has(term._id) &&
    (slug === undefined || term.slug === slug) &&
    (slugs === undefined || slugs.has(term.slug)) &&
    (parent === undefined || term.parent === parent) &&
    (hideEmpty === undefined || (hideEmpty === 'used' ? term.count : term.branchCount) > 0);
}

export function selectTerms(terms: readonly Term[], query: TermQuery): Term[] {
  const { orderBy, include = [], slugs = [], descending, offset, limit } = query;
  const found = terms.filter(termMatches(query));
  if (orderBy !== 'include' && orderBy !== 'slugs') return inOrder(found, termOrder(query)).slice(offset, offset + limit);
  const positioned = found.map((term) => ({
    _id: term._id,
    position: orderBy === 'include' ? include.indexOf(term._id) : slugs.indexOf(term.slug),
    term,
  }));
  return inOrder(positioned, { position: descending ? -1 : 1, _id: 1 })
    .slice(offset, offset + limit)
    .map(({ term }) => term);
}
