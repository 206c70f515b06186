import { suggest } from '../../base/text/suggest.js';
import { isRecord } from '../../base/values/records.js';
import { dispatch } from '../../wordpress/rest/dispatch.js';
import { type Params, RestRequest } from '../../wordpress/rest/request.js';
import type { Json, RestResponse } from '../../wordpress/rest/route.js';
import { type MountedRoute, routesUnder } from '../../wordpress/rest/table.js';
import { json, post, PREFIX, readable, tooLong, type QaRoute } from '../tenant/api/route.js';
import type { Site } from '../../wordpress/site.js';
import type { Tenant } from '../tenant/tenant.js';
import type { QaHost } from './host.js';
import { administratorOf, ignoredBy, REST_PATH, restTarget } from './rest-route.js';

/** Parameters that change the form of a list, not its items. */
const FORM = /^(?:_|per_page$|order|context$)/;
const DAY_MS = 86_400_000;
/** Longer lists of slugs and routes are cut, and further parameters are not left out. */
const MAX_LISTED = 8;

/** What is sent instead of a query. */
interface Change {
  change: string;
  apply: (query: Params) => Params;
  needsAdmin?: boolean;
}

/** A day of the query that many days later. */
function moved(query: Params, name: string, days: number): Params {
  const time = Date.parse(String(query[name]).slice(0, 10));
  return Number.isNaN(time) ? {} : { [name]: new Date(time + days * DAY_MS).toISOString().slice(0, 10) };
}

const ANY_TIME = { start_date: '1000-01-01', end_date: '9999-12-31' };

/** Changes that may let a list have more items, the smaller ones first. */
const changesOf = (query: Params): Change[] => [
  ...Object.keys(query)
    .filter((name) => !FORM.test(name))
    .slice(0, MAX_LISTED)
    .map((name) => ({
      change: `without ${name}`,
      apply: (sent: Params) => Object.fromEntries(Object.entries(sent).filter(([each]) => each !== name)),
    })),
  {
    change: 'with one more day at the start and at the end',
    apply: (sent) => ({ ...sent, ...moved(sent, 'start_date', -1), ...moved(sent, 'end_date', 1) }),
  },
  { change: `with any time (${new URLSearchParams(ANY_TIME)})`, apply: (sent) => ({ ...sent, ...ANY_TIME }) },
  {
    change: 'with drafts and private items (status=any, as an administrator)',
    apply: (sent) => ({ ...sent, status: 'any' }),
    needsAdmin: true,
  },
];

/** The slug of an item, or the title of a draft, which has none. */
const nameOf = ({ slug, title }: Params): string => String(slug || (isRecord<Json>(title) ? title.rendered : title));

/** A list: its number of items, and the ids and slugs of those shown. */
function listed({ status, body, headers }: RestResponse): { total: number | null; items: string[] } {
  const found = isRecord<Json>(body) ? Object.values(body).find((value) => Array.isArray(value)) : body;
  const items = (Array.isArray(found) ? found : []).flatMap((item) => (isRecord<Json>(item) ? [`${item.id} ${nameOf(item)}`] : []));
  const total = isRecord<Json>(body) ? body.total : headers['X-WP-Total'];
  return { total: status < 400 && total !== undefined ? Number(total) : null, items };
}

/** The routes that one that does not exist may have meant: those beside it if they are few, or else the one that resembles it. */
function similarRoutes(route: string, site: Site, table: MountedRoute[]): string[] {
  const known = [...new Set(routesUnder(site.quirks, table).map(({ route: { path } }) => readable(path)))];
  const beside = known.filter((path) => path.startsWith(route.slice(0, route.lastIndexOf('/') + 1)));
  return beside.length > 0 && beside.length <= MAX_LISTED ? beside : [suggest(route, known) ?? []].flat();
}

/** Why a request found less than expected. */
async function explain(sentPath: string, { site }: Tenant, { table }: QaHost): Promise<Record<string, Json>> {
  const { route, search, query } = restTarget(sentPath, site);
  const administrator = await administratorOf(site);
  const ask = async (sent: Params, isAdmin = false, path = route): Promise<RestResponse> => {
    const request = new RestRequest('GET', path, {}, { json: null, form: {}, query: sent, path: {}, defaults: {} });
    request.user = isAdmin ? administrator : null;
    return dispatch(table, request, site, true);
  };
  const response = await ask(query);
  const { status, body } = response;
  const base = listed(response);
  const attempt = async (...changes: Change[]): Promise<Record<string, Json>[]> => {
    const isAdmin = changes.some(({ needsAdmin }) => needsAdmin);
    const { total, items } = listed(
      await ask(
        changes.reduce((sent, { apply }) => apply(sent), query),
        isAdmin,
      ),
    );
    if ((total ?? 0) <= (base.total ?? 0)) return [];
    const added = items.filter((item) => !base.items.includes(item)).slice(0, MAX_LISTED);
    return [{ change: changes.map(({ change }) => change).join(', and '), total, added }];
  };
  const error = isRecord<Json>(body) && status >= 400 ? body : null;
  if (error?.code === 'rest_no_route') return { status, error: String(error.message), routes: similarRoutes(route, site, table) };
  const changes = changesOf(query);
  const more: Record<string, Json>[] = [];
  for (const change of changes) more.push(...(await attempt(change)));
  if (more.length === 0)
    for (const [at, one] of changes.entries()) for (const two of changes.slice(at + 1)) more.push(...(await attempt(one, two)));
  const params = error && isRecord<Json>(error.data) && isRecord<Json>(error.data.params) ? Object.keys(error.data.params) : [];
  const known: Record<string, Json> = {};
  for (const name of params) {
    const list = listed(await ask({ per_page: 100 }, false, `${route.slice(0, route.lastIndexOf('/'))}/${name.replace(/s?$/, 's')}`));
    if (list.total !== null) known[name] = list.items;
  }
  return {
    ...{ status, total: base.total, shown: base.items.length },
    ...(error ? { error: `${String(error.code)}: ${String(error.message)}` } : {}),
    ...(params.length > 0 ? { known } : {}),
    ...(isRecord<Json>(body) && body.rest_url ? { read: body.rest_url } : {}),
    ...(await ignoredBy({ method: 'GET', route, search, status, shown: body }, table, site)),
    more,
  };
}

export const explainRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  post(`${PREFIX}/explain`, {
    summary:
      'Tell why a GET request finds less than expected: which changes of it would find `more`, how it was `read` with its defaults, which values are `known`, which `routes` there are. As a visitor, outside of the journal, without faults.',
    args: { path: REST_PATH },
    // The timeout is below.
    isLong: true,
    handler: async ({ path }) => {
      const found = await tenant.serve({ method: 'GET', url: path }, host.timeout, () => explain(path, tenant, host));
      if (!found) throw tooLong(`GET ${path}`, host.timeout);
      return json(found);
    },
  }),
];
