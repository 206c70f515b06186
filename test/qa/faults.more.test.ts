import { API, AS_ADMIN, type Answer, type Any, send } from './steering.js';

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
    [
      'own type',
      { effect: { status: 500, body: 'Oops', headers: { 'content-type': 'text/plain' } } },
      ({ headers }) => headers['content-type'],
      'text/plain',
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
    [
      'text before the body',
      { effect: { prepend: 'é\n' } },
      ({ text, headers }) => [text.slice(0, 4), Number(headers['content-length']) - Buffer.byteLength(text), headers['content-type']],
      ['é\n{"', 0, 'application/json; charset=UTF-8'],
    ],
    ['text before the body, cut', { effect: { prepend: 'Notice: ', truncate: 10 } }, ({ text }) => text, 'Notice: {"'],
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
    [{ headers: { 'X-Client': '!app*' } }, ['GET', EVENTS, { 'x-client': 'app/2' }], false],
    [{ headers: { 'X-Client': '!app*' } }, ['GET', EVENTS, { 'x-client': 'bot' }], true],
    [{ headers: { 'X-Client': '!app*' } }, ['GET', EVENTS], true],
    [{ headers: { 'X-Client': '!*' } }, ['GET', EVENTS], true],
    [{ headers: { 'X-Client': '!*' } }, ['GET', EVENTS, { 'x-client': 'bot' }], false],
    [{ query: { page: '!*' } }, ['GET', EVENTS], true],
    [{ query: { per_page: '!2' } }, ['GET', EVENTS], false],
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

  const statuses = async (count: number, at = EVENTS): Promise<number[]> => {
    const found: number[] = [];
    for (let i = 0; i < count; i += 1) found.push((await send('GET', at)).status);
    return found;
  };

  test.each<[string, object, number[]]>([
    ['every third', { every: 3, effect: { status: 500 } }, [200, 200, 500, 200, 200, 500, 200]],
    ['every second after one, twice', { every: 2, skip: 1, times: 2, effect: { status: 500 } }, [200, 200, 500, 200, 500, 200, 200, 200]],
    ['a sequence', { sequence: [{ status: 503 }, { status: 500 }, 'ok', { status: 429 }] }, [503, 500, 200, 429, 200, 200]],
    ['a sequence that repeats', { sequence: [{ status: 503 }, 'ok'], atEnd: 'repeat' }, [503, 200, 503, 200, 503]],
    ['a sequence that stays', { sequence: ['ok', { status: 503 }], atEnd: 'stay' }, [200, 503, 503, 503]],
    ['a sequence that stays well', { sequence: [{ status: 503 }, 'ok'], atEnd: 'stay' }, [503, 200, 200]],
    ['a sequence for every second', { every: 2, sequence: [{ status: 503 }, { status: 500 }] }, [200, 503, 200, 500, 200, 200]],
    ['a sequence with a limit', { times: 2, sequence: [{ status: 503 }, 'ok'], atEnd: 'repeat' }, [503, 200, 503, 200, 200]],
    ['never', { probability: 0, effect: { status: 503 } }, [200, 200, 200]],
    ['always', { probability: 1, effect: { status: 503 } }, [503, 503, 503]],
    ['a profile on schedule', { profile: 'forbidden', every: 2 }, [200, 403, 200, 403]],
  ])('%s', async (_name, rule, expected) => {
    await add(rule);
    expect(await statuses(expected.length)).toEqual(expected);
  });

  test('requests that a schedule lets through meet the next rule', async () => {
    await add({ every: 2, effect: { status: 500 } });
    await add({ sequence: [{ status: 503 }, 'ok'], atEnd: 'repeat' });
    await add({ effect: { status: 418 } });
    expect(await statuses(6)).toEqual([503, 500, 418, 500, 503, 500]);
    expect((await send('GET', '/__qa/faults')).json.faults).toMatchObject([
      { seen: 6, hits: 3 },
      { seen: 3, hits: 2 },
      { seen: 1, hits: 1 },
    ]);
  });

  test('a probability gives the same sequence with the same seed, whatever else is drawn', async () => {
    const run = async (rule: object): Promise<string> => {
      await send('DELETE', '/__qa/faults');
      await add({ match: { path: '/nowhere' }, probability: 0.4, seed: 7, effect: { status: 418 }, ...rule });
      return (await statuses(60, '/nowhere')).map((status) => (status === 418 ? 'x' : '.')).join('');
    };
    const first = await run({});
    expect(await run({})).toBe(first);
    expect(await run({ effect: { status: 418, delay: { uniform: [0, 1] } } })).toBe(first);
    expect(await run({ seed: 8 })).not.toBe(first);
    const hits = first.replaceAll('.', '').length;
    expect([hits > 12, hits < 36]).toEqual([true, true]);
  });

  describe('scenarios', () => {
    const at = '/__qa/faults/scenarios';
    const rules = [{ match: { path: '/tribe/**' }, sequence: [{ status: 503 }, 'ok'], atEnd: 'repeat' }, { profile: 'rest-disabled' }];
    afterEach(() => send('DELETE', `${at}/mine`));

    test('are defined, switched on and off, and deleted', async () => {
      expect((await send('PUT', `${at}/mine`, { description: 'Mine.', faults: rules })).json).toMatchObject({
        name: 'mine',
        description: 'Mine.',
        builtIn: false,
        active: false,
      });
      expect(await statuses(2)).toEqual([200, 200]);
      await add({ match: { path: '/wp/**' }, effect: { status: 418 } });
      const { status, json } = await send('POST', `${at}/mine/start`);
      expect([status, json.faults.map(({ scenario }: Any) => scenario)]).toEqual([200, ['mine', 'mine']]);
      expect((await send('GET', `${at}/mine`)).json.active).toBe(true);
      expect(await statuses(4)).toEqual([503, 401, 503, 401]);
      // The next start begins with the first status again.
      await statuses(1);
      await send('POST', `${at}/mine/start`);
      expect(await statuses(2)).toEqual([503, 401]);
      expect((await send('POST', `${at}/mine/stop`)).json).toEqual({ stopped: 'mine', deleted: 2 });
      expect(await statuses(1)).toEqual([200]);
      expect((await send('GET', '/__qa/faults')).json.faults).toHaveLength(1);
      expect((await send('DELETE', `${at}/mine`)).json).toEqual({ deleted: 'mine' });
      expect((await send('POST', `${at}/mine/start`)).status).toBe(404);
    });

    test('stay defined when faults are removed and content is reset, which does not switch them off', async () => {
      await send('PUT', `${at}/mine`, { faults: [{ effect: { status: 503 } }] });
      await send('POST', `${at}/mine/start`);
      await send('POST', '/__qa/reset');
      expect(await statuses(1)).toEqual([503]);
      await send('DELETE', '/__qa/faults');
      expect(await statuses(1)).toEqual([200]);
      expect((await send('GET', `${at}/mine`)).json.active).toBe(false);
    });

    test('belong to a sandbox, as do its faults', async () => {
      await send('PUT', `/__sandbox/own${at}/mine`, { faults: [{ effect: { status: 503 } }] });
      await send('POST', `/__sandbox/own${at}/mine/start`);
      expect(await statuses(1, `/__sandbox/own${EVENTS}`)).toEqual([503]);
      expect([await statuses(1), (await send('GET', `${at}/mine`)).status]).toEqual([[200], 404]);
      await send('DELETE', '/__qa/sandboxes/own');
    });

    test('start with further conditions', async () => {
      await send('POST', `${at}/offline/start`, { match: { path: '**/venues' } });
      expect([await statuses(1), await statuses(1, `${API}/venues`)]).toEqual([[200], [0]]);
    });

    test('every built-in one does what it says', async () => {
      const { scenarios } = (await send('GET', at)).json;
      const disturbed: Record<string, unknown> = {};
      for (const { name, builtIn, description } of scenarios) {
        expect([name, builtIn, description.length > 10]).toEqual([name, true, true]);
        await send('DELETE', '/__qa/faults');
        await send('POST', `${at}/${name}/start`);
        const all: string[] = [];
        for (let i = 0; i < 7; i += 1) {
          const { status, ms, isCut } = await send('GET', `${API}/tags?per_page=1`, undefined, i < 6 ? {} : AS_ADMIN);
          const { fault } = (await send('GET', '/__qa/journal?limit=1')).json.entries[0];
          all.push(`${status}${isCut ? ' cut' : ''}${fault !== undefined && ms > 200 ? ' slow' : ''}`);
        }
        all.push(String((await send('POST', `${API}/tags`, { name })).status));
        disturbed[name] = all;
      }
      const ok = '200';
      expect(disturbed).toEqual({
        flaky: expect.arrayContaining([ok]),
        'slow-network': [...Array<string>(7).fill('200 slow'), '400'],
        offline: [...Array<string>(7).fill('0 cut'), '0'],
        maintenance: [...Array<string>(7).fill('503'), '503'],
        'outage-then-recovery': ['503', '503', '503', '200 slow', '200 slow', ok, ok, '400'],
        overload: ['200 slow', '200 slow', '200 slow', '504', '503', ok, '200 slow', '400'],
        'rate-limit': [ok, ok, ok, ok, ok, '429', '429', '400'],
        'broken-responses': [ok, ok, '200 cut', ok, ok, ok, '200 cut', '400'],
        'read-only': [ok, ok, ok, ok, ok, ok, ok, '500'],
        'expired-credentials': [ok, ok, ok, ok, ok, ok, '401', '400'],
        'blocks-browsers': [...Array<string>(7).fill(ok), '400'],
        'blocks-scripts': [...Array<string>(7).fill('403'), '403'],
        'needs-accept-language': [...Array<string>(7).fill('406'), '406'],
        'unreachable-origin': ['522', '522', '522', ok, ok, ok, ok, '400'],
        'blank-responses': [...Array<string>(7).fill(ok), ok],
        'rest-off': [...Array<string>(7).fill('404'), '404'],
        'php-notices': [...Array<string>(7).fill(ok), '400'],
        'byte-order-mark': [...Array<string>(7).fill(ok), '400'],
      });
    });

    const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/143.0' };
    const PAGES = `/events/`;
    const INDEX = '/wp-json/';

    test.each<[string, string, Record<string, string>, (answer: Answer) => unknown, unknown]>([
      ['blocks-browsers', INDEX, BROWSER, ({ status, text }) => [status, text.startsWith('<!DOCTYPE html>')], [403, true]],
      ['blocks-browsers', PAGES, BROWSER, ({ status }) => status, 403],
      ['blocks-browsers', INDEX, { 'user-agent': 'curl/8.5' }, ({ status }) => status, 200],
      ['blocks-scripts', INDEX, BROWSER, ({ status }) => status, 200],
      ['blocks-scripts', INDEX, { 'user-agent': 'curl/8.5' }, ({ status }) => status, 403],
      ['needs-accept-language', INDEX, { 'accept-language': 'en' }, ({ status }) => status, 200],
      [
        'blank-responses',
        INDEX,
        {},
        ({ status, text, headers }) => [status, text.trim(), headers['content-type']],
        [200, '', 'application/json; charset=UTF-8'],
      ],
      ['blank-responses', PAGES, {}, ({ text }) => text.length > 100, true],
      ['rest-off', '/?rest_route=/', {}, ({ status, headers }) => [status, headers['content-type']], [404, 'text/html; charset=UTF-8']],
      ['rest-off', PAGES, {}, ({ status }) => status, 200],
      ['rest-off', '/feed/', {}, ({ status }) => status, 200],
      ['php-notices', INDEX, {}, ({ text }) => [text.startsWith('<br />\n<b>Notice</b>'), text.includes('<br />\n{"name"')], [true, true]],
      ['php-notices', PAGES, {}, ({ text }) => text.includes('<b>Notice</b>'), false],
      ['byte-order-mark', INDEX, {}, ({ text }) => text.slice(0, 8), '\uFEFF{"name"'],
    ])('%s: %s with %j', async (name, to, headers, look, expected) => {
      await send('POST', `${at}/${name}/start`);
      expect(look(await send('GET', to, undefined, headers))).toEqual(expected);
    });

    test('flaky fails one request in five, the same ones every time', async () => {
      const run = async (body?: object): Promise<number[]> => {
        await send('POST', `${at}/flaky/start`, body);
        return statuses(100, '/nowhere');
      };
      const first = await run();
      expect(await run()).toEqual(first);
      expect(await run({ seed: 5 })).not.toEqual(first);
      const failed = first.filter((status) => status !== 404);
      expect([failed.length > 10, failed.length < 32, new Set(failed)]).toEqual([true, true, new Set([500, 503, 0])]);
    });

    test.each<[string, string, object | undefined, number, string]>([
      ['POST', 'flakky/start', undefined, 404, 'Did you mean "flaky"?'],
      ['DELETE', 'flaky', undefined, 409, 'built in'],
      ['DELETE', 'nothing', undefined, 404, 'does not exist'],
      ['PUT', 'bad name', { faults: [{ effect: { status: 500 } }] }, 400, 'Invalid parameter'],
      ['PUT', 'mine', {}, 400, 'Missing parameter'],
      ['PUT', 'mine', { faults: [] }, 400, 'The scenario is empty'],
      ['PUT', 'mine', { faults: [{}] }, 400, 'requires an "effect"'],
      ['PUT', 'mine', { faults: [{ efect: { status: 500 } }] }, 400, 'efect'],
      ['PUT', 'mine', { faults: [{ effect: { status: 500 }, match: { regex: '(' } }] }, 400, 'regular expression'],
    ])('%s %s with %j is rejected', async (method, name, body, status, message) => {
      const answer = await send(method, `${at}/${name.replace(' ', '%20')}`, body);
      expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)]);
    });
  });

  test('an effect outside of `effect` is told where it belongs', async () => {
    const { status, text } = await add({ status: 500 });
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(/^Unknown parameter "status", which belongs in "effect": \{"effect": \{"status": …\}\}/),
    ]);
  });

  test('faults do not affect the test API, nor signed-in users under rest-disabled', async () => {
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
    { effect: { status: 500 }, sequence: ['ok'] },
    { sequence: [] },
    { sequence: ['no'] },
    { sequence: [{}] },
    { sequence: [{ staus: 500 }] },
    { sequence: ['ok'], atEnd: 'again' },
    { effect: { status: 500 }, atEnd: 'repeat' },
    { effect: { status: 500 }, every: 0 },
    { effect: { status: 500 }, probability: 1.5 },
    { profile: 'forbidden', sequence: ['ok'] },
    { profile: 'forbidden', effect: { status: 500 } },
  ])('%j is rejected', async (rule) => expect((await add(rule)).status).toBe(400));

  test.each([
    [{ effect: { staus: 500 } }, '"effect.staus". Did you mean "effect.status"?'],
    [{ effect: { status: 500 }, match: { paht: '/x' } }, '"match.paht". Did you mean "match.path"?'],
  ])('%j is rejected with a suggestion', async (rule, message) => {
    expect((await add(rule)).json.message).toMatch(`Unknown parameter ${message}`);
  });
});
