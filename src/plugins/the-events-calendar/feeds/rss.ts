import { addressWord, englishWord } from '../model/address-words.js';
import { shownSpan } from '../model/event-dates.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { siteToUtc } from '../../../wordpress/timezones.js';
import type { FeedContent, FeedEnding, PageAddress, Shown, Reading } from '../../../wordpress/views/reading.js';
import { UNKNOWN } from '../../../wordpress/views/address.js';
import { trusted, type Html } from '../../../wordpress/views/html.js';
import { escapeRegExp } from '../../../base/text/pattern.js';
import { sanitizeTitle } from '../../../wordpress/formatting/slug.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { LINKED_KINDS } from '../model/linked.js';
import { isOfCalendar, slugsIn, type ListView } from '../views/address.js';
import { hasViews, listEvents, listingQuery, readListing, type Listing, type Scope } from '../views/listing.js';
import { feedTitle } from '../views/title.js';

const LIST: ListView = { kind: 'list' };
const WHOLE = { kind: 'list', view: LIST, page: 1 } as const;

const isFeatured = (word: string | undefined): boolean => word === 'featured';

/** The list of a term. TEC: in a feed, a view behind a category is taken for a subcategory. */
function termOfFeed(taxonomy: string, parts: readonly string[]): PageAddress {
  const featured = parts.length > 1 && isFeatured(parts.at(-1));
  const slugs = featured ? parts.slice(0, -1) : parts;
  const isTree = taxonomy === EVENT_CATEGORY;
  if (slugs.length === 0 || (!isTree && slugs.length > 1)) return UNKNOWN;
  return { ...WHOLE, taxonomy, slug: slugsIn(slugs.at(-1) ?? ''), ...(featured ? { isFeatured: true } : {}) };
}

function inCalendar(parts: readonly string[], ending: FeedEnding): PageAddress {
  const [, first, ...rest] = parts as (string | undefined)[];
  if (first === undefined) return WHOLE;
  if (first === 'category' && ending !== 'short') return termOfFeed(EVENT_CATEGORY, parts.slice(2));
  if (first === 'tag' && ending !== 'short') return termOfFeed(TAG, parts.slice(2));
  if (rest.length > 0) return UNKNOWN;
  if (isFeatured(first) && ending !== 'long') return { ...WHOLE, isFeatured: true };
  // WP: as an attachment of a page would have it.
  return { kind: 'below', slugs: parts.map((part) => sanitizeTitle(part)) };
}

/** The addresses of feeds. TEC: lists have one, their views have none; of venues and organizers, the feed is the site's. */
export function readFeedAddress(parts: readonly string[], ending: FeedEnding, site: Site, query: Params): PageAddress | undefined {
  const [first, second] = parts;
  if (first === site.options.calendar.eventsSlug)
    return inCalendar(
      parts.map((part, at) => (at === 1 ? englishWord(part, site.options) : part)),
      ending,
    );
  if (first === 'tag' && query.post_type === EVENT) return termOfFeed(TAG, parts.slice(1));
  if (first === 'tag') return parts.length === 2 ? { kind: 'term', taxonomy: TAG, slug: sanitizeTitle(second), page: 1 } : UNKNOWN;
  const isLinked = LINKED_KINDS.some((kind) => decodeURIComponent(addressWord(kind, site.options)) === first) && parts.length === 2;
  if (!isLinked) return undefined;
  return site.quirks.has('venues-have-no-pages') ? { kind: 'front', page: 1 } : UNKNOWN;
}

/** WP: the typographic pass makes signs of a title references. */
const asReferences = ({ text }: Html): Html => trusted(text.replaceAll(' – ', ' &#8211; ').replaceAll('›', '&#8250;'));

/** The events of a feed, and the conditions of all. TEC: the next ones, including events hidden from lists; the query changes nothing. */
async function eventsOf(listing: Listing, { site }: Reading): Promise<Pick<FeedContent, 'posts' | 'filter'>> {
  const limit = site.options.postsPerFeed;
  if (!site.quirks.has('rss-ignores-its-query')) {
    const list = { ...listing, view: 'list' } as const;
    return { posts: (await listEvents(list, site, limit)).events, filter: await listingQuery(list, site) };
  }
  const query = await listingQuery({ ...listing, view: 'list', from: null, past: false, search: '' }, site, true);
  const filter = { ...query, listed: false, scheduled: true };
  return { filter, posts: await listPosts(site.store, { ...filter, limit, offset: (listing.page - 1) * limit }) };
}

/** The feed of a list of events. */
export async function eventFeed(
  { found, address, page }: { found: Shown | null; address: PageAddress; page: number },
  reading: Reading,
): Promise<FeedContent | undefined> {
  if (address.kind !== 'list' && found?.kind !== 'list') return undefined;
  const scope: Scope = found?.kind === 'list' ? found.scope : { kind: 'all' };
  if (!hasViews(scope)) return undefined;
  const listing = { ...readListing(scope, WHOLE, reading.request.query), page };
  const events = found ? await eventsOf(listing, reading) : { posts: [], filter: null };
  return { title: asReferences(await feedTitle(listing, reading)), ...events, keepsTitle: true };
}

/** The date of an event as an entry: its start. TEC: local times of all zones are read in the zone of the site. */
export function eventDate({ type, occurrence }: Post, site: Site): string | undefined {
  if (type !== EVENT || !occurrence) return undefined;
  if (!site.quirks.has('rss-reads-starts-in-site-zone')) return occurrence.startUtc;
  const { timezone } = site.options;
  const { start } = shownSpan(occurrence, site);
  return /^UTC[+-]/.test(timezone) ? start : siteToUtc(site.zones, start, timezone);
}

/** The view that the rule for a path names; undefined: none. TEC: `default` is not the same as the default view. */
function viewOfPath(path: string, { options }: Site): string | undefined {
  const [, rest] = new RegExp(`^/${escapeRegExp(options.calendar.eventsSlug)}/(.*?)/?$`).exec(path) ?? [];
  if (rest === undefined) return undefined;
  if (/^(?:(?:(?:category|tag)\/.+|featured)\/)?feed$|^(?:featured\/)?(?:rdf|rss2?|atom)$/.test(rest)) return 'list';
  if (/(?:^|\/)feed(?:\/\w+)?$/.test(rest)) return undefined;
  if (rest === '' || /^(?:category|tag)\//.test(rest)) return 'default';
  return (
    /^(?:list|month)/.exec(rest)?.[0] ?? (/^today|^\d{4}-\d\d-\d\d/.test(rest) ? 'day' : /^\d{4}-\d\d/.test(rest) ? 'month' : undefined)
  );
}

/** TEC: the parameters that name a view. */
const VIEW_PARAMETERS = ['view', 'tribe_view', 'tribe_event_display', 'eventDisplay'];

/** TEC: from a list of the calendar, only redirects to the same view are followed, and those that only add a slash. */
export function mayMoveFeed(to: string, { site, request: { path, query } }: Reading): boolean {
  const isEvents = isOfCalendar({ path }, site) || query.post_type === EVENT;
  if (!isEvents || `${site.url}${path}/` === to.replace(/\?.*/, '')) return true;
  const named = VIEW_PARAMETERS.map((name) => query[name]).find((value) => value !== undefined);
  const view = viewOfPath(path, site) ?? named ?? 'list';
  return (
    view === (query.eventDisplay ?? viewOfPath(new URL(to).pathname.slice(new URL(site.url).pathname.replace(/\/$/, '').length), site))
  );
}
