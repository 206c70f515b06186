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

const WORDPRESS_DEFAULTS = {
  blogname: 'Understudy',
  blogdescription: '',
  admin_email: 'admin@example.org',
  timezone_string: 'UTC',
  gmt_offset: 0 as string | number,
  posts_per_page: '10' as string | number,
  posts_per_rss: '10' as string | number,
  default_category: '1' as string | number,
  default_comment_status: 'open',
  default_ping_status: 'open',
  start_of_week: '1' as string | number,
  WPLANG: '',
  show_on_front: 'posts',
  page_on_front: '0' as string | number,
  page_for_posts: '0' as string | number,
  site_logo: '' as string | number,
  site_icon: '0' as string | number,
  date_format: 'F j, Y',
  time_format: 'g:i a',
};

export const CALENDAR_OPTION = 'tribe_events_calendar_options';

/** More than there is of anything. */
const ALL = 2 ** 31 - 1;

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

  /** What the front page is, and the pages and pictures that settings name; a logo that was never chosen is `false` (WP). */
  get front(): { show_on_front: string; page_on_front: number; page_for_posts: number; site_logo: number | false; site_icon: number } {
    const { show_on_front, page_on_front, page_for_posts, site_logo, site_icon } = this.wordpress;
    return {
      show_on_front,
      page_on_front: Number(page_on_front),
      page_for_posts: Number(page_for_posts),
      site_logo: Number(site_logo) || false,
      site_icon: Number(site_icon),
    };
  }

  /** Locale of the site as WordPress spells it, such as `de_DE`; `''` is American English. */
  get locale(): string {
    return String(this.wordpress.WPLANG);
  }

  /** Letters in which times are written. */
  get timeFormat(): string {
    return this.wordpress.time_format;
  }

  /** The day that weeks begin with, 0 is Sunday. */
  get weekStart(): number {
    const day = Math.trunc(Number(this.wordpress.start_of_week));
    return day >= 0 && day <= 6 ? day : 1;
  }

  /** The category of blog posts that are given none. */
  get defaultCategory(): number {
    return Math.trunc(Number(this.wordpress.default_category)) || 0;
  }

  /** Whether new blog posts take comments and pings: `open` or `closed`. */
  get discussion(): { comments: string; pings: string } {
    return { comments: this.wordpress.default_comment_status, pings: this.wordpress.default_ping_status };
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

  /** The same as a number of posts (WP: -1 stands for all). */
  get pageSize(): number {
    const size = Math.trunc(Number(this.postsPerPage)) || 10;
    return size < 0 ? ALL : size;
  }

  /** Items of an RSS feed, at most. */
  get postsPerFeed(): number {
    return Math.max(1, Math.trunc(Number(this.wordpress.posts_per_rss)) || 10);
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
