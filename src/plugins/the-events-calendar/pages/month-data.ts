import { shownSpan } from '../model/event-dates.js';
import { EVENT_FIELDS, readFlag } from '../model/event.js';
import type { Post } from '../../../wordpress/model.js';
import { dateClause, listedDays, listedPerPage, listEvents, listingQuery, type Listing, type EventCard } from '../views/listing.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { listingUrl } from '../views/links.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { cardsOf, frameOf, jsonLdOf, type ListFrame } from './list-data.js';
import { monthDates, monthDays, monthEvent, type MonthDay, type MonthEvent } from './month.js';

export interface MonthPage extends ListFrame {
  weekdays: { long: string; short: string }[];
  days: MonthDay[];
  /** The shown events, by id. */
  cards: ReadonlyMap<number, EventCard>;
  today: string;
  /** Address of the page of a day. */
  dayUrl: (date: string) => string;
}

/** TEC: a month has all of its events, without a limit. */
const ALL = 2 ** 31 - 1;

/** The events of days outside of a month. */
async function eventsIn(days: readonly string[], listing: Listing, site: Site): Promise<Post[]> {
  const [from, to] = [days.at(0), days.at(-1)];
  if (from === undefined || to === undefined) return [];
  const dates = [dateClause('end', '$gte', `${from} 00:00:00`, site), dateClause('start', '$lte', `${to} 23:59:59`, site)];
  return listPosts(site.store, { ...(await listingQuery(listing, site)), dates, limit: ALL, offset: 0 });
}

const byId = (events: readonly Post[]): Post[] => [...new Map(events.map((event) => [event._id, event])).values()];

function byStart(events: readonly Post[], site: Site): MonthEvent[] {
  const spans = byId(events).map((event) => ({
    id: event._id,
    span: {
      ...(event.occurrence ? shownSpan(event.occurrence, site) : { start: '', end: '' }),
      allDay: readFlag(event, EVENT_FIELDS.all_day),
    },
  }));
  const startOf = ({ span }: (typeof spans)[number]): string => span.start.slice(0, 19);
  spans.sort((a, b) => (startOf(a) < startOf(b) ? -1 : Number(startOf(a) > startOf(b))));
  return spans.map(({ id, span }) => monthEvent(id, span, site.options.calendar.multiDayCutoff));
}

/** The data of a page with the events of a month. Only the named events are loaded in full. */
export async function monthPageData(asked: Listing, reading: Reading): Promise<MonthPage> {
  const listing = { ...asked, page: 1 };
  const { site, dates } = reading;
  const { total, events } = await listEvents(listing, site, ALL);
  const [first, last] = listedDays(listing, site);
  const month = first.slice(0, 7);
  const weekStart = site.options.weekStart ?? dates.weekStart;
  const grid = monthDates(month, weekStart);
  // TEC: programs also read the events of the days before and after the month that complete its weeks.
  const [before, after] = [grid.filter((day) => day < first), grid.filter((day) => day > last)];
  const around = await Promise.all([before, after].map((some) => eventsIn(some, listing, site)));
  const all = [...around.flat(), ...events];
  const days = monthDays(month, grid, byStart(all, site));
  const ids = Object.fromEntries(days.map(({ date, events: some }) => [date, some.map(({ id }) => id)]));
  const posts = new Map(all.map((post) => [post._id, post]));
  const named = [...new Set(Object.values(ids).flat())].flatMap((id) => posts.get(id) ?? []);
  // TEC: as lists do, a title leaves out the last event if there are more than on a page of a list.
  const titled = named.length > listedPerPage(site) ? named.slice(0, -1) : named;
  const related = await loadRelated(site.store, named);
  const cards = await cardsOf(named, related, reading);
  const anyDay = await listingUrl({ ...listing, view: 'day', from: '0000-00-00', search: '' }, site);
  const jsonLd = await jsonLdOf(listing, named, related, reading);
  return {
    ...(await frameOf(listing, reading, { total, pages: 1, jsonLd, titled, ids })),
    weekdays: dates.weekdays(weekStart),
    days,
    cards: new Map(cards.map((card) => [card.id, card])),
    today: site.today,
    dayUrl: (date) => anyDay.replace('0000-00-00', date),
  };
}
