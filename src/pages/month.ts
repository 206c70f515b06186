import { daysAfter, lastOfMonth, weekdayOf } from '../views/days.js';

/** What a month is made of: something with a beginning and an end, `YYYY-MM-DD HH:MM:SS`. */
export interface Dated {
  span: { start: string; end: string; allDay: boolean };
}

/** An event on one of its days. */
export interface Slot<E extends Dated> {
  event: E;
  /** Whether it begins or ends on this day; what goes on is drawn from one day into the next. */
  begins: boolean;
  ends: boolean;
  /** Whether its name is written here: on its first day, and on the first day of every week it goes on in. */
  isNamed: boolean;
  /** Days of this week from here on that it takes. */
  days: number;
}

export interface MonthDay<E extends Dated> {
  date: string;
  /** False for the days before and after that fill up the weeks. */
  inMonth: boolean;
  /** In lanes, so that what goes on for days stays on its height; null is an empty lane. */
  slots: (Slot<E> | null)[];
  /** How many events of the day found no lane. */
  more: number;
  /** Whether something begins on this day, or is there on the first of the month. */
  hasNews: boolean;
  /** All events of the day. */
  count: number;
}

/** Lanes of a week. */
const MOST_LANES = 4;

/** What ends before this belongs to the night of the day before. */
const END_OF_NIGHT = '06:00:00';

const dateOf = (wall: string): string => wall.slice(0, 10);

/** First and last day that an event takes. */
function daysOf({ span: { start, end, allDay } }: Dated): [first: string, last: string] {
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

/** Gives the events of a week their lanes: the long ones first, each the topmost that is free on all of its days. */
function lanesOf<E extends Dated>(days: string[], placed: Placed<E>[]): Map<Placed<E>, number> {
  const lanes = new Map<Placed<E>, number>();
  const taken = days.map(() => new Set<number>());
  const isLong = ({ first, last }: Placed<E>): boolean => last > first;
  for (const item of placed.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))) {
    const columns = days.flatMap((day, column) => (day >= item.first && day <= item.last ? [column] : []));
    const lane = Array.from({ length: MOST_LANES }, (_, index) => index).find((index) =>
      columns.every((column) => !taken[column].has(index)),
    );
    if (lane === undefined) continue;
    lanes.set(item, lane);
    for (const column of columns) taken[column].add(lane);
  }
  return lanes;
}

const isFirst = (date: string): boolean => date.endsWith('-01');

function weekOf<E extends Dated>(days: string[], month: string, placed: Placed<E>[]): MonthDay<E>[] {
  const lanes = lanesOf(days, placed);
  return days.map((date, column) => {
    const inMonth = date.startsWith(month);
    const here = inMonth ? placed.filter(({ first, last }) => first <= date && last >= date) : [];
    const slots: (Slot<E> | null)[] = [];
    for (const item of here) {
      const lane = lanes.get(item);
      if (lane === undefined) continue;
      while (slots.length <= lane) slots.push(null);
      const begins = item.first === date;
      const left = days.filter((day) => day >= date && day <= item.last && day.startsWith(month)).length;
      slots[lane] = { event: item.event, begins, ends: item.last === date, isNamed: begins || column === 0 || isFirst(date), days: left };
    }
    const shown = slots.filter((slot) => slot !== null).length;
    const hasNews = here.some(({ first }) => first === date || isFirst(date));
    return { date, inMonth, slots, more: here.length - shown, hasNews, count: here.length };
  });
}

/**
 * A month in weeks. Events that go on for days keep their lane from day to day.
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
    const [from, to] = daysOf(event);
    return { event, first: from, last: to };
  });
  return Array.from({ length: weeks }, (_, week) => {
    const days = Array.from({ length: 7 }, (__, day) => daysAfter(start, week * 7 + day));
    const isHere = ({ first: from, last }: Placed<E>): boolean => from <= days[6] && last >= days[0];
    return weekOf(days, month, placed.filter(isHere));
  });
}
