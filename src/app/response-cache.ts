import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware } from 'koa';
import type { Site } from '../wp/site.js';

/** Estimated overhead of an entry: headers and bookkeeping. */
const HEADER_BYTES = 3_000;

/** Requests with any of these headers bypass the cache: the response may depend on the user, or on more than the URL. */
const PERSONAL_HEADERS = ['authorization', 'cookie', 'x-understudy-now', 'x-wp-nonce', 'x-http-method-override', 'transfer-encoding'];

/** Request headers that the response may depend on; part of the cache key. */
const VARYING_HEADERS = ['origin', 'accept-encoding', 'content-type', 'x-tec-eea'];

/** Belongs to a request, not to what is cached. */
const REQUEST_ID = 'x-request-id';

interface CachedResponse {
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** The cache key of an anonymous GET; null for any other request. */
function cacheKey({ method, url, headers }: Context, language: string): string | null {
  const hasBody = headers['content-length'] !== undefined && headers['content-length'] !== '0';
  if (method !== 'GET' || hasBody || PERSONAL_HEADERS.some((name) => headers[name] !== undefined)) return null;
  return [url, language, ...VARYING_HEADERS.map((name) => headers[name] ?? '')].join('\n');
}

/** The response of a context with its body read to the end; null if it must not be cached. */
async function readResponse(ctx: Context): Promise<CachedResponse | null> {
  if (ctx.state.cacheable !== true || ctx.status !== 200) return null;
  const body: unknown = ctx.body;
  if (body instanceof Readable) ctx.body = await buffer(body);
  else if (typeof body === 'string') ctx.body = Buffer.from(body);
  if (!Buffer.isBuffer(ctx.body)) return null;
  const headers = Object.entries(ctx.response.headers).flatMap(([name, value]) =>
    value === undefined || name === REQUEST_ID ? [] : [[name, value] as const],
  );
  return {
    headers: Object.fromEntries(headers.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])),
    body: ctx.body,
  };
}

function send(ctx: Context, { headers, body }: CachedResponse): void {
  ctx.status = 200;
  ctx.set(headers);
  ctx.body = body;
  ctx.state.sharedHeaders = headers;
}

/**
 * Caches responses to anonymous GET requests, byte for byte, by the state of the site and the second of its clock: nothing else changes
 * them. Only responses that the transport marks as `cacheable` are cached. Concurrent requests for the same response wait for the first.
 * Use it only if no other process writes to the database.
 * @param languageOf the language that the headers of a request ask for
 */
export function cacheResponses(
  { store, clock, url }: Pick<Site, 'store' | 'clock' | 'url'>,
  languageOf: (ctx: Context) => string = () => '',
): Middleware {
  const { state, memory } = store;
  const placeOf = (key: string): string => `${state.nameOf()} ${clock.seconds()} ${url}\n${key}`;
  const pending = new Map<string, Promise<unknown>>();
  return async (ctx, next) => {
    const key = cacheKey(ctx, languageOf(ctx));
    if (key === null) {
      await next();
      return;
    }
    await pending.get(`${state.revisionOf()} ${placeOf(key)}`);
    const place = placeOf(key);
    const hit = memory.responses.get(place) as CachedResponse | undefined;
    if (hit) {
      send(ctx, hit);
      return;
    }

    const since = state.revisionOf();
    const turn = `${since} ${place}`;
    const work = (async () => {
      await next();
      return readResponse(ctx);
    })();
    // Waiting requests do not share an error; each tries again.
    pending.set(
      turn,
      work.catch(() => null),
    );
    try {
      const response = await work;
      if (response && since === state.revisionOf() && place === placeOf(key))
        memory.responses.set(place, response, place.length + HEADER_BYTES + response.body.length);
    } finally {
      pending.delete(turn);
    }
  };
}
