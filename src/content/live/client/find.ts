import type { SiteClient } from './client.js';
import { answerProblem, fault, type Answer } from './problems.js';
import { routeUrl, withoutSlash } from './route.js';

/** What a site says of itself. */
export interface LiveSite {
  /** Address of the site, without trailing slash: what its links start with. */
  home: string;
  /** Further addresses that mean this site: `http` for `https`, the folder that WordPress is in. */
  aliases: string[];
  /** REST root; what follows the namespace is put behind it, also where it ends in `?rest_route=`. */
  root: string;
  /** Namespace of the calendar. */
  namespace: string;
  hasCore: boolean;
  name: string;
  description: string;
  timezone: string;
  gmtOffset: number;
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
}

/** REST root that a page names in its header (WP: rel `https://api.w.org/`). */
const linkedRoot = (headers: Record<string, string>): string | undefined =>
  /<([^>]+)>;\s*rel="https:\/\/api\.w\.org\/"/.exec(headers['link'] ?? '')?.[1];

const isIndex = (value: unknown): value is Index => typeof value === 'object' && value !== null && 'namespaces' in value;

/** REST roots that a site may have, the one that it names itself first. */
function* roots(url: string, page: Answer): Generator<string> {
  const linked = linkedRoot(page.headers) ?? /<link[^>]+rel=["']https:\/\/api\.w\.org\/["'][^>]*href=["']([^"']+)["']/.exec(page.text)?.[1];
  if (linked !== undefined) yield new URL(linked.replaceAll('&amp;', '&'), url).href;
  const base = withoutSlash(url);
  yield `${base}/wp-json`;
  yield `${base}/?rest_route=`;
}

/** Addresses that mean the same site. */
function aliasesOf(home: string, others: readonly string[]): string[] {
  const all = [home, ...others.filter((url) => url !== '')].map(withoutSlash);
  const schemes = all.flatMap((url) => [url, url.replace(/^https:/, 'http:'), url.replace(/^http:/, 'https:')]);
  return [...new Set(schemes)].filter((url) => url !== home).sort((a, b) => b.length - a.length);
}

/**
 * Finds the calendar of a site: its REST root, and the namespace of The Events Calendar.
 * @param url address of the site, of a page of it, or of its REST root
 * @throws DatasetError when it cannot be reached, is no WordPress site, keeps its REST API shut, or has no calendar
 */
export async function findSite(client: SiteClient, url: string): Promise<LiveSite> {
  const given = withoutSlash(url).replace(/\/wp-json(?:\/.*)?$/, '');
  const page = await client.fetch(given === '' ? url : `${given}/`);
  let last: Answer | undefined;
  for (const root of roots(withoutSlash(page.url.replace(/[?#].*$/, '')), page)) {
    const answer = await client.fetch(routeUrl(root, ''));
    if (isIndex(answer.json)) return described(answer.json, root, url);
    // A refusal says more than the page that another spelling leads to.
    if (!last || (answer.json !== undefined && last.json === undefined)) last = answer;
  }
  throw fault(url, last === undefined ? 'there is no REST API' : noIndex(page, last));
}

function noIndex(page: Answer, answer: Answer): string {
  if ([401, 403].includes(answer.status) || (answer.json !== undefined && answer.status !== 404)) return answerProblem(answer);
  const isWordPress = /wp-content|wp-includes|name="generator" content="WordPress/.test(page.text);
  return isWordPress
    ? `it is a WordPress site whose REST API does not answer (${answer.status}): it may be switched off by a plugin, or the web server does not pass /wp-json/ on`
    : `this is no WordPress site: there is no REST API at /wp-json/ or ?rest_route=/ (${answer.status})`;
}

function described(index: Index, root: string, url: string): LiveSite {
  const namespaces = Array.isArray(index.namespaces) ? index.namespaces.filter((name): name is string => typeof name === 'string') : [];
  const namespace = namespaces.find((name) => NAMESPACE.test(name));
  if (namespace === undefined) throw fault(url, 'The Events Calendar is not active there, or its REST API is switched off');
  const home = withoutSlash(index.home || index.url || root.replace(/\/wp-json.*|\/?\?rest_route=.*$/, ''));
  return {
    home,
    aliases: aliasesOf(home, [index.url ?? '', root.replace(/\/wp-json\/?$|\/(?:index\.php)?\?rest_route=.*$/, '')]),
    root,
    namespace,
    hasCore: namespaces.includes('wp/v2'),
    name: index.name ?? '',
    description: index.description ?? '',
    timezone: index.timezone_string ?? '',
    gmtOffset: Number(index.gmt_offset ?? 0),
  };
}
