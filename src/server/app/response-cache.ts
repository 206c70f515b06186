import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context, Middleware } from 'koa';
import { isLocalhost } from '../../base/text/hosts.js';
import type { Span } from '../../wordpress/clock.js';
import type { Site } from '../../wordpress/site.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';

/** Estimated overhead of an entry: headers and bookkeeping. */
const HEADER_BYTES = 3_000;

/** Requests with any of these headers bypass the cache: the response may depend on the user, or on more than the URL. */
const PERSONAL_HEADERS = ['authorization', 'cookie', 'x-understudy-now', 'x-wp-nonce', 'x-http-method-override', 'transfer-encoding'];

/** Adds the headers from which plugins of the site read credentials. */
const personalHeaders = onceFor((registry) => [
  ...PERSONAL_HEADERS,
  ...registry.hooks('authenticate').flatMap(({ headers = [] }) => headers),
]);

/** Request headers that the response may depend on; part of the cache key. */
const VARYING_HEADERS = ['origin', 'accept-encoding', 'content-type', 'x-tec-eea'];

/** Values of `Accept-Language` whose language is remembered. */
const MAX_LANGUAGES = 500;

interface CachedResponse {
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** A cached response, and when the clock shows a time at which it is the response. */
interface CachedEntry {
  response: CachedResponse;
  span: Span;
}

/** A response that is being computed; null: an error, or one that is not cached. */
interface Running {
  /** `performance.now()` */
  began: number;
  response: Promise<CachedResponse | null>;
}

/** Requests do not wait for a response that has taken longer than this so far: it may never come. */
const MAX_SHARED_MS = 1_000;

type Requested = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Caches responses to anonymous GET requests by the state of the site and the time of its clock, the only things that they depend on. */
export class ResponseCache {
  private readonly pending = new Map<string, Running>();
  /** Languages by the headers that they were chosen by. */
  private readonly languages = new Map<string, string>();

  constructor(readonly site: Pick<Site, 'store' | 'clock' | 'url'>) {}

  /** The cached response to a request. None if its language is not known yet. */
  find(request: Requested): CachedResponse | undefined {
    const language = this.languages.get(this.languageKey(request));
    const key = language === undefined ? null : keyOf(request, language, this.site.store.registry);
    return key === null ? undefined : this.at(this.storageKey(key));
  }

  /**
   * Serves a request from the cache. Otherwise handles it, and caches the response if it is marked as `cacheable`. Concurrent requests for
   * the same response wait for the first.
   */
  private async serve(ctx: Context, key: string, handle: () => Promise<unknown>): Promise<void> {
    const { state, memory } = this.site.store;
    const arrived = state.revisionOf();
    let [stored, shared] = this.keysOf(key);
    for (const isNext of [false, true]) {
      const found = this.at(stored) ?? this.running(shared);
      if (!found) break;
      const response = await found;
      [stored, shared] = this.keysOf(key);
      // Errors are not shared: each request tries again.
      if (!response) break;
      // A write since this request arrived means that the response may be stale. The next one began later.
      if (!isNext && arrived !== state.revisionOf()) continue;
      send(ctx, response);
      return;
    }

    const since = state.revisionOf();
    const span = this.site.clock.beginSpan();
    const before = ctx.res.getHeaderNames();
    const work = (async () => {
      await handle();
      return readResponse(ctx, before);
    })();
    const running = { began: performance.now(), response: work.catch(() => null) };
    this.pending.set(shared, running);
    try {
      const response = await work;
      if (response && since === state.revisionOf() && stored === this.storageKey(key) && span.from < span.until)
        memory.responses.set(stored, { response, span } satisfies CachedEntry, HEADER_BYTES + response.body.length);
    } finally {
      this.site.clock.endSpan(span);
      if (this.pending.get(shared) === running) this.pending.delete(shared);
    }
  }

  /** The response that other requests wait for. */
  private running(shared: string): Promise<CachedResponse | null> | undefined {
    const running = this.pending.get(shared);
    return running && performance.now() - running.began < MAX_SHARED_MS ? running.response : undefined;
  }

  /** The cache key, and the key by which concurrent requests are coalesced. */
  private keysOf(key: string): [stored: string, shared: string] {
    const { clock, store } = this.site;
    const { state } = store;
    const stored = this.storageKey(key);
    const second = Math.floor(clock.peek() / 1000);
    return [stored, state.isChanging() ? `changing ${second} ${key}` : `${state.revisionOf()} ${second} ${stored}`];
  }

  /** Serves requests from the cache and fills it. @param languageOf the language that the headers of a request ask for */
  middleware(languageOf: (ctx: Context) => string = () => ''): Middleware {
    return (ctx, next) => {
      const key = keyOf(ctx.req, this.languageOf(ctx, languageOf), this.site.store.registry);
      return key === null ? next() : this.serve(ctx, key, next);
    };
  }

  private at(stored: string): CachedResponse | undefined {
    const { store, clock } = this.site;
    const kept = store.memory.responses.get(stored) as CachedEntry | undefined;
    if (!kept) return undefined;
    const now = clock.peek();
    return now >= kept.span.from && now < kept.span.until ? kept.response : undefined;
  }

  private storageKey(key: string): string {
    const { store, url } = this.site;
    return `${store.state.generationOf()} ${url}\n${key}`;
  }

  private languageKey({ headers }: Pick<IncomingMessage, 'headers'>): string {
    return `${this.site.store.state.settings} ${headers['accept-language'] ?? ''}`;
  }

  private languageOf(ctx: Context, find: (ctx: Context) => string): string {
    const wish = this.languageKey(ctx.req);
    const known = this.languages.get(wish);
    if (known !== undefined) return known;
    if (this.languages.size >= MAX_LANGUAGES) this.languages.clear();
    const language = find(ctx);
    this.languages.set(wish, language);
    return language;
  }
}

/** WP: feeds evaluate these headers themselves, and require both. */
const FEED_CONDITIONS = ['if-none-match', 'if-modified-since'];

const mayBeFeed = (url = ''): boolean => /feed|rss|atom/.test(url);

/** The cache key of an anonymous GET; null for any other request. */
function keyOf({ method, url, headers }: Requested, language: string, registry: Registry): string | null {
  const hasBody = headers['content-length'] !== undefined && headers['content-length'] !== '0';
  if (method !== 'GET' || hasBody || personalHeaders(registry).some((name) => headers[name] !== undefined)) return null;
  if (mayBeFeed(url) && FEED_CONDITIONS.some((name) => headers[name] !== undefined)) return null;
  // WP: some routes exist under `localhost` only, and the index lists them.
  let key = `${url}\n${language}${isLocalhost(headers.host) ? '\nlocalhost' : ''}`;
  for (const name of VARYING_HEADERS) key += `\n${headers[name] ?? ''}`;
  return key;
}

/** The response of a context with its body read to the end; null if it must not be cached. @param before names of headers that are not part of it */
async function readResponse(ctx: Context, before: readonly string[]): Promise<CachedResponse | null> {
  if (ctx.state.cacheable !== true || ctx.status !== 200) return null;
  const body: unknown = ctx.body;
  if (body instanceof Readable) ctx.body = await buffer(body);
  else if (typeof body === 'string') ctx.body = Buffer.from(body);
  if (!Buffer.isBuffer(ctx.body)) return null;
  const headers = ctx.res.getHeaders();
  for (const name of before) delete headers[name];
  for (const name in headers) if (typeof headers[name] === 'number') headers[name] = String(headers[name]);
  return { headers: headers as CachedResponse['headers'], body: ctx.body };
}

function send(ctx: Context, { headers, body }: CachedResponse): void {
  ctx.status = 200;
  ctx.set(headers);
  ctx.body = body;
  ctx.state.sharedHeaders = headers;
}
