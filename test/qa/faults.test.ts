import { API, AS_ADMIN, type Answer, send } from './steering.js';

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

  test('rules apply in order, skipping those that are used up or still waiting', async () => {
    await add({ effect: { status: 500 }, times: 1, skip: 1 });
    await add({ effect: { status: 503 }, times: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await send('GET', EVENTS)).status);
    expect(statuses).toEqual([503, 500, 503, 200, 200]);
  });

  test('faults do not affect the test surface, nor signed-in users under rest-disabled', async () => {
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
    { effect: { status: 500, headers: { 'X-Bad': 'a\r\nX-Injected: b' } } },
    { effect: { status: 500, headers: { 'X-Bad': 'a\nb' } } },
    { effect: { status: 500, headers: { 'X Bad': 'a' } } },
    { effect: { status: 500, headers: { '': 'a' } } },
    { effect: { status: 500 }, match: { regex: '(' } },
    { effect: { status: 500 }, match: { paht: '/x' } },
    { effect: { status: 500 }, time: 3 },
    { profile: 'nothing' },
    { profile: 'forbidden', effect: { status: 500 } },
  ])('%j is rejected', async (rule) => expect((await add(rule)).status).toBe(400));

  test.each([
    [{ effect: { staus: 500 } }, '"effect.staus". Did you mean "effect.status"?'],
    [{ effect: { status: 500 }, match: { paht: '/x' } }, '"match.paht". Did you mean "match.path"?'],
  ])('%j is rejected with a suggestion', async (rule, message) => {
    expect((await add(rule)).json.message).toMatch(`Unknown parameter ${message}`);
  });
});
