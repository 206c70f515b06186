import { corePath } from '../terms/term-links.js';
import type { Site } from '../site.js';
import type { Shown } from './content.js';
import { termOf, type Reading } from './reading.js';

/** Links from a page to the same content in the API. */
interface ApiLinks {
  /** Path in the core API, relative to the REST root. */
  core?: string;
  /** Id for the shortlink. */
  shortlink?: number;
}

/** WP: the page that is the front page has the shortest address. */
function shortlinkOf(id: number, { url, options: { front } }: Site): string {
  return front.show_on_front === 'page' && front.page_on_front === id ? `${url}/` : `${url}/?p=${id}`;
}

/** The header `Link` of any page, for discovery of the API (WP). */
function linkHeader(site: Site, { core, shortlink }: ApiLinks = {}): string {
  const links = [
    `<${site.restUrl('/')}>; rel="https://api.w.org/"`,
    ...(core === undefined ? [] : [`<${site.restUrl(core)}>; rel="alternate"; title="JSON"; type="application/json"`]),
    ...(shortlink === undefined ? [] : [`<${shortlinkOf(shortlink, site)}>; rel=shortlink`]),
  ];
  return links.join(', ');
}

/** The links of some content: a post, a term or an author (WP: the queried object). */
export function linksOf(found: Shown | null, { site: { registry }, plugins }: Reading): ApiLinks {
  if (!found) return {};
  if (found.kind === 'author') return { core: `/wp/v2/users/${found.author._id}` };
  if (found.kind === 'post') {
    const { type, _id } = found.post;
    return { core: `/wp/v2/${registry.postTypeOf(type).base}/${_id}`, shortlink: _id };
  }
  const term = termOf(found, plugins);
  return term ? { core: corePath(term, registry) } : {};
}

/** The headers of a page or feed: links to the API, and the headers of plugins. @param found null for missing pages */
export const apiHeaders = (found: Shown | null, { site, plugins }: Reading, links: ApiLinks = {}): Record<string, string> =>
  Object.assign({ Link: linkHeader(site, links) }, ...plugins.map(({ headers }) => headers?.(found, site))) as Record<string, string>;
