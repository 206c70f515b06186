import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeChanges, digestContent } from '../../../src/transfer/changes.js';
import { inputFile, openFile } from '../../../src/transfer/formats/open.js';
import { startServe, type CliProcess } from '../../support/cli.js';
import { root } from '../../support/documents.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-watch-'));
const file = path.join(folder, 'calendar.json');
/** What saving leaves out of an event that was created through the API of the calendar. */
const RESET = 'show_map, show_map_link of 1 event: the API resets what a request leaves out, so the file stays without them';
const PICTURES = ['concert-lights.jpg', 'cycle-loop.jpg'].map((name) => path.join(root, 'fixtures/uploads/2025/09', name));

interface Calendar {
  clock?: string;
  venues?: object[];
  media?: object[];
  stubs?: object[];
  events: Record<string, unknown>[];
}

const event = (title: string, more: object = {}): Record<string, unknown> => ({ title, start: '+1d 19:00', duration: '1h', ...more });
const HALL = { slug: 'hall', name: 'Town Hall' };
const FIRST: Calendar = { venues: [HALL], events: [event('One', { venue: 'hall' }), event('Two')] };

const write = (calendar: Calendar, to = file): void => writeFileSync(to, JSON.stringify(calendar, null, 2));

let server: CliProcess & { url: string };
/** How much of the log has been read. */
let read = 0;

/** Waits for a log line. Returns all lines since the last match. */
async function logged(pattern: RegExp): Promise<string> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const text = server.output().stderr.slice(read);
    if (pattern.test(text) && text.endsWith('\n')) {
      read += text.length;
      return text.trim();
    }
    if (performance.now() > deadline) throw new Error(`not logged: ${String(pattern)} in ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ask = async <T>(where: string, init: RequestInit = {}): Promise<T> =>
  (await (await fetch(`${server.url}${where}`, init)).json()) as T;
const titles = async (at = ''): Promise<string[]> =>
  (await ask<{ events: { title: string }[] }>(`${at}/wp-json/tribe/events/v1/events`)).events.map(({ title }) => title).sort();
const clock = (): Promise<{ now: string; frozen: boolean }> => ask('/__qa/clock');

beforeAll(async () => {
  mkdirSync(path.join(folder, 'uploads'));
  write(FIRST);
  server = await startServe(['--dataset', 'calendar.json', '--watch', '--ephemeral', '--port', '0'], {}, folder);
  expect(server.output().stdout).toContain('Reloads calendar.json when it changes.');
});
afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('what the server saves to the file is not loaded again, so that nothing that a file cannot have is lost', async () => {
  const rest = (method: string, at: string, body: object): Promise<{ body: { id: number } }> =>
    ask('/__qa/rest', { method: 'POST', body: JSON.stringify({ method, path: at, body }) });
  const times = { start_date: '2030-01-02 10:00:00', end_date: '2030-01-02 11:00:00' };
  const { body: made } = await rest('POST', '/tribe/events/v1/events', { title: 'Made', ...times });
  await ask('/__qa/users', { method: 'POST', body: '{ "action": "add", "login": "kept", "role": "editor" }' });
  const saved = await ask('/__qa/dataset/save', { method: 'POST' });
  expect(saved).toMatchObject({ saved: true, added: 1, unsaved: ['user "kept": the file lists no users', RESET] });
  expect(await logged(/calendar\.json/)).toBe('Saved calendar.json: its content is the one that is served');
  expect(await ask(`/wp-json/tribe/events/v1/events/${made.id}`)).toMatchObject({ title: 'Made' });
  expect(await ask('/__qa/rest', { method: 'POST', body: '{ "path": "/wp/v2/users?search=kept" }' })).toMatchObject({
    body: [{ name: 'kept' }],
  });
  // The next edit is compared with what was saved.
  write({ ...FIRST, events: [...FIRST.events, event('Three')] });
  expect(await logged(/Reloaded/)).toBe('Reloaded calendar.json: event "Three" added, event "Made" removed');
  write(FIRST);
  await logged(/Reloaded/);
});

test('a change is served, described, and leaves the clock alone', async () => {
  await ask('/__qa/clock', { method: 'PUT', body: '{ "advance": "2 hours", "frozen": true }' });
  const before = await clock();
  write({ events: [event('Zero'), event('One', { cost: 5 }), event('Two'), event('Three')] });
  expect(await logged(/Reloaded/)).toBe('Reloaded calendar.json: 2 events added, event "One" changed, venue "Town Hall" removed');
  expect(await titles()).toEqual(['One', 'Three', 'Two', 'Zero']);
  expect(await clock()).toEqual(before);
});

test('a broken file is reported with its line, and the previous content is served on', async () => {
  writeFileSync(file, '{\n  "events": [\n    { "titel": "Four", "start": "+1d", "duration": "1h" }\n  ]\n}');
  const text = await logged(/previous content/);
  expect(text).toBe('calendar.json: line 3: events[0].titel: unknown field. Did you mean "title"?\nThe previous content is still served.');
  writeFileSync(file, '{\n  "events": [');
  expect(await logged(/previous content/)).toMatch(/^calendar\.json: line 2: invalid JSON: /);
  rmSync(file);
  expect(await logged(/previous content/)).toMatch(/^calendar\.json: file not found/);
  expect(await titles()).toEqual(['One', 'Three', 'Two', 'Zero']);
});

test('a file that is replaced by another is read once', async () => {
  const draft = path.join(folder, 'calendar.json.tmp');
  write(FIRST, draft);
  renameSync(draft, file);
  expect(await logged(/Reloaded/)).toMatch(/^Reloaded calendar\.json: [^\n]*$/);
  expect(await titles()).toEqual(['One', 'Two']);
});

test('a reset and new sandboxes have the new content', async () => {
  write({ events: [event('Fresh')] });
  await logged(/Reloaded/);
  await ask('/__qa/reset', { method: 'POST' });
  expect(await titles()).toEqual(['Fresh']);
  expect(await titles('/__sandbox/later')).toEqual(['Fresh']);
});

test('a picture that the dataset uses is reloaded, another is not', async () => {
  const media = [{ file: 'picture.jpg', slug: 'picture' }];
  const picture = path.join(folder, 'uploads/picture.jpg');
  copyFileSync(PICTURES[0], picture);
  write({ media, events: [event('Fresh', { image: 'picture' })] });
  expect(await logged(/Reloaded/)).toContain('medium "picture" added');
  copyFileSync(PICTURES[0], path.join(folder, 'uploads/unused.jpg'));
  copyFileSync(PICTURES[1], picture);
  expect(await logged(/Reloaded/)).toBe('Reloaded calendar.json: file "picture.jpg" changed');
});

test('a file that a stub responds with is reloaded', async () => {
  const left = async (): Promise<unknown> => ask('/wp-json/acme/v1/seats');
  mkdirSync(path.join(folder, 'stubs'), { recursive: true });
  writeFileSync(path.join(folder, 'stubs/seats.json'), '{"left":3}');
  write({ ...FIRST, stubs: [{ match: { path: '/acme/v1/seats' }, respond: { file: 'seats.json' } }] });
  await logged(/site changed/);
  expect(await left()).toEqual({ left: 3 });
  writeFileSync(path.join(folder, 'stubs/seats.json'), '{"left":2}');
  await logged(/site changed/);
  expect(await left()).toEqual({ left: 2 });
});

test('a new clock in the dataset applies', async () => {
  write({ clock: '2026-06-15T12:00:00Z', events: [event('Then')] });
  await logged(/Reloaded/);
  expect(await clock()).toEqual({ now: '2026-06-15T12:00:00.000Z', frozen: true });
  expect(await titles()).toEqual(['Then']);
});

describe('a dataset in TypeScript', () => {
  let module: CliProcess & { url: string };
  const writeParts = (title: string, more = ''): void =>
    writeFileSync(path.join(folder, 'parts/events.ts'), `${more}export const events: object[] = [${JSON.stringify(event(title))}];`);
  beforeAll(async () => {
    mkdirSync(path.join(folder, 'parts'));
    writeParts('First');
    writeFileSync(path.join(folder, 'calendar.ts'), "import { events } from './parts/events.js';\nexport default () => ({ events });\n");
    module = await startServe(['--dataset', 'calendar.ts', '--watch', '--ephemeral', '--port', '0'], {}, folder);
    [server, module] = [module, server];
    read = 0;
  });
  afterAll(async () => {
    [server, module] = [module, server];
    read = server.output().stderr.length;
    await module.stop('SIGTERM');
  });

  test('is reloaded when it changes, or a file that it imports, which may be broken meanwhile', async () => {
    expect(await titles()).toEqual(['First']);
    writeParts('Second');
    expect(await logged(/Reloaded/)).toMatch(/^Reloaded calendar\.ts: event/);
    expect(await titles()).toEqual(['Second']);
    writeParts('Third', "\nthrow new Error('not yet');\n");
    expect(await logged(/previous content/)).toBe(
      `calendar.ts: ${path.join('parts', 'events.ts')}: line 2: cannot be run: not yet\nThe previous content is still served.`,
    );
    writeParts('Fourth');
    await logged(/Reloaded/);
    expect(await titles()).toEqual(['Fourth']);
  });

  test('a file that is imported later is watched, too', async () => {
    writeFileSync(path.join(folder, 'parts/more.ts'), `export const more: object[] = [${JSON.stringify(event('More'))}];`);
    writeFileSync(path.join(folder, 'calendar.ts'), "import { more } from './parts/more.js';\nexport default { events: more };\n");
    await logged(/Reloaded/);
    expect(await titles()).toEqual(['More']);
    const draft = path.join(folder, 'more.tmp');
    writeFileSync(draft, `export const more: object[] = [${JSON.stringify(event('Even more'))}];`);
    renameSync(draft, path.join(folder, 'parts/more.ts'));
    await logged(/Reloaded/);
    expect(await titles()).toEqual(['Even more']);
  });
});

test.each<[name: string, before: Calendar, after: Calendar, expected: string]>([
  ['nothing', FIRST, FIRST, ''],
  ['the order of events', FIRST, { ...FIRST, events: FIRST.events.toReversed() }, ''],
  ['a reference', FIRST, { ...FIRST, events: [event('One'), event('Two')] }, 'event "One" changed'],
  ['ids that move', FIRST, { ...FIRST, venues: [{ name: 'Arena' }, HALL] }, 'venue "Arena" added'],
])('describes a change of %s', async (_, before, after, expected) => {
  const digests = [];
  for (const calendar of [before, after]) {
    write(calendar, path.join(folder, 'compared.json'));
    const source = await openFile(inputFile(path.join(folder, 'compared.json')), { now: Date.parse('2026-06-15T12:00:00Z') });
    digests.push(await digestContent(source));
  }
  expect(describeChanges(digests[0], digests[1])).toBe(expected);
});

test('a link above the dataset that is replaced, and what changes behind it', async () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'understudy-links-'));
  const at = (...parts: string[]): string => path.join(place, ...parts);
  /** As Kubernetes updates a ConfigMap: the link of the folder is replaced, not the file. */
  const pointTo = (name: string): void => {
    symlinkSync(name, at('..tmp'));
    renameSync(at('..tmp'), at('..data'));
  };
  for (const name of ['..1', '..2', '..3']) {
    mkdirSync(at(name));
    write({ events: [event(`In ${name}`)] }, at(name, 'cal.json'));
  }
  pointTo('..1');
  symlinkSync('..data/cal.json', at('cal.json'));
  const linked = await startServe(['--dataset', 'cal.json', '--watch', '--ephemeral', '--port', '0'], {}, place);
  const reloaded = async (text: string): Promise<void> => {
    const deadline = performance.now() + 20_000;
    while (!linked.output().stderr.includes(text)) {
      if (performance.now() > deadline) throw new Error(`not logged: ${text} in ${linked.output().stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  try {
    pointTo('..2');
    await reloaded('event "In ..2" added');
    write({ events: [event('Changed')] }, at('..2', 'cal.json'));
    await reloaded('event "Changed" added');
    pointTo('..3');
    await reloaded('event "In ..3" added');
  } finally {
    await linked.stop('SIGTERM');
    rmSync(place, { recursive: true, force: true });
  }
});
