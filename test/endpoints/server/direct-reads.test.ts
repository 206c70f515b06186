import { once } from 'node:events';
import net from 'node:net';
import { jest } from '@jest/globals';
import Koa from 'koa';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { WORLD } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';
import type { Server, ServerOptions } from '../../../src/index.js';

/** A response as it comes over the wire, without the time at which it was sent. */
function ask(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(Number(port), hostname, () => socket.write(Buffer.from(`${head}\r\n\r\n`, 'latin1')));
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replace(/\r\nDate: [^\r]*/, ''),
      ),
    );
  });
}

interface Entry {
  id: number;
  at: string;
  ms: number;
  response: { headers: Record<string, unknown> };
}

/** What a request leads to: the response byte for byte, the journal, and whether Koa handled it. */
interface Outcome {
  answer: string;
  journal: object[];
  byKoa: boolean;
}

const contexts = jest.spyOn(Koa.prototype as unknown as { createContext: () => unknown }, 'createContext');
afterAll(() => contexts.mockRestore());

/** What is known of earlier requests is another state's. */
const forget = ({ site }: Server): void => site.store.state.change('posts', [1], true);

async function outcomeOf({ localUrl }: Server, head: string): Promise<Outcome> {
  await http('DELETE', `${localUrl}/__qa/journal`);
  contexts.mockClear();
  const answer = await ask(localUrl, head);
  const byKoa = contexts.mock.calls.length > 0;
  const { text } = await http('GET', `${localUrl}/__qa/journal?limit=5`);
  const { entries } = JSON.parse(text) as { entries: Entry[] };
  const journal = entries.map(({ id: _id, at: _at, ms: _ms, ...entry }) => ({ ...entry, order: Object.keys(entry.response.headers) }));
  return { answer, journal, byKoa };
}

interface Compared {
  koa: Outcome;
  direct: Outcome;
  /** The same request again: what each way leaves in the cache. */
  again: { koa: Outcome; direct: Outcome };
}

/** The same request on the direct way, and by Koa, which handles everything while there are faults. */
async function bothWays(server: Server, head: string): Promise<Compared> {
  forget(server);
  await http('POST', `${server.localUrl}/__qa/faults`, { 'content-type': 'application/json' }, NEVER);
  const koa = await outcomeOf(server, head);
  await http('DELETE', `${server.localUrl}/__qa/faults`);
  const afterKoa = await outcomeOf(server, head);
  forget(server);
  const direct = await outcomeOf(server, head);
  const afterDirect = await outcomeOf(server, head);
  return { koa, direct, again: { koa: afterKoa, direct: afterDirect } };
}

const NEVER = JSON.stringify({ match: { path: '/wp-json/never' }, effect: { status: 500 } });

const requestOf = (target: string, headers: Record<string, string> = {}, method = 'GET'): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: calendar.test',
    'X-Request-Id: id-1',
    ...Object.entries({ Connection: 'close', ...headers }).map((pair) => pair.join(': ')),
  ].join('\r\n');

const NS = '/wp-json/tribe/events/v1';

/** Requests that need nothing of Koa. */
const READS: [string, Record<string, string>?][] = [
  [`${NS}/events`],
  [`${NS}/events?page=2&per_page=3`],
  [`${NS}/events?page=999`],
  [`${NS}/events?per_page=0`],
  [`${NS}/events?start_date=nonsense&per_page=x`],
  [`${NS}/events?search=caf%C3%A9&categories[]=a`],
  [`${NS}/events/31`],
  [`${NS}/events/31?_embed`],
  [`${NS}/events/31?_embed=author&_fields=id`],
  [`${NS}/events/31?_envelope`],
  [`${NS}/events/424242?_envelope=1&_jsonp=f`],
  [`${NS}/events/31?_jsonp=call.me`],
  [`${NS}/events/31?_jsonp=no-name`],
  [`${NS}/events/31?_fields=id,title,venue.id`],
  [`${NS}/events/31?_pretty`],
  [`${NS}/events/424242`],
  [`${NS}/events/31/`],
  [`${NS}/events/31?_method=HEAD`],
  [`${NS}/events/31?_method=POST&title=x`],
  [`${NS}/events/31?_method=OPTIONS`],
  [`${NS}/events/31?_wpnonce=abc`],
  [`${NS}/events/31?_locale=de_DE`],
  [`${NS}/events/31?rest_route=/tribe/events/v1/venues/10`],
  [`${NS}/venues`],
  [`${NS}/venues/10`],
  [`${NS}/organizers?per_page=2`],
  [`${NS}/categories`],
  [`${NS}/tags?hide_empty=true`],
  [`${NS}/doc`],
  [`${NS}/unknown`],
  ['/wp-json/'],
  ['/wp-json/tribe/events/v1'],
  ['/wp-json/no/such/namespace?password=secret'],
  ['/wp-json/oembed/1.0/embed?url=x'],
  ['/wp-json/oembed/1.0/embed?format=xml&url=http%3A%2F%2Fx'],
  ['/wp-json/wp/v2/tribe_events?per_page=2&_embed'],
  ['/wp-json/wp/v2/users/me'],
  ['/wp-json/wp/v2/types'],
  ['/wp-json/%2e%2e/x%2Fy#fragment'],
  [`${NS}/events/31`, { Origin: 'https://elsewhere.example' }],
  [`${NS}/events/31`, { Origin: 'null' }],
  [`${NS}/events/31`, { Origin: 'http://x\u00e9y' }],
  [`${NS}/events/424242`, { Origin: 'https://elsewhere.example' }],
  [`${NS}/doc`, { 'Accept-Language': 'de-AT, en;q=0.5' }],
  [`${NS}/events/31`, { 'Accept-Language': 'tlh, *;q=0' }],
  [`${NS}/events/31`, { 'Content-Type': 'application/json', 'Content-Length': '0' }],
  [`${NS}/events/31`, { 'X-Forwarded-For': '1.2.3.4', Accept: 'text/html' }],
  [`${NS}/events/31?_fields=id`, { 'Accept-Encoding': 'gzip, deflate, br' }],
  [`${NS}/events`, { 'Accept-Encoding': 'gzip, deflate, br' }],
  [`${NS}/events`, { 'Accept-Encoding': 'gzip', Origin: 'https://elsewhere.example', 'Accept-Language': 'fr' }],
  [`${NS}/events`, { 'Accept-Encoding': '*' }],
  [`${NS}/events`, { 'Accept-Encoding': '*;q=0' }],
  [`${NS}/events`, { 'Accept-Encoding': 'identity' }],
  [`${NS}/events`, { 'Accept-Encoding': '' }],
  [`${NS}/events?${'categories[]=x&'.repeat(3)}start_date=${'x'.repeat(2000)}`, { 'Accept-Encoding': 'gzip' }],
  ['/wp-json/wp/v2/categories/0?_jsonp=x', { 'Accept-Encoding': 'deflate' }],
];

/** Requests that are left to Koa. */
const OTHERS: [string, Record<string, string>?, string?][] = [
  [`${NS}/events/31`, {}, 'HEAD'],
  [`${NS}/events/31`, {}, 'OPTIONS'],
  [`${NS}/events/31`, { 'If-None-Match': '"x"' }],
  [`${NS}/events/31`, { 'If-Modified-Since': 'Mon, 01 Jun 2026 00:00:00 GMT' }],
  [`${NS}/events/31`, { Cookie: 'a=b' }],
  [`${NS}/events/31`, { Authorization: 'Basic eDp5' }],
  [`${NS}/events/31`, { 'X-WP-Nonce': 'x' }],
  [`${NS}/events/31`, { 'X-HTTP-Method-Override': 'OPTIONS' }],
  [`${NS}/events/31`, { 'X-Understudy-Now': '2026-01-01T00:00:00Z' }],
  ['/wp-json'],
  ['/?rest_route=/tribe/events/v1/events/31'],
  ['/events/'],
  ['/wp-content/uploads/none.png'],
];

describe.each<[string, Partial<ServerOptions>]>([
  ['like the plugin', {}],
  ['with all corrections', { profile: 'standard' }],
  ['with request ids', { requestIds: true }],
])('a server %s', (_, options) => {
  const server = startTestServer({ dataset: WORLD, journal: 20, url: 'http://calendar.test', logLevel: 'silent', ...options });
  const compare = async (head: string): Promise<Compared> => {
    // The language of a header is found by Koa once.
    await outcomeOf(server(), head);
    const compared = await bothWays(server(), head);
    const { koa, direct, again } = compared;
    expect([koa.byKoa, direct.byKoa]).toEqual([true, false]);
    expect(direct.answer).toBe(koa.answer);
    expect(direct.journal).toEqual(koa.journal);
    expect(again.direct).toEqual(again.koa);
    return compared;
  };

  test.each(READS.map(([target, headers = {}]) => [target, headers] as const))(
    'responds to GET %s %j directly as by Koa',
    async (target, headers) => {
      const { direct } = await compare(requestOf(target, headers));
      expect(direct.journal).toHaveLength(1);
    },
  );

  test.each(OTHERS.map(([target, headers = {}, method = 'GET']) => [method, target, headers] as const))(
    'leaves %s %s %j to Koa',
    async (method, target, headers) => {
      const { direct, koa } = await bothWays(server(), requestOf(target, headers, method));
      expect([koa.byKoa, direct.byKoa]).toEqual([true, true]);
      expect(direct).toEqual(koa);
    },
  );

  test.each<[string, unknown, number]>([
    ['an outage', new MongoNetworkError('gone'), 503],
    ['a full disk', Object.assign(new Error('full'), { code: 'ENOSPC' }), 507],
    ['too large a document', new MongoServerError({ message: 'object larger than the maximum' }), 413],
    ['an error of the request', Object.assign(new Error('Not like this'), { status: 422 }), 422],
    ['any other error', new Error('broken'), 500],
    ['what is no error', 'broken', 500],
  ])('shows %s as by Koa', async (_what, error, status) => {
    const head = requestOf(`${NS}/doc`, { 'Accept-Encoding': 'gzip', Origin: 'https://elsewhere.example' });
    const language = jest.spyOn(server().site, 'language', 'get');
    await outcomeOf(server(), head);
    language.mockImplementation(() => {
      throw error;
    });
    try {
      const { direct } = await compare(head);
      expect(direct.answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    } finally {
      language.mockRestore();
    }
  });

  test('responds at another time of the clock as by Koa', async () => {
    const list = requestOf(`${NS}/events?per_page=2`);
    const before = await compare(list);
    server().setClock('2027-01-01T00:00:00Z');
    const after = await compare(list);
    server().setClock('2026-06-15T12:00:00Z');
    expect(after.direct.answer).not.toBe(before.direct.answer);
  });

  test('keeps a connection open', async () => {
    const two = [requestOf(`${NS}/events/31`, { Connection: 'keep-alive' }), requestOf(`${NS}/events/32`)].join('\r\n\r\n');
    const { direct } = await compare(two);
    expect(direct.answer.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    expect(direct.answer).toContain('Connection: keep-alive\r\nKeep-Alive: ');
  });

  test('goes on when a client does not wait', async () => {
    const { hostname, port } = new URL(server().localUrl);
    forget(server());
    for (let i = 0; i < 5; i++) {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(`${requestOf(`${NS}/events?${i}`)}\r\n\r\n`);
        setImmediate(() => socket.resetAndDestroy());
      });
      await once(socket, 'close');
    }
    await compare(requestOf(`${NS}/events`));
  });

  test('makes a response once for concurrent requests', async () => {
    const head = requestOf(`${NS}/events?concurrent`);
    await outcomeOf(server(), head);
    forget(server());
    await http('DELETE', `${server().localUrl}/__qa/journal`);
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(server().localUrl, head)));
    const { text } = await http('GET', `${server().localUrl}/__qa/journal?limit=5`);
    const { entries } = JSON.parse(text) as { entries: { cached?: boolean }[] };
    expect(entries.filter(({ cached }) => cached !== true)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.toLowerCase())).size).toBe(1);
  });
});

describe('a request that takes too long', () => {
  const server = startTestServer({ dataset: WORLD, journal: 20, url: 'http://calendar.test', requestTimeout: 0.1, logLevel: 'silent' });

  test('is given up as by Koa, and what it leads to later is not kept', async () => {
    const head = requestOf('/wp-json/wp/v2/media?orderby=title');
    const { answer: complete } = await outcomeOf(server(), head);
    const { store } = server().site;
    const held: (() => void)[] = [];
    const aggregate = store.aggregate.bind(store);
    store.aggregate = (async (...args) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return aggregate(...args);
    }) as typeof aggregate;
    const { direct, koa } = await bothWays(server(), head);
    expect([koa.byKoa, direct.byKoa, held.length]).toEqual([true, false, 2]);
    expect(direct.answer).toMatch(/^HTTP\/1.1 503 /);
    expect(direct).toEqual({ ...koa, byKoa: false });
    store.aggregate = aggregate;
    for (const goOn of held) goOn();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const late = await outcomeOf(server(), head);
    expect(late.answer).toBe(complete);
  });
});
