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
  timezone: general(timeZone(), 'Time zone of posts, filters and new events. The same as `site.timezone`'),
  date_format: general(text('date_format', 'F j, Y'), 'Format of dates on pages, in the notation of PHP'),
  time_format: general(text('time_format', 'g:i a'), 'Format of times on pages, and in `schedule_details` of `tec/v1`'),
  start_of_week: general(count('start_of_week', 1, [0, 6]), 'First day of the week in the month view; 0 is Sunday'),
  language: general(
    pattern('WPLANG', '', /^$|^[a-z]{2,3}(_[A-Z]{2})?(_[a-z]+)?$/, 'a locale such as "de_DE", or "" for American English'),
    'Language of pages, feeds, words in calendar URLs, and names of months and days',
  ),
  wordpress_folder: general(
    pattern('siteurl', '', FOLDER, 'a path such as "/wp", or "" for the root'),
    'Folder of WordPress in the `url` of the index, and in the URLs of uploads, sign-in and administration',
  ),
  front_page: reading(page('page_on_front', 'show_on_front'), 'Page at `/`. Sets its links, redirects, head and search results'),
  posts_page: reading(page('page_for_posts'), 'Page that lists the posts, if `front_page` is set'),
  posts_per_page: reading(
    count('posts_per_page', 10, [1, NO_LIMIT]),
    'Items per page of lists, and default of `per_page` in the calendar. The same as `site.posts_per_page`',
  ),
  posts_per_feed: reading(count('posts_per_rss', 10, [1, NO_LIMIT]), 'Number of items in feeds'),
  feed_excerpts: reading(flag('rss_use_excerpt', false), 'Whether feeds contain only excerpts, without `content:encoded`'),
  search_engines: reading(flag('blog_public', true), '`false`: pages have `noindex, nofollow`, and sitemaps do not exist'),
  comments: discussion(choice('default_comment_status', ['open', 'closed']), 'Default `comment_status` of new posts and media'),
  pings: discussion(choice('default_ping_status', ['open', 'closed']), 'Default `ping_status` of new posts'),
  paged_comments: discussion(flag('page_comments', false), 'Whether links to comments contain `comment-page-1/`'),
  avatars: discussion(flag('show_avatars', true), '`false`: responses contain no `avatar_urls`'),
  image_sizes: media(
    sizes({
      thumbnail: { width: 150, height: 150, crop: true },
      medium: { width: 300, height: 300, crop: false },
      medium_large: { width: 768, height: 0, crop: false },
      large: { width: 1024, height: 1024, crop: false },
    }),
    'Sizes of the files for new images. Omitted values stay the same',
  ),
  month_folders: media(flag('uploads_use_yearmonth_folders', true), 'Whether new uploads are stored in monthly folders such as `2026/06/`'),
  permalinks: permalinks(
    structure('permalink_structure'),
    'URLs of posts, and whether URLs end with a slash or contain `index.php`. `plain`: `?p=1`, and the REST API at `?rest_route=`',
  ),
  category_base: permalinks(text('category_base', '', textRule(), 'text such as `topics`'), 'First segment of the URLs of post categories'),
  tag_base: permalinks(text('tag_base', '', textRule(), 'text such as `labels`'), 'First segment of the URLs of tags'),
  theme: appearance(
    { ...choice('stylesheet', ['block', 'classic']), rows: themeRow, value: themeOf },
    'Layout, style variations and text sizes of blocks. `block`: as in Twenty Twenty-Five',
  ),
  rest_prefix: code(
    pattern('rest_url_prefix', 'wp-json', WORD, 'a word such as "api"'),
    'Path of the REST API (filter `rest_url_prefix`). Other paths result in a 404',
  ),
  network: code(flag('network', false), 'Whether the site is part of a network: [rights and members](#networks-of-sites)'),
  network_site: code(
    count('network_site', 1, [1, NO_LIMIT]),
    'Number of the site in its network. From 2 on, uploads are in a folder such as `sites/2/`',
  ),
};

/** The settings of The Events Calendar, which are members of one row. */
export const CALENDAR_SETTINGS: Readonly<Record<string, Setting>> = {
  events_slug: calendar(
    pattern('eventsSlug', 'events', WORD, 'a word such as "events"'),
    'First segment of the URLs of the calendar and of event categories',
  ),
  event_slug: calendar(pattern('singleEventSlug', 'event', WORD, 'a word such as "event"'), 'First segment of the URLs of events'),
  timezone_mode: calendar(
    choice('tribe_events_timezone_mode', ['event', 'site']),
    '`site`: all lists, pages, feeds and calendar files use the time zone of the site',
  ),
  day_cutoff: calendar(
    pattern('multiDayCutoff', '00:00', /^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as "06:00"'),
    'Time at which a day of the calendar ends, for filters and all-day events',
  ),
  date_with_year: calendar(text('dateWithYearFormat', 'F j, Y'), 'Format of dates in other years, in `schedule_details` and titles'),
  date_without_year: calendar(text('dateWithoutYearFormat', 'F j'), 'Format of dates in the current year'),
  date_time_separator: calendar(text('dateTimeSeparator', ' @ '), 'Text between a date and a time'),
  time_range_separator: calendar(text('timeRangeSeparator', ' - '), 'Text between a start and an end'),
  show_timezone: calendar(
    flag('tribe_events_timezones_show_zone', false, ON),
    'Whether `schedule_details` ends with the abbreviation of the time zone',
  ),
  month_format: calendar(text('monthAndYearFormat', 'F Y'), 'Format of the title of the month view'),
  default_view: calendar(
    choice('viewOption', ['list', 'month', 'day']),
    'View at the URL of the calendar, also for its calendar file and titles',
  ),
  views: calendar(someOf('tribeEnableViews', ['list', 'month', 'day']), 'Enabled views. Others result in a 404'),
  events_in_blog: calendar(
    flag('showEventsInMainLoop', false, ON),
    'Whether the list of blog posts contains events, sorted by publication date. Its feed never does',
  ),
  event_comments: calendar(
    flag('showComments', false, ON),
    'Whether events support comments: `comment_status`, `ping_status`, and `replies` in `_links`',
  ),
  calendar_api: calendar(
    flag('rest-v1-disabled', true, [false, true]),
    '`false`: `tribe/events/v1`, and event categories in `wp/v2`, do not exist',
  ),
};

export const SETTINGS = new Map<string, Setting>([...Object.entries(WORDPRESS_SETTINGS), ...Object.entries(CALENDAR_SETTINGS)]);
