import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cassette } from '../../../../src/server/proxy/cassette.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import { parse } from '../../../../src/transfer/formats/dataset/parse.js';
import { DatasetError } from '../../../../src/transfer/source.js';
import { readOpenApi, stubsOf } from '../../../../src/transfer/openapi/responses.js';
import { templateFiller, templateProblem } from '../../../../src/base/text/template.js';
import { htmlRules, ksesPost } from '../../../../src/wordpress/formatting/kses/kses.js';
import { spentSince } from '../../../support/cpu.js';

/** A file of four times the size of another takes about four times the time to read, in every format. */

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-proportion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = (count: number, row: (index: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, index) => row(index)).join(between);
const day = (index: number): string => new Date(Date.UTC(2026, 0, 1 + (index % 700))).toISOString().slice(0, 10);
const event = (index: number): object => ({
  title: `Event ${index}`,
  start: `${day(index)} 10:00`,
  duration: '1h',
  venue: `Hall ${index % 500}`,
});
const recordedEvent = (index: number): object => ({
  ...{ id: index + 1, title: `Event ${index}`, slug: `event-${index}`, status: 'publish' },
  ...{ start_date: `${day(index)} 10:00:00`, end_date: `${day(index)} 11:00:00` },
});
const events = (count: number): object[] => Array.from({ length: count }, (_, index) => event(index));
const calendar = (content: string): string => `BEGIN:VCALENDAR\nVERSION:2.0\n${content}\nEND:VCALENDAR\n`;
const dated = (index: number): string => `DTSTART:${day(index).replaceAll('-', '')}T100000Z`;
const exported = (items: string): string => `<rss version="2.0"><channel><title>x</title>\n${items}\n</channel></rss>`;
const wxrItem = (index: number, content: string): string =>
  `<item><title>Item ${index}</title><wp:post_id>${index + 1}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>` +
  `<wp:post_date>2026-01-01 10:00:00</wp:post_date>${content}</item>`;
const openApi = (paths: object, schemas: object = {}): string => JSON.stringify({ openapi: '3.0.0', paths, components: { schemas } });
const ADDRESS = 'https://a.example/wp-json/tribe/events/v1/events/';
const harEntry = (index: number): object => ({
  request: { method: 'GET', url: `${ADDRESS}${index + 1}` },
  response: { status: 200, headers: [], content: { text: JSON.stringify(recordedEvent(index)) } },
});
const fieldGroup = (index: number, fields: number): object => ({
  ...{ key: `group_${index}`, title: `Group ${index}`, location: [[{ param: 'post_type', operator: '==', value: 'tribe_events' }]] },
  fields: Array.from({ length: fields }, (_, at) => ({
    key: `field_${index}_${at}`,
    label: 'Field',
    name: `f_${index}_${at}`,
    type: 'text',
  })),
});
const withGroups = (groups: number, fields: number): string =>
  JSON.stringify({ acf_field_groups: Array.from({ length: groups }, (_, index) => fieldGroup(index, fields)), events: events(1) });
const responding = (schema: object): object => ({ get: { responses: { 200: { content: { 'application/json': { schema } } } } } });

/** Reads a whole file. Problems are reported, and counted by the caller. */
async function read(file: string): Promise<number> {
  let found = 0;
  try {
    const source = await openFile(inputFile(file), { now: Date.parse('2026-06-01'), warn: () => (found += 1) });
    for await (const _ of source.items(() => (found += 1))) found += 1;
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    found += error.problems.length;
  }
  return found;
}

const VIEW = {
  request: { method: 'GET', url: '/', path: '/', pathSegments: [], query: { a: '1' }, headers: {}, body: null },
  ...{ site: { url: 'https://a.example' }, now: '2026-06-01T00:00:00Z' },
};

/** What is read without a file: a function that prepares a text, and returns the one to measure. */
const READERS: Readonly<Record<string, (text: string) => () => unknown>> = {
  openapi: (text) => () => stubsOf(readOpenApi(text, 'api.json')).stubs.length,
  template: (text) => () => templateProblem(text) ?? templateFiller()(text, VIEW),
  html: (text) => () => ksesPost(text, htmlRules(new Set())),
  positions: (text) => {
    const { value, positionOf } = parse(text, 'a.yaml', 'yaml');
    const names = Object.keys(value as object);
    // The last one, as many times as there are problems. The first position reads the text.
    const ask = (): unknown => positionOf(names.at(-1) ?? '');
    ask();
    return () => {
      for (let count = 0; count < 20 * names.length; count += 1) ask();
    };
  },
};

/** A kind of file: its format, its text by its size, and the size to begin with. */
interface Kind {
  format: string;
  size: number;
  text: (size: number) => string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'events in JSON': { format: 'json', size: 250, text: (size) => JSON.stringify({ events: events(size) }, null, 1) },
  'events in JSON, each with a problem': {
    ...{ format: 'json', size: 125 },
    text: (size) => JSON.stringify({ events: events(size).map((each) => ({ ...each, sart: 1 })) }, null, 1),
  },
  'events in YAML': {
    format: 'yaml',
    size: 93,
    text: (size) => `events:\n${rows(size, (index) => ` - ${JSON.stringify(event(index))}`)}`,
  },
  'a map in YAML': { format: 'yaml', size: 375, text: (size) => `site:\n${rows(size, (index) => `  key${index}: ${index}`)}\n` },
  'a map in YAML with names twice': {
    ...{ format: 'yaml', size: 187 },
    text: (size) => `site:\n${rows(size, (index) => `  key${index}: ${index}`)}\n${rows(size, (index) => `  key${index}: 1`)}\n`,
  },
  'positions in a map in YAML': { format: 'positions', size: 2_000, text: (size) => rows(size, (index) => `key${index}: ${index}`) },
  'series in YAML': {
    ...{ format: 'yaml', size: 6 },
    text: (size) => `events:\n${rows(size, (index) => ` - {title: E${index}, start: 2026-01-01 10:00, duration: 1h, repeat: daily × 40}`)}`,
  },
  'a recorded site': {
    ...{ format: 'site', size: 187 },
    text: (size) =>
      JSON.stringify({
        posts: Array.from({ length: size }, (_, index) => ({ ID: index + 1, post_title: `P${index}`, post_type: 'post' })),
      }),
  },
  'lines in NDJSON': {
    ...{ format: 'ndjson', size: 500 },
    text: (size) =>
      `{"understudy":"dataset","version":1}\n${rows(size, (index) => `{"post":{"_id":${index},"title":"Post ${index}"}}`)}\n{"end":${size}}\n`,
  },
  'recorded responses': {
    ...{ format: 'responses', size: 60 },
    text: (size) =>
      JSON.stringify({
        events: Array.from({ length: size }, (_, index) => recordedEvent(index)),
        total: size,
        rest_url: 'https://a.example/wp-json/tribe/events/v1/events/',
      }),
  },
  'rows in CSV': {
    ...{ format: 'csv', size: 250 },
    text: (size) =>
      `EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT VENUE NAME\n${rows(size, (index) => `Event ${index},${day(index)},10:00,Hall ${index % 500}`)}\n`,
  },
  'a cell in CSV': {
    format: 'csv',
    size: 12500,
    text: (size) => `EVENT NAME,EVENT START DATE\n"${'word "" '.repeat(size)}",2026-01-01\n`,
  },
  'events in iCalendar': {
    ...{ format: 'ics', size: 187 },
    text: (size) =>
      calendar(
        rows(
          size,
          (index) => `BEGIN:VEVENT\nUID:${index}\n${dated(index)}\nSUMMARY:Event ${index}\nLOCATION:Hall ${index % 500}\nEND:VEVENT`,
        ),
      ),
  },
  'series in iCalendar': {
    ...{ format: 'ics', size: 3 },
    text: (size) =>
      calendar(rows(size, (index) => `BEGIN:VEVENT\nUID:${index}\n${dated(index)}\nRRULE:FREQ=DAILY;COUNT=40\nSUMMARY:E\nEND:VEVENT`)),
  },
  'changes of a series in iCalendar': {
    ...{ format: 'ics', size: 93 },
    text: (size) =>
      calendar(
        `BEGIN:VEVENT\nUID:a\n${dated(0)}\nRRULE:FREQ=DAILY;COUNT=300\nSUMMARY:E\nEND:VEVENT\n` +
          rows(
            size,
            (index) => `BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:${dated(index).slice(8)}\n${dated(index)}\nSUMMARY:Changed\nEND:VEVENT`,
          ),
      ),
  },
  'items in a WordPress export': {
    format: 'wxr',
    size: 187,
    text: (size) => exported(rows(size, (index) => wxrItem(index, '<content:encoded>Text</content:encoded>'))),
  },
  'categories in a WordPress export': {
    ...{ format: 'wxr', size: 2_000 },
    text: (size) =>
      exported(
        wxrItem(
          0,
          rows(size, (index) => `<category domain="post_tag" nicename="t${index}">T${index}</category>`),
        ),
      ),
  },
  'operations in OpenAPI': {
    ...{ format: 'openapi', size: 62 },
    text: (size) =>
      openApi(
        Object.fromEntries(
          Array.from({ length: size }, (_, index) => [`/a${index}`, responding({ type: 'object', properties: { a: { type: 'string' } } })]),
        ),
      ),
  },
  'references in OpenAPI': {
    ...{ format: 'openapi', size: 93 },
    text: (size) =>
      openApi(
        {
          '/a': responding({
            type: 'object',
            properties: Object.fromEntries(Array.from({ length: size }, (_, index) => [`p${index}`, { $ref: '#/components/schemas/A' }])),
          }),
        },
        { A: { type: 'object', properties: { b: { type: 'string' } } } },
      ),
  },
  'a recorded response': {
    format: 'cassette',
    // Enough for its shortest run to take some time: the first one compiles.
    size: 100_000,
    text: (size) =>
      JSON.stringify({ response: { status: 200, headers: {}, json: Array.from({ length: size }, (_, index) => ({ id: index })) } }),
  },
  'entries of HAR': {
    ...{ format: 'responses', size: 60 },
    text: (size) => JSON.stringify({ log: { version: '1.2', entries: Array.from({ length: size }, (_, index) => harEntry(index)) } }),
  },
  'field groups of acf-json': { format: 'json', size: 30, text: (size) => withGroups(size, 2) },
  'fields of acf-json': { format: 'json', size: 60, text: (size) => withGroups(1, size) },
  'values in a template': { format: 'template', size: 4_000, text: (size) => 'Text {{request.query.a}} '.repeat(size) },
  // Smaller ones fit into the young generation of the heap, where collecting garbage costs less.
  'sections in a template': { format: 'template', size: 16_000, text: (size) => '{{#request.query.a}}x{{/request.query.a}}'.repeat(size) },
  'sections in each other in a template': {
    ...{ format: 'template', size: 500 },
    text: (size) => `${'{{#request.query.a}}'.repeat(size)}x${'{{/request.query.a}}'.repeat(size)}`,
  },
  'elements of HTML': { format: 'html', size: 500, text: (size) => '<p class="a">Text & <b>more</b></p>\n'.repeat(size) },
  'elements in each other in HTML': { format: 'html', size: 4_000, text: (size) => `${'<div>'.repeat(size)}${'</div>'.repeat(size)}` },
  'attributes in HTML': {
    format: 'html',
    size: 4_000,
    text: (size) => `<a ${rows(size, (index) => `data-x${index}="${index}"`, ' ')}>x</a>`,
  },
  'tags without an end in HTML': { format: 'html', size: 8_000, text: (size) => '<a '.repeat(size) },
  'comments without an end in HTML': { format: 'html', size: 8_000, text: (size) => '<!--'.repeat(size) },
  'declarations in HTML': { format: 'html', size: 4_000, text: (size) => `<p style="${'color: red;'.repeat(size)}">x</p>` },
  'schemes in HTML': { format: 'html', size: 64_000, text: (size) => `<a href="${'javascript:'.repeat(size)}">x</a>` },
  'blocks in HTML': {
    ...{ format: 'html', size: 250 },
    text: (size) => '<!-- wp:paragraph {"a":"<b>x</b>"} --><p>x</p><!-- /wp:paragraph -->'.repeat(size),
  },
  'a module': { format: 'module', size: 250, text: (size) => `export default ${JSON.stringify({ events: events(size) })};` },
};

test('each format has a row', () => {
  const formats = new Set(Object.values(KINDS).map(({ format }) => format));
  expect(CONTENT_FORMATS.map(({ name }) => name).filter((name) => !formats.has(name))).toEqual([]);
});

const ENDINGS: Readonly<Record<string, string>> = { site: 'site.json', responses: 'json', wxr: 'xml', module: 'mjs' };

/** A function that reads a file of a kind and a size, and what it finds in it. */
function readerOf({ format, text }: Kind, size: number): () => Promise<unknown> {
  const content = text(size);
  const work = READERS[format]?.(content);
  if (work !== undefined) return () => Promise.resolve(work());
  const file = path.join(folder, `${size}.${ENDINGS[format] ?? format}`);
  if (format !== 'cassette') {
    writeFileSync(file, content);
    return () => read(file);
  }
  writeFileSync(path.join(folder, `x-${size}.json`), content);
  return () => new Cassette(folder).read({ method: 'GET', path: '/x', query: '', body: '', name: `x-${size}` });
}

async function spent(work: () => Promise<unknown>): Promise<number> {
  const since = spentSince();
  await work();
  return since();
}

/** What is too short to compare, in ms of processor time. */
const SHORT = 50;

/** Squares take sixteen times as long; the bound lies between. */
const SQUARES = 11;

/** On a busy machine, the shortest run comes late. */
const MOST_TURNS = 16;

test.each(Object.entries(KINDS))(
  '%s: four times the size takes about four times the time',
  async (_, kind) => {
    let { size } = kind;
    while ((await spent(readerOf(kind, size))) < SHORT) size *= 2;
    const [small, large] = [readerOf(kind, size), readerOf(kind, 4 * size)];
    // Turns of both sizes, and the shortest run of each: compilation, garbage collection and other programs only add to a run.
    let [least, most] = [Infinity, Infinity];
    for (let turn = 0; turn < 4 || (turn < MOST_TURNS && most / least >= SQUARES); turn += 1) {
      most = Math.min(most, await spent(large));
      least = Math.min(least, await spent(small));
    }
    expect(most / least).toBeLessThan(SQUARES);
  },
  300_000,
);
