import { isEmpty } from '../../../base/php/cast.js';
import { withDefaults, type Options } from '../../../wordpress/options.js';

/** The plugin's settings are part of the site's. */
declare module '../../../wordpress/options.js' {
  interface OptionsOfPlugins {
    calendar: CalendarOptions;
  }
}

/** The row of the options table that holds them. */
export const CALENDAR_OPTION = 'tribe_events_calendar_options';

/** The plugin's settings. */
interface CalendarOptions {
  defaultCurrencySymbol: string;
  defaultCurrencyCode: string;
  reverseCurrencyPosition: boolean;
  /** `HH:MM` at which a day of the calendar ends. */
  multiDayCutoff: string;
  /** `event`: lists compare each event in its zone; `site`: all in the zone of the site. */
  tribe_events_timezone_mode: string;
  /** PHP: whether schedules name their zone. */
  tribe_events_timezones_show_zone: unknown;
  posts_per_page: string | number | null;
  /** The view at the address of the calendar: `list`, `month` or `day`. */
  viewOption: string;
  /** Date format of months. */
  monthAndYearFormat: string;
  /** Names of the views that pages have; `null`: all. */
  tribeEnableViews: unknown;
  eventsSlug: string;
  singleEventSlug: string;
  /** Date formats, for other years and for the current year. */
  dateWithYearFormat: string;
  dateWithoutYearFormat: string;
  /** Separators between date and time, and between start and end. */
  dateTimeSeparator: string;
  timeRangeSeparator: string;
  /** PHP: whether the list of blog posts has events. */
  showEventsInMainLoop: unknown;
  /** PHP: whether events have comments. */
  showComments: unknown;
  /** PHP: whether its namespace is switched off. */
  'rest-v1-disabled': unknown;
}

/** The words in the addresses of the calendar and of events, unless the site has others. */
export const USUAL_WORDS = { eventsSlug: 'events', singleEventSlug: 'event' } as const;

const CALENDAR_DEFAULTS: CalendarOptions = {
  defaultCurrencySymbol: '$',
  defaultCurrencyCode: 'USD',
  reverseCurrencyPosition: false,
  multiDayCutoff: '00:00',
  tribe_events_timezone_mode: 'event',
  tribe_events_timezones_show_zone: false,
  posts_per_page: null,
  viewOption: 'list',
  monthAndYearFormat: 'F Y',
  tribeEnableViews: null,
  ...USUAL_WORDS,
  dateWithYearFormat: 'F j, Y',
  dateWithoutYearFormat: 'F j',
  dateTimeSeparator: ' @ ',
  timeRangeSeparator: ' - ',
  showEventsInMainLoop: false,
  showComments: false,
  'rest-v1-disabled': false,
};

export const readCalendarOptions = (stored: Readonly<Record<string, unknown>>): CalendarOptions =>
  withDefaults(CALENDAR_DEFAULTS, stored[CALENDAR_OPTION] ?? {});

/** Whether all events are in the zone of the site, not each in its own. */
export const isInSiteZone = ({ calendar }: Options): boolean => calendar.tribe_events_timezone_mode === 'site';

/** Whether pages have a view. TEC: without any, all. */
export function hasView({ calendar }: Options, view: string): boolean {
  const enabled: unknown = calendar.tribeEnableViews;
  return !Array.isArray(enabled) || enabled.length === 0 || enabled.includes(view);
}

/** TEC: whether the namespace `tribe/events/v1` exists. Without it, the core API has no categories of events either. */
export const hasCalendarApi = ({ calendar }: Options): boolean => isEmpty(calendar['rest-v1-disabled']);

/** Page size of lists: the plugin's setting, else the site's, as stored. */
export const eventsPerPage = ({ calendar, postsPerPage }: Options): string | number => calendar.posts_per_page ?? postsPerPage;

/** A number larger than any count. */
const ALL = 2 ** 31 - 1;

/** The same as a number (WP: -1 stands for all). */
export function pageSize(options: Options): number {
  const size = Math.trunc(Number(eventsPerPage(options))) || 10;
  return size < 0 ? ALL : size;
}
