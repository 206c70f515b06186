import type { Site } from '../site.js';
import type { Shown } from './content.js';
import type { Reading } from './reading.js';

/** Links from a page to the same content in the API. */
interface ApiLinks {
  /** Path in the core API, relative to the REST root. */
  core?: string;
  /** Id for the shortlink. */
  shortlink?: number;
}

/** The header `Link` of any page, for discovery of the API (WP). */
export function linkHeader(site: Site, { core, shortlink }: ApiLinks = {}): string {
  const links = [
    `<${site.restUrl('/')}>; rel="https://api.w.org/"`,
    ...(core === undefined ? [] : [`<${site.restUrl(core)}>; rel="alternate"; title="JSON"; type="application/json"`]),
    ...(shortlink === undefined ? [] : [`<${site.url}/?p=${shortlink}>; rel=shortlink`]),
  ];
  return links.join(', ');
}

/** The headers of a page or feed: links to the API, and the headers of plugins. @param found null for feeds and missing pages */
export const apiHeaders = (found: Shown | null, { site, plugins }: Reading, links: ApiLinks = {}): Record<string, string> =>
  Object.assign({ Link: linkHeader(site, links) }, ...plugins.map(({ headers }) => headers?.(found, site))) as Record<string, string>;
