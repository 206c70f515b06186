import type { Site } from '../site.js';

/** TEC: the namespace in the headers of pages. */
const NAMESPACE = 'tribe/events/v1';

/** Links from a page to the same content in the API. */
interface ApiLinks {
  /** Path in the calendar API, relative to the namespace. */
  calendar?: string;
  /** Path in the core API, relative to the REST root. */
  core?: string;
  /** Id for the shortlink. */
  shortlink?: number;
}

/** Headers for discovery of the API from any page (WP: `Link`; TEC: `X-TEC-API-*`). */
export function apiHeaders(site: Site, { calendar = '', core, shortlink }: ApiLinks = {}): Record<string, string> {
  const links = [
    `<${site.restUrl('/')}>; rel="https://api.w.org/"`,
    ...(core === undefined ? [] : [`<${site.restUrl(core)}>; rel="alternate"; title="JSON"; type="application/json"`]),
    ...(shortlink === undefined ? [] : [`<${site.url}/?p=${shortlink}>; rel=shortlink`]),
  ];
  return {
    Link: links.join(', '),
    'X-TEC-API-VERSION': 'v1',
    'X-TEC-API-ROOT': site.restUrl(`/${NAMESPACE}/${calendar}`),
    'X-TEC-API-ORIGIN': site.url,
  };
}
