import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { DatasetError } from '../../../../src/transfer/source.js';

/** Mistakes that people make in datasets, and the messages about them. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The problems and warnings of a file, each with its line and column. */
async function read(name: string, text: string): Promise<string[]> {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const said: string[] = [];
  try {
    const source = await openFile(inputFile(file), {
      now: Date.parse('2027-05-01T12:00:00Z'),
      warn: (line) => said.push(`Warning: ${line}.`),
    });
    for await (const _ of source.items((problem, at) => void said.push(`${at?.line}:${at?.column} ${at?.path}: ${problem}`)));
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    for (const { line, column, message } of error.located) said.push(`${line}:${column} ${message}`);
  }
  return said;
}

const event = (more: string, title = 'A'): string => `events:\n  - title: ${title}\n    start: 2027-06-01 10:00\n    ${more}\n`;

test.each([
  [
    'a number with leading zeros',
    'venues:\n  - name: Hall\n    zip: 01067\n',
    ['3:5 venues[0].zip: must be a string. Put it in quotes: "01067"'],
  ],
  [
    'a number with zeros at the end',
    'venues:\n  - name: Hall\n    phone: 1.50\n',
    ['3:5 venues[0].phone: must be a string. Put it in quotes: "1.50"'],
  ],
  ['a text in place of a list', event('all_day: true\n    categories: music'), ['5:5 events[0].categories: must be a list. Write [music]']],
  [
    'no space behind a colon',
    'events:\n  - title:B\n    start: 2027-06-01 10:00\n',
    ['2:5 invalid YAML: the colon needs a space behind it: title: B'],
  ],
  [
    'an apostrophe in single quotes',
    event("cost: 'It's 5'"),
    ['4:15 invalid YAML: a text with an apostrophe needs double quotes: "It\'s 5"'],
  ],
  ['a text that begins with @', event('end: @tomorrow'), ['4:10 invalid YAML: a text that begins with @ needs quotes: "@tomorrow"']],
  [
    'two of them',
    'site:\n  name: @a\n  description: @b\n',
    ['2:9 invalid YAML: a text that begins with @ needs quotes: "@a"', '3:16 invalid YAML: a text that begins with @ needs quotes: "@b"'],
  ],
  [
    'a currency beside the events, an object in place of a list, and values in no namespace, at once',
    'currency: EUR\nvenues:\n  hall:\n    name: Hall\nevents:\n  - title: A\n    start: soon\n    all_day: true\n    currency: EUR\n    fields: { acf: { a: 1 } }\n',
    [
      '1:1 currency: unknown field. Write "site": { "currency": { "symbol": "€", "code": "EUR" } }',
      '2:1 venues: must be a list, such as [{ "name": "Town Hall" }]',
      '7:5 events[0].start: invalid date "soon". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin',
      '9:5 events[0].currency: must be an object, such as { "symbol": "€", "code": "EUR" }',
      '10:5 events[0].fields: has fields of the namespace "acf". Namespaces: wp/v2, tribe/events/v1, tec/v1. Write { "wp/v2": { "acf": … } }',
    ],
  ],
  [
    'mentions that differ by a letter, of which numbers and short names do not remind',
    `events:
  - { title: A, start: 2027-06-01, all_day: true, venue: Town Hall, categories: [Musik, Jazz], tags: [room-10], organizers: [Anna] }
  - { title: B, start: 2027-06-01, all_day: true, venue: Town Hal, categories: [Muzik, Jizz], tags: [room-11], organizers: [Hanna] }
`,
    [
      'Warning: "Town Hal" is created beside "Town Hall". If that is meant, list both.',
      'Warning: "Muzik" is created beside "Musik". If that is meant, list both.',
    ],
  ],
  [
    'fields beside the lists, by namespace',
    'fields:\n  acf:\n    price: 3\nevents: []\n',
    [
      '2:3 fields.acf: has fields of the namespace "price". Namespaces: wp/v2, tribe/events/v1, tec/v1. Write { "tribe_events": { "wp/v2": { "acf": {} } } }, and values in the fields of items',
      '3:5 fields.acf.price: must be an object',
    ],
  ],
  [
    'a venue and an organizer in place of their slugs, which makes the file no response',
    event('all_day: true\n    venue: { name: X }\n    organizers: [{ name: Y }]'),
    [
      '5:5 events[0].venue: must be a string, such as "town-hall", the slug or name of one of venues',
      '6:18 events[0].organizers[0]: must be a string, such as "jazz-club", the slug or name of one of organizers',
    ],
  ],
  [
    'a stub with a path without a slash, and with methods that do not exist',
    'stubs:\n  - match: { path: acme/v1, method: GTE }\n    respond: { body: 1 }\n  - match: { path: "**/v1", method: [get, FETCH] }\n    respond: { body: 1 }\n',
    [
      '2:14 stubs[0].match.path: must begin with / or *',
      '2:29 stubs[0].match.method: must be a method of HTTP, such as GET',
      '4:43 stubs[1].match.method[1]: must be a method of HTTP, such as GET',
    ],
  ],
  [
    'a line that is indented too far',
    'events:\n  - title: A\n     start: 2027-06-01 10:00\n',
    ['3:6 invalid YAML: start is indented further than title in line 2'],
  ],
  [
    'the same below a value with a colon',
    'events:\n  - title: A\n    start: 2027-06-01 10:00\n      end: 2027-06-01 12:00\n',
    ['4:7 invalid YAML: end is indented further than start in line 3'],
  ],
  [
    'a line that is not indented enough',
    'events:\n  - title: A\n   start: 2027-06-01 10:00\n',
    ['3:4 invalid YAML: start is indented less than title in line 2'],
  ],
  ['the same in an object', 'site:\n  title: X\n\n timezone: UTC\n', ['4:2 invalid YAML: timezone is indented less than title in line 2']],
  [
    'an item that is not indented enough',
    'events:\n    - title: A\n      start: 2027-06-01 10:00\n  - title: B\n',
    ['4:5 invalid YAML: title is indented less than start in line 3'],
  ],
  [
    'a colon without quotes',
    'events:\n  - title: Jazz: an evening\n',
    ['2:12 invalid YAML: a text that contains a colon needs quotes, as in title: "Jazz: an evening"'],
  ],
  ['a name that is there twice', event('title: B'), ['4:5 "title" is already in line 2. Keep one of them']],
  [
    'a placeholder without height',
    event('all_day: true\n    image: placeholder(600)'),
    ['5:5 events[0].image: must be placeholder, placeholder(1200x630) or placeholder(1200x630, "Text")'],
  ],
  [
    'a name that is almost the name of a venue with another slug',
    `venues:\n  - name: Town Hall\n    slug: main\n${event('all_day: true\n    venue: Town Hal')}`,
    ['8:5 events[0].venue: there is no venue with the slug "Town Hal". Did you mean "town-hall"?'],
  ],
  [
    'the name of a venue with another slug',
    `venues:\n  - name: Town Hall\n    slug: main\n${event('all_day: true\n    venue: Town Hall')}`,
    [],
  ],
  [
    'addresses that are none',
    `organizers:\n  - name: Arts\n    email: not-an-email\n    website: example dot org\nusers:\n  - login: kim\n    role: editor\n    email: kim\n${event('all_day: true\n    website: nowhere')}`,
    [
      'Warning: The email address of the user "kim" is not an address: "kim".',
      'Warning: The website of the organizer "Arts" is not an address: "example dot org".',
      'Warning: The email of the organizer "Arts" is not an address: "not-an-email".',
      'Warning: The website of the event "A" is not an address: "nowhere".',
    ],
  ],
  [
    'addresses',
    `organizers:\n  - name: Arts\n    email: a@example.org\n    website: example.org/x?y\n${event('all_day: true\n    website: https://example.org')}`,
    [],
  ],
  [
    'the year 26',
    'events:\n  - title: A\n    start: 0026-06-01 10:00\n    all_day: true\n',
    ['Warning: The event "A" is in the year 26. Write all four digits.'],
  ],
  [
    'an event of a year',
    event('end: 2028-06-01 10:00'),
    ['Warning: The event "A" lasts 366 days, from 2027-06-01 10:00:00 to 2028-06-01 10:00:00.'],
  ],
])('YAML: %s', async (_, text, said) => {
  expect(await read('dataset.yaml', text)).toEqual(said);
});

const START = '"start": "2027-06-01 10:00", "all_day": true';

test.each([
  ['a comma before a brace', `{\n  "events": [\n    { "title": "A", }\n  ]\n}`, ['3:21 invalid JSON: remove the comma before }']],
  [
    'a comma before a bracket',
    `{\n  "events": [\n    { "title": "A", ${START} },\n  ]\n}`,
    ['4:3 invalid JSON: remove the comma before ]'],
  ],
  [
    'a comment',
    `{\n  // Mine\n  "events": []\n}`,
    ['2:3 invalid JSON: JSON has no comments. Remove it, or save the file as YAML, where comments start with #'],
  ],
  ['single quotes', `{\n  'events': []\n}`, [`2:3 invalid JSON: JSON has texts in double quotes only. Write " instead of '`]],
  ['a name without quotes', '{\n  events: []\n}', ['2:3 invalid JSON: JSON has names in double quotes. Write "events"']],
  [
    'several mistakes, with their positions',
    `{\n  // Mine\n  site: { 'name': 'My "Town"', url: "x" },\n  /* Two\n  lines */ "tags": [1, 2,],\n  "events": []\n  "pages": [],\n}`,
    [
      '2:3 invalid JSON: JSON has no comments. Remove it, or save the file as YAML, where comments start with #',
      '3:3 invalid JSON: JSON has names in double quotes. Write "site"',
      `3:11 invalid JSON: JSON has texts in double quotes only. Write " instead of '`,
      `3:19 invalid JSON: JSON has texts in double quotes only. Write " instead of '`,
      '3:32 invalid JSON: JSON has names in double quotes. Write "url"',
      '4:3 invalid JSON: JSON has no comments. Remove it, or save the file as YAML, where comments start with #',
      '5:26 invalid JSON: remove the comma before ]',
      `7:3 invalid JSON: Expected ',' or '}' after property value`,
      '8:1 invalid JSON: remove the comma before }',
    ],
  ],
  // What was meant is unknown.
  ['an apostrophe', `{\n  "a": 'It's here',\n  b: 1\n}`, [`2:8 invalid JSON: JSON has texts in double quotes only. Write " instead of '`]],
  ['a value that is none', '{\n  "a": tru,\n  b: 1\n}', [expect.stringMatching(/^2:8 invalid JSON: Unexpected token/)]],
  ['a bracket of another kind', '{\n  "a": [1, 2},\n  b: 1\n}', [expect.stringMatching(/^2:13 invalid JSON: Expected/)]],
  [
    'a name that is there twice',
    `{\n  "events": [\n    { "title": "A", ${START} }\n  ],\n  "events": []\n}`,
    ['5:3 "events" is already in line 2. Keep one of them'],
  ],
  [
    'a name that is there twice, once with an escape, in an object in a list',
    `{\n  "events": [\n    { "title": "A: {", ${START},\n    "\\u0074itle": "B" }\n  ]\n}`,
    ['4:5 "title" is already in line 3. Keep one of them'],
  ],
  [
    'a text in place of a list',
    `{\n  "events": [\n    { "title": "A", ${START},\n      "categories": "music" }\n  ]\n}`,
    ['4:7 events[0].categories: must be a list. Write ["music"]'],
  ],
  ['equal names in several objects', `{\n  "events": [\n    { "title": "title", ${START} }, { "title": "title", ${START} }\n  ]\n}`, []],
])('JSON: %s', async (_, text, said) => {
  expect(await read('dataset.json', text)).toEqual(said);
});
