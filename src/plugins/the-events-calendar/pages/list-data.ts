import type { Post, Term } from '../../../wordpress/model.js';
import type { PostOpener } from '../../../wordpress/users/post-password.js';
import { EVENT_FIELDS, type LinkedKind, readFlag } from '../model/event.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import type { Site } from '../../../wordpress/site.js';
import { isOutOfRange, scopeHeading, calendarTitle, monthText } from '../views/find.js';
import { eventDates } from './names.js';
import { loadRelated, thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { imageOf, isWithheldFrom } from '../calendar-v1/view.js';
import { shownContent, shownExcerpt } from '../../../wordpress/posts/rendered.js';
import { listTerms } from '../../../wordpress/terms/terms.js';
import type { EventJsonLd } from '../../../sdk/types/responses.js';
import { eventJsonLd } from '../calendar-v1/event-present.js';
import { contactOf, placeOf, type VenuePlace, subscriptions, type CalendarLinks } from './event-data.js';
import { inTurns } from '../../../base/system/turns.js';
import { fillHtml, type NamedLink, type Reading } from '../../../wordpress/views/reading.js';
import { urlOfTerm } from '../../../wordpress/links.js';
import { viewNonces, type ViewNonces } from '../views/nonces.js';
import { escapeText, trusted, type Html } from '../../../wordpress/views/html.js';
import { daysAfter, monthsAfter } from '../../../wordpress/days.js';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { eventsUrl, listingUrl, rssUrl } from '../views/links.js';
import { hasViews, isOfPlugin, listedDays, listEvents, listingQuery, readListing, eventCard, viewFor } from '../views/listing.js';
import type { Listing, Scope, EventCard } from '../views/listing.js';
import { unlocking, type Unlocking } from '../../../wordpress/pages/sign-in/login.js';
import { contentOf, lineOf, pictureOf, siteDescription, teaserOf, titleOf, type Picture } from '../../../wordpress/views/texts.js';

/** Another view of the same events. */
interface ViewLink {
  label: string;
  url: string;
  isCurrent: boolean;
}

/** The events of a list under one heading. */
interface Group {
  heading: string;
  /** Whether the heading is a time of the day. */
  isTime: boolean;
  events: EventCard[];
}

/** The data around every list of events. */
export interface ListFrame {
  listing: Listing;
  heading: Html;
  description: Html | null;
  views: ViewLink[];
  filter: Filter;
  total: number;
  /** The link from upcoming to past events, or back. */
  other: Link | null;
  /** Months, days or pages of a list before and after; before its first page are past events. */
  previous: Step;
  next: Step;
  /** The current month; null for lists and days. */
  current: Link | null;
  /** Further pages of a day. */
  pageLinks: { previous: string | null; next: string | null };
  page: number;
  pages: number;
  calendars: CalendarLinks;
  /** Address of its RSS feed. */
  rss: string | null;
  /** TEC: the JSON-LD of its events, without the protected ones. */
  jsonLd: EventJsonLd[];
  /** The title of the document, without the name of the site. */
  title: Html;
  /** Ids of its events, of months by day. */
  ids: number[] | Record<string, number[]>;
  url: string;
  nonces: ViewNonces;
}

/** Result of the queries of a list, besides its cards. */
interface FoundList extends Pick<ListFrame, 'total' | 'pages' | 'jsonLd' | 'ids'> {
  /** The events whose range of days its title has. */
  titled: readonly Post[];
}

export interface EventListPage extends ListFrame {
  /** Whether each event has a small card. */
  isDense: boolean;
  groups: Group[];
}

const plainHtml = (text: string): Html => trusted(escapeText(text));

function viewHeading(listing: Listing, { texts, dates, site }: Reading): Html {
  const [first] = listedDays(listing, site);
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
  const isToday = listedDays(listing, site)[0] === site.today;
  return [
    { label: texts.list, url: await to({ view: 'list' }), isCurrent: view === 'list' },
    { label: texts.month, url: await to({ view: 'month' }), isCurrent: view === 'month' },
    { label: view === 'day' && !isToday ? texts.day : texts.today, url: await to({ view: 'day' }), isCurrent: view === 'day' },
  ];
}

/** A link to another list. */
interface Link {
  label: string;
  url: string;
}

/** A link to a list before or after one. */
export interface Step {
  label: string;
  /** The full name of what it leads to. */
  title: string;
  /** The date that it leads to, at the top of months and days. */
  date: string;
  /** Null if there is none. */
  url: string | null;
}

/** The month or day before or after one. TEC: none where no event is that early or late. */
async function dateStep(rel: 'previous' | 'next', listing: Listing, { site, dates, texts }: Reading): Promise<Step> {
  const isMonth = listing.view === 'month';
  const [first] = listedDays(listing, site);
  const by = rel === 'next' ? 1 : -1;
  const from = isMonth ? monthsAfter(first, by) : daysAfter(first, by);
  const target = { ...listing, from, page: 1 };
  // Years beyond four digits have no address.
  const isMissing = !/^\d{4}-/.test(from) || (await isOutOfRange(target, site));
  const url = isMissing ? null : await listingUrl(target, site);
  if (!isMonth) {
    const title = rel === 'next' ? texts.nextDay : texts.previousDay;
    return { label: title, title, date: dates.shortSpan({ start: from, end: from, allDay: true }), url };
  }
  const { month } = dates.badge(from);
  const label = from.slice(0, 4) === first.slice(0, 4) ? month : `${month} ${from.slice(0, 4)}`;
  const title = (rel === 'next' ? texts.nextMonth : texts.previousMonth).replace('{month}', label);
  return { label, title, date: dates.month(from), url };
}

/** The page of a list before or after one. TEC: before the first page of upcoming events are the past ones, which go backwards. */
async function pageStep(rel: 'previous' | 'next', listing: Listing, pages: number, { site, texts }: Reading): Promise<Step> {
  const title = rel === 'next' ? texts.nextEvents : texts.previousEvents;
  const { page, past } = listing;
  const to = async (change: Partial<Listing>): Promise<Step> => ({
    label: title,
    title,
    date: title,
    url: await listingUrl({ ...listing, ...change }, site, true),
  });
  if ((rel === 'next') !== past) return page < pages ? to({ page: page + 1 }) : { label: title, title, date: title, url: null };
  if (page > 1) return to({ page: Math.min(page - 1, pages) });
  const other = { ...listing, past: !past };
  const count = hasViews(listing.scope) ? await countPosts(site.store, { ...(await listingQuery(other, site)), limit: 0, offset: 0 }) : 0;
  return count > 0 ? to(other) : { label: title, title, date: title, url: null };
}

type Around = Pick<ListFrame, 'previous' | 'next' | 'current' | 'pageLinks'>;

async function around(listing: Listing, pages: number, reading: Reading): Promise<Around> {
  const { view, page } = listing;
  const { site, texts } = reading;
  const step = async (rel: 'previous' | 'next'): Promise<Step> =>
    view === 'list' ? pageStep(rel, listing, pages, reading) : dateStep(rel, listing, reading);
  const pageUrl = async (to: number): Promise<string | null> =>
    view === 'list' || to < 1 || to > pages ? null : listingUrl({ ...listing, page: to }, site);
  return {
    previous: await step('previous'),
    next: await step('next'),
    current: view !== 'month' ? null : { label: texts.thisMonth, url: await listingUrl({ ...listing, from: null, page: 1 }, site) },
    pageLinks: { previous: await pageUrl(page - 1), next: await pageUrl(page + 1) },
  };
}

/** A category to choose. */
interface Choice {
  name: Html;
  slug: string;
  /** Number of categories above it. */
  depth: number;
}

interface Filter {
  /** Address of the form. */
  action: string;
  /** The categories, in the order of a tree; none on lists that have no filter for categories. */
  categories: Choice[];
  /** Slug of the selected category. */
  category: string;
  /** URL of the list without filters; null if there are none. */
  clearUrl: string | null;
}

/** Maximum number of categories in the menu. */
const MOST_CHOICES = 200;

/** Categories in the order of a tree. */
function inTree(terms: Term[], parent = 0, depth = 0): Choice[] {
  const isHere = (term: Term): boolean => term.parent === parent || (depth === 0 && !terms.some(({ _id }) => _id === term.parent));
  return terms
    .filter(isHere)
    .flatMap((term) => [{ name: lineOf(term.name), slug: term.slug, depth }, ...inTree(terms, term._id, depth + 1)]);
}

const categoryOf = (scope: Scope): Term | null => (scope.kind === 'term' && scope.term.taxonomy === EVENT_CATEGORY ? scope.term : null);

async function filterOf(listing: Listing, { site }: Reading): Promise<Filter> {
  const { scope, search, view, from } = listing;
  const category = categoryOf(scope);
  const base: Scope = category ? { kind: 'all' } : scope;
  const terms =
    base.kind === 'all'
      ? await listTerms(site.store, {
          taxonomy: EVENT_CATEGORY,
          hideEmpty: 'branch',
          orderBy: 'name',
          descending: false,
          limit: MOST_CHOICES,
          offset: 0,
        })
      : [];
  const isLimited = search !== '' || category !== null || (view === 'list' && from !== null);
  const plain: Listing = { ...listing, scope: base, search: '', page: 1, from: view === 'list' ? null : from };
  return {
    action: await listingUrl({ ...plain, view: 'list', past: false, from: null }, site),
    categories: inTree(category && !terms.some(({ _id }) => _id === category._id) ? [...terms, category] : terms),
    category: category?.slug ?? '',
    clearUrl: isLimited ? await listingUrl(plain, site) : null,
  };
}

export async function frameOf(listing: Listing, reading: Reading, { titled, ...found }: FoundList): Promise<ListFrame> {
  const { site, texts } = reading;
  const own = await listingUrl({ ...listing, page: 1 }, site);
  const others = await listingUrl({ ...listing, page: 1, past: !listing.past, from: null }, site);
  const { scope } = listing;
  const heading = headingOf(listing, reading);
  return {
    listing,
    heading,
    description: scope.kind === 'term' && scope.term.description !== '' ? lineOf(scope.term.description) : null,
    views: await viewsOf(listing, reading),
    filter: await filterOf(listing, reading),
    ...found,
    other: listing.view === 'list' ? { label: listing.past ? texts.upcomingEvents : texts.pastEvents, url: others } : null,
    ...(await around(listing, found.pages, reading)),
    page: listing.page,
    calendars: subscriptions(listing, decodeEntities(heading.text), own, site),
    rss: listing.view === 'list' && hasViews(scope) ? (await rssUrl(scope, site)).feed : null,
    url: await listingUrl(listing, site),
    title: await calendarTitle(listing, reading, titled),
    nonces: await viewNonces(reading),
  };
}

/** Number of events from which on each has a small card. */
const MANY = 15;

/** The day from which a list is shown, on which it has the events that began before. */
export const firstShown = ({ past, from }: Listing, { today }: Site): string => (past ? '' : (from ?? today));

/** TEC: a day has its whole days, then the events that began before, then the others by half hours. */
function dayHeading({ span }: EventCard, day: string, reading: Reading): Pick<Group, 'heading' | 'isTime'> {
  const { texts } = reading;
  if (span.allDay) return { heading: texts.allDay, isTime: false };
  if (span.start.slice(0, 10) < day) return { heading: texts.ongoing, isTime: false };
  const half = span.start.slice(14, 16) < '30' ? '00' : '30';
  return { heading: eventDates(reading).time(`${span.start.slice(0, 14)}${half}:00`), isTime: true };
}

/** Groups events by month, or by time of the day. Running events belong to the first day of the list. */
function grouped(cards: EventCard[], listing: Listing, reading: Reading): Group[] {
  const first = firstShown(listing, reading.site);
  const groups: Group[] = [];
  for (const card of cards) {
    const date = card.span.start.slice(0, 10);
    const { heading, isTime } =
      listing.view === 'day'
        ? dayHeading(card, first, reading)
        : { heading: monthText(date < first ? first : date, reading), isTime: false };
    const last = groups.at(-1);
    if (last?.heading === heading) last.events.push(card);
    else groups.push({ heading, isTime, events: [card] });
  }
  return groups;
}

/** The events of a page in the order in which it shows them. TEC: of a day, whole days first, then running events; past ones by start. */
function inOrder(events: Post[], listing: Listing, { site }: Reading): Post[] {
  if (listing.past) return events.toReversed();
  if (listing.view !== 'day') return events;
  const day = listing.from ?? site.today;
  const rank = (event: Post): number =>
    readFlag(event, EVENT_FIELDS.all_day) ? 0 : (event.occurrence?.start ?? '').slice(0, 10) < day ? 1 : 2;
  return events.toSorted((a, b) => rank(a) - rank(b));
}

export const cardsOf = (posts: Post[], related: Related, reading: Reading): Promise<EventCard[]> =>
  inTurns(posts, (post) => eventCard(post, related, reading));

export async function jsonLdOf({ scope }: Listing, posts: Post[], related: Related, reading: Reading): Promise<EventJsonLd[]> {
  if (!isOfPlugin(scope.kind, reading)) return [];
  const view = viewFor(reading, related, { single: true });
  return (await inTurns(posts, (post) => eventJsonLd(post, view) ?? [])).flat();
}

export async function listPageData(listing: Listing, reading: Reading): Promise<EventListPage> {
  const found = await listEvents(listing, reading.site);
  const { events: titled, total, pages } = found;
  const events = inOrder(titled, listing, reading);
  const related = await loadRelated(reading.site.store, events);
  const cards = await cardsOf(events, related, reading);
  const jsonLd = await jsonLdOf(listing, events, related, reading);
  const frame = await frameOf(listing, reading, { total, pages, jsonLd, titled, ids: events.map(({ _id }) => _id) });
  return { ...frame, isDense: cards.length >= MANY, groups: grouped(cards, listing, reading) };
}

export interface FrontPage {
  description: Html;
  featured: EventCard[];
  events: EventCard[];
  categories: NamedLink[];
  eventsUrl: string;
  calendars: CalendarLinks;
}

const MOST_FEATURED = 3;

export async function frontPageData(reading: Reading): Promise<FrontPage> {
  const { site } = reading;
  const listing = readListing({ kind: 'all' }, { view: { kind: 'list' }, page: 1 }, {});
  const { events } = await listEvents(listing, site);
  const featured = await listPosts(site.store, { ...(await listingQuery(listing, site)), featured: true, limit: MOST_FEATURED, offset: 0 });
  const related = await loadRelated(site.store, [...featured, ...events]);
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
    featured: await cardsOf(featured, related, reading),
    events: await cardsOf(events, related, reading),
    categories: await Promise.all(top.map(async (term) => ({ title: lineOf(term.name), url: await urlOfTerm(term, site) }))),
    eventsUrl: eventsUrl(site),
    calendars: subscriptions(listing, null, eventsUrl(site), site),
  };
}

/** The data of the page of a venue or organizer. */
export interface LinkedPage extends VenuePlace {
  kind: LinkedKind;
  title: Html;
  content: Html | null;
  /** The beginning of the content. */
  teaser: Html | null;
  unlocking: Unlocking;
  picture: Picture | null;
  email: string;
  website: string;
  list: EventListPage;
}

const NOWHERE: VenuePlace = { address: {}, phone: '', map: null };

function contact(
  kind: LinkedKind,
  post: Post,
  related: Related,
  reading: Reading,
  password: PostOpener | null,
): Omit<LinkedPage, 'list' | 'content' | 'teaser' | 'unlocking'> {
  const view = viewFor(reading, related, { password });
  const base = { kind, title: titleOf(post) };
  if (isWithheldFrom(post, view)) return { ...base, ...NOWHERE, ...contactOf(post, view), picture: null };
  const place = kind === 'venue' ? placeOf(post, view) : NOWHERE;
  return { ...base, ...place, ...contactOf(post, view), picture: pictureOf(imageOf(post, view), thumbnail(post, related), 'large') };
}

export async function linkedPageData(
  { linked, post }: Scope & { kind: 'linked' },
  listing: Listing,
  reading: Reading,
): Promise<LinkedPage> {
  const { site, request } = reading;
  const related = await loadRelated(site.store, [post]);
  const { state, password } = await unlocking(site, post, request);
  const place = { site, related };
  return {
    ...contact(linked, post, related, reading, password),
    content: state === 'open' ? contentOf(post, place) : null,
    teaser: state === 'open' ? teaserOf(shownExcerpt(post, place) || shownContent(post, place)) : null,
    unlocking: state,
    list: await listPageData(listing, reading),
  };
}
