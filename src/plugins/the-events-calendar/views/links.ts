import { buildQuery } from '../../../base/php/query-string.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import type { Site } from '../../../wordpress/site.js';
import { authorUrl, feedUrl, urlOfTerm } from '../../../wordpress/links.js';
import { hasViews, type Listing, type Scope } from './listing.js';

export const eventsUrl = ({ url, options }: Site): string =>
  `${url}${options.rewrite.isPlain ? `/?post_type=${EVENT}` : options.rewrite.path([options.calendar.eventsSlug])}`;

/** URL at which programs find parts of pages (TEC). */
export const viewsUrl = (site: Site): string => site.restUrl('/tribe/views/v2/html');

/** URL of a venue, an organizer or a published event. */
export const postUrl = (post: Post, site: Site): string => permalink(post, site, true);

/** A URL below that of a list. TEC: without paths, the list itself. */
const below = (url: string, path: string, { options: { rewrite } }: Site): string =>
  path === '' || rewrite.isPlain ? url : rewrite.below(url, path);

/** The base URL of a scope's lists. */
async function baseOf(scope: Scope, site: Site): Promise<string> {
  switch (scope.kind) {
    case 'all':
      return eventsUrl(site);
    case 'featured':
      return below(eventsUrl(site), 'featured', site);
    case 'term':
      return urlOfTerm(scope.term, site);
    case 'linked':
      return postUrl(scope.post, site);
    case 'author':
      return authorUrl(site, scope.author);
  }
}

/** TEC: lists of terms have a word for days and none for months, the others the reverse. @param isNamed whether the first page has its word */
function pathOf({ scope, view, from, page }: Listing, isNamed: boolean): string {
  const isOfTerm = scope.kind === 'term';
  if (view === 'month') return from === null ? 'month/' : `${isOfTerm ? '' : 'month/'}${from.slice(0, 7)}/`;
  if (view === 'day') return from === null ? 'today/' : `${isOfTerm ? 'day/' : ''}${from}/`;
  if (page === 1) return isNamed ? 'list/' : '';
  return `list/page/${page}/`;
}

/** TEC: events with a tag have lists of the calendar, besides the page of WordPress. */
const listBase = async (scope: Scope, site: Site): Promise<string> =>
  scope.kind === 'term' && scope.term.taxonomy === TAG && !site.options.rewrite.isPlain
    ? below(eventsUrl(site), `tag/${scope.term.slug}`, site)
    : baseOf(scope, site);

/** URL of a list. Its query has what the path cannot represent. @param isNamed whether it has the word for lists on the first page, too */
export async function listingUrl(listing: Listing, site: Site, isNamed = false): Promise<string> {
  const base = await listBase(listing.scope, site);
  const isViewed = hasViews(listing.scope);
  const { view, from } = listing;
  const inPath = isViewed && !site.options.rewrite.isPlain;
  const query = buildQuery({
    ...(isViewed && !inPath && (view !== 'list' || isNamed) ? { eventDisplay: view } : {}),
    ...(isViewed && !inPath && view !== 'list' && from !== null ? { eventDate: view === 'month' ? from.slice(0, 7) : from } : {}),
    ...(listing.search === '' ? {} : { 'tribe-bar-search': listing.search }),
    ...(view === 'list' && from !== null ? { 'tribe-bar-date': from } : {}),
    ...(listing.past ? { eventDisplay: 'past' } : {}),
    ...((inPath && view === 'list') || listing.page === 1 ? {} : { paged: listing.page }),
  });
  const url = isViewed ? below(base, pathOf(listing, isNamed), site) : base;
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

const withParameter = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${buildQuery({ [name]: value })}`;

/** URLs of the RSS feed of a list and of the list itself. */
export async function rssUrl(scope: Scope, site: Site): Promise<{ feed: string; page: string }> {
  const base = await baseOf(scope, site);
  return { feed: feedUrl(site, base), page: base };
}

/** URLs of the iCalendar file of a list: for download and for subscription (`webcal`). */
export function feedUrls(url: string): { download: string; subscribe: string } {
  const download = withParameter(url, 'ical', '1');
  return { download, subscribe: download.replace(/^https?:/, 'webcal:') };
}
