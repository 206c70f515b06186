import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { settingsIn, withSettings } from '../../../../src/transfer/settings/settings.js';
import { SETTINGS } from '../../../../src/transfer/settings/table.js';
import { itemsOf, written as exported } from './files.js';
import { folder, NOW, problemsOf, read } from './read.js';

/** A value of each setting that is not its default. */
const OTHER: Record<string, unknown> = {
  timezone: 'UTC+5.5',
  date_format: 'j. F Y',
  time_format: 'H:i',
  start_of_week: 0,
  language: 'de_DE',
  wordpress_folder: '/wp',
  front_page: 7,
  posts_page: 8,
  posts_per_page: 4,
  posts_per_feed: 3,
  feed_excerpts: true,
  search_engines: false,
  comments: 'closed',
  pings: 'closed',
  paged_comments: true,
  avatars: false,
  image_sizes: { medium: { width: 400, height: 400 }, thumbnail: { crop: false } },
  month_folders: false,
  permalinks: 'plain',
  category_base: 'topics',
  tag_base: 'labels',
  theme: 'classic',
  rest_prefix: 'api',
  network: true,
  network_site: 2,
  events_slug: 'termine',
  event_slug: 'termin',
  timezone_mode: 'site',
  day_cutoff: '06:00',
  date_with_year: 'j. F Y',
  date_without_year: 'j. F',
  date_time_separator: ', ',
  time_range_separator: ' bis ',
  show_timezone: true,
  month_format: 'F y',
  default_view: 'month',
  views: ['list'],
  events_in_blog: true,
  event_comments: true,
  calendar_api: false,
};

const dataset = (settings: unknown, more: object = {}) => ({
  site: { settings },
  pages: [
    { id: 7, title: 'Welcome here' },
    { id: 8, title: 'News', slug: 'blog' },
  ],
  ...more,
});

test.each([...SETTINGS.keys()])('%s is stored in its rows, and read from them', (name) => {
  const setting = { [name]: OTHER[name] };
  const rows = withSettings(setting, {});
  expect(settingsIn(rows)).toEqual(setting);
  // A default is a row as well, and null none.
  const { usual } = SETTINGS.get(name)!;
  if (usual !== null) expect(settingsIn(withSettings({ [name]: usual }, rows))).toEqual({ [name]: usual });
  expect(settingsIn(withSettings({ [name]: null }, rows))).toEqual({});
});

test('datasets with all settings are read and written again, pages by their slugs', async () => {
  const settings = { ...OTHER, front_page: 'Welcome here', posts_page: 'blog' };
  const file = path.join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(dataset(settings)));
  const source = await openFile(inputFile(file), { now: NOW });
  const { file: out } = await exported(source, 'json', 'settings-again.json');
  const { site } = JSON.parse(await (await import('node:fs/promises')).readFile(out, 'utf8')) as { site: Record<string, unknown> };
  const { timezone, posts_per_page, ...rest } = OTHER;
  expect(site).toEqual({ timezone, posts_per_page, settings: { ...rest, front_page: 'welcome-here', posts_page: 'blog' } });
  const options = (await itemsOf(await openFile(inputFile(out), { now: NOW }))).find(({ kind }) => kind === 'options');
  expect(options).toMatchObject({ options: { show_on_front: 'page', page_on_front: '7', page_for_posts: '8', permalink_structure: '' } });
});

test('the zone in the settings is that of the dates; the one in site wins', async () => {
  const start = { events: [{ title: 'E', start: '2026-08-01 19:30', duration: '1h' }] };
  const utc = async (site: object): Promise<string | undefined> =>
    (await read({ site, ...start })).posts[0]?.meta.find(({ key }) => key === '_EventStartDateUTC')?.value;
  expect(await utc({ settings: { timezone: 'Europe/Berlin' } })).toBe('2026-08-01 17:30:00');
  expect(await utc({ timezone: 'UTC', settings: { timezone: 'Europe/Berlin' } })).toBe('2026-08-01 19:30:00');
});

test.each([
  [{ permalink: 'plain' }, 'site.settings.permalink: unknown field. Did you mean "permalinks"?'],
  [{ permalinks: 'pretty' }, 'site.settings.permalinks: must be "plain" or a structure such as "/%year%/%monthnum%/%postname%/"'],
  [{ permalinks: '/%yaer%/%postname%/' }, 'site.settings.permalinks: has an unknown tag %yaer%. Did you mean "year"?'],
  [
    { permalinks: '/%year%/' },
    'site.settings.permalinks: must be "plain" or a structure such as "/%year%/%monthnum%/%postname%/", with %postname% or %post_id%',
  ],
  [{ front_page: 'welcom-here' }, 'site.settings.front_page: there is no page with the slug "welcom-here". Did you mean "welcome-here"?'],
  [{ posts_page: 99 }, 'site.settings.posts_page: there is no page with the id 99'],
  [{ search_engines: 'no' }, 'site.settings.search_engines: must be true or false, not "no"'],
  [{ comments: 'opne' }, 'site.settings.comments: must be one of open, closed, not "opne". Did you mean "open"?'],
  [{ posts_per_feed: 0 }, 'site.settings.posts_per_feed: must be at least 1'],
  [{ timezone: 'Berlin' }, 'site.settings.timezone: unknown time zone "Berlin". Did you mean "Europe/Berlin"?'],
  [{ views: [] }, 'site.settings.views: must have at least one entry'],
  [{ image_sizes: { midium: { width: 1 } } }, 'site.settings.image_sizes.midium: unknown field. Did you mean "medium"?'],
  [{ wordpress_folder: 'wp' }, 'site.settings.wordpress_folder: must be a path such as "/wp", or "" for the root'],
  [{ day_cutoff: '25:00' }, 'site.settings.day_cutoff: must be a time such as "06:00"'],
])('%j is a problem', async (settings, problem) => {
  expect(await problemsOf(dataset(settings))).toEqual([problem]);
});
