import { bodyMatcher, readBody, matcher } from '../../../src/control/tenant/match.js';
import { stubResponse, templateView } from '../../../src/control/tenant/stubs/stub-template.js';
import { Stubs } from '../../../src/control/tenant/stubs/stubs.js';
import { sendableValue } from '../../../src/base/text/headers.js';
import { withContent } from '../../../src/base/text/stub-file.js';
import { templateFiller, templateProblem } from '../../../src/base/text/template.js';
import type { Json, Match, Stub } from '../../../src/sdk/types/qa.js';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const part = (name: string, value: string): string => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const differences = (wanted: Json, body: string, type?: string): string[] =>
  bodyMatcher(wanted)(readBody(body === '' ? null : Buffer.from(body), type));

describe('a body matches', () => {
  test.each<[Json, string, string | undefined]>([
    ['*jazz*', 'all that jazz!', 'text/plain'],
    ['{"query":*events*', '{"query":"{ events }"}', JSON_TYPE],
    ['', '', undefined],
    ['*', '', undefined],
    [{}, '{"a":1}', JSON_TYPE],
    [{ a: 1 }, '{"a":1,"b":2}', undefined],
    [{ title: 'Jazz*' }, '{"title":"Jazz night"}', JSON_TYPE],
    [{ venue: { city: 'Lin*' } }, '{"venue":{"city":"Lindental","zip":"1"}}', JSON_TYPE],
    [{ ids: [1, 2] }, '{"ids":[1,2]}', JSON_TYPE],
    [{ items: [{ name: '*' }] }, '{"items":[{"name":"x","left":2}]}', JSON_TYPE],
    [{ a: null }, '{"a":null}', JSON_TYPE],
    [[{ op: 'x' }], '[{"op":"x","id":1}]', JSON_TYPE],
    [{ title: 'Jazz*', count: 2, sold: false }, 'title=Jazz+night&count=2&sold=false', FORM],
    [{ venue: { city: 'Lindental' } }, 'venue[city]=Lindental', FORM],
    [{ tags: ['a', '*'] }, 'tags[]=a&tags[]=b', FORM],
    [{ a: 1 }, '{"a":1}', FORM],
    [{ name: 'Anna', size: 3 }, `${part('name', 'Anna')}${part('size', '3')}--x--\r\n`, MULTIPART],
  ])('%j: %s', (wanted, body, type) => expect(differences(wanted, body, type)).toEqual([]));

  test.each<[Json, string, string | undefined, string[]]>([
    ['*jazz*', 'rock', 'text/plain', ['body: expected "*jazz*", was "rock"']],
    ['x*', '', undefined, ['body: expected "x*", was absent']],
    [{ a: 1 }, '', undefined, ['body: expected an object, was absent']],
    [{ a: 1 }, 'a text', 'text/plain', ['body: expected an object, was absent']],
    [{ a: 1 }, '[1]', JSON_TYPE, ['body: expected an object, was [1]']],
    [{ a: 1, b: 'x*' }, '{"a":"1","b":"y"}', JSON_TYPE, ['body.a: expected 1, was "1"', 'body.b: expected "x*", was "y"']],
    [{ a: '1' }, '{"a":1}', JSON_TYPE, ['body.a: expected "1", was 1']],
    [{ a: { b: true } }, '{"a":{}}', JSON_TYPE, ['body.a.b: expected true, was absent']],
    [{ ids: [1, 2] }, '{"ids":[1]}', JSON_TYPE, ['body.ids: expected [1,2], was [1]']],
    [{ ids: [1, 2] }, '{"ids":[1,3]}', JSON_TYPE, ['body.ids[1]: expected 2, was 3']],
    [{ count: 2 }, 'count=3', FORM, ['body.count: expected 2, was "3"']],
  ])('%j: not %s', (wanted, body, type, expected) => expect(differences(wanted, body, type)).toEqual(expected));

  test('with all other conditions of a match', () => {
    const match: Match = { method: 'POST', body: { a: 1 } };
    const body = readBody(Buffer.from('{"a":2}'), JSON_TYPE);
    expect(matcher(match)({ method: 'GET', url: '/', header: () => undefined, body })).toEqual([
      'method: expected "POST", was "GET"',
      'body.a: expected 1, was 2',
    ]);
  });
});

const requestOf = (method: string, url: string, body = '') => ({
  method,
  url,
  header: () => undefined,
  body: readBody(Buffer.from(body), JSON_TYPE),
});

describe('templates', () => {
  const HEADERS = { 'x-client': 'app <2>', host: 'localhost' };

  test.each<[Json, Json]>([
    ['{{request.method}} {{request.path}} {{request.url}}', 'POST /wp-json/acme%20x/v1/7 /wp-json/acme%20x/v1/7?page=2&tag[]=a&tag[]=b'],
    ['{{request.pathSegments.1}} {{request.pathSegments.3}} {{request.pathSegments.9}}', 'acme x 7 '],
    ['{{request.query.page}}{{request.query.nothing}}', '2'],
    ['{{request.query.tag}} {{request.query.tag.1}}', '["a","b"] b'],
    ['{{request.headers.x-client}} & {{{request.headers.host}}}', 'app <2> & localhost'],
    ['{{request.body.title}} {{request.body.venue.city}} {{request.body.venue}}', 'Jöck & "Co" Lindental {"city":"Lindental"}'],
    ['{{now}}', '2026-06-15T12:00:00.000Z'],
    ['{{#request.query.page}}page {{.}}{{/request.query.page}}', 'page 2'],
    [
      { '{{now}}': ['{{request.query.page}}', 5, null, true, { deep: 'p{{request.query.page}}' }] },
      { '{{now}}': ['2', 5, null, true, { deep: 'p2' }] },
    ],
    ['no template { } }}', 'no template { } }}'],
  ])('%j', async (template, expected) => {
    const request = requestOf(
      'POST',
      '/wp-json/acme%20x/v1/7?page=2&tag[]=a&tag[]=b',
      '{"title":"Jöck & \\"Co\\"","venue":{"city":"Lindental"}}',
    );
    const view = templateView(request, HEADERS, Date.UTC(2026, 5, 15, 12));
    expect(templateProblem(template)).toBeUndefined();
    expect(templateFiller()(template, view)).toEqual(expected);
  });

  test('a body that is neither JSON nor a form is a text', async () => {
    const view = templateView(requestOf('POST', '/', 'a text'), {}, 0);
    expect(templateFiller()('{{request.body}}', view)).toBe('a text');
  });

  test.each<[Json, RegExp]>([
    ['{{request.qury.page}}', /^"request\.qury\.page" is not a value of a template.*Set "template": false/],
    [{ a: ['{{ title }}'] }, /^"title" is not/],
    ['{{request.constructor.name}}', /^"request\.constructor\.name" is not/],
    ['{{request.query.page', /^invalid template: unclosed tag/],
    ['{{#now}}x', /^invalid template: unclosed section "now"/],
    [`${'{{#now}}'.repeat(300)}x${'{{/now}}'.repeat(300)}`, /^invalid template: its sections are nested too deeply/],
  ])('%j is refused', (template, message) => expect(templateProblem(template)).toMatch(message));
});

test.each([
  ['/events/1', '/events/1'],
  ['Café', 'Caf%C3%A9'],
  ['日本\r\nX: y', '%E6%97%A5%E6%9C%AC%0D%0AX: y'],
  ['\ud800', '%EF%BF%BD'],
])('a header can have %j as %j', (value, expected) => expect(sendableValue(value)).toBe(expected));

describe('the response of a stub', () => {
  const respond = async (stub: Stub, url = '/?page=2'): Promise<unknown> => {
    const stubs = new Stubs(() => '');
    stubs.add(stub);
    const request = requestOf('GET', url);
    const taken = stubs.take(request);
    if (!taken) throw new Error('There is no stub.');
    return stubResponse(taken, () => Promise.resolve(templateView(request, {}, 0)));
  };

  test.each<[string, Stub, object]>([
    ['nothing', { respond: {} }, { status: 200, headers: {}, body: '' }],
    ['a status', { respond: { status: 204 } }, { status: 204, headers: {}, body: '' }],
    [
      'JSON',
      { respond: { body: { page: '{{request.query.page}}' } } },
      { headers: { 'Content-Type': 'application/json; charset=UTF-8' }, body: '{"page":"2"}' },
    ],
    ['null', { respond: { body: null } }, { body: 'null' }],
    ['a text', { respond: { body: 'p{{request.query.page}}' } }, { headers: { 'Content-Type': 'text/html; charset=UTF-8' }, body: 'p2' }],
    [
      'its own type',
      { respond: { body: 'x', headers: { 'content-type': 'text/plain' } } },
      { headers: { 'content-type': 'text/plain' }, body: 'x' },
    ],
    ['a header', { respond: { headers: { Location: '/p/{{request.query.page}}' } } }, { headers: { Location: '/p/2' } }],
    [
      'no template',
      { template: false, respond: { body: '{{now}}', headers: { 'X-A': '{{now}}' } } },
      { headers: expect.objectContaining({ 'X-A': '{{now}}' }), body: '{{now}}' },
    ],
    [
      'bytes',
      { respond: { bodyBase64: 'AAH/' } },
      { headers: { 'Content-Type': 'application/octet-stream' }, body: Buffer.from([0, 1, 255]) },
    ],
  ])('%s', async (_what, stub, expected) => expect(await respond(stub)).toMatchObject(expected));
});

test.each<[string, string, object]>([
  ['a.json', '{"a":1}', { status: 201, body: { a: 1 } }],
  ['a.html', '<p>', { status: 201, headers: { 'Content-Type': 'text/html; charset=UTF-8' }, body: '<p>' }],
  ['A.PNG', '\u0001', { status: 201, headers: { 'Content-Type': 'image/png' }, bodyBase64: 'AQ==' }],
  ['a', 'x', { status: 201, headers: { 'Content-Type': 'application/octet-stream' }, bodyBase64: 'eA==' }],
])('a stub responds with the file %s', (file, content, expected) =>
  expect(withContent({ status: 201, file }, Buffer.from(content))).toEqual(expected),
);

test('the headers of a stub win over the type of its file', () =>
  expect(withContent({ file: 'a.html', headers: { 'content-type': 'text/plain' } }, Buffer.from(''))).toEqual({
    headers: { 'content-type': 'text/plain' },
    body: '',
  }));

describe('stubs of the content', () => {
  test('follow it, keep their ids over a reset, and begin again', async () => {
    let content = JSON.stringify([{ respond: {}, times: 1 }, { match: { regex: '(' }, respond: {} }, { respond: { status: 404 } }]);
    const stubs = new Stubs(() => content);
    const request = requestOf('GET', '/x');
    expect(stubs.list().map(({ id, dataset }) => [id, dataset])).toEqual([
      [3, true],
      [1, true],
    ]);
    stubs.add({ respond: { status: 418 } });
    expect(stubs.take(request)?.id).toBe(4);
    stubs.remove(3);
    expect([stubs.clear(), stubs.take(request)?.id, stubs.take(request)]).toEqual([1, 1, null]);
    stubs.restart();
    expect(stubs.list().map(({ id, hits }) => [id, hits])).toEqual([
      [3, 0],
      [1, 0],
    ]);
    content = '[{"respond":{}}]';
    expect(stubs.list().map(({ id }) => id)).toEqual([5]);
    content = 'no JSON';
    expect(stubs.size).toBe(0);
  });
});
