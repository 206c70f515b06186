import { BLOCK_THEMES } from '../../wordpress/options.js';
import { textRule } from '../formats/schema.js';
import { choice, count, flag, page, pattern, sizes, someOf, structure, text, timeZone, type Kind } from './kinds.js';

/** A setting of a site, as people know it from the screens of WordPress. */
export interface Setting extends Kind {
  /** The screen of WordPress, and the label there. */
  screen: string;
  /** Changes that it causes, for people. */
  moves: string;
}

const on =
  (screen: string) =>
  (kind: Kind, moves: string): Setting => ({ ...kind, screen, moves });

const general = on('Settings → General');
const reading = on('Settings → Reading');
const discussion = on('Settings → Discussion');
const media = on('Settings → Media');
const permalinks = on('Settings → Permalinks');
const appearance = on('Appearance → Themes');
const code = on('no screen: code or configuration');
const calendar = on('Events → Settings');

/** The largest number of a setting without a limit. */
const NO_LIMIT = 1_000_000;

const FOLDER = /^(\/[^/?#\s]+)*$/;
const WORD = /^[^/?#\s]+$/;
const ON = [true, false] as const;

const themeRow = (value: unknown): Record<string, unknown> => ({ stylesheet: value === 'classic' ? 'classic' : 'twentytwentyfive' });

const themeOf = ({ stylesheet }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof stylesheet === 'string' ? (BLOCK_THEMES.has(stylesheet) ? 'block' : 'classic') : undefined;

/** The settings of WordPress, which rows of the options table hold. */
export const WORDPRESS_SETTINGS: Readonly<Record<string, Setting>> = {
  timezone: general(timeZone(), 'Local times of posts, filters and new events. The same as `site.timezone`'),
  date_format: general(text('date_format', 'F j, Y'), 'Dates of pages and of `settings`, in the notation of PHP'),
  time_format: general(text('time_format', 'g:i a'), 'Times of pages, and `schedule_details` of `tec/v1`'),
  start_of_week: general(count('start_of_week', 1, [0, 6]), 'First day of the month view; 0 is Sunday'),
  language: general(
    pattern('WPLANG', '', /^$|^[a-z]{2,3}(_[A-Z]{2})?(_[a-z]+)?$/, 'a locale such as "de_DE", or "" for American English'),
    'Language of pages and feeds, of words in the addresses of the calendar, and of names of months and days',
  ),
  wordpress_folder: general(
    pattern('siteurl', '', FOLDER, 'a path such as "/wp", or "" for the root'),
    '`url` of the index, addresses of uploads, sign-in and administration, where WordPress has its own folder',
  ),
  front_page: reading(page('page_on_front', 'show_on_front'), 'The page at `/`: its links, redirects, head and search results'),
  posts_page: reading(page('page_for_posts'), 'The page that lists the posts, if there is a `front_page`'),
  posts_per_page: reading(
    count('posts_per_page', 10, [1, NO_LIMIT]),
    'Length of the lists of pages, default of `per_page` in the calendar. The same as `site.posts_per_page`',
  ),
  posts_per_feed: reading(count('posts_per_rss', 10, [1, NO_LIMIT]), 'Number of items in feeds'),
  feed_excerpts: reading(flag('rss_use_excerpt', false), 'Feeds have excerpts, and no `content:encoded`'),
  search_engines: reading(flag('blog_public', true), 'Without them: `noindex, nofollow` on pages, and no sitemaps'),
  comments: discussion(choice('default_comment_status', ['open', 'closed']), '`comment_status` of new posts and media'),
  pings: discussion(choice('default_ping_status', ['open', 'closed']), '`ping_status` of new posts'),
  paged_comments: discussion(flag('page_comments', false), 'Links of comments have `comment-page-1/`'),
  avatars: discussion(flag('show_avatars', true), 'Without them: no `avatar_urls`'),
  image_sizes: media(
    sizes({
      thumbnail: { width: 150, height: 150, crop: true },
      medium: { width: 300, height: 300, crop: false },
      medium_large: { width: 768, height: 0, crop: false },
      large: { width: 1024, height: 1024, crop: false },
    }),
    'Files of new images. What is left out stays as it is',
  ),
  month_folders: media(flag('uploads_use_yearmonth_folders', true), 'New uploads are in `2026/06/`, or without a folder'),
  permalinks: permalinks(
    structure('permalink_structure'),
    'Addresses of posts, the slash at the end of all addresses, `index.php`; `plain`: `?p=1`, and the REST API at `?rest_route=`',
  ),
  category_base: permalinks(text('category_base', '', textRule(), 'text such as `topics`'), 'Addresses of the categories of posts'),
  tag_base: permalinks(text('tag_base', '', textRule(), 'text such as `labels`'), 'Addresses of tags'),
  theme: appearance(
    { ...choice('stylesheet', ['block', 'classic']), rows: themeRow, value: themeOf },
    'Layout, style variations and sizes of texts in blocks. `block`: as Twenty Twenty-Five',
  ),
  rest_prefix: code(
    pattern('rest_url_prefix', 'wp-json', WORD, 'a word such as "api"'),
    'Address of the REST API; others are 404 (filter `rest_url_prefix`)',
  ),
  network: code(flag('network', false), 'The site is one of a network: [rights and members](#networks-of-sites)'),
  network_site: code(count('network_site', 1, [1, NO_LIMIT]), 'Number of the site in its network. From 2, uploads are in `sites/2/`'),
};

/** The settings of The Events Calendar, which are members of one row. */
export const CALENDAR_SETTINGS: Readonly<Record<string, Setting>> = {
  events_slug: calendar(
    pattern('eventsSlug', 'events', WORD, 'a word such as "events"'),
    'Address of the calendar, and of the categories of events below it',
  ),
  event_slug: calendar(pattern('singleEventSlug', 'event', WORD, 'a word such as "event"'), 'Addresses of events'),
  timezone_mode: calendar(
    choice('tribe_events_timezone_mode', ['event', 'site']),
    '`site`: times of lists, pages, feeds and calendar files are in the zone of the site',
  ),
  day_cutoff: calendar(
    pattern('multiDayCutoff', '00:00', /^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as "06:00"'),
    'When a day of the calendar ends: limits of filters, and all-day events',
  ),
  date_with_year: calendar(text('dateWithYearFormat', 'F j, Y'), 'Dates of other years, in `schedule_details` and titles'),
  date_without_year: calendar(text('dateWithoutYearFormat', 'F j'), 'Dates of this year'),
  date_time_separator: calendar(text('dateTimeSeparator', ' @ '), 'Text between date and time'),
  time_range_separator: calendar(text('timeRangeSeparator', ' - '), 'Text between start and end'),
  show_timezone: calendar(flag('tribe_events_timezones_show_zone', false, ON), 'The abbreviation of the zone after `schedule_details`'),
  month_format: calendar(text('monthAndYearFormat', 'F Y'), 'Title of the month view'),
  default_view: calendar(
    choice('viewOption', ['list', 'month', 'day']),
    'View at the address of the calendar, its calendar file, and titles',
  ),
  views: calendar(someOf('tribeEnableViews', ['list', 'month', 'day']), 'The views that exist; others are 404'),
  events_in_blog: calendar(
    flag('showEventsInMainLoop', false, ON),
    'The list of blog posts has events, by the dates of their publication; its feed has none',
  ),
  event_comments: calendar(
    flag('showComments', false, ON),
    'Events have comments: `comment_status`, `ping_status` and `replies` in `_links`',
  ),
  calendar_api: calendar(
    flag('rest-v1-disabled', true, [false, true]),
    'Without it: no `tribe/events/v1`, and no categories of events in `wp/v2`',
  ),
};

export const SETTINGS = new Map<string, Setting>([...Object.entries(WORDPRESS_SETTINGS), ...Object.entries(CALENDAR_SETTINGS)]);
