import { suggest } from '../../base/text/suggest.js';
import { parseQuery } from '../../base/php/query-string.js';
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
import { COUNTED } from './state-routes.js';
import { administratorOf, ignoredBy, REST_PATH, restTarget, stubNote } from './rest-route.js';

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

/** Name of a change that may find more, and the change of a query. */
type Change = readonly [name: string, apply: (query: Params) => Params];

const changesOf = (query: Params): Change[] => [
  ...Object.keys(query)
    .filter((name) => !FORM.test(name))
    .slice(0, MAX_LISTED)
    .map((name): Change => [`without ${name}`, (from) => Object.fromEntries(Object.entries(from).filter(([each]) => each !== name))]),
  ['with one more day at both ends', (from) => ({ ...from, ...moved(from, 'start_date', -1), ...moved(from, 'end_date', 1) })],
  [`with any time (${new URLSearchParams(ANY_TIME)})`, (from) => ({ ...from, ...ANY_TIME })],
  [`as an administrator with status=${ANY_STATUS}`, (from) => ({ ...from, status: ANY_STATUS })],
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

/** The last segment of a path, with the id below it. */
const endOf = (path: string): string => (/[^/]*(?:\/(?:\d+|\{\w+\}))?\/*$/.exec(path)?.[0] ?? '').replace(/(?:\d+|\{\w+\})\/*$/, '{id}');

/** The routes that one that does not exist may have meant: those beside it if they are few, or else those that resemble it or end alike. */
function similarRoutes(route: string, { quirks }: Site, table: MountedRoute[]): string[] {
  const known = [...new Set(routesUnder(quirks, table).map(({ route: { path } }) => readable(path)))];
  const beside = known.filter((path) => path.startsWith(route.slice(0, route.lastIndexOf('/') + 1)));
  if (beside.length > 0 && beside.length <= MAX_LISTED) return beside;
  const meant = suggest(route, known);
  if (meant !== undefined) return [meant];
  const wanted = /^\/[^/]+$/.test(route) ? suggest(endOf(route), known.map(endOf)) : endOf(route);
  return known.filter((path) => endOf(path) === wanted).slice(0, MAX_LISTED);
}

type Listed = ReturnType<typeof listed>;
type Ask = (sent: Params, isAdmin?: boolean, target?: string) => Promise<RestResponse>;

/** The changes of a query that find more, alone or, if none does, the fewest together. Those that find the same are one. */
async function findsMore(query: Params, ask: Ask): Promise<Json[]> {
  const find = async (changes: readonly Change[]): Promise<Listed> => {
    const sent = changes.reduce((from, [, apply]) => apply(from), query);
    return listed(await ask('page' in sent ? sent : { ...sent, per_page: 50 }, sent.status === ANY_STATUS));
  };
  const { total, items } = await find([]);
  const isMore = (found: Listed): boolean => (found.total ?? 0) > (total ?? 0);
  const more = new Map<string, { changes: string[]; total: number | null; added: string[] }>();
  const keep = (name: string, found: Listed): void => {
    const added = found.items.filter((item) => !items.includes(item)).slice(0, MAX_LISTED);
    const others = (found.total ?? 0) - (total ?? 0) - added.length;
    const key = JSON.stringify([found.total, added]);
    const known = more.get(key);
    if (known) known.changes.push(name);
    else more.set(key, { changes: [name], total: found.total, added: others > 0 ? [...added, `${others} more`] : added });
  };
  const all = changesOf(query);
  for (const change of all) {
    const found = await find([change]);
    if (isMore(found)) keep(change[0], found);
  }
  if (more.size === 0 && (total ?? 0) === 0 && isMore(await find(all))) {
    let needed = all;
    for (const change of all) {
      const without = needed.filter((each) => each !== change);
      if (isMore(await find(without))) needed = without;
    }
    keep(needed.map(([name]) => name).join(' and '), await find(needed));
  }
  return [...more.values()].map(({ changes, ...found }) => ({ change: changes.join(', or '), ...found }));
}

/** Says that no time is between the limits of a list. @param read its URL with defaults */
function emptyRange(read: Json, query: Params): string | undefined {
  const { start_date: start, end_date: end } = parseQuery(toStr(read).split('?')[1] ?? '');
  if (!start || !end || toStr(start) <= toStr(end)) return undefined;
  const ofEnd = query.end_date === undefined ? 'the default end_date' : 'end_date';
  return `start_date ${toStr(start)} is after ${ofEnd}, ${toStr(end)}: no event is between them`;
}

/** Names the status of an item that a visitor does not get, or a slug like the one in the path. */
async function itemNote(route: string, status: number, site: Site, ask: Ask): Promise<string | undefined> {
  const { status: shown, body } = status === 403 || status === 401 ? await ask({}, true) : { status: 404, body: null };
  if (shown < 400 && isRecord<Json>(body)) return `An administrator gets it. Its status is ${toStr(body.status)}`;
  const [, list = '', slug = ''] = /\/(\w+)\/by-slug\/([^/]+)$/.exec(route) ?? [];
  const type = COUNTED.get(list);
  if (type === undefined) return undefined;
  const posts = await site.store.posts.find({ type, status: 'publish' }, { projection: { slug: 1 }, limit: 10_000 }).toArray();
  const meant = suggest(
    slug,
    Array.from(posts, (each) => each.slug),
  );
  return meant === undefined ? undefined : `No item has this slug. Did you mean ${JSON.stringify(meant)}?`;
}

/** Why a request found less than expected. */
async function explain(path: string, { site, stubs }: Tenant, { table }: QaHost): Promise<Record<string, Json>> {
  const { route, search, query } = restTarget(path, site);
  const stubbed = stubNote(stubs, 'GET', route, search);
  if (stubbed.stub !== undefined) return stubbed;
  const ask: Ask = async (sent, isAdmin = false, target = route) => {
    const request = new RestRequest('GET', target, {}, { json: null, form: {}, query: sent, path: {}, defaults: {} });
    request.user = isAdmin ? await administratorOf(site) : null;
    return dispatch(table, request, site, true);
  };
  const response = await ask(query);
  const { status, body } = response;
  const error = isRecord<Json>(body) && status >= 400 ? body : null;
  if (error?.code === 'rest_no_route') return { status, error: 'rest_no_route', routes: similarRoutes(route, site, table) };
  const { total, items } = listed(response);
  const known: Record<string, Json> = {};
  const data = isRecord<Json>(error?.data) && isRecord<Json>(error.data.params) ? error.data.params : {};
  for (const name of Object.keys(data)) {
    const target = `${route.slice(0, route.lastIndexOf('/'))}/${name.replace(/s?$/, 's')}`;
    const list = listed(await ask({ per_page: 100, hide_empty: false }, false, target));
    if (list.total !== null) known[name] = list.items;
  }
  // The other parameters are read as they would be without the wrong ones.
  const valid = Object.fromEntries(Object.entries(query).filter(([name]) => !(name in data)));
  const { body: read } = error ? await ask(valid) : response;
  const readUrl = isRecord<Json>(read) ? read.rest_url : undefined;
  const isCalendar = /^\/(?:tribe|calendar)\/.*\/events$/.test(route);
  const unlisted = site.store.posts.find({ type: EVENT, status: 'publish', hidden: true }).limit(MAX_LISTED);
  return withoutUndefined({
    ...{ status, total, shown: items.length },
    ...(error ? { error: `${toStr(error.code)}: ${toStr(error.message)}`, known } : {}),
    item: error ? await itemNote(route, status, site, ask) : undefined,
    read: readUrl,
    empty: emptyRange(readUrl ?? null, valid),
    hidden: isCalendar ? (await unlisted.toArray()).map(({ _id, slug }) => `${_id} ${slug}`) : undefined,
    ...(await ignoredBy({ method: 'GET', route, search, status }, body, table, site)),
    more: await findsMore(query, ask),
  });
}

export const explainRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  post(`${PREFIX}/explain`, {
    summary:
      'Tell why a GET request finds less than expected: which changes of it would find `more`, how it was `read` with its defaults, whether its time is `empty`, which values are `known`, which events are `hidden` from all lists, which `routes` there are, which `stub` responds. As a visitor, outside of the journal, without faults.',
    args: { path: REST_PATH },
    // The timeout is below.
    isLong: true,
    handler: async ({ path }) => {
      const request = { method: 'GET', url: path };
      const found = await tenant.serve(request, host.timeout, () => explain(path, tenant, host));
      if (!found) throw tooLong(`GET ${path}`, host.timeout);
      return json(found);
    },
  }),
];
