import { suggest } from '../../base/text/suggest.js';
import { toStr } from '../../base/php/cast.js';
import { isRecord, withoutUndefined } from '../../base/values/records.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { dispatch } from '../../wordpress/rest/dispatch.js';
import { type Params, RestRequest } from '../../wordpress/rest/request.js';
import type { Json, RestResponse } from '../../wordpress/rest/route.js';
import { type MountedRoute, routesUnder } from '../../wordpress/rest/table.js';
import type { Site } from '../../wordpress/site.js';
import { json, post, PREFIX, readable, tooLong, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';
import type { QaHost } from './host.js';
import { administratorOf, ignoredBy, REST_PATH, restTarget } from './rest-route.js';

/** Parameters that change the form of a list, not its items. */
const FORM = /^(?:_|per_page$|order|context$)/;
const ANY_TIME = { start_date: '1000-01-01', end_date: '9999-12-31' };
const ANY_STATUS = 'publish,draft,pending,private,future';
const DAY_MS = 86_400_000;
/** Longer lists of items, routes and parameters are cut. */
const MAX_LISTED = 8;

/** A parameter with a day that many days later, if it has one. */
function moved(query: Params, name: string, days: number): Params {
  const time = Date.parse(toStr(query[name]).slice(0, 10));
  return Number.isNaN(time) ? {} : { [name]: new Date(time + days * DAY_MS).toISOString().slice(0, 10) };
}

/** Queries that may find more, by what they change. */
const changesOf = (query: Params): [change: string, changed: Params][] => [
  ...Object.keys(query)
    .filter((name) => !FORM.test(name))
    .slice(0, MAX_LISTED)
    .map((name): [string, Params] => [`without ${name}`, Object.fromEntries(Object.entries(query).filter(([each]) => each !== name))]),
  ['with one more day at both ends', { ...query, ...moved(query, 'start_date', -1), ...moved(query, 'end_date', 1) }],
  [`with any time (${new URLSearchParams(ANY_TIME)})`, { ...query, ...ANY_TIME }],
  [`as an administrator with status=${ANY_STATUS}`, { ...query, status: ANY_STATUS }],
];

/** A list: its number of items, and the ids and names of those shown. */
function listed({ status, body, headers }: RestResponse): { total: number | null; items: string[] } {
  const found = isRecord<Json>(body) ? Object.values(body).find((value) => Array.isArray(value)) : body;
  const items = (Array.isArray(found) ? found.filter(isRecord<Json>) : []).map(({ id, slug, title }) => {
    // A draft has no slug.
    return `${toStr(id)} ${toStr(slug || (isRecord<Json>(title) ? title.rendered : title))}`;
  });
  const total = isRecord<Json>(body) ? body.total : headers['X-WP-Total'];
  return { total: status < 400 && total !== undefined ? Number(total) : null, items };
}

/** The routes that one that does not exist may have meant: those beside it if they are few, or else the one that resembles it. */
function similarRoutes(route: string, { quirks }: Site, table: MountedRoute[]): string[] {
  const known = [...new Set(routesUnder(quirks, table).map(({ route: { path } }) => readable(path)))];
  const beside = known.filter((path) => path.startsWith(route.slice(0, route.lastIndexOf('/') + 1)));
  return beside.length > 0 && beside.length <= MAX_LISTED ? beside : [suggest(route, known) ?? []].flat();
}

/** Why a request found less than expected. */
async function explain(path: string, site: Site, { table }: QaHost): Promise<Record<string, Json>> {
  const { route, search, query } = restTarget(path, site);
  const ask = async (sent: Params, isAdmin = false, target = route): Promise<RestResponse> => {
    const request = new RestRequest('GET', target, {}, { json: null, form: {}, query: sent, path: {}, defaults: {} });
    request.user = isAdmin ? await administratorOf(site) : null;
    return dispatch(table, request, site, true);
  };
  const response = await ask(query);
  const { status, body } = response;
  const error = isRecord<Json>(body) && status >= 400 ? body : null;
  if (error?.code === 'rest_no_route') return { status, error: 'rest_no_route', routes: similarRoutes(route, site, table) };
  const { total, items } = listed(response);
  const more: Json[] = [];
  for (const [change, changed] of changesOf(query)) {
    const found = listed(await ask(changed, changed.status === ANY_STATUS));
    const added = found.items.filter((item) => !items.includes(item)).slice(0, MAX_LISTED);
    if ((found.total ?? 0) > (total ?? 0)) more.push({ change, total: found.total, added });
  }
  const known: Record<string, Json> = {};
  const data = isRecord<Json>(error?.data) && isRecord(error.data.params) ? error.data.params : {};
  for (const name of Object.keys(data)) {
    const list = listed(await ask({ per_page: 100 }, false, `${route.slice(0, route.lastIndexOf('/'))}/${name.replace(/s?$/, 's')}`));
    if (list.total !== null) known[name] = list.items;
  }
  const isCalendar = /^\/(?:tribe|calendar)\/.*\/events$/.test(route);
  const unlisted = site.store.posts.find({ type: EVENT, status: 'publish', hidden: true }).limit(MAX_LISTED);
  return withoutUndefined({
    ...{ status, total, shown: items.length },
    ...(error ? { error: `${toStr(error.code)}: ${toStr(error.message)}`, known } : {}),
    read: isRecord<Json>(body) ? body.rest_url : undefined,
    hidden: isCalendar ? (await unlisted.toArray()).map(({ _id, slug }) => `${_id} ${slug}`) : undefined,
    ...(await ignoredBy({ method: 'GET', route, search, status }, body, table, site)),
    more,
  });
}

export const explainRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  post(`${PREFIX}/explain`, {
    summary:
      'Tell why a GET request finds less than expected: which changes of it would find `more`, how it was `read` with its defaults, which values are `known`, which events are `hidden` from all lists, which `routes` there are. As a visitor, outside of the journal, without faults.',
    args: { path: REST_PATH },
    // The timeout is below.
    isLong: true,
    handler: async ({ path }) => {
      const request = { method: 'GET', url: path };
      const found = await tenant.serve(request, host.timeout, () => explain(path, tenant.site, host));
      if (!found) throw tooLong(`GET ${path}`, host.timeout);
      return json(found);
    },
  }),
];
