import { isEmpty } from '../../../base/php/cast.js';
import { phpJson, phpJsonBytes } from '../../../base/php/json.js';
import { parseQuery } from '../../../base/php/query-string.js';
import { authenticate } from '../auth.js';
import { parseBody, PUBLIC_BODY } from './body.js';
import type { HttpRequest, HttpResponse } from './http.js';
import { dispatch } from '../dispatch.js';
import type { MountedRoute } from '../table.js';
import { embedLinks } from './embed.js';
import { filterFields, cookieLine, NO_CACHE, parseCookies, RestRequest, textHeaders } from '../request.js';
import type { PageRequest, PageResponse, Params } from '../request.js';
import { acceptedLanguage, languageFor, languageHeaders } from '../language.js';
import { RestResponse, type Json, type Method, RestError } from '../route.js';
import type { Language } from '../../../base/locales/index.js';
import { FAILURES } from '../../../base/system/failures.js';
import { USUAL, type Rewrite } from '../../rewrite.js';
import { asCaller } from '../../users/capabilities.js';
import { findSession } from '../../users/sessions.js';
import { escUrlRaw } from '../../formatting/entities.js';
import type { Site } from '../../site.js';

interface RestTransport {
  site: Site;
  table: () => MountedRoute[];
  /** Called with every path below the REST root that has no route. */
  onNoRoute?: (path: string) => void;
}

const COMMON_HEADERS = { 'X-Robots-Tag': 'noindex', 'X-Content-Type-Options': 'nosniff' };

const CORS_HEADERS = {
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
};

const JSON_TYPE = 'application/json; charset=UTF-8';
const JAVASCRIPT_TYPE = 'application/javascript; charset=UTF-8';

/** WP: separate files outside of REST. */
const OWN_FILE = /^\/wp-(?:admin|content|includes)(?:\/|$)|^\/(?:wp-[\w-]+|xmlrpc)\.php(?:\/|$)/;

/**
 * The REST path of a request: in `rest_route`, which takes precedence at any URL (WP), or below `/wp-json`; null if it is not a REST
 * request. WP: the path stays encoded, so that `/%31` is not `/1`.
 * @param rewrite of the site; absent: the usual addresses
 */
export function findRestPath(pathname: string, query: Params, rewrite: Rewrite = USUAL): string | null {
  const pretty = rewrite.restPaths?.exec(pathname);
  const { rest_route: plain } = query;
  if (typeof plain === 'string' && !isEmpty(plain) && !OWN_FILE.test(pathname)) return plain;
  return pretty ? (pretty[1] ?? '/') : null;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** WP: the query parameter takes precedence over the header; both may change any method to any other. */
export function methodOf({ headers, method }: Pick<HttpRequest, 'headers' | 'method'>, query: Params): string {
  const override = text(query._method) ?? text(headers['x-http-method-override']);
  return (override ?? method).toUpperCase();
}

/** A request without its body. @param method as overridden */
function requestOf(http: HttpRequest, path: string, query: Params, method: string): RestRequest {
  const sources = { json: null, form: {}, query, path: {}, defaults: {} };
  const request = new RestRequest((method === 'HEAD' ? 'GET' : method) as Method, path, textHeaders(http.headers), sources);
  request.address = http.ip;
  request.isHead = method === 'HEAD';
  request.host = http.headers.host ?? '';
  request.url = http.url;
  return request;
}

function readBody(request: RestRequest, http: HttpRequest, raw: Buffer): void {
  request.receive(raw, parseBody(raw, http.headers, http.method, methodOf(http, request.sources.query)));
}

/** WP: headers that let pages of other origins read the response. */
export function corsHeaders({ headers, method }: Pick<HttpRequest, 'headers' | 'method'>, anonymous: boolean): Record<string, string> {
  const { origin } = headers;
  if (origin !== undefined && origin !== '') {
    return {
      'Access-Control-Allow-Origin': origin === 'null' ? origin : escUrlRaw(origin),
      'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    };
  }
  return method === 'GET' && anonymous ? { Vary: 'Origin' } : {};
}

const JSONP_NAME = /^[\w.]+$/;

interface Rendering {
  request: RestRequest;
  query: Params;
  callback: string | undefined;
}

/** The name of the JSONP function; undefined without one (PHP: `0` is empty), null if it is invalid. */
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

/** WP: rejected before the headers for other origins are sent. */
const refusedCallback = (headers: HttpResponse['headers']): HttpResponse => ({
  status: 400,
  headers: { ...headers, 'Content-Type': JAVASCRIPT_TYPE },
  body: phpJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' }),
});

/** The nonce as sent, if any. PHP: form fields of a POST take precedence over the query; anything but a string is an invalid nonce. */
function nonceOf({ method, headers }: HttpRequest, { sources }: RestRequest): string | undefined {
  const given = (method === 'POST' ? sources.form._wpnonce : undefined) ?? sources.query._wpnonce ?? headers['x-wp-nonce'];
  return given === undefined ? undefined : (text(given) ?? '');
}

/** Signs the caller in, if they send credentials. @returns the nonce for their next request, if any @throws RestError when that fails */
async function authenticateRequest(site: Site, http: HttpRequest, request: RestRequest): Promise<string | null> {
  const { authorization, cookie } = http.headers;
  const nonce = nonceOf(http, request);
  if (!authorization && cookie === undefined && nonce === undefined && site.registry.hooks('authenticate').length === 0) return null;
  const caller = await authenticate(site, request, { nonce, cookies: parseCookies(cookie) });
  request.user = asCaller(caller.user, site);
  request.session = caller.session;
  request.applicationPassword = caller.applicationPassword;
  return caller.nonce;
}

const accepts =
  (http: HttpRequest) =>
  (tags: string[]): string | false =>
    http.headers['accept-language'] === undefined ? tags[0] : http.acceptsLanguages(tags);

/** The language that the headers of a request ask for, or the site's. */
export const headerLanguage =
  (site: Site) =>
  (http: HttpRequest): Language =>
    acceptedLanguage(site, accepts(http));

/** Adds the language headers to a response, if there is a choice. */
function addLanguageHeaders(site: Site, response: Pick<HttpResponse, 'headers' | 'addsVary'>, language: Language | null | undefined): void {
  if (language === null || language === undefined) return;
  const { headers } = response;
  const { Vary: vary, ...others } = languageHeaders(site, language);
  Object.assign(headers, others);
  if (vary === undefined) return;
  response.addsVary = headers.Vary === undefined;
  headers.Vary = headers.Vary === undefined ? vary : `${String(headers.Vary)}, ${vary}`;
}

/**
 * Signs the caller in, and reads the body of the request: a large one only if the caller has an account, since reading it and checking what it
 * holds may take long. @returns the nonce for their next request, if any @throws RestError when signing in fails
 */
async function open(site: Site, http: HttpRequest, request: RestRequest, raw: Buffer): Promise<string | null> {
  if (raw.length <= PUBLIC_BODY) {
    if (raw.length > 0) readBody(request, http, raw);
    return authenticateRequest(site, http, request);
  }
  const nonce = await authenticateRequest(site, http, request);
  request.isUnread = request.user === null && !(await findSession(site, parseCookies(http.headers.cookie)));
  if (request.isUnread) return nonce;
  readBody(request, http, raw);
  // The nonce of a session may be in the form.
  return request.user === null ? authenticateRequest(site, http, request) : nonce;
}

/** Authenticates first: an error there ends the request (WP). @param headers receives the headers of signing in */
async function run(
  { site, table }: RestTransport,
  http: HttpRequest,
  { request, raw }: { request: RestRequest; raw: Buffer },
  headers: HttpResponse['headers'],
): Promise<RestResponse> {
  const { query } = request.sources;
  try {
    const nonce = await open(site, http, request, raw);
    if (nonce !== null) headers['X-WP-Nonce'] = nonce;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return new RestResponse(error.body(), error.httpStatus, error.headers);
  }
  request.language = languageFor(site, { query, user: request.user, accepts: accepts(http) });
  const response = await dispatch(table(), request, site);
  if (Object.hasOwn(query, '_embed')) {
    // WP: in a list, only the links that `_fields` leaves are embedded; a single item has all or none.
    if (Array.isArray(response.body))
      response.body = filterFields(response.body, request.get('_fields'), response.keepsLinks, response.wholeFields);
    response.body = await embedLinks(response.body, query._embed, (inner) => dispatch(table(), inner, site, true), request, site);
  }
  return response;
}

function code(response: RestResponse): string | undefined {
  const body = response.status < 400 ? null : response.body;
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? text(body.code) : undefined;
}

/** WP: responses to signed-in callers and to a failed nonce are never cached, nor are errors if a header overrides the method. */
function mustNotCache({ headers }: HttpRequest, { user, sources }: RestRequest, response: RestResponse): boolean {
  if (user !== null || code(response) === 'rest_cookie_invalid_nonce') return true;
  const isOverridden = sources.query._method === undefined && headers['x-http-method-override'] !== undefined;
  return isOverridden && response.status >= 400 && response.status < 500;
}

/** Errors of routes that do not exist, or are only listed. */
const IS_MISSING: ReadonlySet<string> = new Set(['rest_no_route', 'understudy_not_built']);

const NOTHING = Buffer.alloc(0);

/** Responds to requests below the REST root. @returns a function that returns null for other requests */
export function restApi(transport: RestTransport): (http: HttpRequest, body?: Buffer) => Promise<HttpResponse | null> {
  const { site } = transport;
  const common = { ...COMMON_HEADERS, Link: `<${site.restUrl('/')}>; rel="https://api.w.org/"` };
  const respond = async (http: HttpRequest, raw: Buffer | undefined, path: string, query: Params): Promise<HttpResponse> => {
    const callback = callbackOf(query);
    if (callback === null) return refusedCallback({ ...common });

    const headers: HttpResponse['headers'] = { ...common, ...CORS_HEADERS };

    const method = methodOf(http, query);
    const request = requestOf(http, path, query, method);
    const response = await run(transport, http, { request, raw: raw ?? NOTHING }, headers);
    const error = code(response);
    if (error === 'rest_no_route') transport.onNoRoute?.(path);
    const enveloped = Object.hasOwn(query, '_envelope');
    Object.assign(headers, corsHeaders(http, request.user === null));
    const result: HttpResponse = {
      status: enveloped ? 200 : response.status,
      headers,
      body: '',
      // The guesses at a password are counted one by one.
      cacheable: request.method === 'GET' && request.user === null && request.passwords.size === 0,
      isMissing: IS_MISSING.has(error ?? ''),
      login: request.user?.login,
    };
    addLanguageHeaders(site, result, response.language);
    if (mustNotCache(http, request, response)) Object.assign(headers, NO_CACHE);
    if (!enveloped) for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
    const written = enveloped ? null : response.text;
    headers['Content-Type'] = written?.type ?? (callback === undefined ? JSON_TYPE : JAVASCRIPT_TYPE);
    if (method !== 'HEAD') result.body = written?.body ?? renderBody(response, { request, query, callback });
    return result;
  };
  return async (http, raw) => {
    const query = parseQuery(http.querystring);
    const path = findRestPath(http.path, query, site.options.rewrite);
    if (path === null) return null;
    return respond(http, raw, path, query).catch((error: unknown) => {
      // Koa: the headers of the response to an error.
      throw error instanceof Error ? Object.assign(error, { headers: { ...common, ...CORS_HEADERS } }) : error;
    });
  };
}

/** The parts of a request that pages read. */
function pageRequest(site: Site, http: HttpRequest, body: Buffer = NOTHING): PageRequest {
  if (body.length > PUBLIC_BODY) throw Object.assign(new Error(FAILURES.tooLarge.message), { status: 413 });
  const { form } = parseBody(body, http.headers, http.method, http.method);
  const query = parseQuery(http.querystring);
  return {
    method: http.method.toUpperCase(),
    path: http.path,
    url: http.url,
    query,
    form,
    body,
    cookies: parseCookies(http.headers.cookie),
    headers: textHeaders(http.headers),
    address: http.ip,
    language: languageFor(site, { query, user: null, accepts: accepts(http) }),
  };
}

/** Responds to all other requests with pages. */
export function pagesOf(
  site: Site,
  serve: (request: PageRequest) => Promise<PageResponse>,
): (http: HttpRequest, body?: Buffer) => Promise<HttpResponse> {
  return async (http, raw) => {
    const { status, headers, body, cookies = [], language, cacheable, isGuess = false } = await serve(pageRequest(site, http, raw));
    const result: HttpResponse = { status, headers: { ...headers }, body, cacheable, isMissing: status === 404 || isGuess };
    addLanguageHeaders(site, result, language);
    if (cookies.length > 0) result.headers['Set-Cookie'] = cookies.map(cookieLine);
    return result;
  };
}
