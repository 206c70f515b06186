import { routeUrl, withoutSlash, type SiteClient, responseProblem, siteError, type SiteResponse } from './client.js';
import { membersOf } from '../../../base/values/records.js';

/** A site, as its REST index describes it. */
export interface LiveSite {
  /** URL of the site, without trailing slash; its links start with it. */
  home: string;
  /** Other URLs of the site: with `http` instead of `https`. */
  aliases: string[];
  /** The folder of WordPress below it: `/wp`; `''`: none. */
  folder: string;
  /** REST root. Routes are appended to it, even if it ends in `?rest_route=`. */
  root: string;
  namespace: string;
  hasCore: boolean;
  /** TEC: the namespace of the newer interface. */
  hasTecV1: boolean;
  /** The namespaces in its REST index. */
  namespaces: readonly string[];
  name: string;
  description: string;
  timezone: string;
  gmtOffset: number;
  /** The release of WordPress that its pages name as their generator, or null. */
  generator: string | null;
  /** The routes in its REST index. */
  routes: string[];
  /** The methods of the routes of each namespace, by path. */
  methods: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
  /** The settings of its front page, logo and icon, as far as its index shows them. */
  front: Readonly<Record<string, string | number>>;
}

const NAMESPACE = /^tribe\/events\/v\d+$/;

interface Index {
  name?: string;
  description?: string;
  url?: string;
  home?: string;
  gmt_offset?: number | string;
  timezone_string?: string;
  namespaces?: unknown;
  routes?: unknown;
  [setting: string]: unknown;
}

/** WP: settings in the index. */
const FRONT = ['show_on_front', 'page_on_front', 'page_for_posts', 'site_logo', 'site_icon'];

const frontOf = (index: Index): Record<string, string | number> =>
  Object.fromEntries(
    FRONT.flatMap((name) => {
      const value = index[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
    }),
  );

function methodsOf(routes: unknown): Map<string, Record<string, string[]>> {
  const found = new Map<string, Record<string, string[]>>();
  for (const [path, route] of Object.entries(membersOf(routes) ?? {})) {
    const { namespace, methods } = membersOf(route) ?? {};
    if (typeof namespace === 'string' && Array.isArray(methods))
      found.set(namespace, { ...found.get(namespace), [path]: methods.filter((method) => typeof method === 'string') });
  }
  return found;
}

/** The REST root in the Link header of a page (WP: rel `https://api.w.org/`). */
const linkedRoot = (headers: Record<string, string>): string | undefined =>
  /<([^>]+)>;\s*rel="https:\/\/api\.w\.org\/"/.exec(headers['link'] ?? '')?.[1];

const isIndex = (value: unknown): value is Index => typeof value === 'object' && value !== null && 'namespaces' in value;

/** The possible REST roots of a site; the one that its page links to comes first. */
function* roots(url: string, page: SiteResponse): Generator<string> {
  const linked = linkedRoot(page.headers) ?? /<link[^>]+rel=["']https:\/\/api\.w\.org\/["'][^>]*href=["']([^"']+)["']/.exec(page.text)?.[1];
  if (linked !== undefined) yield new URL(linked.replaceAll('&amp;', '&'), url).href;
  const base = withoutSlash(url);
  yield `${base}/wp-json`;
  yield `${base}/?rest_route=`;
}

/** Other URLs of the same site, longest first. */
function aliasesOf(home: string, others: readonly string[]): string[] {
  const all = [home, ...others.filter((url) => url !== '')].map(withoutSlash);
  const schemes = all.flatMap((url) => [url, url.replace(/^https:/, 'http:'), url.replace(/^http:/, 'https:')]);
  return [...new Set(schemes)].filter((url) => url !== home).sort((a, b) => b.length - a.length);
}

/**
 * Finds the REST root of a site and the namespace of The Events Calendar.
 * @param url URL of the site, of one of its pages, or of its REST root
 * @throws DatasetError if the site cannot be reached, is not a WordPress site, or has no accessible REST API or no calendar
 */
export async function findSite(client: SiteClient, url: string): Promise<LiveSite> {
  const given = withoutSlash(url).replace(/\/wp-json(?:\/.*)?$/, '');
  const page = await client.fetch(given === '' ? url : `${given}/`);
  let last: SiteResponse | undefined;
  for (const root of roots(withoutSlash(page.url.replace(/[?#].*$/, '')), page)) {
    const response = await client.fetch(routeUrl(root, ''));
    if (isIndex(response.json)) return siteOf(response.json, root, url, page);
    // A JSON error is more informative than an HTML page of another root.
    if (!last || (response.json !== undefined && last.json === undefined)) last = response;
  }
  throw siteError(url, last === undefined ? 'there is no REST API' : noIndex(page, last));
}

function noIndex(page: SiteResponse, response: SiteResponse): string {
  const { status, json } = response;
  if ([401, 403].includes(status) || (json !== undefined && status >= 400 && status !== 404)) return responseProblem(response);
  if (status === 200 && response.text.trim() === '') return responseProblem(response);
  const isWordPress = /wp-content|wp-includes|name="generator" content="WordPress/.test(page.text);
  return isWordPress
    ? `the REST API of this WordPress site is not available (${status}). A plugin may have disabled it, or the web server does not forward /wp-json/`
    : `not a WordPress site: there is no REST API at /wp-json/ or ?rest_route=/ (${status})`;
}

/** WP: `<meta name="generator" content="WordPress 7.1.4">`. */
const GENERATOR = /<meta\s+name=["']generator["']\s+content=["']WordPress (\d+(?:\.\d+){1,2})/;

function siteOf(index: Index, root: string, url: string, page: SiteResponse): LiveSite {
  const namespaces = Array.isArray(index.namespaces) ? index.namespaces.filter((name): name is string => typeof name === 'string') : [];
  const namespace = namespaces.find((name) => NAMESPACE.test(name));
  if (namespace === undefined)
    throw siteError(
      url,
      namespaces.includes('tec/v1')
        ? 'the settings of The Events Calendar switch its REST API (tribe/events/v1) off. Switch it on, at least for now'
        : 'The Events Calendar is not active on this site, or its REST API is disabled',
    );
  const base = root.replace(/(?:\/index\.php)?(?:\/wp-json.*|\/?\?rest_route=.*)$/, '');
  const home = withoutSlash(index.home || index.url || base);
  const core = withoutSlash(index.url ?? '');
  const folder = core.startsWith(`${home}/`) ? core.slice(home.length) : '';
  return {
    home,
    // A renamed root says nothing of the address.
    aliases: aliasesOf(home, [folder === '' ? core : '', base === root ? '' : base]),
    folder,
    root,
    namespace,
    hasCore: namespaces.includes('wp/v2'),
    hasTecV1: namespaces.includes('tec/v1'),
    namespaces,
    name: index.name ?? '',
    description: index.description ?? '',
    timezone: index.timezone_string ?? '',
    gmtOffset: Number(index.gmt_offset ?? 0),
    generator: GENERATOR.exec(page.text)?.[1] ?? null,
    routes: Object.keys(membersOf(index.routes) ?? {}),
    methods: methodsOf(index.routes),
    front: frontOf(index),
  };
}
