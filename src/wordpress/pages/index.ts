import type { PageRequest, PageResponse } from '../rest/request.js';
import { isOfUnknownKind, serveRobots, serveSitemap, sitemapUrl } from '../feeds/sitemap.js';
import type { Site } from '../site.js';
import { readingOf, type PagePlugin, apiHeaders, type Reading } from '../views/reading.js';
import { serveAdmin } from './sign-in/authorize.js';
import { serveAsset, ICON } from './assets.js';
import { redirect } from './layout.js';
import { serveContent } from './content.js';
import { serveLogin } from './sign-in/login.js';
import { xmlText } from '../formatting/xml.js';
import { callResult } from './xml-rpc.js';

const XML = { 'Content-Type': 'text/xml; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' };

/** The services of a site, for programs that write to it (WP: Really Simple Discovery). */
const services = (site: Site): string => `<?xml version="1.0" encoding="UTF-8"?>
<rsd version="1.0" xmlns="http://archipelago.phrasewise.com/rsd">
  <service>
    <engineName>WordPress</engineName>
    <engineLink>https://wordpress.org/</engineLink>
    <homePageLink>${xmlText(site.url)}</homePageLink>
    <apis>
      <api name="WordPress" blogID="1" preferred="true" apiLink="${xmlText(site.coreUrl)}/xmlrpc.php" />
      <api name="WP-API" blogID="1" preferred="false" apiLink="${xmlText(site.restUrl('/'))}" />
    </apis>
  </service>
</rsd>
`;

function serveXmlRpc(site: Site, request: PageRequest): PageResponse {
  const { method, query } = request;
  if ('rsd' in query) return { status: 200, headers: XML, body: services(site) };
  if (method === 'POST') return { status: 200, headers: XML, body: callResult(request) };
  return {
    status: 405,
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'X-Content-Type-Options': 'nosniff', Allow: 'POST' },
    body: 'XML-RPC server accepts POST requests only.',
  };
}

/** WP: the icon of a site without one. */
const LOGOS = '/wp-includes/images/';
const BLUE = 'w-logo-blue-white-bg.png';
const GRAY = 'w-logo-gray-white-bg.png';

/** The files of WordPress that programs look for, by their names; null for any other path. */
function serveFile(reading: Reading): PageResponse | null {
  const { site, request } = reading;
  switch (request.path) {
    case '/xmlrpc.php':
      return serveXmlRpc(site, request);
    case '/wp-cron.php':
      // Does nothing: scheduled posts are published by the clock of the site.
      return { status: 200, headers: { 'Content-Type': 'text/html; charset=UTF-8' }, body: '' };
    case '/favicon.ico':
      return redirect(302, `${site.url}${LOGOS}${site.quirks.has('icons-are-blue') ? BLUE : GRAY}`, apiHeaders(null, reading));
    case `${LOGOS}${BLUE}`:
    case `${LOGOS}${GRAY}`:
      // The icon of this server instead of a trademark.
      return redirect(302, `${site.url}${ICON.path}`);
    default:
      return null;
  }
}

/**
 * Responds to requests that are neither for REST nor for a file: pages, feeds, sign-in, and a minimal administration.
 * @param plugins what plugins add, in the order in which WordPress would load them
 */
export function servePages(site: Site, plugins: readonly PagePlugin[]): (request: PageRequest) => Promise<PageResponse> {
  return async (request) => {
    const asset = serveAsset(request.path);
    if (asset) return asset;
    const reading = readingOf(site, request, plugins);
    // WP: without paths there are no such files.
    const hasPaths = !site.options.rewrite.isPlain;
    if (request.path === '/wp-login.php') return serveLogin(reading);
    if (/^\/wp-admin(\/|$)/.test(request.path)) return serveAdmin(reading);
    if (request.path === '/robots.txt' && hasPaths) return serveRobots(reading);
    const file = serveFile(reading);
    if (file) return file;
    if (request.path === '/sitemap.xml') return redirect(301, sitemapUrl(site));
    const sitemap = hasPaths ? await serveSitemap(site, request.path) : null;
    if (sitemap) return sitemap;
    const isFront = isOfUnknownKind(request.path) && site.quirks.has('unknown-sitemaps-are-the-front-page');
    return serveContent(isFront ? { ...reading, request: { ...request, path: '/' } } : reading);
  };
}
