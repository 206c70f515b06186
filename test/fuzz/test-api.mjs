// Requests to the test API in a sandbox: the operations of its OpenAPI document, with valid and invalid values.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { barrage } from './barrage.mjs';
import { adminOf, differences, illnessOf, readWorld } from './campaign.mjs';
import { mangledFile } from './mangle.mjs';
import { factsOf, hostileName, hostileValue } from './values.mjs';
import { connect } from './wire.mjs';

const pick = (...values) => fc.constantFrom(...values);

/** Generates another value with a probability of 1 in `n`. */
const spoilt = (n, arbitrary, other) => fc.oneof({ weight: n - 1, arbitrary }, { weight: 1, arbitrary: other });

const MOMENTS = [
  '2026-06-15T12:00:00Z',
  '2026-02-30T00:00:00Z',
  '1969-12-31',
  '9999-12-31T23:59:59Z',
  '-000001-01-01',
  'now',
  'tomorrow',
  '',
];
const RULES = [
  { match: { path: '/wp-json/**' }, effect: { status: 503 } },
  { match: { method: 'GET' }, effect: { delay: 1, truncate: true } },
  { match: {}, effect: { drop: 'mid-body' }, times: 1 },
  { effect: { headers: { 'x-a': 'b' }, bytesPerSecond: 1e6 } },
];

/** Meaningful values of the test API's parameters, by name. Durations are short, since the fuzzer waits for them. */
function byName(fixtures) {
  const base64 = fc.oneof(...fixtures).map((bytes) => bytes.toString('base64'));
  const delays = pick(0, 1, -1, 'x', { min: 1, max: 2 }, { mean: 1, deviation: 1 }, { min: 2, max: 1 }, {});
  return {
    name: pick('one', 'two', 'pristine', 'offline', 'slow', 'ünï', '..', '%2e%2e', 'a/b', '', 'x'.repeat(300)),
    id: pick(1, 2, 3, '1', 99, -1, 'x', 1e21),
    now: pick(...MOMENTS),
    advance: pick('2 days', 'P1DT2H', '90min', -1, 1e15, 1e300, '-1 month', 'x', '0'),
    // No changes happen while this waits.
    wait: pick(0, 0.01, '0', -1, 'x', 1e300),
    since: pick('one', 'two', '0', '2026-06-15', '-1h', 'x', '1', ''),
    timeout: pick(1, 20, 0, -1, 'x'),
    // No server listens there, and no request leaves this machine.
    url: pick(
      'http://127.0.0.1:9/hook',
      'http://127.0.0.1:9',
      'http://[::1]:9/',
      'ftp://127.0.0.1/',
      '/x',
      '',
      'http://',
      'http://127.0.0.1:99999/',
    ),
    path: pick(
      '/tribe/events/v1/events?per_page=2',
      '/tribe/events/v1/events/31',
      '/wp/v2/posts',
      '/',
      '',
      '*',
      '/wp-json/**',
      '/%',
      '//',
      '/tribe/events/v1/categories',
    ),
    regex: pick('events', '(', '^(?<a>x)', '[', 'a{9999999}', ''),
    match: pick({}, { path: '/**' }, { method: ['GET', 'x'] }, { body: { a: '*' } }, { headers: { a: '*' } }, { query: { per_page: '2' } }),
    effect: fc.oneof(
      pick(...RULES.map(({ effect }) => effect)),
      delays.map((delay) => ({ delay })),
    ),
    faults: pick(RULES, RULES.slice(1, 2), []),
    respond: pick(
      { status: 200, body: { a: 1 } },
      { status: 299, bodyBase64: 'eA==' },
      { headers: { 'x-a': 'b\nc' } },
      { headers: { 'content-length': '9' } },
      {},
    ),
    delay: delays,
    events: pick(['post.*'], ['content.reset'], ['x'], []),
    version: pick('6.15.0', '6.0', '0', '99', 'x', ''),
    action: pick('add', 'list', 'password', 'remove', 'x'),
    login: pick('admin', 'editor', 'new', 'nobody', '', 'a b'),
    method: pick('GET', 'POST', 'DELETE', 'x', ['GET']),
    body: pick({}, { title: 'Made', start_date: '2026-07-01', end_date: '2026-07-02' }, { id: { $gt: '' } }, []),
    file: pick('app.js', 'styles/bar.css', 'explorer/model.js', 'rules/stubs.js', '..', 'index.html', 'styles/..', 'x'),
    dataset: fc.array(fc.record({ name: pick('a.json', 'a.csv', 'b.ics', 'c.xml', 'x', '../a.yaml'), content: base64 }), { maxLength: 2 }),
    uploads: pick(
      {},
      { 'a.png': 'eA==' },
      { '../a.png': 'eA==' },
      { a: 'eA==', 'a/b': 'eA==' },
      { 'a/': '' },
      { 'a\0b': '' },
      { ['x'.repeat(300)]: '' },
    ),
    stubs: pick({}, { 'a.json': 'e30=' }, { '/etc/a': '' }, { '.': '' }),
  };
}

/** Values of a JSON schema. Known names have their own values. */
function bySchema(schema, name, known) {
  if (Object.hasOwn(known, name)) return known[name];
  const { type, enum: values, properties, items, oneOf } = schema;
  if (values) return pick(...values);
  if (oneOf) return fc.oneof(...oneOf.map((one) => bySchema(one, name, known)));
  switch (Array.isArray(type) ? type[0] : type) {
    case 'integer':
    case 'number':
      return pick(0, 1, 2, 10, '3');
    case 'boolean':
      return pick(true, false, '1');
    case 'array':
      return fc.array(bySchema(items ?? {}, '', known), { maxLength: 2 });
    case 'object':
      return properties ? fieldsOf({ properties }, known) : pick({}, { a: 'b' });
    default:
      return pick('x', '', 'editor', '*');
  }
}

function fieldsOf({ properties, required = [] }, known) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const arbitrary = bySchema(schema, name, known);
    return [name, required.includes(name) ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: 2 })];
  });
  return fc.record(Object.fromEntries(members));
}

const given = (record) => Object.entries(record).filter(([, value]) => value !== undefined);

/** Parameters that hostile values must not replace: requests must stay on this machine, and waits must be short. */
const KEPT = ['url', 'wait', 'timeout', 'delay', 'advance'];

/** Sometimes replaces a field with an arbitrary value, or adds an unknown one. */
const withHostile = (record) =>
  spoilt(
    3,
    record,
    fc.tuple(record, fc.nat(), hostileName, hostileValue).map(([fields, at, other, value]) => {
      const names = [...Object.keys(fields).filter((name) => !KEPT.includes(name)), other];
      return { ...fields, [names[at % names.length]]: value };
    }),
  );

const textOf = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const encoded = (text) => encodeURIComponent(text.toWellFormed());

const FOREIGN = 'http://elsewhere.example';

/** Headers of requests from pages and from tests. */
const headers = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: pick({ origin: FOREIGN }, { 'sec-fetch-site': 'cross-site' }, { host: 'elsewhere.example' }) },
  pick(
    { authorization: 'Bearer x' },
    { 'x-understudy-token': '' },
    { 'x-understudy-sandbox': 'two' },
    { cookie: 'understudy_sandbox=%' },
    { accept: 'text/html' },
  ),
);

const MULTIPART = 'multipart/form-data; boundary=b';
const BODIES = ['', '[]', 'null', '{', '{"a":1}', '"x"', '\ufeff{}', '{"__proto__":{"a":1}}', '--b\r\n\r\n'].map((text) =>
  Buffer.from(text),
);

/** Requests of one operation of the document. */
function operationRequests(base, path, method, { parameters = [], requestBody }, known, fixtures) {
  const named = (place) => Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]));
  const fields = requestBody?.content['application/json']?.schema;
  const bytes = requestBody?.content['*/*'] ? fc.oneof(...fixtures) : undefined;
  const json = fields && withHostile(fieldsOf(fields, known)).map((value) => Buffer.from(JSON.stringify(Object.fromEntries(given(value)))));
  return fc
    .record({
      path: fieldsOf({ properties: named('path'), required: Object.keys(named('path')) }, known),
      query: withHostile(fieldsOf({ properties: named('query') }, known)),
      body: spoilt(15, bytes ?? json ?? fc.constant(Buffer.alloc(0)), pick(...BODIES)),
      type: spoilt(12, fc.constant('application/json'), pick(MULTIPART, 'application/x-www-form-urlencoded', 'text/plain', '')),
      headers,
      method: spoilt(15, fc.constant(method.toUpperCase()), pick('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE')),
    })
    .map((made) => {
      const place = path.replace(/\{(\w+)\}/g, (_, name) => encoded(textOf(made.path[name])).replaceAll('%2F', '/'));
      const query = given(made.query).map(([name, value]) => `${encoded(name)}=${encoded(textOf(value) ?? '')}`);
      return {
        method: made.method,
        target: `${base}${place}${query.length > 0 ? `?${query.join('&')}` : ''}`,
        headers: { 'content-type': made.type, ...made.headers },
        body: ['GET', 'HEAD', 'TRACE'].includes(made.method) ? Buffer.alloc(0) : made.body,
        expects: { kind: 'test API' },
      };
    });
}

/** Ordinary requests to the same site, which faults and stubs may affect. */
const siteRequests = (base) =>
  fc
    .record({
      method: pick('GET', 'GET', 'POST'),
      path: pick('/wp-json/', '/wp-json/tribe/events/v1/events', '/', '/wp-json/wp/v2/posts', '/events/'),
      body: pick(...BODIES),
    })
    .map(({ method, path, body }) => ({
      method,
      target: `${base}${path}`,
      headers: { 'content-type': 'application/json' },
      body: method === 'GET' ? Buffer.alloc(0) : body,
      expects: { kind: 'site' },
    }));

/** Problems of a response of the test API. */
export function testApiProblems({ method, headers: sent, expects, target }, answer) {
  // Faults drop connections and delay responses.
  if (expects.kind === 'site') return [];
  if (answer instanceof Error) return [answer.message];
  const { status, text, headers: got } = answer;
  const problems = [];
  const isRefused =
    sent.host !== undefined ||
    sent['sec-fetch-site'] !== undefined ||
    (sent.origin === FOREIGN && !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const isPage = /\/__qa\/(ui|explorer)\b/.test(target);
  if (isRefused && !isPage && status < 400) problems.push(`status ${status} for a page of another site`);
  if (status >= 500) problems.push(`status ${status}: ${text.slice(0, 200)}`);
  if (method === 'HEAD' || text === '') return problems;
  if (!/^application\/json\b/.test(got['content-type'] ?? ''))
    return status >= 400 ? [...problems, `an error of type ${got['content-type']}`] : problems;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return [...problems, `the body is no JSON: ${text.slice(0, 200)}`];
  }
  const isError =
    typeof value?.code === 'string' && typeof value.message === 'string' && value.message !== '' && value.data?.status === status;
  if (status >= 400 && !isError) problems.push(`an error without code, message and status: ${text.slice(0, 200)}`);
  return problems;
}

const SANDBOX = 'under-test';

/** The state of the main site in the test API, without request counts. */
async function mainState(send) {
  const parts = ['clock', 'faults', 'stubs', 'snapshots', 'webhooks', 'version', 'faults/scenarios'];
  const answers = await Promise.all(
    parts.map((part) => send({ method: 'GET', target: `/__qa/${part}`, headers: {}, body: Buffer.alloc(0) })),
  );
  return answers.map(({ text }, index) => [`/__qa/${parts[index]}`, text]);
}

/**
 * Sends requests to the test API of a sandbox and checks every response. After each round, the main site is compared with its original
 * state. Its dataset has WordPress's export form.
 * @param options.server a running server with the dataset
 * @param options.datasets dataset files, which are sent unchanged and damaged
 * @param options.isMain whether to send the requests to the main site instead, without the comparison
 */
export async function testApiCampaign({
  server,
  world,
  datasets,
  isMain = false,
  requests: wanted,
  seed,
  perRound = 500,
  atOnce = 4,
  failuresAtMost = 1,
  onProgress = () => {},
}) {
  const { send, close } = connect(server.url);
  const base = isMain ? '' : `/__sandbox/${SANDBOX}`;
  const ask = (method, target, body = '') => send({ method, target, headers: {}, body: Buffer.from(body) });
  const { paths } = JSON.parse((await ask('GET', '/__qa/doc')).text);
  const fixtures = datasets.map((file) => readFileSync(file)).map((bytes) => spoilt(2, fc.constant(bytes), mangledFile(bytes)));
  const known = byName(fixtures);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: 2,
      arbitrary: operationRequests(base, path, method, operation, known, fixtures),
    })),
  );
  const reached = {};
  const failures = [];
  let sent = 0;
  const { round, close: endBarrage } = barrage({
    send,
    url: server.url,
    requests: fc.oneof(...operations, { weight: 12, arbitrary: siteRequests(base) }),
    verdict: testApiProblems,
    atOnce,
    onAnswer: (_, { status }) => {
      reached[status] = (reached[status] ?? 0) + 1;
      onProgress((sent += 1));
    },
  });
  const authorization = adminOf(factsOf(world));
  const whole = async () => new Map([...(await readWorld(server.site, send, authorization)), ...(await mainState(send))]);
  // The first read updates the password's last use.
  await whole();
  const before = await whole();
  for (let index = 0; sent < wanted && failures.length < failuresAtMost; index++) {
    failures.push(...(await round(seed, index, Math.min(perRound, wanted - sent))));
    failures.push(...(await illnessOf(send)));
    if (isMain) continue;
    await ask('DELETE', '/__qa/sandboxes', '{"idle":0}');
    const changed = differences(before, await whole());
    if (changed.length > 0) failures.push(`seed ${seed}: requests to a sandbox changed the main site: ${changed.slice(0, 10).join(', ')}`);
  }
  failures.push(...endBarrage());
  close();
  return { sent, statuses: reached, failures };
}
