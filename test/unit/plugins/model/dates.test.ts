import { zonesOf } from '../../../../src/base/php/zone-data.js';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defaultWindow,
  eventDates,
  filterValue,
  isTime,
  publicationDate,
  readFilterDate,
  type DateFilter,
  type FilterDate,
  type EventDatesInput,
} from '../../../../src/plugins/the-events-calendar/model/dates.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(here, '../../..', file), 'utf8'));

const ctx = { now: Date.UTC(2026, 5, 15, 12) / 1000, siteZone: 'America/New_York', zones: zonesOf('2025b') };
const store = (input: Partial<EventDatesInput>) =>
  eventDates({ start: '2026-08-01', end: '2035-01-01', allDay: false, cutoff: '00:00', ...input }, ctx);

interface Sent {
  start_date?: string;
  end_date?: string;
  timezone?: string;
  all_day?: boolean;
}
interface DateRow {
  input: string | Sent;
  output: { status?: number; start_date: string; utc_start_date: string | null; end_date?: string; utc_end_date?: string };
}

describe('measured event dates', () => {
  test.each(readJson('examples/dates.json') as DateRow[])('$input', ({ input, output }) => {
    const sent: Sent = typeof input === 'string' ? { start_date: input } : input;
    expect(isTime(sent.start_date, ctx)).toBe(output.status === undefined);
    if (output.status !== undefined) return;
    const { dates } = store({
      start: sent.start_date,
      end: sent.end_date ?? '2035-01-01 00:00:00',
      timezone: sent.timezone,
      allDay: sent.all_day ?? false,
    });
    expect(dates?.start ?? '').toBe(output.start_date);
    expect(dates?.startUtc ?? null).toBe(output.utc_start_date);
    if (output.end_date !== undefined) expect(dates?.end).toBe(output.end_date);
    if (output.utc_end_date !== undefined) expect(dates?.endUtc).toBe(output.utc_end_date);
  });
});

interface Recorded {
  steps: {
    request: { method: string; path: string; body?: Sent & { date?: string; date_utc?: string } };
    response: { status: number; body: Record<string, unknown> & { rest_url?: string } };
  }[];
}

const written = ['write-event-timezone', 'write-event-dates', 'write-event-all-day']
  .flatMap((name) => (readJson(`conformance/cases/${name}.json`) as Recorded).steps)
  .filter(({ response }) => response.status === 201)
  .map(({ request, response }) => ({ sent: request.body!, answer: response.body }));

describe('recorded event dates', () => {
  test.each(written)('$sent', ({ sent, answer }) => {
    const { dates, timezone, abbr } = store({
      start: sent.start_date,
      end: sent.end_date,
      timezone: sent.timezone,
      allDay: answer.all_day === true,
    });
    expect(dates).toMatchObject({
      start: answer.start_date,
      end: answer.end_date,
      startUtc: answer.utc_start_date,
      endUtc: answer.utc_end_date,
    });
    expect([timezone, abbr]).toEqual([answer.timezone, answer.timezone_abbr]);
  });
});

test.each([
  ['2026-10-31 22:00:00', '2026-11-01 06:00:00', 'America/New_York', 32400],
  ['2026-08-01 10:00', '2026-08-01 09:00', '', 0],
])('from %s to %s in "%s" are %d seconds', (start, end, timezone, duration) => {
  expect(store({ start, end, timezone }).dates?.duration).toBe(duration);
});

test.each([
  ['2026-11-01 01:30', 'America/New_York', '2026-11-01 05:30:00'],
  ['2026-10-25 02:30', 'Europe/Paris', '2026-10-25 01:30:00'],
  ['2026-10-25 01:30', 'Europe/London', '2026-10-25 01:30:00'],
])('%s, twice in %s, is %s', (start, timezone, utc) => {
  expect(store({ start, timezone }).dates?.startUtc).toBe(utc);
});

test('a day ends at the cutoff of the site', () => {
  const { dates } = store({ start: '2026-08-01 10:00', end: '2026-08-02 01:00', allDay: true, cutoff: '02:00' });
  expect(dates).toMatchObject({ start: '2026-08-01 02:00:00', end: '2026-08-03 01:59:59', endUtc: '2026-08-03 05:59:59' });
});

test.each([
  ['0', '2035-01-01'],
  ['2026-08-01', ''],
  [undefined, '2026-08-01'],
])('start %j and end %j store no dates', (start, end) => {
  expect(store({ start, end })).toEqual({ dates: null, timezone: 'America/New_York', abbr: 'EDT' });
});

test('stored dates are widened to whole days', () => {
  expect(store({ start: '2026-06-20 10:00:00', end: '2026-06-20 11:00:00', allDay: true }).dates).toEqual({
    start: '2026-06-20 00:00:00',
    end: '2026-06-20 23:59:59',
    startUtc: '2026-06-20 04:00:00',
    endUtc: '2026-06-21 03:59:59',
    duration: 86399,
  });
});

test.each([
  ['', false],
  ['0', true],
  [1790000000, true],
  ['-1.5', true],
  ['@0', false],
  ['25:00', false],
  ['1970-01-01 00:00:00', false],
  [null, false],
  [true, false],
  [['2026-08-01'], false],
])('time: %j is %j', (value, expected) => {
  expect(isTime(value, ctx)).toBe(expected);
});

const read = (value: unknown): FilterDate => {
  const date = readFilterDate(value, ctx);
  if (!date) throw new Error(`${String(value)} is no date.`);
  return date;
};

interface FilterRow {
  input: string;
  output: { status?: number; effective: string };
}

const filters = fs
  .readdirSync(path.join(here, '../../../examples'))
  .flatMap((file) => {
    const match = /^filter-([a-z-]+?)(-strict)?\.json$/.exec(file);
    return match ? [{ file, param: match[1].replaceAll('-', '_') as DateFilter, strict: match[2] !== undefined }] : [];
  })
  .flatMap(({ file, ...rest }) => (readJson(`examples/${file}`) as FilterRow[]).map((row) => ({ ...row, ...rest })));

describe('measured list filters', () => {
  test.each(filters)('$param $input, strict $strict', ({ param, input, output, strict }) => {
    const value = decodeURIComponent(input);
    expect(isTime(value, ctx)).toBe(output.status === undefined);
    if (output.status !== undefined) return;
    expect(filterValue(param, read(value), { ...ctx, strict, cutoff: '00:00' })).toBe(output.effective);
  });
});

const lists = ['events-default', 'events-start-date', 'events-end-date', 'events-relative-dates', 'events-strict-dates']
  .flatMap((name) => (readJson(`conformance/cases/${name}.json`) as Recorded).steps)
  .flatMap(({ request, response }) => {
    const sent = new URLSearchParams(request.path.split('?')[1] ?? '');
    const shown = response.body.rest_url?.split('?')[1];
    return shown === undefined ? [] : [{ path: request.path, sent, shown: new URLSearchParams(shown) }];
  });

const FILTERS: DateFilter[] = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];

describe('recorded list filters', () => {
  test.each(lists)('$path', ({ sent, shown }) => {
    const { start, end } = defaultWindow(ctx);
    const defaults: Record<string, string> = { start_date: start, end_date: end };
    const strict = ['1', 'true'].includes(sent.get('strict_dates') ?? '');
    for (const param of FILTERS) {
      if (!shown.has(param)) continue;
      expect(filterValue(param, read(sent.get(param) ?? defaults[param]), { ...ctx, strict, cutoff: '00:00' })).toBe(shown.get(param));
    }
  });
});

test.each([
  ['2026-06-15 12:00:00', 'America/New_York', '2026-06-14 19:59:00', '2028-06-15 12:00:00'],
  ['2026-11-21 03:47:41', 'America/New_York', '2026-11-20 18:59:00', '2028-11-21 03:47:41'],
  ['2028-02-29 00:00:00', 'UTC+5.5', '2028-02-29 05:29:00', '2030-03-01 00:00:00'],
])('default window at %s in %s', (now, zone, start, end) => {
  expect(defaultWindow({ ...ctx, now: Date.parse(`${now}Z`) / 1000, siteZone: zone })).toEqual({ start, end });
});

test.each([
  ['start_date', '2026-08-01 02:00:00'],
  ['ends_before', '2026-08-02 01:59:59'],
] as const)('with a cutoff %s of a day is %s', (param, expected) => {
  expect(filterValue(param, read('2026-08-01'), { ...ctx, strict: false, cutoff: '02:00' })).toBe(expected);
});

test.each([
  ['start_date', '2000-01-01 10:00:00'],
  ['ends_after', '2000-01-02 09:59:59'],
] as const)('the year 10000 becomes an hour in %s', (param, expected) => {
  expect(filterValue(param, read('253402300800'), { ...ctx, strict: false, cutoff: '00:00' })).toBe(expected);
});

test.each([
  [{ date: '2026-05-01 10:00:00' }, { date: '2026-05-01 10:00:00', dateGmt: '2026-05-01 14:00:00' }],
  [{ date_utc: '2026-05-01 10:00:00' }, { date: '2026-05-01 06:00:00', dateGmt: '2026-05-01 10:00:00' }],
  [{ date: '2026-05-01T10:00:00Z' }, { date: '2026-05-01 10:00:00', dateGmt: '2026-05-01 14:00:00' }],
  [
    { date: '2026-05-01', date_utc: '2026-01-01' },
    { date: '2026-05-01 00:00:00', dateGmt: '2026-01-01 00:00:00' },
  ],
  [{ date: 'x' }, { date: '2026-06-15 08:00:00', dateGmt: '2026-06-15 12:00:00' }],
  [{ date_utc: 'x' }, { date: '2026-06-15 19:00:00', dateGmt: '2026-06-15 23:00:00' }],
  [{ date_utc: '2026' }, { date: '1969-12-31 19:33:46', dateGmt: '1970-01-01 00:33:46' }],
  [{ date: 'garbage' }, null],
  [{}, null],
])('publication date %j', (params, expected) => {
  expect(publicationDate(params, ctx)).toEqual(expected);
});
