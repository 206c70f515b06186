import { toStr } from '../../../base/php/cast.js';
import { parseQuery } from '../../../base/php/query-string.js';
import { phpJson } from '../../../base/php/json.js';
import { TAG } from '../../../wordpress/model.js';
import { parseCookies, type PageRequest, type Params } from '../../../wordpress/rest/request.js';
import { endpoint, type EndpointCall } from '../../../wordpress/rest/params.js';
import { RestResponse, type Arg, type Json, type Namespace } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import { readPageAddress } from '../../../wordpress/views/address.js';
import type { Html } from '../../../wordpress/views/html.js';
import { readingOf, type PagePlugin, type Reading } from '../../../wordpress/views/reading.js';
import { EVENT } from '../model/index.js';
import { eventsAt, type EventList } from '../views/find.js';
import { isView, readListing, type Listing } from '../views/listing.js';
import { hasViewNonce } from '../views/nonces.js';
import { listPageData, type ListFrame } from './list-data.js';
import { listPage } from './list-template.js';
import { monthPageData } from './month-data.js';
import { monthPage } from './month-template.js';

/** A list of events with what leads to others, for people and programs. */
export async function listView(listing: Listing, reading: Reading): Promise<{ main: Html; frame: ListFrame }> {
  if (listing.view === 'month') {
    const frame = await monthPageData(listing, reading);
    return { frame, main: monthPage(frame, reading) };
  }
  const frame = await listPageData(listing, reading);
  return { frame, main: listPage(frame, reading) };
}

const isText = (value: Json): boolean => typeof value === 'string';
const plain = (more: Partial<Arg> = {}): Arg => ({ description: '', validate: isText, ...more });

const VIEW_ARGS = {
  u: plain({ required: true }),
  view: plain(),
  tvn1: plain(),
  tvn2: plain(),
  view_data: plain({ validate: (value) => typeof value === 'object' && value !== null }),
  action: plain(),
};

/** The decoded path and the query of a URL, whose site does not matter (TEC). */
function partsOf(url: string, site: Site): { path: string; query: Params } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(url.startsWith(site.url) ? url.slice(site.url.length) : url) ?? [];
  const below = path.replace(/^https?:\/\/[^/]*/i, '');
  try {
    return { path: decodeURIComponent(`/${below.replace(/^\/+/, '')}`), query: parseQuery(query) };
  } catch {
    return { path: '/', query: parseQuery(query) };
  }
}

const objectOf = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {};

const ALL: EventList = { kind: 'list', view: { kind: 'list' }, page: 1, scope: { kind: 'all' } };

/** TEC: the list at a URL, or else all events, in the view at the URL or another one. The title is that of the view at the URL. */
async function listingFor(view: string | undefined, reading: Reading): Promise<Listing> {
  const { site, plugins, request } = reading;
  const at = (await eventsAt(readPageAddress(request.path, site, plugins), site, request.query)) ?? ALL;
  const listing = readListing(at.scope, at, request.query);
  const shown = view === undefined ? listing.view : isView(view) ? view : 'list';
  return { ...listing, view: shown, past: listing.past && shown === 'list', titledAs: listing.view };
}

/** TEC: a view for tests, which shows the query that others would read. */
function reflection({ site, plugins, request: { path } }: Reading, query: Params): string {
  const at = readPageAddress(path, site, plugins);
  if (at.kind !== 'list') return phpJson(query, { pretty: true });
  const { view, page, taxonomy, slug, isFeatured } = at;
  const date = view.kind === 'month' ? view.month : view.kind === 'day' ? view.day : undefined;
  return phpJson(
    {
      ...query,
      ...(taxonomy === undefined ? {} : { [taxonomy === TAG ? 'tag' : taxonomy]: slug }),
      post_type: EVENT,
      eventDisplay: view.kind === 'list' && page === 1 && !/\/list\/?$/.test(path) ? 'default' : view.kind,
      ...(date === undefined ? {} : { eventDate: date }),
      ...(page === 1 ? {} : { paged: String(page) }),
      ...(isFeatured ? { featured: '1' } : {}),
    },
    { pretty: true },
  );
}

/** TEC: what selects events may be in the URL, in `view_data`, which overrides it, or beside it. The URL alone says that they are past. */
async function respond({ params, site, request }: EndpointCall<typeof VIEW_ARGS>, plugins: readonly PagePlugin[]): Promise<RestResponse> {
  const url = toStr(params.u);
  const { path, query } = partsOf(url, site);
  const others = Object.assign({}, ...request.orderedSources.toReversed()) as Params;
  const asked = { ...query, ...objectOf(params.view_data) };
  const page: PageRequest = {
    method: 'GET',
    path,
    url,
    query: { ...others, ...asked, eventDisplay: query.eventDisplay },
    form: {},
    body: Buffer.alloc(0),
    cookies: parseCookies(request.headers.cookie),
    headers: {},
    address: '',
    language: request.language,
  };
  const reading = { ...readingOf(site, page, plugins), reader: request.user, isPart: true };
  const view = params.view === undefined ? undefined : toStr(params.view);
  if (view === 'reflector') return new RestResponse({ html: reflection(reading, asked) });
  const { main } = await listView(await listingFor(view, reading), reading);
  return new RestResponse({ html: main.text });
}

/**
 * The namespace from which pages of the calendar get other parts of it, and programs lists of events (TEC).
 * @param plugins what has addresses on the site
 */
export const calendarViews = (plugins: readonly PagePlugin[]): Namespace => ({
  name: 'tribe/views/v2',
  routes: [
    {
      path: '/tribe/views/v2/html',
      endpoints: [
        endpoint({ methods: ['GET', 'POST'], permission: hasViewNonce, args: VIEW_ARGS, handler: (call) => respond(call, plugins) }),
      ],
    },
  ],
});
