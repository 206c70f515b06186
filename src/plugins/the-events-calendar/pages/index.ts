import { isEmpty } from '../../../base/php/cast.js';
import { TAG } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import { fillHtml, type Shown, type PagePlugin } from '../../../wordpress/views/reading.js';
import type { PageRequest } from '../../../wordpress/rest/request.js';
import { html } from '../../../wordpress/views/html.js';
import { urlOfTerm } from '../../../wordpress/links.js';
import { siteName } from '../../../wordpress/views/texts.js';
import { eventDate, eventFeed, mayMoveFeed, readFeedAddress } from '../feeds/rss.js';
import { readCalendarForm } from '../feeds/routes.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasCalendarApi } from '../model/options.js';
import { readCalendarAddress } from '../views/address.js';
import { findEvents, linkedUrl, readCalendarQuery } from '../views/find.js';
import { eventsUrl, feedUrls } from '../views/links.js';
import { listedDays, readListing } from '../views/listing.js';
import { missingTitle } from '../views/title.js';
import { calendarPage } from './content.js';

/** TEC: the namespace in the headers of pages. */
const NAMESPACE = 'tribe/events/v1';

/** TEC: the path that has the same content in the API as a page, relative to the namespace. */
function pathInApi(found: Shown | null): string {
  if (found?.kind === 'post') return found.post.type === EVENT ? `events/${found.post._id}` : '';
  if (found?.kind === 'term') return found.term.taxonomy === TAG ? `events/?tags=${found.term.slug}` : '';
  if (found?.kind !== 'list') return '';
  const { scope } = found;
  if (scope.kind === 'featured') return 'events/?featured=1';
  return scope.kind === 'term' ? `events/?${scope.term.taxonomy === EVENT_CATEGORY ? 'categories' : 'tags'}=${scope.term.slug}` : '';
}

/** TEC: the calendar file that the head of a page links to: of the calendar, or of a day, also of a category, whose URL ends with a slash. */
async function calendarOf(found: Shown | null, { query }: PageRequest, site: Site): Promise<string> {
  const { isPlain } = site.options.rewrite;
  const all = isPlain ? `${site.url}?post_type=${EVENT}&ical=1` : feedUrls(eventsUrl(site).replace(/\/*$/, '/')).download;
  if (found?.kind !== 'list' || isPlain) return all;
  const { scope } = found;
  const listing = readListing(scope, found, query);
  if (listing.view !== 'day') return all;
  const base = scope.kind === 'term' && scope.term.taxonomy === EVENT_CATEGORY ? await urlOfTerm(scope.term, site) : eventsUrl(site);
  return `${feedUrls(`${base}${listedDays(listing, site)[0]}/`).download}/`;
}

const VERSION = 'v1';

const rootOf = (found: Shown | null, site: Site): string => site.restUrl(`/${NAMESPACE}/${pathInApi(found)}`);

/** Additions of the plugin to the pages of a site. */
export const CALENDAR_PAGES: PagePlugin = {
  readAddress: readCalendarAddress,
  find: findEvents,
  urlOf: linkedUrl,
  page: calendarPage,
  missingTitle,
  readForm: readCalendarForm,
  readQuery: readCalendarQuery,
  readFeedAddress,
  feed: eventFeed,
  mayMoveFeed,
  entryDate: eventDate,
  // TEC: lists of tags have events, too.
  typesIn: (taxonomy) => (taxonomy === TAG ? [EVENT] : []),
  typesInBlog: ({ calendar }) => (isEmpty(calendar.showEventsInMainLoop) ? [] : [EVENT]),
  termOf: (found) => (found.kind === 'list' && found.scope.kind === 'term' ? found.scope.term : undefined),
  menu: ({ site, texts }) => [{ text: texts.events, url: eventsUrl(site) }],
  footer: ({ site, texts }) => [{ text: texts.subscribe, url: feedUrls(eventsUrl(site)).subscribe }],
  headers: (found, site): Record<string, string> =>
    hasCalendarApi(site.options)
      ? { 'X-TEC-API-VERSION': VERSION, 'X-TEC-API-ROOT': rootOf(found, site), 'X-TEC-API-ORIGIN': site.url }
      : { 'X-TEC-API-VERSION': 'disabled' },
  head: async (found, { site, texts, request }) =>
    html`${
        hasCalendarApi(site.options) &&
        html`<meta name="tec-api-version" content="${VERSION}" />
          <meta name="tec-api-origin" content="${site.url}" />
          <link rel="alternate" href="${rootOf(found, site)}" />`
      }
      <link
        rel="alternate"
        type="text/calendar"
        title="${fillHtml(texts.calendarFeed, { site: siteName(site) })}"
        href="${await calendarOf(found, request, site)}"
      />`,
};
