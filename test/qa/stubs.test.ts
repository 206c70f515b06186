import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { API, AS_ADMIN, send, server, type Answer, type Any } from './steering.js';

const SEATS = '/wp-json/acme/v1/seats';

const add = async (stub: object, base?: string): Promise<Answer> => send('POST', '/__qa/stubs', stub, {}, base);
const list = async (base?: string): Promise<Any[]> => (await send('GET', '/__qa/stubs', undefined, {}, base)).json.stubs;

afterEach(async () => {
  await send('DELETE', '/__qa/stubs');
  await send('POST', '/__qa/reset');
});

describe('stubs', () => {
  test.each<[string, string, string]>([
    ['a route that the site does not have', 'GET', SEATS],
    ['a route that it has', 'GET', `${API}/events?per_page=2`],
    ['a path that is none of the REST API', 'POST', '/graphql'],
    ['a page', 'GET', '/events/'],
    ['another way to a route', 'GET', '/?rest_route=/acme/v1/seats'],
  ])('respond to %s', async (_what, method, at) => {
    const before = (await send(method, at)).status;
    const { status, json } = await add({ respond: { status: 418, headers: { 'X-Why': 'test' }, body: { left: 3 } } });
    expect([status, json]).toEqual([201, expect.objectContaining({ id: expect.any(Number), seen: 0, hits: 0 })]);
    const answer = await send(method, at);
    expect([answer.status, answer.json, answer.headers['x-why'], answer.headers['content-type']]).toEqual([
      418,
      { left: 3 },
      'test',
      'application/json; charset=UTF-8',
    ]);
    await send('DELETE', `/__qa/stubs/${json.id}`);
    expect((await send(method, at)).status).toBe(before);
  });

  test('never respond to the test API', async () => {
    await add({ respond: { status: 418 } });
    expect((await send('GET', '/__qa/clock')).status).toBe(200);
  });

  test('are matched by method, path, query, header and body', async () => {
    const match = {
      method: 'POST',
      path: '/acme/v1/*',
      query: { lang: 'de*' },
      headers: { 'X-Client': 'app*' },
      body: { query: '*events*', variables: { first: 5 } },
    };
    await add({ match, respond: { body: 'matched' } });
    const body = { query: 'query { events }', variables: { first: 5, after: 'x' } };
    const post = async (sent: unknown, at = `${SEATS}?lang=de_DE`, client = 'app/2'): Promise<boolean> =>
      (await send('POST', at, sent, { 'content-type': 'application/json', 'x-client': client })).text === 'matched';
    expect([
      await post(body),
      await post({ ...body, variables: { first: 6 } }),
      await post('not JSON'),
      await post(body, SEATS),
      await post(body, undefined, 'web'),
    ]).toEqual([true, false, false, false, false]);
  });

  test('fill templates with values of the request, at the time of the site', async () => {
    await send('PUT', '/__qa/clock', { now: '2026-06-15T12:00:00Z', frozen: true });
    await add({
      match: { path: '/acme/v1/**' },
      respond: {
        headers: { Location: '/seats/{{request.body.title}}' },
        body: { page: '{{request.query.page}}', seat: '{{request.pathSegments.4}}', title: '{{request.body.title}}', now: '{{now}}' },
      },
    });
    const answer = await send('POST', `${SEATS}/7?page=2`, 'title=Caf%C3%A9+%E2%82%AC', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer.json).toEqual({ page: '2', seat: '7', title: 'Café €', now: '2026-06-15T12:00:00.000Z' });
    expect(answer.headers.location).toBe('/seats/Caf%C3%A9 %E2%82%AC');
    const later = await send('GET', SEATS, undefined, { 'x-understudy-now': '2027-01-01T00:00:00Z' });
    expect(later.json.now).toBe('2027-01-01T00:00:00.000Z');
  });

  test('the one with the highest priority responds, then the one that was added last', async () => {
    await add({ respond: { body: 'first' } });
    await add({ respond: { body: 'second' } });
    await add({ respond: { body: 'once' }, times: 1, skip: 1, priority: 5 });
    await add({ respond: { body: 'last resort' }, priority: -1 });
    const texts: string[] = [];
    for (let i = 0; i < 3; i += 1) texts.push((await send('GET', SEATS)).text);
    expect(texts).toEqual(['second', 'once', 'second']);
    expect((await list()).map(({ respond, seen, hits }) => [respond.body, seen, hits])).toEqual([
      ['once', 2, 1],
      ['second', 2, 2],
      ['first', 0, 0],
      ['last resort', 0, 0],
    ]);
  });

  test('are delayed', async () => {
    await add({ delay: 150, respond: { body: 'late' } });
    const { ms, text } = await send('GET', SEATS);
    expect([text, ms >= 145]).toEqual(['late', true]);
  });

  test('a delay holds up no reset', async () => {
    await add({ delay: 1500, respond: { body: 'late' } });
    const [answer, reset] = await Promise.all([send('GET', SEATS), send('POST', '/__qa/reset')]);
    expect([answer.text, reset.status, reset.ms < answer.ms]).toEqual(['late', 200, true]);
  });

  test('faults come first, and disturb what stubs respond', async () => {
    await add({ respond: { body: '0123456789' } });
    await send('POST', '/__qa/faults', { effect: { status: 503 }, times: 1 });
    await send('POST', '/__qa/faults', { effect: { delay: 60, truncate: 4 }, times: 1 });
    expect((await send('GET', SEATS)).status).toBe(503);
    const cut = await send('GET', SEATS);
    expect([cut.text, cut.ms >= 55]).toEqual(['0123', true]);
    expect((await send('GET', SEATS)).text).toBe('0123456789');
    expect(await list()).toMatchObject([{ hits: 2 }]);
  });

  test('a fault is matched by the body of the request, too', async () => {
    await send('POST', '/__qa/faults', { match: { method: 'POST', body: { title: 'Jazz*' } }, effect: { status: 500 } });
    const statuses = ['Jazz night', 'Rock'].map(
      async (title) => (await send('POST', `${API}/tags`, { name: 'x', title }, AS_ADMIN)).status,
    );
    expect(await Promise.all(statuses)).toEqual([500, 201]);
  });

  test('a cached response is not sent past them', async () => {
    const LIST = `${API}/events?per_page=1`;
    for (let i = 0; i < 3; i += 1) await send('GET', LIST);
    await add({ match: { path: '/tribe/events/v1/events' }, times: 1, respond: { body: 'stubbed' } });
    expect((await send('GET', LIST)).text).toBe('stubbed');
    expect((await send('GET', LIST)).json.events).toHaveLength(1);
  });

  test('HEAD has the headers, and no body', async () => {
    await add({ respond: { headers: { 'X-Total': '3' }, body: 'a body' } });
    const { status, headers, text } = await send('HEAD', SEATS);
    expect([status, headers['x-total'], text]).toEqual([200, '3', '']);
  });

  test('pages of other origins may read them, after asking', async () => {
    await add({ match: { method: 'PUT', path: '/acme/v1/**', headers: { 'x-client': '*' } }, times: 1, respond: { body: 'mine' } });
    const ask = async (method: string): Promise<Answer> =>
      send('OPTIONS', '/wp-json/acme/v1/seats', undefined, {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'x-client, content-type',
      });
    const { status, headers } = await ask('PUT');
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
      204,
      'https://app.example',
      'x-client, content-type',
    ]);
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect((await ask('DELETE')).status).not.toBe(204);
    const answer = await send('PUT', SEATS, undefined, { origin: 'https://app.example', 'x-client': 'app' });
    expect([answer.text, answer.headers['access-control-allow-origin']]).toEqual(['mine', 'https://app.example']);
    expect((await ask('PUT')).status).not.toBe(204);
  });

  test('a stub for OPTIONS responds to what browsers ask, too', async () => {
    await add({ match: { method: 'OPTIONS' }, respond: { status: 403 } });
    expect((await send('OPTIONS', SEATS, undefined, { 'access-control-request-method': 'GET' })).status).toBe(403);
  });

  test.each<[object, RegExp]>([
    [{}, /requires "respond" or "from"/],
    [{ respond: { body: 1, bodyBase64: 'AA==' } }, /"body" cannot be combined with "bodyBase64"/],
    [{ respond: { bodyBase64: 'no base64!' } }, /"bodyBase64" is not base64/],
    [{ respond: { headers: { 'X A': 'x' } } }, /Invalid header "X A: x"/],
    [{ respond: { body: '{{title}}' } }, /"title" is not a value of a template/],
    [{ respond: { status: 99 } }, /respond\[status\]/],
    [{ respond: { file: 'x' } }, /respond\.file/],
    [{ respond: {}, delay: { uniform: [2, 1] } }, /Invalid "delay"/],
    [{ respond: {}, match: { regex: '(' } }, /regular expression/],
    [{ respond: {}, times: 0 }, /times/],
    [{ status: 404, respond: {} }, /"status", which belongs in "respond"/],
    [{ body: 'x', respond: {} }, /"body", which belongs in "match" or "respond"/],
    [{ from: 999_999 }, /Entry 999999 does not exist/],
  ])('%j is refused', async (stub, message) => {
    const { status, json } = await add(stub);
    expect([status >= 400 && status < 500, json.message]).toEqual([true, expect.stringMatching(message)]);
    expect(await list()).toEqual([]);
  });

  test('are replaced, shown and removed one by one', async () => {
    const { id } = (await add({ respond: { body: 'old' } })).json;
    await add({ match: { path: '/other' }, respond: { body: 'other' } });
    expect((await send('PUT', `/__qa/stubs/${id}`, { respond: { body: 'new' } })).json).toMatchObject({ id, respond: { body: 'new' } });
    expect([(await send('GET', SEATS)).text, (await send('GET', `/__qa/stubs/${id}`)).json.hits]).toEqual(['new', 1]);
    expect((await send('DELETE', `/__qa/stubs/${id}`)).json).toEqual({ deleted: 1 });
    for (const method of ['GET', 'DELETE']) expect((await send(method, `/__qa/stubs/${id}`)).json.code).toBe('understudy_no_stub');
    expect((await send('PUT', `/__qa/stubs/${id}`, { respond: {} })).status).toBe(404);
    expect((await send('DELETE', '/__qa/stubs')).json).toEqual({ deleted: 1 });
  });

  test('stay over a reset, and are those of one sandbox', async () => {
    const sandbox = `${server().url}/__sandbox/stubbed`;
    await add({ respond: { status: 418 } });
    await add({ respond: { status: 402 } }, sandbox);
    await send('POST', '/__qa/reset');
    const statusAt = async (base?: string): Promise<number> => (await send('GET', SEATS, undefined, {}, base)).status;
    expect([await statusAt(), await statusAt(sandbox), await statusAt(`${server().url}/__sandbox/another`)]).toEqual([418, 402, 404]);
    await send('DELETE', '/__qa/sandboxes/stubbed');
    expect(await statusAt(sandbox)).toBe(404);
  });
});

describe('the journal', () => {
  const entries = async (query = ''): Promise<Any[]> => (await send('GET', `/__qa/journal?${query}`)).json.entries;
  const last = async (): Promise<Any> => (await entries()).at(-1);

  test('says which stub has responded, in lists, filters, expectations and exports', async () => {
    const { id } = (await add({ match: { path: '/acme/**' }, respond: { body: { left: 3 } } })).json;
    await send('GET', SEATS);
    await send('GET', `${API}/tags`);
    expect((await entries()).map(({ stub }) => stub)).toEqual([id, undefined]);
    expect((await entries(`stub=${id}`)).map(({ url, response }) => [url, response.body])).toEqual([[SEATS, { left: 3 }]]);
    expect((await send('GET', `/__qa/journal.har?stub=${id}`)).json.log.entries).toMatchObject([{ _stub: id }]);
    const verify = async (wanted: object): Promise<Any> => (await send('POST', '/__qa/journal/verify', wanted)).json;
    expect(await verify({ stub: id, count: 1 })).toMatchObject({ verified: true, found: 1 });
    expect((await verify({ path: '/wp-json/tribe/**', stub: id })).nearMisses[0].differences).toEqual([`stub: expected ${id}, was absent`]);
    expect((await send('GET', `/__qa/journal/${(await entries())[0].id}/case`)).json.code).toBe('understudy_entry_is_stub');
  });

  test('reports nothing as ignored that a stub has responded to', async () => {
    await add({ match: { query: { mine: '*' } }, respond: {} });
    for (const query of ['mine=1', 'yours=1']) await send('GET', `${API}/events?${query}`);
    expect((await entries('warned=true')).map(({ url }) => url)).toEqual([`${API}/events?yours=1`]);
  });

  test('is filtered by the body of requests', async () => {
    await send('POST', '/graphql', { query: '{ events }', first: 5 }, { 'content-type': 'application/json' });
    await send('POST', '/graphql', 'query=tags', { 'content-type': 'application/x-www-form-urlencoded' });
    const found = async (body: unknown): Promise<number> =>
      (await entries(`body=${encodeURIComponent(typeof body === 'string' ? body : JSON.stringify(body))}`)).length;
    expect([
      await found({ first: 5 }),
      await found({ query: 'tags' }),
      await found({ query: '*' }),
      await found('*events*'),
      await found('x'),
    ]).toEqual([1, 1, 2, 1, 0]);
  });

  test('an expectation takes texts with wildcards and forms', async () => {
    await send('POST', '/graphql', 'query=%7B+events+%7D', { 'content-type': 'application/x-www-form-urlencoded' });
    const { verified } = (await send('POST', '/__qa/journal/verify', { body: { query: '*events*' } })).json;
    expect(verified).toBe(true);
  });

  test('an entry becomes a stub for its method, path and query', async () => {
    const AT = `${API}/events?per_page=1&page=2`;
    const { json, headers } = await send('GET', AT);
    const { id } = await last();
    const draft = (await send('GET', `/__qa/journal/${id}/stub`)).json;
    const added = await add({ from: id, times: 1 });
    expect(added.json).toMatchObject({
      match: { method: 'GET', path: `${API}/events`, query: { per_page: '1', page: '2' } },
      respond: { status: 200, headers: { 'x-tec-total': headers['x-tec-total'] }, body: json },
      template: false,
      times: 1,
    });
    expect(added.json).toMatchObject(draft);
    const names = Object.keys(added.json.respond.headers).map((name) => name.toLowerCase());
    expect(names.filter((name) => /^(?:date|etag|content-length|vary|access-control)/.test(name))).toEqual([]);
    const replayed = await send('GET', AT);
    expect([replayed.json, replayed.headers['x-tec-total'], replayed.headers['content-type']]).toEqual([
      json,
      headers['x-tec-total'],
      headers['content-type'],
    ]);
    expect(await last()).toMatchObject({ stub: added.json.id });
    expect((await list())[0].hits).toBe(1);
    expect((await send('GET', `${API}/events?per_page=1&page=1`)).json).not.toEqual(json);
  });

  test('with further members, which override what is recorded', async () => {
    await send('GET', `${API}/events/999999`);
    const { id } = await last();
    const { json } = await add({ from: id, match: { path: '/acme/v1/x' }, respond: { status: 410 } });
    expect(json).toMatchObject({ match: { method: 'GET', path: '/acme/v1/x' }, respond: { status: 410, body: { data: { status: 404 } } } });
    const own = await add({ from: id, respond: { body: 'own' } });
    expect(own.json.respond).toMatchObject({ status: 404, body: 'own' });
  });

  test('of an entry without a response there is no stub, unless it has a body', async () => {
    await send('POST', '/__qa/faults', { effect: { drop: 'before' }, times: 1 });
    await send('GET', SEATS);
    const { id } = await last();
    expect((await add({ from: id })).json).toMatchObject({ code: 'understudy_no_response', data: { status: 409 } });
    expect((await add({ from: id, respond: { body: 'x' } })).json.respond).toMatchObject({ status: 200, body: 'x' });
  });

  test('the journal does not have bytes, so there is no stub of them', async () => {
    await add({ match: { path: '/logo' }, respond: { bodyBase64: 'AAH/' } });
    await send('GET', '/logo');
    expect((await add({ from: (await last()).id })).json.code).toBe('understudy_no_response');
  });
});

describe('stubs of a dataset', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-stubs-'));
    await mkdir(path.join(folder, 'stubs'));
    await writeFile(path.join(folder, 'stubs/plan.json'), '{"hall":"{{request.query.hall}}"}');
    await writeFile(path.join(folder, 'stubs/logo.png'), Buffer.from([1, 255]));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const dataset = {
    events: [{ title: 'Jazz', start: '+1d 20:00', duration: '2h' }],
    stubs: [
      { match: { path: '/acme/v1/plan' }, respond: { file: 'plan.json' } },
      { match: { path: '/logo.png' }, respond: { file: 'logo.png' } },
      { match: { path: '/acme/v1/**', body: { $gt: { 'a.b': 1 } } }, respond: { body: { $ok: true } }, times: 1 },
    ],
  };
  const files = { 'plan.json': '{"hall":"{{request.query.hall}}"}', 'logo.png': '\u0001' };
  const seed = async (more: object = {}, base?: string): Promise<Answer> =>
    send(
      'POST',
      '/__qa/seed/files',
      {
        dataset: [{ name: 'calendar.json', content: btoa(JSON.stringify({ ...dataset, ...more })) }],
        stubs: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, btoa(content)])),
        partial: true,
      },
      {},
      base,
    );
  const once = async (base?: string): Promise<number> =>
    (await send('POST', '/wp-json/acme/v1/x', { $gt: { 'a.b': 1 } }, { 'content-type': 'application/json' }, base)).status;

  test('belong to its content: a reset, a snapshot, a sandbox and an export have them', async () => {
    await send('PUT', '/__qa/snapshots/before-stubs');
    const { status, json } = await seed();
    expect([status, json.message]).toEqual([200, undefined]);
    const plan = async (base?: string): Promise<Answer> => send('GET', '/wp-json/acme/v1/plan?hall=2', undefined, {}, base);
    expect((await plan()).json).toEqual({ hall: '2' });
    const logo = await send('GET', '/logo.png');
    expect([logo.headers['content-type'], logo.text]).toEqual(['image/png', '\u0001']);
    expect([await once(), await once()]).toEqual([200, 404]);
    const [first] = await list();
    expect(first).toMatchObject({ dataset: true, times: 1, hits: 1 });
    await send('DELETE', '/__qa/stubs');
    await send('DELETE', `/__qa/stubs/${first.id}`);
    expect(await list()).toHaveLength(2);
    await send('POST', '/__qa/reset');
    expect([await once(), (await list()).length]).toEqual([200, 3]);

    const sandbox = `${server().url}/__sandbox/with-stubs`;
    expect([(await plan(sandbox)).json, await once(sandbox)]).toEqual([{ hall: '2' }, 200]);

    const exported = (await send('GET', '/__qa/export')).text;
    await send('POST', '/__qa/snapshots/before-stubs/restore');
    expect([(await plan()).status, await list()]).toEqual([404, []]);
    await send('POST', '/__qa/import?mode=replace', exported);
    expect([(await plan()).json, (await list()).length]).toEqual([{ hall: '2' }, 3]);
    await send('DELETE', '/__qa/sandboxes/with-stubs');
  });

  test('a stub that was added wins over them, and several files add theirs', async () => {
    const file = (stub: object): object => ({ name: 'x.json', content: btoa(JSON.stringify({ stubs: [stub] })) });
    await send('POST', '/__qa/seed/files', {
      dataset: [file({ match: { path: '/a' }, respond: { body: 'a' } }), file({ match: { path: '/b' }, respond: { body: 'b' } })],
    });
    await add({ match: { path: '/b' }, respond: { body: 'mine' } });
    const texts = await Promise.all(['/a', '/b'].map(async (at) => (await send('GET', at)).text));
    expect(texts).toEqual(['a', 'mine']);
  });

  test('files that were not sent are asked for', async () => {
    const { json } = await send('POST', '/__qa/seed/files', {
      dataset: [{ name: 'calendar.json', content: btoa(JSON.stringify(dataset)) }],
    });
    expect([json.code, json.data.stubs, json.data.files]).toEqual(['understudy_missing_files', ['plan.json', 'logo.png'], []]);
    const escaped = await send('POST', '/__qa/seed/files', { dataset: [{ name: 'x.json' }], stubs: { '../x': '' } });
    expect(escaped.json.message).toContain('must be a path below stubs');
  });

  test.each<[object, string]>([
    [{ respond: { file: '../secret.json' } }, 'stubs[0].respond.file: must be a path relative to the stubs folder'],
    [{ respond: { file: 'nothing.json' } }, 'stubs[0].respond.file: file not found'],
    [{ respond: { file: 'logo.png', body: 'x' } }, 'stubs[0].respond: has body and file. Use one of them'],
    [{ respond: { body: '{{title}}' } }, 'stubs[0]: "title" is not a value of a template'],
    [{ respond: { headers: { 'X A': 'x' } } }, 'stubs[0].respond: invalid header "X A: x"'],
    [{ match: { regex: '(' }, respond: {} }, 'stubs[0].match.regex: is not a regular expression'],
    [{ match: { quary: {} }, respond: {} }, 'stubs[0].match.quary: unknown field. Did you mean "query"?'],
    [{ respond: {}, delay: -1 }, 'stubs[0].delay: must be milliseconds: 500'],
    [{ match: {} }, 'stubs[0].respond: is missing'],
  ])('%j is a problem of the file', async (stub, problem) => {
    const { json } = await seed({ stubs: [stub] });
    expect(json.message).toContain(problem);
  });
});
