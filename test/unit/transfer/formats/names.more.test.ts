import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collect } from '../../../../src/transfer/formats/collect.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import { DatasetError } from '../../../../src/transfer/source.js';

/** Every name and text of a file, in every format, may be the name of a member that all objects have: it is content, or a problem. */

const NAMES = ['constructor', '__proto__', 'toString'];

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DATASET = JSON.stringify({
  site: { name: 'Kitchen', timezone: 'Europe/Berlin' },
  clock: '2026-06-15T12:00:00Z',
  users: [{ login: 'ann', role: 'editor', password: 'only for tests' }],
  types: {
    recipe: { name: 'Recipes', supports: ['title'], taxonomies: ['post_tag'], meta: { servings: { type: 'integer', default: 2 } } },
  },
  taxonomies: { course: { name: 'Courses', hierarchical: true, types: ['recipe'] } },
  image_sizes: { card: { width: 60, height: 40 } },
  meta: { tribe_events: { doors: { type: 'string' } } },
  fields: { tribe_events: { 'wp/v2': { acf: { schema: { type: 'object', properties: { stage: { type: 'string' } } } } } } },
  categories: [{ name: 'Music', parent: 'Arts', description: 'Loud' }, { name: 'Arts' }],
  tags: [{ name: 'Free' }],
  venues: [{ name: 'Hall', city: 'Galway', fields: { 'wp/v2': { rooms: 2 } } }],
  organizers: [{ name: 'Club', email: 'club@example.org' }],
  events: [
    {
      ...{ title: 'Concert', start: '2026-07-01 18:00', duration: '2h', venue: 'Hall', organizers: ['Club'], categories: ['Music'] },
      ...{ tags: ['Free'], meta: { doors: '17:30' }, cost: '5', status: 'publish', fields: { 'wp/v2': { acf: { stage: 'left' } } } },
      ...{ tickets: [{ name: 'Seat', price: 12, attendees: [{ name: 'Cleo', email: 'cleo@example.org' }] }] },
      comments: [{ author: 'ann', content: 'Good', date: '2026-06-01 10:00' }],
    },
    { title: 'Class', start: '2026-07-02 18:00', duration: '1h', repeat: 'weekly × 3' },
  ],
  pages: [{ title: 'About', author: 'ann' }],
  items: { recipe: [{ title: 'Soup', terms: { course: ['Starter'] }, meta: { servings: 4 } }] },
  terms: { course: [{ name: 'Starter' }] },
  menus: [{ name: 'Main', items: [{ post: 'about' }, { url: 'https://example.org/', title: 'Out' }] }],
  stubs: [{ match: { method: 'GET', path: '/acme/v1/hours', query: { a: 'b' } }, respond: { headers: { 'x-a': 'b' }, body: { a: 'b' } } }],
});

const RESPONSES = JSON.stringify({
  events: [
    {
      ...{ id: 7, title: 'Concert', slug: 'concert', start_date: '2026-07-01 18:00:00', end_date: '2026-07-01 20:00:00', cost: '$5' },
      ...{ url: 'https://a.example/event/concert/', image: { url: 'https://a.example/wp-content/uploads/a.jpg', id: 3 } },
      ...{
        venue: { id: 8, venue: 'Hall', city: 'Galway' },
        organizer: [{ id: 9, organizer: 'Club' }],
        tags: [],
        timezone: 'Europe/Dublin',
      },
      categories: [{ id: 4, name: 'Music', slug: 'music' }],
    },
  ],
  rest_url: 'https://a.example/wp-json/tribe/events/v1/events/',
  total: 1,
});

const sample = (name: string): string => readFileSync(path.join('fixtures', name), 'utf8');

/** What of a text is a name or a value. */
const QUOTED = /(?<=")(?:[^"\\]|\\.)+(?=")/g;

async function written(name: string): Promise<string> {
  const file = path.join(folder, 'whole.json');
  writeFileSync(file, DATASET);
  const parts: Buffer[] = [];
  const { Writable } = await import('node:stream');
  const out = new Writable({ write: (chunk: Buffer, _, done) => (parts.push(Buffer.from(chunk)), done()) });
  const write = CONTENT_FORMATS.find((format) => format.name === name)!.write!;
  await (
    await write()
  )(await openFile(inputFile(file), { now: null }), out, { file: null, warn: () => undefined, settings: {} });
  return Buffer.concat(parts).toString('utf8');
}

/** By format: a file, and what in it is replaced. */
const FILES: Readonly<Record<string, { ending: string; text: () => string | Promise<string>; tokens: RegExp }>> = {
  json: { ending: 'json', text: () => DATASET, tokens: QUOTED },
  yaml: { ending: 'yaml', text: () => written('yaml'), tokens: /(?<=^|[\s[,{"'])[\p{L}\d_/.@:+-]+(?=$|[\s:,\]}"'])/gmu },
  ndjson: { ending: 'ndjson', text: () => written('ndjson'), tokens: QUOTED },
  site: { ending: 'site.json', text: () => written('site'), tokens: QUOTED },
  csv: { ending: 'csv', text: () => sample('import/events.csv'), tokens: /[^,\n"]+/g },
  ics: { ending: 'ics', text: () => sample('import/calendar.ics'), tokens: /[^\s:;,=]+/g },
  responses: { ending: 'responses.json', text: () => RESPONSES, tokens: QUOTED },
  wxr: {
    ending: 'xml',
    text: () => sample('import/site.wxr.xml'),
    tokens: /(?<=<\/?)[\w:]+|(?<==")[^"]+(?=")|(?<=[>[])[^<>[\]]+(?=[<\]])/g,
  },
};

test('each format has a row', () => {
  expect(Object.keys(FILES).sort()).toEqual(CONTENT_FORMATS.map(({ name }) => name).sort());
});

/** Reads a file. @returns what was reported */
async function reported(file: string): Promise<string[]> {
  const notes: string[] = [];
  const note = (line: unknown): void => void notes.push(typeof line === 'string' ? line : JSON.stringify(line));
  try {
    const source = await openFile(inputFile(file), { now: null, warn: note, notify: note });
    await collect(source);
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    notes.push(...error.problems);
  }
  return notes;
}

test.each(Object.entries(FILES))('%s: names of what every object has are like any others', async (name, { ending, text, tokens }) => {
  const whole = await text();
  const all = [...new Set(whole.match(tokens))];
  expect(all.length).toBeGreaterThan(20);
  // The others take more time than they find: JSON has all of them.
  const different = name === 'json' ? all : all.filter((_, index) => index % Math.ceil(all.length / 60) === 0);
  const failures: string[] = [];
  for (const [index, token] of different.entries()) {
    const member = NAMES[index % NAMES.length];
    const file = path.join(folder, `named.${ending}`);
    writeFileSync(
      file,
      whole.replace(tokens, (each) => (each === token ? member : each)),
    );
    const notes = await reported(file).catch((error: unknown) => [`${token} -> ${member}: ${(error as Error).stack}`]);
    failures.push(...notes.filter((line) => /native code|\[object |    at /.test(line)));
  }
  expect(failures).toEqual([]);
});
