import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import { ALL, readersOf } from './readers.js';
import type { Event } from '../../src/sdk/types/responses.js';

const tec = edgeApi(startTestServer({ dataset: EDGE }));
const standard = edgeApi(startTestServer({ dataset: EDGE, profile: 'standard' }));
const { event, list, slugs } = readersOf(tec);

describe('time zones', () => {
  test.each<[slug: string, timezone: string, abbreviation: string, utc: string, offset: string]>([
    ['zone-kathmandu', 'Asia/Kathmandu', '+0545', '2026-07-01 06:15:00', '+05:45'],
    ['zone-chatham', 'Pacific/Chatham', '+1245', '2026-06-30 23:15:00', '+12:45'],
    ['zone-kolkata', 'Asia/Kolkata', 'IST', '2026-07-01 06:30:00', '+05:30'],
    ['zone-adelaide', 'Australia/Adelaide', 'ACDT', '2027-01-15 01:30:00', '+10:30'],
    ['zone-st-johns', 'America/St_Johns', 'NST', '2027-01-15 15:30:00', '-03:30'],
    // A historical abbreviation of the zone is shown instead of a bare offset.
    ['zone-lord-howe', 'Australia/Lord_Howe', 'AEST', '2026-07-01 01:30:00', '+10:30'],
    ['zone-saigon', 'Asia/Saigon', 'PLMT', '2026-07-01 05:00:00', '+07:00'],
    ['zone-buenos-aires', 'America/Argentina/Buenos_Aires', 'CMT', '2026-07-01 15:00:00', '-03:00'],
    ['zone-brazil-east', 'Brazil/East', '-03', '2026-07-01 15:00:00', '-03:00'],
    ['zone-etc', 'Etc/GMT+5', '-05', '2026-07-01 17:00:00', '-05:00'],
    ['zone-lower-case', 'europe/paris', 'CEST', '2026-07-01 10:00:00', '+02:00'],
    ['zone-abbreviation', 'EST', 'EST', '2026-07-01 17:00:00', '-05:00'],
    ['zone-offset', '+02:00', 'GMT+0200', '2026-07-01 10:00:00', '+02:00'],
    ['zone-offset-without-colon', '-0530', 'GMT-0530', '2026-07-01 17:30:00', '-05:30'],
    ['zone-winnipeg', 'America/Winnipeg', 'EST', '2027-01-15 17:00:00', '-05:00'],
    ['zone-casablanca', 'Africa/Casablanca', '+00', '2027-01-15 12:00:00', '+00:00'],
    ['zone-utc', 'UTC', 'UTC', '2026-07-01 12:00:00', '+00:00'],
    ['zone-utc-plus-5-30', 'UTC+5.5', 'UTC+5.5', '2026-07-01 06:30:00', '+05:30'],
    ['zone-utc-plus-5-30-as-text', 'UTC+5:30', 'UTC+5:30', '2026-07-01 06:30:00', '+05:30'],
    // Converted as a region with that offset, daylight saving time included, but shown with the fixed offset.
    ['zone-utc-plus-2-summer', 'UTC+2', 'UTC+2', '2026-07-01 09:00:00', '+02:00'],
    ['zone-utc-plus-2-winter', 'UTC+2', 'UTC+2', '2027-01-15 10:00:00', '+02:00'],
    ['zone-utc-minus-3-30', 'UTC-3.5', 'UTC-3.5', '2026-07-01 14:30:00', '-03:30'],
    ['zone-utc-plus-9-30', 'UTC+9.5', 'UTC+9.5', '2027-01-15 01:30:00', '+09:30'],
    // Offsets without a matching region are converted as UTC.
    ['zone-utc-minus-12', 'UTC-12', 'UTC-12', '2026-07-01 12:00:00', '-12:00'],
    ['zone-utc-plus-14', 'UTC+14', 'UTC+14', '2026-07-01 12:00:00', '+14:00'],
    ['date-line-west', 'Pacific/Pago_Pago', 'SST', '2026-07-01 23:00:00', '-11:00'],
    ['date-line-east', 'Pacific/Kiritimati', '+14', '2026-06-30 22:00:00', '+14:00'],
  ])('%s: %s is %s', async (slug, timezone, abbreviation, utc, offset) => {
    const shown = await event(slug);
    expect(shown).toMatchObject({ timezone, timezone_abbr: abbreviation, utc_start_date: utc });
    expect(shown.json_ld?.startDate).toBe(`${(shown.start_date ?? '').replace(' ', 'T')}${offset}`);
    const [, year, month, day, hour, minutes, seconds] = /(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)/.exec(utc) ?? [];
    expect(shown.utc_start_date_details).toEqual({ year, month, day, hour, minutes, seconds });
  });

  test('filters and order use the local time of each event, on both sides of the date line', async () => {
    const { events } = await list('categories=zones&start_date=2026-07-01&end_date=2026-07-01&per_page=50');
    expect(new Set(events.map(({ start_date }) => start_date))).toEqual(new Set(['2026-07-01 12:00:00']));
    expect(events).toHaveLength(21);
    expect(events.slice(-2).map(({ slug }) => slug)).toEqual(['date-line-west', 'date-line-east']);
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => a - b));
  });
});

describe('daylight saving changes', () => {
  test.each<[slug: string, start: string, end: string, utcStart: string, utcEnd: string]>([
    ['gap-new-york', '2027-03-14 03:30:00', '2027-03-14 04:30:00', '2027-03-14 07:30:00', '2027-03-14 08:30:00'],
    ['gap-sydney', '2026-10-04 03:30:00', '2026-10-04 04:30:00', '2026-10-03 16:30:00', '2026-10-03 17:30:00'],
    ['gap-lord-howe', '2026-10-04 02:45:00', '2026-10-04 03:45:00', '2026-10-03 15:45:00', '2026-10-03 16:45:00'],
    ['gap-nuuk', '2026-03-29 00:30:00', '2026-03-29 01:30:00', '2026-03-29 01:30:00', '2026-03-29 02:30:00'],
    // For ambiguous times in the autumn, the first of the two hours counts west of Greenwich. Elsewhere, the second counts.
    ['overlap-new-york', '2026-11-01 01:30:00', '2026-11-01 03:00:00', '2026-11-01 05:30:00', '2026-11-01 08:00:00'],
    ['overlap-santiago', '2027-04-03 23:30:00', '2027-04-03 23:50:00', '2027-04-04 02:30:00', '2027-04-04 02:50:00'],
    ['overlap-paris', '2026-10-25 02:30:00', '2026-10-25 03:30:00', '2026-10-25 01:30:00', '2026-10-25 02:30:00'],
    ['overlap-london', '2026-10-25 01:30:00', '2026-10-25 02:30:00', '2026-10-25 01:30:00', '2026-10-25 02:30:00'],
    ['overlap-sydney', '2027-04-04 02:30:00', '2027-04-04 03:30:00', '2027-04-03 16:30:00', '2027-04-03 17:30:00'],
    ['weekend-autumn', '2026-10-24 12:00:00', '2026-10-26 12:00:00', '2026-10-24 10:00:00', '2026-10-26 11:00:00'],
    ['weekend-spring', '2027-03-13 12:00:00', '2027-03-15 12:00:00', '2027-03-13 17:00:00', '2027-03-15 16:00:00'],
    ['night-of-twelve-hours', '2027-03-27 20:00:00', '2027-03-28 09:00:00', '2027-03-27 19:00:00', '2027-03-28 07:00:00'],
    ['day-of-23-hours', '2027-03-28 00:00:00', '2027-03-28 23:59:59', '2027-03-27 23:00:00', '2027-03-28 21:59:59'],
    ['day-of-25-hours', '2026-10-25 00:00:00', '2026-10-25 23:59:59', '2026-10-24 22:00:00', '2026-10-25 22:59:59'],
    ['day-without-midnight', '2026-09-06 00:00:00', '2026-09-06 23:59:59', '2026-09-06 04:00:00', '2026-09-07 02:59:59'],
    ['skipped-day', '2011-12-29 12:00:00', '2011-12-31 12:00:00', '2011-12-29 22:00:00', '2011-12-30 22:00:00'],
  ])('%s', async (slug, start, end, utcStart, utcEnd) => {
    expect(await event(slug)).toMatchObject({ start_date: start, end_date: end, utc_start_date: utcStart, utc_end_date: utcEnd });
  });

  test('start and end have the UTC offset of their own day', async () => {
    expect((await event('weekend-autumn')).json_ld).toMatchObject({
      startDate: '2026-10-24T12:00:00+02:00',
      endDate: '2026-10-26T12:00:00+01:00',
    });
    expect((await event('skipped-day')).json_ld).toMatchObject({
      startDate: '2011-12-29T12:00:00-10:00',
      endDate: '2011-12-31T12:00:00+14:00',
    });
  });

  test.each([
    ['2027-03-14 02:30:00', 'America/New_York', '2027-03-14 03:30:00', '2027-03-14 07:30:00'],
    ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01 01:30:00', '2026-11-01 05:30:00'],
    ['2026-10-25 02:30:00', 'Europe/Paris', '2026-10-25 02:30:00', '2026-10-25 01:30:00'],
    ['2026-10-04 02:30:00', 'Australia/Sydney', '2026-10-04 03:30:00', '2026-10-03 16:30:00'],
    ['2027-04-03 23:30:00', 'America/Santiago', '2027-04-03 23:30:00', '2027-04-04 02:30:00'],
  ])('the API reads %s in %s alike', async (sent, timezone, start, utc) => {
    const { status, body } = await tec.post<Event>('events', {
      title: 'Sent',
      start_date: sent,
      end_date: '2028-01-01 00:00:00',
      timezone,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ start_date: start, utc_start_date: utc });
    await tec.reset();
  });
});

describe('whole days', () => {
  test.each<[slug: string, allDay: boolean, start: string, end: string]>([
    ['all-day', true, '2026-07-10 00:00:00', '2026-07-10 23:59:59'],
    ['all-day-long', true, '2026-07-10 00:00:00', '2026-07-19 23:59:59'],
    ['leap-day', true, '2028-02-29 00:00:00', '2028-02-29 23:59:59'],
    ['until-midnight', false, '2026-08-01 20:00:00', '2026-08-02 00:00:00'],
    ['from-midnight', false, '2026-08-02 00:00:00', '2026-08-02 02:00:00'],
    ['over-midnight', false, '2026-08-01 22:00:00', '2026-08-02 02:00:00'],
    ['new-year', false, '2026-12-31 22:00:00', '2027-01-01 02:00:00'],
    ['no-time-at-all', false, '2026-08-03 10:00:00', '2026-08-03 10:00:00'],
  ])('%s', async (slug, allDay, start, end) => {
    expect(await event(slug)).toMatchObject({ all_day: allDay, start_date: start, end_date: end });
  });

  test('the default list starts yesterday and omits events that began earlier', async () => {
    const { events, rest_url } = await list('categories=days&per_page=50');
    expect(events.map(({ slug }) => slug)).toEqual([
      'began-yesterday',
      'this-morning-past',
      'this-morning-to-come',
      'all-day',
      'all-day-long',
      'until-midnight',
      'until-the-last-second',
      'over-midnight',
      'from-midnight',
      'no-time-at-all',
      'new-year',
      'leap-day',
    ]);
    expect(rest_url).toMatch(/\?page=1&per_page=50&start_date=2026-06-14 00:00:00&end_date=2028-06-15 23:59:59&status=publish$/);
  });

  test.each<[query: string, found: string[]]>([
    ['start_date=2026-08-01&end_date=2026-08-01', ['until-the-last-second']],
    ['start_date=2026-08-01&starts_before=2026-08-01', ['until-midnight', 'until-the-last-second', 'over-midnight']],
    ['start_date=2026-08-01&starts_before=2026-08-01&ends_after=2026-08-01', ['until-midnight', 'over-midnight']],
    // The last second of the day is the limit, so an event that ends then is not before it.
    ['start_date=2026-08-01&ends_before=2026-08-01', []],
    ['starts_after=2026-08-01&ends_before=2026-08-03', ['from-midnight', 'no-time-at-all']],
    // Whole days are UTC days of the value: 21:30 at the site is already the next day in UTC.
    ['start_date=2026-08-01T23:59:59-02:30&end_date=2026-08-02', ['from-midnight']],
    // With `strict_dates`, values without a zone are UTC: midnight UTC is 21:30 at the site.
    ['strict_dates=1&start_date=2026-08-02 00:00:00&end_date=2026-08-03 00:00:00', ['over-midnight', 'from-midnight']],
    ['strict_dates=1&start_date=2026-08-02T00:00:00-02:30&end_date=2026-08-02T02:00:00-02:30', ['from-midnight']],
    ['strict_dates=1&starts_after=2026-08-01T22:00:00-02:30&ends_before=2026-08-02T02:00:01-02:30', ['from-midnight']],
    ['strict_dates=1&starts_after=2026-08-03T09:59:59-02:30&ends_before=2026-08-03T10:00:01-02:30', ['no-time-at-all']],
  ])('%s', async (query, found) => {
    expect(await slugs(`categories=days&${new URLSearchParams(query).toString()}`)).toEqual(found);
  });

  test('include respects the default window to the second; under the standard profile it has no window', async () => {
    const wanted = await Promise.all(
      ['year-1943', 'began-yesterday', 'this-morning-past', 'outside-the-two-years'].map((slug) => event(slug)),
    );
    const include = wanted.map(({ id }) => id).join(',');
    expect(await slugs(`include=${include}`)).toEqual(['this-morning-past']);
    expect(await slugs(`include=${include}`, undefined, standard)).toEqual([
      'began-yesterday',
      'this-morning-past',
      'year-1943',
      'outside-the-two-years',
    ]);
  });
});

describe('the date horizon', () => {
  test.each<[slug: string, start: string, utc: string, abbreviation: string]>([
    ['year-1752', '1752-09-02 12:00:00', '1752-09-02 12:01:15', 'LMT'],
    ['year-1900', '1900-07-01 12:00:00', '1900-07-01 11:50:39', 'PMT'],
    ['year-1943', '1943-06-01 12:00:00', '1943-06-01 16:00:00', 'EWT'],
    ['first-second-of-unix', '1970-01-01 00:00:00', '1970-01-01 00:00:00', 'UTC'],
    ['last-second-of-32-bits', '2038-01-19 03:14:07', '2038-01-19 03:14:07', 'UTC'],
    ['summer-of-2050', '2050-07-01 12:00:00', '2050-07-01 10:00:00', 'CEST'],
    ['summer-of-2050-south', '2050-01-01 12:00:00', '2050-01-01 01:00:00', 'AEDT'],
    ['no-leap-day-in-2100', '2100-02-28 22:00:00', '2100-02-28 22:00:00', 'UTC'],
    ['last-hour-of-9999', '9999-12-31 23:00:00', '9999-12-31 23:00:00', 'UTC'],
  ])('%s', async (slug, start, utc, abbreviation) => {
    expect(await event(slug)).toMatchObject({ start_date: start, utc_start_date: utc, timezone_abbr: abbreviation });
  });

  test('2100 is not a leap year: an event that passes midnight on 28 February ends on 1 March', async () => {
    expect(await event('no-leap-day-in-2100')).toMatchObject({ end_date: '2100-03-01 02:00:00' });
  });

  test('the default list ends with the last day of the second year', async () => {
    expect(await slugs('categories=horizon')).toEqual(['inside-the-two-years']);
  });

  test('a wide window lists all distant events in order', async () => {
    expect(await slugs(`categories=horizon&${ALL}`)).toEqual([
      'year-1752',
      'year-1900',
      'year-1943',
      'first-second-of-unix',
      'inside-the-two-years',
      'outside-the-two-years',
      'last-second-of-32-bits',
      'summer-of-2050-south',
      'summer-of-2050',
      'no-leap-day-in-2100',
      'last-hour-of-9999',
    ]);
    expect(await slugs('categories=horizon&starts_after=9000-01-01')).toEqual(['last-hour-of-9999']);
    expect(await slugs('categories=horizon&ends_before=1899-12-31')).toEqual(['year-1752']);
  });
});
