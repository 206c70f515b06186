import { parseQuery } from '../../base/php/query-string.js';
import { dispatch } from '../../wordpress/rest/dispatch.js';
import { filterFields, RestRequest } from '../../wordpress/rest/request.js';
import { asCaller } from '../../wordpress/users/capabilities.js';
import { METHODS, type Args } from '../../wordpress/rest/route.js';
import { findRestPath } from '../../wordpress/rest/transport/transport.js';
import { json, qaError, tooLong, post, type QaRoute } from '../tenant/api/route.js';
import type { QaHost } from './host.js';
import { lint } from './journal/lint.js';
import type { Tenant } from '../tenant/tenant.js';

const ARGS = {
  method: { type: 'string', enum: METHODS, default: 'GET', description: 'Method.' },
  path: {
    type: 'string',
    required: true,
    description:
      'Path below the REST root, with its query: `/tribe/events/v1/events?per_page=5`. A path or URL of the site, such as one of the journal, will do.',
  },
  body: { type: 'object', description: 'Fields of the body.' },
  headers: { type: 'object', description: 'Headers, such as `X-TEC-EEA` for `tec/v1`.' },
} satisfies Args;

/** Headers as Node.js has them. */
const lowerCased = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Requests to the REST API without credentials, for the control page. */
export const restRoutes = (tenant: Tenant, { table, timeout }: QaHost): QaRoute[] => [
  post('/__qa/rest', {
    summary:
      'Send a request to the REST API as an administrator. The request is not in the journal, and faults do not apply to it. `ignored` tells which parameters were.',
    args: ARGS,
    // The timeout is below.
    isLong: true,
    handler: async ({ method, path, body, headers = {} }, _request, { site }) => {
      const [pathname, search = ''] = (path.startsWith(site.url) ? path.slice(site.url.length) : path).split('?', 2);
      const query = parseQuery(search);
      const route = findRestPath(pathname, query, site.options.rewrite) ?? `/${pathname.replace(/^\/+/, '')}`;
      const sources = { json: body ?? null, form: {}, query, path: {}, defaults: {} };
      const request = new RestRequest(method, route, lowerCased(headers), sources);
      const response = await tenant.serve({ method, url: path }, timeout, async () => {
        const first = { sort: { _id: 1 } } as const;
        const superAdmin = await site.store.users.findOne({ superAdmin: true }, first);
        const user = superAdmin ?? (await site.store.users.findOne({ role: 'administrator' }, first));
        if (!user) throw qaError('no_administrator', 'The site has no administrator. Add one with: understudy users add NAME.', 409);
        request.user = asCaller(user, site);
        return dispatch(table, request, site);
      });
      if (!response) throw tooLong(`${method} ${path}`, timeout);
      const { status, keepsLinks, wholeFields } = response;
      const shown = status < 400 ? filterFields(response.body, request.get('_fields'), keepsLinks, wholeFields) : response.body;
      const sent = { stub: null, url: `/wp-json${route}?${search}`, method, headers: {}, status, responseBody: JSON.stringify(shown) };
      const rawHeaders = ['content-type', 'application/json'];
      const warnings = await lint({ ...sent, rawHeaders, body: body ? Buffer.from(JSON.stringify(body)) : null }, table, site.quirks);
      return json({ status, body: shown, ...(warnings.length === 0 ? {} : { ignored: warnings.map(({ message }) => message) }) });
    },
  }),
];
