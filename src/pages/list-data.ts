import { escUrlRaw } from '../wp/formatting/sanitize.js';
import type { Post } from '../wp/model.js';
import { EVENT_CATEGORY } from '../tec/index.js';
import { listPosts } from '../wp/posts.js';
import { linkedText, type LinkedKind } from '../tec/linked.js';
import { loadRelated, thumbnail, type Related } from '../wp/related.js';
import { imageOf, isWithheld } from '../calendar-v1/view.js';
import { shownContent, shownExcerpt } from '../wp/rendered.js';
import { listTerms } from '../wp/terms.js';
import { placeOf, type Place } from './event-data.js';
import { eventCard, viewFor, type EventCard, type Named } from '../views/card.js';
import { scopeHeading } from '../views/heading.js';
import { escapeText, trusted, type Html } from '../views/html.js';
import { daysAfter, monthsAfter } from '../views/days.js';
import { eventsUrl, feedUrls, listingUrl, rssUrl, urlOfTerm } from '../views/links.js';
import { daysOf, hasViews, listEvents, listingQuery, readListing, type Listing, type Scope } from '../views/listing.js';
import { unlocking, type Unlocking } from './sign-in/passwords.js';
import { fillHtml, type Reading } from '../views/reading.js';
import { contentOf, lineOf, pictureOf, siteDescription, teaserOf, titleOf, type Picture } from '../views/texts.js';

/** Another view of the same events. */
export interface ViewLink {
  label: string;
  url: string;
  isCurrent: boolean;
}

/** A list under one heading. */
export interface Group {
  heading: string;
  events: EventCard[];
}

/** What stands around every list of events. */
export interface ListFrame {
  listing: Listing;
  heading: Html;
  description: Html | null;
  views: ViewLink[];
  searchUrl: string;
  /** The list without the words that were looked for; null when there were none. */
  clearUrl: string | null;
  total: number;
  /** What is over, from a list of what is to come, and the other way round. */
  other: { label: string; url: string } | null;
  previous: { label: string; url: string } | null;
  next: { label: string; url: string } | null;
  page: number;
  pages: number;
  feed: { download: string; subscribe: string };
  /** Address of its RSS feed. */
  rss: string | null;
}

export interface ListPage extends ListFrame {
  groups: Group[];
}

const plainHtml = (text: string): Html => trusted(escapeText(text));

function viewHeading(listing: Listing, { texts, dates, site }: Reading): Html {
  const [first] = daysOf(listing, site);
  if (listing.search !== '') return fillHtml(texts.resultsFor, { words: listing.search });
  if (listing.view === 'month') return plainHtml(dates.month(first));
  if (listing.view === 'day') return plainHtml(dates.day(first));
  if (listing.past) return plainHtml(texts.pastEvents);
  return plainHtml(listing.from === null ? texts.upcomingEvents : texts.events);
}

function headingOf(listing: Listing, reading: Reading): Html {
  const scope = scopeHeading(listing.scope, reading);
  const view = viewHeading(listing, reading);
  const isPlainList = listing.view === 'list' && !listing.past && listing.search === '';
  if (!scope) return view;
  return isPlainList ? scope : trusted(`${scope.text} – ${view.text}`);
}

async function viewsOf(listing: Listing, { site, texts }: Reading): Promise<ViewLink[]> {
  if (listing.scope.kind !== 'all' && listing.scope.kind !== 'term') return [];
  const to = (change: Partial<Listing>): Promise<string> => listingUrl({ ...listing, page: 1, past: false, from: null, ...change }, site);
  const { view } = listing;
  return [
    { label: texts.list, url: await to({ view: 'list' }), isCurrent: view === 'list' },
    { label: texts.month, url: await to({ view: 'month' }), isCurrent: view === 'month' },
    {
      label: texts.today,
      url: await to({ view: 'day' }),
      isCurrent: view === 'day' && daysOf(listing, site)[0] === site.nowLocal.slice(0, 10),
    },
  ];
}

/** The pages before and after. Years beyond four digits have no address. */
async function steps(listing: Listing, pages: number, { site, texts, dates }: Reading): Promise<Pick<ListFrame, 'previous' | 'next'>> {
  const to = async (label: string, change: Partial<Listing>) => ({ label, url: await listingUrl({ ...listing, ...change }, site) });
  if (listing.view !== 'list') {
    const unit = listing.view;
    const [first] = daysOf(listing, site);
    const at = (by: number): string => (unit === 'month' ? monthsAfter(first, by) : daysAfter(first, by));
    const step = async (date: string) =>
      /^\d{4}-/.test(date) ? to(unit === 'month' ? dates.month(date) : dates.day(date), { from: date }) : null;
    return { previous: await step(at(-1)), next: await step(at(1)) };
  }
  const { page } = listing;
  return {
    previous: page > 1 ? await to(texts.previousPage, { page: Math.min(page - 1, pages) }) : null,
    next: page < pages ? await to(texts.nextPage, { page: page + 1 }) : null,
  };
}

/** What stands around a list. */
export async function frameOf(listing: Listing, reading: Reading, found: { total: number; pages: number }): Promise<ListFrame> {
  const { site, texts } = reading;
  const own = await listingUrl({ ...listing, page: 1 }, site);
  const others = await listingUrl({ ...listing, page: 1, past: !listing.past, from: null }, site);
  const { scope } = listing;
  return {
    listing,
    heading: headingOf(listing, reading),
    description: scope.kind === 'term' && scope.term.description !== '' ? lineOf(scope.term.description) : null,
    views: await viewsOf(listing, reading),
    searchUrl: scope.kind === 'term' ? await urlOfTerm(scope.term, site) : eventsUrl(site),
    clearUrl: listing.search === '' ? null : await listingUrl({ ...listing, page: 1, search: '' }, site),
    total: found.total,
    other: listing.view === 'list' ? { label: listing.past ? texts.upcomingEvents : texts.pastEvents, url: others } : null,
    ...(await steps(listing, found.pages, reading)),
    page: listing.page,
    pages: found.pages,
    feed: feedUrls(own),
    rss: listing.view === 'list' && hasViews(scope) ? (await rssUrl(scope, site)).feed : null,
  };
}

/** What begins in a month, under its name; what goes on already counts for the month that the list begins with. */
function grouped(cards: EventCard[], listing: Listing, { site, dates }: Reading): Group[] {
  const since = (listing.from ?? site.nowLocal).slice(0, 7);
  const groups: Group[] = [];
  for (const card of cards) {
    const own = card.span.start.slice(0, 7);
    const heading = dates.month(`${!listing.past && own < since ? since : own}-01`);
    const last = groups.at(-1);
    if (last?.heading === heading) last.events.push(card);
    else groups.push({ heading, events: [card] });
  }
  return groups;
}

export async function cardsOf(posts: Post[], reading: Reading): Promise<EventCard[]> {
  const related = await loadRelated(reading.site.store, posts);
  return posts.map((post) => eventCard(post, related, reading));
}

/** Everything on a page with a list of events. */
export async function listPageData(listing: Listing, reading: Reading): Promise<ListPage> {
  const found = await listEvents(listing, reading.site);
  const cards = await cardsOf(found.events, reading);
  const groups = listing.view === 'day' ? [{ heading: '', events: cards }] : grouped(cards, listing, reading);
  return { ...(await frameOf(listing, reading, found)), groups: cards.length === 0 ? [] : groups };
}

/** Everything on the front page. */
export interface FrontPage {
  description: Html;
  featured: EventCard[];
  events: EventCard[];
  categories: Named[];
  eventsUrl: string;
  feed: { download: string; subscribe: string };
}

const MOST_FEATURED = 3;

export async function frontPageData(reading: Reading): Promise<FrontPage> {
  const { site } = reading;
  const listing = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, {});
  const { events } = await listEvents(listing, site);
  const featured = await listPosts(site.store, { ...(await listingQuery(listing, site)), featured: true, limit: MOST_FEATURED, offset: 0 });
  const top = await listTerms(site.store, {
    taxonomy: EVENT_CATEGORY,
    parent: 0,
    hideEmpty: 'branch',
    orderBy: 'name',
    descending: false,
    limit: 24,
    offset: 0,
  });
  return {
    description: siteDescription(site),
    featured: await cardsOf(featured, reading),
    events: await cardsOf(events, reading),
    categories: await Promise.all(top.map(async (term) => ({ title: lineOf(term.name), url: await urlOfTerm(term, site) }))),
    eventsUrl: eventsUrl(site),
    feed: feedUrls(eventsUrl(site)),
  };
}

/** Everything on the page of a venue or organizer. */
export interface LinkedPage extends Place {
  kind: LinkedKind;
  title: Html;
  content: Html | null;
  /** The beginning of the content. */
  teaser: Html | null;
  unlocking: Unlocking;
  picture: Picture | null;
  email: string;
  website: string;
  list: ListPage;
}

const NOWHERE: Place = { address: [], phone: '', map: null };

function contact(
  kind: LinkedKind,
  post: Post,
  related: Related,
  reading: Reading,
  password: string | undefined,
): Omit<LinkedPage, 'list' | 'content' | 'teaser' | 'unlocking'> {
  const view = viewFor(reading, related, { password });
  const base = { kind, title: titleOf(post) };
  if (isWithheld(post, view)) return { ...base, ...NOWHERE, picture: null, email: '', website: '' };
  return {
    ...base,
    ...(kind === 'venue' ? placeOf(post, view) : { ...NOWHERE, phone: linkedText(post, 'phone') }),
    picture: pictureOf(imageOf(post, view), thumbnail(post, related), 'large'),
    email: linkedText(post, 'email'),
    website: escUrlRaw(linkedText(post, 'website')),
  };
}

export async function linkedPageData(
  { linked, post }: Scope & { kind: 'linked' },
  listing: Listing,
  reading: Reading,
): Promise<LinkedPage> {
  const { site, request } = reading;
  const related = await loadRelated(site.store, [post]);
  const state = await unlocking(site, post, request);
  const place = { site, related };
  return {
    ...contact(linked, post, related, reading, state === 'open' ? post.password : undefined),
    content: state === 'open' ? contentOf(post, place) : null,
    teaser: state === 'open' ? teaserOf(shownExcerpt(post, place) || shownContent(post, place)) : null,
    unlocking: state,
    list: await listPageData(listing, reading),
  };
}
