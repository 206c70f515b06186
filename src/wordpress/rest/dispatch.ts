import { prepareArgs } from './args.js';
import { routeIndexEntry } from './discovery.js';
import { NO_CACHE, type RestRequest } from './request.js';
import { declaredArgs } from './schema.js';
import { describing } from './language.js';
import { RestResponse, forbidden, noRoute, RestError, tooLarge } from './route.js';
import type { CallContext, Endpoint, Permission, Route } from './route.js';
import { findRoute, type RouteMatch, type MountedRoute } from './table.js';
import type { Site } from '../site.js';

declare module '../types/hooks.js' {
  interface Hooks {
    /** Changes a response of a route (WP: `rest_request_after_callbacks`). */
    response: (response: RestResponse, call: CallContext) => Promise<void>;
  }
}

/** The result of a permission check: true, a specific error, or false for the general error. */
type Verdict = boolean | RestError;
type Verdicts = Map<Permission, Verdict | Promise<Verdict>>;

const asVerdict = (error: unknown): RestError => {
  if (!(error instanceof RestError)) throw error;
  return error;
};

/** Checks the permission of a caller, once for endpoints that share it. Most checks are synchronous. */
function isAllowed({ permission }: Endpoint, context: CallContext, verdicts: Verdicts): Verdict | Promise<Verdict> {
  if (permission === 'public') return true;
  const known = verdicts.get(permission);
  if (known !== undefined) return known;
  const checked = permission(context);
  const verdict = checked instanceof Promise ? checked.catch(asVerdict) : checked;
  verdicts.set(permission, verdict);
  return verdict;
}

/** WP: the `Allow` header names the methods that this caller may use here, in the order of registration. */
async function allowedMethods(route: Route, context: CallContext, verdicts: Verdicts): Promise<string[]> {
  const methods: string[] = [];
  for (const endpoint of route.endpoints) {
    if ((await isAllowed(endpoint, context, verdicts)) === true) methods.push(...endpoint.methods);
  }
  return methods;
}

async function run(endpoint: Endpoint, context: CallContext, verdicts: Verdicts): Promise<RestResponse> {
  const { request } = context;
  if (request.jsonError !== null) {
    const data = { json_error_code: request.jsonError.code, json_error_message: request.jsonError.message };
    throw new RestError('rest_invalid_json', 'Invalid JSON body passed.', 400, data);
  }
  const refusal = await prepareArgs(declaredArgs(endpoint, context.site.quirks), context);
  if (refusal) throw refusal;
  const allowed = await isAllowed(endpoint, context, verdicts);
  if (allowed !== true) throw allowed || forbidden(request.user !== null);
  if (request.isUnread) throw tooLarge();
  // WP: `Allow` has the methods after the call, which a write may have changed.
  if (request.method !== 'GET') verdicts.clear();
  return endpoint.handler(context);
}

const asResponse = (error: unknown): RestResponse => {
  if (!(error instanceof RestError)) throw error;
  const response = new RestResponse(error.body(), error.httpStatus, { ...(error.text ? NO_CACHE : {}), ...error.headers });
  response.text = error.text;
  return response;
};

async function answer(match: RouteMatch, context: CallContext, verdicts: Verdicts, refused: RestError | null): Promise<RestResponse> {
  const { route } = match.mounted;
  if (refused) throw refused;
  if (context.request.method === 'OPTIONS') {
    const entry = routeIndexEntry(match.mounted, context.site);
    const schema = typeof route.schema === 'function' ? route.schema(context.site) : route.schema;
    const links = route.links?.map((link) => ({ ...link, href: context.site.restUrl(link.href) }));
    return describing(context.request, { ...entry, ...(schema ? { schema: { ...schema, ...(links ? { links } : {}) } } : {}) });
  }
  const method = context.request.method;
  const endpoint = route.endpoints.find(({ methods }) => methods.includes(method));
  if (!endpoint) throw noRoute();
  const response = await run(endpoint, context, verdicts).catch(asResponse);
  for (const change of context.site.registry.hooks('response')) await change(response, context);
  return response;
}

/**
 * Finds the route and runs its endpoint: route, JSON syntax, parameters, permission, handler.
 * A RestError becomes a response; other errors are rethrown.
 * @param bodyOnly whether nobody reads the headers, so that `Allow` need not be found
 * @param refused the error of a request whose endpoint must not run
 */
export async function dispatch(
  table: MountedRoute[],
  request: RestRequest,
  site: Site,
  bodyOnly = false,
  refused: RestError | null = null,
): Promise<RestResponse> {
  const context = { site, request };
  const match = findRoute(table, request.path, site.quirks, context);
  if (!match) return request.method === 'OPTIONS' ? new RestResponse([]) : asResponse(noRoute());
  request.addToPath(match.path);
  request.namespace = match.mounted.namespace;
  request.routePath = match.mounted.route.path;
  const verdicts: Verdicts = new Map();
  const response = await answer(match, context, verdicts, refused).catch(asResponse);
  const { wholeFields = [], wholeFieldsUnder } = match.mounted.route;
  if (wholeFieldsUnder === undefined || site.quirks.has(wholeFieldsUnder)) response.wholeFields = wholeFields;
  const unrouted = response.status === 404 && isNoRoute(response);
  // WP: pages of errors have no `Allow`.
  if (!bodyOnly && !unrouted && (response.text === null || response.status < 400)) {
    const methods = await allowedMethods(match.mounted.route, context, verdicts);
    if (methods.length > 0) response.header('Allow', methods.join(', '));
  }
  response.text ??= match.mounted.route.serve?.(response, request) ?? null;
  return response;
}

/** The error of a request for every caller: no route, or invalid parameters. Null: none. */
export async function describeFailure(table: MountedRoute[], request: RestRequest, site: Site): Promise<RestError | null> {
  const match = findRoute(table, request.path, site.quirks, { site, request });
  const called = match?.mounted.route.endpoints.find(({ methods }) => methods.some((method) => method === request.method));
  if (!match || !called) return noRoute();
  request.addToPath(match.path);
  return prepareArgs(declaredArgs(called, site.quirks), { site, request });
}

const isNoRoute = ({ body }: RestResponse): boolean =>
  body !== null && typeof body === 'object' && !Array.isArray(body) && body.code === 'rest_no_route';
