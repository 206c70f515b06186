import type { Site } from '../wp/site.js';

/** TEC: the namespace that pages advertise is the plugin's own. */
const NAMESPACE = 'tribe/events/v1';

/** How a page names what it shows to clients of the API. */
export interface ApiLinks {
  /** What follows the namespace in the address of the same thing in the calendar API. */
  calendar?: string;
  /** Path of the same thing below the REST root. */
  core?: string;
  /** Its number, for the short address. */
  shortlink?: number;
}

/** The headers by which clients find the API from any page (WP: `Link`; TEC: `X-TEC-API-*`). */
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
