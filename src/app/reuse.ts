import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware } from 'koa';
import { GenerationCache } from '../store/generation-cache.js';
import type { Site } from '../wp/site.js';

/** Bytes of answers that are kept. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Bytes that the headers of an answer take, about, and what holds it all together. */
const HEADER_BYTES = 3_000;

/** With any of these a request may be somebody's, or ask for something else than its address says. */
const PERSONAL_HEADERS = ['authorization', 'cookie', 'x-understudy-now', 'x-wp-nonce', 'x-http-method-override', 'transfer-encoding'];

/** Headers that the same answer may depend on. */
const VARYING_HEADERS = ['origin', 'accept-encoding', 'content-type', 'x-tec-eea'];

/** An answer down to its bytes. */
interface Finished {
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** What an anonymous GET is told apart by; null for any other request. */
function keyOf({ method, url, headers }: Context, language: string): string | null {
  const hasBody = headers['content-length'] !== undefined && headers['content-length'] !== '0';
  if (method !== 'GET' || hasBody || PERSONAL_HEADERS.some((name) => headers[name] !== undefined)) return null;
  return [url, language, ...VARYING_HEADERS.map((name) => headers[name] ?? '')].join('\n');
}

/** The answer on a context, its body read to the end; null when it is none to be given again. */
async function finish(ctx: Context): Promise<Finished | null> {
  if (ctx.state.reusable !== true || ctx.status !== 200) return null;
  const body: unknown = ctx.body;
  if (body instanceof Readable) ctx.body = await buffer(body);
  else if (typeof body === 'string') ctx.body = Buffer.from(body);
  if (!Buffer.isBuffer(ctx.body)) return null;
  const headers = Object.entries(ctx.response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    headers: Object.fromEntries(headers.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])),
    body: ctx.body,
  };
}

function send(ctx: Context, { headers, body }: Finished): void {
  ctx.status = 200;
  ctx.set(headers);
  ctx.body = body;
  ctx.state.sharedHeaders = headers;
}

/**
 * Gives finished answers again, byte for byte, until something is written or the clock goes on by a second: what an address answers
 * to an anonymous reader depends on nothing else. Kept is only what the transport marked as `reusable`. Requests that come while the
 * same answer is being made wait for it. To be used only where no other process writes to the database.
 * @param languageOf the language that a request is to be answered in, as far as its headers have a say in that
 */
export function reuseAnswers({ store, clock }: Pick<Site, 'store' | 'clock'>, languageOf: (ctx: Context) => string = () => ''): Middleware {
  const generation = (): string => `${store.cache.revision} ${clock.seconds()}`;
  const finished = new GenerationCache<Finished>(generation, MOST_BYTES, ({ body }, key) => key.length + HEADER_BYTES + body.length);
  const underway = new Map<string, Promise<unknown>>();
  return async (ctx, next) => {
    const key = keyOf(ctx, languageOf(ctx));
    if (key === null) {
      await next();
      return;
    }
    await underway.get(`${generation()}\n${key}`);
    const known = finished.get(key);
    if (known) {
      send(ctx, known);
      return;
    }

    const since = generation();
    const place = `${since}\n${key}`;
    const work = (async () => {
      await next();
      return finish(ctx);
    })();
    // Whoever waits does not share a failure, but tries by himself.
    underway.set(
      place,
      work.catch(() => null),
    );
    try {
      const answer = await work;
      if (answer) finished.set(key, answer, since);
    } finally {
      underway.delete(place);
    }
  };
}
