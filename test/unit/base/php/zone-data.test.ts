import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import moment from 'moment-timezone';
import { newestZones, withoutOlderNames, zoneReleases, zonesOf, zonesProblem } from '../../../../src/base/php/zone-data.js';
import { abbreviationAt, offsetAt, type Zones } from '../../../../src/base/php/timezone.js';
import { abbreviation, isoWithOffset, toUtc } from '../../../../src/wordpress/timezones.js';
import { compiledZone } from '../../../support/zone-file.js';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
const readJson = <Form>(file: string): Form => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Form;

const seconds = (text: string): number => Date.parse(text) / 1000;

const [FROM, TO] = [seconds('1970-01-01T00:00:00Z'), seconds('2038-01-01T00:00:00Z')];

/** Offset and abbreviation of a zone now and then: before, at and after each change, and the same of all zones at fixed times. */
const stateAt = (zones: Zones, name: string, at: number): string => {
  const zone = zones.resolve(name)!;
  return `${offsetAt(zone, at)} ${abbreviationAt(zone, at)}`;
};

describe('the newest release', () => {
  const { version } = readJson<{ version: string }>('node_modules/moment-timezone/package.json');
  const made = readJson<{ package: string; newest: string }>('src/base/php/time-zone-releases.json');
  const lock = readJson<{ packages: Record<string, { version: string }> }>('package-lock.json');

  test('is the one of the package in the lock file: otherwise run node scripts/zone-releases.mjs', () => {
    expect(lock.packages['node_modules/moment-timezone'].version).toBe(version);
    expect(made).toMatchObject({ package: version, newest: newestZones().release });
  });

  test('has the periods of its source in all zones from 1970 to 2037', () => {
    const zones = newestZones();
    const names = moment.tz.names();
    expect(names.length).toBeGreaterThan(590);
    const wrong: string[] = [];
    for (const name of names) {
      const { abbrs, untils, offsets } = moment.tz.zone(name)!;
      // PHP: an abbreviation takes precedence over an identifier of the same name.
      if (zones.resolve(name)!.kind !== 'identifier') continue;
      let begin = FROM;
      untils.forEach((until, index) => {
        const end = Number.isFinite(until) ? until / 1000 : TO;
        if (end > FROM && begin < TO) {
          const expected = `${Math.round(offsets[index] * -60)} ${abbrs[index]}`;
          for (const at of [begin, Math.min(end, TO) - 1])
            if (stateAt(zones, name, at) !== expected) wrong.push(`${name} ${at} ${expected}`);
        }
        begin = Math.max(end, FROM);
      });
    }
    expect(wrong).toEqual([]);
  });
});

// spec: the same local time, with the data of real sites before and after they got the new release.
test.each([
  ['America/Vancouver', '2025b', '2026-12-15 19:30:00', '2026-12-16 03:30:00', 'PST', '-08:00'],
  ['America/Vancouver', '2026f', '2026-12-15 19:30:00', '2026-12-16 02:30:00', 'MST', '-07:00'],
  ['Canada/Pacific', '2026f', '2026-12-15 19:30:00', '2026-12-16 02:30:00', 'MST', '-07:00'],
  ['America/Edmonton', '2025b', '2026-12-15 19:30:00', '2026-12-16 02:30:00', 'MST', '-07:00'],
  ['America/Edmonton', '2026c', '2026-12-15 19:30:00', '2026-12-16 01:30:00', 'CST', '-06:00'],
  ['America/Edmonton', '2026f', '2026-12-15 19:30:00', '2026-12-16 01:30:00', 'CST', '-06:00'],
  ['America/Winnipeg', '2025b', '2026-12-15 19:30:00', '2026-12-16 01:30:00', 'CST', '-06:00'],
  ['America/Winnipeg', '2026c', '2026-12-15 19:30:00', '2026-12-16 01:30:00', 'CST', '-06:00'],
  ['America/Winnipeg', '2026f', '2026-12-15 19:30:00', '2026-12-16 00:30:00', 'EST', '-05:00'],
  ['America/Havana', '2026c', '2026-12-15 19:30:00', '2026-12-16 00:30:00', 'CST', '-05:00'],
  ['America/Havana', '2026f', '2026-12-15 19:30:00', '2026-12-15 23:30:00', 'CDT', '-04:00'],
  ['America/Havana', '2026f', '2027-12-15 19:30:00', '2027-12-16 00:30:00', 'CST', '-05:00'],
  ['Africa/Casablanca', '2025b', '2026-12-15 19:30:00', '2026-12-15 18:30:00', '+01', '+01:00'],
  ['Africa/Casablanca', '2026c', '2026-12-15 19:30:00', '2026-12-15 19:30:00', '+00', '+00:00'],
  ['Africa/Casablanca', '2026f', '2026-12-15 19:30:00', '2026-12-15 19:30:00', '+00', '+00:00'],
  ['Europe/Chisinau', '2024b', '2026-10-25 02:30:00', '2026-10-25 00:30:00', 'EET', '+02:00'],
  ['Europe/Chisinau', '2025b', '2026-10-25 02:30:00', '2026-10-25 00:30:00', 'EET', '+02:00'],
  ['Europe/Chisinau', '2026f', '2026-10-25 02:30:00', '2026-10-24 23:30:00', 'EEST', '+03:00'],
])('%s of %s: %s is %s UTC', (zone, release, wall, utc, abbr, offset) => {
  const zones = zonesOf(release);
  expect(zones.release).toBe(release);
  expect(toUtc(zones, wall, zone)).toBe(utc);
  expect(abbreviation(zones, zone, wall)).toBe(abbr);
  expect(isoWithOffset(zones, wall, zone)).toBe(`${wall.replace(' ', 'T')}${offset}`);
});

test('older releases have the names that they had', () => {
  expect(zoneReleases()).toEqual(expect.arrayContaining(['2026f', '2026c', '2025b', '2024b']));
  expect(zonesOf('2025b').has('America/Coyhaique')).toBe(true);
  expect(zonesOf('2024b').has('America/Coyhaique')).toBe(false);
  expect(zonesOf(null)).toBe(newestZones());
});

test.each([
  ['2019z', /unknown release of time zone data "2019z"\. Use 2026f.*, or a folder/],
  ['/no/such/folder', /no folder \/no\/such\/folder/],
  ['./src', /has no time zone files/],
])('%s is refused', (name, problem) => {
  expect(zonesProblem(name)).toMatch(problem);
  expect(() => zonesOf(name)).toThrow(problem);
});

describe('names that are kept for compatibility only', () => {
  const zones = withoutOlderNames(newestZones());

  test.each(['Asia/Calcutta', 'Asia/Katmandu', 'Europe/Kiev', 'US/Eastern', 'Canada/Pacific', 'GB', 'NZ', 'EST5EDT', 'Navajo', 'Zulu'])(
    '%s is missing',
    (name) => {
      expect(newestZones().has(name)).toBe(true);
      expect(zones.has(name)).toBe(false);
      expect(zones.has(name.toUpperCase())).toBe(false);
    },
  );

  test.each(['Asia/Kolkata', 'Europe/Kyiv', 'EST', 'MST', 'HST', 'UTC', 'GMT', 'Etc/GMT+5', 'CET', '+02:00', 'Arctic/Longyearbyen'])(
    '%s is there',
    (name) => {
      expect(zones.has(name)).toBe(true);
    },
  );
});

describe('a folder of zone files', () => {
  let folder = '';
  const write = (name: string, data: Buffer | string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), data);
  };
  const UTC: Parameters<typeof compiledZone>[0] = { changes: [[0, 0, 'UTC']], footer: 'UTC0' };

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'zones-'));
    write('UTC', compiledZone(UTC));
    write('+VERSION', '2031a\n');
    write('zone.tab', 'a table');
    write('posix/Europe/Berlin', compiledZone(UTC));
    write('Mars/Broken', 'no zone file');
    write('Mars/Short', compiledZone(UTC, true));
    write(
      'Europe/Berlin',
      compiledZone({
        changes: [
          [0, 3208, 'LMT'],
          [-2422054408, 3600, 'CET'],
        ],
        footer: 'CET-1CEST,M3.5.0,M10.5.0/3',
      }),
    );
    write(
      'Mars/Base',
      compiledZone({
        changes: [
          [0, 5400, 'MST'],
          [seconds('2026-11-01T00:00:00Z'), 7200, 'MDT'],
        ],
        footer: '<+02>-2',
      }),
    );
    write('Australia/Sydney', compiledZone({ changes: [[0, 36000, 'AEST']], footer: 'AEST-10AEDT,M10.1.0,M4.1.0/3' }));
    write('Mars/Days', compiledZone({ changes: [[0, 0, 'AAA']], footer: 'AAA0BBB-2,J60/-1,300/26:30' }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is known by its content, whatever release it names', () => {
    const copy = mkdtempSync(path.join(os.tmpdir(), 'zones-'));
    cpSync(folder, copy, { recursive: true });
    expect(zonesOf(copy).identity).toBe(zonesOf(folder).identity);
    const changed = mkdtempSync(path.join(os.tmpdir(), 'zones-'));
    cpSync(folder, changed, { recursive: true });
    writeFileSync(path.join(changed, 'Mars/Days'), compiledZone({ changes: [[0, 60, 'AAA']], footer: 'AAA-0:01' }));
    expect(zonesOf(changed).release).toBe(zonesOf(folder).release);
    expect(zonesOf(changed).identity).not.toBe(zonesOf(folder).identity);
    for (const made of [copy, changed]) rmSync(made, { recursive: true });
  });

  test('has its names and its release', () => {
    const zones = zonesOf(folder);
    expect(zones.release).toBe('2031a');
    expect(zones.names()).toEqual(['Australia/Sydney', 'Europe/Berlin', 'Mars/Base', 'Mars/Broken', 'Mars/Days', 'Mars/Short', 'UTC']);
    expect(['mars/base', 'Asia/Tokyo', '../UTC', 'Mars/Broken', 'Mars/Short', 'zone.tab'].filter((name) => zones.has(name))).toEqual([
      'mars/base',
    ]);
  });

  test.each([
    ['Europe/Berlin', '1880-01-01T00:00:00Z', '3208 LMT'],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', '7200 CEST'],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', '7200 CEST'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '3600 CET'],
    ['Europe/Berlin', '2750-07-01T00:00:00Z', '7200 CEST'],
    ['Mars/Base', '2026-10-31T23:59:59Z', '5400 MST'],
    ['Mars/Base', '2026-11-01T00:00:00Z', '7200 MDT'],
    ['Australia/Sydney', '2026-01-01T00:00:00Z', '39600 AEDT'],
    ['Australia/Sydney', '2026-04-04T15:59:59Z', '39600 AEDT'],
    ['Australia/Sydney', '2026-04-04T16:00:00Z', '36000 AEST'],
    ['Mars/Days', '2028-02-29T22:59:59Z', '0 AAA'],
    ['Mars/Days', '2028-02-29T23:00:00Z', '7200 BBB'],
    ['Mars/Days', '2028-10-28T00:29:59Z', '7200 BBB'],
    ['Mars/Days', '2028-10-28T00:30:00Z', '0 AAA'],
  ])('%s at %s is %s', (name, at, expected) => {
    expect(stateAt(zonesOf(folder), name, seconds(at))).toBe(expected);
  });

  const SYSTEM = '/usr/share/zoneinfo';
  const release = existsSync(SYSTEM) && zonesProblem(SYSTEM) === null ? zonesOf(SYSTEM).release : '';
  const isComparable = zoneReleases().includes(release);

  (isComparable ? test : test.skip)('of this machine is the same as its release from 1970 to 2037', () => {
    const [files, own] = [zonesOf(SYSTEM), zonesOf(release)];
    const names = files.names().filter((name) => own.has(name) && name !== 'localtime');
    expect(names.length).toBeGreaterThan(400);
    const times = Array.from({ length: 68 * 24 }, (_, index) => FROM + index * 15.2 * 86_400);
    const wrong = names.filter((name) => times.some((at) => offsetAt(files.resolve(name)!, at) !== offsetAt(own.resolve(name)!, at)));
    expect(wrong).toEqual([]);
  });
});
