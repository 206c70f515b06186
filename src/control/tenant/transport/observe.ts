import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware, Next } from 'koa';
import { Clock, realTime } from '../../../wordpress/clock.js';
import { corsHeaders } from '../../../wordpress/rest/transport/transport.js';
import type { Canned } from '../faults/canned.js';
import { drawDelay, effectRows, type Exchange } from '../faults/effects.js';
import type { Fault } from '../faults/faults.js';
import { NOTHING_SENT, readBody, type MatchedRequest, type MatchedBody } from '../match.js';
import { stubResponse, templateView } from '../stubs/stub-template.js';
import { destinationOf } from './serve.js';
import { requestHeader, isConfidential, withoutSecrets, type Entry } from '../journal/journal.js';
import { maskUrl } from '../../../base/text/secrets.js';
import { readMoment } from '../../../base/text/moment.js';
import type { TemplateView } from '../../../base/text/template.js';
import type { Tenant } from '../tenant.js';

/** The header that overrides the time of a single request. Only who may control the server may send it. */
export const NOW_HEADER = 'x-understudy-now';

const invalidTime = (text: string): object => ({
  code: 'understudy_invalid_moment',
  message: `X-Understudy-Now must be a time such as 2026-06-15T12:00:00Z, not ${JSON.stringify(text)}.`,
  data: { status: 400 },
});

declare module 'koa' {
  interface DefaultState {
    /** The headers of a cached response. */
    sharedHeaders?: Entry['headers'];
    isBinary?: boolean;
    proxied?: Entry['proxied'];
    /** The connection ended before a response. */
    isDropped?: boolean;
    /** The id of the stub that responded. */
    stub?: number;
  }
}

/** The bytes of a response body of any type. */
async function bytesOf(body: unknown): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Readable) return buffer(body);
  return body === null || body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function exchangeOf(ctx: Context, random: () => number): Exchange {
  return {
    random,
    hangUp: () => {
      ctx.respond = false;
      ctx.state.isDropped = true;
      ctx.req.socket.destroy();
    },
    breakOff: (body, bytes) => {
      ctx.respond = false;
      const { res } = ctx;
      res.setHeader('Content-Length', body.length);
      res.writeHead(ctx.status);
      res.write(body.subarray(0, bytes), () => ctx.req.socket.destroy());
    },
  };
}

type Rows = ReturnType<typeof effectRows>;

async function disturbBody(ctx: Context, rows: Rows, exchange: Exchange): Promise<void> {
  if (!rows.some(([row]) => 'cut' in row || 'send' in row)) return;
  if (ctx.body === null || ctx.body === undefined || ctx.method === 'HEAD') return;
  const { status, type } = ctx;
  const contentType = ctx.response.get('content-type');
  let bytes = await bytesOf(ctx.body);
  for (const [row, value] of rows) bytes = row.cut?.(value, bytes) ?? bytes;
  let sent: Buffer | Readable | null = bytes;
  for (const [row, value] of rows) if (row.send && Buffer.isBuffer(sent)) sent = row.send(value, sent, exchange);
  if (sent === null) return;
  ctx.body = sent;
  ctx.status = status;
  if (type !== '') ctx.set('Content-Type', contentType);
  ctx.length = bytes.length;
}

function send(ctx: Context, { status, headers, body }: Canned): void {
  ctx.status = status;
  // With CORS headers, so that pages of other origins can read the error, like errors of the service.
  ctx.set({ ...corsHeaders(ctx, true), ...headers });
  ctx.body = ctx.method === 'HEAD' ? '' : body;
}

/** Responds as the REST API does for each of its routes: pages of other origins may send what stubs respond to. */
function sendPreflight(ctx: Context): void {
  ctx.status = 204;
  ctx.set(corsHeaders(ctx, true));
  const asked = ctx.get('access-control-request-headers');
  if (asked !== '') ctx.set('Access-Control-Allow-Headers', asked);
}

const TOO_LONG = { code: 'understudy_timeout', message: 'The request timed out (--request-timeout).', data: { status: 503 } };

function sendTooLong(ctx: Context): void {
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Retry-After': '1' };
  send(ctx, { status: 503, headers, body: JSON.stringify(TOO_LONG) });
}

interface ObserveOptions {
  /** Whether tests control the server. */
  isControlled: boolean;
  /** Timeout of a request, in ms. */
  timeout: number;
}

/** Handles a request by the site, at the requested time. */
async function handle(tenant: Tenant, ctx: Context, next: Next, { isControlled, timeout }: ObserveOptions): Promise<void> {
  const given = isControlled ? ctx.headers[NOW_HEADER] : undefined;
  const time = typeof given === 'string' ? readMoment(given) : undefined;
  if (time === null) {
    ctx.status = 400;
    ctx.body = invalidTime(String(given));
    return;
  }
  const isServed = await tenant.serve({ method: ctx.method, url: ctx.url }, timeout, async () => {
    await (time === undefined ? next() : Clock.at(time, next));
    return true;
  });
  if (!isServed) sendTooLong(ctx);
}

const bodyOf = (ctx: Context): MatchedBody => readBody(ctx.state.rawBody, ctx.headers['content-type']);

/** A request as rules see it; null if there are none. */
async function matchedRequest(ctx: Context, { faults, stubs, site }: Tenant): Promise<MatchedRequest | null> {
  if (faults.size === 0 && stubs.size === 0) return null;
  const { method, url } = ctx;
  const body = faults.readsBody || stubs.readsBody ? bodyOf(ctx) : NOTHING_SENT;
  return { method, url, header: (name) => ctx.get(name) || undefined, body, rewrite: site.options.rewrite };
}

/** Responds with a stub, or lets the site respond. */
async function respond(request: MatchedRequest | null, tenant: Tenant, ctx: Context, next: Next, options: ObserveOptions): Promise<void> {
  if (request === null) return handle(tenant, ctx, next, options);
  if (tenant.stubs.isPreflight(request)) return sendPreflight(ctx);
  const stub = tenant.stubs.take(request);
  if (!stub) return handle(tenant, ctx, next, options);
  const { delay } = stub.stub;
  // Before the gate, so that no reset waits for it.
  if (delay !== undefined) await sleep(drawDelay(delay, stub.random));
  const view = async (): Promise<TemplateView> =>
    templateView({ ...request, body: bodyOf(ctx) }, ctx.headers, tenant.site.clock.now(), destinationOf(ctx).site.url);
  const sendStub = async (): Promise<void> => {
    const response = await stubResponse(stub, view);
    send(ctx, response);
    ctx.state.stub = stub.id;
    ctx.state.isBinary = Buffer.isBuffer(response.body);
  };
  await handle(tenant, ctx, sendStub, options);
}

async function applyFault({ effect, random }: Fault, ctx: Context, respondAsUsual: () => Promise<void>): Promise<void> {
  const rows = effectRows(effect);
  const exchange = exchangeOf(ctx, random);
  for (const [row, value] of rows) if (await row.before?.(value, exchange)) return;
  const [canned] = rows.flatMap(([row, value]) => row.respond?.(value, effect) ?? []);
  if (canned) send(ctx, canned);
  else await respondAsUsual();
  await disturbBody(ctx, rows, exchange);
}

const plainBody = (ctx: Context): string | Buffer | null => {
  const known = ctx.state.plainBody;
  if (typeof known === 'string') return known;
  const body: unknown = ctx.body;
  // Compressed while it is sent. A response that is already compressed is cached, and stays unchanged.
  if (known !== undefined && !Buffer.isBuffer(body)) return known.toString();
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return body === null || body === undefined || body instanceof Readable ? null : JSON.stringify(body);
};

/** A request and its response, for the journal. */
type Recorded = Pick<Entry, 'status' | 'headers' | 'responseBody'> &
  Partial<Pick<Entry, 'body' | 'user' | 'fault' | 'stub' | 'proxied' | 'cached'>> & {
    request: Pick<IncomingMessage, 'method' | 'rawHeaders'> & { url?: string | undefined };
    /** By `performance.now()`. */
    started: number;
  };

/** Adds a request to the journal, without its secrets. */
export function recordExchange({ journal, site }: Tenant, { request, started, body = null, ...rest }: Recorded): void {
  if (journal.isOff || started < journal.clearedAt) return;
  const { method = '', url = '', rawHeaders } = request;
  const type = body === null ? '' : (requestHeader({ rawHeaders }, 'content-type') ?? '');
  const times = { at: realTime(), clock: site.clock.peek(), ms: performance.now() - started };
  journal.add({
    id: 0,
    method,
    url: maskUrl(url),
    rawHeaders,
    body: withoutSecrets(body, type),
    user: null,
    fault: null,
    stub: null,
    proxied: null,
    cached: false,
    cut: false,
    ...times,
    ...rest,
  });
}

function record(tenant: Tenant, ctx: Context, started: number, fault: Fault | null): void {
  const { method, url } = ctx;
  const rawBody = ctx.state.rawBody;
  const isRead = method === 'GET';
  const keepsBodies = isRead || !isConfidential(url);
  const sent = rawBody === undefined || rawBody.length === 0 || !keepsBodies ? null : rawBody;
  recordExchange(tenant, {
    request: { method, url, rawHeaders: ctx.req.rawHeaders },
    started,
    body: sent,
    user: ctx.state.login ?? null,
    status: ctx.state.isDropped === true ? 0 : ctx.status,
    // A cached response has shared headers.
    headers: ctx.state.sharedHeaders ?? ctx.res.getHeaders(),
    responseBody: ctx.status === 304 || !keepsBodies || ctx.state.isBinary === true ? null : plainBody(ctx),
    fault: fault?.rule ?? null,
    stub: ctx.state.stub ?? null,
    cached: ctx.state.sharedHeaders !== undefined,
    proxied: ctx.state.proxied ?? null,
  });
}

/** The outermost middleware: applies faults, records requests, and ends those that time out. */
export function observe(tenant: Tenant, options: ObserveOptions): Middleware {
  // Stubs of the dataset are content: they respond without tests, too.
  if (!options.isControlled) return async (ctx, next) => respond(await matchedRequest(ctx, tenant), tenant, ctx, next, options);
  const { faults, journal } = tenant;
  return async (ctx, next) => {
    tenant.touch();
    const started = performance.now();
    const request = await matchedRequest(ctx, tenant);
    const fault = request && faults.take(request);
    const respondAsUsual = (): Promise<void> => respond(request, tenant, ctx, next, options);
    const open = { method: ctx.method, url: ctx.url, started, fault: fault?.rule ?? null };
    if (!journal.isOff) journal.open.add(open);
    try {
      await (fault ? applyFault(fault, ctx, respondAsUsual) : respondAsUsual());
    } finally {
      journal.open.delete(open);
      if (!journal.isOff) record(tenant, ctx, started, fault);
    }
  };
}
