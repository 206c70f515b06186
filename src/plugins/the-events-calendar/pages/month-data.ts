import { EVENT_FIELDS } from '../model/event.js';
import { readFlag } from '../model/flags.js';
import type { Post } from '../../../wordpress/model.js';
import type { EventCard } from '../views/card.js';
import { listedDays, listEvents, type Listing } from '../views/listing.js';
import { listingUrl } from '../views/links.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { cardsOf, frameOf, type ListFrame } from './list-data.js';
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
  today: string;
  /** Address of the page of a day. */
  dayUrl: (date: string) => string;
}

/** TEC: a month has all of its events, without a limit. */
const ALL = 2 ** 31 - 1;

const monthEvent = (post: Post): MonthEvent => ({
  id: post._id,
  span: { start: post.occurrence?.start ?? '', end: post.occurrence?.end ?? '', allDay: readFlag(post, EVENT_FIELDS.all_day) },
});

/** The data of a page with the events of a month. Only the named events are loaded in full. */
export async function monthPageData(asked: Listing, reading: Reading): Promise<MonthPage> {
  const listing = { ...asked, page: 1 };
  const { site, dates } = reading;
  const found = await listEvents(listing, site, ALL);
  const month = listedDays(listing, site)[0].slice(0, 7);
  const weekStart = site.options.weekStart ?? dates.weekStart;
  const weeks = monthWeeks(month, weekStart, found.events.map(monthEvent));
  const shown = new Set(
    weeks.flat().flatMap((day) => [...day.bars.map(({ event }) => event.id), ...agendaOf(day).shown.map(({ id }) => id)]),
  );
  const cards = await cardsOf(
    found.events.filter(({ _id }) => shown.has(_id)),
    reading,
  );
  const anyDay = await listingUrl({ ...listing, view: 'day', from: '0000-00-00', search: '' }, site);
  return {
    ...(await frameOf(listing, reading, { ...found, pages: 1 })),
    weekdays: dates.weekdays(weekStart),
    weeks,
    cards: new Map(cards.map((card) => [card.id, card])),
    today: site.nowLocal.slice(0, 10),
    dayUrl: (date) => anyDay.replace('0000-00-00', date),
  };
}
