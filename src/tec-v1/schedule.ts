import { formatWall, parseMysqlDate, type Wall } from '../php/date.js';
import { dayEnd, dayStart } from '../tec/dates.js';
import { shiftHours } from '../wp/timezones.js';

/** When an event takes place, on its own clock: `YYYY-MM-DD HH:MM:SS`. */
export interface Span {
  start: string;
  end: string;
  allDay: boolean;
}

/** How a site writes dates. */
export interface DateStyle {
  withYear: string;
  withoutYear: string;
  time: string;
  /** Between a date and its time, and between the beginning and the end. */
  dateTimeSeparator: string;
  rangeSeparator: string;
  /** Time of day, `HH:MM`, at which a day ends. */
  cutoff: string;
  /** The current year, which is left out. */
  year: number;
}

const EPOCH: Wall = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };

const wallOf = (text: string): Wall => parseMysqlDate(text) ?? EPOCH;

const DAY = 86_400_000;

const millis = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** How many days an event touches, or false for one that ends before the day on which it starts does (TEC). */
export function daysOf({ start, end }: Pick<Span, 'start' | 'end'>, cutoff: string): number | false {
  const days = 1 + Math.ceil((millis(end) - millis(dayEnd(wallOf(start), cutoff))) / DAY);
  return days > 1 && days;
}

const opened = (kind: string, text: string): string => `<span class="tribe-event-${kind}">${text}</span>`;

/** TEC: the year is shown if the event starts or ends in another than the current one. */
function dates({ start, end }: Span, style: DateStyle): (text: string) => string {
  const isThisYear = [start, end].every((text) => wallOf(text).year === style.year);
  return (text) => formatWall(isThisYear ? style.withoutYear : style.withYear, wallOf(text));
}

/** The last day of an event of whole days. TEC: one that ends as a day begins ends on the day before. */
function lastDay({ end }: Span, cutoff: string): string {
  return end <= dayStart(wallOf(end), cutoff) ? (shiftHours(end, -24) ?? end) : end;
}

function overDays(span: Span, style: DateStyle): string {
  const date = dates(span, style);
  const time = (text: string): string => (span.allDay ? '' : `${style.dateTimeSeparator}${formatWall(style.time, wallOf(text))}`);
  const last = span.allDay ? lastDay(span, style.cutoff) : span.end;
  return [opened('date-start', date(span.start) + time(span.start)), opened('date-end', date(last) + time(span.end))].join(
    style.rangeSeparator,
  );
}

/** What begins and ends on one day. @param before what stands before the time at which it begins */
function withinDay({ start, end }: Span, style: DateStyle, before: string): string {
  const [from, to] = [start, end].map((text) => formatWall(style.time, wallOf(text)));
  const begins = opened('date-start', before + from);
  return start.slice(11, 16) === end.slice(11, 16) ? begins : [begins, opened('time', to)].join(style.rangeSeparator);
}

/** When an event takes place, as HTML (TEC: `schedule_details`). */
export function scheduleDetails(span: Span, style: DateStyle): string {
  if (daysOf(span, style.cutoff) !== false) return overDays(span, style);
  const day = dates(span, style)(span.start);
  return span.allDay ? opened('date-start', day) : withinDay(span, style, `${day}${style.dateTimeSeparator}`);
}

/** The same without the date of what takes place within a day (TEC: `short_schedule_details`). */
export function shortScheduleDetails(span: Span, style: DateStyle): string {
  if (daysOf(span, style.cutoff) !== false) return overDays(span, style);
  return span.allDay ? 'All day' : withinDay(span, style, '');
}
