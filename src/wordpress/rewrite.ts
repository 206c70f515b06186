import { urldecode, urlencode } from '../base/php/query-string.js';
import { escapeRegExp } from '../base/text/pattern.js';

/** Settings on which the addresses of a site depend, as stored. */
interface AddressSettings {
  /** WP: `permalink_structure`; `''`: plain permalinks, without paths. */
  structure: string;
  /** WP: `category_base`, `tag_base`; `''`: the usual words. */
  categoryBase: string;
  tagBase: string;
  /** WP: the filter `rest_url_prefix`. */
  restPrefix: string;
}

/** Names in the addresses of blog posts, by id: paths of categories, and authors. */
interface Named {
  categories: ReadonlyMap<number, string>;
  authors: ReadonlyMap<number, string>;
}

/** The words before categories and tags in paths. */
const BASES = ['category', 'tag'] as const;
export type Base = (typeof BASES)[number];

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

const withoutSlashes = (text: string): string => text.replace(/^\/+|\/+$/g, '');

/** How the settings of a site shape its addresses (WP: `WP_Rewrite`). Paths are relative to the URL of the site. */
export class Rewrite {
  readonly isPlain: boolean;
  /** Whether paths end with a slash. */
  readonly hasSlash: boolean;
  /** Beginning of all paths: `/`, or `/index.php/` for servers that cannot rewrite. */
  readonly root: string;
  /** Beginning of the paths of blog posts and their lists: `/`, `/blog/`. */
  readonly front: string;
  /** Whether a path without content may be a page (WP: pages are checked only if their rules could take the addresses of posts). */
  readonly guessesPages: boolean;

  /** Whether the addresses of blog posts name their categories or authors. */
  readonly namesOthers: boolean;
  /** These names, which are read before a request (`readNamed`). */
  named: Named = { categories: new Map(), authors: new Map() };

  /** Matches paths of the REST API; null: it has none. */
  readonly restPaths: RegExp | null;

  constructor(private readonly settings: AddressSettings) {
    const { structure, restPrefix } = settings;
    this.isPlain = structure === '';
    this.hasSlash = structure === '' || structure.endsWith('/');
    this.root = /^\/*index\.php(?:\/|$)/.test(structure) ? '/index.php/' : '/';
    this.front = structure.includes('%') ? `/${structure.slice(0, structure.indexOf('%')).replace(/^\/+/, '')}` : '/';
    // Web servers merge leading slashes of a path.
    this.restPaths = structure === '' ? null : new RegExp(`^/*(?:/index\\.php)?/${escapeRegExp(withoutSlashes(restPrefix))}(/.*)?$`, 's');
    this.namesOthers = /%(?:category|author)%/.test(structure);
    this.guessesPages = !/^[^%]*%(?:postname|category|tag|author)%/.test(structure);
  }

  /** Ends a path as the structure does (WP: `user_trailingslashit`). */
  ended(path: string): string {
    const bare = path.replace(/\/+$/, '');
    return this.hasSlash || bare === '' ? `${bare}/` : bare;
  }

  /** The path of some segments. @param isInFront whether it begins as those of blog posts do */
  path(segments: readonly string[], isInFront = false): string {
    return this.ended(`${isInFront ? this.front : this.root}${segments.join('/')}`);
  }

  /** The URL below another one: `feed` below the page of a post. */
  below(url: string, path: string): string {
    return this.ended(`${url.replace(/\/+$/, '')}/${path}`);
  }

  /** The path of a blog post. @param tags values of the tags in the structure, by name */
  ofPost(tags: (name: string) => string): string {
    const path = this.settings.structure.replace(/%([a-z_]+)%/g, (_tag, name: string) => tags(name));
    return this.ended(`/${path.replace(/^\/+/, '')}`);
  }

  /** Whether the addresses of blog posts contain a tag, such as `category`. */
  has(tag: string): boolean {
    return this.settings.structure.includes(`%${tag}%`);
  }

  /** The folder of categories or tags, from the root of the site. WP: a folder that was set is not below that of blog posts. */
  folderOf(base: Base): string {
    const { categoryBase, tagBase } = this.settings;
    const set = withoutSlashes(base === 'category' ? categoryBase : tagBase);
    return set === '' || this.root !== '/' ? `${this.front}${set || base}` : `/${set}`;
  }

  /**
   * The segments that a path would have under the usual settings, without the ones of the site; null if the site has no such paths.
   * @param parts segments of a path, without that of `root`
   */
  usual(parts: readonly string[]): readonly string[] | null {
    const front = segmentsOf(this.front.replace(/^\/index\.php\//, '/'));
    const below = (start: readonly string[]): readonly string[] | null =>
      parts.length > start.length && start.every((part, at) => part === parts[at]) ? parts.slice(start.length) : null;
    for (const base of BASES) {
      const rest = below(segmentsOf(this.folderOf(base).replace(/^\/index\.php\//, '/')));
      if (rest) return [base, ...rest];
    }
    const rest = below(front);
    const isWord = (part: string | undefined): boolean => /^(?:author|\d{4})$/.test(part ?? '');
    if (rest && isWord(rest[0])) return rest;
    return isWord(parts[0]) || BASES.some((base) => base === parts[0]) ? null : parts;
  }

  /** Whether a path begins and is as long as those of blog posts, or is of one of so many segments more. */
  private isLike(parts: readonly string[], more: number): boolean {
    const front = segmentsOf(this.front.replace(/^\/index\.php\//, '/'));
    const length = segmentsOf(this.settings.structure.replace(/^\/index\.php\//, '/')).length;
    const isLong = this.has('category') ? parts.length >= length : parts.length >= length && parts.length <= length + more;
    return isLong && front.every((part, at) => part === parts[at]);
  }

  /** Whether a path may be the address of a blog post whose slug has changed or is cut (WP: `redirect_guess_404_permalink`). */
  guesses = (parts: readonly string[]): boolean => this.guessesPages || this.isLike(parts, 0);

  /** Whether a rule of WordPress for posts, pages or their files matches a path. */
  matches = (parts: readonly string[]): boolean => this.guessesPages || this.isLike(parts, 1);

  /** The URL of the feed of a page, for example with the suffix `feed/atom`. @param home URL of the site */
  feed(home: string, url: string, suffix = 'feed'): string {
    if (!this.isPlain) return this.below(url, suffix);
    const query = url.includes('?') ? `&${url.slice(url.indexOf('?') + 1)}` : '';
    return `${home}/?feed=${suffix.startsWith('comments/') ? 'comments-' : ''}${/feed\/(.+)$/.exec(suffix)?.[1] ?? 'rss2'}${query}`;
  }

  /** The path of a REST route. @param path with its query, if any; `/` is the root */
  rest(path: string): string {
    if (!this.isPlain) return `${this.root}${withoutSlashes(this.settings.restPrefix)}${path}`;
    const [route, ...query] = path.split('?');
    // WP: adding an argument encodes the ones that are there.
    return query.length === 0 ? `/index.php?rest_route=${route}` : `/index.php?rest_route=${urlencode(route)}&${query.join('?')}`;
  }

  /** The route in a path that `rest` made, with its query; null for others. */
  routeIn(path: string): string | null {
    const root = this.rest('');
    if (!path.startsWith(root)) return null;
    if (!this.isPlain) return path.slice(root.length);
    const [route, ...query] = path.slice(root.length).split('&');
    return `${urldecode(route)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  }
}

/** The addresses of a new site. */
export const USUAL = new Rewrite({ structure: '/%postname%/', categoryBase: '', tagBase: '', restPrefix: 'wp-json' });
