import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readServerFile } from '../../src/control/tenant/api/server-file.js';
import { savedFileOf } from '../../src/server/app/seed.js';
import { startServer } from '../../src/server/app/start.js';
import { resolveOptions } from '../../src/server/config/index.js';
import { startTestServer } from '../support/server.js';

const YAML = `# The calendar of the town.
site: { name: Town, timezone: Europe/Berlin }
users:
  - { login: anna, role: administrator, application_password: only for tests 1234 }

venues:
  - { slug: hall, name: Town Hall }   # the old one

events:
  # Every week.
  - title: Jazz
    start: +3d 19:30   # late
    duration: 2h
    venue: hall
    description: >
      Folded
      text.
  - { title: Market, start: +5d 08:00, end: '14:00', tags: [open air] }
  - { title: Fair, start: '2027-07-03', all_day: true }
  - { title: Yoga, start: +1d 08:00, duration: 1h, repeat: weekly × 3 }
  - { title: Gala, start: '2026-07-01 20:00', end: '2026-07-01 23:00' }
`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-save-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'calendar.yaml');
writeFileSync(file, YAML);

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: file, qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

type Body = ReturnType<typeof JSON.parse>;
const qa = async (method: string, route: string, body?: object, token = TOKEN): Promise<{ status: number; body: Body }> => {
  const headers = { 'content-type': 'application/json', 'x-understudy-token': token };
  const response = await fetch(`${server().url}${route}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: await response.json() };
};
const rest = async (method: string, route: string, body?: object): Promise<Body> =>
  (await qa('POST', '/__qa/rest', { method, path: route, ...(body ? { body } : {}) })).body.body;
const save = (): ReturnType<typeof qa> => qa('POST', '/__qa/dataset/save');
const idOf = async (title: string): Promise<number> =>
  (await rest('GET', `/wp/v2/tribe_events?per_page=50&status=any&search=${title}`)).find((event: Body) => event.title.rendered === title)
    .id;
const lines = (text: string): string[] => text.split('\n');
/** The lines that a save changed. */
const changed = (before: string): { gone: string[]; come: string[] } => {
  const [old, now] = [lines(before), lines(readFileSync(file, 'utf8'))];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
};

const seed = async (text: string): Promise<void> => {
  const headers = { 'x-understudy-token': TOKEN, 'content-type': 'application/json' };
  const dataset = [{ name: 'calendar.yaml', content: Buffer.from(text).toString('base64') }];
  await fetch(`${server().url}/__qa/seed/files`, { method: 'POST', headers, body: JSON.stringify({ dataset, partial: true }) });
};

beforeEach(async () => {
  writeFileSync(file, YAML);
  await seed(YAML);
  await qa('DELETE', '/__qa/stubs');
});

test('nothing has changed', async () => {
  expect(await save()).toEqual({
    status: 200,
    body: { saved: false, file: 'calendar.yaml', added: 0, changed: 0, deleted: 0, trashed: 0, unsaved: [] },
  });
  expect(readFileSync(file, 'utf8')).toBe(YAML);
});

test('only what has changed is written, relative dates stay relative, and comments stay', async () => {
  const events = '/wp/v2/tribe_events';
  await rest('POST', `${events}/${await idOf('Jazz')}`, {
    meta: { _EventStartDate: '2026-06-20 20:00:00', _EventEndDate: '2026-06-20 21:30:00', _EventCost: '5' },
  });
  await rest('POST', `${events}/${await idOf('Market')}`, {
    meta: { _EventStartDate: '2026-06-21 08:00:00', _EventEndDate: '2026-06-21 13:00:00' },
  });
  await rest('POST', `${events}/${await idOf('Gala')}`, {
    meta: { _EventStartDate: '2026-07-02 20:00:00', _EventEndDate: '2026-07-02 23:00:00' },
  });
  expect(await save()).toMatchObject({ status: 200, body: { saved: true, added: 0, changed: 3, deleted: 0, unsaved: [] } });
  expect(changed(YAML)).toEqual({
    gone: [
      '    start: +3d 19:30   # late',
      '    duration: 2h',
      "  - { title: Market, start: +5d 08:00, end: '14:00', tags: [open air] }",
      "  - { title: Gala, start: '2026-07-01 20:00', end: '2026-07-01 23:00' }",
    ],
    come: [
      '    start: +5d 20:00   # late',
      '    duration: 1h 30min',
      "    cost: '5'",
      "  - { title: Market, start: +6d 08:00, end: '13:00', tags: [open air] }",
      "  - { title: Gala, start: '2026-07-02 20:00', end: '2026-07-02 23:00' }",
    ],
  });
});

test('events, venues and tags are added and deleted; a reset restores what was saved', async () => {
  const venue = await rest('POST', '/tribe/events/v1/venues', { venue: 'Old Quarry', city: 'Lindental' });
  const added = { title: 'Echo', start_date: '2026-06-18 20:00:00', end_date: '2026-06-18 22:00:00', venue: venue.id, tags: ['stone'] };
  await rest('POST', '/tribe/events/v1/events', added);
  await rest('DELETE', `/wp/v2/tribe_events/${await idOf('Fair')}?force=true`);
  expect(await save()).toMatchObject({
    body: {
      ...{ saved: true, added: 3, changed: 0, deleted: 1 },
      unsaved: ['show_map, show_map_link of 1 event: the API resets what a request leaves out, so the file stays without them'],
    },
  });
  expect(changed(YAML)).toEqual({
    gone: ["  - { title: Fair, start: '2027-07-03', all_day: true }"],
    come: [
      '  - { slug: old-quarry, name: Old Quarry, city: Lindental }',
      '  - { title: Echo, start: +3d 20:00, duration: 2h, slug: echo, venue: old-quarry, tags: [stone] }',
      'tags:',
      '  - slug: stone',
      '    name: stone',
    ],
  });
  await qa('POST', '/__qa/reset');
  expect(await rest('GET', `/tribe/events/v1/events/by-slug/echo`)).toMatchObject({ title: 'Echo' });
  const saved = readFileSync(file, 'utf8');
  expect(await save()).toMatchObject({ body: { saved: false, unsaved: [] } });
  expect(readFileSync(file, 'utf8')).toBe(saved);
});

test('what a write through the API of the calendar resets is not written, nor is its date', async () => {
  const events = '/tribe/events/v1/events';
  await rest('POST', `${events}/${await idOf('Jazz')}`, { cost: '5' });
  await rest('POST', `${events}/${await idOf('Market')}`, { cost: '6', show_map: true });
  const { body } = await save();
  expect(body).toMatchObject({
    ...{ added: 0, changed: 2 },
    unsaved: ['show_map, show_map_link, website of 2 events: the API resets what a request leaves out, so the file stays without them'],
  });
  expect(changed(YAML)).toEqual({
    gone: ["  - { title: Market, start: +5d 08:00, end: '14:00', tags: [open air] }"],
    come: ["    cost: '5'", "  - { title: Market, start: +5d 08:00, end: '14:00', tags: [open air], cost: '6', show_map_link: false }"],
  });
});

test('an event in the trash is named as such, and stays in the file', async () => {
  await rest('DELETE', `/tribe/events/v1/events/${await idOf('Fair')}`);
  expect(await save()).toMatchObject({ body: { saved: true, changed: 0, deleted: 0, trashed: 1, unsaved: [] } });
  expect(changed(YAML).come).toEqual(["  - { title: Fair, start: '2027-07-03', all_day: true, status: trash, slug: fair }"]);
});

test('a text with blocks gets lines of its own', async () => {
  const content = '<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->';
  await rest('POST', `/wp/v2/tribe_events/${await idOf('Market')}`, { content });
  await rest('POST', '/wp/v2/tribe_events', {
    ...{ title: 'Echo', status: 'publish', content },
    meta: { _EventStartDate: '2026-06-20 20:00:00', _EventEndDate: '2026-06-20 21:00:00' },
  });
  const text = (start: string): string[] => [start, '    description: |-', ...content.split('\n').map((line) => `      ${line}`)];
  expect(await save()).toMatchObject({ body: { saved: true, added: 1, changed: 1, unsaved: [] } });
  const saved = readFileSync(file, 'utf8');
  expect(saved).toContain(['  - title: Market', '    start: +5d 08:00', "    end: '14:00'", ...text('    tags: [open air]')].join('\n'));
  expect(saved).toContain(['  - title: Echo', '    start: +5d 20:00', '    duration: 1h', ...text('    slug: echo')].join('\n'));
});

test('a preview has the lines that would change, and writes nothing', async () => {
  await rest('POST', `/wp/v2/tribe_events/${await idOf('Jazz')}`, { title: 'Blues' });
  const { body } = await qa('POST', '/__qa/dataset/save?preview=true');
  expect(body).toMatchObject({ saved: false, changed: 1 });
  expect(body.diff.slice(0, 8)).toEqual([
    '…',
    ' events:',
    '   # Every week.',
    '−  - title: Jazz',
    '+  - title: Blues',
    '     start: +3d 19:30   # late',
    '     duration: 2h',
    '…',
  ]);
  expect(readFileSync(file, 'utf8')).toBe(YAML);
  await save();
  expect((await qa('POST', '/__qa/dataset/save?preview=true')).body.diff).toEqual([]);
});

test('what a dataset cannot have is named, and the rest is saved', async () => {
  const events = '/wp/v2/tribe_events';
  await rest('POST', `${events}/${await idOf('Yoga')}`, { title: 'Yoga at dawn' });
  await rest('POST', `${events}/${await idOf('Jazz')}`, { title: 'Blues' });
  await qa('POST', '/__qa/stubs', { match: { path: '/wp-json/acme/v1/seats' }, respond: { body: { left: 3 } } });
  await qa('POST', '/__qa/users', { action: 'add', login: 'bert', role: 'editor' });
  expect(await save()).toMatchObject({
    body: {
      saved: true,
      added: 2,
      changed: 1,
      unsaved: ['user "bert": its password, of which only a hash is stored', 'event "Yoga at dawn": it is part of a series (repeat)'],
    },
  });
  expect(changed(YAML)).toMatchObject({
    gone: ['  - title: Jazz'],
    come: expect.arrayContaining(['  - title: Blues', '    slug: jazz', 'stubs:', '  - match: { path: /wp-json/acme/v1/seats }']),
  });
});

test('the mode of the file stays', async () => {
  chmodSync(file, 0o640);
  await rest('POST', `/wp/v2/tribe_events/${await idOf('Jazz')}`, { status: 'draft' });
  expect(await save()).toMatchObject({ body: { saved: true, unsaved: [] } });
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readFileSync(file, 'utf8')).toMatch(/\n    status: draft\n/);
});

test('a file that does not belong to the content is left alone', async () => {
  await rest('POST', `/wp/v2/tribe_events/${await idOf('Jazz')}`, { status: 'draft' });
  writeFileSync(file, YAML.replace('title: Market', 'title: Flea market'));
  expect(await save()).toMatchObject({
    status: 409,
    body: {
      message: 'event "Flea market" of the file is not in the loaded content. Load calendar.yaml first, for instance with understudy seed.',
    },
  });
  writeFileSync(file, '- 1');
  expect(await save()).toMatchObject({ status: 400 });
  expect(readFileSync(file, 'utf8')).toBe('- 1');
});

test('an entry that is an alias is not changed', async () => {
  const text = 'events:\n  - &one { title: One, start: +1d 10:00, duration: 1h }\n  - *one\n';
  writeFileSync(file, text);
  await seed(text);
  const [first] = (await rest('GET', '/wp/v2/tribe_events?status=any&search=One&orderby=id&order=desc')) as { id: number }[];
  await rest('POST', `/wp/v2/tribe_events/${first.id}`, { meta: { _EventCost: '5' } });
  expect(await save()).toMatchObject({
    status: 409,
    body: { message: 'calendar.yaml cannot be changed: events.1 is written elsewhere, as an alias.' },
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('nothing is saved after content of another file has replaced it for once', async () => {
  await qa('POST', '/__qa/seed?pristine=false', { events: [{ title: 'Other', start: '2027-01-01', all_day: true }] });
  expect(await save()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not from calendar.yaml. Reset first') } });
  expect(readFileSync(file, 'utf8')).toBe(YAML);
});

test('only who has the token may save, and a sandbox has no file', async () => {
  expect(await qa('POST', '/__qa/dataset/save', undefined, 'wrong')).toMatchObject({ status: 401 });
  expect(await qa('POST', '/__sandbox/a/__qa/dataset/save')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('A sandbox has no') },
  });
});

describe('the datasets of this package', () => {
  const DEMO = path.join(import.meta.dirname, '../../fixtures/demo.json');
  test.each(['demo', 'tickets', DEMO, path.join(import.meta.dirname, '../../fixtures/tickets.json')])(
    '%s cannot be saved to',
    (dataset) => {
      expect(savedFileOf(dataset)).toBeNull();
      expect(savedFileOf(resolveOptions({ dataset }).dataset)).toBeNull();
    },
  );

  test('others can', () => {
    expect(savedFileOf(file)).toBe(file);
  });
});

describe('the token that commands find in the data folder', () => {
  const data = path.join(folder, 'data');
  const site = startTestServer({ dataset: file, qaToken: TOKEN, ephemeral: false, data });
  const open = startTestServer({ dataset: file, ephemeral: false, data: `${data}-open` });

  test.each([
    ['with a token', site, data],
    ['without one', open, `${data}-open`],
  ])('opens the whole test API of a server %s', async (_, of, at) => {
    const token = readServerFile(at)?.token ?? '';
    expect(token).not.toBe('');
    const headers = { 'x-understudy-token': token, 'content-type': 'application/json' };
    const ask = (method: string, route: string, body?: string) =>
      fetch(`${of().url}${route}`, { method, headers, ...(body ? { body } : {}) }).then(({ status }) => status);
    expect(await ask('GET', '/__qa/clock')).toBe(200);
    expect(await ask('GET', '/__qa/stubs')).toBe(200);
    expect(await ask('POST', '/__qa/dataset/save')).toBe(200);
    expect(await ask('PUT', '/__qa/clock', '{"now":"2026-06-15T12:00:00Z"}')).toBe(200);
  });
});

test('a link that leads to another file than the one that was loaded is not written through', async () => {
  const [link, own, other] = ['link.yaml', 'own.yaml', 'other.yaml'].map((name) => path.join(folder, name));
  for (const each of [own, other]) writeFileSync(each, YAML);
  symlinkSync(own, link);
  const linked = await startServer(resolveOptions({ dataset: link, ephemeral: true, port: 0, now: '2026-06-15T12:00:00Z' }));
  try {
    const send = (route: string, body: object = {}): Promise<Body> =>
      fetch(`${linked.url}${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(
        async (response) => ({ status: response.status, body: await response.json() }),
      );
    await send('/__qa/rest', { method: 'POST', path: '/wp/v2/posts', body: { title: 'New', status: 'publish' } });
    rmSync(link);
    symlinkSync(other, link);
    expect(await send('/__qa/dataset/save')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('link.yaml leads to another file than the one that was loaded') },
    });
    expect(readFileSync(other, 'utf8')).toBe(YAML);
    rmSync(link);
    symlinkSync(own, link);
    expect(await send('/__qa/dataset/save')).toMatchObject({ status: 200, body: { saved: true } });
    expect(readFileSync(own, 'utf8')).toContain('New');
  } finally {
    await linked.close();
  }
});
