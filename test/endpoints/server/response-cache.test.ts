import { EventEmitter, once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import Koa, { type Context } from 'koa';
import { ResponseCache } from '../../../src/server/app/response-cache.js';
import { Memory } from '../../../src/database/memory/index.js';
import { State } from '../../../src/database/memory/state.js';
import { Clock } from '../../../src/wordpress/clock.js';
import { registry } from '../../support/registry.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The application's handler, with all inputs of a response. */
type Handler = (ctx: Context, made: number) => void | Promise<void>;

class World {
  readonly store = { state: new State(), memory: new Memory(), registry };
  readonly url = 'http://127.0.0.1';
  readonly clock = new Clock(Date.UTC(2026, 5, 15));
  handler: Handler = (ctx, made) => {
    ctx.state.cacheable = true;
    ctx.set({ 'X-Made': String(made), 'X-Many': ['a', 'b'] });
    ctx.type = 'application/json; charset=UTF-8';
    ctx.body = `answer ${made}`;
  };
  made = 0;
  private arrived = 0;
  private readonly onArrival = new EventEmitter().setMaxListeners(0);
  private server: Server | undefined;

  async start(): Promise<void> {
    const app = new Koa();
    app.silent = true;
    const languageOf = (ctx: Context): string => ctx.acceptsLanguages(['en', 'de']) || 'en';
    app.use((_ctx, next) => {
      this.arrived += 1;
      // The cache has handled the request by the next turn.
      setImmediate(() => this.onArrival.emit('arrival'));
      return next();
    });
    app.use(new ResponseCache(this as unknown as ConstructorParameters<typeof ResponseCache>[0]).middleware(languageOf));
    app.use((ctx) => this.handler(ctx as Context, (this.made += 1)));
    const handle = app.callback();
    this.server = createServer((incoming, outgoing) => void handle(incoming, outgoing)).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Waits until this many requests have reached the cache. */
  async arrivals(count: number): Promise<void> {
    while (this.arrived < count) await once(this.onArrival, 'arrival');
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  async get(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET', body?: string): Promise<Answer> {
    const { port } = (this.server as Server).address() as AddressInfo;
    const outgoing = request({ port, path, method, headers, agent: false });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
  }
}

let world: World;
beforeEach(async () => {
  world = new World();
  await world.start();
});
afterEach(() => world.stop());

const withoutDate = ({ status, headers: { date: _date, ...headers }, body }: Answer): object => ({ status, headers, body });

test('a cached response is identical, including headers', async () => {
  const first = await world.get('/a?b=1');
  const second = await world.get('/a?b=1');
  expect(world.made).toBe(1);
  expect(first).toMatchObject({ status: 200, body: 'answer 1', headers: { 'x-made': '1', 'x-many': 'a, b', 'content-length': '8' } });
  expect(withoutDate(second)).toEqual(withoutDate(first));
});

test('caches streamed bodies', async () => {
  world.handler = (ctx, made) => {
    ctx.state.cacheable = true;
    ctx.set('Content-Encoding', 'x-test');
    ctx.body = Readable.from([Buffer.from('stream '), Buffer.from(String(made))]);
  };
  expect(await world.get('/')).toMatchObject({ body: 'stream 1', headers: { 'content-encoding': 'x-test' } });
  expect(await world.get('/')).toMatchObject({ body: 'stream 1', headers: { 'content-encoding': 'x-test' } });
});

test('a write invalidates the cache immediately', async () => {
  await world.get('/');
  world.store.state.endWrite('posts', [1]);
  expect((await world.get('/')).body).toBe('answer 2');
});

test('a response computed during a write is not cached', async () => {
  const { handler } = world;
  world.handler = (ctx, made) => {
    world.store.state.endWrite('posts', [1]);
    return handler(ctx, made);
  };
  await world.get('/');
  expect((await world.get('/')).body).toBe('answer 2');
});

test('a response that depends on the time is valid for one second of the clock, forwards and backwards', async () => {
  const start = world.clock.now();
  const { handler } = world;
  world.handler = (ctx, made) => {
    world.clock.now();
    return handler(ctx, made);
  };
  await world.get('/');
  world.clock.set(start + 999);
  expect((await world.get('/')).body).toBe('answer 1');
  world.clock.set(start + 1000);
  expect((await world.get('/')).body).toBe('answer 2');
  world.clock.set(start - 1000);
  expect((await world.get('/')).body).toBe('answer 3');
});

test('a response is valid in the span of time that was noted, and at any time if it does not depend on the time', async () => {
  const start = world.clock.now();
  const { handler } = world;
  await world.get('/always');
  world.handler = (ctx, made) => {
    world.clock.noteSpan(start - 5_000, start + 5_000);
    world.clock.hasReached(start / 1000 + 3);
    return handler(ctx, made);
  };
  await world.get('/');
  for (const [moved, made] of [
    [2_999, 2],
    [-5_000, 2],
    [3_000, 3],
    [4_999, 3],
    [2_999, 4],
  ]) {
    world.clock.set(start + moved);
    expect((await world.get('/')).body).toBe(`answer ${made}`);
  }
  world.clock.set(0);
  expect((await world.get('/always')).body).toBe('answer 1');
});

test.each([
  ['another path', '/b', {}],
  ['another parameter', '/a?x=2', {}],
  ['another origin', '/a?x=1', { origin: 'https://elsewhere.example' }],
  ['another encoding', '/a?x=1', { 'accept-encoding': 'gzip' }],
  ['another content type', '/a?x=1', { 'content-type': 'application/json' }],
  ['another language', '/a?x=1', { 'accept-language': 'de-AT, en;q=0.5' }],
])('%s has its own cached response', async (_, path, headers) => {
  await world.get('/a?x=1');
  expect((await world.get(path, headers)).body).toBe('answer 2');
  expect((await world.get(path, headers)).body).toBe('answer 2');
  expect((await world.get('/a?x=1')).body).toBe('answer 1');
});

test('equivalent languages share a cached response', async () => {
  const headers = ['de', 'de-AT, en;q=0.1', 'tlh, de;q=0.9, *;q=0.1'].map((accepted) => ({ 'accept-language': accepted }));
  for (const each of headers) expect((await world.get('/', each)).body).toBe('answer 1');
});

test.each([
  ['credentials', { authorization: 'Basic YTpi' }],
  ['a nonce', { 'x-wp-nonce': 'abc' }],
  ['an empty nonce', { 'x-wp-nonce': '' }],
  ['another method in a header', { 'x-http-method-override': 'DELETE' }],
])('a request with %s neither uses nor fills the cache', async (_, headers) => {
  expect((await world.get('/', headers)).body).toBe('answer 1');
  expect((await world.get('/')).body).toBe('answer 2');
  expect((await world.get('/', headers)).body).toBe('answer 3');
  expect((await world.get('/')).body).toBe('answer 2');
});

test.each([
  ['of known length', { 'content-length': '2' }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
])('a GET request with a body %s is not cached by URL alone', async (_, headers) => {
  await world.get('/');
  expect((await world.get('/', headers, 'GET', '{}')).body).toBe('answer 2');
  expect((await world.get('/')).body).toBe('answer 1');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s is never cached', async (method) => {
  await world.get('/');
  await world.get('/', {}, method);
  await world.get('/', {}, method);
  expect(world.made).toBe(3);
});

test('unmarked responses are not cached', async () => {
  const { handler } = world;
  world.handler = async (ctx, made) => {
    await handler(ctx, made);
    ctx.state.cacheable = false;
  };
  await world.get('/');
  expect((await world.get('/')).body).toBe('answer 2');
});

test.each([201, 304, 400, 404])('a response with status %i is not cached', async (status) => {
  const { handler } = world;
  world.handler = async (ctx, made) => {
    await handler(ctx, made);
    ctx.status = status;
  };
  await world.get('/');
  await world.get('/');
  expect(world.made).toBe(2);
});

test('concurrent requests wait for the same response', async () => {
  const { handler } = world;
  world.handler = async (ctx, made) => {
    await world.arrivals(8);
    await handler(ctx, made);
  };
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.get('/')));
  expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => 'answer 1'));
});

test('a request after a write does not wait for a response from before the write', async () => {
  const { handler } = world;
  let finishFirst = (): void => {};
  world.handler = async (ctx, made) => {
    if (made === 1) await new Promise<void>((resolve) => (finishFirst = resolve));
    await handler(ctx, made);
  };
  const before = world.get('/');
  await world.arrivals(1);
  world.store.state.endWrite('posts', [1]);
  expect((await world.get('/')).body).toBe('answer 2');
  finishFirst();
  expect((await before).body).toBe('answer 1');
  expect((await world.get('/')).body).toBe('answer 2');
});

test('a failure is not shared with waiting requests', async () => {
  const { handler } = world;
  world.handler = async (ctx, made) => {
    await world.arrivals(3);
    if (made === 1) throw new Error('broken');
    await handler(ctx, made);
  };
  const answers = await Promise.all([world.get('/'), world.get('/'), world.get('/')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 500]);
});

describe('requests that wait for the same response', () => {
  const COUNT = 20;
  const slowly = (during: (made: number) => void): void => {
    const { handler } = world;
    world.handler = async (ctx, made) => {
      await world.arrivals(COUNT);
      // Those that have waited for another one reach this one.
      await new Promise(setImmediate);
      during(made);
      await handler(ctx, made);
    };
  };
  const all = async (): Promise<string[]> =>
    (await Promise.all(Array.from({ length: COUNT }, () => world.get('/')))).map(({ body }) => body);

  test('share it when a second passes meanwhile', async () => {
    slowly(() => world.clock.set(world.clock.now() + 1000));
    expect(new Set(await all())).toEqual(new Set(['answer 1']));
  });

  test('share the next one after a write', async () => {
    slowly((made) => {
      if (made === 1) world.store.state.endWrite('posts', [1]);
    });
    expect((await all()).toSorted()).toEqual(['answer 1', ...Array.from({ length: COUNT - 1 }, () => 'answer 2')]);
  });

  test('share the next one while something is written', async () => {
    slowly(() => undefined);
    const { state } = world.store;
    state.beginWrite('posts', [1]);
    const bodies = await all();
    expect(bodies.toSorted()).toEqual(['answer 1', ...Array.from({ length: COUNT - 1 }, () => 'answer 2')]);
    // What is computed during a write is not kept.
    expect((await world.get('/')).body).toBe('answer 3');
  });

  test('do not wait for one that may never come', async () => {
    const { handler } = world;
    world.handler = (ctx, made) => (made === 1 ? new Promise<void>(() => undefined) : handler(ctx, made));
    void world.get('/').catch(() => undefined);
    await world.arrivals(1);
    const later = performance.now() + 1_000;
    const time = jest.spyOn(performance, 'now').mockReturnValue(later);
    expect((await world.get('/')).body).toBe('answer 2');
    time.mockRestore();
  });
});
