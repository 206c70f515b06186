import { pageTexts, type Language, type PageTexts } from '../../base/locales/index.js';
import type { PageRequest, PageResponse, Params } from '../rest/request.js';
import type { Post, Term, User } from '../model.js';
import type { Options } from '../options.js';
import type { Site } from '../site.js';
import { dateTag, Dates } from './dates.js';
import { escapeText, trusted, type Html } from './html.js';
import { corePath } from '../terms/terms.js';
import type { PostQuery } from '../query/post-query.js';
import type { PostType } from '../types/post-type.js';

/** Addresses that plugins add, by name (`declare module`). Each has its own `kind`. @public */
export interface AddressesOfPlugins {}

/** An address of WordPress. */
type CoreAddress =
  /** The front page, and the further pages of its posts. */
  | { kind: 'front'; page: number }
  /** A post of a type that a plugin registers. */
  | { kind: 'single'; type: string; slug: string }
  | { kind: 'top'; slug: string; below?: string }
  /** A child page, or an attachment of a page. */
  | { kind: 'below'; slugs: string[] }
  | { kind: 'term'; taxonomy: string; slug: string; page: number }
  /** The posts of a type that the site declares. */
  | { kind: 'archive'; type: string; page: number }
  | { kind: 'author'; nicename: string; page: number }
  /** The blog posts of a year, a month or a day: `2026`, `2026-06` or `2026-06-15`. */
  | { kind: 'dates'; dates: string; page: number }
  | { kind: 'unknown' };

/** A parsed path, before any lookup. */
export type PageAddress = CoreAddress | AddressesOfPlugins[keyof AddressesOfPlugins];

/** Content of plugins at their addresses, by name (`declare module`). Each has its own `kind`. @public */
export interface ContentOfPlugins {}

export type PageContent = Shown | { kind: 'elsewhere'; url: string; isGuess: boolean };

/** Content of WordPress. */
type CoreContent =
  /** Blog posts. With `post`, at the address of that page. */
  | { kind: 'front'; page: number; post?: Post }
  | { kind: 'post'; post: Post }
  | { kind: 'term'; term: Term; page: number }
  | { kind: 'archive'; type: PostType; page: number }
  | { kind: 'author'; author: User; page: number }
  | { kind: 'dates'; dates: string; page: number };

/** The content at an address, unless it is a redirect. */
export type Shown = CoreContent | ContentOfPlugins[keyof ContentOfPlugins];

const ADDRESSES: Readonly<Record<CoreAddress['kind'], true>> = {
  front: true,
  single: true,
  top: true,
  below: true,
  term: true,
  archive: true,
  author: true,
  dates: true,
  unknown: true,
};

const CONTENTS: Readonly<Record<CoreContent['kind'], true>> = {
  front: true,
  post: true,
  term: true,
  archive: true,
  author: true,
  dates: true,
};

/** Whether WordPress itself finds what is at an address. */
export const isCoreAddress = (address: PageAddress): address is CoreAddress => Object.hasOwn(ADDRESSES, address.kind);

/** Whether WordPress itself can show some content. */
export const isCoreContent = (found: Shown): found is CoreContent => Object.hasOwn(CONTENTS, found.kind);

/** How a path ends that names a feed: `…/feed/`, `…/feed/atom/`, `…/atom/`. */
export type FeedEnding = 'feed' | 'long' | 'short';

export interface FeedContent {
  /** Its title before the name of the site; null for none. */
  title: Html | null;
  posts: readonly Post[];
  /** Conditions of all posts of the list; null if it has no list. */
  filter: Partial<PostQuery> | null;
  /** Whether pages beyond the last one have the title, too. */
  keepsTitle?: boolean;
}

/** An item with a page. */
export interface NamedLink {
  title: Html;
  url: string;
}

/** Who looks for content, and where. */
export interface Visit {
  site: Site;
  /** The signed-in user; null if anonymous. */
  reader: User | null;
  plugins: readonly PagePlugin[];
}

export interface LayoutLink {
  text: string;
  url: string;
}

/** Another form in which a plugin sends the content at an address, as a calendar file. */
export interface OtherForm {
  path: string;
  /** Headers of the response, also if it is a redirect. */
  headers: Record<string, string>;
  /** @param page responds with the page instead */
  serve: (found: Shown | null, reading: Reading, page: () => Promise<PageResponse>) => Promise<PageResponse>;
}

/**
 * Additions of a plugin to the addresses, pages and feeds of WordPress. Each function is optional. The plugins of a site are called in their
 * order, before WordPress does the same: the first result counts, and `undefined` leaves it to the next. Links, headers and elements of
 * the head are added by all of them.
 */
export interface PagePlugin {
  /** Parses a decoded path (WP: rewrite rules). @param parts its segments */
  readAddress?: (parts: readonly string[], site: Site, isRooted: boolean) => PageAddress | undefined;
  /** Finds the content at an address of the plugin that a reader may see; null: none. @param query of the request */
  find?: (address: PageAddress, visit: Visit, query: Params) => Promise<PageContent | null | undefined>;
  /** The URL to which the plain permalink of a post redirects whose type is not viewable. */
  urlOf?: (post: Post, visit: Visit) => string | undefined;
  /** Responds with a page. It may replace a page of WordPress (WP: `template_include`). */
  page?: (found: Shown, reading: Reading) => Promise<PageResponse | undefined>;
  /** The title of the page that says that there is nothing at an address of the plugin. Default: that there is nothing. */
  missingTitle?: (address: PageAddress, reading: Reading) => Promise<Html | undefined>;
  /** Parses a request for another form of the content at an address. @param path of the request, decoded */
  readForm?: (request: PageRequest, path: string, site: Site) => OtherForm | undefined;
  /** The address that the query of the front page names (WP: query variables). */
  readQuery?: (query: Params, site: Site) => PageAddress | undefined;
  /** The address of a path before the end that names a feed (WP: rewrite rules of feeds). */
  readFeedAddress?: (parts: readonly string[], ending: FeedEnding, site: Site, query: Params) => PageAddress | undefined;
  /** The feed of an address of the plugin. It may replace a feed of WordPress (WP: `pre_get_posts`). @param found null: nothing */
  feed?: (place: { found: Shown | null; address: PageAddress; page: number }, reading: Reading) => Promise<FeedContent | undefined>;
  /** Whether a feed may redirect to its canonical URL (WP: `redirect_canonical`). */
  mayMoveFeed?: (to: string, reading: Reading) => boolean;
  /** The date of a post as an entry of a feed, if it is not the date of its publication (WP: `get_post_time`): UTC. */
  entryDate?: (post: Post, site: Site) => string | undefined;
  /** Types of posts in lists of a taxonomy, besides posts. */
  typesIn?: (taxonomy: string) => readonly string[];
  /** Types of posts in the list of blog posts, besides posts; not in its feed. */
  typesInBlog?: (options: Options) => readonly string[];
  /** The term that content of the plugin is about (WP: the queried object). */
  termOf?: (found: Shown) => Term | undefined;
  /** Links in the header and in the footer of all pages (WP: menus and widgets). */
  menu?: (reading: Reading) => LayoutLink[];
  footer?: (reading: Reading) => LayoutLink[];
  /**
   * Headers of pages and feeds, not of sign-in (WP: `send_headers`). The last plugin with a header of some name sets it.
   * @param found null for feeds and missing pages
   */
  headers?: (found: Shown | null, site: Site) => Record<string, string>;
  /**
   * Elements of the head of the same pages, before what the page itself has there (WP: `wp_head`): links, metadata, and JSON-LD (`jsonLd`).
   * It may read what it needs from the store.
   * @param found null for missing pages
   */
  head?: (found: Shown | null, reading: Reading) => Promise<Html | null>;
}

/** The first result of the plugins; undefined if all leave it to WordPress. */
export async function firstOf<Result>(
  plugins: readonly PagePlugin[],
  call: (plugin: PagePlugin) => Promise<Result | undefined> | undefined,
): Promise<Result | undefined> {
  for (const plugin of plugins) {
    const result = await call(plugin);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** The term that a list is about; undefined for other content. */
export const termOf = (found: Shown, plugins: readonly PagePlugin[]): Term | undefined =>
  found.kind === 'term' ? found.term : plugins.map((plugin) => plugin.termOf?.(found)).find((term) => term !== undefined);

/** The context of a page: site, language, reader and request. */
export interface Reading extends Visit {
  language: Language;
  texts: PageTexts;
  dates: Dates;
  request: PageRequest;
  /** Additions of plugins to the head of pages that link to the API. */
  head: Html | null;
  /** Whether this is for a part of a page only, which a theme does not change. */
  isPart?: boolean;
}

const known = new Map<string, Dates>();

function datesOf(tag: string): Dates {
  const dates = known.get(tag) ?? new Dates(tag);
  known.set(tag, dates);
  return dates;
}

/** Creates the context of a request. */
export const readingOf = (site: Site, request: PageRequest, plugins: readonly PagePlugin[]): Reading => ({
  site,
  plugins,
  language: request.language,
  texts: pageTexts(request.language),
  dates: datesOf(dateTag(site, request.language)),
  reader: null,
  request,
  head: null,
});

/** Fills the placeholders of a text. Strings are escaped, HTML is not. */
export const fillHtml = (text: string, values: Readonly<Record<string, string | Html>>): Html =>
  trusted(
    escapeText(text).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      if (!Object.hasOwn(values, name)) return placeholder;
      const value = values[name];
      return typeof value === 'string' ? escapeText(value) : value.text;
    }),
  );

/** Links from a page to the same content in the API. */
interface ApiLinks {
  /** Path in the core API, relative to the REST root. */
  core?: string;
  /** Id for the shortlink. */
  shortlink?: number;
}

/** WP: the page that is the front page has the shortest address. */
function shortlinkOf(id: number, { url, options: { front } }: Site): string {
  return front.show_on_front === 'page' && front.page_on_front === id ? `${url}/` : `${url}/?p=${id}`;
}

/** The header `Link` of any page, for discovery of the API (WP). */
function linkHeader(site: Site, { core, shortlink }: ApiLinks = {}): string {
  const links = [
    `<${site.restUrl('/')}>; rel="https://api.w.org/"`,
    ...(core === undefined ? [] : [`<${site.restUrl(core)}>; rel="alternate"; title="JSON"; type="application/json"`]),
    ...(shortlink === undefined ? [] : [`<${shortlinkOf(shortlink, site)}>; rel=shortlink`]),
  ];
  return links.join(', ');
}

/** The links of some content: a post, a term or an author (WP: the queried object). */
export function linksOf(found: Shown | null, { site: { registry }, plugins }: Reading): ApiLinks {
  if (!found) return {};
  if (found.kind === 'author') return { core: `/wp/v2/users/${found.author._id}` };
  if (found.kind === 'post') {
    const { type, _id } = found.post;
    return { core: `/wp/v2/${registry.postTypeOf(type).base}/${_id}`, shortlink: _id };
  }
  const term = termOf(found, plugins);
  return term ? { core: corePath(term, registry) } : {};
}

/** The headers of a page or feed: links to the API, and the headers of plugins. @param found null for missing pages */
export const apiHeaders = (found: Shown | null, { site, plugins }: Reading, links: ApiLinks = {}): Record<string, string> =>
  Object.assign({ Link: linkHeader(site, links) }, ...plugins.map(({ headers }) => headers?.(found, site))) as Record<string, string>;
