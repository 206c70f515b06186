import { occurrenceOf } from '../../../../src/plugins/the-events-calendar/model/occurrence.js';
import { matchStage } from '../../../../src/wordpress/query/query.js';
import type { DateClause } from '../../../../src/plugins/the-events-calendar/model/query.js';
import { registry } from '../../../support/registry.js';

const occurrence = (start: string, end: string, startUtc: string, endUtc: string, timezone = 'America/New_York') =>
  occurrenceOf({
    meta: Object.entries({
      _EventStartDate: start,
      _EventEndDate: end,
      _EventStartDateUTC: startUtc,
      _EventEndDateUTC: endUtc,
      _EventTimezone: timezone,
    }).map(([key, value]) => ({ key, value })),
  });

const MORNING = ['2026-07-01 09:00:00', '2026-07-01 11:00:00'] as const;

test.each([
  ['as stored', '2026-07-01 13:00:00', '2026-07-01 15:00:00', '2026-07-01 13:00:00'],
  ['of another zone, as stored', '2026-06-30 19:00:00', '2026-06-30 21:00:00', '2026-06-30 19:00:00'],
  ['of no zone there is', '2026-06-20 13:00:00', '2026-06-20 15:00:00', '2026-07-01 13:00:00'],
  ['whose end is of no zone there is', '2026-07-01 13:00:00', '2027-07-01 15:00:00', '2026-07-01 13:00:00'],
])('UTC times %s', (_, startUtc, endUtc, expected) => {
  expect(occurrence(...MORNING, startUtc, endUtc)?.startUtc).toBe(expected);
});

test.each([
  ['a date is missing', '', '2026-07-01 11:00:00', '2026-07-01 13:00:00', '2026-07-01 15:00:00'],
  ['the end comes first', '2026-07-01 12:00:00', '2026-07-01 11:00:00', '2026-07-01 13:00:00', '2026-07-01 15:00:00'],
  ['the end comes first in UTC', ...MORNING, '2026-07-01 16:00:00', '2026-07-01 15:00:00'],
])('no occurrence when %s', (_, start, end, startUtc, endUtc) => {
  expect(occurrence(start, end, startUtc, endUtc)).toBeUndefined();
});

const bounds = (clause: DateClause): unknown[] => {
  const { $and } = matchStage(
    { type: 'tribe_events', statuses: ['publish'], dates: [clause], sort: 'newest', limit: 1, offset: 0 },
    registry.queries,
  ) as {
    $and: Record<string, unknown>[];
  };
  return $and.filter((condition) => 'occurrence.start' in condition).map((condition) => condition['occurrence.start']);
};

test.each<[DateClause, unknown[]]>([
  [{ column: 'startUtc', operator: '$gte', value: '2026-06-14 12:00:00' }, [{ $gte: '2026-06-13 20:00:00' }]],
  [{ column: 'startUtc', operator: '$lt', value: '2026-06-14 12:00:00' }, [{ $lte: '2026-06-15 04:00:00' }]],
  [{ column: 'endUtc', operator: '$lte', value: '2026-12-31 23:59:59' }, [{ $lte: '2027-01-01 15:59:59' }]],
  [{ column: 'endUtc', operator: '$gt', value: '2026-06-14 12:00:00' }, []],
  [{ column: 'startUtc', operator: '$gt', value: '' }, []],
  [{ column: 'startUtc', operator: '$gt', value: '2026-02-31 99:00:00' }, []],
  [{ column: 'startUtc', operator: '$gt', value: '0000-01-01 00:00:00' }, []],
  [{ column: 'endUtc', operator: '$lt', value: '9999-12-31 23:00:00' }, []],
])('what a bound on UTC times says of the start: %j', (clause, expected) => {
  expect(bounds(clause)).toEqual(expected);
});
