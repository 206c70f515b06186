import { daysAfter, lastOfMonth, weekdayOf } from '../../../wordpress/days.js';
import { lastDay, wholeDays, type ClockTimes } from '../tec-v1/schedule.js';

export interface MonthEvent {
  id: number;
  /** Its first and last day, `YYYY-MM-DD`. */
  first: string;
  last: string;
  /** Whether it is a bar: it lasts for whole days, or for more than one (TEC). */
  isLong: boolean;
}

/** A bar on one of its days. */
export interface Bar {
  event: MonthEvent;
  /** Row of the day, 0 is the topmost. The event keeps it while it lasts. */
  lane: number;
  /** Number of days that the bar has in this week, where it begins in the week, else 0. */
  days: number;
  /** Whether it has the first day of the event, and the last one. */
  begins: boolean;
  ends: boolean;
}

export interface MonthDay {
  date: string;
  /** False for the days before and after the month that complete its weeks. */
  inMonth: boolean;
  /** Its events, by start. */
  events: MonthEvent[];
  bars: Bar[];
  /** Lanes that the bars take, free ones between them included. */
  lanes: number;
  /** The number of further events, which only the page of the day has. */
  more: number;
}

/** TEC: the number of events of a day that a month shows; the page of the day has the others. */
const MOST_OF_DAY = 10;

/** The day to which a time belongs. TEC: days may begin later than at midnight. */
const dayAt = (wall: string, cutoff: string): string =>
  wall.slice(11, 16) < cutoff ? daysAfter(wall.slice(0, 10), -1) : wall.slice(0, 10);

/** An event of a month. @param cutoff time of day, `HH:MM`, at which days begin */
export const monthEvent = (id: number, span: ClockTimes, cutoff: string): MonthEvent => ({
  id,
  first: dayAt(span.start, cutoff),
  last: dayAt(span.allDay ? lastDay(span, cutoff) : span.end, cutoff),
  isLong: span.allDay || wholeDays(span, cutoff) !== false,
});

const has = (day: Pick<MonthDay, 'events'> | undefined, event: MonthEvent): boolean => day !== undefined && day.events.includes(event);

/** Puts the bars of days in lanes: a bar takes the topmost lane that is free, and keeps it. */
function withBars(days: MonthDay[]): void {
  let lanes: (MonthEvent | undefined)[] = [];
  for (const [index, day] of days.entries()) {
    lanes = lanes.map((event) => (event && has(day, event) ? event : undefined));
    for (const event of day.events) {
      if (!event.isLong || lanes.includes(event)) continue;
      const free = lanes.indexOf(undefined);
      lanes[free === -1 ? lanes.length : free] = event;
    }
    const week = days.slice(index, index + 7 - (index % 7));
    day.lanes = lanes.findLastIndex((event) => event !== undefined) + 1;
    day.bars = lanes.flatMap((event, lane): Bar[] => {
      if (!event) return [];
      const missing = week.findIndex((each) => !has(each, event));
      const length = missing === -1 ? week.length : missing;
      const isNew = index % 7 === 0 || !has(days[index - 1], event);
      const end = week[length - 1].date;
      return [{ event, lane, days: isNew ? length : 0, begins: event.first === day.date, ends: event.last === end }];
    });
  }
}

/**
 * A month in weeks, with the events of each of their days.
 * @param month `YYYY-MM`
 * @param weekStart the day that weeks begin with, 0 is Sunday
 */
export function monthDates(month: string, weekStart: number): string[] {
  const first = `${month}-01`;
  const lead = (weekdayOf(first) - weekStart + 7) % 7;
  const weeks = Math.ceil((lead + Number(lastOfMonth(first).slice(-2))) / 7);
  return Array.from({ length: weeks * 7 }, (_, day) => daysAfter(first, day - lead));
}

/** @param dates of whole weeks @param events by start */
export function monthDays(month: string, dates: readonly string[], events: readonly MonthEvent[]): MonthDay[] {
  const days = dates.map((date): MonthDay => {
    const all = events.filter(({ first, last }) => first <= date && last >= date);
    const inMonth = date.startsWith(month);
    return { date, inMonth, events: all.slice(0, MOST_OF_DAY), bars: [], lanes: 0, more: Math.max(0, all.length - MOST_OF_DAY) };
  });
  withBars(days);
  return days;
}
