import { newestZones } from '../../../../src/base/php/zone-data.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import type { CsvKind } from '../../../../src/transfer/formats/csv/columns.js';
import { openCsv } from '../../../../src/transfer/formats/csv/read.js';
import { readList, readTime, writeList } from '../../../../src/transfer/formats/csv/values.js';
import { csvLines } from '../../../../src/transfer/formats/csv/write.js';
import { writeCsv } from '../../../../src/transfer/formats/csv/write.js';
import { restricted } from '../../../../src/transfer/restrict.js';
import { DocumentBuilder, type EventFacts, type LinkedFacts } from '../../../../src/transfer/documents.js';
import { inputFile } from '../../../../src/transfer/formats/open.js';
import type { SourceItem, DatasetSource } from '../../../../src/transfer/source.js';
import { TAG, metaValues, type Post } from '../../../../src/wordpress/model.js';
import { EVENT_CATEGORY } from '../../../../src/plugins/the-events-calendar/model/index.js';

const SAMPLES = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../../fixtures/import');
const NOW = Date.parse('2027-05-01T12:00:00Z');

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  items: SourceItem[];
  posts: Post[];
  problems: string[];
  told: string[];
}

async function readFile(file: string, settings: Record<string, string> = {}, strict = false): Promise<Read> {
  const told: string[] = [];
  const source = await openCsv(inputFile(file), { now: NOW, zone: 'Europe/Berlin', settings, strict, notify: (line) => told.push(line) });
  const problems: string[] = [];
  const items: SourceItem[] = [];
  const tell: Parameters<DatasetSource['items']>[0] = (text, at) =>
    problems.push([at?.line, at?.path, text].filter((part) => part !== undefined).join(': '));
  for await (const item of source.items(tell)) items.push(item);
  return { items, posts: items.flatMap((item) => (item.kind === 'post' ? [item.post] : [])), problems, told };
}

const read = (text: string, settings: Record<string, string> = {}, name = 'table.csv', strict = false): Promise<Read> => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return readFile(file, settings, strict);
};

const meta = (post: Post, ...keys: string[]): string[] => keys.flatMap((key) => metaValues(post, key));

describe('the samples', () => {
  test('events, in the plugin’s own columns', async () => {
    const { items, posts, problems } = await readFile(path.join(SAMPLES, 'events.csv'));
    expect(problems).toEqual([]);
    expect(posts.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'tribe_venue Harbour Pavilion',
      'tribe_organizer Harbour Music Society',
      'tribe_events Open Air Opening',
      'tribe_venue Old Mill, Upper Floor',
      'tribe_organizer Repair Café',
      'tribe_organizer Weaver, Lind & Daughters',
      'tribe_events Repair Morning',
      'tribe_venue Greenhouse',
      'tribe_events Plant Fair',
      "tribe_events Volunteers' Evening",
    ]);
    expect(items.filter((item) => item.kind === 'post' && item.reuse)).toHaveLength(6);
    const [opening, repair, fair, evening] = posts.filter(({ type }) => type === 'tribe_events');
    expect(meta(opening, '_EventStartDate', '_EventStartDateUTC', '_EventDuration', '_EventTimezoneAbbr', '_EventCurrencyCode')).toEqual([
      '2027-05-15 19:30:00',
      '2027-05-15 23:30:00',
      '9000',
      'EDT',
      'USD',
    ]);
    expect([opening.menuOrder, opening.content]).toEqual([-1, 'Gates at 6:30.\n\n"Rain or shine", as every year.']);
    expect(meta(repair, '_EventOrganizerID')).toHaveLength(2);
    expect(meta(fair, '_EventAllDay', '_EventStartDate', '_EventEndDate')).toEqual(['yes', '2027-06-12 00:00:00', '2027-06-13 23:59:59']);
    // The venue of the first row, and the site's time zone.
    expect(meta(evening, '_EventVenueID', '_EventTimezone', '_EventEndDate', '_EventHideFromUpcoming')).toEqual([
      meta(opening, '_EventVenueID')[0],
      'Europe/Berlin',
      '2027-06-18 21:00:00',
      'yes',
    ]);
  });

  test.each([
    ['venues.csv', ['Harbour Pavilion', 'Old Mill, Upper Floor', 'Greenhouse'], '_VenueAddress', ['1 Quay Street Pier 4']],
    ['organizers.csv', ['Harbour Music Society', 'Weaver, Lind & Daughters', 'Repair Café'], '_OrganizerPhone', ['+1 207 555 0123']],
  ])('%s', async (file, titles, key, values) => {
    const { posts, problems } = await readFile(path.join(SAMPLES, file));
    expect(problems).toEqual([]);
    expect(posts.map(({ title }) => title)).toEqual(titles);
    expect(meta(posts[0], key)).toEqual(values);
  });
});

test.each([
  [
    'a mark, semicolons and other titles',
    '\uFEFFTitle;Start;End\nA;2027-08-01 10:00;2027-08-01 12:00\n',
    {},
    ['2027-08-01 10:00:00', '2027-08-01 12:00:00'],
  ],
  ['a month first', 'Event Name,Event Start Date,Event Start Time\nA,8/1/2027,7pm\n', {}, ['2027-08-01 19:00:00', '2027-08-01 19:00:00']],
  ['a day first, with hyphens', 'Event Name,Event Start Date\nA,1-8-2027\n', {}, ['2027-08-01 00:00:00', '2027-08-01 00:00:00']],
  [
    'a date format',
    'Event Name\tEvent Start Date\nA\t1. August 27\n',
    { 'date-format': 'j. F y' },
    ['2027-08-01 00:00:00', '2027-08-01 00:00:00'],
  ],
  [
    'a mapping',
    'What,When\nA,2027-08-01\n',
    { kind: 'events', map: 'what=title, When=Event Start Date' },
    ['2027-08-01 00:00:00', '2027-08-01 00:00:00'],
  ],
])('%s', async (_what, text, settings, expected) => {
  const { posts, problems } = await read(text, settings);
  expect(problems).toEqual([]);
  expect(meta(posts[0], '_EventStartDate', '_EventEndDate')).toEqual(expected);
});

test('reports every problem with line and column, and the columns the mapping ignores', async () => {
  const rows = [
    '"two\nlines",2027-13-01,,,',
    'B,2027-08-01,26:00,,',
    ',2027-08-01,,maybe,',
    'D,2027-08-02,10:00,,"2027-08-01"',
    'E,2027-08-01,,,,extra',
    'F,2027-08-01,,,',
  ];
  const { posts, problems, told } = await read(
    `Event Name,Event Start Date,Event Start Time,All Day Event,Event End Date,Seats\n${rows.join('\n')}\n`.replace(',Seats', ''),
    {},
    'table.csv',
    true,
  );
  expect(problems.map((line) => line.split(' (8/1')[0])).toEqual([
    '3: Event Start Date: invalid value "2027-13-01". Use a date such as 2026-08-01',
    '4: Event Start Time: invalid value "26:00". Use a time of day such as 19:30 or 7:30 pm',
    '5: Event Name: is missing',
    '5: All Day Event: invalid value "maybe". Use yes or no (TRUE, FALSE, 1, 0)',
    '6: Event End Date: the event ends (2027-08-01 10:00:00) before it starts (2027-08-02 10:00:00)',
    '7: cells without a title: the row has 6, the header 5. Quote cells that contain the delimiter',
  ]);
  expect(posts.map(({ title }) => title)).toEqual(['E', 'F']);
  expect(told[1]).toBe('  Event Name: title');
});

test.each([
  ['Venue,Seats', { kind: 'venues' }, /^never$/],
  ['A,B', {}, /line 1: cannot detect the kind of rows from the columns \(A, B\)/],
  ['A,B,Event Start Date', { map: 'A=title,B=title' }, /B: is the same field \(title\) as A/],
  ['Event Name,Cost', {}, /header: the column Event Start Date is missing/],
  ['Event Name,Event Start Date', { map: 'X=title' }, /--map X: unknown column/],
  ['Event Name,Event Start Date', { map: 'Event Name=seats' }, /--map Event Name=seats: unknown field/],
  ['Event Name,Event Start Date', { 'date-format': 'm/Y' }, /--date-format: "m\/Y" must contain/],
  ['', {}, /is empty/],
])('the header %s with %o', async (header, settings, expected) => {
  const outcome = await read(`${header}\n`, settings as Record<string, string>).then(
    () => 'never',
    (error: Error) => error.message,
  );
  expect(outcome).toMatch(expected);
});

test('of several columns with the same field, the documented one is read', async () => {
  const { posts } = await read('Title,Event Name,Date\nNumber 1,Tea,2027-08-01\n');
  expect(posts.map(({ title }) => title)).toEqual(['Tea']);
});

test.each([
  ['Name,Address,City\nMill,Lane 1,Bath\n', 'tribe_venue'],
  ['Name,Email\nGuild,a@example.org\n', 'tribe_organizer'],
  ['Name,Venue,Organizer,Start\nTea,,,2027-08-01\n', 'tribe_events'],
])('the columns that only one kind has tell it: %j', async (text, type) =>
  expect((await read(text)).posts.map((post) => post.type)).toEqual([type]),
);

test.each([
  ['a row with a title', 'Parish events 2027\n\nEvent Name;Event Start Date\nTea;2027-08-01\n', 1],
  ['cells with a title', '"Events, 2027",,\nas of,1 June,\nTitle,Start,End\nTea,2027-08-01,2027-08-01\n', 2],
  ['the delimiter', 'sep=;\r\nTitle;Start\r\nTea;2027-08-01\r\n', 1],
])('above the titles of the columns may be %s', async (_what, text, above) => {
  const { posts, problems, told } = await read(text);
  expect([posts.map(({ title }) => title), problems]).toEqual([['Tea'], []]);
  expect(told).toContain(`The titles of the columns are in row ${above + 1}. The rows above are not read`);
});

test.each([
  ['5" pipe,2027-08-01', '5" pipe'],
  ['"Tea" party,2027-08-01', 'Tea party'],
  [' "Tea, cake",2027-08-01', 'Tea, cake'],
  ['"Tea ""for two""",2027-08-01', 'Tea "for two"'],
])('PHP reads the quotes of %s', async (row, title) =>
  expect((await read(`Event Name,Event Start Date\n${row}\n`)).posts.map((post) => post.title)).toEqual([title]),
);

test.each([
  ['7:30 pm', '19:30:00'],
  ['12 AM', '00:00:00'],
  ['19.30 Uhr', '19:30:00'],
  ['13 pm', undefined],
  ['24:00', undefined],
])('the time %s', (text, expected) => expect(readTime(text)).toBe(expected));

describe('headings in other languages', () => {
  test.each([
    [
      'German',
      'Titel;Datum;Uhrzeit;Veranstaltungsort;Veranstalter;Eintritt;Ganztägig;Kategorien',
      'Fest;01.08.2027;19:30;Mühle;Verein;5;nein;Musik',
    ],
    [
      'French',
      'Titre;Date de début;Heure de début;Lieu;Organisateur;Tarif;Toute la journée;Catégories',
      'Fest;2027-08-01;19:30;Mühle;Verein;5;non;Musik',
    ],
    ['Spanish', 'Título;Fecha;Hora;Lugar;Organizador;Precio;Todo el día;Categorías', 'Fest;2027-08-01;19:30;Mühle;Verein;5;no;Musik'],
    ['Portuguese', 'Nome;Data;Horário;Local;Organizador;Preço;Dia inteiro;Categorias', 'Fest;2027-08-01;19:30;Mühle;Verein;5;não;Musik'],
  ])('%s', async (_, header, row) => {
    const { posts, problems, items } = await read(`${header}\n${row}\n`);
    expect(problems).toEqual([]);
    expect(posts.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'tribe_venue Mühle',
      'tribe_organizer Verein',
      'tribe_events Fest',
    ]);
    expect(meta(posts[2], '_EventStartDate', '_EventCost')).toEqual(['2027-08-01 19:30:00', '5']);
    expect(items.flatMap((item) => (item.kind === 'term' ? [item.term.name] : []))).toEqual(['Musik']);
  });

  test('accents and upper case do not count', async () => {
    const { posts } = await read('TITULO,FECHA,CATEGORIAS\nFest,2027-08-01,Musik\n');
    expect(posts.map(({ title }) => title)).toEqual(['Fest']);
  });

  test('beside a date, the start and the end are times', async () => {
    const { posts, problems } = await read('Datum;Beginn;Ende;Titel\n01.08.2027;19:30;21:00;Fest\n');
    expect(problems).toEqual([]);
    expect(meta(posts[0], '_EventStartDate', '_EventEndDate')).toEqual(['2027-08-01 19:30:00', '2027-08-01 21:00:00']);
  });

  test('without a date, they are dates', async () => {
    const { posts } = await read('Beginn;Ende;Titel\n01.08.2027 19:30;01.08.2027 21:00;Fest\n');
    expect(meta(posts[0], '_EventStartDate', '_EventEndDate')).toEqual(['2027-08-01 19:30:00', '2027-08-01 21:00:00']);
  });

  test('venues are recognized by their columns', async () => {
    const { posts } = await read('Name;Straße;PLZ;Ort\nMühle;Am Bach 1;01067;Dresden\n');
    expect(posts.map(({ type }) => type)).toEqual(['tribe_venue']);
    expect(meta(posts[0], '_VenueZip', '_VenueCity')).toEqual(['01067', 'Dresden']);
  });
});

test.each([
  ['events', 'A,B\nFest,2027-08-01\n', 'A=title,B=start_date', 'tribe_events'],
  ['venues', 'A,B\nMill,01067\n', 'A=title,B=zip', 'tribe_venue'],
  ['organizers', 'A,B,C\nGuild,a@example.org,x\n', 'A=title,B=email,C=-', 'tribe_organizer'],
])('--map that names the columns of %s needs no --kind', async (_, text, map, type) => {
  const { posts, problems } = await read(text, { map });
  expect(problems).toEqual([]);
  expect(posts.map((post) => post.type)).toEqual([type]);
});

test('--map with fields that several kinds have does need it', async () => {
  await expect(read('A,B\nMill,0351\n', { map: 'A=title,B=phone' })).rejects.toThrow(
    'cannot detect the kind of rows from the columns (A, B). Set --kind events, --kind venues, --kind organizers',
  );
});

test('lists of names round-trip', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
  fc.assert(fc.property(fc.array(name), (names) => expect(readList(writeList(names))).toEqual(names)));
});

/** A source with the given facts. */
function sourceOf(make: (documents: DocumentBuilder) => SourceItem[]): DatasetSource {
  return {
    name: 'made up',
    siteUrl: '',
    clock: null,
    keepsIds: false,
    async *items() {
      yield* make(new DocumentBuilder(NOW, 'Europe/Berlin', newestZones()));
    },
  };
}

async function roundTrip(kind: CsvKind, source: DatasetSource): Promise<SourceItem[]> {
  let text = '';
  for await (const line of csvLines(kind, source)) text += line;
  const { items, problems } = await read(text, { kind });
  expect(problems).toEqual([]);
  return items;
}

/** Rows that an import adds: TEC stores the region of a venue as state and province, and an empty website of an event. */
const isAdded = ({ key, value }: { key: string; value: string }): boolean =>
  ['_VenueState', '_VenueProvince'].includes(key) || (key === '_EventURL' && value === '');
const bare = (items: SourceItem[]): unknown[] =>
  items.map(({ at: _at, ...item }: SourceItem & { at?: unknown }) =>
    item.kind === 'post' ? { ...item, post: { ...item.post, meta: item.post.meta.filter((row) => !isAdded(row)) } } : item,
  );

/** Possible content of a cell. Spaces at the ends are trimmed, since they are usually accidental. */
const cell = fc
  .array(fc.constantFrom('a', 'Ö', ' ', ',', '"', ';', '\n', '<b>', '&', '日', "'", '='), { maxLength: 8 })
  .map((parts) => parts.join('').trim());
const filled = cell.filter((text) => /[aÖ日]/.test(text));
const oneLine = filled.map((text) => text.replace(/\n/g, ' '));
const degrees = fc.constantFrom('', '43.65', '-70', '0.5');
const wall = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));

describe('everything that CSV can represent round-trips', () => {
  test('venues', async () => {
    const facts: fc.Arbitrary<LinkedFacts> = fc.record({
      title: filled,
      content: cell,
      values: fc.record({
        address: cell,
        city: cell,
        country: cell,
        stateprovince: cell,
        zip: cell,
        phone: cell,
        website: cell,
        geo_lat: degrees,
        geo_lng: degrees,
        show_map: fc.boolean(),
        show_map_link: fc.boolean(),
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 4 }), async (venues) => {
        const source = sourceOf((documents) => venues.map((venue) => ({ kind: 'post', post: documents.linked('venue', venue) })));
        const expected: SourceItem[] = [];
        for await (const item of source.items(() => undefined)) expected.push(item);
        expect(bare(await roundTrip('venues', source))).toEqual(bare(expected));
      }),
      { numRuns: 40 },
    );
  });

  test('organizers', async () => {
    const facts: fc.Arbitrary<LinkedFacts> = fc.record({
      title: filled,
      content: cell,
      values: fc.record({ phone: cell, email: cell, website: cell }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 4 }), async (organizers) => {
        const source = sourceOf((documents) =>
          organizers.map((organizer) => ({ kind: 'post', post: documents.linked('organizer', organizer) })),
        );
        const expected: SourceItem[] = [];
        for await (const item of source.items(() => undefined)) expected.push(item);
        expect(bare(await roundTrip('organizers', source))).toEqual(bare(expected));
      }),
      { numRuns: 40 },
    );
  });

  test('events', async () => {
    const facts = fc.record({
      title: filled,
      content: cell,
      excerpt: cell,
      times: fc.tuple(wall, wall, fc.boolean()),
      timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC+5.5', 'UTC'),
      venue: fc.option(filled),
      organizers: fc.array(oneLine, { maxLength: 3 }),
      categories: fc.array(oneLine, { maxLength: 3 }),
      tags: fc.array(oneLine, { maxLength: 2 }),
      sticky: fc.boolean(),
      values: fc.record({
        website: cell,
        cost: cell,
        currency_symbol: fc.constantFrom('€', '$'),
        currency_code: fc.constantFrom('EUR', 'USD'),
        currency_position: fc.constantFrom('prefix', 'postfix'),
        hide_from_listings: fc.boolean(),
        featured: fc.boolean(),
        show_map: fc.boolean(),
        show_map_link: fc.boolean(),
      }),
    });
    const make = (documents: DocumentBuilder, all: (typeof facts extends fc.Arbitrary<infer T> ? T : never)[]): SourceItem[] =>
      all.flatMap(({ times: [one, other, allDay], timezone, venue, organizers, categories, tags, values, ...rest }) => {
        const [start, end] = [one, other].sort();
        const place = venue === null ? null : documents.namedLinked('venue', { title: venue });
        const people = organizers.map((title) => documents.namedLinked('organizer', { title }));
        const [inCategories, withTags] = [
          categories.flatMap((name) => documents.namedTerm(EVENT_CATEGORY, name) ?? []),
          tags.flatMap((name) => documents.namedTerm(TAG, name) ?? []),
        ];
        const ids = (named: { id: number }[]): number[] => [...new Set(named.map(({ id }) => id))];
        const whole: EventFacts = {
          ...rest,
          times: {
            start: allDay ? `${start.slice(0, 10)} 00:00:00` : start,
            end: allDay ? `${end.slice(0, 10)} 23:59:59` : end,
            timezone,
            allDay,
          },
          values: { ...values, venue: place ? [place.id] : [], organizer: ids(people) },
          categories: ids(inCategories),
          tags: ids(withTags),
        };
        const named = [...(place ? [place] : []), ...people, ...inCategories, ...withTags].flatMap(({ items }) => items);
        return [...named, { kind: 'post' as const, post: documents.event(whole) }];
      });
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 4 }), async (events) => {
        const source = sourceOf((documents) => make(documents, events));
        const expected: SourceItem[] = [];
        for await (const item of source.items(() => undefined)) expected.push(item);
        expect(bare(await roundTrip('events', source))).toEqual(bare(expected));
      }),
      { numRuns: 50 },
    );
  });
});

test('a cell with a line break is quoted, as other readers need it', async () => {
  const source = sourceOf((documents) => ['One\nTwo', 'plain'].flatMap((title) => documents.namedLinked('venue', { title }).items));
  let text = '';
  for await (const line of csvLines('venues', source)) text += line;
  expect(text).toMatch(/^Venue Name,[^\n]*\r\n"One\nTwo",,[^\n]*\r\nplain,,/);
});

describe('a part of a site', () => {
  const source = (): DatasetSource => {
    const picture = { _id: 900, type: 'attachment', file: '2026/01/hall.jpg' };
    const at = { file: 'made up' };
    return {
      ...sourceOf((documents) => {
        const venue = documents.namedLinked('venue', { title: 'Hall' }, at);
        const times = { start: '2027-05-15 19:30:00', end: '2027-05-15 20:30:00', timezone: 'Europe/Berlin', allDay: false };
        const event = documents.event({ title: 'Concert', times, values: { venue: venue ? [venue.id] : [] } });
        const items = (venue?.items ?? []).map((item): SourceItem =>
          item.kind === 'post'
            ? { ...item, post: { ...item.post, meta: [...item.post.meta, { key: '_thumbnail_id', value: '900' }] } }
            : item,
        );
        return [...items, { kind: 'post', post: { ...event, ...picture, title: '', meta: [] } }, { kind: 'post', post: event }];
      }),
      siteUrl: 'https://a.example',
    };
  };

  const written = async (kind: CsvKind, from: DatasetSource): Promise<string> => {
    let text = '';
    for await (const line of csvLines(kind, from)) text += line;
    return text;
  };

  test('names what is left out of it', async () => {
    expect(await written('events', restricted(source(), ['events']))).toContain('Hall');
  });

  test('has the pictures of venues', async () => {
    expect(await written('venues', source())).toContain('https://a.example/wp-content/uploads/2026/01/hall.jpg');
  });

  test('is written to the file that is named, whatever its kind', async () => {
    const text = async (only: string[]): Promise<string> => {
      const out = new PassThrough();
      await writeCsv(restricted(source(), only), out, { file: null, warn: () => undefined });
      out.end();
      return textOf(out);
    };
    expect(await text(['venues'])).toMatch(/^Venue Name,.*\r\nHall,/);
    expect(await text(['events'])).toMatch(/^Event Name,.*\r\nConcert,/);
    await expect(text(['tags'])).rejects.toThrow('CSV has tables of events, venues, organizers only');
  });
});

test('columns have the titles that the import screen of the plugin recognizes', async () => {
  let text = '';
  for await (const line of csvLines(
    'events',
    sourceOf(() => []),
  ))
    text += line;
  expect(text.trimEnd().split(',')).toEqual(
    expect.arrayContaining([
      'All Day Event',
      'Timezone',
      'Hide Event From Event Listings',
      'Sticky in Month View',
      'Event Organizer Name(s) or ID(s)',
      'Featured Image',
    ]),
  );
});

test.each([
  ['keep', '=HYPERLINK("http://evil.example")', '=HYPERLINK("http://evil.example")'],
  ['text', '=HYPERLINK("http://evil.example")', `'=HYPERLINK("http://evil.example")`],
  ['text', '@SUM(A1)', "'@SUM(A1)"],
  ['text', '+1-2-cmd', "'+1-2-cmd"],
  ['text', '-73.98', '-73.98'],
  ['text', '+49 (30) 12/34', '+49 (30) 12/34'],
])('formulas are written as asked: %s %s', async (formulas, title, expected) => {
  const source = sourceOf((documents) => documents.namedLinked('venue', { title }).items);
  let text = '';
  for await (const line of csvLines('venues', source, { formulas })) text += line;
  const [, row] = text.split('\r\n');
  expect(row.startsWith(expected.includes('"') ? `"${expected.replaceAll('"', '""')}",` : `${expected},`)).toBe(true);
});
