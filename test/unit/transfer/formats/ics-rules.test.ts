import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { read, type Read } from './calendars/read.js';
import { withoutOlderNames, newestZones } from '../../../../src/base/php/zone-data.js';
import { offsetAt } from '../../../../src/base/php/timezone.js';
import { zoneNamed } from '../../../../src/transfer/formats/ics/zone-names.js';
import type { ReadOptions } from '../../../../src/transfer/formats/format.js';

/** What is read of iCalendar files, rule by rule: leniently by event, by RFC 5545, and with which warnings. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-ics-'));
afterAll(() => rmSync(folder, { recursive: true }));

function readText(text: string | Buffer, options: Partial<ReadOptions> = {}): Promise<Read> {
  const file = path.join(folder, 'club.ics');
  writeFileSync(file, text);
  return read(file, 'club.ics', { zone: 'Europe/Berlin', ...options });
}

const calendar = (...lines: string[]): string => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

/** A zone of a file with one offset, or with another one from a time on. */
const zone = (tzid: string, offset: string, ...later: [start: string, offset: string][]): string =>
  [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`],
    ...[['19700101T000000', offset], ...later].flatMap(([start, to], index) => [
      ...['BEGIN:STANDARD', `DTSTART:${start}`],
      ...[
        `TZOFFSETFROM:${index === 0 ? offset : ['', offset, ...later.map(([, each]) => each)][index]}`,
        `TZOFFSETTO:${to}`,
        'END:STANDARD',
      ],
    ]),
    'END:VTIMEZONE',
  ].join('\r\n');

const timesOf = ({ events }: Read): string[] => events.map(({ title, time }) => `${title} ${time.replace(/ to \S{10} /, ' to ')}`);

describe('one event', () => {
  const only = async (...lines: string[]): Promise<Read> => readText(calendar(event('SUMMARY:A', ...lines)));

  test.each<[what: string, lines: string[], times: string[], warnings?: string[]]>([
    ['names and values in any case', ['dtstart;value=date:20260604', 'Rrule:freq=daily;Count=2'], ['A 2026-06-04', 'A 2026-06-05']],
    ['a date without VALUE', ['DTSTART:20260604'], ['A 2026-06-04']],
    ['a time with VALUE=DATE', ['DTSTART;VALUE=DATE:20260604T100000Z'], ['A 2026-06-04 10:00:00 to 10:00:00']],
    ['blanks around values', ['DTSTART: 20260604T100000Z ', 'DURATION: PT1H '], ['A 2026-06-04 10:00:00 to 11:00:00']],
    [
      'empty values',
      ['DTSTART:20260604T100000Z', 'DTEND:', 'DURATION:', 'EXDATE:', 'RDATE:', 'RRULE:', 'CLASS:'],
      ['A 2026-06-04 10:00:00 to 10:00:00'],
    ],
    ['odd names', ['DTSTART:20260604T100000Z', 'ODD_NAME:1', 'X-Ü;ä=1:2', '!:3'], ['A 2026-06-04 10:00:00 to 10:00:00']],
    ['second 60', ['DTSTART:20260604T095960Z'], ['A 2026-06-04 09:59:59 to 09:59:59']],
    ['days of DURATION', ['DTSTART:20260604', 'DURATION:P1W'], ['A 2026-06-04 to 2026-06-10']],
    [
      'DTEND before DURATION',
      ['DTSTART:20260604T100000Z', 'DTEND:20260604T110000Z', 'DURATION:PT5H'],
      ['A 2026-06-04 10:00:00 to 11:00:00'],
    ],
    [
      'days that end before they start',
      ['DTSTART:20260604', 'DTEND:20260601'],
      ['A 2026-06-04'],
      ['club.ics: line 2: VEVENT "A": the event ends (2026-06-01) before it starts (2026-06-04): it lasts one day'],
    ],
    // 02:30 occurs twice in Berlin on that day: the first one is meant.
    ['the repeated hour', ['DTSTART;TZID=Europe/Berlin:20261025T023000', 'DURATION:PT1H'], ['A 2026-10-25 00:30:00 to 01:30:00']],
    [
      'its length by its end',
      ['DTSTART;TZID=Europe/Berlin:20261025T013000', 'DTEND;TZID=Europe/Berlin:20261025T023000'],
      ['A 2026-10-24 23:30:00 to 00:30:00'],
    ],
    [
      'its length by an end after it',
      ['DTSTART;TZID=Europe/Berlin:20261025T023000', 'DTEND;TZID=Europe/Berlin:20261025T033000'],
      ['A 2026-10-25 00:30:00 to 02:30:00'],
    ],
    ['the hour that is left out', ['DTSTART;TZID=Europe/Berlin:20260329T023000', 'DURATION:PT1H'], ['A 2026-03-29 01:30:00 to 02:30:00']],
    [
      'days are days, hours are exact',
      ['DTSTART;TZID=Europe/Berlin:20261024T120000', 'DURATION:P1DT1H'],
      ['A 2026-10-24 10:00:00 to 12:00:00'],
    ],
    ['TZID of a UTC time', ['DTSTART;TZID=America/Chicago:20260604T100000Z'], ['A 2026-06-04 10:00:00 to 10:00:00']],
    [
      'an end in another zone',
      ['DTSTART;TZID=Europe/Berlin:20260604T100000', 'DTEND;TZID=Europe/London:20260604T100000'],
      ['A 2026-06-04 08:00:00 to 09:00:00'],
    ],
  ])('%s', async (_, lines, times, warnings = []) => {
    const result = await only(...lines);
    expect(timesOf(result)).toEqual(times);
    expect(result.warnings).toEqual(warnings);
  });

  test.each<[lines: string[], reason: string]>([
    [[], 'DTSTART is missing'],
    [['DTSTART:'], 'DTSTART is missing'],
    [['DTSTART:tomorrow'], 'DTSTART: invalid date or time "tomorrow". Use a form such as 20260801T193000'],
    [['DTSTART:20260230T100000'], 'DTSTART: invalid date or time "20260230T100000": 2026-02 has 28 days'],
    [['DTSTART:20261301'], 'DTSTART: invalid date or time "20261301": there is no month 13'],
    [['DTSTART:20260604T250000'], 'DTSTART: invalid date or time "20260604T250000": there is no such time of day'],
    [
      ['DTSTART:20260604T100000+0200'],
      'DTSTART: invalid date or time "20260604T100000+0200": it has an offset. Write the time in UTC, with a Z, or name a zone with TZID',
    ],
    [['DTSTART;TZID=Venus/Base:20260604T100000'], 'DTSTART: unknown time zone "Venus/Base", which the file does not define (VTIMEZONE)'],
    [
      ['DTSTART:20260604T100000Z', 'DTEND:20260604T090000Z'],
      'the event ends (2026-06-04 09:00:00 UTC) before it starts (2026-06-04 10:00:00 UTC)',
    ],
    [['DTSTART:20260604T100000Z', 'DTEND:20260631T090000Z'], 'DTEND: invalid date or time "20260631T090000Z": 2026-06 has 30 days'],
    [['DTSTART:20260604T100000Z', 'DURATION:1 hour'], 'invalid DURATION "1 hour". Use a form such as PT1H30M or P2D'],
    [['DTSTART:20260604T100000Z', 'DURATION:-PT1H'], 'the DURATION -PT1H is negative'],
    [
      ['DTSTART:20260604T100000Z', 'RRULE:FREQ=OFTEN'],
      'invalid rule RRULE:FREQ=OFTEN: unknown FREQ. Use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY',
    ],
    [['DTSTART:20260604', 'RRULE:FREQ=HOURLY'], 'the rule FREQ=HOURLY requires a start with a time'],
  ])('%j is left out', async (lines, reason) => {
    const text = calendar(event('SUMMARY:A', ...lines), event('SUMMARY:B', 'DTSTART:20260604'));
    const result = await readText(text);
    expect(timesOf(result)).toEqual(['B 2026-06-04']);
    expect(result.warnings).toEqual([`club.ics: line 2: VEVENT "A": left out: ${reason}`]);
    expect((await readText(text, { strict: true })).error).toBe(`club.ics: line 2: VEVENT "A": ${reason}`);
  });
});

describe('zones', () => {
  const NOON = '20260818T120000';
  /** The UTC hour of noon in a zone, and its name on the site. */
  const noon = async (tzid: string, options: Partial<ReadOptions> = {}): Promise<string> => {
    const { events, warnings } = await readText(calendar(event('SUMMARY:A', `DTSTART;TZID=${tzid}:${NOON}`)), options);
    return events.length === 0 ? warnings.join() : `${events[0].time.slice(11, 16)} ${events[0].local.slice(20)}`;
  };

  test.each([
    ['Europe/Berlin', '10:00 Europe/Berlin'],
    ['europe/berlin', '10:00 Europe/Berlin'],
    ['/mozilla.org/20070129_1/Europe/London', '11:00 Europe/London'],
    ['CET', '10:00 Europe/Brussels'],
    ['EET', '09:00 Europe/Athens'],
    ['WET', '11:00 Europe/Lisbon'],
    ['EST5EDT', '16:00 EST5EDT'],
    ['MST', '19:00 MST'],
    ['Etc/GMT+3', '15:00 Etc/GMT+3'],
    ['UTC', '12:00 UTC'],
    ['UTC-02', '14:00 -02:00'],
    ['UTC+12', '00:00 +12:00'],
    ['UTC-03:30', '15:30 -03:30'],
    ['GMT+0200', '10:00 +02:00'],
    ['+05:30', '06:30 +05:30'],
    ['tzone://Microsoft/Utc', '12:00 UTC'],
    ['W. Europe Standard Time', '10:00 Europe/Berlin'],
    ['India Standard Time', '06:30 Asia/Kolkata'],
    ['Eastern Daylight Time', '16:00 America/New_York'],
    ['Dateline Standard Time', '00:00 Etc/GMT+12'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', '10:00 Europe/Amsterdam'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', '10:00 Europe/Amsterdam'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '16:00 America/New_York'],
    ['"(UTC-07:00) Arizona"', '19:00 America/Phoenix'],
    ['"(UTC-11:00) Coordinated Universal Time-11"', '23:00 -11:00'],
    ['"(UTC-12:00) International Date Line West"', '00:00 -12:00'],
    ['"(UTC-07:00) La Paz, Mazatlan"', '19:00 America/Mazatlan'],
    ['(GMT+01.00) Sarajevo/Warsaw/Zagreb', '10:00 Europe/Sarajevo'],
    ['Eastern Time', '16:00 America/New_York'],
    ['America/New York', '16:00 America/New_York'],
    ['Mexico Standard Time', '18:00 America/Mexico_City'],
    ['(UTC-02:00) Mid-Atlantic - Old', '14:00 Etc/GMT+2'],
    ['Mitteleuropäische Zeit', '10:00 Europe/Berlin'],
    ['heure d’été d’Europe centrale', '10:00 Europe/Berlin'],
    ['hora de verano de Europa central', '10:00 Europe/Berlin'],
  ])('%s is %s', async (tzid, expected) => expect(await noon(tzid)).toBe(expected));

  // `calendars/windows.txt` has the display names of Windows, in English, with the names of their zones.
  test('all zones of Windows by the names that it displays', () => {
    const zones = newestZones();
    const offsets = (name: string): string => {
      const named = zoneNamed(name, zones);
      return [0, 6].map((month) => (named ? offsetAt(named.zone, Date.UTC(2026, month, 15) / 1000) : 'unknown')).join();
    };
    const rows = readFileSync(new URL('calendars/windows.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const shownRows = rows.map((row) => row.split('|')).map(([shown, name]) => [shown, name, offsets(shown)]);
    expect(shownRows).toEqual(rows.map((row) => row.split('|')).map(([shown, name]) => [shown, name, offsets(name)]));
    expect(shownRows.filter(([, , found]) => found.includes('unknown'))).toEqual([]);
  });

  test('names of Windows become names that sites without older names have', async () => {
    const zones = withoutOlderNames(newestZones());
    expect(await noon('"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', { zones })).toBe('06:30 Asia/Kolkata');
    expect(await noon('Asia/Calcutta', { zones })).toBe('06:30 Asia/Kolkata');
    expect(await noon('US/Eastern', { zones })).toBe('16:00 America/New_York');
  });

  test('what was chosen is a warning', async () => {
    const { warnings } = await readText(
      calendar(event(`DTSTART;TZID=W. Europe Standard Time:${NOON}`), event(`DTSTART;TZID=Europe/Berlin:${NOON}`)),
    );
    expect(warnings).toEqual(['The time zone "W. Europe Standard Time" is read as Europe/Berlin']);
  });

  test('a description in the file decides, also against a name that exists, in its calendar only', async () => {
    const at = (tzid: string): string => event('SUMMARY:A', `DTSTART;TZID=${tzid}:${NOON}`);
    const result = await readText(
      calendar(zone('Europe/London', '+0300'), at('Europe/London')) +
        calendar(zone('Here', '-0500'), at('Here')) +
        calendar(at('Here'), at('Europe/London')),
    );
    expect(timesOf(result)).toEqual([
      'A 2026-08-18 09:00:00 to 09:00:00',
      'A 2026-08-18 17:00:00 to 17:00:00',
      'A 2026-08-18 11:00:00 to 11:00:00',
    ]);
    expect(result.warnings).toContainEqual(expect.stringContaining('left out: DTSTART: unknown time zone "Here"'));
  });

  test('a description by a rule, by dates and with an offset in seconds', async () => {
    const rule = (name: string, start: string, from: string, to: string, more: string): string[] => [
      `BEGIN:${name}`,
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      more,
      `END:${name}`,
    ];
    const lines = [
      ...['BEGIN:VTIMEZONE', 'TZID:Ours'],
      ...rule('STANDARD', '16010101T030000', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
      ...rule('DAYLIGHT', '16010101T020000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
      ...['END:VTIMEZONE', 'BEGIN:VTIMEZONE', 'TZID:Dates'],
      ...rule('STANDARD', '20200101T000000', '+0000', '+001730', 'RDATE:20260601T000000'),
      'END:VTIMEZONE',
    ];
    const at = (tzid: string, time: string): string => event('SUMMARY:A', `DTSTART;TZID=${tzid}:${time}`);
    const result = await readText(
      calendar(...lines, at('Ours', '20260328T120000'), at('Ours', '20260329T120000'), at('Ours', '20261025T120000'), at('Dates', NOON)),
    );
    expect(result.events.map(({ time, local }) => `${time.slice(0, 19)} ${local.slice(20)}`)).toEqual([
      ...['2026-03-28 11:00:00 Europe/Berlin', '2026-03-29 10:00:00 Europe/Berlin', '2026-10-25 11:00:00 Europe/Berlin'],
      '2026-08-18 11:42:30 +00:17:30',
    ]);
  });

  test('a description that cannot be read is left out', async () => {
    const broken = zone('Europe/Berlin', '+0100').replace('+0100', 'one');
    const result = await readText(calendar(broken, event('SUMMARY:A', `DTSTART;TZID=Europe/Berlin:${NOON}`)));
    expect(timesOf(result)).toEqual(['A 2026-08-18 10:00:00 to 10:00:00']);
    expect(result.warnings).toEqual([
      'club.ics: line 2: VTIMEZONE "Europe/Berlin": left out: invalid offset "one". Use a form such as +0100',
    ]);
  });

  test('times without a zone are in the one of the calendar, or of the site', async () => {
    const local = event('SUMMARY:A', `DTSTART:${NOON}`);
    const utc = event('SUMMARY:B', `DTSTART:${NOON}Z`);
    const starts = ({ events }: Read): string[] => events.map(({ time, local: wall }) => `${time.slice(11, 16)}, ${wall.slice(11)}`);
    expect(starts(await readText(calendar(local, utc)))).toEqual(['10:00, 12:00:00 Europe/Berlin', '12:00, 12:00:00 UTC']);
    expect(starts(await readText(calendar('X-WR-TIMEZONE:Central Standard Time', local, utc)))).toEqual([
      '17:00, 12:00:00 America/Chicago',
      '12:00, 07:00:00 America/Chicago',
    ]);
    const unknown = await readText(calendar('X-WR-TIMEZONE:Nowhere', local));
    expect(starts(unknown)).toEqual(['10:00, 12:00:00 Europe/Berlin']);
    expect(unknown.warnings).toEqual([
      'club.ics: line 1: X-WR-TIMEZONE: unknown time zone "Nowhere". Times without a zone are read as times of the site',
    ]);
  });
});

describe('series', () => {
  const START = 'DTSTART;TZID=Europe/London:20260904T170000';
  const master = (...lines: string[]): string => event('UID:s', 'SUMMARY:A', START, 'DURATION:PT1H', ...lines);
  const change = (recurrence: string, ...lines: string[]): string =>
    event('UID:s', `RECURRENCE-ID;TZID=Europe/London${recurrence}`, ...lines);
  const day = (number: number, from = '16:00', to = '17:00', title = 'A'): string =>
    `${title} 2026-09-${String(number).padStart(2, '0')} ${from}:00 to ${to}:00`;

  test.each<[what: string, components: string[], times: string[], warnings?: string[]]>([
    [
      'EXDATE as a list, in UTC, in another zone, as a day',
      [
        master(
          'RRULE:FREQ=DAILY;COUNT=6',
          'EXDATE;TZID=Europe/London:20260904T170000,20260905T170000',
          'EXDATE:20260906T160000Z',
          'EXDATE:20260907',
          'EXDATE;TZID=Europe/Berlin:20260908T180000',
        ),
      ],
      [day(9)],
    ],
    [
      'an EXDATE that cannot be read',
      [master('RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:soon')],
      [day(4), day(5)],
      [
        'club.ics: line 8: VEVENT "A": left out: a date of the series: EXDATE: invalid date or time "soon". Use a form such as 20260801T193000',
      ],
    ],
    [
      'RDATE as a period with an end, as a day',
      [master('RDATE;VALUE=PERIOD:20260905T100000Z/20260905T130000Z', 'RDATE:20260906')],
      [day(4), day(5, '10:00', '13:00'), day(6)],
    ],
    ['EXRULE', [master('RRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=2')], [day(4), day(5), day(7)]],
    ['UNTIL in UTC, which is included', [master('RRULE:FREQ=DAILY;UNTIL=20260905T160000Z')], [day(4), day(5)]],
    ['UNTIL as a day', [master('RRULE:FREQ=DAILY;UNTIL=20260905')], [day(4), day(5)]],
    [
      'UNTIL before the start',
      [master('RRULE:FREQ=DAILY;UNTIL=20260901')],
      [day(4)],
      [
        'club.ics: line 2: VEVENT "A": the rule RRULE:FREQ=DAILY;UNTIL=20260901 ends before the event starts (UNTIL), so it makes no further dates',
      ],
    ],
    [
      'a rule that never has a date',
      [master('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')],
      [day(4)],
      [
        'club.ics: line 2: VEVENT "A": the rule RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 never has a date besides the start, so it makes no further dates',
      ],
    ],
    ['COUNT=1', [master('RRULE:FREQ=DAILY;COUNT=1')], [day(4)]],
    [
      'a date that is changed, in another zone',
      [
        change(':20260905T170000', 'SUMMARY:B', 'DTSTART;TZID=Europe/Berlin:20260905T120000', 'DURATION:PT2H'),
        master('RRULE:FREQ=DAILY;COUNT=3'),
      ],
      [day(4), day(6), day(5, '10:00', '12:00', 'B')],
    ],
    [
      'a date that is changed, by its day',
      [master('RRULE:FREQ=DAILY;COUNT=2'), change(';VALUE=DATE:20260905', 'SUMMARY:B', START.replace('0904', '0907'))],
      [day(4), day(7, '16:00', '16:00', 'B')],
    ],
    [
      'all later dates',
      [
        master('RRULE:FREQ=WEEKLY;COUNT=3'),
        change(';RANGE=THISANDFUTURE:20260911T170000', 'SUMMARY:B', 'DTSTART;TZID=Europe/London:20260912T160000', 'DURATION:PT2H'),
      ],
      [day(4), day(12, '15:00', '17:00', 'B'), day(19, '15:00', '17:00', 'B')],
    ],
    [
      'all later dates, twice, with one of them',
      [
        master('RRULE:FREQ=DAILY;COUNT=5'),
        change(';RANGE=THISANDFUTURE:20260905T170000', 'SUMMARY:B', 'DTSTART;TZID=Europe/London:20260905T160000', 'DURATION:PT1H'),
        change(';range=thisandfuture:20260907T170000', 'SUMMARY:C', 'DTSTART;TZID=Europe/London:20260907T150000', 'DURATION:PT1H'),
        change(':20260908T170000', 'SUMMARY:D', 'DTSTART;TZID=Europe/London:20260908T120000', 'DURATION:PT1H'),
      ],
      [day(4), day(5, '15:00', '16:00', 'B'), day(6, '15:00', '16:00', 'B'), day(7, '14:00', '15:00', 'C'), day(8, '11:00', '12:00', 'D')],
    ],
    [
      'a change that cannot be read',
      [master('RRULE:FREQ=DAILY;COUNT=2'), change(':never', 'SUMMARY:B', START)],
      [day(4), day(5)],
      ['club.ics: line 9: VEVENT "B": left out: RECURRENCE-ID: invalid date or time "never". Use a form such as 20260801T193000'],
    ],
    [
      'a change that has no start',
      [master('RRULE:FREQ=DAILY;COUNT=2'), change(':20260905T170000', 'SUMMARY:B')],
      [day(4), day(5)],
      ['club.ics: line 9: VEVENT "B": left out: DTSTART is missing'],
    ],
    [
      'dates without a zone, which are in the one of the series',
      [
        master('RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20260905T170000'),
        event('UID:s', 'RECURRENCE-ID:20260906T170000', 'SUMMARY:B', START.replace('0904', '0906')),
      ],
      [day(4), day(7), day(6, '16:00', '16:00', 'B')],
    ],
    [
      'two versions of a change',
      [
        master('RRULE:FREQ=DAILY;COUNT=2'),
        change(':20260905T170000', 'SUMMARY:New', 'SEQUENCE:2', 'DTSTART:20260905T120000Z'),
        change(':20260905T170000', 'SUMMARY:Old', 'SEQUENCE:1', 'DTSTART:20260905T110000Z'),
      ],
      [day(4), day(5, '12:00', '12:00', 'New')],
      ['club.ics: line 16: VEVENT "Old": left out: a later version has the same UID "s" (SEQUENCE 2)'],
    ],
    [
      'a change of an event that does not recur',
      [master(), change(':20260904T170000', 'SUMMARY:B', 'DTSTART:20260904T120000Z')],
      [day(4, '12:00', '12:00', 'B')],
    ],
    ['a change without its series', [change(':20260904T170000', 'SUMMARY:B', 'DTSTART:20260904T120000Z')], [day(4, '12:00', '12:00', 'B')]],
    [
      'the same UID, with a later version',
      [event('UID:u', 'SUMMARY:New', 'SEQUENCE:1', 'DTSTART:20260904T120000Z'), event('UID:u', 'SUMMARY:Old', 'DTSTART:20260905T120000Z')],
      [day(4, '12:00', '12:00', 'New')],
      ['club.ics: line 8: VEVENT "Old": left out: a later version has the same UID "u" (SEQUENCE 1)'],
    ],
    [
      'the same UID, with the same version',
      [event('UID:u', 'SUMMARY:A', 'DTSTART:20260904T120000Z'), event('UID:u', 'SUMMARY:B', 'DTSTART:20260905T120000Z')],
      [day(4, '12:00', '12:00'), day(5, '12:00', '12:00', 'B')],
      ['club.ics: line 7: VEVENT "B": has the same UID "u" as an event before: both are imported'],
    ],
  ])('%s', async (_, components, times, warnings = []) => {
    const result = await readText(calendar(...components));
    expect(timesOf(result)).toEqual(times);
    expect(result.warnings).toEqual(warnings);
  });
});

describe('files', () => {
  const good = event('SUMMARY:A', 'DTSTART:20260604');

  test.each<[what: string, text: string, warnings: string[]]>([
    ['line ends and blank lines', `\n\n${calendar(good).replaceAll('\r\n', '\n\n')}`, []],
    ['old line ends', calendar(good).replaceAll('\r\n', '\r'), []],
    [
      'text before and after the calendar',
      `HTTP/1.1 200 OK\r\n${calendar(good)}bye`,
      ['club.ics: line 1: left out: this is outside of a calendar (BEGIN:VCALENDAR)'],
    ],
    [
      'a line that is not folded',
      calendar(good.replace('SUMMARY:A', 'SUMMARY:A\r\nDESCRIPTION:one\r\ntwo')),
      ['club.ics: line 5: left out: "two" is not a property. Lines that continue another one must start with a space'],
    ],
    ['an alarm', calendar(good.replace('END', 'BEGIN:VALARM\r\nSUMMARY:X\r\nDTSTART:1\r\nEND:VALARM\r\nEND')), []],
    ['an alarm without its end', calendar(good.replace('END', 'BEGIN:VALARM\r\nSUMMARY:X\r\nEND')), []],
    ['an end without its start', calendar(good, 'END:VTODO'), ['club.ics: line 6: left out: END:VTODO without BEGIN:VTODO']],
    [
      'an event within another',
      calendar('BEGIN:VEVENT\r\nSUMMARY:B\r\nDTSTART:20260604', good),
      ['club.ics: line 2: VEVENT "B": left out: END:VEVENT is missing'],
    ],
    [
      'a calendar that is cut',
      calendar(good, 'BEGIN:VEVENT\r\nSUMMARY:B').replace(/END:VCALENDAR\r\n$/, ''),
      [
        'club.ics: line 1: the file is truncated: END:VCALENDAR is missing',
        'club.ics: line 6: VEVENT "B": left out: END:VEVENT is missing',
      ],
    ],
    ['an event outside', `${calendar(good)}${good}`, ['club.ics: line 7: left out: VEVENT is outside of a calendar (BEGIN:VCALENDAR)']],
    [
      'other components',
      calendar('BEGIN:VTODO\r\nEND:VTODO\r\nBEGIN:VTODO\r\nEND:VTODO', good),
      ['iCalendar: left out VTODO: only events are imported (2)'],
    ],
    [
      'images',
      calendar(good.replace('END', 'ATTACH;FMTTYPE=image/png:https://example.org/a.png\r\nEND')),
      ['iCalendar: left out image of an event (ATTACH): images are not fetched (1)'],
    ],
  ])('%s', async (_, text, warnings) => {
    const result = await readText(text);
    expect(timesOf(result)).toEqual(['A 2026-06-04']);
    expect(result.warnings).toEqual(warnings);
  });

  test.each([
    ['hello', 'club.ics: not an iCalendar file: it has no line BEGIN:VCALENDAR'],
    ['BEGIN:VCARD\r\nEND:VCARD', 'club.ics: not an iCalendar file: it has no line BEGIN:VCALENDAR'],
    [' ', 'club.ics: the file is empty'],
  ])('%j is rejected', async (text, error) => expect((await readText(text)).error).toBe(error));
});

describe('encodings', () => {
  const CAFE = calendar(event('SUMMARY:Café – „Müller“', 'DTSTART:20260604'));
  const titles = async (bytes: Buffer, options: Partial<ReadOptions> = {}): Promise<string> => {
    const { events, error } = await readText(bytes, options);
    return error ?? events.map(({ title }) => title).join();
  };
  const utf16 = Buffer.from(CAFE, 'utf16le');
  const windows1252 = Buffer.from(CAFE.replace('–', '\u0096').replace('„', '\u0084').replace('“', '\u0093'), 'latin1');
  const NOT_UTF8 = 'is not UTF-8; the file is probably windows-1252. Save it as UTF-8, or add --encoding windows-1252';

  test.each<[what: string, bytes: Buffer, options: Partial<ReadOptions>]>([
    ['UTF-8', Buffer.from(CAFE), {}],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${CAFE}`), {}],
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), {}],
    ['UTF-16, big endian, with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16(), {}],
    ['UTF-16 without a mark', utf16, {}],
    ['UTF-16, big endian, without a mark', Buffer.from(utf16).swap16(), {}],
    ['UTF-16 by its name', utf16, { encoding: 'utf-16le' }],
    ['Windows-1252 by its name', windows1252, { encoding: 'windows-1252' }],
    ['Windows-1252 as latin1, as in browsers', windows1252, { encoding: 'latin1' }],
    ['UTF-8 by its name', Buffer.from(CAFE), { encoding: 'UTF-8' }],
  ])('%s', async (_, bytes, options) => expect(await titles(bytes, options)).toBe('Café – „Müller“'));

  test('each character may be split by a fold', async () => {
    const bytes = Buffer.from(CAFE);
    const fold = Buffer.from('\r\n\t');
    const [start, end] = [bytes.indexOf('SUMMARY') + 1, bytes.indexOf('\r\nDTSTART')];
    const folded = [...bytes.subarray(start, end)].flatMap((byte) => [byte, ...fold]);
    expect(await titles(Buffer.concat([bytes.subarray(0, start), Buffer.from(folded), bytes.subarray(end)]))).toBe('Café – „Müller“');
  });

  test('bytes that are not UTF-8 are an error with their place', async () => {
    expect(await titles(windows1252)).toBe(`club.ics: line 3: the byte 0xE9 ${NOT_UTF8}`);
    const located = await readText(Buffer.from(calendar(event('SUMMARY:Ü\r\n  \u00FC\u00E4')).replace('Ü', '\u00C3\u009C'), 'latin1'));
    expect(located.error).toContain('club.ics: line 4: the byte 0xFC is not UTF-8; the file is probably ');
    expect(await titles(Buffer.from(CAFE), { encoding: 'klingon' })).toBe(
      'club.ics: there is no encoding "klingon". Use a name such as utf-8, utf-16le, windows-1250, windows-1251, windows-1252, iso-8859-15, macroman, shift_jis, gb18030',
    );
    expect(await titles(windows1252, { encoding: 'euc-kr' })).toBe(
      'club.ics: line 3: a character that euc-kr does not have; the file has another encoding',
    );
  });

  test('a replacement character that the file has is a character', async () =>
    expect(await titles(Buffer.from(CAFE.replace('é', '\uFFFD')))).toBe('Caf\uFFFD – „Müller“'));
});

test.each([
  ['PUBLIC', 'publish'],
  ['public', 'publish'],
  ['PRIVATE', 'private'],
  ['CONFIDENTIAL', 'private'],
  ['X-STAFF', 'private'],
])('the class %s is %s', async (value, status) => {
  const { events } = await readText(calendar(event('DTSTART:20260604', `CLASS:${value}`)));
  expect(events.map(({ more }) => more.status)).toEqual([status]);
});
