import { withDefaults, type Options } from '../wp/options.js';

/** The plugin's settings are part of those of the site. */
declare module '../wp/options.js' {
  interface PluginOptions {
    calendar: CalendarOptions;
  }
}

/** The row of the options table that holds them. */
export const CALENDAR_OPTION = 'tribe_events_calendar_options';

/** The plugin's settings. */
export interface CalendarOptions {
  defaultCurrencySymbol: string;
  defaultCurrencyCode: string;
  reverseCurrencyPosition: boolean;
  /** `HH:MM` at which a day of the calendar ends. */
  multiDayCutoff: string;
  /** `event`: lists compare each event in its own zone; `site`: all in the site's. */
  tribe_events_timezone_mode: string;
  posts_per_page: string | number | null;
  eventsSlug: string;
  singleEventSlug: string;
  /** Letters in which dates are written, in other years than this one and in this one. */
  dateWithYearFormat: string;
  dateWithoutYearFormat: string;
  /** What stands between a date and its time, and between the beginning and the end. */
  dateTimeSeparator: string;
  timeRangeSeparator: string;
}

const CALENDAR_DEFAULTS: CalendarOptions = {
  defaultCurrencySymbol: '$',
  defaultCurrencyCode: 'USD',
  reverseCurrencyPosition: false,
  multiDayCutoff: '00:00',
  tribe_events_timezone_mode: 'event',
  posts_per_page: null,
  eventsSlug: 'events',
  singleEventSlug: 'event',
  dateWithYearFormat: 'F j, Y',
  dateWithoutYearFormat: 'F j',
  dateTimeSeparator: ' @ ',
  timeRangeSeparator: ' - ',
};

export const readCalendarOptions = (stored: Readonly<Record<string, unknown>>): CalendarOptions =>
  withDefaults(CALENDAR_DEFAULTS, stored[CALENDAR_OPTION] ?? {});

/** How many events a page of a list has: the plugin's setting, else that of the site, as saved. */
export const eventsPerPage = ({ calendar, postsPerPage }: Options): string | number => calendar.posts_per_page ?? postsPerPage;

/** More than there is of anything. */
const ALL = 2 ** 31 - 1;

/** The same as a number (WP: -1 stands for all). */
export function pageSize(options: Options): number {
  const size = Math.trunc(Number(eventsPerPage(options))) || 10;
  return size < 0 ? ALL : size;
}
