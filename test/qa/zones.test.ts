import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { createServer } from '../../src/index.js';
import type { Server } from '../../src/index.js';
import { Control } from '../../src/sdk/testing/control.js';
import type { ErrorBody, Event } from '../../src/sdk/types/responses.js';
import type { QuirkName } from '../../src/wordpress/quirks.js';
import { startTestServer } from '../support/server.js';
import { compiledZone } from '../support/zone-file.js';

const ZONES = ['America/Vancouver', 'America/Winnipeg', 'America/Havana', 'Africa/Casablanca', 'Europe/Chisinau'] as const;

const [START, END] = ['2026-12-15 19:30:00', '2026-12-15 21:00:00'];

const PASSWORD = 'pass word pass word';

const DATASET = {
  clock: '2026-06-15T12:00:00Z',
  site: { timezone: 'Europe/Berlin' },
  users: [{ login: 'admin', role: 'administrator' as const, application_password: PASSWORD }],
  events: [
    ...ZONES.map((timezone) => ({ title: timezone, slug: timezone.split('/')[1].toLowerCase(), start: START, end: END, timezone })),
    { title: 'India', slug: 'india', start: '2026-06-21 05:30', end: '2026-06-21 07:00', timezone: 'Asia/Calcutta' },
    { title: 'Offset', slug: 'offset', start: START, end: END, timezone: 'UTC+2' },
  ],
};

type Facts = readonly [utc: string, abbreviation: string, startDate: string];

/** What the same local time is with the data of a release. Chisinau differs only when clocks change. */
const FACTS: Record<string, Record<(typeof ZONES)[number], Facts>> = {
  '2025b': {
    'America/Vancouver': ['2026-12-16 03:30:00', 'PST', '2026-12-15T19:30:00-08:00'],
    'America/Winnipeg': ['2026-12-16 01:30:00', 'CST', '2026-12-15T19:30:00-06:00'],
    'America/Havana': ['2026-12-16 00:30:00', 'CST', '2026-12-15T19:30:00-05:00'],
    'Africa/Casablanca': ['2026-12-15 18:30:00', '+01', '2026-12-15T19:30:00+01:00'],
    'Europe/Chisinau': ['2026-12-15 17:30:00', 'EET', '2026-12-15T19:30:00+02:00'],
  },
  '2026f': {
    'America/Vancouver': ['2026-12-16 02:30:00', 'MST', '2026-12-15T19:30:00-07:00'],
    'America/Winnipeg': ['2026-12-16 00:30:00', 'EST', '2026-12-15T19:30:00-05:00'],
    'America/Havana': ['2026-12-15 23:30:00', 'CDT', '2026-12-15T19:30:00-04:00'],
    'Africa/Casablanca': ['2026-12-15 19:30:00', '+00', '2026-12-15T19:30:00+00:00'],
    'Europe/Chisinau': ['2026-12-15 17:30:00', 'EET', '2026-12-15T19:30:00+02:00'],
  },
};

const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** Requests to a site below the URL of a server. */
const siteAt = (url: string) => ({
  event: async (slug: string): Promise<Event> =>
    (await (await fetch(`${url}/wp-json/tribe/events/v1/events/by-slug/${slug}`)).json()) as Event,
  save: async (body: object, id = ''): Promise<{ status: number; body: Event & ErrorBody }> => {
    const response = await fetch(`${url}/wp-json/tribe/events/v1/events/${id}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Event & ErrorBody };
  },
  page: async (path: string): Promise<{ status: number; type: string; text: string }> => {
    const response = await fetch(`${url}${path}`);
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  },
  lines: async (slug: string, start: RegExp): Promise<string[]> =>
    (await (await fetch(`${url}/event/${slug}/?ical=1`)).text()).split('\r\n').filter((line) => start.test(line)),
});

describe.each(['2025b', '2026f'])('a site with zone data %s', (release) => {
  const server = startTestServer({ dataset: DATASET, zones: release, sandboxes: 0 });
  const site = () => siteAt(server().url);

  test.each(Object.entries(FACTS[release]))(
    'an event in %s is %j in datasets, REST, JSON-LD, pages and iCalendar',
    async (timezone, facts) => {
      const [utc, abbreviation, startDate] = facts;
      const slug = timezone.split('/')[1].toLowerCase();
      const saved = await site().save({ title: 'New', start_date: START, end_date: END, timezone });
      expect(saved.status).toBe(201);
      for (const event of [await site().event(slug), await site().event(saved.body.slug)]) {
        expect(event).toMatchObject({ start_date: START, utc_start_date: utc, timezone, timezone_abbr: abbreviation });
        expect(event.json_ld?.startDate).toBe(startDate);
      }
      expect((await site().page(`/event/${slug}/`)).text).toContain(startDate);
      const [zone] = await site().lines(slug, /^DTSTART;/);
      expect(zone).toBe(`DTSTART;TZID=${timezone}:20261215T193000`);
      const offset = startDate.slice(-6).replace(':', '');
      const [last] = (await site().lines(slug, /^(?:DTSTART:|TZOFFSETTO:)/))
        .flatMap((line, index, all) => (line.startsWith('TZOFFSETTO') ? [{ to: line.slice(11), at: all[index + 1] }] : []))
        .filter(({ at }) => at <= 'DTSTART:20261215T193000')
        .toSorted((a, b) => (a.at < b.at ? 1 : -1));
      expect(last.to).toBe(offset);
    },
  );

  test('an offset is exported as the region that has it in winter', async () => {
    expect(await site().lines('offset', /^DTSTART;|^TZID/)).toEqual([
      'TZID:Europe/Helsinki',
      'DTSTART;TZID=Europe/Helsinki:20261215T193000',
    ]);
  });

  test('names it', async () => {
    expect(await new Control({ url: server().url }).health()).toMatchObject({ zones: release });
    const har = await new Control({ url: server().url }).journal.har();
    expect(har.log.creator.comment).toBe(`Time zone data ${release}`);
  });
});

describe('sandboxes', () => {
  const server = startTestServer({ dataset: DATASET });
  const control = (path = ''): Control => new Control({ url: `${server().url}${path}` });

  test('have zone data of their own, for the dataset and for what is saved', async () => {
    for (const [release, facts] of Object.entries(FACTS)) {
      const { url, zones } = await control().createSandbox(`with-${release}`, { zones: release });
      expect(zones).toBe(release);
      const [utc, abbreviation] = facts['America/Winnipeg'];
      const saved = await siteAt(url).save({ title: 'New', start_date: START, end_date: END, timezone: 'America/Winnipeg' });
      for (const event of [await siteAt(url).event('winnipeg'), saved.body])
        expect(event).toMatchObject({ utc_start_date: utc, timezone_abbr: abbreviation });
    }
    expect(await control().health()).toMatchObject({ zones: '2026f' });
    expect((await siteAt(server().url).event('winnipeg')).utc_start_date).toBe(FACTS['2026f']['America/Winnipeg'][0]);
  });

  test('what is stored stays until it is saved again', async () => {
    const { url } = await control().createSandbox('updated', { zones: '2025b' });
    const before = await siteAt(url).event('vancouver');
    await control().createSandbox('updated', { zones: '2026f' });
    const after = await siteAt(url).event('vancouver');
    expect(after).toMatchObject({ utc_start_date: before.utc_start_date, timezone_abbr: 'PST' });
    // JSON-LD is computed.
    expect([before, after].map(({ json_ld }) => json_ld?.startDate)).toEqual(['2026-12-15T19:30:00-08:00', '2026-12-15T19:30:00-07:00']);
    const saved = await siteAt(url).save({ start_date: START, end_date: END, timezone: 'America/Vancouver' }, String(after.id));
    expect(saved.body).toMatchObject({ utc_start_date: '2026-12-16 02:30:00', timezone_abbr: 'MST' });
  });

  test.each([
    ['2025b', '2026-12-15T19:30', '2026-12-16T03:30:00.000Z'],
    ['2026f', '2026-12-15T19:30:00', '2026-12-16T02:30:00.000Z'],
  ])('the clock is set to a local time of the site with %s', async (zones, local, now) => {
    await control().createSandbox(`clock-${zones}`, { zones });
    const sandbox = control(`/__sandbox/clock-${zones}`);
    await sandbox.seed({ ...DATASET, site: { timezone: 'America/Vancouver' } });
    const { url } = await control().createSandbox(`clock-${zones}`);
    const set = (body: object) => fetch(`${url}/__qa/clock`, { method: 'PUT', body: JSON.stringify(body) });
    expect(await (await set({ local })).json()).toEqual({ now, frozen: true });
    expect((await set({ local: 'tomorrow' })).status).toBe(400);
  });

  test.each(['2019z', '/usr/share/zoneinfo', ''])('%j is refused', async (zones) => {
    await expect(control().createSandbox('bad', { zones })).rejects.toThrow(/unknown release of time zone data ".*"\. Use 2026f, /);
  });

  test('a dataset names a release, which exports keep', async () => {
    const sandbox = control('/__sandbox/from-dataset');
    await control().createSandbox('from-dataset');
    await sandbox.seed({ ...DATASET, site: { timezone: 'Europe/Berlin', zones: '2025b' } });
    expect(await sandbox.health()).toMatchObject({ zones: '2025b' });
    const { url } = await control().createSandbox('from-dataset');
    expect((await siteAt(url).event('winnipeg')).utc_start_date).toBe('2026-12-16 01:30:00');
    expect(await (await fetch(`${url}/__qa/export`)).text()).toContain('"2025b"');
    await expect(sandbox.seed({ site: { zones: './zones' } })).rejects.toThrow('site.zones: unknown release of time zone data "./zones"');
  });

  test('the VTIMEZONE of an imported calendar decides on its events', async () => {
    const { url } = await control().createSandbox('import');
    const zone = (changes: string[]): string[] => ['BEGIN:VTIMEZONE', 'TZID:America/Vancouver', ...changes, 'END:VTIMEZONE'];
    const standard = [
      'BEGIN:STANDARD',
      'DTSTART:20201101T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      'TZOFFSETFROM:-0700',
      'TZOFFSETTO:-0800',
      'END:STANDARD',
    ];
    const daylight = [
      'BEGIN:DAYLIGHT',
      'DTSTART:20200308T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'TZOFFSETFROM:-0800',
      'TZOFFSETTO:-0700',
      'END:DAYLIGHT',
    ];
    const event = (title: string, start: string): string[] => [
      ...['BEGIN:VEVENT', `UID:${title}`, `SUMMARY:${title}`, `DTSTART;TZID=America/Vancouver:${start}`, 'DURATION:PT1H', 'END:VEVENT'],
    ];
    const calendar = (...parts: string[][]): string =>
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x//EN', ...parts.flat(), 'END:VCALENDAR', ''].join('\r\n');
    const send = (text: string) =>
      fetch(`${url}/__qa/seed?mode=add`, { method: 'POST', headers: { 'content-type': 'text/calendar' }, body: text });
    await send(calendar(zone([...daylight, ...standard]), event('described', '20261215T193000'), event('summer', '20260715T193000')));
    await send(calendar(event('plain', '20261215T193000')));
    const found = await Promise.all(['described', 'summer', 'plain'].map((slug) => siteAt(url).event(slug)));
    expect(found.map(({ start_date, utc_start_date, utc_end_date }) => [start_date, utc_start_date, utc_end_date])).toEqual([
      ['2026-12-15 19:30:00', '2026-12-16 03:30:00', '2026-12-16 04:30:00'],
      ['2026-07-15 19:30:00', '2026-07-16 02:30:00', '2026-07-16 03:30:00'],
      ['2026-12-15 19:30:00', '2026-12-16 02:30:00', '2026-12-16 03:30:00'],
    ]);
  });
});

test.each([
  ['2019z', 'unknown release of time zone data "2019z"'],
  ['./no/such/folder', 'there is no folder ./no/such/folder with time zone files'],
])('a server does not start with %s', async (zones, problem) => {
  await expect(createServer({ zones })).rejects.toThrow(problem);
});

// Debian 13. spec: seen on a real site.
describe('a machine without older names of zones', () => {
  const changes: Partial<Record<QuirkName, boolean>> = { 'older-zone-names-are-missing': true };
  const server: () => Server = startTestServer({
    dataset: DATASET,
    quirks: Object.keys(changes).map((name) => `${name}=on`),
    sandboxes: 0,
  });
  const site = () => siteAt(server().url);

  test.each([
    'Asia/Calcutta',
    'Asia/Katmandu',
    'Europe/Kiev',
    'US/Eastern',
    'Canada/Pacific',
    'GB',
    'NZ',
    'EST5EDT',
    'Navajo',
    'Zulu',
    'asia/calcutta',
  ])('rejects %s for new events and updates', async (timezone) => {
    const { id } = await site().event('winnipeg');
    for (const answer of [
      await site().save({ title: 'New', start_date: START, end_date: END, timezone }),
      await site().save({ timezone }, String(id)),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): timezone',
        data: { params: { timezone: 'Invalid parameter.' } },
      });
    }
  });

  test.each(['UTC+2', 'Asia/Kolkata', 'Europe/Kyiv', 'EST', 'MST', 'HST', 'UTC', 'GMT'])('accepts %s', async (timezone) => {
    expect((await site().save({ title: 'New', start_date: START, end_date: END, timezone })).status).toBe(201);
  });

  test('shows stored events with the dates that they have, but computes with UTC', async () => {
    const event = await site().event('india');
    expect(event).toMatchObject({ timezone: 'Asia/Calcutta', timezone_abbr: 'IST', utc_start_date: '2026-06-21 00:00:00' });
    expect(event.json_ld).toMatchObject({ startDate: '2026-06-21T05:30:00+00:00', endDate: '2026-06-21T07:00:00+00:00' });
    expect(await site().lines('india', /^(?:DTSTART;|TZID)/)).toEqual(['TZID:UTC', 'DTSTART;TZID=UTC:20260621T053000']);
  });

  test('ends every request with a fatal error if the zone of the site is missing, but not those of the test API and of files', async () => {
    const control = new Control({ url: server().url });
    await control.seed({ ...DATASET, site: { timezone: 'Europe/Kiev' } });
    for (const path of [
      '/',
      '/events/',
      '/wp-json/',
      '/wp-json/tribe/events/v1/events',
      '/?ical=1',
      '/feed/',
      '/?rest_route=/wp/v2/posts',
      '/robots.txt',
    ]) {
      const { status, type, text } = await site().page(path);
      expect([path, status, type]).toEqual([path, 500, 'text/html; charset=UTF-8']);
      expect(text).toContain('<title>WordPress &rsaquo; Error</title>');
    }
    expect(await control.health()).toMatchObject({ status: 'ok' });
    await control.seed({ ...DATASET, site: { timezone: 'Europe/Kyiv' } });
    expect((await site().page('/')).status).toBe(200);
  });
});

describe('a folder of zone files that names a release, but has other zones', () => {
  const folder = mkdtempSync(join(os.tmpdir(), 'understudy-zones-'));
  const write = (name: string, offset: number, abbreviation: string, footer: string): void =>
    writeFileSync(join(folder, name), compiledZone({ changes: [[0, offset, abbreviation]], footer }));
  mkdirSync(join(folder, 'America'));
  write('UTC', 0, 'UTC', 'UTC0');
  write('America/Vancouver', -3600, 'XST', 'XST1');
  writeFileSync(join(folder, '+VERSION'), '2025b');
  afterAll(() => rmSync(folder, { recursive: true }));

  const [timezone] = ZONES;
  const events = [{ title: timezone, slug: 'vancouver', start: START, end: END, timezone }];
  const server = startTestServer({ dataset: { ...DATASET, site: { timezone: 'UTC' }, events }, zones: folder, sandboxes: 2 });

  test('shares nothing with that release', async () => {
    expect(await siteAt(server().url).event('vancouver')).toMatchObject({ utc_start_date: '2026-12-15 20:30:00', timezone_abbr: 'XST' });
    const { url } = await new Control({ url: server().url }).createSandbox('released', { zones: '2025b' });
    const [utc, abbreviation] = FACTS['2025b'][timezone];
    expect(await siteAt(url).event('vancouver')).toMatchObject({ utc_start_date: utc, timezone_abbr: abbreviation });
    expect(await siteAt(server().url).event('vancouver')).toMatchObject({ utc_start_date: '2026-12-15 20:30:00', timezone_abbr: 'XST' });
  });
});
