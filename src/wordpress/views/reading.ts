import { pageTexts, type Language, type PageTexts } from '../../base/locales/index.js';
import type { PageRequest, PageResponse } from '../rest/page.js';
import type { Params } from '../rest/request.js';
import type { Post, Term, User } from '../model.js';
import type { Options } from '../options.js';
import type { Site } from '../site.js';
import type { FeedContent, FeedEnding, PageContent, PageAddress, Shown } from './content.js';
import { dateTag, Dates } from './dates.js';
import { escapeText, trusted, type Html } from './html.js';

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
  /** The path of the content. */
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
  readQuery?: (query: Params) => PageAddress | undefined;
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
