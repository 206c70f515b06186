import { columnsOf } from '../../../database/memory/table/rows.js';
import type { QueryExtension } from '../../../wordpress/query/clauses.js';
import type { PostQuery, Stage } from '../../../wordpress/query/post-query.js';
import { MAX_OFFSET_HOURS, shiftHours } from '../../../wordpress/timezones.js';
import { LINKED, type LinkColumn } from './event.js';
import type { Occurrence } from './occurrence.js';

/** How a column of the occurrence is compared. Values are wall-clock text, `YYYY-MM-DD HH:MM:SS`. */
export interface DateClause {
  column: keyof Occurrence;
  operator: '$gte' | '$gt' | '$lte' | '$lt';
  value: string;
}

/** The conditions of the plugin for queries. */
declare module '../../../wordpress/query/post-query.js' {
  interface PostQuery extends Partial<Record<LinkColumn, number[]>> {
    dates?: DateClause[];
    /** Only events with an occurrence, and not hidden from listings (TEC). */
    listed?: boolean;
    /** Only events with an occurrence, whether they are hidden from listings or not (TEC). */
    scheduled?: boolean;
    featured?: boolean;
    /** Events with tickets, or those without. */
    ticketed?: boolean;
  }
  interface Sorts {
    /** TEC: events by start, then publication date, then id. */
    start: Stage;
    startUtc: Stage;
  }
}

const START_OF = { start: 'start', end: 'start', startUtc: 'startUtc', endUtc: 'startUtc' } as const;

const isLower = ({ operator }: DateClause): boolean => operator.startsWith('$gt');

/** The bound of the local start that follows from a bound of UTC times, since most indexes are sorted by local start. */
function boundOfStart({ column, operator, value }: DateClause): DateClause[] {
  const isFrom = operator.startsWith('$gt');
  const isBound = column === 'startUtc' || (column === 'endUtc' && !isFrom);
  const start = isBound ? shiftHours(value, isFrom ? -MAX_OFFSET_HOURS : MAX_OFFSET_HOURS) : null;
  return start === null ? [] : [{ column: 'start', operator: isFrom ? '$gte' : '$lte', value: start }];
}

/** No occurrence ends before it starts, so an upper bound of the end also bounds the start, by which the indexes are sorted. */
function dateConditions(clauses: DateClause[]): Stage[] {
  const implied = clauses.filter((clause) => !isLower(clause)).map((clause) => ({ ...clause, column: START_OF[clause.column] }));
  const all = new Map(
    [...clauses, ...implied, ...clauses.flatMap(boundOfStart)].map((clause) => [Object.values(clause).join(' '), clause]),
  );
  return [...all.values()].map(({ column, operator, value }) => ({ [`occurrence.${column}`]: { [operator]: value } }));
}

const isStartOrder = (sort: PostQuery['sort']): sort is 'start' | 'startUtc' => sort === 'start' || sort === 'startUtc';

/** Requires an occurrence, unless a condition on dates does. */
function timed({ dates, sort }: PostQuery): Stage[] {
  if (dates?.some(({ column }) => column.startsWith('start'))) return [];
  return [{ [`occurrence.${isStartOrder(sort) ? sort : 'start'}`]: { $gt: '' } }];
}

const linkClauses = Object.fromEntries(
  Object.values(LINKED).map(({ column }) => [column, (ids: number[]): Stage[] => [{ [column]: { $in: ids } }]]),
);

export const QUERIES: QueryExtension = {
  columns: {
    ...columnsOf('order', ['occurrence.start', 'occurrence.end', 'occurrence.startUtc', 'occurrence.endUtc']),
    ...columnsOf('value', ['hidden', 'featured', 'ticketed']),
    ...columnsOf(
      'ids',
      Object.values(LINKED).map(({ column }) => column),
    ),
  },
  clauses: {
    listed: (isWanted, query) =>
      isWanted ? [{ hidden: false }, ...(isStartOrder(query.sort) && !query.scheduled ? timed(query) : [])] : [],
    // Named explicitly, since the indexes have it before the dates.
    scheduled: (isWanted, query) => (isWanted ? [{ hidden: { $in: [false, true] } }, ...timed(query)] : []),
    dates: dateConditions,
    featured: (featured) => [{ featured }],
    ticketed: (ticketed) => [{ ticketed }],
    ...linkClauses,
  },
  sorts: {
    start: { 'occurrence.start': 1, date: 1, _id: 1 },
    startUtc: { 'occurrence.startUtc': 1, date: 1, _id: 1 },
  },
  isCounted: ({ dates = [], scheduled = false }) => dates.length > 0 || scheduled,
  unboundedColumn: ({ dates = [], sort }) => {
    const isUnbounded = isStartOrder(sort) && dates.some(isLower) && !dates.some((clause) => isLower(clause) && clause.column === sort);
    return isUnbounded ? `occurrence.${sort}` : null;
  },
};
