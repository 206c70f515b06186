import type { PageRequest, PageResponse } from '../rest/request.js';
import { isOfUnknownKind, serveRobots, serveSitemap, sitemapUrl } from '../feeds/sitemap.js';
import type { Site } from '../site.js';
import { readingOf, type PagePlugin } from '../views/reading.js';
import { serveAdmin } from './sign-in/authorize.js';
import { serveAsset } from './assets.js';
import { redirect } from './layout.js';
import { serveContent } from './content.js';
import { serveFile } from './files.js';
import { serveLogin } from './sign-in/login.js';

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
