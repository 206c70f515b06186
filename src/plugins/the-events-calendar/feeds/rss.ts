import type { Post, User } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { plain, postItem } from '../../../wordpress/feeds/feed-items.js';
import { authorsOf, feedTitle } from '../../../wordpress/feeds/rss.js';
import { loadRelated, type Related } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import type { FeedContent, FeedItem, PageAddress, Shown } from '../../../wordpress/views/content.js';
import { html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { scopeHeading } from '../views/heading.js';
import { rssUrl } from '../views/links.js';
import { hasViews, listEvents, readListing, type Scope } from '../views/listing.js';

/** Whether an address of the calendar has a feed. TEC: of its views only lists have one. */
export function hasEventFeed(address: PageAddress): boolean | undefined {
  if (address.kind === 'list') return address.view.kind === 'list' && address.page === 1;
  return address.kind === 'linked' ? false : undefined;
}

/** The title of a feed of events: the scope and the range of days. */
function eventsTitle(scope: Scope, posts: readonly Post[], reading: Reading): string {
  const { texts, dates } = reading;
  const events = plain(scopeHeading(scope, reading) ?? html`${texts.events}`);
  const days = posts.flatMap(({ occurrence }) => (occurrence ? [occurrence.start.slice(0, 10)] : [])).sort();
  if (days.length === 0) return events;
  return texts.feedTitle.replace('{events}', () => events).replace('{dates}', () => dates.days(days[0], days.at(-1) ?? days[0]));
}

/** An event as an entry. TEC: its date is its start, and its event categories are not shown. */
const eventItem = (event: Post, related: Related, authors: ReadonlyMap<number, User>, reading: Reading): FeedItem => ({
  ...postItem(event, related, authors, reading),
  date: event.occurrence?.startUtc ?? '',
});

/** The events of a list, in its order. */
async function eventContent(scope: Scope, page: string, reading: Reading): Promise<FeedContent> {
  const { site, request } = reading;
  const listing = { ...readListing(scope, { view: { kind: 'list' }, page: 1 }, request.query), view: 'list' as const };
  const { events } = await listEvents(listing, site, site.options.postsPerFeed);
  const related = await loadRelated(site.store, events);
  const authors = await authorsOf(events, site);
  return {
    title: feedTitle(eventsTitle(scope, events, reading), site),
    page,
    items: events.map((event) => eventItem(event, related, authors, reading)),
  };
}

/** The feed of a list of events, or of all of them if the query of the front page names their type; null if the list has none. */
export async function eventFeed(found: Shown, reading: Reading): Promise<FeedContent | null | undefined> {
  const { site, request } = reading;
  if (found.kind === 'front' && request.query.post_type === EVENT) return eventContent({ kind: 'all' }, `${site.url}/`, reading);
  if (found.kind !== 'list') return undefined;
  return hasViews(found.scope) ? eventContent(found.scope, (await rssUrl(found.scope, site)).page, reading) : null;
}

/** The URL of the page of a feed of events. */
export const eventFeedPage = async (found: Shown, site: Site): Promise<string | undefined> =>
  found.kind === 'list' ? (await rssUrl(found.scope, site)).page : undefined;
