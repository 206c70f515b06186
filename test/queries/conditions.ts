import { matchStage } from '../../src/wordpress/query/query.js';
import type { PostQuery, Stage } from '../../src/wordpress/query/post-query.js';
import type { DateClause } from '../../src/plugins/the-events-calendar/model/query.js';
import { registry } from '../support/registry.js';

export const FROM = { column: 'start', operator: '$gte', value: '2026-06-14 00:00:00' } as const;
export const TO = { column: 'end', operator: '$lte', value: '2028-06-15 23:59:59' } as const;

/** The query of an anonymous list without parameters. */
export const DEFAULT: PostQuery = {
  type: 'tribe_events',
  listed: true,
  statuses: ['publish'],
  dates: [FROM, TO],
  terms: [],
  sort: 'start',
  limit: 10,
  offset: 0,
};

export const TYPE: Stage = { type: 'tribe_events' };
export const LISTED: Stage = { hidden: false };
export const PUBLISHED: Stage = { status: 'publish' };
/** The end of the window also limits the start, since the indexes are sorted by start. */
export const date = (column: 'start' | 'end', operator: DateClause['operator'], value: string): DateClause => ({ column, operator, value });

/** Sorts conditions, since their order does not matter. */
export const unordered = (conditions: unknown): Stage[] =>
  (conditions as Stage[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

export const conditionsOf = (query: PostQuery): Stage[] => unordered(matchStage(query, registry.queries)['$and'] ?? []);
