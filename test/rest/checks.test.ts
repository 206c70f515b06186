import { FORM_BODY, JSON_BODY, NO_ROUTE, steps, useThings } from './things.js';
import type { Call } from '../support/toy.js';

const toy = useThings();

const codeOf = (json: unknown): unknown => (json as { code?: string }).code ?? 'none';

const put = (body: string, headers = JSON_BODY): Call => ({ method: 'PUT', headers, body });

describe('the order of checks: the first error hides later ones', () => {
  const wrong = { authorization: `Basic ${Buffer.from('erin:wrong').toString('base64')}` };
  test.each<[string, string, Call, string, string[]]>([
    ['sign-in before the route', '/nothing', { headers: wrong }, 'incorrect_password', []],
    ['the route before JSON', '/nothing', { ...put('{'), method: 'GET' }, 'rest_no_route', []],
    ['the method before JSON', '/named/x', put('{'), 'rest_no_route', []],
    ['JSON before what is required', '/things', { ...put('{'), method: 'POST' }, 'rest_invalid_json', []],
    ['what is required before validators', '/things', { ...put('{"name":"bad"}'), method: 'POST' }, 'rest_missing_callback_param', []],
    ['validators before types', '/things', { ...put('{"name":"bad","size":"x"}'), method: 'POST' }, 'rest_invalid_param', ['validate']],
    [
      'types before the permission',
      '/things',
      { ...put('{"name":"good","size":"x"}'), method: 'POST' },
      'rest_invalid_param',
      ['validate'],
    ],
    [
      'the permission before the handler',
      '/things',
      { ...put('{"name":"good","size":1}'), method: 'POST' },
      'rest_forbidden',
      ['validate', 'permission'],
    ],
    [
      'the handler',
      '/things',
      { ...put('{"name":"good","size":1}'), method: 'POST', as: 'erin' },
      'none',
      ['validate', 'permission', 'handler'],
    ],
  ])('%s', async (_what, path, call, code, passed) => {
    const { json } = await toy().call(`/wp-json/toy/v1${path}`, call);
    expect(codeOf(json)).toBe(code);
    // `Allow` checks permissions again after the response is complete.
    const expected = [...passed, ...steps.slice(passed.length).map(() => 'permission')];
    expect(steps).toEqual(expected);
  });

  test('a response never combines validator errors and type errors', async () => {
    const { json } = await toy().call('/wp-json/toy/v1/things', { ...put('{"name":"bad","size":"x","flag":"x"}'), method: 'POST' });
    expect(json).toMatchObject({ data: { params: { name: 'Invalid parameter.' }, details: [] } });
    expect(Object.keys((json as { data: { params: object } }).data.params)).toEqual(['name']);
  });

  test('validators also check defaults', async () => {
    await toy().call('/wp-json/toy/v1/things');
    expect(steps.slice(0, 2)).toEqual(['validate', 'handler']);
  });
});

describe('once per request', () => {
  const count = (step: string): number => steps.filter((each) => each === step).length;

  test('a permission checked for a read is not checked again for `Allow`', async () => {
    const { headers } = await toy().call('/wp-json/toy/v1/private', { as: 'erin' });
    expect(headers.allow).toBe('GET');
    expect(steps).toEqual(['permission', 'handler']);
  });

  test('a denied permission is checked once', async () => {
    await toy().call('/wp-json/toy/v1/things', { ...put('{"name":"good","size":1}'), method: 'POST' });
    expect(count('permission')).toBe(1);
  });

  test('endpoints that share a permission check it once', async () => {
    const { headers } = await toy().call('/wp-json/toy/v1/things/5', { as: 'erin' });
    expect(headers.allow).toBe('GET, DELETE, POST, PUT, PATCH');
    expect(count('permission')).toBe(1);
  });

  test('after a write `Allow` reflects the new state', async () => {
    await toy().call('/wp-json/toy/v1/things', { ...put('{"name":"good","size":1}'), method: 'POST', as: 'erin' });
    expect(steps).toEqual(['validate', 'permission', 'handler', 'permission']);
  });
});

describe('parameters of a handler', () => {
  test('are validated, sanitized, resolved and have their defaults', async () => {
    const { json } = await toy().call('/wp-json/toy/v1/typed?length=2&names=a,b');
    expect(json).toEqual({ doubled: 6, order: 'asc', seconds: 120, names: ['A', 'B'] });
    expect(steps).toEqual(['validate']);
  });

  test('have the types declared in the table', async () => {
    const { json } = await toy().call('/wp-json/toy/v1/typed?length=1&size=20&order=desc');
    expect(json).toEqual({ doubled: 40, order: 'desc', seconds: 60, names: [] });
  });
});

describe('error bodies', () => {
  test.each<[string, string, Call, number, unknown]>([
    [
      'everything that lacks, in the order of declaration',
      '/things',
      { method: 'POST' },
      400,
      { code: 'rest_missing_callback_param', message: 'Missing parameter(s): name, size', data: { status: 400, params: ['name', 'size'] } },
    ],
    [
      'null lacks as well',
      '/things',
      { ...put('{"name":null,"size":1}'), method: 'POST' },
      400,
      { code: 'rest_missing_callback_param', message: 'Missing parameter(s): name', data: { status: 400, params: ['name'] } },
    ],
    [
      'validators that just say no',
      '/things?page=0&name=bad',
      {},
      400,
      {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): name, page',
        data: { status: 400, params: { name: 'Invalid parameter.', page: 'Invalid parameter.' }, details: [] },
      },
    ],
    [
      'a validator with words of its own',
      '/checked?name=x',
      {},
      400,
      {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): name',
        data: {
          status: 400,
          params: { name: 'Not today.' },
          details: { name: { code: 'toy_not_today', message: 'Not today.', data: { day: 1 } } },
        },
      },
    ],
    [
      'types, in the order in which they were sent',
      '/things?flag=x&size=y',
      {},
      400,
      {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): flag, size',
        data: {
          status: 400,
          params: { flag: 'flag is not of type boolean.', size: 'size is not of type integer.' },
          details: {
            flag: { code: 'rest_invalid_type', message: 'flag is not of type boolean.', data: { param: 'flag' } },
            size: { code: 'rest_invalid_type', message: 'size is not of type integer.', data: { param: 'size' } },
          },
        },
      },
    ],
    [
      'nobody is refused',
      '/private',
      {},
      401,
      { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 401 } },
    ],
    [
      'somebody is refused',
      '/private',
      { as: 'sam' },
      403,
      { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 403 } },
    ],
    ['a permission with words of its own', '/own-words', {}, 418, { code: 'toy_closed', message: 'Closed today.', data: { status: 418 } }],
    ['a handler refuses', '/refused', {}, 409, { code: 'toy_refused', message: 'No.', data: { status: 409, id: 5 } }],
    ['an error without a status', '/statusless', {}, 500, { code: 'toy_odd', message: 'Odd.', data: null }],
    [
      'an error with several data',
      '/several',
      {},
      400,
      { code: 'toy_several', message: 'Twice.', data: { status: 400 }, additional_data: [{ status: 400, id: 6 }] },
    ],
    ['no route', '/nothing', {}, 404, NO_ROUTE],
  ])('%s', async (_what, path, call, status, body) => {
    const answer = await toy().call(`/wp-json/toy/v1${path}`, call);
    expect([answer.status, answer.json]).toEqual([status, body]);
  });

  test('an unexpected error: details in the log, not in the response', async () => {
    const { status, text, json } = await toy().call('/wp-json/toy/v1/broken');
    expect([status, json]).toMatchObject([500, { code: 'internal_server_error', data: { status: 500 } }]);
    expect(text).not.toContain('secret detail');
    expect(toy().errors.join()).toContain('secret detail');
  });
});

describe('JSON syntax', () => {
  const refusal = (code: number, message: string) => ({
    code: 'rest_invalid_json',
    message: 'Invalid JSON body passed.',
    data: { status: 400, json_error_code: code, json_error_message: message },
  });

  test.each<[string | Buffer, number, string]>([
    ['{', 4, 'Syntax error'],
    ['{"a":1,}', 4, 'Syntax error'],
    ["{'a':1}", 4, 'Syntax error'],
    ['nul', 4, 'Syntax error'],
    ['TRUE', 4, 'Syntax error'],
    [' ', 4, 'Syntax error'],
    ['{}x', 4, 'Syntax error'],
    ['\ufeff{}', 4, 'Syntax error'],
    ['{"a":"\u0001"}', 3, 'Control character error, possibly incorrectly encoded'],
    ['{"a":"b', 3, 'Control character error, possibly incorrectly encoded'],
    ['[}', 2, 'State mismatch (invalid or malformed JSON)'],
    [`${'['.repeat(600)}${']'.repeat(600)}`, 1, 'Maximum stack depth exceeded'],
    ['{"a":"\\ud800"}', 10, 'Single unpaired UTF-16 surrogate in unicode escape'],
    [Buffer.from('{"a":"\xff"}', 'latin1'), 5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
  ])('%j is rejected with %d', async (body, code, message) => {
    const answer = await toy().call('/wp-json/toy/v1/things', { headers: JSON_BODY, body });
    expect([answer.status, answer.json]).toEqual([400, refusal(code, message)]);
    expect(answer.headers['allow']).toBe('GET');
  });

  test.each(['', '{}', ' {} ', '[]', '[1,2]', '"x"', '5', 'null', 'true', '[{"size":"x"}]'])('%j contains no parameter', async (body) => {
    expect((await toy().call('/wp-json/toy/v1/things', { headers: JSON_BODY, body })).status).toBe(200);
  });

  test('OPTIONS does not parse it', async () => {
    expect((await toy().call('/wp-json/toy/v1/things', { method: 'OPTIONS', headers: JSON_BODY, body: '{' })).status).toBe(200);
  });
});

describe('parsing of bodies by content type', () => {
  const isJson = async (type: string): Promise<boolean> =>
    (await toy().call('/wp-json/toy/v1/things', { headers: { 'content-type': type }, body: '{' })).status === 400;

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json ;x',
    'application/vnd.api+json',
    'application/x+y+json',
    'application/*+json',
    'application/json+oembed',
    'application/json, text/plain',
  ])('%s is JSON', async (type) => {
    expect(await isJson(type)).toBe(true);
  });

  test.each([
    'text/json',
    'application/jsonx',
    'application/+json',
    'application/a b+json',
    'json',
    'text/plain',
    'application/xml',
    'text/plain; application/json',
  ])('%s is not JSON', async (type) => {
    expect(await isJson(type)).toBe(false);
  });

  const sizeOf = async (call: Call): Promise<unknown> =>
    ((await toy().call('/wp-json/toy/v1/things/5', { method: 'PUT', as: 'erin', ...call })).json as { params: { size?: number } }).params
      .size;

  test.each<[string, Call, number | undefined]>([
    ['a form', { headers: FORM_BODY, body: 'size=3' }, 3],
    ['a form with a charset', { headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=utf-8' }, body: 'size=3' }, 3],
    ['a body without a type', { body: 'size=3' }, 3],
    ['a type that is none', { headers: { 'content-type': 'garbage' }, body: 'size=3' }, 3],
    ['a body without a type in a POST', { method: 'POST', body: 'size=3' }, undefined],
    ['text', { headers: { 'content-type': 'text/plain' }, body: 'size=3' }, undefined],
  ])('%s', async (_what, call, size) => {
    expect(await sizeOf(call)).toBe(size);
  });

  const part = (name: string, value: string, more = ''): string =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const multipart = (body: string, type = 'multipart/form-data; boundary=B', method = 'POST'): Call => ({
    method,
    headers: { 'content-type': type },
    body,
  });

  test.each<[string, Call, number | undefined]>([
    ['one part', multipart(`${part('size', '3')}--B--\r\n`), 3],
    ['the last of a name counts', multipart(`${part('size', '3')}${part('size', '4')}--B--`), 4],
    ['a quoted boundary', multipart(`${part('size', '3')}--B--`, 'multipart/form-data; boundary="B"'), 3],
    ['capitals', multipart(`${part('size', '3')}--B--`, 'MULTIPART/FORM-DATA; BOUNDARY=B'), 3],
    ['something before it', multipart(`before\r\n${part('size', '3')}--B--`), 3],
    ['something after it', multipart(`${part('size', '3')}--B--after`), 3],
    ['a form that breaks off', multipart(part('size', '3').trimEnd()), 3],
    ['a file is no parameter', multipart(`${part('size', '3', '; filename="x"')}--B--`), undefined],
    ['a part without a name', multipart('--B\r\n\r\n3\r\n--B--'), undefined],
    ['no boundary', multipart(`${part('size', '3')}--B--`, 'multipart/form-data'), undefined],
    ['an empty boundary', multipart(`${part('size', '3')}--B--`, 'multipart/form-data; boundary='), undefined],
    ['another boundary', multipart(`${part('size', '3')}--B--`, 'multipart/form-data; boundary=C'), undefined],
    ['nothing at all', multipart(''), undefined],
    ['no form', multipart('garbage'), undefined],
    ['PHP reads forms of POST only', multipart(`${part('size', '3')}--B--`, 'multipart/form-data; boundary=B', 'PUT'), undefined],
  ])('multipart: %s', async (_what, call, size) => {
    expect(await sizeOf(call)).toBe(size);
  });

  test('a body that is too large returns 413', async () => {
    const { status, json } = await toy().call('/wp-json/toy/v1/things', {
      method: 'POST',
      headers: FORM_BODY,
      body: Buffer.alloc(33 * 1024 * 1024, 'a'),
    });
    expect([status, codeOf(json)]).toEqual([413, 'rest_request_too_large']);
  });
});
