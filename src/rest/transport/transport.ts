import type { Middleware } from 'koa';
import { isEmpty } from '../../php/cast.js';
import { phpJson, phpJsonBytes } from '../../php/json.js';
import { parseQuery, urldecode } from '../../php/query-string.js';
import { authenticate } from '../auth.js';
import { NO_BODY, parseBody } from './body.js';
import type { Exchange } from './exchange.js';
import { dispatch } from '../dispatch.js';
import type { MountedRoute } from '../table.js';
import { embedLinks } from './embed.js';
import { RestError } from '../error.js';
import { filterFields } from '../fields.js';
import { acceptedLanguage, languageFor, languageHeaders } from '../language.js';
import { cookieLine, NO_CACHE, parseCookies, type PageRequest, type PageResponse } from '../page.js';
import { RestRequest, type Params } from '../request.js';
import { RestResponse } from '../response.js';
import type { Json, Method } from '../route.js';
import type { Language } from '../../locales/language.js';
import { escUrlRaw } from '../../wp/formatting/esc-url.js';
import type { Site } from '../../wp/site.js';

export interface Transport {
  site: Site;
  table: () => MountedRoute[];
  /** Called with every path below the REST root that has no route. */
  onNoRoute?: (path: string) => void;
}

const COMMON_HEADERS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
};

const JSON_TYPE = 'application/json; charset=UTF-8';
const JAVASCRIPT_TYPE = 'application/javascript; charset=UTF-8';

/** WP: the path is decoded once, but for slashes, which would make other parts of it; what still looks encoded then is taken literally. */
function restPath(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  const parts = encoded.split(/%2f/i).map((part) => urldecode(part.replaceAll('+', '%2B')).replaceAll('%', '%25'));
  return parts.join('%2F');
}

/** WP: separate files, which know nothing of REST. */
const OWN_FILE = /^\/wp-(?:admin|content|includes)(?:\/|$)|^\/(?:wp-[\w-]+|xmlrpc)\.php(?:\/|$)/;

/** The REST path of a request: in `rest_route`, which wins and stands at any address (WP), or below `/wp-json`; null when it is not a REST request. */
export function findRestPath(pathname: string, query: Params): string | null {
  const pretty = /^(?:\/index\.php)?\/wp-json(\/.*)?$/s.exec(pathname);
  const { rest_route: plain } = query;
  if (typeof plain === 'string' && !isEmpty(plain) && !OWN_FILE.test(pathname)) return plain;
  return pretty ? restPath(pretty[1] ?? '/') : null;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** WP: the query parameter wins over the header; both may turn any request into any other, an empty one into none. */
export function methodOf(ctx: Pick<Exchange, 'headers' | 'method'>, query: Params): string {
  const override = text(query._method) ?? text(ctx.headers['x-http-method-override']);
  return (override ?? ctx.method).toUpperCase();
}

/** Reads parameters from all sources. The body is raw bytes, put on the context by the reader before. */
async function buildRequest(ctx: Exchange, path: string, query: Params): Promise<RestRequest> {
  const method = methodOf(ctx, query);
  const raw = ctx.state.rawBody as Buffer | undefined;
  const body = raw === undefined || raw.length === 0 ? NO_BODY : await parseBody(raw, ctx.headers, ctx.method, method);
  const sources = { json: body.json, form: body.form, query, path: {}, defaults: {} };
  const request = new RestRequest(
    (method === 'HEAD' ? 'GET' : method) as Method,
    path,
    ctx.headers as Record<string, string | undefined>,
    sources,
    body.jsonError,
  );
  request.floats = body.floats;
  if (raw) request.raw = raw;
  request.files = body.files;
  return request;
}

/** WP: headers that let pages of other origins read the response. */
export function corsHeaders(ctx: Pick<Exchange, 'headers' | 'method'>, anonymous: boolean): Record<string, string> {
  const { origin } = ctx.headers;
  if (origin !== undefined && origin !== '') {
    return {
      'Access-Control-Allow-Origin': origin === 'null' ? origin : escUrlRaw(origin),
      'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    };
  }
  return ctx.method === 'GET' && anonymous ? { Vary: 'Origin' } : {};
}

const JSONP_NAME = /^[\w.]+$/;

interface Rendering {
  request: RestRequest;
  query: Params;
  callback: string | undefined;
}

/** The name of the JSONP function; undefined when there is none (PHP: `0` is none), null for what cannot be a name. */
function callbackOf({ _jsonp: name }: Params): string | null | undefined {
  if (isEmpty(name)) return undefined;
  return typeof name === 'string' && JSONP_NAME.test(name) ? name : null;
}

function renderBody(response: RestResponse, { request, query, callback }: Rendering): Buffer {
  const isError = response.status >= 400;
  const isWhole = !Object.hasOwn(query, '_envelope') && ['_fields', '_pretty'].every((name) => request.get(name) === undefined);
  const written = isWhole ? response.json : null;
  if (written !== null) return asScript(written, callback);
  let body: Json = response.body;
  if (!isError) body = filterFields(body, request.get('_fields'), response.keepsLinks, response.wholeFields);
  if (Object.hasOwn(query, '_envelope'))
    body = { body, status: response.status, headers: Object.keys(response.headers).length > 0 ? { ...response.headers } : [] };
  return asScript(phpJsonBytes(body, { pretty: request.get('_pretty') !== undefined }), callback);
}

const asScript = (json: Buffer, callback: string | undefined): Buffer =>
  callback === undefined ? json : Buffer.concat([Buffer.from(`/**/${callback}(`), json, Buffer.from(')')]);

function refuseCallback(ctx: Exchange): void {
  ctx.status = 400;
  ctx.set('Content-Type', JAVASCRIPT_TYPE);
  ctx.body = phpJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' });
}

/** The nonce as sent, if any. PHP: form fields of a POST win over the query; anything but a text is an invalid nonce. */
function nonceOf(ctx: Exchange, { sources }: RestRequest): string | undefined {
  const given = (ctx.method === 'POST' ? sources.form._wpnonce : undefined) ?? sources.query._wpnonce ?? ctx.headers['x-wp-nonce'];
  return given === undefined ? undefined : (text(given) ?? '');
}

/** Signs the caller in, if they say who they are. @throws RestError when that fails */
async function recognise(site: Site, ctx: Exchange, request: RestRequest): Promise<void> {
  request.address = ctx.ip;
  const { authorization, cookie } = ctx.headers;
  const nonce = nonceOf(ctx, request);
  if (!authorization && cookie === undefined && nonce === undefined) return;
  const caller = await authenticate(site, { authorization, nonce, cookies: parseCookies(cookie), address: request.address });
  request.user = caller.user;
  request.applicationPassword = caller.applicationPassword;
  if (caller.nonce !== null) ctx.set('X-WP-Nonce', caller.nonce);
}

const accepts =
  (ctx: Exchange) =>
  (tags: string[]): string | false =>
    ctx.headers['accept-language'] === undefined ? tags[0] : ctx.acceptsLanguages(tags);

/** The language that the headers of a request ask for, or that of the site. */
export const headerLanguage =
  (site: Site) =>
  (ctx: Exchange): Language =>
    acceptedLanguage(site, accepts(ctx));

/** Sets the language headers, if there is a choice. */
function sayLanguage(site: Site, ctx: Exchange, language: Language | null | undefined): void {
  if (language === null || language === undefined) return;
  const { Vary: vary, ...headers } = languageHeaders(site, language);
  ctx.set(headers);
  if (vary !== undefined) ctx.vary(vary);
}

/** Authentication first: an error there ends the request (WP). */
async function respond({ site, table }: Transport, ctx: Exchange, request: RestRequest, query: Params): Promise<RestResponse> {
  try {
    await recognise(site, ctx, request);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return new RestResponse(error.body(), error.httpStatus, error.headers);
  }
  request.language = languageFor(site, { query, user: request.user, accepts: accepts(ctx) });
  const response = await dispatch(table(), request, site);
  if (Object.hasOwn(query, '_embed'))
    response.body = await embedLinks(response.body, query._embed, (inner) => dispatch(table(), inner, site), request, site);
  return response;
}

/** The code of an error. */
function code(response: RestResponse): string | undefined {
  const body = response.status < 400 ? null : response.body;
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? text(body.code) : undefined;
}

/** WP: responses to signed-in callers and to a failed nonce are never cached, nor are errors where a header overrides the method. */
function mustNotCache(ctx: Exchange, query: Params, request: RestRequest, response: RestResponse): boolean {
  if (request.user !== null || code(response) === 'rest_cookie_invalid_nonce') return true;
  const isOverridden = query._method === undefined && ctx.headers['x-http-method-override'] !== undefined;
  return isOverridden && response.status >= 400 && response.status < 500;
}

/** Errors of routes that are not there, or only listed. */
const IS_MISSING: ReadonlySet<string> = new Set(['rest_no_route', 'understudy_not_built']);

/** Serves requests below the REST root. @returns a function that returns whether a request was one */
export function serveRest(transport: Transport): (ctx: Exchange) => Promise<boolean> {
  const { site } = transport;
  const common = { ...COMMON_HEADERS, Link: `<${site.restUrl('/')}>; rel="https://api.w.org/"` };
  return async (ctx) => {
    const query = parseQuery(ctx.querystring);
    const path = findRestPath(ctx.path, query);
    if (path === null) return false;
    ctx.set(common);
    const callback = callbackOf(query);
    if (callback === null) {
      refuseCallback(ctx);
      return true;
    }

    const request = await buildRequest(ctx, path, query);
    const response = await respond(transport, ctx, request, query);
    ctx.state.login = request.user?.login;
    ctx.state.cacheable = request.method === 'GET' && request.user === null;
    ctx.state.isMissing = IS_MISSING.has(code(response) ?? '');
    if (code(response) === 'rest_no_route') transport.onNoRoute?.(path);
    const enveloped = Object.hasOwn(query, '_envelope');
    ctx.set(corsHeaders(ctx, request.user === null));
    sayLanguage(site, ctx, response.language);
    if (mustNotCache(ctx, query, request, response)) ctx.set(NO_CACHE);
    if (!enveloped) for (const [name, value] of Object.entries(response.headers)) ctx.set(name, String(value));
    const text = enveloped ? null : response.text;
    const body = text?.body ?? renderBody(response, { request, query, callback });
    ctx.status = enveloped ? 200 : response.status;
    ctx.set('Content-Type', text?.type ?? (callback === undefined ? JSON_TYPE : JAVASCRIPT_TYPE));
    ctx.body = methodOf(ctx, query) === 'HEAD' ? '' : body;
    return true;
  };
}

/** Serves everything below the REST root; hands on what is not. */
export function restTransport(transport: Transport): Middleware {
  const serve = serveRest(transport);
  return async (ctx, next) => {
    if (!(await serve(ctx))) await next();
  };
}

/** What a page looks at of a request. */
async function pageRequest(site: Site, ctx: Exchange): Promise<PageRequest> {
  const raw = (ctx.state.rawBody as Buffer | undefined) ?? Buffer.alloc(0);
  const { form } = await parseBody(raw, ctx.headers, ctx.method, ctx.method);
  const query = parseQuery(ctx.querystring);
  return {
    method: ctx.method.toUpperCase(),
    path: ctx.path,
    url: ctx.url,
    query,
    form,
    cookies: parseCookies(ctx.headers.cookie),
    headers: ctx.headers as Record<string, string | undefined>,
    address: ctx.ip,
    language: languageFor(site, { query, user: null, accepts: accepts(ctx) }),
  };
}

/** Serves pages: everything else. */
export function pageTransport(site: Site, serve: (request: PageRequest) => Promise<PageResponse>): Middleware {
  return async (ctx) => {
    const { status, headers, body, cookies = [], language, cacheable, isGuess = false } = await serve(await pageRequest(site, ctx));
    ctx.status = status;
    ctx.set(headers);
    sayLanguage(site, ctx, language);
    if (cookies.length > 0) ctx.set('Set-Cookie', cookies.map(cookieLine));
    ctx.body = body;
    ctx.state.isMissing = status === 404 || isGuess;
    ctx.state.cacheable = cacheable === true;
  };
}
