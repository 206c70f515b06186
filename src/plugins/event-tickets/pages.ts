import { html } from '../../wordpress/views/html.js';
import type { PagePlugin } from '../../wordpress/views/reading.js';
import { TICKETS_NAMESPACE } from './tickets-v1/names.js';

const VERSION = 'v1';

/** What the plugin adds to the pages of a site. */
export const TICKET_PAGES: PagePlugin = {
  headers: (_found, site) => ({
    'X-ET-API-VERSION': VERSION,
    'X-ET-API-ROOT': site.restUrl(`/${TICKETS_NAMESPACE}/`),
    'X-ET-API-ORIGIN': site.url,
  }),
  head: (_found, { site }) =>
    Promise.resolve(html`<meta name="et-api-version" content="${VERSION}" /> <meta name="et-api-origin" content="${site.url}" />`),
};
