import { daysAfter, lastOfMonth, weekdayOf } from '../../../wordpress/views/days.js';

/** An entry of a month, with its start and end, `YYYY-MM-DD HH:MM:SS`. */
export interface Dated {
  span: { start: string; end: string; allDay: boolean };
}

/** An event in one week of a month: one box, however many days of the week the event lasts. */
export interface Bar<E extends Dated> {
  event: E;
  /** Row of the week, 0 is the topmost. */
  lane: number;
  /** Number of days of this week and month. */
  days: number;
  /** Whether the event begins on the first of these days, and ends on the last. */
  begins: boolean;
  ends: boolean;
}

export interface MonthDay<E extends Dated> {
  date: string;
  /** False for the days before and after the month that complete its weeks. */
  inMonth: boolean;
  /** Boxes that start on this day, by lane: events that begin, or that continue here in a new week or month. */
  bars: Bar<E>[];
  /** The number of events of the day that are in no lane. */
  more: number;
  /** Events that begin on this day, and on the first of the month also running ones. */
  news: E[];
  /** The number of events of the day. */
  count: number;
}

/** Lanes of a week. */
export const LANES = 5;

/** Maximum number of lanes for events of several days, so that others are visible, too. */
const LONG_LANES = 3;

/** Events that end before this time belong to the night of the previous day. */
const END_OF_NIGHT = '06:00:00';

const dateOf = (wall: string): string => wall.slice(0, 10);

/** First and last day of an event; one that ends in the night has one day. */
export function shownDays({ span: { start, end, allDay } }: Dated): [first: string, last: string] {
  const first = dateOf(start);
  const last = dateOf(end);
  const isNight = !allDay && last > first && end.slice(11) <= END_OF_NIGHT;
  return [first, isNight ? daysAfter(last, -1) : last];
}

interface Placed<E extends Dated> {
  event: E;
  first: string;
  last: string;
}

const isLong = <E extends Dated>({ first, last }: Placed<E>): boolean => last > first;

/** Long events first, the earliest of them first, of these the longest; the others keep their order. */
const byPlace = <E extends Dated>(a: Placed<E>, b: Placed<E>): number =>
  Number(isLong(b)) - Number(isLong(a)) || (isLong(a) ? a.first.localeCompare(b.first) || b.last.localeCompare(a.last) : 0);

/** Gives each event of a week the topmost lane that is free on all of its days. Events without a free lane are omitted. */
function lanesOf<E extends Dated>(days: string[], placed: Placed<E>[]): Map<Placed<E>, number> {
  const lanes = new Map<Placed<E>, number>();
  const taken = new Map(days.map((day) => [day, new Set<number>()]));
  for (const item of placed.toSorted(byPlace)) {
    const own = days.filter((day) => day >= item.first && day <= item.last);
    const isFree = (lane: number): boolean => own.every((day) => !taken.get(day)?.has(lane));
    const lane = Array.from({ length: isLong(item) ? LONG_LANES : LANES }, (_, index) => index).find(isFree);
    if (lane === undefined) continue;
    lanes.set(item, lane);
    for (const day of own) taken.get(day)?.add(lane);
  }
  return lanes;
}

const isFirst = (date: string): boolean => date.endsWith('-01');

function weekOf<E extends Dated>(week: string[], month: string, placed: Placed<E>[]): MonthDay<E>[] {
  const days = week.filter((date) => date.startsWith(month));
  const lanes = lanesOf(days, placed);
  return week.map((date) => {
    if (!date.startsWith(month)) return { date, inMonth: false, bars: [], more: 0, news: [], count: 0 };
    const here = placed.filter(({ first, last }) => first <= date && last >= date);
    const bars = here.flatMap((item): Bar<E>[] => {
      const { event, first, last } = item;
      const lane = lanes.get(item);
      if (lane === undefined || (first !== date && date !== days[0])) return [];
      const end = days.findLast((day) => day <= last) ?? date;
      return [{ event, lane, days: days.indexOf(end) - days.indexOf(date) + 1, begins: first === date, ends: last === end }];
    });
    return {
      date,
      inMonth: true,
      bars: bars.toSorted((a, b) => a.lane - b.lane),
      more: here.filter((item) => !lanes.has(item)).length,
      news: here.filter(({ first }) => first === date || isFirst(date)).map(({ event }) => event),
      count: here.length,
    };
  });
}

/**
 * A month in weeks. In each week an event has one lane, which it shares with no other event of its days.
 * @param month `YYYY-MM`
 * @param weekStart the day that weeks begin with, 0 is Sunday
 * @param events by start
 */
export function monthWeeks<E extends Dated>(month: string, weekStart: number, events: E[]): MonthDay<E>[][] {
  const first = `${month}-01`;
  const lead = (weekdayOf(first) - weekStart + 7) % 7;
  const weeks = Math.ceil((lead + Number(lastOfMonth(first).slice(-2))) / 7);
  const start = daysAfter(first, -lead);
  const placed = events.map((event) => {
    const [from, to] = shownDays(event);
    return { event, first: from, last: to };
  });
  return Array.from({ length: weeks }, (_, week) => {
    const days = Array.from({ length: 7 }, (__, day) => daysAfter(start, week * 7 + day));
    const isHere = ({ first: from, last }: Placed<E>): boolean => from <= days[6] && last >= days[0];
    return weekOf(days, month, placed.filter(isHere));
  });
}

/** Maximum number of events per day in an agenda. A single further event is shown instead of a link to it. */
const AGENDA = 3;

/** The events of a day in an agenda, and the number of further ones on the page of the day. */
export function agendaOf<E extends Dated>({ news, count }: MonthDay<E>): { shown: E[]; more: number } {
  const shown = news.slice(0, count === AGENDA + 1 ? AGENDA + 1 : AGENDA);
  return { shown, more: count - shown.length };
}
