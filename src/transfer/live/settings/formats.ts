import { parseMysqlDate, localDate, type Wall } from '../../../base/php/date.js';

/** An event as its schedule shows it: start, `YYYY-MM-DD HH:MM:SS`, and the schedule as HTML. */
export interface Scheduled {
  start: string;
  allDay: boolean;
  schedule: string;
}

/** Formats that sites have, in the notation of PHP; those of a new site come first. */
const TIMES = ['g:i a', 'g:i A', 'H:i', 'G:i', 'g:ia', 'H.i', 'G.i', 'H\\hi', 'G\\hi', 'H:i \\U\\h\\r', 'G:i \\U\\h\\r'];
const DAYS = ['F j', 'M j', 'j F', 'j. F', 'j M', 'F jS', 'n/j', 'j/n', 'm/d', 'd/m', 'd.m.', 'j.n.', 'm-d', 'l, F j', 'l, j. F', 'D j M'];
const DATES = [
  ...['F j, Y', 'Y-m-d', 'm/d/Y', 'd/m/Y', 'd.m.Y', 'j.n.Y', 'j/n/Y', 'n/j/Y', 'j F Y', 'j. F Y', 'M j, Y', 'j M Y', 'F jS, Y'],
  ...['l, F j, Y', 'l, j. F Y', 'd-m-Y'],
];
const MONTHS = ['F Y', 'F y', 'M Y', 'M y', 'm/Y', 'n/Y', 'Y-m', 'Y/m', 'm.Y', 'F, Y', 'F'];

const EPOCH: Wall = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };

const shownIn =
  (locale: string) =>
  (format: string, at: string): string =>
    localDate(format, parseMysqlDate(at) ?? EPOCH, locale);

/** The format in which a text ends with the month. @param month `YYYY-MM` */
export const monthFormat = (text: string, month: string, locale: string): string | undefined =>
  MONTHS.find((format) => text.includes(` ${shownIn(locale)(format, `${month}-01 00:00:00`)} `));

const only = <Value>(values: readonly Value[]): Value | undefined => (new Set(values).size === 1 ? values[0] : undefined);

/** The settings of the calendar that the schedules of events show. TEC: dates of another year than the present one have it. */
export function formatsOf(events: readonly Scheduled[], locale: string): Record<string, string | undefined> {
  const shown = shownIn(locale);
  const parts = events.map((event) => ({ ...event, from: /<span[^>]*>(.*?)<\/span>/.exec(event.schedule)?.[1] ?? '' }));
  const timed = parts.filter(({ allDay }) => !allDay);
  const time = TIMES.find((format) => timed.length > 0 && timed.every(({ from, start }) => from.endsWith(shown(format, start))));
  const dates = timed.map(({ from, start }) => ({ start, text: time === undefined ? '' : from.slice(0, -shown(time, start).length) }));
  const dateIn = (formats: readonly string[], among: typeof dates): { format: string; after: string } | undefined => {
    const found = formats.map((format) => ({
      format,
      after: only(among.map(({ start, text }) => (text.startsWith(shown(format, start)) ? text.slice(shown(format, start).length) : null))),
    }));
    return found.find((each): each is { format: string; after: string } => typeof each.after === 'string' && !/^\d/.test(each.after));
  };
  const hasYear = ({ start, text }: (typeof dates)[number]): boolean => text.includes(start.slice(0, 4));
  const [withYear, withoutYear] = [
    dateIn(DATES, dates.filter(hasYear)),
    dateIn(
      DAYS,
      dates.filter((each) => !hasYear(each)),
    ),
  ];
  return {
    time_format: time,
    date_with_year: withYear?.format,
    date_without_year: withoutYear?.format,
    date_time_separator: only([withYear, withoutYear].flatMap((each) => each?.after ?? [])),
    time_range_separator: only(parts.flatMap(({ schedule }) => /<\/span>([^<]+)<span class="/.exec(schedule)?.[1] ?? [])),
  };
}
