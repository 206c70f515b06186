import { jsonLdName } from '../../wordpress/formatting/json-ld-text.js';
import type { Post } from '../../wordpress/model.js';
import { permalink } from '../../wordpress/posts/permalinks.js';
import { loadRelated } from '../../wordpress/posts/related.js';
import { markedTitle, shownJsonLdDescription } from '../../wordpress/posts/rendered.js';
import type { Shown, PagePlugin } from '../../wordpress/views/reading.js';
import { html, type Html } from '../../wordpress/views/html.js';
import { jsonLd } from '../../wordpress/views/json-ld.js';
import type { Site } from '../../wordpress/site.js';
import { EVENT } from '../the-events-calendar/model/index.js';
import { offersOf } from './calendar/hooks.js';
import { ticketsOf, ticketsOfEvents } from './model/visible.js';
import { TICKETS_NAMESPACE } from './tickets-v1/names.js';

const VERSION = 'v1';

/** The JSON-LD of a post or page with tickets; null: it has none, or a password hides them. Events have theirs from the calendar. */
async function productOf(post: Post, site: Site): Promise<Html | null> {
  const found = ticketsOf(post._id, { tickets: await ticketsOfEvents(site.store, [post._id]) });
  if (found.tickets.length === 0 || post.password !== '') return null;
  const related = await loadRelated(site.store, [post]);
  const url = permalink(post, site, true, related.posts);
  const offers = offersOf(found, url, site);
  if (!offers) return null;
  return jsonLd({
    '@context': 'http://schema.org',
    '@type': 'Product',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, { site, related }),
    url,
    offers,
  });
}

const otherThanEvent = (found: Shown | null): Post | null => (found?.kind === 'post' && found.post.type !== EVENT ? found.post : null);

export const TICKET_PAGES: PagePlugin = {
  headers: (_found, site): Record<string, string> =>
    site.options.tickets.isApiHidden
      ? { 'X-ET-API-VERSION': 'disabled' }
      : {
          'X-ET-API-VERSION': VERSION,
          'X-ET-API-ROOT': site.restUrl(`/${TICKETS_NAMESPACE}/`),
          'X-ET-API-ORIGIN': site.url,
        },
  head: async (found, { site }) => {
    const post = otherThanEvent(found);
    const product = post && (await productOf(post, site));
    if (site.options.tickets.isApiHidden) return html`${product}`;
    return html`<meta name="et-api-version" content="${VERSION}" />
      <meta name="et-api-origin" content="${site.url}" />
      ${product}`;
  },
};
