import { formatWall, parseMysqlDate } from '../../../base/php/date.js';
import type { Post } from '../../../wordpress/model.js';
import { listFields } from '../../../wordpress/posts/posts.js';
import { lineage, withAncestors } from '../../../wordpress/terms/terms.js';
import type { PageAddress } from '../../../wordpress/views/content.js';
import { trusted, type Html } from '../../../wordpress/views/html.js';
import { fillHtml, type Reading } from '../../../wordpress/views/reading.js';
import { lineOf } from '../../../wordpress/views/texts.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { isOfCalendar } from './address.js';
import { listedDays, listedPerPage, readListing, type Listing, type Scope } from './listing.js';

/** TEC: separates categories in titles, and follows the last one, too. */
const ARROW = ' › ';

/** A day as the settings of the plugin write it, in other languages as these do. @param keepsYear whether the current year is written, too */
function dayText(day: string, { site, language, dates }: Reading, keepsYear = false): string {
  const { dateWithYearFormat, dateWithoutYearFormat } = site.options.calendar;
  const hasYear = keepsYear || day.slice(0, 4) !== site.today.slice(0, 4);
  const wall = parseMysqlDate(`${day} 00:00:00`);
  if (language === 'en' && wall) return formatWall(hasYear ? dateWithYearFormat : dateWithoutYearFormat, wall);
  return hasYear ? dates.days(day, day) : dates.monthDay(day);
}

/**
 * The range of days in the title of a list. TEC: the range of the first page of all events, not of the ones that the list shows, from the
 * last of them to the first if it shows past ones. It starts today if only its start has passed.
 * @returns null without events
 */
async function rangeOf({ past }: Pick<Listing, 'past'>, reading: Reading): Promise<string | null> {
  const { site } = reading;
  const rows = await listFields<Pick<Post, 'occurrence'>>(
    site.store,
    { type: EVENT, statuses: ['publish'], scheduled: true, sort: 'start', limit: listedPerPage(site), offset: 0 },
    { occurrence: 1 },
  );
  const spans = rows.flatMap(({ occurrence }) => occurrence ?? []);
  const [first, last] = past ? [spans.at(-1), spans.at(0)] : [spans.at(0), spans.at(-1)];
  if (!first || !last) return null;
  const { today } = site;
  const [from, to] = [first.start.slice(0, 10), last.end.slice(0, 10)];
  const start = !past && from < today && to >= today ? today : from;
  return start === to ? dayText(to, reading) : `${dayText(start, reading)} – ${dayText(to, reading)}`;
}

const eventsIn = ({ scope }: Pick<Listing, 'scope'>, { texts }: Reading): string =>
  scope.kind === 'featured' || (scope.kind === 'term' && scope.isFeatured) ? texts.featuredEvents : texts.events;

const upcoming = (events: string, { texts }: Reading): Html => fillHtml(texts.upcomingTitle, { events });

async function withoutCategory(listing: Listing, reading: Reading, isEmpty = false): Promise<Html> {
  const { site, texts, dates } = reading;
  const { view, past } = listing;
  const events = eventsIn(listing, reading);
  const [first] = listedDays(listing, site);
  if (view === 'month') return fillHtml(texts.eventsFor, { events, dates: dates.month(first) });
  if (view === 'day') return fillHtml(texts.eventsFor, { events, dates: dayText(first, reading, true) });
  const range = isEmpty ? null : await rangeOf(listing, reading);
  if (range === null) return past ? fillHtml(texts.pastTitle, { events }) : upcoming(events, reading);
  return fillHtml(past ? texts.pastEventsFrom : texts.eventsFrom, { events, dates: range });
}

/** The category of a list and its ancestors, the topmost first; none for other lists. */
async function categoriesOf(scope: Scope, { site }: Reading): Promise<Html[]> {
  if (scope.kind !== 'term' || scope.term.taxonomy !== EVENT_CATEGORY) return [];
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
 * @param isEmpty whether it is a feed without events
 */
export async function calendarTitle(listing: Listing, reading: Reading, isEmpty = false): Promise<Html> {
  const title = await withoutCategory(listing, reading, isEmpty);
  const categories = await categoriesOf(listing.scope, reading);
  return categories.length === 0 ? title : trusted([title, ...categories].map(({ text }) => `${text}${ARROW}`).join(''));
}
