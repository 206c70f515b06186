import { parseMysqlDate, localDate, type Wall } from '../../../base/php/date.js';
import { dayEnd, dayStart } from '../model/dates.js';
import type { Site } from '../../../wordpress/site.js';
import { shiftHours } from '../../../wordpress/timezones.js';

/** Start and end of an event, in its time zone: `YYYY-MM-DD HH:MM:SS`. */
export interface ClockTimes {
  start: string;
  end: string;
  allDay: boolean;
  /** Abbreviation of the zone, if it is shown. */
  zone?: string | undefined;
}

export interface DateStyle {
  withYear: string;
  withoutYear: string;
  time: string;
  /** Separators between date and time, and between start and end. */
  dateTimeSeparator: string;
  rangeSeparator: string;
  /** Time of day, `HH:MM`, at which a day ends. */
  cutoff: string;
  /** WordPress locale of the names of months. */
  locale: string;
  /** The current year, which is omitted. */
  year: number;
}

/** The date settings of a site, at its time. */
export function dateStyle({ options, today }: Site): DateStyle {
  const { calendar, timeFormat } = options;
  return {
    withYear: calendar.dateWithYearFormat,
    withoutYear: calendar.dateWithoutYearFormat,
    time: timeFormat,
    dateTimeSeparator: calendar.dateTimeSeparator,
    rangeSeparator: calendar.timeRangeSeparator,
    cutoff: calendar.multiDayCutoff,
    locale: options.locale,
    year: Number(today.slice(0, 4)),
  };
}

const EPOCH: Wall = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };

const wallOf = (text: string): Wall => parseMysqlDate(text) ?? EPOCH;

const DAY = 86_400_000;

const millis = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** The number of days of an event, or false if it ends on the day on which it starts (TEC). */
export function wholeDays({ start, end }: Pick<ClockTimes, 'start' | 'end'>, cutoff: string): number | false {
  const days = 1 + Math.ceil((millis(end) - millis(dayEnd(wallOf(start), cutoff))) / DAY);
  return days > 1 && days;
}

const opened = (kind: string, text: string): string => `<span class="tribe-event-${kind}">${text}</span>`;

/** TEC: the year is shown if the event starts or ends in another than the current one. */
function dates({ start, end }: ClockTimes, style: DateStyle): (text: string) => string {
  const isThisYear = [start, end].every((text) => wallOf(text).year === style.year);
  return (text) => localDate(isThisYear ? style.withoutYear : style.withYear, wallOf(text), style.locale);
}

/** One of the days of an event, with the year unless it is the current one (TEC: `tribe_get_start_date`). */
export const dayText = (text: string, style: DateStyle): string => dates({ start: text, end: text, allDay: true }, style)(text);

export const timeText = (text: string, { time, locale }: DateStyle): string => localDate(time, wallOf(text), locale);

/** The last day of an all-day event. TEC: an end at the beginning of a day is on the day before. */
export function lastDay({ end }: Pick<ClockTimes, 'end'>, cutoff: string): string {
  return end <= dayStart(wallOf(end), cutoff) ? (shiftHours(end, -24) ?? end) : end;
}

function overDays(span: ClockTimes, style: DateStyle): string {
  const date = dates(span, style);
  const time = (text: string): string =>
    span.allDay ? '' : `${style.dateTimeSeparator}${localDate(style.time, wallOf(text), style.locale)}`;
  const last = span.allDay ? lastDay(span, style.cutoff) : span.end;
  return [opened('date-start', date(span.start) + time(span.start)), opened('date-end', date(last) + time(span.end))].join(
    style.rangeSeparator,
  );
}

/** The schedule of an event within one day. @param before text before the start time */
function withinDay({ start, end }: ClockTimes, style: DateStyle, before: string): string {
  const [from, to] = [start, end].map((text) => localDate(style.time, wallOf(text), style.locale));
  const begins = opened('date-start', before + from);
  return start.slice(11, 16) === end.slice(11, 16) ? begins : [begins, opened('time', to)].join(style.rangeSeparator);
}

/** TEC: whole days have no zone. */
const inZone = ({ allDay, zone }: ClockTimes, text: string): string =>
  allDay || zone === undefined ? text : `${text} <span class='timezone'> ${zone} </span>`;

/** The schedule of an event as HTML (TEC: `schedule_details`). */
export function scheduleDetails(span: ClockTimes, style: DateStyle): string {
  if (wholeDays(span, style.cutoff) !== false) return inZone(span, overDays(span, style));
  const day = dates(span, style)(span.start);
  return span.allDay ? opened('date-start', day) : inZone(span, withinDay(span, style, `${day}${style.dateTimeSeparator}`));
}

/** The same without the date of an event within one day (TEC: `short_schedule_details`). */
export function shortScheduleDetails(span: ClockTimes, style: DateStyle): string {
  // TEC: the zone comes twice if there are several days.
  if (wholeDays(span, style.cutoff) !== false) return inZone(span, scheduleDetails(span, style));
  return span.allDay ? 'All day' : inZone(span, withinDay(span, style, ''));
}
