import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import {
  Understudy,
  useUnderstudy,
  UnverifiedError,
  type Dataset,
  type DatasetFunction,
  type UnderstudyOptions,
  type WebhookBody,
} from '../../src/sdk/testing/jest.js';
import { FURTHER_OPTIONS } from '../../src/sdk/testing/understudy.js';
import { OPTIONS } from '../../src/server/config/index.js';
import { understudyFixtures, withUnderstudy, type FixtureTable } from '../../src/sdk/testing/playwright.js';
import { testEnvironment } from '../support/environment.js';
import { finishedTest, runByHand } from '../support/helpers.js';
import { startTestServer } from '../support/server.js';

const EMPTY = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/empty.json');
const PASSWORD = 'a-password-of-24-letters';
const server = startTestServer({ adminPassword: PASSWORD });

testEnvironment(() => ({ UNDERSTUDY_URL: server().url, UNDERSTUDY_ADMIN_PASSWORD: PASSWORD }));

const NOW = '2026-06-15T12:00:00.000Z';
const dataset = { site: { name: 'Mill', timezone: 'Europe/Berlin' }, events: [{ title: 'Open Stage', start: '+1d 20:00', end: '23:00' }] };
const times = { start_date: '2026-06-15 20:00:00', end_date: '2026-06-15 22:00:00' };

const titles = async ({ client }: Understudy): Promise<string[]> => (await client.events.list()).events.map(({ title }) => title);

/** A server that collects the bodies of its requests. */
async function receiver(): Promise<[url: string, received: WebhookBody[], stop: () => void]> {
  const received: WebhookBody[] = [];
  const listening = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(body as WebhookBody);
      response.end();
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return [`http://127.0.0.1:${(listening.address() as net.AddressInfo).port}/`, received, () => void listening.close()];
}

describe('useUnderstudy', () => {
  const understudy = useUnderstudy({ dataset, now: NOW });
  const early = ((): string => {
    try {
      return understudy.url;
    } catch (error) {
      return (error as Error).message;
    }
  })();

  test('is not available while tests are declared', () => {
    expect(early).toContain('Use it within a test or a hook');
  });

  test.each([1, 2])('each test starts with the dataset, the configured time, no faults and an empty journal (%i)', async () => {
    expect(await understudy.clock.get()).toEqual({ now: NOW, frozen: true });
    expect(await titles(understudy)).toEqual(['Open Stage']);
    expect(await understudy.journal.entries()).toHaveLength(1);
    await understudy.admin.events.create({ title: 'Mine', ...times });
    expect(await titles(understudy)).toEqual(['Mine', 'Open Stage']);
    await understudy.clock.advance('3 days');
    expect(await titles(understudy)).toEqual([]);
    await understudy.faults.profile('maintenance');
    await expect(understudy.client.events.list()).rejects.toMatchObject({ status: 503 });
  });

  test('scenarios are defined, started and stopped, and a reset switches them off', async () => {
    const status = async (): Promise<number> => (await fetch(`${understudy.restUrl}/tribe/events/v1/events`)).status;
    await understudy.faults.define('twice', [{ sequence: [{ status: 503 }, { status: 500 }] }]);
    expect(await understudy.faults.start('twice', { match: { path: '**/events' } })).toMatchObject([{ scenario: 'twice' }]);
    expect([await status(), await status(), await status()]).toEqual([503, 500, 200]);
    await understudy.faults.start('twice');
    await understudy.faults.stop('twice');
    expect(await status()).toBe(200);
    await understudy.faults.start('offline', { seed: 1 });
    await understudy.reset();
    expect(await status()).toBe(200);
    const known = await understudy.faults.scenarios();
    expect(known.find(({ name }) => name === 'twice')).toMatchObject({ builtIn: false, active: false });
    await expect(understudy.faults.start('nothing')).rejects.toMatchObject({ status: 404 });
  });

  test('webhooks are added, flushed, repeated and removed, and a reset removes them', async () => {
    const [url, received, stop] = await receiver();
    try {
      const { id } = await understudy.webhooks.add({ url, secret: 'shh', events: ['post.*'] });
      const { slug } = await understudy.admin.events.create({ title: 'Heard', ...times });
      expect(await understudy.webhooks.flush()).toEqual({ pending: 0, delivered: 1, failed: 0 });
      const [delivery] = await understudy.webhooks.deliveries();
      expect([delivery.body.slug, delivery.body.sandbox, delivery.webhook]).toEqual([slug, understudy.name, id]);
      await understudy.webhooks.redeliver(delivery.id);
      await understudy.webhooks.flush(5000);
      expect(received.map((body) => body.event)).toEqual(['post.created', 'post.created']);
      await understudy.webhooks.remove(id);
      await understudy.webhooks.add(url);
      await understudy.reset();
      await understudy.admin.events.create({ title: 'Unheard', ...times });
      expect([await understudy.webhooks.list(), await understudy.webhooks.flush()]).toEqual([[], { pending: 0, delivered: 0, failed: 0 }]);
    } finally {
      stop();
    }
  });

  test('webhooks of the options stay, and get one event for a reset', async () => {
    const [url, received, stop] = await receiver();
    const other = await Understudy.open({ webhooks: [url], now: NOW });
    try {
      await other.admin.events.create({ title: 'Heard', ...times });
      await other.webhooks.flush();
      await other.reset();
      await other.webhooks.flush();
      expect(received.map((body) => [body.event, body.time])).toEqual([
        ['post.created', NOW],
        ['content.reset', NOW],
      ]);
    } finally {
      await other.close();
      stop();
    }
  });

  test('scenarios are an option', async () => {
    const other = await Understudy.open({
      scenarios: { mine: [{ effect: { status: 503 } }], yours: { faults: [{ profile: 'forbidden' }] } },
    });
    try {
      await other.faults.start('yours');
      await expect(other.client.events.list()).rejects.toMatchObject({ status: 403 });
      await other.faults.stop('yours');
      await other.faults.start('mine');
      await expect(other.client.events.list()).rejects.toMatchObject({ status: 503 });
    } finally {
      await other.close();
    }
  });

  test('the journal is an HTTP Archive, and each request a curl command', async () => {
    await understudy.client.events.list();
    const { log } = await understudy.journal.har({ path: '**/events' });
    expect(log.entries.map(({ request }) => (request as { url: string }).url)).toEqual([`${understudy.restUrl}/tribe/events/v1/events`]);
    const [{ id }] = await understudy.journal.entries();
    expect(await understudy.journal.curl(id)).toMatch(`curl ${understudy.restUrl}/tribe/events/v1/events -H`);
    await expect(understudy.journal.curl(id + 1)).rejects.toMatchObject({ status: 404 });
  });

  test('another instance has its own calendar, removed with the instance', async () => {
    const other = await Understudy.open({ now: NOW });
    await other.admin.events.create({ title: 'Theirs', ...times });
    expect(await titles(understudy)).toEqual(['Open Stage']);
    expect(await titles(other)).toContain('Theirs');
    await other.close();
    expect(JSON.stringify(await (await fetch(`${server().url}/__qa/sandboxes`)).json())).not.toContain(other.name);
  });

  test('freezes, resumes and advances the clock', async () => {
    const { clock } = understudy;
    expect(await clock.set('2026-07-01T00:00:00Z')).toEqual({ now: '2026-07-01T00:00:00.000Z', frozen: true });
    expect((await clock.run()).frozen).toBe(false);
    expect(await clock.freeze(new Date(NOW))).toEqual({ now: NOW, frozen: true });
    expect((await clock.advance(1500)).now).toBe('2026-06-15T12:00:01.500Z');
    expect((await clock.real()).frozen).toBe(false);
  });

  test('adds, lists and removes faults', async () => {
    const { faults, client } = understudy;
    const rule = await faults.add({ match: { path: '**/events' }, times: 1, effect: { status: 500 } });
    await expect(client.events.list()).rejects.toMatchObject({ code: 'internal_server_error' });
    await client.events.list();
    expect(await faults.list()).toEqual([{ ...rule, seen: 1, hits: 1 }]);
    await faults.remove(rule.id);
    await faults.profile('forbidden');
    await faults.clear();
    expect(await faults.list()).toEqual([]);
  });

  test('reads, verifies, lints and saves the journal', async () => {
    const { journal, client } = understudy;
    await client.events.list({ per_page: 5, venue_id: 3 } as object);
    const [entry] = await journal.entries({ status: '2xx' });
    expect(await journal.entry(entry.id)).toMatchObject({ method: 'GET', status: 200, user: null });
    await journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
    await expect(journal.expect({ path: '**/venues' })).rejects.toThrow(UnverifiedError);
    await expect(journal.expect({ path: '**/events', query: { per_page: '6' } })).rejects.toThrow(
      /found 0\n[^]*query per_page: expected "6"/,
    );
    expect(await journal.lint()).toMatchObject([{ name: 'venue_id', suggestion: 'venue' }]);
    expect(await journal.scenario(entry.id, { name: 'mine' })).toMatchObject({ name: 'mine', steps: [{ response: { status: 200 } }] });
    await journal.clear();
    expect((await journal.verify({ atMost: 0 })).verified).toBe(true);
  });

  test('a dataset may be a function of the time that relative dates refer to', async () => {
    const calendar: DatasetFunction = ({ now }) => Promise.resolve({ events: [{ ...dataset.events[0], title: now.toISOString() }] });
    await understudy.seed(calendar);
    expect(await titles(understudy)).toEqual([NOW]);
    await understudy.seed(dataset);
  });

  test('restores snapshots and seeds another dataset', async () => {
    const { snapshots } = understudy;
    await snapshots.save('one');
    await understudy.seed({ ...dataset, events: [] });
    expect(await titles(understudy)).toEqual([]);
    await snapshots.restore('one');
    expect(await titles(understudy)).toEqual(['Open Stage']);
    await expect(understudy.seed('nowhere.json')).rejects.toThrow(`Cannot read the dataset ${path.resolve('nowhere.json')} (ENOENT)`);
    expect((await snapshots.list()).map(({ name }) => name)).toEqual(['one']);
    await snapshots.delete('one');
    expect(await snapshots.list()).toEqual([]);
  });
});

describe('datasets', () => {
  const PICTURE = path.join(path.dirname(EMPTY), 'uploads/2025/09/river-evening.jpg');
  let folder = '';
  const opened: Understudy[] = [];
  const open = async (options: UnderstudyOptions): Promise<Understudy> => {
    const one = await Understudy.open(options);
    opened.push(one);
    return one;
  };
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-helpers-'));
    mkdirSync(path.join(folder, 'uploads/2026'), { recursive: true });
    copyFileSync(PICTURE, path.join(folder, 'uploads/2026/poster.jpg'));
  });
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
  afterAll(() => rmSync(folder, { recursive: true }));

  const YAML = `site: { timezone: Europe/Berlin }
media:
  - { file: 2026/poster.jpg, slug: poster, alt: A poster }
events:
  - { title: Open Stage, start: +1d 20:00, duration: 3h, image: poster }
`;
  const imageOf = async ({ client }: Understudy) => {
    const [{ image }] = (await client.events.list()).events;
    if (image === false) throw new Error('no image');
    const file = await fetch(image.url);
    return { bytes: Buffer.from(await file.arrayBuffer()), sizes: Object.keys(image.sizes ?? {}) };
  };

  test.each([
    ['YAML', () => write('calendar.yaml', YAML), {}],
    ['an object', () => parse(YAML) as Dataset, () => ({ uploads: path.join(folder, 'uploads') })],
  ])('%s with a picture: the picture is sent along', async (_, make, more) => {
    const one = await open({ dataset: make(), now: NOW, ...(typeof more === 'function' ? more() : more) });
    const { bytes, sizes } = await imageOf(one);
    expect(bytes.equals(readFileSync(PICTURE))).toBe(true);
    expect(sizes).toContain('thumbnail');
    await one.reset();
    expect((await imageOf(one)).bytes.equals(bytes)).toBe(true);
  });

  test('several files of different formats', async () => {
    const csv = write('more.csv', 'Event Name,Event Start Date,Event Start Time,Event End Time\nCinema,2026-07-01,20:00,22:00\n');
    expect(await titles(await open({ dataset: [write('calendar.yaml', YAML), csv], now: NOW }))).toEqual(['Open Stage', 'Cinema']);
  });

  test('problems are reported with file and line', async () => {
    const file = write('broken.yaml', YAML.replace('2026/poster.jpg', 'lost.jpg').replace('+1d 20:00', 'soon'));
    const lost = path.join(folder, 'uploads/lost.jpg');
    const error = await open({ dataset: file }).catch((reason: Error) => reason);
    expect((error as Error).message).toBe(`${file}: 2 problems
  line 3: media[0].file: file not found: ${lost}
  line 5: events[0].start: invalid date "soon". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin`);
    const invalid = await open({ dataset: { events: [{ title: 'X', start: 'later', duration: '1h' }] } }).catch((reason: Error) => reason);
    // Test runners also print causes.
    expect(invalid).not.toHaveProperty('cause');
    await expect(open({ dataset: { events: [{ title: 'X', start: 'soon', duration: '1h' }] } })).rejects.toThrow(
      /^The dataset: events\[0\]\.start: invalid date "soon"/,
    );
    await expect(open({ dataset: write('notes.txt', 'Hello') })).rejects.toThrow(`${path.join(folder, 'notes.txt')}: unknown format`);
  });
});

describe('a server with a dataset of relative dates', () => {
  const own = startTestServer({ dataset: { events: [{ title: 'Tomorrow', start: '+1d 20:00', duration: '1h' }] } });
  beforeAll(() => {
    process.env['UNDERSTUDY_URL'] = own().url;
  });
  afterAll(() => {
    process.env['UNDERSTUDY_URL'] = server().url;
  });

  test('its dates are relative to the time of the helper, also after a reset', async () => {
    const all = await Promise.all(
      ['2031-03-03T12:00:00Z', '2033-05-05T12:00:00Z', '2031-03-03T12:00:00Z'].map((now) => Understudy.open({ now })),
    );
    for (const understudy of all) {
      expect(await titles(understudy)).toEqual(['Tomorrow']);
      await understudy.clock.advance('3 days');
      expect(await titles(understudy)).toEqual([]);
      await understudy.reset();
      expect(await titles(understudy)).toEqual(['Tomorrow']);
    }
    const dates = await Promise.all(all.map(async ({ client }) => (await client.events.list()).events[0].start_date));
    expect(dates).toEqual(['2031-03-04 20:00:00', '2033-05-06 20:00:00', '2031-03-04 20:00:00']);
    await Promise.all(all.map((understudy) => understudy.close()));
  });
});

describe('options', () => {
  test('the credentials of the administrator', async () => {
    const understudy = await Understudy.open({ dataset });
    expect(understudy.adminAuth).toEqual({ login: 'admin', password: PASSWORD });
    await understudy.seed({ users: [{ login: 'ada', role: 'administrator' }] });
    expect(understudy.adminAuth).toEqual({ login: 'ada', password: PASSWORD });
    expect(await understudy.admin.events.list()).toMatchObject({ total: 0 });
    await understudy.close();
  });

  test('unknown options are errors', async () => {
    await expect(Understudy.open({ datset: 'calendar.json' } as UnderstudyOptions)).rejects.toThrow(
      'Unknown option "datset". Did you mean "dataset"?',
    );
  });

  test('options of the server', async () => {
    const own = 'uploads create now dataset url sandbox tecVersion wordpress zones scenarios webhooks'.split(' ');
    const set = 'config host port data ephemeral qa watch mongodbUri'.split(' ');
    expect([...FURTHER_OPTIONS, ...own, ...set].sort()).toEqual(expect.arrayContaining(OPTIONS.map(({ name }) => name).sort()));
    await expect(Understudy.open({ profile: 'standard', url: 'http://127.0.0.1:1' })).rejects.toThrow(
      '"profile" is an option of a server that the tests start.',
    );
  });

  test('a server that does not respond is reported within two seconds', async () => {
    const { UNDERSTUDY_URL: url } = process.env;
    // The socket reads, so that it notices when the client disconnects.
    const silent = net.createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const started = performance.now();
    for (const port of [(silent.address() as net.AddressInfo).port, 1]) {
      process.env['UNDERSTUDY_URL'] = `http://127.0.0.1:${port}`;
      const message = `The server at UNDERSTUDY_URL (http://127.0.0.1:${port}) does not respond.`;
      await expect(Understudy.open({})).rejects.toThrow(message);
    }
    process.env['UNDERSTUDY_URL'] = url;
    expect(performance.now() - started).toBeLessThan(4_500);
    silent.close();
  });
});

test('Playwright: one sandbox per worker, reset for each test', async () => {
  const options = { dataset, now: NOW };
  const extended: unknown = withUnderstudy({ extend: (fixtures: FixtureTable) => Object.keys(fixtures) }, options);
  expect(extended).toEqual(['understudySandbox', 'understudy']);
  const table = understudyFixtures(options);
  const [worker, { scope }] = table.understudySandbox;
  const seen: string[][] = [];
  await worker({}, async (understudySandbox) => {
    for (const title of ['One', 'Two']) {
      await table.understudy(
        { understudySandbox },
        async (understudy) => {
          await understudy.admin.events.create({ title, ...times });
          seen.push(await titles(understudy));
        },
        finishedTest(),
      );
    }
  });
  expect({ scope, seen }).toEqual({
    scope: 'worker',
    seen: [
      ['One', 'Open Stage'],
      ['Two', 'Open Stage'],
    ],
  });
});

describe('strict', () => {
  const ask = (understudy: Understudy, query: string): Promise<Response> => fetch(`${understudy.restUrl}/tribe/events/v1/events?${query}`);

  test('fails the test whose requests contain something that is ignored, and names them', async () => {
    const { understudy, run, end } = runByHand({ dataset, now: NOW, strict: true });
    const failed = run(async () => {
      await ask(understudy, 'venue_id=14');
      await ask(understudy, 'venue_id=14');
      await ask(understudy, 'venue=14');
      await understudy.admin.events.create({ title: 'Mine', ...times, startDate: 'x' } as never);
    });
    await expect(failed).rejects.toMatchObject({
      name: 'IgnoredError',
      message: [
        'The client sent parameters or fields that the service silently ignores:',
        '  GET /wp-json/tribe/events/v1/events?venue_id=14 (2 times)',
        '    "venue_id" is not a parameter here and is ignored: did you mean "venue"?',
        '  POST /wp-json/tribe/events/v1/events',
        '    "startDate" is not a field here and is ignored: did you mean "start_date"?',
        'Correct the requests, or allow these names: strict: { allow: [...] }.',
      ].join('\n'),
    });
    await run(() => ask(understudy, 'venue=14'));
    await end();
  });

  test('allows names, names in some requests, and for a single test', async () => {
    const allow = ['utm_*', { path: '/tribe/events/v1/venues/**', name: 'x' }, { method: 'POST', path: '**/tags', name: '*' }];
    const { understudy, run, end } = runByHand({ dataset, now: NOW, strict: { allow } });
    await run(() => ask(understudy, 'utm_source=mail&utm_medium=web'));
    await run(() => fetch(`${understudy.restUrl}/tribe/events/v1/venues?x=1`));
    await run(() => understudy.admin.tags.create({ name: 'Music', colour: 'red' } as never));
    await expect(run(() => ask(understudy, 'x=1'))).rejects.toThrow('"x" is not a parameter here');
    await run(async () => {
      understudy.allow('x');
      await ask(understudy, 'x=1');
    });
    await expect(run(() => ask(understudy, 'x=1'))).rejects.toThrow('"x" is not a parameter here');
    await end();
  });

  test('is off by default', async () => {
    const { understudy, run, end } = runByHand({ dataset, now: NOW });
    await run(() => ask(understudy, 'x=1'));
    await understudy.check();
    await end();
  });

  test('Playwright: fails in the fixture', async () => {
    const table = understudyFixtures({ dataset, now: NOW, strict: true });
    const [worker] = table.understudySandbox;
    await worker({}, async (understudySandbox) => {
      const used = table.understudy({ understudySandbox }, async (understudy) => void (await ask(understudy, 'x=1')), finishedTest());
      await expect(used).rejects.toThrow('"x" is not a parameter here');
      await table.understudy({ understudySandbox }, async (understudy) => void (await ask(understudy, 'page=1')), finishedTest());
    });
  });
});
