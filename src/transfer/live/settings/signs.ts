import { mostFrequent } from '../../../base/values/records.js';
import { EVENT, TEC_V1 } from '../../../plugins/the-events-calendar/model/index.js';
import { BLOCK_THEMES } from '../../../wordpress/options.js';
import type { Base } from '../../../wordpress/rewrite.js';
import { PLAIN } from '../../settings/kinds.js';
import { withoutSlash } from '../client/client.js';
import { dateOf, idsOf, numberOf, recordOf, stringOf, type CoreItem } from '../pull/wp-v2/item.js';
import type { Asked } from './asked.js';
import { formatsOf, monthFormat } from './formats.js';
import { rewriteOf, structureOf, type Addressed } from './structure.js';

/** Finds a setting. Null: as on a new site; undefined: the site does not show it. */
type Sign = (site: Asked) => Promise<unknown>;

const MOST = { per_page: 100 } as const;
const ONE = { per_page: 1 } as const;

const ofPosts = (site: Asked): Promise<CoreItem[]> => site.items('wp/v2/posts', MOST);
/** Events without a password. */
const ofEvents = async (site: Asked): Promise<CoreItem[]> =>
  (await site.items(`${TEC_V1}/events`, { ...MOST, start_date: '1000-01-02' })).filter(
    ({ all_day: allDay }) => typeof allDay === 'boolean',
  );

/** The path of an address below that of the site, without `index.php`. */
const pathOf = ({ live: { home } }: Asked, url: string): string =>
  url.startsWith(`${home}/`) ? url.slice(home.length).replace(/^\/index\.php(?=\/)/, '') : '';

/** The parts of a date, by the tags that have them. */
const datesOf = (item: CoreItem): Record<string, string> => {
  const [year = '', monthnum = '', day = '', hour = '', minute = '', second = ''] = dateOf(item, 'date').split(/[- :]/);
  return { year, monthnum, day, hour, minute, second };
};

type ById = ReadonlyMap<number, CoreItem>;

const byId = (items: readonly CoreItem[]): ById => new Map(items.map((item) => [item.id, item]));

const slugOf = (item: CoreItem | undefined): string => (item ? stringOf(item, 'slug') : '');

function categoryPath(post: CoreItem, categories: ById): string {
  const slugs: string[] = [];
  let at = categories.get(Math.min(...idsOf(post, 'categories')));
  for (; at && slugs.length < MOST.per_page; at = categories.get(numberOf(at, 'parent'))) slugs.unshift(slugOf(at));
  return slugs.join('/');
}

/** WP: all addresses end as those of posts do, and all are below `index.php`, or none. */
async function permalinks(site: Asked): Promise<string | undefined> {
  const { home } = site.live;
  const posts = await ofPosts(site);
  const [sample] = [...posts, ...(await ofEvents(site)), ...(await site.items('wp/v2/pages', ONE))];
  if (sample === undefined) return undefined;
  const link = stringOf(sample, 'link');
  if (link.startsWith(`${home}/?`)) return PLAIN;
  const index = link.startsWith(`${home}/index.php/`) ? '/index.php' : '';
  if (posts.length === 0) return `${index}/%postname%${link.endsWith('/') ? '/' : ''}`;
  const categories = byId(await site.items('wp/v2/categories', MOST));
  const authors = byId(await site.items('wp/v2/users', MOST));
  // WP: a post without categories has the address of the default one, which nothing shows.
  const telling = posts.filter((post) => idsOf(post, 'categories').length > 0);
  const addressed = (telling.length > 0 ? telling : posts).map((post): Addressed => ({
    path: index + pathOf(site, stringOf(post, 'link')),
    tags: {
      postname: slugOf(post),
      category: categoryPath(post, categories),
      author: slugOf(authors.get(numberOf(post, 'author'))),
      ...datesOf(post),
      post_id: String(post.id),
    },
  }));
  return structureOf(addressed);
}

/** The folder of categories or tags, from the address of one without parents. */
const base =
  (route: string, word: Base): Sign =>
  async (site) => {
    const term = (await site.items(`wp/v2/${route}`, MOST)).find((each) => numberOf(each, 'parent') === 0);
    const structure = await permalinks(site);
    if (term === undefined || structure === PLAIN) return null;
    const path = pathOf(site, withoutSlash(stringOf(term, 'link')));
    const folder = path.endsWith(`/${slugOf(term)}`) ? path.slice(0, -slugOf(term).length - 1) : '';
    const { front } = rewriteOf(structure ?? '/%postname%/');
    const usual = `${front.replace(/^\/index\.php(?=\/)/, '')}${word}`;
    return folder === usual || folder === '' ? null : folder.slice(1);
  };

/** The address of the calendar. TEC: pages link to its file. */
async function calendarUrl(site: Asked): Promise<string> {
  const { home } = site.live;
  const href = /<link[^>]+type=["']text\/calendar["'][^>]+href=["']([^"']+)["']/.exec(await site.html(`${home}/`))?.[1] ?? '';
  const url = href === '' ? '' : new URL(href.replace(/&(?:amp|#0?38);/g, '&'), `${home}/`).href.replace(/[?&]ical=1$/, '');
  return url.includes('?') ? '' : withoutSlash(url);
}

/** A page below the address of the calendar; null: there is none; undefined: it cannot have an address. */
async function below(site: Asked, path: string): Promise<string | null | undefined> {
  const url = await calendarUrl(site);
  const { status, text } = url === '' ? { status: 0, text: '' } : await site.page(`${url}/${path}`);
  return status === 404 ? null : status === 200 ? text : undefined;
}

/** The segment before the last one of the address of an object. */
const folderOf = (site: Asked, item: CoreItem): string | undefined => /([^/]+)\/[^/]+\/?$/.exec(pathOf(site, stringOf(item, 'link')))?.[1];

const MONTH = '2026-06';
const VIEWS = { list: 'list', month: MONTH, day: `${MONTH}-20` } as const;

async function views(site: Asked): Promise<string[] | undefined> {
  const pages = await Promise.all(Object.entries(VIEWS).map(async ([name, path]) => [name, await below(site, path)] as const));
  const found = pages.filter(([, page]) => page).map(([name]) => name);
  return found.length === 0 || pages.some(([, page]) => page === undefined) ? undefined : found;
}

const timeOf = (event: CoreItem, name: string): string =>
  stringOf((recordOf(event, 'dates')[name] ?? {}) as CoreItem, 'date').replace(/\.\d+$/, '');

const isAllDay = (event: CoreItem): boolean => event['all_day'] === true;

async function language(site: Asked): Promise<string | undefined> {
  const [, tag] = /<html[^>]*\slang=["']([\w-]+)/.exec(await site.html(`${site.live.home}/`)) ?? [];
  return tag === 'en-US' ? '' : tag?.replace('-', '_');
}

const format =
  (name: string): Sign =>
  async (site) => {
    const events = await ofEvents(site);
    return formatsOf(
      events.map((event) => ({
        start: timeOf(event, 'start_display'),
        allDay: isAllDay(event),
        schedule: stringOf(event, 'schedule_details'),
      })),
      (await language(site)) ?? '',
    )[name];
  };

/** Whether one of some items has a sign; undefined without items. */
const has = (items: readonly CoreItem[], sign: (item: CoreItem) => boolean): boolean | undefined =>
  items.length === 0 ? undefined : items.some(sign);

const feed = (site: Asked): Promise<string> => site.html(`${site.live.home}/?feed=rss2`);

async function timezoneMode(site: Asked): Promise<string | undefined> {
  const events = await ofEvents(site);
  const event = events.find((each) => timeOf(each, 'start') !== timeOf(each, 'start_site'));
  return event && (timeOf(event, 'start_display') === timeOf(event, 'start_site') ? 'site' : 'event');
}

/** The number of items of a feed that has fewer than its list. */
async function postsPerFeed(site: Asked): Promise<number | undefined> {
  const { home, namespace } = site.live;
  const { headers } = await site.rest('wp/v2/posts', MOST);
  const events = await site.object(`${namespace}/events`);
  const feeds = [
    [await feed(site), headers['x-wp-total']],
    [await site.html(`${home}/?post_type=${EVENT}&feed=rss2`), events?.['total']],
  ];
  const counts = feeds.map(([text, total]) => [String(text).split('<item>').length - 1, Number(total ?? 0)]);
  return counts.find(([items, total]) => items > 0 && items < total)?.[0];
}

/** The address of a list without parameters, which names their defaults. */
const listUrl = async (site: Asked): Promise<string> => String((await site.object(`${site.live.namespace}/events`))?.['rest_url']);

/** WP: older releases show less in their index. */
const whereIndexHas =
  (row: string): Sign =>
  ({ live }) =>
    Promise.resolve(row in live.front ? null : undefined);

/** WP: the number of a site in its network is in the addresses of its uploads, but of the main site; 0: not there. */
async function networkSite(site: Asked): Promise<number> {
  const media = await site.items('wp/v2/media', ONE);
  return Number(/\/uploads\/sites\/(\d+)\//.exec(media.map((item) => stringOf(item, 'source_url')).join())?.[1] ?? 0);
}

/** Where a site shows its settings, besides its index and `wp/v2/settings`. */
export const SIGNS: Readonly<Record<string, Sign>> = {
  language,
  front_page: whereIndexHas('show_on_front'),
  posts_page: whereIndexHas('page_for_posts'),
  theme: async (site) => {
    const html = await site.html(`${site.live.home}/`);
    const [, name] = /\/wp-content\/themes\/([^/"']+)\//.exec(html) ?? [];
    if (html.includes('wp-site-blocks')) return 'block';
    return name === undefined ? undefined : BLOCK_THEMES.has(name) ? 'block' : 'classic';
  },
  rest_prefix: () => Promise.resolve(null),
  posts_per_page: async (site) => Number(/[?&]per_page=(\d+)/.exec(await listUrl(site))?.[1]) || undefined,
  posts_per_feed: postsPerFeed,
  feed_excerpts: async (site) => {
    const text = await feed(site);
    return text.includes('<item>') ? !text.includes('<content:encoded>') : undefined;
  },
  search_engines: async (site) => {
    const [, robots] = /<meta\s+name=["']robots["']\s+content=["']([^"']*)/.exec(await site.html(`${site.live.home}/`)) ?? [];
    return robots === undefined ? undefined : !/\bnoindex\b/.test(robots);
  },
  paged_comments: async (site) =>
    has(await site.items('wp/v2/comments', ONE), (item) => /comment-page-|[?&]cpage=/.test(stringOf(item, 'link'))),
  avatars: async (site) => has(await site.items('wp/v2/users', MOST), (item) => 'avatar_urls' in item),
  month_folders: async (site) =>
    has(await site.items('wp/v2/media', ONE), (item) => /\/\d{4}\/\d\d\/[^/]*$/.test(stringOf(item, 'source_url'))),
  // WP: the settings of a site in a network have no address.
  network: async (site) => {
    const settings = await site.object('wp/v2/settings');
    return settings ? !('url' in settings) : (await networkSite(site)) > 1 || undefined;
  },
  network_site: async (site) => (await networkSite(site)) || null,
  permalinks,
  category_base: base('categories', 'category'),
  tag_base: base('tags', 'tag'),
  events_slug: async (site) => /([^/]+)$/.exec(pathOf(site, await calendarUrl(site)))?.[1],
  event_slug: async (site) => mostFrequent((await ofEvents(site)).flatMap((event) => folderOf(site, event) ?? [])),
  timezone_mode: timezoneMode,
  time_format: format('time_format'),
  date_with_year: format('date_with_year'),
  date_without_year: format('date_without_year'),
  date_time_separator: format('date_time_separator'),
  time_range_separator: format('time_range_separator'),
  show_timezone: async (site) =>
    has(
      (await ofEvents(site)).filter((event) => !isAllDay(event)),
      (event) => /class=.timezone/.test(stringOf(event, 'schedule_details')),
    ),
  month_format: async (site) =>
    monthFormat(`${/<title>([^<]*)/.exec((await below(site, MONTH)) ?? '')?.[1] ?? ''} `, MONTH, (await language(site)) ?? ''),
  default_view: async (site) => /tribe-events-view--(list|month|day)/.exec(await site.html(await calendarUrl(site)))?.[1],
  views,
  day_cutoff: async (site) => {
    const [, hour, minute] = /[?&]start_date=[\d-]+(?:[ +]|%20)(\d\d)(?::|%3A)(\d\d)/i.exec(await listUrl(site)) ?? [];
    return hour && `${hour}:${minute}`;
  },
  event_comments: async (site) => has(await ofEvents(site), (event) => 'comment_status' in event),
  calendar_api: () => Promise.resolve(null),
};
