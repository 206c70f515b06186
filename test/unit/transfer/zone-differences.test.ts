import { compareResponses, Normalizer } from '../../../src/transfer/live/check/compare.js';
import { reportLines } from '../../../src/transfer/live/check/site.js';
import type { SiteResponse } from '../../../src/transfer/live/client/client.js';

const site = (home: string) =>
  new Normalizer({
    ...{
      home,
      aliases: [],
      folder: '',
      root: `${home}/wp-json/`,
      namespace: 'tribe/events/v1',
      hasCore: true,
      hasTecV1: true,
      namespaces: [],
    },
    ...{ name: '', description: '', timezone: 'Europe/Berlin', gmtOffset: 1, generator: null, routes: [], methods: new Map(), front: {} },
  });

const response = (json: object): SiteResponse =>
  ({ status: 200, headers: {}, json, text: JSON.stringify(json) }) as unknown as SiteResponse;

const differences = (expected: object, actual: object) =>
  compareResponses(response(expected), response(actual), { expected: site('https://example.org'), actual: site('http://127.0.0.1:8080') });

const event = (utc: string, abbreviation: string, offset: string) => ({
  title: 'Concert',
  start_date: '2026-12-15 19:30:00',
  utc_start_date: utc,
  utc_start_date_details: { year: '2026', hour: utc.slice(11, 13) },
  timezone_abbr: abbreviation,
  json_ld: { startDate: `2026-12-15T19:30:00${offset}` },
});

const before = event('2026-12-16 03:30:00', 'PST', '-08:00');
const after = event('2026-12-16 02:30:00', 'MST', '-07:00');

test('an hour in UTC comes from zone data, with what follows from it', () => {
  const found = differences({ events: [before] }, { events: [after] });
  expect(found.map(({ at }) => at)).toEqual([
    '/events/0/utc_start_date',
    '/events/0/utc_start_date_details/hour',
    '/events/0/timezone_abbr',
    '/events/0/json_ld/startDate',
  ]);
  expect(found.every(({ zoneData }) => zoneData)).toBe(true);
});

test('the newer interface, too', () => {
  const dates = (date: string) => ({ dates: { start_utc: { date, timezone: 'UTC' } } });
  expect(differences(dates('2026-12-16 03:30:00.000000'), dates('2026-12-16 02:30:00.000000'))).toMatchObject([{ zoneData: true }]);
});

test.each([
  ['another local time', { start_date: '2026-12-15 18:30:00' }],
  ['two hours', { utc_start_date: '2026-12-16 01:30:00' }],
  ['another text', { title: 'Concert at 03:30' }],
  ['an abbreviation alone', { timezone_abbr: 'PDT' }],
  ['another local time in structured data', { json_ld: { startDate: '2026-12-15T18:30:00-08:00' } }],
])('%s does not', (_, change) => {
  const found = differences(before, { ...before, ...change });
  expect(found).toHaveLength(1);
  expect(found[0].zoneData).toBeUndefined();
});

test('the report says so', () => {
  const report = {
    url: 'https://example.org',
    against: 'http://127.0.0.1:8080',
    zones: '2026f',
    requests: 1,
    same: 0,
    skipped: 0,
    routes: [],
  };
  const finding = { request: 'GET events', group: 'lists' as const, differences: differences(before, { ...after, title: 'Other' }) };
  const lines = reportLines({ ...report, findings: [finding] });
  expect(lines.filter((line) => line.endsWith(' (zone data)'))).toHaveLength(4);
  expect(lines).toContain('  /title: site "Concert", server "Other"');
  expect(lines.at(-2)).toBe('Time zone data of the server: 2026f. The site has other data: 1 response with events an hour apart in UTC.');
});
