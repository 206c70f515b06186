import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import iconv from 'iconv-lite';
import { DatasetError } from '../../../../src/transfer/source.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-encoding-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TITLE = 'Frühschoppen „Alte Mühle“';
const NOW = Date.parse('2027-05-01T12:00:00Z');

/** A file of each format with one event or post. The title is at the end of a line, so that no byte of it is lost by accident. */
const FILES: Readonly<Record<string, (title: string) => string>> = {
  'dataset.json': (title) => `{\n"events": [{\n"title": "${title}",\n"start": "2027-06-01 10:00", "end": "2027-06-01 12:00"}]}\n`,
  'dataset.yaml': (title) => `events:\n  - start: 2027-06-01 10:00\n    title: ${title}\n    end: 2027-06-01 12:00\n`,
  'table.csv': (title) => `Event Start Date,Event Name\n\n2027-06-01,${title}\n`,
  'export.xml': (title) =>
    `<rss><channel><link>http://site.example</link>\n<item>\n<title>${title}</title><wp:post_id>5</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item></channel></rss>`,
  'calendar.ics': (title) =>
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:${title}\nUID:1\nDTSTART:20270601T100000Z\nDTEND:20270601T120000Z\nEND:VEVENT\nEND:VCALENDAR\n`,
  'items.ndjson': (title) =>
    [
      '{"understudy":"dataset","version":1,"keeps_ids":false}',
      '{"options":{"blogdescription":"none"}}',
      JSON.stringify({ options: { blogname: title } }),
      '{"end":2}',
      '',
    ].join('\n'),
};

const NAMES = Object.keys(FILES);

/** The titles and options in a file, or the problem that it has. */
async function read(name: string, bytes: Buffer, encoding?: string): Promise<string> {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  try {
    const source = await openFile(inputFile(file), { now: NOW, zone: 'Europe/Berlin', ...(encoding === undefined ? {} : { encoding }) });
    const found: string[] = [];
    for await (const item of source.items((problem) => void found.push(problem))) {
      if (item.kind === 'post') found.push(item.post.title);
      if (item.kind === 'options') found.push(item.options['blogname'] as string);
    }
    return found.filter((each) => each !== undefined).join(' ');
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    return error.problems.join('\n');
  }
}

const EXPECTED = TITLE;

describe.each(NAMES)('%s', (name) => {
  const text = FILES[name](TITLE);
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16LE with a byte order mark', iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16BE with a byte order mark', iconv.encode(text, 'utf-16be', { addBOM: true })],
    ['UTF-16LE', iconv.encode(text, 'utf-16le')],
    ['UTF-16BE', iconv.encode(text, 'utf-16be')],
  ])('%s', async (_, bytes) => {
    expect(await read(name, bytes)).toBe(EXPECTED);
  });

  test.each(['windows-1252', 'macroman', 'gb18030', 'utf-16le', 'UTF-8'])('--encoding %s', async (encoding) => {
    expect(await read(name, iconv.encode(text, encoding), encoding)).toBe(EXPECTED);
  });

  test('bytes that are not UTF-8 are an error with their place and the likely encoding', async () => {
    expect(await read(name, iconv.encode(text, 'windows-1252'))).toBe(
      'line 3: the byte 0xFC is not UTF-8; the file is probably windows-1252. Save it as UTF-8, or add --encoding windows-1252',
    );
  });

  test('bytes that the named encoding does not have are an error', async () => {
    expect(await read(name, iconv.encode(text, 'windows-1252'), 'utf-8')).toContain('line 3: the byte 0xFC is not UTF-8');
    expect(await read(name, Buffer.from(text.replace('ü', 'Ý'), 'utf8'), 'windows-1252')).toMatch(
      /^line 3: a character that windows-1252 does not have/,
    );
  });
});

test('the column of the first bytes that are not UTF-8', async () => {
  const file = path.join(folder, 'table.csv');
  writeFileSync(file, Buffer.concat([Buffer.from('Event Name\nÜber '), Buffer.from([0xfc]), Buffer.from('\n')]));
  const located = await openFile(inputFile(file), { now: NOW }).then(
    () => null,
    (error: DatasetError) => error.located,
  );
  expect(located).toMatchObject([{ line: 2, column: 6 }]);
});

test('XML says its encoding', async () => {
  const text = `<?xml version="1.0" encoding="ISO-8859-15"?>\n${FILES['export.xml']('Eintritt 5 €')}`;
  expect(await read('export.xml', iconv.encode(text, 'iso-8859-15'))).toBe('Eintritt 5 €');
  const wrong = `<?xml version="1.0" encoding="UTF-16"?>\n${FILES['export.xml'](TITLE)}`;
  expect(await read('export.xml', Buffer.from(wrong))).toBe(TITLE);
});

test.each([
  ['Russian', 'windows-1251', 'Концерт в парке культуры и отдыха, вход свободный'],
  ['Japanese', 'shift_jis', '夏祭り花火大会、東京ドームで開催します'],
  ['Chinese', 'gb18030', '春节晚会在北京大剧院举行'],
  ['Greek', 'iso-8859-7', 'Συναυλία στο πάρκο της Αθήνας'],
  ['Polish', 'windows-1250', 'Łódź, Święto Żubra, wieczór poezji w Krakowie, część pierwsza'],
])('the likely encoding of %s is %s', async (_, encoding, title) => {
  expect(await read('table.csv', iconv.encode(FILES['table.csv'](title), encoding))).toContain(`add --encoding ${encoding}`);
});

test('an unknown encoding', async () => {
  expect(await read('table.csv', Buffer.from('Event Name\nA\n'), 'windows-1225')).toBe(
    'there is no encoding "windows-1225". Did you mean "windows-1252"?',
  );
});

test('a large file in which a character is cut by the pieces it is read in', async () => {
  const text = FILES['table.csv']('ü'.repeat(1 << 17));
  expect(await read('table.csv', Buffer.from(text))).toBe('ü'.repeat(1 << 17));
  expect(await read('table.csv', iconv.encode(text, 'utf-16le'))).toBe('ü'.repeat(1 << 17));
});
