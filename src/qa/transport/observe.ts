import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware, Next } from 'koa';
import { Clock, realTime } from '../../wp/clock.js';
import { corsHeaders } from '../../rest/transport.js';
import { cannedAnswer, type Fault } from '../faults/faults.js';
import type { Effect } from '../../qa-types.js';
import type { Entry } from '../journal/journal.js';
import type { Tenant } from '../tenant.js';

/** The header with which a single request has a time of its own. */
const NOW_HEADER = 'x-understudy-now';

/** Marks a context whose connection was dropped before an answer. */
const DROPPED = 'dropped';

const badMoment = (text: string): object => ({
  code: 'understudy_invalid_moment',
  message: `X-Understudy-Now must be a moment such as 2026-06-15T12:00:00Z, not ${JSON.stringify(text)}.`,
  data: { status: 400 },
});

/** The bytes of an answer, however it was going to be sent. */
async function bytesOf(body: unknown): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Readable) return buffer(body);
  return body === null || body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

const SLICES_PER_SECOND = 20;

async function* slowly(bytes: Buffer, perSecond: number): AsyncGenerator<Buffer> {
  const slice = Math.max(1, Math.floor(perSecond / SLICES_PER_SECOND));
  for (let at = 0; at < bytes.length; at += slice) {
    if (at > 0) await sleep((slice / perSecond) * 1000);
    yield bytes.subarray(at, at + slice);
  }
}

/** Sends the head and half of the body, then nothing more. */
function dropHalfway(ctx: Context, bytes: Buffer): void {
  ctx.respond = false;
  const { res } = ctx;
  res.setHeader('Content-Length', bytes.length);
  res.writeHead(ctx.status);
  res.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => ctx.req.socket.destroy());
}

async function spoilBody(ctx: Context, { drop, truncate, bytesPerSecond }: Effect): Promise<void> {
  if (drop !== 'mid-body' && truncate === undefined && bytesPerSecond === undefined) return;
  if (ctx.body === null || ctx.body === undefined || ctx.method === 'HEAD') return;
  const { status, type } = ctx;
  const whole = await bytesOf(ctx.body);
  const bytes = truncate === undefined ? whole : whole.subarray(0, truncate === true ? Math.floor(whole.length / 2) : truncate);
  if (drop === 'mid-body') {
    dropHalfway(ctx, bytes);
    return;
  }
  const contentType = ctx.response.get('content-type');
  ctx.body = bytesPerSecond === undefined ? bytes : Readable.from(slowly(bytes, bytesPerSecond));
  ctx.status = status;
  if (type !== '') ctx.set('Content-Type', contentType);
  ctx.length = bytes.length;
}

function can(ctx: Context, effect: Effect): void {
  const { status, headers, body } = cannedAnswer(effect);
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

async function answerWith(fault: Fault, tenant: Tenant, ctx: Context, next: Next): Promise<void> {
  const { effect, delay } = fault;
  if (delay > 0) await sleep(delay);
  if (effect.drop === 'before') {
    ctx.respond = false;
    ctx.state[DROPPED] = true;
    ctx.req.socket.destroy();
    return;
  }
  if (effect.status === undefined) await answer(tenant, ctx, next);
  else can(ctx, effect);
  await spoilBody(ctx, effect);
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
