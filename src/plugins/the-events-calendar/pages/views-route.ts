import { toStr } from '../../../base/php/cast.js';
import { parseQuery } from '../../../base/php/query-string.js';
import type { PageRequest } from '../../../wordpress/rest/page.js';
import { endpoint, type EndpointCall } from '../../../wordpress/rest/params.js';
import type { Params } from '../../../wordpress/rest/request.js';
import { RestResponse } from '../../../wordpress/rest/response.js';
import type { Arg, Namespace } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import { readPageAddress } from '../../../wordpress/views/address.js';
import { find } from '../../../wordpress/views/find.js';
import type { Html } from '../../../wordpress/views/html.js';
import { readingOf, type PagePlugin, type Reading } from '../../../wordpress/views/reading.js';
import { eventListOf } from '../views/find.js';
import { readListing, type Listing } from '../views/listing.js';
import { listPageData } from './list-data.js';
import { listPage } from './list-template.js';
import { monthPageData } from './month-data.js';
import { monthPage } from './month-template.js';

/** A list of events with what leads to others, for people and programs. */
export async function listView(
  listing: Listing,
  reading: Reading,
): Promise<{ main: Html; total: number; heading: Html; description: Html | null }> {
  if (listing.view === 'month') {
    const data = await monthPageData(listing, reading);
    return { ...data, main: monthPage(data, reading) };
  }
  const data = await listPageData(listing, reading);
  return { ...data, main: listPage(data, reading) };
}

const plain = (more: Partial<Arg> = {}): Arg => ({ description: '', ...more });

const VIEW_ARGS = { u: plain({ required: true }), view: plain(), tvn1: plain(), tvn2: plain(), view_data: plain(), action: plain() };

/** The path and query of a URL of the site, which may be without the URL of the site. */
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

/** TEC: the list at a URL; `view_data` replaces parts of its query, and `view` its view. All events if there is no list at the URL. */
async function listingFor({ params, site }: EndpointCall<typeof VIEW_ARGS>, reading: Reading): Promise<Listing> {
  const { path, query } = reading.request;
  const found = eventListOf(
    await find(readPageAddress(path, site, reading.plugins), reading, query).then((at) => (at?.kind === 'elsewhere' ? null : at)),
  );
  const view = toStr(params.view ?? '');
  const asked: Params = ['list', 'month', 'day', 'past'].includes(view) ? { ...query, eventDisplay: view } : query;
  return readListing(found?.scope ?? { kind: 'all' }, found ?? { view: { kind: 'list' }, page: 1 }, asked);
}

async function respond(call: EndpointCall<typeof VIEW_ARGS>, plugins: readonly PagePlugin[]): Promise<RestResponse> {
  const { params, site, request } = call;
  const url = toStr(params.u);
  const { path, query } = partsOf(url, site);
  const page: PageRequest = {
    method: 'GET',
    path,
    url,
    query: { ...query, ...objectOf(params.view_data) },
    form: {},
    body: Buffer.alloc(0),
    cookies: {},
    headers: {},
    address: '',
    language: request.language,
  };
  const reading = { ...readingOf(site, page, plugins), reader: request.user };
  const { main } = await listView(await listingFor(call, reading), reading);
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
      endpoints: [endpoint({ methods: ['GET', 'POST'], permission: 'public', args: VIEW_ARGS, handler: (call) => respond(call, plugins) })],
    },
  ],
});
