import { offsetAt, resolveZone } from '../php/timezone.js';
import { siteZoneText } from './timezones.js';

/** What The Events Calendar keeps in its one option (TEC: `tribe_events_calendar_options`). `null` and `false` mean not set. */
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
};

const WORDPRESS_DEFAULTS = {
  blogname: 'Understudy',
  blogdescription: '',
  admin_email: 'admin@example.org',
  timezone_string: 'UTC',
  gmt_offset: 0 as string | number,
  posts_per_page: '10' as string | number,
  start_of_week: '1' as string | number,
  WPLANG: '',
  date_format: 'F j, Y',
  time_format: 'g:i a',
};

export const CALENDAR_OPTION = 'tribe_events_calendar_options';

/** The site's settings, read once and kept in memory. */
export class Options {
  private constructor(
    private readonly wordpress: typeof WORDPRESS_DEFAULTS,
    readonly calendar: CalendarOptions,
  ) {}

  /** @param stored rows of the options table; what is missing has WordPress's and TEC's defaults */
  static from(stored: Record<string, unknown>): Options {
    const known = Object.keys(WORDPRESS_DEFAULTS).filter((name) => isSet(stored[name]));
    const calendar = Object.entries((stored[CALENDAR_OPTION] ?? {}) as Record<string, unknown>).filter(([, value]) => isSet(value));
    return new Options(
      { ...WORDPRESS_DEFAULTS, ...Object.fromEntries(known.map((name) => [name, stored[name]])) },
      { ...CALENDAR_DEFAULTS, ...Object.fromEntries(calendar) },
    );
  }

  get name(): string {
    return this.wordpress.blogname;
  }

  get description(): string {
    return this.wordpress.blogdescription;
  }

  /** Locale of the site as WordPress spells it, such as `de_DE`; `''` is American English. */
  get locale(): string {
    return String(this.wordpress.WPLANG);
  }

  /** The day that weeks begin with, 0 is Sunday. */
  get weekStart(): number {
    const day = Math.trunc(Number(this.wordpress.start_of_week));
    return day >= 0 && day <= 6 ? day : 1;
  }

  /** Zone identifier of the site, or `''` when it has only an offset. */
  get timezoneString(): string {
    return this.wordpress.timezone_string;
  }

  /** Zone text of the site as TEC writes it: `America/New_York`, or `UTC+5.5` for a site with an offset. */
  get timezone(): string {
    return siteZoneText(this.wordpress);
  }

  /** Hours that the site's clock is ahead of UTC at a moment (seconds since 1970). */
  gmtOffset(at: number): number {
    const zone = resolveZone(this.wordpress.timezone_string);
    return zone ? offsetAt(zone, at) / 3600 : Number(this.wordpress.gmt_offset);
  }

  /** As saved: WordPress keeps it as text unless it was saved as a number, and shows it so. */
  get postsPerPage(): string | number {
    return this.calendar.posts_per_page ?? this.wordpress.posts_per_page;
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
