import { TAG, type Post, type Term } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { countPosts, listFields } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { type PageContent, type PageAddress, type Shown, type Visit, fillHtml, type Reading } from '../../../wordpress/views/reading.js';
import { guess, postBySlug, WITH_PERMALINK } from '../../../wordpress/views/find.js';
import { deriveTerm, lineage, withAncestors } from '../../../wordpress/terms/terms.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { hasView } from '../model/options.js';
import { LINKED, isTruthy } from '../model/event.js';
import { slugsIn, usualView, type ListView, isOfCalendar } from './address.js';
import { isLinked, listedDays, NO_TERM, readListing, type Listing, type Scope, listedPerPage } from './listing.js';
import { parseMysqlDate, localDate } from '../../../base/php/date.js';
import { findLanguage, type Language } from '../../../base/locales/index.js';
import { trusted, escapeText, type Html } from '../../../wordpress/views/html.js';
import { lineOf, titleOf } from '../../../wordpress/views/texts.js';
import { shownSpan } from '../model/event-dates.js';
import { startColumn } from '../model/event-queries.js';

/** The part of an event that titles read. */
type Dated = Pick<Post, 'occurrence'>;

/** TEC: separates categories in titles, and follows the last one, too. */
const ARROW = ' › ';

/** The locale in which the settings of the site write dates in a language; null: they do not. */
const localeFor = ({ options: { locale } }: Site, language: Language): string | null =>
  language === 'en' ? '' : findLanguage(locale) === language ? locale : null;

/** A day as the settings of the plugin write it, in other languages as these do. @param keepsYear whether the current year is written, too */
function dayText(day: string, { site, language, dates }: Reading, keepsYear = false): string {
  const { dateWithYearFormat, dateWithoutYearFormat } = site.options.calendar;
  const hasYear = keepsYear || day.slice(0, 4) !== site.today.slice(0, 4);
  const wall = parseMysqlDate(`${day} 00:00:00`);
  const locale = localeFor(site, language);
  if (wall && locale !== null) return localDate(hasYear ? dateWithYearFormat : dateWithoutYearFormat, wall, locale);
  return hasYear ? dates.days(day, day) : dates.monthDay(day);
}

/** A month as the settings of the plugin write it, in other languages as these do. */
export function monthText(day: string, { site, language, dates }: Reading): string {
  const wall = parseMysqlDate(`${day} 00:00:00`);
  const locale = localeFor(site, language);
  return wall && locale !== null ? localDate(site.options.calendar.monthAndYearFormat, wall, locale) : dates.month(day);
}

/**
 * The range of days of events in the title of their list. TEC: the first page starts on the chosen day if its events are later; upcoming
 * events start today if only their start has passed. Lists of past events have the latest first, and their range is in the order of time.
 * @returns null without events
 */
function rangeOf({ past, from, page }: Listing, events: readonly Dated[], reading: Reading): string | null {
  const spans = events.flatMap(({ occurrence }) => (occurrence ? [shownSpan(occurrence, reading.site)] : []));
  const [first, last] = past ? [spans.at(-1), spans.at(0)] : [spans.at(0), spans.at(-1)];
  if (!first || !last) return null;
  const { today } = reading.site;
  const [begin, to] = [first.start.slice(0, 10), last.end.slice(0, 10)];
  const isRunning = !past && begin < today && to >= today;
  const start = isRunning ? today : page === 1 && from !== null && from < begin ? from : begin;
  return start === to ? dayText(to, reading) : `${dayText(start, reading)} – ${dayText(to, reading)}`;
}

const eventsIn = ({ scope }: Pick<Listing, 'scope'>, { texts }: Reading): string =>
  scope.kind === 'featured' || (scope.kind === 'term' && scope.isFeatured) ? texts.featuredEvents : texts.events;

const upcoming = (events: string, { texts }: Reading): Html => fillHtml(texts.upcomingTitle, { events });

function withoutCategory(listing: Listing, reading: Reading, shown: readonly Dated[] = []): Html {
  const { site, texts } = reading;
  const { past, titledAs: view = listing.view } = listing;
  const events = eventsIn(listing, reading);
  const [first] = listedDays({ ...listing, view }, site);
  if (view === 'month') return fillHtml(texts.eventsFor, { events, dates: monthText(first, reading) });
  if (view === 'day') return fillHtml(texts.eventsFor, { events, dates: dayText(first, reading, true) });
  const range = rangeOf(listing, shown, reading);
  if (range === null) return past ? fillHtml(texts.pastTitle, { events }) : upcoming(events, reading);
  return fillHtml(past ? texts.pastEventsFrom : texts.eventsFrom, { events, dates: range });
}

/** The title of the current month. TEC: also of single events, if the calendar is a month. */
export const currentMonthTitle = (reading: Reading): Html =>
  withoutCategory(readListing({ kind: 'all' }, { view: { kind: 'month' }, page: 1 }, {}), reading);

/** The category of a list and its ancestors, the topmost first; none for other lists. */
async function categoriesOf(scope: Scope, { site }: Reading): Promise<Html[]> {
  if (scope.kind !== 'term' || scope.term.taxonomy !== EVENT_CATEGORY || scope.term._id === NO_TERM) return [];
  return lineage(scope.term, await withAncestors(site.store, [scope.term])).map(({ name }) => lineOf(name));
}

/** TEC: missing events and lists have the title of a list without events; missing months and days have their own. */
export async function missingTitle(address: PageAddress, reading: Reading): Promise<Html | undefined> {
  const { site, texts, request } = reading;
  if (address.kind === 'single' && address.type === EVENT) return upcoming(texts.events, reading);
  if (address.kind !== 'list' || !isOfCalendar(request, site)) return undefined;
  const listing = readListing({ kind: address.isFeatured ? 'featured' : 'all' }, address, request.query);
  return listing.view === 'list' ? upcoming(eventsIn(listing, reading), reading) : withoutCategory(listing, reading);
}

/**
 * The title of a list of the calendar. TEC: the title names neither the tag nor the search.
 * @param shown the events of the page, in the order in which they are found
 */
export async function calendarTitle(listing: Listing, reading: Reading, shown: readonly Dated[]): Promise<Html> {
  const title = withoutCategory(listing, reading, shown);
  const categories = await categoriesOf(listing.scope, reading);
  return categories.length === 0 ? title : trusted([title, ...categories].map(({ text }) => `${text}${ARROW}`).join(''));
}

/** The title of a feed. TEC: with the range of the first page of all events, not of those that the feed has. */
export async function feedTitle(listing: Listing, reading: Reading): Promise<Html> {
  const { site } = reading;
  const first: PostQuery = {
    type: EVENT,
    statuses: ['publish'],
    scheduled: true,
    sort: startColumn(site),
    limit: listedPerPage(site),
    offset: 0,
  };
  return calendarTitle(listing, reading, await listFields<Dated>(site.store, first, { occurrence: 1 }));
}

function nameOf(scope: Scope): Html | null {
  switch (scope.kind) {
    case 'all':
      return null;
    case 'featured':
      return null;
    case 'term':
      return lineOf(scope.term.name);
    case 'linked':
      return titleOf(scope.post);
    case 'author':
      return trusted(escapeText(scope.author.displayName));
  }
}

/** The heading of a scope: `Music`, `Events tagged Live`, `Events by Anna`; null for all events. */
export function scopeHeading(scope: Scope, { texts }: Reading): Html | null {
  if (scope.kind === 'featured') return trusted(escapeText(texts.featured));
  const name = nameOf(scope);
  if (!name) return null;
  if (scope.kind === 'author') return fillHtml(texts.eventsBy, { name });
  if (scope.kind === 'term') return fillHtml(scope.term.taxonomy === EVENT_CATEGORY ? texts.eventsIn : texts.eventsTagged, { name });
  return fillHtml(scope.kind === 'linked' && scope.linked === 'venue' ? texts.eventsAt : texts.eventsBy, { name });
}

/** The content of the plugin. */
declare module '../../../wordpress/views/reading.js' {
  interface ContentOfPlugins {
    events: EventList;
  }
}

export interface EventList {
  kind: 'list';
  view: ListView;
  page: number;
  scope: Scope;
}

const inList = (scope: Scope): EventList => ({ kind: 'list', view: { kind: 'list' }, page: 1, scope });

/** The events of some terms; null if none exists. WP: several slugs are separated by commas. */
async function ofTerms(taxonomy: string, slugs: string, { store }: Site): Promise<(Scope & { kind: 'term' }) | null> {
  const wanted = slugs.split(',').filter((slug) => slug !== '');
  const found = wanted.length === 0 ? [] : await store.terms.find({ taxonomy, slug: { $in: wanted } }).toArray();
  const [term, ...also] = wanted.flatMap((slug) => found.find((each) => each.slug === slug) ?? []) as (Term | undefined)[];
  return term ? { kind: 'term', term, ...(also.length > 0 ? { also: also as Term[] } : {}) } : null;
}

type ListAddress = PageAddress & { kind: 'list' };

async function list(site: Site, address: ListAddress): Promise<EventList | null> {
  const { view, page, taxonomy, slug, isFeatured } = address;
  if (taxonomy === undefined) return { kind: 'list', view, page, scope: { kind: isFeatured ? 'featured' : 'all' } };
  const scope = await ofTerms(taxonomy, slug ?? '', site);
  return scope && { kind: 'list', view, page, scope: { ...scope, ...(isFeatured ? { isFeatured } : {}) } };
}

/** The slugs in a value of a query: a text with commas, or a list. */
const slugsOf = (value: Params[string]): string =>
  [value]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? slugsIn(each) : []))
    .join(',');

/** Limits a list to what the query names (WP: the query variables of taxonomies). Null if there is no such term. */
async function inQuery(found: EventList | null, site: Site, query: Params): Promise<EventList | null> {
  if (found?.scope.kind !== 'all') return found;
  const isFeatured = isTruthy(query['featured']);
  for (const [taxonomy, value] of [
    [EVENT_CATEGORY, query[EVENT_CATEGORY]],
    [TAG, query['tag']],
  ] as const) {
    const slugs = slugsOf(value);
    if (slugs === '') continue;
    const scope = await ofTerms(taxonomy, slugs, site);
    return scope && { ...found, scope: { ...scope, ...(isFeatured ? { isFeatured } : {}) } };
  }
  return isFeatured ? { ...found, scope: { kind: 'featured' } } : found;
}

/** TEC: months and days before the first event or after the end of the last one are missing, except for the current month without events. */
export async function isOutOfRange(listing: Listing, site: Site): Promise<boolean> {
  const { view, from } = listing;
  if (view === 'list' || from === null) return false;
  const { store } = site;
  const all: PostQuery = { type: EVENT, statuses: ['publish', 'private'], scheduled: true, sort: 'start', limit: 1, offset: 0 };
  const [first] = (await listFields<Pick<Post, 'occurrence'>>(store, all, { occurrence: 1 })) as (Pick<Post, 'occurrence'> | undefined)[];
  const start = first?.occurrence?.start;
  if (start === undefined) return from.slice(0, 7) !== site.today.slice(0, 7);
  const [begin, end] = listedDays(listing, site);
  if (end < start.slice(0, 10)) return true;
  return (await countPosts(store, { ...all, dates: [{ column: 'end', operator: '$gte', value: `${begin} 00:00:00` }], limit: 0 })) === 0;
}

/** The address in the query of the front page: the calendar, by its type or a category. */
export function readCalendarQuery(
  { post_type: type, [EVENT_CATEGORY]: category, s: words, name }: Params,
  { options }: Pick<Site, 'options'>,
): PageAddress | undefined {
  const isCalendar = type === EVENT || (type === undefined && slugsOf(category) !== '');
  return isCalendar && words === undefined && name === undefined ? { kind: 'list', view: usualView(options), page: 1 } : undefined;
}

/** TEC: the list at an address, for the scripts of pages, to which no day is missing; null: none. A term that does not exist has no events. */
export async function eventsAt(address: PageAddress, site: Site, query: Params): Promise<EventList | null> {
  const at = address.kind === 'list' ? address : readCalendarQuery(query, site);
  if (at?.kind !== 'list') return null;
  const { taxonomy = EVENT_CATEGORY, slug = '' } = at;
  const missing = deriveTerm({
    _id: NO_TERM,
    taxonomy,
    slug,
    name: '',
    description: '',
    parent: 0,
    termGroup: 0,
    termTaxonomyId: NO_TERM,
    count: 0,
  });
  return (
    (await inQuery(await list(site, at), site, query)) ?? {
      kind: 'list',
      view: at.view,
      page: at.page,
      scope: { kind: 'term', term: missing },
    }
  );
}

/** TEC: these types have no pages; every slug shows the front page. */
async function linkedList({ linked, slug }: PageAddress & { kind: 'linked' }, visit: Visit, query: Params): Promise<PageContent | null> {
  const { quirks } = visit.site;
  const hasCalendar = query.ical !== undefined && !quirks.has('ical-of-venues-is-general');
  if (quirks.has('venues-have-no-pages') && !hasCalendar) return { kind: 'front', page: 1 };
  const post = await postBySlug(visit, LINKED[linked].type, slug);
  return post && inList({ kind: 'linked', linked, post });
}

/** The list of events at an address of the calendar; null if there is none. */
export async function findEvents(address: PageAddress, visit: Visit, query: Params): Promise<PageContent | null | undefined> {
  if (address.kind === 'linked') return linkedList(address, visit, query);
  const { site } = visit;
  if (address.kind === 'moved') return guess(site, { kind: 'single', type: EVENT, slug: address.slug });
  if (address.kind !== 'list') return undefined;
  if (!hasView(site.options, readListing({ kind: 'all' }, address, query).view)) return null;
  const found = await inQuery(await list(site, address), site, query);
  return found && (await isOutOfRange(readListing(found.scope, found, query), site)) ? null : found;
}

/** The list of events that a page shows: of the calendar, or of an author; null if it shows none. */
export function eventListOf(found: Shown | null): EventList | null {
  if (found?.kind === 'author') return inList({ kind: 'author', author: found.author });
  return found?.kind === 'list' ? found : null;
}

/** The URL of a venue or organizer. TEC: without pages, they have no plain permalinks either. */
export function linkedUrl(post: Post, { site, reader }: Visit): string | undefined {
  const hasPage = isLinked(post) && !site.quirks.has('venues-have-no-pages') && WITH_PERMALINK.includes(post.status);
  return hasPage && canRead(reader, post, site.registry) ? permalink(post, site, true) : undefined;
}
