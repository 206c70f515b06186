import { prepareArgs } from './args.js';
import { routeIndexEntry } from './discovery.js';
import { forbidden, noRoute, RestError } from './error.js';
import { describing } from './language.js';
import { RestResponse } from './response.js';
import { routePattern, type CallContext, type Endpoint, type Namespace, type Route } from './route.js';
import type { RestRequest } from './request.js';
import type { Site } from '../wp/site.js';

/** A route ready to be matched, with the namespace under which it is mounted. */
export interface MountedRoute {
  namespace: string;
  route: Route;
  pattern: RegExp;
}

/** The table that is dispatched on; both indexes and OPTIONS are read from it too. */
export function mountRoutes(namespaces: Namespace[]): MountedRoute[] {
  return namespaces.flatMap(({ name, routes }) => routes.map((route) => ({ namespace: name, route, pattern: routePattern(route.path) })));
}

/** A route that answers for a path, and what the path says. */
export interface Match {
  mounted: MountedRoute;
  path: Record<string, string>;
}

// WP: any number of trailing slashes is no part of a route.
const withoutTrailingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '') || '/';

/** The first route whose pattern a path below the REST root fits. */
export function findRoute(table: MountedRoute[], path: string): Match | null {
  const wanted = withoutTrailingSlashes(path);
  for (const mounted of table) {
    const found = mounted.pattern.exec(wanted);
    if (found) return { mounted, path: { ...found.groups } };
  }
  return null;
}

async function isAllowed(endpoint: Endpoint, context: CallContext): Promise<true | RestError> {
  if (endpoint.permission === 'public') return true;
  const verdict = await endpoint.permission(context);
  if (verdict instanceof RestError) return verdict;
  return verdict || forbidden(context.request.user !== null);
}

/** WP: the `Allow` header names the methods that this caller may use here, in the order of registration. */
export async function allowedMethods(route: Route, context: CallContext): Promise<string[]> {
  const methods: string[] = [];
  for (const endpoint of route.endpoints) {
    if ((await isAllowed(endpoint, context)) === true) methods.push(...endpoint.methods);
  }
  return methods;
}

async function run(endpoint: Endpoint, context: CallContext): Promise<RestResponse> {
  const { request } = context;
  if (request.jsonError !== null) {
    const data = { json_error_code: request.jsonError.code, json_error_message: request.jsonError.message };
    throw new RestError('rest_invalid_json', 'Invalid JSON body passed.', 400, data);
  }
  const refusal = await prepareArgs(endpoint.args, context);
  if (refusal) throw refusal;
  const allowed = await isAllowed(endpoint, context);
  if (allowed !== true) throw allowed;
  return endpoint.handler(context);
}

const asResponse = (error: unknown): RestResponse => {
  if (error instanceof RestError) return new RestResponse(error.body(), error.httpStatus);
  throw error;
};

async function answer(match: Match, context: CallContext): Promise<RestResponse> {
  const { route } = match.mounted;
  if (context.request.method === 'OPTIONS') {
    const entry = routeIndexEntry(match.mounted, context.site);
    return describing(context.request, { ...entry, ...(route.schema ? { schema: route.schema } : {}) });
  }
  const method = context.request.method;
  const endpoint = route.endpoints.find(({ methods }) => methods.includes(method));
  if (!endpoint) throw noRoute();
  return run(endpoint, context).catch(asResponse);
}

/**
 * Finds the route and runs its endpoint: route, JSON syntax, parameters, permission, handler.
 * Errors become answers; what is no RestError is thrown on.
 */
export async function dispatch(table: MountedRoute[], request: RestRequest, site: Site): Promise<RestResponse> {
  const match = findRoute(table, request.path);
  if (!match) return request.method === 'OPTIONS' ? new RestResponse([]) : asResponse(noRoute());
  Object.assign(request.sources.path, match.path);
  request.namespace = match.mounted.namespace;
  request.routePath = match.mounted.route.path;
  const context = { site, request };
  const response = await answer(match, context).catch(asResponse);
  const unrouted = response.status === 404 && isNoRoute(response);
  if (!unrouted) {
    const methods = await allowedMethods(match.mounted.route, context);
    if (methods.length > 0) response.header('Allow', methods.join(', '));
  }
  return response;
}

const isNoRoute = ({ body }: RestResponse): boolean =>
  body !== null && typeof body === 'object' && !Array.isArray(body) && body.code === 'rest_no_route';
