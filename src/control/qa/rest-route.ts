import { parseQuery } from '../../base/php/query-string.js';
import { dispatch } from '../../wordpress/rest/dispatch.js';
import { filterFields, type Params, RestRequest } from '../../wordpress/rest/request.js';
import { asCaller } from '../../wordpress/users/capabilities.js';
import { METHODS, type Args, type Json } from '../../wordpress/rest/route.js';
import { findRestPath } from '../../wordpress/rest/transport/transport.js';
import { json, qaError, tooLong, post, type QaRoute } from '../tenant/api/route.js';
import { NOTHING_SENT, type MatchedRequest } from '../tenant/match.js';
import type { Stubs } from '../tenant/stubs/stubs.js';
import type { QaHost } from './host.js';
import { lint } from './journal/lint.js';
import type { MountedRoute } from '../../wordpress/rest/table.js';
import type { Site } from '../../wordpress/site.js';
import type { User } from '../../wordpress/model.js';
import type { Tenant } from '../tenant/tenant.js';

export const REST_PATH = {
  type: 'string',
  required: true,
  description:
    'Path below the REST root, with its query: `/tribe/events/v1/events?per_page=5`. A path or URL of the site, such as one of the journal, will do.',
} as const;

const ARGS = {
  method: { type: 'string', enum: METHODS, default: 'GET', description: 'Method.' },
  path: REST_PATH,
  body: { type: 'object', description: 'Fields of the body.' },
  headers: { type: 'object', description: 'Headers, such as `X-TEC-EEA` for `tec/v1`.' },
} satisfies Args;

/** Headers as Node.js has them. */
const lowerCased = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Where a request goes. @param path below the REST root, of the site, or a URL, with its query */
export function restTarget(path: string, { url, options }: Site): { route: string; search: string; query: Params } {
  const [pathname, search = ''] = (path.startsWith(url) ? path.slice(url.length) : path).split('?', 2);
  const query = parseQuery(search);
  return { route: findRestPath(pathname, query, options.rewrite) ?? `/${pathname.replace(/^\/+/, '')}`, search, query };
}

/** Says that a client gets the response of a stub, if it does. @param sent headers and body */
export function stubNote(
  stubs: Stubs,
  method: string,
  route: string,
  search: string,
  sent: Partial<MatchedRequest> = {},
): { stub?: string } {
  const found = stubs.responding({ method, url: `/wp-json${route}?${search}`, header: () => undefined, body: NOTHING_SENT, ...sent });
  return found ? { stub: `Stub ${found.id} responds to clients here, with the status ${found.respond.status ?? 200}.` } : {};
}

/** The first administrator as a caller. @throws RestError if there is none */
export async function administratorOf(site: Site): Promise<User> {
  const first = { sort: { _id: 1 } } as const;
  const superAdmin = await site.store.users.findOne({ superAdmin: true }, first);
  const user = superAdmin ?? (await site.store.users.findOne({ role: 'administrator' }, first));
  if (!user) throw qaError('no_administrator', 'The site has no administrator. Add one with: understudy users add NAME.', 409);
  return asCaller(user, site);
}

/** The parameters of a request that were ignored, if there are any. @param shown the body of the response @param body that of the request */
export async function ignoredBy(
  { route, search, ...sent }: { method: string; route: string; search: string; status: number },
  shown: Json,
  table: MountedRoute[],
  { quirks }: Site,
  body?: object,
): Promise<{ ignored?: string[] }> {
  const rawHeaders = ['content-type', 'application/json'];
  const entry = { ...sent, stub: null, url: `/wp-json${route}?${search}`, headers: {}, responseBody: JSON.stringify(shown), rawHeaders };
  const warnings = await lint({ ...entry, body: body ? Buffer.from(JSON.stringify(body)) : null }, table, quirks);
  return warnings.length === 0 ? {} : { ignored: warnings.map(({ message }) => message) };
}

/** Requests to the REST API without credentials, for the control page. */
export const restRoutes = (tenant: Tenant, { table, timeout }: QaHost): QaRoute[] => [
  post('/__qa/rest', {
    summary:
      'Send a request to the REST API as an administrator. The request is not in the journal, and faults do not apply to it. `ignored` tells which parameters were, and `stub` whether clients get another response.',
    args: ARGS,
    // The timeout is below.
    isLong: true,
    handler: async ({ method, path, body, headers = {} }, _request, { site }) => {
      const { route, search, query } = restTarget(path, site);
      const sources = { json: body ?? null, form: {}, query, path: {}, defaults: {} };
      const lowered = lowerCased(headers);
      const request = new RestRequest(method, route, lowered, sources);
      const response = await tenant.serve({ method, url: path }, timeout, async () => {
        request.user = await administratorOf(site);
        return dispatch(table, request, site);
      });
      if (!response) throw tooLong(`${method} ${path}`, timeout);
      const { status, keepsLinks, wholeFields } = response;
      const shown = status < 400 ? filterFields(response.body, request.get('_fields'), keepsLinks, wholeFields) : response.body;
      const value = body as Json | undefined;
      const given = { header: (name: string) => lowered[name], body: { text: JSON.stringify(value ?? null), value, isForm: false } };
      const stub = stubNote(tenant.stubs, method, route, search, given);
      return json({ ...stub, status, body: shown, ...(await ignoredBy({ method, route, search, status }, shown, table, site, body)) });
    },
  }),
];
