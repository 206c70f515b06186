import { shownSpan } from '../model/event-dates.js';
import { EVENT_FIELDS } from '../model/event.js';
import { readFlag } from '../model/flags.js';
import type { Post } from '../../../wordpress/model.js';
import type { EventCard } from '../views/card.js';
import { dateClause, listedDays, listedPerPage, listEvents, listingQuery, type Listing } from '../views/listing.js';
import { listPosts } from '../../../wordpress/posts/posts.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { listingUrl } from '../views/links.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { cardsOf, frameOf, jsonLdOf, type ListFrame } from './list-data.js';
import { agendaOf, monthWeeks, type Dated, type MonthDay } from './month.js';

/** An event of a month, before its details are loaded. */
export interface MonthEvent extends Dated {
  id: number;
}

export interface MonthPage extends ListFrame {
  weekdays: { long: string; short: string }[];
  weeks: MonthDay<MonthEvent>[][];
  /** The shown events, by id. */
  cards: ReadonlyMap<number, EventCard>;
  /** The events that the agenda has, by id. */
  described: ReadonlySet<number>;
  today: string;
  /** Address of the page of a day. */
  dayUrl: (date: string) => string;
}

/** TEC: a month has all of its events, without a limit. */
const ALL = 2 ** 31 - 1;

const spanOf = ({ occurrence }: Post, site: Site): { start: string; end: string } =>
  occurrence ? shownSpan(occurrence, site) : { start: '', end: '' };

const monthEvent = (post: Post, site: Site): MonthEvent => ({
  id: post._id,
  span: { ...spanOf(post, site), allDay: readFlag(post, EVENT_FIELDS.all_day) },
});

/** The events of days outside of a month. */
async function eventsIn(days: readonly string[], listing: Listing, site: Site): Promise<Post[]> {
  const [from, to] = [days.at(0), days.at(-1)];
  if (from === undefined || to === undefined) return [];
  const dates = [dateClause('end', '$gte', `${from} 00:00:00`, site), dateClause('start', '$lte', `${to} 23:59:59`, site)];
  return listPosts(site.store, { ...(await listingQuery(listing, site)), dates, limit: ALL, offset: 0 });
}

const byId = (events: readonly Post[]): Post[] => [...new Map(events.map((event) => [event._id, event])).values()];

/** TEC: the number of events of a day that a month names; the page of the day has the others. */
const MOST_OF_DAY = 10;

/** The first events of each of the days, by start. */
function firstOfDays(events: readonly Post[], days: readonly string[], site: Site): Post[][] {
  const spans = byId(events).map((event) => {
    const { start, end } = spanOf(event, site);
    return { event, start: start.slice(0, 19), first: start.slice(0, 10), last: end.slice(0, 10) };
  });
  spans.sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
  return days.map((day) =>
    spans
      .filter(({ first, last }) => first <= day && last >= day)
      .slice(0, MOST_OF_DAY)
      .map(({ event }) => event),
  );
}

/** The data of a page with the events of a month. Only the named events are loaded in full. */
export async function monthPageData(asked: Listing, reading: Reading): Promise<MonthPage> {
  const listing = { ...asked, page: 1 };
  const { site, dates } = reading;
  const { total, ...found } = await listEvents(listing, site, ALL);
  const [first, last] = listedDays(listing, site);
  const month = first.slice(0, 7);
  const weekStart = site.options.weekStart ?? dates.weekStart;
  const weeks = monthWeeks(
    month,
    weekStart,
    found.events.map((event) => monthEvent(event, site)),
  );
  const days = weeks.flat().map(({ date }) => date);
  const shown = new Set(
    weeks.flat().flatMap((day) => [...day.bars.map(({ event }) => event.id), ...agendaOf(day).shown.map(({ id }) => id)]),
  );
  const inMonth = found.events.filter(({ _id }) => shown.has(_id));
  // TEC: programs also read the events of the days before and after the month that complete its weeks.
  const [before, after] = [days.filter((day) => day < first), days.filter((day) => day > last)];
  const around = await Promise.all([before, after].map((some) => eventsIn(some, listing, site)));
  const ofDays = firstOfDays([...around.flat(), ...found.events], days, site);
  const named = byId(ofDays.flat());
  // TEC: as lists do, a title leaves out the last event if there are more than on a page of a list.
  const titled = named.length > listedPerPage(site) ? named.slice(0, -1) : named;
  const ids = Object.fromEntries(days.map((day, index) => [day, ofDays[index].map(({ _id }) => _id)]));
  const related = await loadRelated(site.store, byId([...inMonth, ...named]));
  const cards = cardsOf(inMonth, related, reading);
  const anyDay = await listingUrl({ ...listing, view: 'day', from: '0000-00-00', search: '' }, site);
  return {
    ...(await frameOf(listing, reading, { total, pages: 1, jsonLd: jsonLdOf(listing, named, related, reading), titled, ids })),
    weekdays: dates.weekdays(weekStart),
    weeks,
    described: new Set(weeks.flat().flatMap((day) => agendaOf(day).shown.map(({ id }) => id))),
    cards: new Map(cards.map((card) => [card.id, card])),
    today: site.today,
    dayUrl: (date) => anyDay.replace('0000-00-00', date),
  };
}
