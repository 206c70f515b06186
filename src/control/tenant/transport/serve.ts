import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { parseQuery } from '../../../base/php/query-string.js';
import { prepareArgs } from '../../../wordpress/rest/args.js';
import { parseBody } from '../../../wordpress/rest/transport/body.js';
import { METHODS, routePattern, type Arg, type Json, type Method, type RestResponse, RestError } from '../../../wordpress/rest/route.js';
import type { Params } from '../../../wordpress/rest/request.js';
import { PREFIX, QaFile, QaRequest, qaError, tooLong, type QaEndpoint, type QaRoute } from '../api/route.js';
import { guard, hasToken, type Access } from '../api/security.js';
import { within } from '../../../base/system/deadline.js';
import { DiskFull } from '../../../base/system/disk.js';
import { maskUrl } from '../../../base/text/secrets.js';
import { didYouMean } from '../../../base/text/suggest.js';
import type { Log } from '../../../base/system/log.js';
import { noDatabase } from '../../../database/store/errors.js';
import { FAILURES } from '../../../base/system/failures.js';
import type { Site } from '../../../wordpress/site.js';
import { messageOf, stackOf } from '../../../base/values/errors.js';
import { chunksOf } from '../../../base/system/streams.js';
import { isOneOf } from '../../../base/values/records.js';
import { parseSentJson, TooDeep } from '../../../base/values/nesting.js';
import { Router } from '@koa/router';
import type { SiteUrls } from '../../../wordpress/rest/transport/address.js';
import type { Tenant } from '../tenant.js';

/** Maximum size of a body in bytes, large enough for a whole dataset. */
const BODY_LIMIT = 64 * 1024 * 1024;

export interface ApiTable {
  site: Site;
  routes: QaRoute[];
  access: Access;
  log: Log;
  /** Timeout of a request in ms, unless its endpoint has no time limit. */
  timeout: number;
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The end of an iterator destroys the connection, and the response with it.
  for await (const chunk of chunksOf(incoming.iterator({ destroyOnReturn: false }))) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw qaError('body_too_large', `The body is larger than ${BODY_LIMIT / 1024 / 1024} MB.`, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isMethod = (name: string | undefined): name is Method => isOneOf(METHODS, name);

function find(routes: QaRoute[], method: string | undefined, pathname: string) {
  const wanted = pathname.replace(/\/+$/, '') || '/';
  for (const { path, endpoints } of routes) {
    const found = routePattern(path).exec(wanted);
    if (!found) continue;
    const requested = method === 'HEAD' ? 'GET' : method;
    const endpoint = isMethod(requested) && endpoints.find(({ methods }) => methods.includes(requested));
    if (endpoint) return { method: requested, endpoint, path: { ...found.groups } };
    const allowed = endpoints.flatMap(({ methods }) => methods).join(', ');
    throw qaError('method_not_allowed', `${pathname} does not support ${method}. Use ${allowed}.`, 405);
  }
  throw qaError('no_route', `No route at ${pathname}. GET ${PREFIX}/ lists all routes.`, 404);
}

/** Whether an API has a route for a request. */
function hasRoute({ routes }: ApiTable, { method, url = '/' }: IncomingMessage): boolean {
  try {
    return find(routes, method, url.split('?', 1)[0]) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a request needs no token. */
function isPublic(routes: QaRoute[], method: string | undefined, pathname: string): boolean {
  try {
    return find(routes, method, pathname).endpoint.isPublic ?? false;
  } catch {
    return false;
  }
}

interface Unknown {
  name: string;
  known: readonly string[];
}

/** The members of an object that its schema does not have. */
function unknownMembers(name: string, value: Json, { additionalProperties, properties }: Arg): Unknown[] {
  if (additionalProperties !== false || !properties || value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  const known = Object.keys(properties);
  const unknown = Object.keys(value).filter((member) => !known.includes(member));
  return unknown.map((member) => ({ name: `${name}.${member}`, known: known.map((each) => `${name}.${each}`) }));
}

/** How many unknown parameters a message names. Each is compared with all known ones. */
const NAMED = 10;

/** @throws RestError for unknown parameters and members of parameters, which are never silently ignored */
function rejectUnknown(given: Params, { args }: QaEndpoint, path: Record<string, string>): void {
  const known = Object.keys(args);
  const unknown = Object.entries(given).flatMap(([name, value]): Unknown[] => {
    if (name in path) return [];
    return known.includes(name) ? unknownMembers(name, value, args[name]) : [{ name, known }];
  });
  if (unknown.length === 0) return;
  const sentences = unknown
    .slice(0, NAMED)
    .map(
      ({ name, known: names }) =>
        `Unknown parameter ${JSON.stringify(name)}${holderOf(name, args) || didYouMean(name, names) || '.'} (Known: ${names.join(', ')}.)`,
    );
  if (unknown.length > NAMED) sentences.push(`${unknown.length - NAMED} further parameters are unknown.`);
  throw qaError('unknown_parameter', sentences.join(' ').replace(' (Known: .)', ''), 400);
}

/** The parent of a misplaced parameter: `effect` for a fault's `status`. */
function holderOf(name: string, args: QaEndpoint['args']): string {
  const holders = Object.entries(args).flatMap(([holder, { properties = {} }]) => (name in properties ? [holder] : []));
  if (holders.length === 0) return '';
  const forms = holders.map((holder) => `{"${holder}": {"${name}": …}}`);
  return `, which belongs in ${holders.map((holder) => JSON.stringify(holder)).join(' or ')}: ${forms.join(' or ')}.`;
}

/** Parses a body of fields: a form if the content type says so, else JSON. */
function readFields(bytes: Buffer, { headers, method }: IncomingMessage): Params {
  if (bytes.length === 0) return {};
  const type = headers['content-type'] ?? '';
  const isForm =
    /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type) && !/^\s*\{/.test(bytes.toString('latin1', 0, 64));
  if (isForm) return parseBody(bytes, headers, 'POST', method ?? 'POST').form;
  try {
    const value: unknown = parseSentJson(bytes.toString('utf8'));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Params;
  } catch (error) {
    if (error instanceof TooDeep)
      throw qaError('body_too_deep', `The body is ${error.message} (line ${error.line}, column ${error.column}).`);
    // Otherwise, the error below is thrown.
  }
  throw qaError('body_is_no_object', 'The body must be a JSON object.');
}

/** Appends the errors of single parameters to the message, for people. */
function withDetails(error: RestError): Json {
  const body = error.body() as { message: string; data: { params?: unknown } | null };
  const { params } = body.data ?? {};
  const details = params !== null && typeof params === 'object' && !Array.isArray(params) ? Object.values(params) : [];
  return { ...(body as Record<string, Json>), message: details.length === 0 ? body.message : `${body.message}: ${details.join(' ')}` };
}

async function handle({ site, routes, access, timeout }: ApiTable, incoming: IncomingMessage): Promise<RestResponse | RestError> {
  try {
    const [pathname, search = ''] = (incoming.url ?? '/').split('?', 2);
    guard(incoming, access, !isPublic(routes, incoming.method, pathname));
    const { method, endpoint, path } = find(routes, incoming.method, pathname);
    const bytes = endpoint.body === 'stream' ? Buffer.alloc(0) : await readBytes(incoming);
    const query = parseQuery(search);
    const fields = endpoint.body === undefined || endpoint.body === 'fields' ? readFields(bytes, incoming) : {};
    if (!endpoint.open) rejectUnknown({ ...query, ...fields }, endpoint, path);
    const captures = Object.fromEntries(Object.entries(path).map(([name, text]) => [name, decodeURIComponent(text)]));
    const request = new QaRequest(method, pathname, { json: fields, form: {}, query, path: captures, defaults: {} }, incoming, bytes);
    const context = { site, request };
    const invalid = await prepareArgs(endpoint.args, context);
    if (invalid) return invalid;
    const work = endpoint.handler(request, context);
    return await (endpoint.isLong
      ? work
      : within<RestResponse | RestError>(timeout, work, () => tooLong(`${method} ${pathname}`, timeout)));
  } catch (error) {
    if (error instanceof RestError) return error;
    if (error instanceof DiskFull) return qaError('disk_full', error.message, error.status);
    if (error instanceof URIError) return qaError('malformed_path', 'The path has an invalid percent-encoding.');
    throw error;
  }
}

function send(ctx: Context, result: RestResponse | RestError): void {
  ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  if (result instanceof RestError) {
    if (result.httpStatus === 401) ctx.set('WWW-Authenticate', 'Bearer');
    if (result.httpStatus === 503) ctx.set('Retry-After', '1');
    return sendJson(ctx, result.httpStatus, withDetails(result));
  }
  for (const [name, value] of Object.entries(result.headers)) ctx.set(name, String(value));
  if (!(result instanceof QaFile)) return sendJson(ctx, result.status, result.body);
  ctx.status = result.status;
  ctx.set('Content-Type', result.type);
  ctx.body = result.content;
}

function sendJson(ctx: Context, status: number, body: Json): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = `${JSON.stringify(body, null, 2)}\n`;
}

/** Responds to a request that failed, and logs why. */
function fail({ log }: ApiTable, ctx: Context, error: unknown): void {
  const outage = noDatabase(error, true);
  log.error(`${ctx.method} ${maskUrl(ctx.url)}: ${outage ? `no database: ${messageOf(error)}` : stackOf(error)}`);
  if (!outage) return sendJson(ctx, 500, FAILURES.failed);
  ctx.set('Retry-After', '1');
  sendJson(ctx, 503, outage);
}

/** Handles a request to the test API, or to the API for commands. Faults and the journal do not apply to it. */
export async function serveApi(table: ApiTable, ctx: Context): Promise<void> {
  try {
    send(ctx, await handle(table, ctx.req));
  } catch (error) {
    // The client closed the connection. `ctx.req` says nothing about that: it is destroyed as soon as the body is read.
    if (ctx.res.destroyed) return;
    fail(table, ctx, error);
  }
}

/** A router as middleware. Its types require a context that it has already extended. */
export const routed = (router: Router): Middleware => router.routes() as Middleware;

/** Mounts a router for paths that begin with `/__`. Other requests cost only one comparison. */
export function internalPaths(router: Router): Middleware {
  const dispatch = routed(router);
  return (ctx, next) => (ctx.url.startsWith('/__') ? dispatch(ctx, next) : next());
}

/** Mounts an API at the path of the test API. */
export const mounted = (serve: Middleware): Middleware => internalPaths(new Router({ sensitive: true }).all(`${PREFIX}{/*path}`, serve));

/**
 * The routes for commands, which have the token in the data folder. Passes other requests on.
 * @param isOnly whether no other API follows, which may have further routes
 */
export function commandApi(table: ApiTable, isOnly: boolean): Middleware {
  return mounted((ctx, next) => {
    const isCommand = ctx.headers['x-understudy-token'] !== undefined && hasToken(ctx.req, table.access);
    return isCommand && (isOnly || hasRoute(table, ctx.req)) ? serveApi(table, ctx) : next();
  });
}

/** The tenant of a request. */
export interface Destination {
  tenant: Tenant;
  /** Its site, under the requested URL. */
  site: Site;
}

declare module 'koa' {
  interface DefaultState {
    destination: Destination;
  }
}

/** The tenant that an earlier middleware has found for a request. */
export const destinationOf = (ctx: Context): Destination => ctx.state.destination;

/** Passes every request to the main tenant. */
export const openMain =
  (main: Tenant, { urlOf }: SiteUrls): Middleware =>
  (ctx, next) => {
    ctx.state.destination = { tenant: main, site: main.siteAt(urlOf(ctx.req)) };
    return next();
  };
