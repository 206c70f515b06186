import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { formatOfName, CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import { datasetTypes } from '../../../../scripts/dataset-types.mjs';
import { kindOfPost } from '../../../../src/transfer/writing.js';
import { configSchema } from '../../../../src/server/config/json-schema.js';
import { datasetSchema } from '../../../../src/transfer/formats/dataset/json-schema.js';
import { exchangedFields } from '../../../../src/transfer/fields.js';
import { openAll } from '../../../../src/transfer/formats/ndjson/read.js';
import { restricted } from '../../../../src/transfer/restrict.js';
import { LINKED, LINKED_KINDS, type LinkedKind, type Field } from '../../../../src/plugins/the-events-calendar/model/event.js';
import type { SourceItem } from '../../../../src/transfer/source.js';
import { storedStubs, STUBS_OPTION } from '../../../../src/transfer/stubs.js';
import { metaValue } from '../../../../src/wordpress/model.js';
import { FIXTURES, NOW, folder, sourceOf, written, itemsOf, problemsOf } from './files.js';

describe('every field of the tables of venues and organizers', () => {
  const valueOf = (name: string, field: Field): string | number | boolean =>
    field.kind === 'coordinate' ? 12.5 : field.kind === 'flag' || `${name}-1`;
  const given = (kind: LinkedKind): [string, string | number | boolean][] =>
    exchangedFields(LINKED[kind].fields).map(({ formatName, name, field }) => [formatName, valueOf(name, field)]);

  test.each(CONTENT_FORMATS.filter(({ write }) => write).map(({ name, extensions }) => [name, extensions[0]] as const))(
    'round-trips through %s',
    async (format, extension) => {
      const venueAndOrganizers = Object.fromEntries(
        LINKED_KINDS.map((kind) => [LINKED[kind].column, [{ name: 'N', ...Object.fromEntries(given(kind)) }]]),
      );
      const event = { title: 'E', start: '2026-08-01 19:30', end: '21:00', venue: 'n', organizers: ['n'] };
      const file = path.join(folder, 'fields.json');
      await writeFile(file, JSON.stringify({ ...venueAndOrganizers, events: [event] }));
      const source = await openFile(inputFile(file), { now: NOW });
      const out = await written(source, format, `fields-${format}${extension}`);
      for (const kind of LINKED_KINDS) {
        const { type, column, fields } = LINKED[kind];
        const name = format === 'csv' ? out.file.replace('.csv', `-${column}.csv`) : out.file;
        const items = await itemsOf(await openFile(inputFile(name), { now: NOW }));
        const found = items.flatMap((item) => (item.kind === 'post' && item.post.type === type ? [item.post] : []));
        const texts = exchangedFields(fields).map(({ formatName, field }) => [formatName, metaValue(found[0], field.key)]);
        expect(texts).toEqual(given(kind).map(([formatName, value]) => [formatName, value === true ? '1' : String(value)]));
      }
    },
  );
});

test('the documentation lists every format with its extensions', () => {
  const text = readFileSync(path.join(FIXTURES, '../docs/import-export.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (`\.[^|]+`) +\| [^|]+\| (yes|no) /gm)].map(([, name, extensions, lossless]) => ({
    name,
    extensions: extensions.split(', ').map((extension) => extension.slice(1, -1)),
    lossless: lossless === 'yes',
  }));
  const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
  expect(rows.toSorted(byName)).toEqual(
    CONTENT_FORMATS.map(({ name, extensions, lossless }) => ({ name, extensions, lossless })).toSorted(byName),
  );
});

test('a YAML file runs nothing, and does not expand without limit', async () => {
  const code = "function () { return 'ran'; }";
  const tagged = path.join(folder, 'tagged.yaml');
  await writeFile(tagged, `venues:\n  - name: !!js/function "${code}"\n`);
  const items = await itemsOf(await openFile(inputFile(tagged), { now: NOW }));
  expect(items.flatMap((item) => (item.kind === 'post' ? [item.post.title] : []))).toEqual([code]);
  // One item with aliases of a list of aliases: few bytes, and slightly more items than are allowed.
  const few = `a: &a [x, x, x, x, x, x, x, x, x, x, x]\nb: &b [${Array(11).fill('*a').join(', ')}]\nc: &c [${Array(11).fill('*b').join(', ')}]\nd: [${Array(11).fill('*c').join(', ')}]\n`;
  await expect(problemsOf('aliases.yaml', few)).rejects.toThrow(/invalid YAML: .*alias/i);
});

test.each(['yaml', 'json', 'ndjson', 'site'])('stubs are the same after %s', async (format) => {
  const stubs = [
    {
      match: { path: '/acme/**', body: { $gt: 'x*' } },
      respond: { status: 404, headers: { 'X-A': 'b' }, body: { 'a.b': null } },
      times: 2,
    },
    { respond: { bodyBase64: 'AAH/' }, delay: { uniform: [1, 2] }, template: false },
  ];
  const file = path.join(folder, 'stubs.json');
  await writeFile(file, JSON.stringify({ stubs }));
  const source = await openFile(inputFile(file), { now: NOW });
  const out = await written(source, format, `stubs-${format}.${format === 'yaml' ? 'yaml' : format === 'ndjson' ? 'ndjson' : 'json'}`);
  const items = await itemsOf(await openFile(inputFile(out.file), { now: NOW }));
  expect(items.flatMap((item) => (item.kind === 'options' ? storedStubs(item.options[STUBS_OPTION]) : []))).toEqual(stubs);
});

test('files are embedded in lines, and several sources can follow one another', async () => {
  const data = Buffer.from([0, 1, 2, 255, 10, 13]);
  const { file } = await written(sourceOf([{ kind: 'file', file: { source: '', target: 'a/b.txt', data } }]), 'ndjson', 'one.ndjson');
  await writeFile(path.join(folder, 'two.ndjson'), readFileSync(file, 'utf8').repeat(3));
  const sources = await openAll(path.join(folder, 'two.ndjson'), 'two');
  expect(sources).toHaveLength(3);
  for (const source of sources)
    expect(await itemsOf(source)).toEqual([expect.objectContaining({ kind: 'file', file: { source: '', target: 'a/b.txt', data } })]);
});

test('friendly formats omit what they cannot represent, with a warning', async () => {
  const base = { author: 1, content: '', excerpt: '', password: '', parent: 0, menuOrder: 0, meta: [], terms: {} };
  const dates = {
    date: '2026-01-01 10:00:00',
    dateGmt: '2026-01-01 10:00:00',
    modified: '2026-01-01 10:00:00',
    modifiedGmt: '2026-01-01 10:00:00',
  };
  const given: SourceItem[] = [
    {
      kind: 'user',
      user: {
        _id: 1,
        login: 'a',
        email: '',
        displayName: 'A',
        nicename: 'a',
        url: '',
        role: 'administrator',
        passwordHash: 'x',
        applicationPasswords: [],
      },
    },
    { kind: 'post', post: { ...base, ...dates, _id: 5, type: 'wp_template', status: 'publish', title: 'P', slug: 'p' } },
    { kind: 'post', post: { ...base, ...dates, _id: 6, type: 'tribe_events', status: 'publish', title: 'No dates', slug: 'n' } },
    { kind: 'post', post: { ...base, ...dates, _id: 7, type: 'attachment', status: 'inherit', title: 'Nothing', slug: 'nothing' } },
    {
      kind: 'post',
      post: { ...base, ...dates, _id: 8, type: 'attachment', status: 'inherit', title: 'Pier', slug: 'pier', file: 'pier.png' },
    },
    ...[7, 8].map((image): SourceItem => {
      const meta = [{ key: '_thumbnail_id', value: String(image) }];
      return {
        kind: 'post',
        post: { ...base, ...dates, meta, _id: image + 2, type: 'tribe_organizer', status: 'publish', title: 'O', slug: `o${image}` },
      };
    }),
  ];
  const { file, warnings } = await written(sourceOf(given), 'json', 'less.json');
  expect(warnings.map((line) => line.replace(/^.*left out /, ''))).toEqual([
    'post of type wp_template (1)',
    'password of a user: only its hash is stored (1)',
    'attachment without a file (1)',
    'event without a start and an end (1)',
    '1 image without its file, such as pier.png. Copy it to uploads before you load the dataset',
  ]);
  const shared = { date: dates.date };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    clock: '2026-06-15T12:00:00.000Z',
    users: [{ id: 1, login: 'a', name: 'A', role: 'administrator' }],
    media: [{ id: 8, slug: 'pier', ...shared, file: 'pier.png', title: 'Pier' }],
    organizers: [
      { id: 9, slug: 'o7', name: 'O', ...shared },
      { id: 10, slug: 'o8', name: 'O', ...shared, image: 'pier' },
    ],
  });
});

/** Entries of a file with all kinds of errors, and the reported messages. */
const MISTAKES = `site: { timezone: Europe/Berln }
users:
  - { login: ada, role: editor }
venues:
  - { nmae: Mill }
  - { name: Town Hall, slug: hall }
categories: music
organizers:
  - name: Guild
    website:
      - https://example.org
events:
  - { titel: Choir, start: +3d 19:00, duration: 2h, venue: hal, categories: [music] }
  - { title: Dance, start: 2026-02-30 19:00, end: '21:00', venue: mill, author: eda }
  - { title: Fair, start: 2027-03-28 02:30, duration: 2 Stunden, timezone: Europe/Berlin, organizers: [gild] }
`;
const REPORTED: [number, string, string][] = [
  [1, 'site.timezone', 'unknown time zone "Europe/Berln". Did you mean "Europe/Berlin"?'],
  [5, 'venues[0].nmae', 'unknown field. Did you mean "name"?'],
  [7, 'categories', 'must be a list. Write [music]'],
  [10, 'organizers[0].website', 'must be a string'],
  [13, 'events[0].titel', 'unknown field. Did you mean "title"?'],
  [14, 'events[1].author', 'there is no user with the login "eda". Did you mean "ada"?'],
  [14, 'events[1].start', 'invalid date "2026-02-30 19:00": 2026-02 has 28 days'],
  [15, 'events[2].organizers[0]', 'there is no organizer with the slug "gild". Did you mean "guild"?'],
  [15, 'events[2].start', 'invalid date "2027-03-28 02:30": clocks in Europe/Berlin are set forward at that time'],
];

test('all problems of a file are reported together, in the order of lines', async () => {
  const found = await problemsOf('mistakes.yaml', MISTAKES);
  const byPlace = ([line, at]: readonly unknown[]): string => `${String(line).padStart(3)} ${String(at)}`;
  expect(found.map(([line]) => line)).toEqual(REPORTED.map(([line]) => line));
  expect(found.toSorted((a, b) => (byPlace(a) < byPlace(b) ? -1 : 1))).toEqual(REPORTED);
});

test('a reference to an item whose name is invalid is not another problem; others are', async () => {
  const file = (venues: string): string => `venues: ${venues}\nevents:\n  - { title: A, start: +1d, all_day: true, venue: mil }\n`;
  expect(await problemsOf('names.yaml', file('[{ nmae: Mill }]'))).toHaveLength(1);
  expect(await problemsOf('names.yaml', file('[5]'))).toHaveLength(1);
  expect(await problemsOf('names.yaml', file('[{ name: Mill, zipp: 5 }]'))).toHaveLength(2);
});

const schema = await datasetSchema();

describe('the JSON Schema accepts what the loader accepts', () => {
  const event = { title: 'A', start: '+3d 10:00' };
  const validate = new Ajv2020({ strictTypes: false }).compile(schema);
  test.each<[object, boolean]>([
    [{ ...event, end: '12:00' }, true],
    [{ ...event, duration: '1h 30min' }, true],
    [{ ...event, all_day: true }, true],
    [{ ...event, all_day: true, end: '+4d' }, true],
    [{ ...event, all_day: true, duration: '2d' }, true],
    [event, false],
    [{ ...event, all_day: false }, false],
    [{ ...event, end: '12:00', duration: '2h' }, false],
    [{ ...event, all_day: true, end: '+4d', duration: '2h' }, false],
    [{ ...event, duration: '2 Stunden' }, false],
    [{ ...event, duration: '1h', timezone: 'Europe/Berlin' }, true],
    [{ ...event, duration: '1h', timezone: 'UTC+5.5' }, true],
    [{ ...event, duration: '1h', timezone: 'Europe/Berln' }, false],
    [{ ...event, duration: '1h', id: 7 }, true],
    [{ ...event, duration: '1h', id: 0 }, false],
    [{ ...event, duration: '1h', hidden: 'no' }, false],
  ])('%j: %j', async (item, isValid) => {
    const content = { events: [item] };
    expect([validate(content), (await problemsOf('schema.json', JSON.stringify(content))).length === 0]).toEqual([isValid, isValid]);
  });

  test.each<[object, boolean]>([
    [{ users: [{ login: 'ada', role: 'editor', id: 4 }] }, true],
    [{ tags: [{ name: 'A', id: 4 }], categories: [{ name: 'A', id: 5 }], venues: [{ name: 'A', id: 4 }] }, true],
    [{ clock: '2026-06-15T12:00:00Z' }, true],
    [{ clock: '15 June 2026' }, false],
    [{ site: { timezone: 'Mars/Base' } }, false],
  ])('%j: %j', async (content, isValid) => {
    expect([validate(content), (await problemsOf('schema.json', JSON.stringify(content))).length === 0]).toEqual([isValid, isValid]);
  });
});

describe('problems are reported with line and path', () => {
  const HEAD = '{"understudy":"dataset","version":1,"site_url":"","clock":null,"keeps_ids":true}\n';
  test.each<[string, string, [number | undefined, string | undefined, string | RegExp][]]>([
    [
      'a.json',
      '{\n  "events": [\n    { "title": "A",\n      "start": "soon", "all_day": true }\n  ]\n}',
      [[4, 'events[0].start', /invalid date "soon"/]],
    ],
    [
      'a.json',
      '{ "events": 1,\n "venues": [{}] }',
      [
        [1, 'events', /^must be a list, such as \[\{ "title": "Jazz"/],
        [2, 'venues[0].name', 'is missing'],
      ],
    ],
    [
      'a.yaml',
      'venues: [{ name: Nowherre }]\nevents:\n  - title: A\n    start: 2026-08-01 19:30\n    duration: 1h\n    venue: nowhere\n',
      [[6, 'events[0].venue', /no venue/]],
    ],
    ['a.yaml', 'users:\n  - login: a\n    role: editor\n  - login: A\n    role: boss\n', [[5, 'users[1].role', /must be one of/]]],
    ['a.site.json', '{ "understudy": "site", "site": {},\n "events": [{ "id": 0 }] }', [[2, 'events[0].id', 'must be at least 1']]],
    [
      'a.ndjson',
      `${HEAD}{"post":{"_id":1,\n{"end":1}\n`,
      [
        [2, undefined, /invalid JSON/],
        [3, undefined, 'the file has 0 items instead of 1'],
      ],
    ],
    ['a.ndjson', `${HEAD}{"user":{"_id":1.5}}\n{"end":1}\n`, [[2, 'user._id', 'must be a positive integer']]],
    [
      'a.ndjson',
      `${HEAD}{"file":{"target":"../x","data":""}}\n{"end":1}\n`,
      [[2, 'file.target', 'must be a path relative to the uploads folder']],
    ],
    [
      'a.ndjson',
      `${HEAD}{"thing":{}}\n`,
      [
        [2, undefined, 'must be an object with one of the keys options, user, term, post, comment, file'],
        [2, undefined, /truncated/],
      ],
    ],
  ])('%s: %j', async (name, content, problems) => {
    const found = await problemsOf(name, content);
    for (const [line, at, problem] of problems)
      expect(found).toContainEqual([line, at, typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });

  test.each([
    ['b.json', '{ "events": [ }', /b\.json: line 1: invalid JSON/],
    ['b.yaml', 'events:\n  - a: b: c\n', /b\.yaml: line 2: invalid YAML/],
    ['b.ndjson', '{}\n', /b\.ndjson: line 1: must be \{"understudy"/],
    ['b.ndjson', '{"understudy":"dataset","version":7}\n', /unsupported version 7/],
    ['b.bin', '\0\0', /b\.bin: unknown format/],
  ])('%s cannot be parsed: %j', async (name, content, message) => {
    await expect(problemsOf(name, content)).rejects.toThrow(message);
  });

  test('a missing file', async () => {
    await expect(openFile(inputFile(path.join(folder, 'none.json')), { now: null })).rejects.toThrow(/file not found$/);
    await expect(openFile(inputFile('dmeo'), { now: null })).rejects.toThrow(/^dmeo: file not found\. Did you mean "demo"\?$/);
  });
});

test.each([
  ['x.ndjson', 'ndjson'],
  ['x.JSONL', 'ndjson'],
  ['x.site.json', 'site'],
  ['x.json', 'json'],
  ['x.yml', 'yaml'],
  ['x', undefined],
])('%s is of the format %s', (name, format) => {
  expect(formatOfName(name)?.name).toBe(format);
});

test.each<[string[], string[]]>([
  [['events'], ['tribe_events']],
  [
    ['venues', 'organizers'],
    ['tribe_venue', 'tribe_organizer'],
  ],
  [
    ['categories', 'site'],
    ['tribe_events_cat', 'options'],
  ],
])('--only %j keeps only these', async (only, kinds) => {
  const all = await openFile(inputFile(path.join(FIXTURES, 'demo.json')), { now: NOW });
  const some = await itemsOf(restricted(all, only));
  const kindOf = (item: SourceItem): string =>
    item.kind === 'post' ? item.post.type : item.kind === 'term' ? item.term.taxonomy : item.kind;
  expect([...new Set(some.map(kindOf))].sort()).toEqual(kinds.toSorted());
});

describe('what is written is counted', () => {
  const kindsIn = (items: SourceItem[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const item of items) {
      const kind = item.kind === 'post' ? kindOfPost(item.post) : item.kind;
      if (kind !== 'options') counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  };
  const reads = async (file: string): Promise<Record<string, number>> =>
    kindsIn(await itemsOf(await openFile(inputFile(file), { now: NOW, zone: 'Europe/Berlin' })));

  test.each(['json', 'yaml', 'ndjson', 'site'])('%s: as many as are read again', async (format) => {
    const all = await openFile(inputFile(path.join(FIXTURES, 'demo.json')), { now: NOW });
    const { file, counts } = await written(all, format, `counted.${format === 'site' ? 'site.json' : format}`);
    const found = await reads(file);
    // Files of other image sizes are created when the dataset is loaded.
    expect({ ...counts, file: 0 }).toEqual({ ...found, file: 0 });
    expect(counts).toMatchObject({ event: 34, venue: 6 });
  });

  test.each(['csv', 'ics', 'xml'])('%s: without what the format omits', async (extension) => {
    const all = await openFile(inputFile(path.join(FIXTURES, 'edge.json')), { now: NOW });
    const { file, counts } = await written(all, extension === 'xml' ? 'wxr' : extension, `counted.${extension}`);
    expect(counts.event).toBe((await reads(file)).event);
    expect(kindsIn(await itemsOf(all)).event).toBeGreaterThanOrEqual(counts.event);
  });
});

test.each(CONTENT_FORMATS.filter(({ write }) => write))('writing $name ends when it is interrupted', async ({ write }) => {
  const source = await openFile(inputFile(path.join(FIXTURES, 'demo.json')), { now: NOW });
  const put = await write?.();
  const parts: unknown[] = [];
  const out = new Writable({ write: (part, _, done) => (parts.push(part), done()) });
  const writing = put?.(source, out, { file: null, warn: () => undefined, signal: AbortSignal.abort(new Error('interrupted')) });
  await expect(writing).rejects.toThrow('interrupted');
  expect(parts).toEqual([]);
});

test('the published types match the declarations', () => {
  const types = readFileSync(path.join(FIXTURES, '../dist/sdk/types/dataset.d.ts'), 'utf8');
  expect(types).toBe(datasetTypes(JSON.parse(JSON.stringify(schema)) as object));
});

test('the published JSON Schema matches the declarations', () => {
  expect(JSON.parse(readFileSync(path.join(FIXTURES, 'dataset.schema.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  expect(JSON.parse(readFileSync(path.join(FIXTURES, 'config.schema.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(configSchema())));
});
