import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware, Next } from 'koa';
import { Clock, realTime } from '../../wp/clock.js';
import { corsHeaders } from '../../rest/transport/transport.js';
import type { Canned } from '../faults/canned.js';
import { effectRows, type Exchange } from '../faults/effects.js';
import type { Fault } from '../faults/faults.js';
import type { Entry } from '../journal/journal.js';
import type { Tenant } from '../tenant.js';

/** The header with which a single request has a time of its own. */
const NOW_HEADER = 'x-understudy-now';

/** Marks a context whose connection was dropped before an answer. */
const DROPPED = 'dropped';

const badMoment = (text: string): object => ({
  code: 'understudy_invalid_moment',
  message: `X-Understudy-Now must be a time such as 2026-06-15T12:00:00Z, not ${JSON.stringify(text)}.`,
  data: { status: 400 },
});

/** The bytes of an answer, however it was going to be sent. */
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
      ctx.state[DROPPED] = true;
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

async function spoilBody(ctx: Context, rows: Rows, exchange: Exchange): Promise<void> {
  if (!rows.some(([row]) => row.cut ?? row.send)) return;
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
  // Pages elsewhere see what went wrong, as they see the service's own refusals.
  ctx.set({ ...corsHeaders(ctx, true), ...headers });
  ctx.body = ctx.method === 'HEAD' ? '' : body;
  ctx.set('Content-Type', headers['Content-Type']);
}

/** Lets the site answer: among others, at its time. */
async function answer(tenant: Tenant, ctx: Context, next: Next, isSteered = true): Promise<void> {
  const given = isSteered ? ctx.headers[NOW_HEADER] : undefined;
  const moment = typeof given === 'string' ? Date.parse(given) : undefined;
  if (Number.isNaN(moment)) {
    ctx.status = 400;
    ctx.body = badMoment(String(given));
    return;
  }
  const wait = tenant.gate.enter();
  if (wait) await wait;
  try {
    if (moment === undefined) await next();
    else await Clock.at(moment, next);
  } finally {
    tenant.gate.leave();
  }
}

async function answerWith({ effect, random }: Fault, tenant: Tenant, ctx: Context, next: Next): Promise<void> {
  const rows = effectRows(effect);
  const exchange = exchangeOf(ctx, random);
  for (const [row, value] of rows) if (await row.before?.(value, exchange)) return;
  const [canned] = rows.flatMap(([row, value]) => row.respond?.(value, effect) ?? []);
  if (canned) send(ctx, canned);
  else await answer(tenant, ctx, next);
  await spoilBody(ctx, rows, exchange);
}

const plainBody = (ctx: Context): string | Buffer | null => {
  const known = ctx.state.plainBody as unknown;
  if (typeof known === 'string') return known;
  const body: unknown = ctx.body;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return body === null || body === undefined || body instanceof Readable ? null : JSON.stringify(body);
};

/** Passwords come or go in the bodies of these: they are not kept. */
const CONFIDENTIAL = /\/wp-login\.php|\/authorize-application\.php|(?:\/|%2F)application-passwords/i;

function note(tenant: Tenant, ctx: Context, started: number, fault: Fault | null): void {
  const { req } = ctx;
  const rawBody = ctx.state.rawBody as Buffer | undefined;
  const keepsBodies = ctx.method === 'GET' || !CONFIDENTIAL.test(ctx.url);
  tenant.journal.add({
    id: 0,
    at: realTime(),
    clock: tenant.site.clock.now(),
    method: ctx.method,
    url: ctx.url,
    rawHeaders: req.rawHeaders,
    body: rawBody === undefined || rawBody.length === 0 || !keepsBodies ? null : rawBody,
    user: (ctx.state.login as string | undefined) ?? null,
    status: ctx.state[DROPPED] === true ? 0 : ctx.status,
    // Those of an answer that is given again are there already.
    headers: (ctx.state.sharedHeaders as Entry['headers'] | undefined) ?? ctx.res.getHeaders(),
    answer: ctx.status === 304 || !keepsBodies ? null : plainBody(ctx),
    ms: performance.now() - started,
    fault: fault?.rule ?? null,
    cut: false,
  });
}

/** First of all middleware: what is to go wrong does, and every request is written down. @param isSteered whether tests have a say */
export function observe(tenant: Tenant, isSteered: boolean): Middleware {
  if (!isSteered) return (ctx, next) => answer(tenant, ctx, next, false);
  return async (ctx, next) => {
    tenant.touch();
    const started = performance.now();
    const { faults, journal } = tenant;
    const fault =
      faults.size === 0 ? null : faults.take({ method: ctx.method, url: ctx.url, header: (name) => ctx.get(name) || undefined });
    try {
      if (fault) await answerWith(fault, tenant, ctx, next);
      else await answer(tenant, ctx, next);
    } finally {
      if (!journal.isOff) note(tenant, ctx, started, fault);
    }
  };
}

/** Below the packing of answers: keeps what they are before. */
export const keepPlainBody: Middleware = async (ctx, next) => {
  await next();
  if (typeof ctx.body === 'string') ctx.state.plainBody = ctx.body;
};
