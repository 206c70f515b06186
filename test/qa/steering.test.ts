import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { replay } from '../conformance/replay-run.mjs';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD, journal: 60 });
const API = '/wp-json/tribe/events/v1';
const AS_ADMIN = { authorization: signIn('admin'), 'content-type': 'application/json' };

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Whatever the text is as JSON. */
  json: Any;
  /** The connection ended before the answer did. */
  isCut: boolean;
  ms: number;
}
/** JSON of whatever shape: the expectations say which. */
type Any = ReturnType<typeof JSON.parse>;

const send = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}, base = server().url): Promise<Answer> =>
  new Promise((resolve) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const started = performance.now();
    const chunks: Buffer[] = [];
    const finish = (status: number, answered: IncomingHttpHeaders, isCut: boolean): void => {
      const whole = Buffer.concat(chunks).toString();
      let json = {} as Any;
      try {
        json = JSON.parse(whole);
      } catch {
        // Pages and broken answers are text.
      }
      resolve({ status, headers: answered, text: whole, json, isCut, ms: performance.now() - started });
    };
    const sent = httpRequest(`${base}${at}`, {
      method,
      agent: false,
      headers: { 'content-length': String(Buffer.byteLength(text)), ...headers },
    });
    sent.on('response', (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish(response.statusCode ?? 0, response.headers, false));
      response.on('error', () => finish(response.statusCode ?? 0, response.headers, true));
    });
    sent.on('error', () => finish(0, {}, true));
    sent.end(text);
  });

const event = (title: string): object => ({ title, start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });
const create = async (title: string): Promise<number> => (await send('POST', `${API}/events`, event(title), AS_ADMIN)).json.id;

beforeEach(async () => {
  await send('DELETE', '/__qa/faults');
  await send('DELETE', '/__qa/journal');
});

describe('the table of the test surface', () => {
  test('its index, its document and what is answered agree', async () => {
    const index = (await send('GET', '/__qa/')).json;
    const doc = (await send('GET', '/__qa/doc')).json;
    const listed = Object.entries<Any>(index.routes).map(([route, { endpoints }]) => [
      route,
      endpoints.flatMap(({ methods }: Any) => methods),
    ]);
    const documented = Object.entries<Any>(doc.paths).map(([route, operations]) => [
      route,
      Object.keys(operations).map((name) => name.toUpperCase()),
    ]);
    expect(documented).toEqual(listed);
    expect(listed.map(([route]) => route)).toEqual(
      expect.arrayContaining(['/__qa', '/__qa/doc', '/__qa/health', '/__qa/reset', '/__qa/clock', '/__qa/snapshots/{name}/restore']),
    );
    expect(await new Validator().validate(doc)).toMatchObject({ valid: true });
  });

  test.each([
    ['GET', '/__qa/nothing', 404],
    ['DELETE', '/__qa/reset', 405],
    ['GET', '/__qax', 404],
    ['PUT', '/__qa/snapshots/%zz', 400],
    ['PUT', '/__qa/snapshots/pristine', 400],
    ['PUT', '/__qa/snapshots/a.b', 400],
    ['POST', '/__qa/snapshots/never/restore', 404],
    ['DELETE', '/__qa/snapshots/never', 404],
    ['DELETE', '/__qa/faults/999', 404],
    ['GET', '/__qa/journal/999', 404],
    ['GET', '/__qa/journal?statuss=4xx', 400],
    ['GET', '/__qa/journal?status=9xx', 400],
    ['GET', '/__qa/journal?since=then', 400],
  ])('%s %s is %i', async (method, at, status) => expect((await send(method, at)).status).toBe(status));

  test('passwords that come in bodies are not written down', async () => {
    await send('DELETE', '/__qa/journal');
    await send('POST', '/wp-login.php', { log: 'admin', pwd: 'a very secret one' });
    await send('POST', '/?rest_route=%2Fwp%2Fv2%2Fusers%2Fme%2Fapplication-passwords', { name: 'a very secret one' });
    const { json } = await send('GET', '/__qa/journal');
    const entries = json.entries as unknown as { id: number }[];
    expect(entries).toHaveLength(2);
    for (const { id } of entries) expect(JSON.stringify((await send('GET', `/__qa/journal/${id}`)).json)).not.toMatch(/a very secret one/);
  });

  test('pages elsewhere and names that are not the server’s are refused', async () => {
    expect((await send('POST', '/__qa/reset', undefined, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send('GET', '/__qa/journal', undefined, { host: 'evil.example' })).status).toBe(403);
  });
});

describe('where others can reach it', () => {
  const dataset = path.join(path.dirname(fileURLToPath(import.meta.url)), 'small.json');
  const headers = ['X-Understudy-Now: 2031-05-05T12:00:00Z'];
  const open = startTestServer({ host: '0.0.0.0', qaToken: 'only-for-this-test', headers, sandbox: 'usual', dataset });
  const bare = startTestServer({ host: '0.0.0.0', dataset });
  const off = startTestServer({ qa: false, dataset });
  const base = (of: typeof open): string => of().url.replace('localhost', '127.0.0.1');

  test('the test surface needs the token', async () => {
    const token = { 'x-understudy-token': 'only-for-this-test' };
    expect((await send('GET', '/__qa/health', undefined, {}, base(open))).status).toBe(401);
    expect((await send('GET', '/__qa/health', undefined, { 'x-understudy-token': 'another-one' }, base(open))).status).toBe(401);
    expect((await send('GET', '/__qa/health', undefined, token, base(open))).json).toMatchObject({ status: 'ok', sandbox: 'usual' });
    expect((await send('GET', '/__qa/health', undefined, { authorization: 'Bearer only-for-this-test' }, base(open))).status).toBe(200);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, {}, base(open))).status).toBe(404);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, token, base(open))).status).toBe(200);
    expect((await send('GET', `/__sandbox/mine${API}/events`, undefined, {}, base(open))).status).toBe(200);
  });

  test('an unchanged client is steered by the server’s settings', async () => {
    const { json } = await send('GET', `${API}/events`, undefined, {}, base(open));
    expect(json.rest_url).toContain('start_date=2031-05-04');
  });

  test.each<[string, typeof open]>([
    ['without a token', bare],
    ['switched off', off],
  ])('%s it is not there', async (_name, which) => {
    expect((await send('POST', '/__qa/reset', undefined, {}, base(which))).status).toBe(404);
    expect((await send('GET', '/__qa/health', undefined, {}, base(which))).status).toBe(404);
    expect([(await send('GET', '/__qa/ui', undefined, {}, base(which))).status, which().explorerUrl]).toEqual([404, null]);
  });
});

describe('going back', () => {
  const media = async (): Promise<string[]> =>
    (await readdir(server().site.uploads, { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map(({ name }) => name)
      .sort();

  test('a snapshot keeps content, files and clock; a reset goes back behind it', async () => {
    const files = await media();
    const id = await create('Kept');
    await writeFile(path.join(server().site.uploads, 'added.txt'), 'added');
    await send('PUT', '/__qa/clock', { now: '2027-01-01T00:00:00Z' });
    expect((await send('PUT', '/__qa/snapshots/one')).status).toBe(201);
    expect((await send('GET', '/__qa/snapshots')).json.snapshots).toMatchObject([{ name: 'one' }]);

    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events/${id}`)).status).toBe(404);
    expect(await media()).toEqual(files);
    await rm(path.join(server().site.uploads, files[0]), { force: true });

    expect((await send('POST', '/__qa/snapshots/one/restore')).json.restored).toBe('one');
    expect((await send('GET', `${API}/events/${id}`)).json.title).toBe('Kept');
    expect((await send('GET', '/__qa/clock')).json.now).toBe('2027-01-01T00:00:00.000Z');
    expect(await media()).toEqual([...files, 'added.txt'].sort());
    expect((await send('DELETE', '/__qa/snapshots/one')).status).toBe(200);
    expect((await send('GET', '/__qa/snapshots')).json.snapshots).toEqual([]);
    await send('POST', '/__qa/reset');
    expect(await media()).toEqual(files);
  });

  test('whoever writes meanwhile waits, and nobody gets an error', async () => {
    const writes = Array.from({ length: 24 }, (_, i) => send('POST', `${API}/events`, event(`Meanwhile ${i}`), AS_ADMIN));
    const resets = Array.from({ length: 4 }, () => send('POST', '/__qa/reset'));
    const statuses = (await Promise.all([...writes, ...resets])).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events?search=meanwhile&start_date=2026-09-01`)).json.total ?? 0).toBe(0);
  });

  test('a dataset that is wrong changes nothing and tells what is wrong', async () => {
    const { status, json } = await send('POST', '/__qa/seed', {
      events: [{ title: 'A', start: '+1d 10:00', duration: '1h', venue: 'none' }],
    });
    expect([status, json.code, json.data.problems[0]]).toEqual([
      400,
      'understudy_invalid_dataset',
      expect.stringContaining('events[0].venue'),
    ]);
    expect((await send('POST', '/__qa/seed', '{')).status).toBe(400);
    expect((await send('GET', `${API}/events`)).json.total).toBeGreaterThan(1);
  });

  test('a seed may be for once, until the next reset', async () => {
    const seed = { clock: '2026-01-01T00:00:00Z', events: [{ title: 'For once', start: '+1d 10:00', duration: '1h' }] };
    const before = (await send('GET', `${API}/events`)).json.total;
    expect((await send('POST', '/__qa/seed?pristine=false', seed)).json).toMatchObject({ seeded: true, posts: 1 });
    expect((await send('GET', `${API}/events`)).json).toMatchObject({ total: 1, events: [{ title: 'For once' }] });
    await send('POST', '/__qa/reset');
    expect((await send('GET', `${API}/events`)).json.total).toBe(before);
  });
});

describe('faults', () => {
  const EVENTS = `${API}/events?per_page=2`;
  const add = async (rule: object): Promise<Answer> => send('POST', '/__qa/faults', rule);

  test.each<[string, object, (answer: Answer) => unknown, unknown]>([
    ['a delay', { effect: { delay: 150 } }, ({ status, ms }) => [status, ms >= 145], [200, true]],
    ['400', { effect: { status: 400 } }, ({ status, json }) => [status, json.code], [400, 'rest_invalid_param']],
    ['401', { effect: { status: 401 } }, ({ status, json }) => [status, json.code], [401, 'rest_forbidden']],
    ['404', { effect: { status: 404 } }, ({ status, json }) => [status, json.code], [404, 'rest_no_route']],
    ['429', { effect: { status: 429 } }, ({ status, headers }) => [status, headers['retry-after']], [429, '60']],
    ['500', { effect: { status: 500 } }, ({ status, json }) => [status, json.data.status], [500, 500]],
    ['503', { effect: { status: 503 } }, ({ status, text }) => [status, text.startsWith('<!DOCTYPE html>')], [503, true]],
    ['418', { effect: { status: 418 } }, ({ status, json }) => [status, json.code], [418, 'rest_error']],
    ['own body', { effect: { status: 402, body: { pay: true } } }, ({ status, json }) => [status, json], [402, { pay: true }]],
    [
      'own text',
      { effect: { status: 500, body: 'Oops', headers: { 'X-Why': 'test' } } },
      ({ text, headers }) => [text, headers['x-why']],
      ['Oops', 'test'],
    ],
    ['dropped before', { effect: { drop: 'before' } }, ({ status, isCut }) => [status, isCut], [0, true]],
    [
      'dropped in the middle',
      { effect: { drop: 'mid-body' } },
      ({ status, isCut, text }) => [status, isCut, text.length > 0],
      [200, true, true],
    ],
    [
      'cut in half',
      { effect: { truncate: true } },
      ({ status, isCut, text }) => [status, isCut, text.length > 100, text.endsWith('}')],
      [200, false, true, false],
    ],
    ['cut to ten bytes', { effect: { truncate: 10 } }, ({ text, headers }) => [text.length, headers['content-length']], [10, '10']],
    [
      'slow',
      { effect: { bytesPerSecond: 20_000, truncate: 5000 } },
      ({ headers, isCut, ms }) => [headers['content-length'], isCut, ms > 200],
      ['5000', false, true],
    ],
    ['late and wrong', { effect: { delay: { uniform: [50, 60] }, status: 504 } }, ({ status, ms }) => [status, ms >= 49], [504, true]],
    ['forbidden', { profile: 'forbidden' }, ({ status, json }) => [status, json.code], [403, 'rest_forbidden']],
    ['rest-disabled', { profile: 'rest-disabled' }, ({ status, json }) => [status, json.code], [401, 'rest_login_required']],
    ['maintenance', { profile: 'maintenance' }, ({ status, headers }) => [status, headers['retry-after']], [503, '600']],
  ])('%s', async (_name, rule, look, expected) => {
    expect((await add({ ...rule, times: 1 })).status).toBe(201);
    expect(look(await send('GET', EVENTS))).toEqual(expected);
    const after = await send('GET', EVENTS);
    expect([after.status, after.json.events.length]).toEqual([200, 2]);
    expect((await send('GET', '/__qa/faults')).json.faults).toMatchObject([{ hits: 1 }]);
  });

  test.each<[object, [string, string, Record<string, string>?], boolean]>([
    [{ method: 'POST' }, ['GET', EVENTS], false],
    [{ method: ['get', 'post'] }, ['GET', EVENTS], true],
    [{ path: '/wp-json/tribe/events/v1/events' }, ['GET', EVENTS], true],
    [{ path: '/tribe/events/v1/events' }, ['GET', '/?rest_route=/tribe/events/v1/events'], true],
    [{ path: '/tribe/**' }, ['GET', '/wp-json/wp/v2/tags'], false],
    [{ path: '/tribe/events/v1/events/*' }, ['GET', EVENTS], false],
    [{ regex: 'per_page=\\d$' }, ['GET', EVENTS], true],
    [{ query: { per_page: '2' } }, ['GET', EVENTS], true],
    [{ query: { per_page: '3' } }, ['GET', EVENTS], false],
    [{ query: { page: '*' } }, ['GET', EVENTS], false],
    [{ headers: { 'X-Client': 'app*' } }, ['GET', EVENTS, { 'x-client': 'app/2' }], true],
  ])('a rule for %j meets %j: %s', async (match, [method, at, headers], isMet) => {
    await add({ match, effect: { status: 418 } });
    expect((await send(method, at, undefined, headers)).status === 418).toBe(isMet);
  });

  test('they come in turn: those that are used up or wait are passed over', async () => {
    await add({ effect: { status: 500 }, times: 1, skip: 1 });
    await add({ effect: { status: 503 }, times: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await send('GET', EVENTS)).status);
    expect(statuses).toEqual([503, 500, 503, 200, 200]);
  });

  test('nothing happens to the test surface, nor to those who are signed in while only visitors are kept out', async () => {
    await add({ profile: 'rest-disabled' });
    expect((await send('GET', EVENTS, undefined, AS_ADMIN)).status).toBe(200);
    await add({ profile: 'maintenance' });
    expect((await send('GET', '/__qa/health')).status).toBe(200);
    expect((await send('DELETE', '/__qa/faults/1')).status + (await send('DELETE', '/__qa/faults')).status).toBeGreaterThan(0);
    expect((await send('GET', EVENTS)).status).toBe(200);
  });

  test.each([
    {},
    { effect: {} },
    { effect: { status: 99 } },
    { effect: { staus: 500 } },
    { effect: { delay: 'long' } },
    { effect: { body: 'x' } },
    { effect: { drop: 'before', status: 500 } },
    { effect: { status: 500 }, match: { regex: '(' } },
    { effect: { status: 500 }, match: { paht: '/x' } },
    { effect: { status: 500 }, time: 3 },
    { profile: 'nothing' },
    { profile: 'forbidden', effect: { status: 500 } },
  ])('%j is refused', async (rule) => expect((await add(rule)).status).toBe(400));
});

describe('the journal', () => {
  const list = async (query = ''): Promise<Any> => (await send('GET', `/__qa/journal?${query}`)).json;

  test('tells what was asked and answered, and no secrets', async () => {
    const id = await create('Written down');
    await send('GET', `${API}/events/${id}`, undefined, { 'accept-encoding': 'gzip' });
    const { total, entries } = await list();
    expect([total, entries.map(({ method, status, user }: Any) => [method, status, user])]).toEqual([
      2,
      [
        ['POST', 201, 'admin'],
        ['GET', 200, null],
      ],
    ]);
    expect(entries[0]).toMatchObject({
      request: { headers: { authorization: 'Basic ***' }, body: { title: 'Written down' } },
      clock: expect.any(String),
    });
    const whole = (await send('GET', `/__qa/journal/${String(entries[1].id)}`)).json;
    expect(whole.response.body).toMatchObject({ id, title: 'Written down' });
    expect(JSON.stringify([entries, whole])).not.toContain(signIn('admin').slice(6));
  });

  test('is filtered, and forgets the oldest', async () => {
    for (let i = 0; i < 70; i += 1) await send('GET', `${API}/venues/${i % 2 === 0 ? 13 : 999_999}`);
    await send('GET', '/wp-json/wp/v2/tags');
    const { total, entries } = await list('limit=1000');
    expect([total, entries.length]).toEqual([60, 60]);
    expect((await list('status=4xx&limit=1')).entries).toHaveLength(1);
    expect((await list('status=4xx')).total + (await list('status=2xx')).total).toBe(60);
    expect((await list('path=/wp/v2/*')).total).toBe(1);
    expect((await list(`since=${String(entries[57].id)}`)).total).toBe(2);
    expect((await list('user=admin')).total).toBe(0);
    expect((await list('method=POST')).total).toBe(0);
    expect((await send('DELETE', '/__qa/journal')).json.deleted).toBe(60);
    expect((await list()).total).toBe(0);
  });

  test.each<[string, string, object | string | undefined, string[]]>([
    ['GET', 'events?venue_id=3&per_page=2', undefined, ['"venue_id" is not a parameter here and is ignored: did you mean "venue"?']],
    [
      'GET',
      'events?perPage=2&_fields=id&_embed',
      undefined,
      ['"perPage" is not a parameter here and is ignored: did you mean "per_page"?'],
    ],
    ['GET', 'events/1?zebra=1', undefined, ['"zebra" is not a parameter here and is ignored.']],
    ['GET', 'nowhere?zebra=1', undefined, []],
    [
      'POST',
      'events',
      { title: 'X', start_date: '2026-09-01', end_date: '2026-09-02', startDate: 'x' },
      ['"startDate" is not a field here and is ignored: did you mean "start_date"?'],
    ],
    ['POST', 'events', 'title=X&venue_id=3', ['"venue_id" is not a field here and is ignored: did you mean "venue"?']],
    [
      'POST',
      'events',
      { title: 'X', venue: { venue: 'New', adress: 'Street 1' } },
      ['"venue.adress" is not a field here and is ignored: did you mean "venue.address"?'],
    ],
    [
      'POST',
      'events',
      { title: 'X', organizer: [{ organizer: 'New', mail: 'a@b.c' }, { id: 4 }] },
      ['"organizer.mail" is not a field here and is ignored: did you mean "organizer.email"?'],
    ],
  ])('%s %s with %j is linted', async (method, route, body, messages) => {
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    await send(method, `${API}/${route}`, body, body === undefined ? {} : { 'content-type': type });
    await send(method, `${API}/${route}`, body, body === undefined ? {} : { 'content-type': type });
    const { entries } = await list();
    expect((entries[0].warnings ?? []).map(({ message }: Any) => message)).toEqual(messages);
    const { warnings } = (await send('GET', '/__qa/journal/lint')).json;
    expect(warnings.map(({ message, count }: Any) => [message, count])).toEqual(messages.map((message) => [message, 2]));
  });

  test.each([
    ['tribe/events/v1/events', ['"image" is a file, and files are ignored here: send it to /wp/v2/media first, and then its id.']],
    ['wp/v2/media', []],
  ])('a file that is sent to %s is linted', async (route, messages) => {
    const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nbytes\r\n--x--\r\n';
    await send('POST', `/wp-json/${route}`, form, { 'content-type': 'multipart/form-data; boundary=x' });
    const { warnings } = (await send('GET', '/__qa/journal/lint')).json;
    expect(warnings.map(({ message }: Any) => message)).toEqual(messages);
  });

  test('is held against what was expected', async () => {
    await create('Expected');
    await send('GET', `${API}/venues?page=2`);
    const verify = async (expectation: object): Promise<Any> => (await send('POST', '/__qa/journal/verify', expectation)).json;
    expect(await verify({ method: 'POST', path: '/tribe/events/v1/events', body: { title: 'Expected' }, count: 1 })).toMatchObject({
      verified: true,
      found: 1,
    });
    expect(await verify({ path: '/tribe/**', status: 201, user: 'admin' })).toMatchObject({ verified: true });
    expect(await verify({ path: '/tribe/**', atMost: 1 })).toMatchObject({ verified: false, found: 2 });
    expect(await verify({ path: '/nothing/**', count: 0 })).toMatchObject({ verified: true });
    const missed = await verify({ method: 'GET', path: '/tribe/events/v1/venues', query: { page: '3' } });
    expect(missed).toMatchObject({ verified: false, found: 0, expected: 'at least 1' });
    expect(missed.nearMisses[0]).toMatchObject({ method: 'GET', differences: ['query page: expected "3", was "2"'] });
    const title = await verify({ method: 'POST', body: { title: 'Another' } });
    expect(title.nearMisses[0].differences).toEqual(['body.title: expected "Another", was "Expected"']);
  });

  test('saves a span as a scenario that replays', async () => {
    await send('POST', '/__qa/reset');
    await send('DELETE', '/__qa/journal');
    const id = await create('Saved as a case');
    await send('POST', `${API}/events/${id}`, 'title=Changed', { ...AS_ADMIN, 'content-type': 'application/x-www-form-urlencoded' });
    await send('GET', `${API}/events/${id}`);
    await send('DELETE', `${API}/events/${id}`, undefined, { authorization: AS_ADMIN.authorization });
    await send('GET', `${API}/events/${id}`);
    const { entries } = await list();
    const [first, last] = [entries[0].id, entries[4].id];
    const saved = await send('GET', `/__qa/journal/${first}/case?to=${last}&name=saved`);
    expect(saved.json).toMatchObject({ name: 'saved', writes: true, steps: [{ capture: { new1: 'id' } }, {}, {}, {}, {}] });
    expect(saved.json.steps[2].request).toEqual({ method: 'GET', path: '/tribe/events/v1/events/{{new1}}', as: null });
    expect(saved.text).not.toContain(server().url);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-case-'));
    try {
      await writeFile(path.join(folder, 'saved.json'), saved.text);
      await send('POST', '/__qa/reset');
      // The next event has another id.
      await create('In between');
      const { restUrl } = server();
      const report = await replay({ restUrl, namespace: 'tribe/events/v1', cases: folder });
      expect(report.scenarios.flatMap(({ steps }) => steps.flatMap(({ diffs }) => diffs))).toEqual([]);
      expect(report).toMatchObject({ failed: 0, passed: 1 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('saves no scenario of what a fault answered', async () => {
    await send('POST', '/__qa/faults', { effect: { status: 500 }, times: 1 });
    await send('GET', `${API}/events`);
    const { entries } = await list();
    expect((await send('GET', `/__qa/journal/${String(entries[0].id)}/case`)).status).toBe(409);
  });
});
