import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatasetError } from '../../src/content/problems.js';
import { readDataset } from '../support/datasets.js';
import type { Login } from '../support/api.js';
import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import type {
  CategoryList,
  ErrorBody,
  Event,
  EventList,
  Organizer,
  OrganizerList,
  TagList,
  Term,
  Venue,
  VenueList,
} from '../../src/types.js';

/** From before everything there is: no window. */
const ALL = 'starts_after=1000-01-01&per_page=50';

const tecServer = startTestServer({ dataset: EDGE });
const standardServer = startTestServer({ dataset: EDGE, profile: 'standard' });
const tec = edgeApi(tecServer);
const standard = edgeApi(standardServer);

const event = async (slug: string, as?: Login, api = tec): Promise<Event> => {
  const { status, body } = await api.get<Event>(`events/by-slug/${slug}`, as);
  expect({ slug, status }).toEqual({ slug, status: 200 });
  return body;
};

const list = async (query: string, as?: Login, api = tec): Promise<EventList> => {
  const { status, body } = await api.get<EventList>(`events?${query}`, as);
  expect({ query, status }).toEqual({ query, status: 200 });
  return body;
};

const slugs = async (query: string, as?: Login, api = tec): Promise<string[]> =>
  (await list(query, as, api)).events.map(({ slug }) => slug);

const venue = async (slug: string, query = '', api = tec): Promise<Venue> => (await api.get<Venue>(`venues/by-slug/${slug}${query}`)).body;

const refusal = async (route: string, as?: Login): Promise<[status: number, code: string]> => {
  const { status, body } = await tec.get<ErrorBody>(route, as);
  return [status, body.code];
};

describe('zones', () => {
  test.each<[slug: string, timezone: string, abbreviation: string, utc: string, offset: string]>([
    ['zone-kathmandu', 'Asia/Kathmandu', '+0545', '2026-07-01 06:15:00', '+05:45'],
    ['zone-chatham', 'Pacific/Chatham', '+1245', '2026-06-30 23:15:00', '+12:45'],
    ['zone-kolkata', 'Asia/Kolkata', 'IST', '2026-07-01 06:30:00', '+05:30'],
    ['zone-adelaide', 'Australia/Adelaide', 'ACDT', '2027-01-15 01:30:00', '+10:30'],
    ['zone-st-johns', 'America/St_Johns', 'NST', '2027-01-15 15:30:00', '-03:30'],
    // An abbreviation that the zone had at any time stands in for a mere number.
    ['zone-lord-howe', 'Australia/Lord_Howe', 'AEST', '2026-07-01 01:30:00', '+10:30'],
    ['zone-saigon', 'Asia/Saigon', 'PLMT', '2026-07-01 05:00:00', '+07:00'],
    ['zone-buenos-aires', 'America/Argentina/Buenos_Aires', 'CMT', '2026-07-01 15:00:00', '-03:00'],
    ['zone-brazil-east', 'Brazil/East', '-03', '2026-07-01 15:00:00', '-03:00'],
    ['zone-etc', 'Etc/GMT+5', '-05', '2026-07-01 17:00:00', '-05:00'],
    ['zone-lower-case', 'europe/paris', 'CEST', '2026-07-01 10:00:00', '+02:00'],
    ['zone-abbreviation', 'EST', 'EST', '2026-07-01 17:00:00', '-05:00'],
    ['zone-offset', '+02:00', 'GMT+0200', '2026-07-01 10:00:00', '+02:00'],
    ['zone-offset-without-colon', '-0530', 'GMT-0530', '2026-07-01 17:30:00', '-05:30'],
    ['zone-utc', 'UTC', 'UTC', '2026-07-01 12:00:00', '+00:00'],
    ['zone-utc-plus-5-30', 'UTC+5.5', 'UTC+5.5', '2026-07-01 06:30:00', '+05:30'],
    ['zone-utc-plus-5-30-as-text', 'UTC+5:30', 'UTC+5:30', '2026-07-01 06:30:00', '+05:30'],
    // Converted as some region with that offset, summer time and all, but shown with the true offset.
    ['zone-utc-plus-2-summer', 'UTC+2', 'UTC+2', '2026-07-01 09:00:00', '+02:00'],
    ['zone-utc-plus-2-winter', 'UTC+2', 'UTC+2', '2027-01-15 10:00:00', '+02:00'],
    ['zone-utc-minus-3-30', 'UTC-3.5', 'UTC-3.5', '2026-07-01 14:30:00', '-03:30'],
    ['zone-utc-plus-9-30', 'UTC+9.5', 'UTC+9.5', '2027-01-15 01:30:00', '+09:30'],
    // Offsets that no region stands for are converted as UTC.
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

  test('filters and order go by the wall clock of each event, on both sides of the date line', async () => {
    const { events } = await list('categories=zones&start_date=2026-07-01&end_date=2026-07-01&per_page=50');
    expect(new Set(events.map(({ start_date }) => start_date))).toEqual(new Set(['2026-07-01 12:00:00']));
    expect(events).toHaveLength(21);
    expect(events.slice(-2).map(({ slug }) => slug)).toEqual(['date-line-west', 'date-line-east']);
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => a - b));
  });
});

describe('clock changes', () => {
  test.each<[slug: string, start: string, end: string, utcStart: string, utcEnd: string]>([
    ['gap-new-york', '2027-03-14 03:30:00', '2027-03-14 04:30:00', '2027-03-14 07:30:00', '2027-03-14 08:30:00'],
    ['gap-sydney', '2026-10-04 03:30:00', '2026-10-04 04:30:00', '2026-10-03 16:30:00', '2026-10-03 17:30:00'],
    ['gap-lord-howe', '2026-10-04 02:45:00', '2026-10-04 03:45:00', '2026-10-03 15:45:00', '2026-10-03 16:45:00'],
    ['gap-nuuk', '2026-03-29 00:30:00', '2026-03-29 01:30:00', '2026-03-29 01:30:00', '2026-03-29 02:30:00'],
    // West of Greenwich the first of two equal hours is meant, east of it and in it the second.
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

  test('both ends of an event carry the offset of their own day', async () => {
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

describe('days', () => {
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

  test('the default list starts with yesterday, and has nothing that began before', async () => {
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
    // The last second of the day is the bound, and no longer before it.
    ['start_date=2026-08-01&ends_before=2026-08-01', []],
    ['starts_after=2026-08-01&ends_before=2026-08-03', ['from-midnight', 'no-time-at-all']],
    // Whole days are those of the value in UTC: half past nine in the evening here is tomorrow there.
    ['start_date=2026-08-01T23:59:59-02:30&end_date=2026-08-02', ['from-midnight']],
    // To the second, values without a zone are UTC: midnight there is half past nine here.
    ['strict_dates=1&start_date=2026-08-02 00:00:00&end_date=2026-08-03 00:00:00', ['over-midnight', 'from-midnight']],
    ['strict_dates=1&start_date=2026-08-02T00:00:00-02:30&end_date=2026-08-02T02:00:00-02:30', ['from-midnight']],
    ['strict_dates=1&starts_after=2026-08-01T22:00:00-02:30&ends_before=2026-08-02T02:00:01-02:30', ['from-midnight']],
    ['strict_dates=1&starts_after=2026-08-03T09:59:59-02:30&ends_before=2026-08-03T10:00:01-02:30', ['no-time-at-all']],
  ])('%s', async (query, found) => {
    expect(await slugs(`categories=days&${new URLSearchParams(query).toString()}`)).toEqual(found);
  });

  test('events by id keep to the default window, to the second; the documented interface has no window there', async () => {
    const wanted = await Promise.all(
      ['year-1943', 'began-yesterday', 'this-morning-past', 'outside-the-two-years'].map((slug) => event(slug)),
    );
    const include = wanted.map(({ id }) => id).join(',');
    expect(await slugs(`include=${include}`)).toEqual(['this-morning-past']);
    expect(await slugs(`include=${include}`, undefined, standard)).toEqual(wanted.map(({ slug }) => slug));
  });
});

describe('horizon', () => {
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

  test('four hours after the 28th of February 2100 it is March', async () => {
    expect(await event('no-leap-day-in-2100')).toMatchObject({ end_date: '2100-03-01 02:00:00' });
  });

  test('the default list ends with the last day of the two years', async () => {
    expect(await slugs('categories=horizon')).toEqual(['inside-the-two-years']);
  });

  test('a far window shows all of it, in order', async () => {
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

describe('costs', () => {
  test.each<[slug: string, cost: string, symbol: string, code: string, position: string, values: string[]]>([
    ['none', '', '', '', '', []],
    ['empty', '', '', '', '', []],
    ['zero', 'Free', '', '', '', ['0']],
    ['zero-amount', 'Free', '£', '', 'prefix', ['0.00']],
    ['free', 'Free', '', '', '', ['free']],
    ['donation', 'Donation', '', '', '', ['donation']],
    ['number', '$12', '', '', '', ['12']],
    ['fraction', '$7.5', '', '', '', ['7.5']],
    ['two-decimals', '$10.50', '', '', '', ['10.50']],
    ['decimal-comma', '$1,5', '', '', '', ['1.5']],
    ['thousands-comma', '$1,000', '', '', '', ['1000']],
    ['thousands-dot', '$1.000', '', '', '', ['1.000']],
    ['thousands-and-decimals', '$.50', '', '', '', ['.50', '1000']],
    ['list', '$5 – $15', '', '', '', ['5', '15']],
    ['range', '$5 – $15', '', '', '', ['5', '15']],
    ['falling-range', '$10 – $20', '', '', '', ['10', '20']],
    ['from-zero', 'Free – $10', '', '', '', ['0', '10']],
    ['free-or-price', '$10', '', '', '', ['free', '10']],
    ['words', 'Free', '', '', '', ['free', 'donation']],
    ['symbol-first', '€12', '€', '', 'prefix', ['12']],
    ['symbol-last', '12₹', '₹', '', 'postfix', ['12']],
    ['named-currency', '250kr', 'kr', 'SEK', 'postfix', ['250']],
    ['symbol-of-letters', 'CHF 10 – CHF 20', 'CHF ', 'CHF', 'prefix', ['10', '20']],
    ['symbol-with-markup', '&lt;&amp;&gt;5', '<&>', '', 'prefix', ['5']],
    ['markup-in-words', 'A &amp; B', '', '', '', ['a-b']],
    ['equal-amounts', '$10', '', '', '', ['10']],
    ['fractions-of-the-yen', '¥.5 – ¥1.25', '¥', 'JPY', 'prefix', ['.5', '1.25']],
  ])('%s: %s', async (slug, cost, symbol, code, position, values) => {
    expect(await event(`cost-${slug}`)).toMatchObject({
      cost,
      cost_details: { currency_symbol: symbol, currency_code: code, currency_position: position, values },
    });
  });

  test.each<[slug: string, offer: object | undefined]>([
    ['none', undefined],
    ['free', { price: '0', priceCurrency: 'CAD' }],
    ['from-zero', { price: 'Free – 10', priceCurrency: 'CAD' }],
    ['donation', { price: 'Donation', priceCurrency: 'CAD' }],
    ['named-currency', { price: '250', priceCurrency: 'SEK' }],
    ['thousands-comma', { price: '1,000', priceCurrency: 'CAD' }],
  ])('the offer of %s', async (slug, offer) => {
    const { json_ld } = await event(`cost-${slug}`);
    if (offer) expect(json_ld?.offers).toMatchObject(offer);
    else expect(json_ld).not.toHaveProperty('offers');
  });
});

describe('passwords', () => {
  const OPEN = `password=${encodeURIComponent('open sesame')}`;

  test('in a list a locked event keeps its title, address, dates and ids alone', async () => {
    const { events } = await list('categories=passwords');
    const locked = events.find(({ slug }) => slug === 'locked-event');
    expect(locked).toMatchObject({
      title: 'Locked &#8220;event&#8221;',
      start_date: '2026-07-20 10:00:00',
      date: '2026-06-01 09:00:00',
      description: '',
      excerpt: '',
      cost: '',
      website: '',
      image: false,
      all_day: null,
      show_map: null,
      show_map_link: null,
      hide_from_listings: null,
      sticky: null,
      featured: null,
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
    expect(locked?.url).toMatch(/\/event\/locked-event\/$/);
  });

  test.each(['', '&password=wrong', '&password=Open sesame', '&context=edit'])('it stays so with "%s"', async (extra) => {
    const { events } = await list(`categories=passwords${extra}`);
    expect(events.find(({ slug }) => slug === 'locked-event')?.description).toBe('');
  });

  test('the password opens it in a list, and so does editing for those who may', async () => {
    for (const { events } of [
      await list(`categories=passwords&${OPEN}`),
      await list('categories=passwords&status=publish&context=edit', 'editor'),
    ]) {
      expect(events.find(({ slug }) => slug === 'locked-event')).toMatchObject({
        description: '<p>A secret kumquat.</p>',
        excerpt: '<p>Kumquat.</p>',
        cost: '$10',
        website: 'https://locked.example.org',
        featured: true,
        sticky: true,
        venue: { slug: 'open-hall' },
      });
    }
  });

  test('alone it is refused without the password, to administrators too', async () => {
    const route = 'events/by-slug/locked-event';
    const refused = [403, 'event-password-protected'];
    expect(await refusal(route)).toEqual(refused);
    expect(await refusal(route, 'admin')).toEqual(refused);
    expect(await refusal(`${route}?password=wrong`)).toEqual(refused);
    expect(await refusal(`${route}?context=edit`, 'subscriber')).toEqual(refused);
    expect((await tec.get<Event>(`${route}?${OPEN}`)).body.description).toBe('<p>A secret kumquat.</p>');
    expect((await tec.get<Event>(`${route}?context=edit`, 'admin')).body.description).toBe('<p>A secret kumquat.</p>');
  });

  test('what is not public as well is refused for that first', async () => {
    expect(await refusal(`events/by-slug/locked-and-private?${OPEN}`)).toEqual([403, 'event-not-accessible']);
    expect((await tec.get<Event>(`events/by-slug/locked-and-private?${OPEN}`, 'editor')).status).toBe(200);
  });

  test('a password may be made of anything', async () => {
    const password = encodeURIComponent("пароль & 'quotes' +%20");
    expect((await tec.get<Event>(`events/by-slug/password-of-signs?password=${password}`)).body.description).toBe('<p>Behind signs.</p>');
  });

  test('searches of nobody in particular do not look behind passwords', async () => {
    expect(await slugs('search=kumquat')).toEqual([]);
    expect(await slugs('search=kumquat', 'subscriber')).toEqual(['locked-event']);
  });

  test('a locked venue keeps its name and contact to itself', async () => {
    const locked = await venue('locked-hall');
    expect(locked).toMatchObject({
      venue: [],
      description: '',
      address: '',
      city: '',
      country: '',
      state: 'Shown',
      show_map: null,
      show_map_link: null,
    });
    expect(locked).not.toHaveProperty('json_ld');
    expect(await venue('locked-hall', `?${OPEN}`)).toMatchObject({
      venue: 'Locked Hall',
      description: '<p>A hidden kumquat.</p>',
      address: '2 Hidden Way',
      city: 'Bonn',
      show_map: true,
    });
  });

  test('its coordinates are zero behind the password', async () => {
    expect(await venue('locked-hall', '', standard)).toMatchObject({ geo_lat: 0, geo_lng: 0 });
    expect(await venue('locked-hall', `?${OPEN}`, standard)).toMatchObject({ geo_lat: 50.7374, geo_lng: 7.0982 });
  });

  test('so does a locked organizer', async () => {
    const { body } = await tec.get<Organizer>('organizers/by-slug/locked-guild');
    expect(body).toMatchObject({ organizer: [], description: '', phone: '', email: '', slug: 'locked-guild' });
    expect(body).not.toHaveProperty('json_ld');
  });

  test('within an event both are withheld, and its structured data say false', async () => {
    const shown = await event('at-locked-places');
    expect(shown.venue).toMatchObject({ venue: [], address: '' });
    expect(shown.venue).not.toHaveProperty('json_ld');
    expect(shown.organizer.map(({ organizer }) => organizer)).toEqual([[], 'Open &#8220;Guild&#8221;']);
    expect(shown.json_ld).toMatchObject({ location: false, organizer: false });
  });
});

describe('statuses', () => {
  const EVENTS = [
    ['Draft without a slug', 'draft', ''],
    ['Draft with a slug', 'draft', 'draft-with-a-slug'],
    ['Pending event', 'pending', 'pending-event'],
    ['Private event', 'private', 'private-event'],
    ['Scheduled event', 'future', 'scheduled-event'],
    ['Trashed event', 'trash', 'trashed-event__trashed'],
  ] as const;

  const byTitle = async (title: string, status: string): Promise<Event> => {
    const { events } = await list(`categories=statuses&status=${status}`, 'admin');
    const found = events.find((one) => one.title === title);
    if (!found) throw new Error(`There is no ${title}.`);
    return found;
  };

  test('readers see what is published', async () => {
    expect(await slugs('categories=statuses')).toEqual(['with-a-draft-venue', 'with-a-private-venue']);
    expect(await refusal('events?status=draft')).toEqual([400, 'rest_invalid_param']);
  });

  test('those who may edit see all but the trash', async () => {
    const { events } = await list('categories=statuses', 'contributor');
    expect(events.map(({ title }) => title)).toEqual([
      'Draft without a slug',
      'Draft with a slug',
      'Pending event',
      'Private event',
      'Scheduled event',
      'With a draft venue',
      'With a private venue',
    ]);
  });

  test.each(EVENTS)('%s has status %s and slug "%s"', async (title, status, slug) => {
    const shown = await byTitle(title, status);
    expect(shown).toMatchObject({ status, slug });
    expect(shown.date_utc === '0000-00-00 00:00:00').toBe(status === 'draft' || status === 'pending');
    const home = tecServer().url;
    expect(shown.url).toBe(status === 'private' ? `${home}/event/${slug}/` : `${home}/?post_type=tribe_events&p=${shown.id}`);
  });

  test.each<[title: string, status: string, readers: Login[]]>([
    ['Draft without a slug', 'draft', ['admin', 'editor', 'contributor']],
    ['Draft with a slug', 'draft', ['admin', 'editor', 'author']],
    ['Pending event', 'pending', ['admin', 'editor', 'contributor']],
    ['Private event', 'private', ['admin', 'editor']],
    ['Scheduled event', 'future', ['admin', 'editor', 'author']],
  ])('%s (%s) can be read by id by %j alone', async (title, status, readers) => {
    const { id } = await byTitle(title, status);
    for (const login of ['admin', 'editor', 'author', 'contributor', 'subscriber', undefined] as const) {
      const { status: answer, body } = await tec.get<ErrorBody>(`events/${id}`, login);
      const may = login !== undefined && readers.includes(login);
      expect({ login, answer }).toEqual({ login, answer: may ? 200 : 403 });
      if (!may) expect(body.code).toBe('event-not-accessible');
    }
  });

  test('what is in the trash is gone for everybody', async () => {
    const { id } = await byTitle('Trashed event', 'trash');
    for (const login of ['admin', 'author', undefined] as const)
      expect(await refusal(`events/${id}`, login)).toEqual([403, 'event-no-longer-available']);
    const { status, body } = await tec.delete<ErrorBody>(`events/${id}`);
    expect([status, body.code]).toEqual([410, 'event-is-in-trash']);
  });

  test('lists of venues and organizers go by the same rule', async () => {
    const venues = async (login?: Login): Promise<(string | undefined)[]> =>
      (await tec.get<VenueList>('venues?per_page=50', login)).body.venues.map(({ slug }) => slug);
    expect(await venues()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(draft|pending|private|scheduled|trashed)-/)]));
    expect(await venues('contributor')).toEqual(expect.arrayContaining(['draft-hall', 'pending-hall', 'private-hall', 'scheduled-hall']));
    expect(await venues('contributor')).not.toEqual(expect.arrayContaining([expect.stringMatching(/^trashed-/)]));
    const trashed = await tec.get<OrganizerList>('organizers?status=trash', 'admin');
    expect(trashed.body.organizers.map(({ slug }) => slug)).toEqual(['trashed-guild__trashed']);
  });

  test('a draft venue has a slug even when none is given', async () => {
    const { body } = await tec.get<VenueList>('venues?status=draft', 'admin');
    expect(body.venues.map(({ slug }) => slug)).toEqual(['nameless-draft-hall', 'draft-hall']);
  });

  test('within an event they are shown to everybody, but only their readers get structured data', async () => {
    const shown = await event('with-a-draft-venue');
    expect(shown.venue).toMatchObject({ slug: 'draft-hall', status: 'draft' });
    expect(shown.venue).not.toHaveProperty('json_ld');
    expect(shown.organizer.map(({ slug, status }) => [slug, status])).toEqual([
      ['trashed-guild__trashed', 'trash'],
      ['private-guild', 'private'],
      ['open-guild', 'publish'],
    ]);
    expect(shown.json_ld).toMatchObject({ location: false, organizer: false });
    expect((await event('with-a-draft-venue', 'subscriber')).json_ld).toMatchObject({
      location: { name: 'Draft Hall' },
      organizer: { name: 'Trashed Guild' },
    });
    expect((await event('with-a-private-venue', 'subscriber')).json_ld).toMatchObject({ location: false, organizer: false });
    expect((await event('with-a-private-venue', 'editor')).json_ld).toMatchObject({
      location: { name: 'Private: Private Hall' },
      organizer: { name: 'Private: Private Guild' },
    });
  });

  test('the documented interface shows readers what they may read', async () => {
    const shown = await event('with-a-draft-venue', undefined, standard);
    expect(shown.venue).toEqual([]);
    expect(shown.organizer.map(({ slug }) => slug)).toEqual(['open-guild']);
    expect(shown.json_ld).not.toHaveProperty('location');
    expect((await event('with-a-private-venue', 'editor', standard)).venue).toMatchObject({ slug: 'private-hall' });
    expect(await slugs('categories=statuses&status=draft', 'author', standard)).toEqual(['draft-with-a-slug']);
  });
});

describe('writing', () => {
  const encoded = (text: string): string => encodeURIComponent(text).toLowerCase();

  test.each<[title: string, slug: string]>([
    ['🎉 Party 👩‍👩‍👧‍👦 für 🇵🇫', `${encoded('🎉')}-party-${encoded('👩👩👧👦')}-fur-${encoded('🇵🇫')}`],
    ['مرحبا بالعالم', `${encoded('مرحبا')}-${encoded('بالعالم')}`],
    ['שלום \u200fעולם\u200e (2026)', `${encoded('שלום')}-${encoded('עולם')}-2026`],
    ['Cafe\u0301 de\u0301ja\u0300 vu', 'cafe-deja-vu'],
    ['Café déjà vu', 'cafe-deja-vu-2'],
    ['日本の祭り', encoded('日本の祭り')],
    // 22 signs of nine bytes are the last that fit into 200.
    ['夏祭りと花火大会と盆踊りと屋台と金魚すくいと綿菓子と太鼓と神輿の夜', encoded('夏祭りと花火大会と盆踊りと屋台と金魚すくいと')],
    ['Привет, мир', `${encoded('привет')}-${encoded('мир')}`],
    ['नमस्ते दुनिया', `${encoded('नमस्ते')}-${encoded('दुनिया')}`],
    ['Zero\u200bwidth\u00adand\u00a0fixed', 'zerowidthand-fixed'],
    ['½ ﬁne № 5', `${encoded('½')}-${encoded('ﬁ')}ne-${encoded('№')}-5`],
  ])('%s', async (title, slug) => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find((one) => one.slug === slug);
    expect(shown).toMatchObject({ title, url: `${tecServer().url}/event/${slug}/` });
    expect((await event(slug)).id).toBe(shown?.id);
  });

  test('a very long title stays whole, its slug does not', async () => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find(({ title }) => title.startsWith('The Longest'));
    expect(shown?.title).toHaveLength(370);
    // It is cut to 200 before the commas go.
    expect(shown?.slug).toBe(`${'the-longest-title-of-the-year-'.repeat(6)}the-longest-ti`);
  });

  test('a title without letters gives way to the id', async () => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find(({ title }) => title === '!!!');
    expect(shown?.slug).toBe(String(shown?.id));
  });

  test('apostrophes among letters of any alphabet are typographic', async () => {
    expect((await event('igdirda-istanbul-isigi')).title).toBe('Iğdır&#8217;da İstanbul ışığı');
  });

  test.each([
    ['cafe', ['cafe-deja-vu', 'cafe-deja-vu-2']],
    ['CAFÉ', ['cafe-deja-vu', 'cafe-deja-vu-2']],
    ['祭り', [encoded('日本の祭り'), encoded('夏祭りと花火大会と盆踊りと屋台と金魚すくいと')]],
    ['ПРИВЕТ', [`${encoded('привет')}-${encoded('мир')}`]],
    ['👍🏽', [`${encoded('🎉')}-party-${encoded('👩👩👧👦')}-fur-${encoded('🇵🇫')}`]],
    ['angstrom', ['cafe-deja-vu']],
  ])('search for %s', async (text, found) => {
    expect(await slugs(`categories=writing&search=${encodeURIComponent(text)}`)).toEqual(found);
  });

  test('descriptions keep every sign but smilies', async () => {
    const { events } = await list('categories=writing&per_page=50');
    expect(events[0].description).toBe('<p>Smile 🙂 and 👍🏽, then 𝔘𝔫𝔦𝔠𝔬𝔡𝔢.</p>');
    expect(events[1].description).toBe('<p>نص من اليمين إلى اليسار، مع English في الوسط.</p>');
  });
});

describe('texts', () => {
  test.each<[slug: string, title: string, jsonLdName: string]>([
    [
      'typographic-title',
      '&#8220;Rock&#8217;n&#8217;Roll&#8221; &#8212; it&#8217;s the &#8217;60s&#8230; 2&#215;4 &#038; more',
      '&#8220;Rock&#8217;n&#8217;Roll&#8221; &#8212; it&#8217;s the &#8217;60s&#8230; 2&#215;4 &#038; more',
    ],
    [
      'title-with-markup',
      '<em>Loud</em> &#038; <b>bold</b> <script>alert(1)</script>',
      '&lt;em&gt;Loud&lt;/em&gt; &#038; &lt;b&gt;bold&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;',
    ],
    ['title-with-entities', 'Tom &amp; Jerry &lt;live&gt; &#8211; 5 < 6', 'Tom &amp; Jerry &lt;live&gt; &#8211; 5 &lt; 6'],
  ])('%s', async (slug, title, jsonLdName) => {
    const shown = await event(slug);
    expect(shown.title).toBe(title);
    expect(shown.json_ld?.name).toBe(jsonLdName);
  });

  test.each<[slug: string, description: string]>([
    [
      'blocks',
      '<h3 class="wp-block-heading">Programme</h3>\n\n\n\n<p>Doors &#8220;open&#8221; at 7</p>\n\n\n\n<ul class="wp-block-list"><li>One</li></ul>',
    ],
    ['shortcodes', '<p>[unknown a=&#8221;b&#8221;]text[/unknown]</p>\n<p>[gallery] and [not closed</p>'],
    ['paragraphs', '<p>First line<br />\nsecond line</p>\n<p>Second paragraph</p>\n<div>A block</div>\n<pre>"kept"  as is</pre>'],
    // Whoever writes a dataset is trusted, as an administrator is.
    [
      'hostile-description',
      '<p><script>alert(\'x\')</script><a href="javascript:alert(1)" onclick="x()">link</a><img src=x onerror=alert(1)></p>',
    ],
    ['only-a-title', ''],
    ['empty-fields', ''],
  ])('the description of %s', async (slug, description) => {
    expect((await event(slug)).description).toBe(description);
  });

  test('the same from those who are not trusted loses what is dangerous', async () => {
    const { body } = await tec.post<Event>(
      'events',
      {
        title: '<em>Loud</em> <script>alert(1)</script>',
        start_date: '2026-10-02 10:00:00',
        end_date: '2026-10-02 11:00:00',
        description: '<script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">link</a>',
      },
      'author',
    );
    expect(body).toMatchObject({ title: '<em>Loud</em> alert(1)', description: '<p>alert(1)<a href="alert(1)">link</a></p>' });
    await tec.reset();
  });

  test('structured data take the excerpt, or thirty words of the description', async () => {
    const description = async (slug: string): Promise<string | undefined> => (await event(slug)).json_ld?.description;
    expect(await description('paragraphs')).toBe('&lt;p&gt;An &quot;excerpt&quot; -- short&lt;/p&gt;\\n');
    const thirty = Array.from({ length: 30 }, (_, index) => `word${index + 1}`).join(' ');
    expect(await description('many-words')).toBe(`&lt;p&gt;${thirty} [&hellip;]&lt;/p&gt;\\n`);
    expect(await description('only-a-title')).toBe('');
  });

  test('images get their attributes, lone addresses stay text', async () => {
    const { description } = await event('image-and-address');
    expect(description).toMatch(/<img [^>]*decoding="async"[^>]*src="https:\/\/img\.example\.org\/a\.png"/);
    expect(description).toContain('<p>https://example.org/?a=1&#038;b=2</p>');
  });

  test('an event with a title alone; an empty website is not the same as none', async () => {
    const bare = await event('only-a-title');
    expect(bare).toMatchObject({
      excerpt: '',
      image: false,
      cost: '',
      website: bare.url,
      show_map: true,
      show_map_link: true,
      hide_from_listings: false,
      sticky: false,
      featured: false,
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
    for (const key of ['location', 'organizer', 'offers', 'image']) expect(bare.json_ld).not.toHaveProperty(key);
    expect((await event('empty-fields')).website).toBe('');
  });

  test('a venue has no key for what is empty, be it the text 0', async () => {
    const bare = await venue('only-a-name');
    expect(Object.keys(bare)).toEqual([
      'id',
      'author',
      'status',
      'date',
      'date_utc',
      'modified',
      'modified_utc',
      'url',
      'venue',
      'slug',
      'json_ld',
      'show_map',
      'show_map_link',
      'global_id',
      'global_id_lineage',
    ]);
    const open = await venue('open-hall');
    expect(open).not.toHaveProperty('zip');
    expect(open).toMatchObject({ address: '1 "Quoted" Street & Lane', website: 'https://hall.example.org/?a=1&b=2' });
    expect(open.json_ld?.address).toMatchObject({ streetAddress: '1 &quot;Quoted&quot; Street &amp; Lane', addressLocality: 'Köln' });
  });
});

describe('links', () => {
  test('organizers keep the order in which they were named, once each', async () => {
    const many = await event('many-organizers');
    expect(many.organizer.map(({ organizer }) => organizer)).toEqual(Array.from({ length: 12 }, (_, index) => `Guild ${12 - index}`));
    expect(many.json_ld?.organizer).toMatchObject({ name: 'Guild 12' });
    expect((await event('one-organizer-twice')).organizer.map(({ slug }) => slug)).toEqual(['guild-01', 'open-guild']);
    expect((await event('no-organizers')).organizer).toEqual([]);
  });

  test('the organizers of an event, newest first, and the events of organizers', async () => {
    const { id, organizer } = await event('many-organizers');
    const { body } = await tec.get<OrganizerList>(`organizers?event=${id}&per_page=50`);
    expect(body.organizers.map(({ slug }) => slug)).toEqual(
      Array.from({ length: 12 }, (_, index) => `guild-${String(12 - index).padStart(2, '0')}`),
    );
    const [twelve, eleven] = organizer;
    expect(await slugs(`organizer=${twelve.id},${eleven.id}`)).toEqual(['many-organizers']);
    const { total } = (await tec.get<OrganizerList>('organizers?has_events=true&per_page=50')).body;
    expect(total).toBe(14);
  });

  test('children are those directly below', async () => {
    const [{ id }, { id: second }] = [await event('series'), await event('series-part-two')];
    expect(await slugs(`post_parent=${id}`)).toEqual(['series-part-one', 'series-part-two']);
    expect(await slugs(`post_parent=${second}`)).toEqual(['series-part-two-encore']);
    expect(await refusal('events?post_parent=0')).toEqual([400, 'rest_invalid_param']);
  });

  test.each<[slug: string, region: string | undefined, shown: string | undefined]>([
    ['united-states', 'CA', 'CA'],
    ['norway', 'Oslo', 'Oslo'],
    ['open-hall', 'NRW', 'NRW'],
    ['taveuni-east', undefined, undefined],
  ])('the region of %s is %s', async (slug, region, shown) => {
    const { stateprovince, json_ld } = await venue(slug);
    expect([json_ld?.address.addressRegion, stateprovince]).toEqual([region, shown]);
  });

  test('flags of maps', async () => {
    expect(await venue('norway')).toMatchObject({ show_map: false, show_map_link: false });
    expect(await venue('united-states')).toMatchObject({ show_map: true, show_map_link: true });
  });
});

describe('order', () => {
  const ORDER = [
    'order-first',
    'order-second',
    'order-third',
    'order-fourth',
    'order-early-in-utc',
    'same-title',
    'same-title-2',
    'same-title-3',
  ];

  test('by start on the wall clock, publication, id; sticky, featured, length and UTC play no part', async () => {
    expect(await slugs('categories=order')).toEqual(ORDER);
    expect(await slugs('categories=order', undefined, standard)).toEqual(ORDER);
  });

  test('pages follow one another without gap or repetition', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => slugs(`categories=order&per_page=3&page=${page}`)));
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat()).toEqual(ORDER);
    expect(await refusal('events?categories=order&per_page=3&page=4')).toEqual([404, 'event-archive-page-not-found']);
  });

  test('what is hidden is in no list, by no filter, for nobody, and still there', async () => {
    const hidden = await event('order-hidden');
    expect(hidden.hide_from_listings).toBe(true);
    expect(await slugs(`include=${hidden.id}`, 'admin')).toEqual([]);
    expect(await slugs(`include=${hidden.id}`, 'admin', standard)).toEqual([]);
    expect(await slugs('search=Hidden&categories=order', 'admin')).toEqual([]);
  });

  test.each([
    ['true', ['order-fourth']],
    ['false', ORDER.filter((slug) => slug !== 'order-fourth')],
  ])('featured=%s', async (featured, found) => {
    expect(await slugs(`categories=order&featured=${featured}`)).toEqual(found);
  });

  test('sticky is a flag of the event', async () => {
    const { events } = await list('categories=order');
    expect(events.filter(({ sticky }) => sticky).map(({ slug }) => slug)).toEqual(['order-second']);
  });
});

describe('terms', () => {
  const category = async (slug: string): Promise<Term> =>
    (await tec.get<CategoryList>(`categories?hide_empty=0&slug=${slug}`)).body.categories[0];

  test.each([
    ['level-1', ['deep-down', 'half-way-down']],
    ['level-3', ['deep-down', 'half-way-down']],
    ['level-4', ['deep-down']],
    ['level-5', ['deep-down']],
    ['other-level-1', ['half-way-down']],
    ['level-4,other-level-1', ['deep-down', 'half-way-down']],
    ['empty-leaf', []],
  ])('categories=%s takes in what is below', async (categories, found) => {
    expect(await slugs(`categories=${categories}`)).toEqual(found);
  });

  test('terms that count for nothing are hidden, unless something below them counts', async () => {
    const counts = async (query: string): Promise<Record<string, number | undefined>> => {
      const { body } = await tec.get<CategoryList>(`categories?per_page=50&search=level&${query}`);
      return Object.fromEntries(body.categories.map(({ slug, count }) => [slug, count]));
    };
    expect(await counts('')).toEqual({
      'level-1': 0,
      'level-2': 0,
      'level-3': 1,
      'level-4': 0,
      'level-5': 1,
      'other-level-1': 0,
      'other-level-2': 1,
    });
    const { body } = await tec.get<CategoryList>('categories?per_page=50');
    const shown = body.categories.map(({ slug }) => slug);
    expect(shown).not.toContain('empty-leaf');
    expect(shown).not.toContain('empty-one');
  });

  test('addresses name the whole way down', async () => {
    const [four, five] = [await category('level-4'), await category('level-5')];
    expect(five).toMatchObject({ parent: four.id, url: `${tecServer().url}/events/category/level-1/level-2/level-3/level-4/level-5/` });
    expect(five.urls.up).toBe(`${tecServer().restUrl}/tribe/events/v1/categories/${four.id}`);
    const { body } = await tec.get<CategoryList>(`categories?parent=${five.id}&hide_empty=0`);
    expect(body.categories.map(({ slug }) => slug)).toEqual(['empty-leaf']);
  });

  test('equal names below other parents; within an event by name', async () => {
    const { body } = await tec.get<CategoryList>(`categories?search=${encodeURIComponent('Level 2')}`);
    expect(body.categories.map(({ name }) => name)).toEqual(['Level 2', 'Level 2']);
    const shown = await event('half-way-down');
    expect(shown.categories.map(({ name, slug }) => [name, slug])).toEqual([
      ['Level 2', 'other-level-2'],
      ['Level 3', 'level-3'],
    ]);
    expect(shown.tags.map(({ name, slug }) => [name, slug])).toEqual([
      ['Free', 'free'],
      ['Rock &amp; Roll', 'rock-roll'],
      ['Twenty-six', '2026'],
    ]);
    expect((await category('other-level-1')).name).toBe('Other &amp; more');
  });

  test('tags of any writing', async () => {
    const japan = encodeURIComponent('日本').toLowerCase();
    const { body } = await tec.get<TagList>(`tags?slug=${encodeURIComponent('日本')}`);
    expect(body.tags).toMatchObject([{ name: '日本', slug: japan, count: 1, url: `${tecServer().url}/tag/${japan}/` }]);
    expect((await tec.get<TagList>(`tags?slug=${japan}`)).body.total).toBe(1);
    expect(await slugs(`tags=${encodeURIComponent('日本')}`)).toEqual(['deep-down']);
    const guitar = (await tec.get<TagList>(`tags?hide_empty=0&search=${encodeURIComponent('🎸')}`)).body.tags;
    expect(guitar).toMatchObject([{ name: '🎸', slug: encodeURIComponent('🎸').toLowerCase(), count: 0 }]);
    expect((await tec.get<TagList>('tags')).body.tags.map(({ slug, count }) => [slug, count])).toEqual([
      ['free', 2],
      ['rock-roll', 1],
      ['2026', 1],
      [japan, 1],
    ]);
  });

  test('descriptions keep their inline markup', async () => {
    const { body } = await tec.get<TagList>('tags?slug=rock-roll');
    expect(body.tags[0].description).toBe('Loud <em>and</em> proud');
  });

  test('a number is the id of a term before it is anything else', async () => {
    const { body } = await tec.get<TagList>('tags?slug=2026');
    expect(await slugs(`tags=${body.tags[0].id}`)).toEqual(['half-way-down']);
  });
});

describe('places, documented interface', () => {
  test.each<[query: string, found: string[]]>([
    ['geoloc=true', ['north-pole', 'beyond-the-pole', 'south-pole', 'taveuni-east', 'taveuni-west', 'open-hall', 'locked-hall']],
    // At the pole all longitudes meet.
    ['geoloc=true&geoloc_lat=90&geoloc_lng=0', ['north-pole', 'beyond-the-pole']],
    ['geoloc=true&geoloc_lat=89.95&geoloc_lng=-45', ['north-pole', 'beyond-the-pole']],
    ['geoloc=true&geoloc_lat=-90&geoloc_lng=-170', ['south-pole']],
    // The date line is no border, whichever side one stands on.
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=180', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=-180', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=179.8', ['taveuni-east', 'taveuni-west']],
    ['geoloc=true&geoloc_lat=-16.8&geoloc_lng=179.6', ['taveuni-west']],
    ['geoloc=true&geoloc_lat=50.94&geoloc_lng=6.96', ['open-hall', 'locked-hall']],
    ['geoloc=true&geoloc_lat=51.2&geoloc_lng=6.96', ['open-hall']],
    // TEC: zero is no coordinate.
    ['geoloc=true&geoloc_lat=0&geoloc_lng=0', []],
    ['geoloc=true&geoloc_lat=51.4779&geoloc_lng=0', []],
  ])('%s', async (query, found) => {
    expect(await slugs(`categories=places&${query}`, undefined, standard)).toEqual(found.map((slug) => `at-${slug}`));
  });

  test.each([
    'geoloc=true&geoloc_lat=50',
    'geoloc=true&geoloc_lng=7',
    'geoloc_lat=91&geoloc_lng=0',
    'geoloc_lat=0&geoloc_lng=180.5',
    'geoloc_lat=x&geoloc_lng=1',
  ])('%s is refused', async (query) => {
    const { status, body } = await standard.get<ErrorBody>(`events?${query}`);
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });

  test.each<[slug: string, lat: number, lng: number]>([
    ['north-pole', 90, -45],
    ['south-pole', -90, 45],
    ['taveuni-west', -16.8, 179.9],
    ['open-hall', 50.9413, 6.9583],
  ])('%s shows where it is', async (slug, lat, lng) => {
    const shown = await venue(slug, '', standard);
    expect(shown).toMatchObject({ geo_lat: lat, geo_lng: lng });
    expect(shown.json_ld?.geo).toEqual({ '@type': 'GeoCoordinates', latitude: lat, longitude: lng });
  });

  test.each(['null-island', 'greenwich', 'only-a-name'])('%s does not', async (slug) => {
    const shown = await venue(slug, '', standard);
    expect(shown).not.toHaveProperty('geo_lat');
    expect(shown.json_ld).not.toHaveProperty('geo');
  });

  test('the plugin without its extension takes no notice', async () => {
    const { total, rest_url } = await list('categories=places&geoloc=true&geoloc_lat=90&geoloc_lng=0');
    expect(total).toBe(10);
    expect(rest_url).toContain('&geoloc=1&geoloc_lat=90&geoloc_lng=0&');
    expect(await venue('open-hall')).not.toHaveProperty('geo_lat');
  });
});

describe('tickets, documented interface', () => {
  test.each<[ticketed: string, found: string[]]>([
    ['true', ['with-tickets', 'with-ticket-provider', 'with-tickets-and-cost']],
    ['false', ['without-tickets']],
  ])('ticketed=%s', async (ticketed, found) => {
    expect(await slugs(`categories=tickets&ticketed=${ticketed}`, undefined, standard)).toEqual(found);
  });

  test('without the parameter there are both', async () => {
    expect(await slugs('categories=tickets', undefined, standard)).toHaveLength(4);
  });

  test('the plugin refuses, or takes no notice', async () => {
    const { status, body } = await tec.get<ErrorBody>('events?ticketed=true');
    expect(status).toBe(400);
    expect(body.data?.params).toEqual({ ticketed: 'Event Tickets plugin is not activated.' });
    expect(await slugs('categories=tickets&ticketed=false')).toHaveLength(4);
  });
});

describe('coordinates and tickets in a dataset', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-edge-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (content: object) => {
    const file = path.join(folder, 'dataset.json');
    writeFileSync(file, JSON.stringify(content));
    return readDataset(file, Date.UTC(2026, 5, 15, 12));
  };

  test('become the rows that the extensions keep', async () => {
    const talk = { title: 'Talk', start: '+1d 10:00', end: '11:00' };
    const { posts } = await read({
      venues: [{ name: 'Pole', lat: -90, lng: 0.5 }],
      events: [
        { ...talk, ticketed: true },
        { ...talk, ticketed: false },
      ],
    });
    expect(posts[0].meta).toEqual(
      expect.arrayContaining([
        { key: '_VenueLat', value: '-90' },
        { key: '_VenueLng', value: '0.5' },
      ]),
    );
    expect(posts[0].location).toEqual({ type: 'Point', coordinates: [0.5, -90] });
    expect(posts[1].meta).toContainEqual({ key: '_tribe_ticket_capacity', value: '-1' });
    expect(posts.slice(1).map(({ ticketed }) => ticketed)).toEqual([true, false]);
  });

  test.each<[venue: object, problem: string]>([
    [{ lat: 1 }, 'venues[0].lng: is missing beside lat'],
    [{ lng: 1 }, 'venues[0].lat: is missing beside lng'],
    [{ lat: 90.1, lng: 1 }, 'venues[0].lat: must be between -90 and 90'],
    [{ lat: 1, lng: -181 }, 'venues[0].lng: must be between -180 and 180'],
    [{ lat: '1', lng: 1 }, 'venues[0].lat: must be a number of degrees'],
  ])('%j is refused', async (fields, problem) => {
    const error: unknown = await read({ venues: [{ name: 'Hall', ...fields }] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatasetError);
    expect((error as Error).message).toContain(problem);
  });
});
