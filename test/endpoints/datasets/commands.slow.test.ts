import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportFile } from '../../../src/cli/commands/export.js';
import { importFiles, seed } from '../../../src/cli/commands/load.js';
import { reset } from '../../../src/cli/commands/reset.js';
import { runCli, startCli, startServe } from '../../support/cli.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const NOW = '2026-06-15T12:00:00Z';
const EMPTY = path.join(here, '../../../fixtures/empty.json');

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-content-'));
  await writeFile(
    at('town.yaml'),
    `site: { name: Town, timezone: Europe/Berlin }
users:
  - { login: anna, role: administrator, application_password: only for tests }
venues:
  - { slug: hall, name: Town Hall }
events:
  - { title: Council meeting, start: +3d 19:00, duration: 2h, venue: hall }
  - { title: Flea market, start: next saturday 08:00, duration: 6h, cost: Free }
`,
  );
  await writeFile(
    at('more.json'),
    JSON.stringify({
      venues: [{ name: 'Town Hall' }],
      events: [{ title: 'Council meeting', start: '+4d 19:00', duration: '1h', venue: 'town-hall' }],
    }),
  );
  await writeFile(
    at('broken.yaml'),
    'events:\n  - title: A\n    start: soon\n    all_day: true\n  - title: B\n    start: 2026-08-01\n    end: later\n',
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const COMMANDS = { seed, import: importFiles, export: exportFile, reset };

test.each(Object.entries(COMMANDS))('%s --help has an example', (name, { help }) => {
  expect(help()).toMatch(new RegExp(`^Usage: understudy ${name}`));
  expect(help()).toMatch(new RegExp(`Examples?:\\s+understudy ${name}`));
});

test.each<[keyof typeof COMMANDS, string[], RegExp]>([
  ['seed', [], /Usage: understudy seed FILE/],
  ['import', ['a.json', '--format', 'word'], /--format must be one of/],
  ['export', ['a', 'b'], /Usage: understudy export/],
  ['export', ['a.xyz'], /unknown file extension/],
  ['export', ['--only', 'parties'], /unknown kind "parties"/],
  ['reset', ['now'], /Unexpected argument now/],
  ['seed', ['a.json', '--url', 'somewhere'], /--url must be a URL/],
])('%s %j is a usage error', async (name, args, message) => {
  const expected = { name: 'ConfigError', message: expect.stringMatching(message) as string };
  await expect(COMMANDS[name].run(args)).rejects.toMatchObject(expected);
});

test('on a data folder that is not in use', async () => {
  const data = ['--data', at('offline')];
  expect(await runCli(['export', ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no site in .*understudy serve/) as string,
  });
  expect(await runCli(['import', at('town.yaml'), ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no site in .*understudy seed FILE/) as string,
  });

  const seeded = await runCli(['seed', at('town.yaml'), '--now', NOW, '--json', ...data]);
  expect(seeded).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(seeded.stdout)).toMatchObject({ events: 2, venues: 1, users: 1, administrator: null });

  const broken = await runCli(['seed', at('broken.yaml'), ...data]);
  expect(broken).toMatchObject({ code: 1, stdout: '' });
  expect(broken.stderr).toBe(`understudy: ${at('broken.yaml')}: 2 problems
  line 3: events[0].start: invalid date "soon". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin
  line 7: events[1].end: invalid date "later". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin
`);

  const added = await runCli(['import', at('more.json'), '--now', NOW, ...data]);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Added to .*: 1 event, 1 venue \(/) as string });

  const exported = await runCli(['export', ...data]);
  const { events } = JSON.parse(exported.stdout) as { events: { slug: string; venue: string }[] };
  expect(events.map(({ slug, venue }) => [slug, venue])).toEqual([
    ['council-meeting', 'hall'],
    ['flea-market', undefined],
    ['council-meeting-2', 'town-hall'],
  ]);

  expect(await runCli(['reset', ...data])).toMatchObject({ code: 0 });
  const piped = await runCli(['export', '-', '--format', 'ndjson', ...data]);
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(2 + 1 + 1 + 3);
  // One command reads another's output.
  expect(await runCli(['seed', '-', '--data', at('copy')], {}, piped.stdout)).toMatchObject({ code: 0 });
  const copied = await runCli(['export', '--format', 'ndjson', '--data', at('copy')]);
  expect(copied.stdout).toBe(piped.stdout);
}, 120_000);

test('warnings are printed, or part of the JSON', async () => {
  const data = ['--data', at('warned')];
  await writeFile(at('task.ics'), 'BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR\n');
  const warning = 'iCalendar: left out VTODO: only events are imported (1).';
  const seeded = await runCli(['seed', at('task.ics'), '--json', ...data]);
  expect([JSON.parse(seeded.stdout), seeded.stderr]).toMatchObject([{ events: 0, warnings: [warning] }, '']);
  expect((await runCli(['import', at('task.ics'), ...data])).stderr).toBe(`Warning: ${warning}\n`);
}, 120_000);

/** A stream of posts that takes longer than the test. */
async function writeLarge(file: string, count: number): Promise<void> {
  const head = { understudy: 'dataset', version: 1, site_url: '', clock: null, keeps_ids: true, count };
  const dates = {
    date: '2026-01-01 10:00:00',
    dateGmt: '2026-01-01 10:00:00',
    modified: '2026-01-01 10:00:00',
    modifiedGmt: '2026-01-01 10:00:00',
  };
  const base = {
    type: 'page',
    status: 'publish',
    author: 1,
    title: 'T',
    content: 'x'.repeat(300),
    excerpt: '',
    password: '',
    parent: 0,
    menuOrder: 0,
    meta: [],
    terms: {},
  };
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ post: { _id: i + 1, slug: `p-${i}`, ...base, ...dates } }));
  await writeFile(file, `${[JSON.stringify(head), ...lines, JSON.stringify({ end: count })].join('\n')}\n`);
}

/** Whether a load has staged files: in the snapshots folder, as `pristine.load-ID`. */
function isLoading(data: string): boolean {
  const snapshots = path.join(data, 'snapshots');
  return existsSync(snapshots) && readdirSync(snapshots).some((name) => name.startsWith('pristine.load-'));
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each<[NodeJS.Signals, number | null, RegExp]>([
  ['SIGINT', 130, /Interrupted: nothing was changed/],
  ['SIGKILL', null, /^$/],
])(
  '%s during a load leaves the old content',
  async (signal, code, said) => {
    const data = at(`cut-${signal}`);
    await runCli(['seed', at('town.yaml'), '--now', NOW, '--data', data]);
    const before = await runCli(['export', '--format', 'ndjson', '--data', data]);
    await writeLarge(at('large.ndjson'), 30_000);
    const cut = startCli(['seed', at('large.ndjson'), '--data', data]);
    while (!isLoading(data)) await wait(5);
    await wait(100);
    const ended = await cut.stop(signal);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(said);
    const after = await runCli(['export', '--format', 'ndjson', '--data', data]);
    expect(after.stdout).toBe(before.stdout);
    expect(isLoading(data)).toBe(false);
  },
  120_000,
);

test('on a data folder in use by a server', async () => {
  const data = at('served');
  const server = await startServe(['--data', data, '--port', '0', '--dataset', EMPTY, '--now', NOW, '--no-qa', '--log-level', 'warn']);
  const total = async (): Promise<string | null> =>
    (await fetch(`${server.url}/wp-json/tribe/events/v1/events`)).headers.get('x-tec-total');
  expect(statSync(path.join(data, 'server.json')).mode & 0o777).toBe(0o600);
  const { token } = JSON.parse(readFileSync(path.join(data, 'server.json'), 'utf8')) as { token: string };

  // Relative dates are resolved with the server's clock.
  expect(await runCli(['seed', at('town.yaml'), '--data', data])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^The server at ${server.url} now holds 2 events, 1 venue, 1 user`) as string,
  });
  expect(await total()).toBe('2');
  expect(await runCli(['import', at('more.json'), '--now', NOW, '--url', server.url, '--token', token])).toMatchObject({ code: 0 });
  expect(await total()).toBe('3');
  const broken = await runCli(['import', at('broken.yaml'), '--data', data]);
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 7: events\[1\]\.end/) as string });
  expect(await runCli(['export', at('served.yaml'), '--data', data])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Wrote .*3 events.* to .*served\.yaml\.$/m) as string,
  });
  const again = ['export', at('served.yaml'), '--data', data];
  expect(await runCli(again)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/already exists\. Replace it with --force/) as string,
  });
  expect(await runCli([...again, '--force'])).toMatchObject({ code: 0 });
  expect(await readFile(at('served.yaml'), 'utf8')).toMatch(/title: Council meeting\n/);
  expect(await runCli(['reset', '--data', data])).toMatchObject({ code: 0 });
  expect(await total()).toBe('2');

  // A wrong token is rejected. Without one, the token of a local server is read from its folder.
  expect(await runCli(['import', at('more.json'), '--url', server.url, '--token', 'wrong'])).toMatchObject({ code: 1 });
  expect(await runCli(['reset', '--url', server.url])).toMatchObject({ code: 0 });
  expect(await runCli(['export', '--url', server.url, '--token', 'wrong'])).toMatchObject({ code: 1 });
  expect(await total()).toBe('2');

  await server.stop('SIGKILL');
  // The leftover server.json of a killed server is ignored.
  expect(existsSync(path.join(data, 'server.json'))).toBe(true);
  const exported = await runCli(['export', '--format', 'json', '--data', data]);
  expect((JSON.parse(exported.stdout) as { events: unknown[] }).events).toHaveLength(2);
}, 120_000);
