import type { PageRequest, PageResponse } from '../../../wordpress/rest/page.js';
import { isOfUnknownKind, serveRobots, serveSitemap, sitemapUrl } from '../../../wordpress/feeds/sitemap.js';
import type { Site } from '../../../wordpress/site.js';
import { serveAdmin } from './sign-in/admin.js';
import { serveAsset } from '../../../wordpress/pages/assets.js';
import { redirect } from './layout.js';
import { serveContent } from './content.js';
import { serveFile } from './files.js';
import { serveLogin } from './sign-in/login.js';

/** Responds to requests that are neither for REST nor for a file: pages, sign-in, and a minimal administration. */
export function servePages(site: Site): (request: PageRequest) => Promise<PageResponse> {
  return async (request) => {
    const asset = serveAsset(request.path);
    if (asset) return asset;
    if (request.path === '/wp-login.php') return serveLogin(site, request);
    if (/^\/wp-admin(\/|$)/.test(request.path)) return serveAdmin(site, request);
    if (request.path === '/robots.txt') return serveRobots(site);
    const file = serveFile(site, request);
    if (file) return file;
    if (request.path === '/sitemap.xml') return redirect(301, sitemapUrl(site));
    const sitemap = await serveSitemap(site, request.path);
    if (sitemap) return sitemap;
    const isFront = isOfUnknownKind(request.path) && site.quirks.has('unknown-sitemaps-are-the-front-page');
    return serveContent(site, isFront ? { ...request, path: '/' } : request);
  };
}
