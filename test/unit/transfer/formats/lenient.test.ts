import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { warningText } from '../../../../src/transfer/source.js';
import { metaValue, type Post, type Term } from '../../../../src/wordpress/model.js';
import { INPUTS, inputNames } from './inputs.js';
import { EFFORT } from '../../../support/effort.js';

/** What official importers take is taken, what they leave out is left out and said, and one bad item never refuses a file. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-lenient-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  posts: Post[];
  terms: Term[];
  problems: string[];
  told: string[];
}

async function readFile(file: string, strict = false): Promise<Read> {
  const read: Read = { posts: [], terms: [], problems: [], told: [] };
  const warn = (line: string, at = {}): void => void read.told.push(warningText(line, { ...at, file: undefined }));
  const source = await openFile(inputFile(file), { now: Date.parse('2026-06-15T12:00:00Z'), zone: 'UTC', strict, warn });
  for await (const item of source.items((problem) => read.problems.push(problem))) {
    if (item.kind === 'post') read.posts.push(item.post);
    if (item.kind === 'term') read.terms.push(item.term);
  }
  return read;
}

const read = (name: string, text: string, strict = false): Promise<Read> => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return readFile(file, strict);
};

const eventsOf = ({ posts }: Read): string[] =>
  posts.flatMap((post) =>
    post.type === 'tribe_events' ? [`${post.title}: ${metaValue(post, '_EventStartDateUTC')} ${metaValue(post, '_EventTimezone')}`] : [],
  );
const postsOf = ({ posts }: Read): string[] => posts.map(({ type, slug, title, date }) => [type, slug, title, date].join(' | '));
const HELLO = 'post | hello | Hello | 2026-01-01 10:00:00';

describe('the right values of inputs', () => {
  const RIGHT: Readonly<Record<string, (read: Read) => unknown>> = {
    'wxr-attachment-of-wordpress-com.xml': (all) => [
      [postsOf(all), all.posts[0].file],
      [['attachment | poster | Poster | 2026-01-01 10:00:00', HELLO], '2026/01/poster.jpg'],
    ],
    'wxr-blank-first-line.xml': (all) => [postsOf(all), [HELLO]],
    'wxr-html-entity.xml': (all) => [postsOf(all), ['post | hello | Tea &nbsp; cake | 2026-01-01 10:00:00']],
    'wxr-item-without-id.xml': (all) => [all.posts.map(({ _id, slug }) => [_id > 0, slug]), [[true, 'without-an-id']]],
    // Slugs are made unique when the file is loaded.
    'wxr-item-without-slug.xml': (all) => [all.posts.map(({ slug }) => slug), ['summer-party', 'summer-party']],
    'wxr-menu-item-twice.xml': (all) => [
      [postsOf(all).slice(-1), all.told],
      [[HELLO], ['line 6: nav_menu_item "": left out: duplicate id 20, already used on line 5']],
    ],
    'wxr-term-listed-twice.xml': (all) => [
      all.terms.map(({ _id, slug }) => `${_id} ${slug}`),
      // The default category is the one of a post without another.
      ['2 music', '1 uncategorized'],
    ],
    'wxr-zero-date.xml': (all) => [postsOf(all), ['post | hello | Hello | 2026-06-15 12:00:00']],
    'csv-events-with-venue-name.csv': (all) => [
      [eventsOf(all), all.posts[0].title],
      [['Choir: 2026-07-19 12:30:00 UTC'], 'St Olav'],
    ],
    'csv-title-and-organizer-name.csv': (all) => [
      [eventsOf(all), all.posts.slice(0, 2).map(({ type, title }) => `${type} ${title}`)],
      [['Choir: 2026-07-19 12:30:00 UTC'], ['tribe_venue St Olav', 'tribe_organizer Parish']],
    ],
    'csv-no-website-suffix.csv': ({ posts: [post] }) => [
      ['_EventURL', '_EventCurrencyPosition', '_EventShowMap', '_EventShowMapLink'].map((key) => metaValue(post, key)),
      ['', 'suffix', '', ''],
    ],
    'csv-venue-province.csv': ({ posts: [post] }) => [
      ['_VenueState', '_VenueProvince', '_VenueStateProvince', '_VenueShowMap'].map((key) => metaValue(post, key)),
      ['Kent', 'Kent', 'Kent', ''],
    ],
    'csv-row-without-name.csv': (all) => [
      [eventsOf(all), all.told],
      [['Tea: 2026-07-02 10:00:00 UTC'], ['line 2: Event Name: left out: is missing']],
    ],
    'ics-zones-and-count.ics': (all) => [
      [eventsOf(all), all.told.length],
      [
        [
          'Offset in brackets: 2026-07-04 13:00:00 +01:00',
          'Notes name: 2026-07-04 12:00:00 Europe/Berlin',
          ...['06', '13', '20'].map((day) => `Count minus one: 2026-07-${day} 00:00:00 UTC`),
          'Own zone of Exchange: 2026-07-04 14:00:00 UTC',
        ],
        4,
      ],
    ],
    'ics-older-override.ics': (all) => [eventsOf(all), ['06', '20', '27'].map((day) => `Class: 2026-07-${day} 09:00:00 UTC`)],
  };

  test('of all inputs', () => expect([...Object.keys(RIGHT), 'ics-bare-vevent.ics'].sort()).toEqual(inputNames));

  test.each(Object.keys(RIGHT))('%s', async (name) => {
    const all = await readFile(path.join(INPUTS, name));
    expect(all.problems).toEqual([]);
    const [found, right] = RIGHT[name](all) as [unknown, unknown];
    expect(found).toEqual(right);
  });

  test('an event without a calendar: the message says what is missing', async () => {
    await expect(readFile(path.join(INPUTS, 'ics-bare-vevent.ics'))).rejects.toThrow('it has no line BEGIN:VCALENDAR');
  });
});

describe('a valid file with one broken item gives all the others', () => {
  const item = (id: number): string[] => [
    '<item>',
    `<title><![CDATA[Item ${id}]]></title>`,
    `<content:encoded><![CDATA[Text <b>of</b> ${id}]]></content:encoded>`,
    `<wp:post_id>${id}</wp:post_id>`,
    `<wp:post_date>2026-01-0${id} 10:00:00</wp:post_date>`,
    '<wp:status>publish</wp:status>',
    '<wp:post_type><![CDATA[post]]></wp:post_type>',
    `<wp:postmeta><wp:meta_key><![CDATA[key]]></wp:meta_key><wp:meta_value><![CDATA[value]]></wp:meta_value></wp:postmeta>`,
    '</item>',
  ];
  const row = (id: number): string[] => [`"Item ${id}"`, `2026-07-0${id} 10:00`, `"Text, of ${id}"`, '"Hall, upper floor"'];
  const vevent = (id: number): string[] => [
    'BEGIN:VEVENT',
    `UID:${id}`,
    `SUMMARY:Item ${id}`,
    `DTSTART:2026070${id}T100000Z`,
    'RRULE:FREQ=DAILY;COUNT=1',
    'END:VEVENT',
  ];

  interface Form {
    make: (id: number) => string[];
    between: string;
    file: (items: string[]) => string;
    /** What damages a line of an item. */
    damage: readonly ((line: string) => string)[];
  }

  const cut = (line: string): string => line.slice(0, Math.ceil(line.length / 2));
  const FORMS: Readonly<Record<string, Form>> = {
    'a.xml': {
      make: item,
      between: '\n',
      file: (items) => `<?xml version="1.0"?>\n<rss version="2.0">\n<channel><title>Site</title>\n${items.join('\n')}\n</channel>\n</rss>`,
      damage: [
        () => '',
        cut,
        (line) => line.replace(']]>', ''),
        (line) => line.replace('<![CDATA[', ''),
        (line) => line.replace(/<\/.*/, ''),
        (line) => line.replace(/\d\d:/, 'x'),
        (line) => `${line}<a href="x"><br>&nbsp;& <`,
        (line) => `${line}<!--`,
      ],
    },
    'a.csv': {
      make: row,
      between: ',',
      file: (items) => `Event Name,Event Start Date,Event Description,Venue Name\n${items.join('\n')}\n`,
      damage: [
        () => '',
        cut,
        (cell) => cell.replace(/"$/, ''),
        (cell) => cell.replace(/^"/, ''),
        (cell) => `${cell},,,"x"`,
        () => '2026-99-99',
      ],
    },
    'a.ics': {
      make: vevent,
      between: '\r\n',
      file: (items) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${items.join('\r\n')}\r\nEND:VCALENDAR\r\n`,
      damage: [() => '', cut, (line) => line.replace(/\d+/, '99'), (line) => line.replace(':', ' '), (line) => `${line}\r\nEND:VALARM`],
    },
  };

  test.each(Object.keys(FORMS))('%s', async (name) => {
    const { make, between, file, damage } = FORMS[name];
    const lengths = make(1).length;
    const arbitrary = fc.record({
      count: fc.integer({ min: 2, max: 5 }),
      broken: fc.nat(4),
      line: fc.nat(lengths - 1),
      how: fc.constantFrom(...damage),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ count, broken, line, how }) => {
        const bad = (broken % count) + 1;
        const items = Array.from({ length: count }, (_, index) => {
          const lines = make(index + 1);
          if (index + 1 === bad) lines[line] = how(lines[line]);
          return lines.join(between);
        });
        const all = await read(name, file(items));
        expect(all.problems).toEqual([]);
        const titles = all.posts.map(({ title }) => title);
        const others = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id !== bad);
        expect(titles).toEqual(expect.arrayContaining(others.map((id) => `Item ${id}`)));
        const left = all.told.filter((each) => each.includes('left out: '));
        const main = all.posts.filter(({ type }) => type === 'post' || type === 'tribe_events');
        if (main.length < count) expect(all.told.filter((each) => !each.includes('time zone'))).not.toEqual([]);
        // What is left out is a problem for those who ask for it.
        const { problems } = await read(name, file(items), true);
        if (left.some((each) => !each.includes('a later version'))) expect(problems).not.toEqual([]);
      }),
      { numRuns: 40 * EFFORT },
    );
  });
});
