import { parseMysqlDate, localDate } from '../../../base/php/date.js';
import { findLanguage, type Language } from '../../../base/locales/index.js';
import type { Site } from '../../../wordpress/site.js';
import type { Post } from '../../../wordpress/model.js';
import { listFields } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { lineage, withAncestors } from '../../../wordpress/terms/terms.js';
import { fillHtml, type PageAddress, type Reading } from '../../../wordpress/views/reading.js';
import { trusted, escapeText, type Html } from '../../../wordpress/views/html.js';
import { lineOf, titleOf } from '../../../wordpress/views/texts.js';
import { shownSpan } from '../model/event-dates.js';
import { startColumn } from '../model/event-queries.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { isOfCalendar } from './address.js';
import { listedDays, listedPerPage, NO_TERM, readListing, type Listing, type Scope } from './listing.js';

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
