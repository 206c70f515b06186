import { offsetAt, type Zones } from '../base/php/timezone.js';
import type { SizeRule } from './media/sizes.js';
import type { ThemeName } from './formatting/block-parts/types.js';
import { Rewrite } from './rewrite.js';
import { storedReleases, type Releases } from './quirks.js';
import { siteZoneText } from './timezones.js';
import DEFAULTS from './options.json' with { type: 'json' };

const { texts, numbersOrTexts } = DEFAULTS;

/** WP: numbers are texts in its database, and may be numbers in datasets; so may texts that look like numbers. */
type WordPressSettings = typeof texts & Record<keyof typeof numbersOrTexts, string | number>;

/** The settings of WordPress, `rest_url_prefix`, which is a filter there, and those that it has elsewhere or not at all: `network`, `network_site`, `zone_release`, `stub_rules`. */
const WORDPRESS_DEFAULTS: WordPressSettings = { ...texts, ...numbersOrTexts };

/** The settings of plugins. Each plugin adds its settings (`declare module`) and a function that reads them (`OptionReaders`). @public */
export interface OptionsOfPlugins {}

type Stored = Readonly<Record<string, unknown>>;

/** Functions that read settings of plugins from the rows of the options table. */
export type OptionReaders = { readonly [Name in keyof OptionsOfPlugins]?: (stored: Stored) => OptionsOfPlugins[Name] };

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Merges stored values into defaults. `null` and `false` mean not set. */
export const withDefaults = <Settings extends object>(defaults: Settings, stored: object): Settings => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(stored).filter(([name, value]) => Object.hasOwn(defaults, name) && isSet(value))),
});

/** The themes of WordPress that are made of blocks. */
export const BLOCK_THEMES: ReadonlySet<string> = new Set(['twentytwentytwo', 'twentytwentythree', 'twentytwentyfour', 'twentytwentyfive']);

interface CommentOptions {
  /** Whether all of them wait for a moderator. */
  areModerated: boolean;
  /** A comment with so many links waits; 0: none does. */
  maxLinks: number;
  /** Words that let a comment wait, and words that send it to the trash. */
  held: readonly string[];
  disallowed: readonly string[];
  /** Whether only authors who were approved before need no moderator. */
  areKnownApproved: boolean;
  /** Whether authors have to have a name and an e-mail address. */
  needAuthor: boolean;
}

const isOn = (value: string | number): boolean => Number(value) === 1;

/** WP: one word a line. */
const wordsOf = (text: string | number): string[] =>
  String(text)
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '');

class WordPressOptions {
  /** How addresses are made. */
  readonly rewrite: Rewrite;

  constructor(
    private readonly wordpress: WordPressSettings,
    /** The releases to behave like, as stored. */
    readonly releases: Releases,
  ) {
    const { permalink_structure: structure, category_base: categoryBase, tag_base: tagBase, rest_url_prefix: restPrefix } = wordpress;
    this.rewrite = new Rewrite({ structure, categoryBase, tagBase, restPrefix });
  }

  get name(): string {
    return this.wordpress.blogname;
  }

  get description(): string {
    return this.wordpress.blogdescription;
  }

  get adminEmail(): string {
    return this.wordpress.admin_email;
  }

  /** Settings of the front page, logo and icon. */
  get front(): { show_on_front: string; page_on_front: number; page_for_posts: number; site_logo: number; site_icon: number } {
    const { show_on_front, page_on_front, page_for_posts, site_logo, site_icon } = this.wordpress;
    return {
      show_on_front,
      page_on_front: Number(page_on_front),
      page_for_posts: Number(page_for_posts),
      site_logo: Number(site_logo) || 0,
      site_icon: Number(site_icon),
    };
  }

  /** The release of the time zone data, as stored; empty: the newest. */
  get zoneRelease(): string {
    return this.wordpress.zone_release;
  }

  /** The stubs of the content, as stored. */
  get stubs(): string {
    return this.wordpress.stub_rules;
  }

  /** WordPress locale such as `de_DE`; `''` is American English. */
  get locale(): string {
    return String(this.wordpress.WPLANG);
  }

  /** Date format (PHP `date`). */
  get dateFormat(): string {
    return this.wordpress.date_format;
  }

  /** Time format (PHP `date`). */
  get timeFormat(): string {
    return this.wordpress.time_format;
  }

  /** First day of the week, 0 is Sunday; null if the site does not set it. */
  get weekStart(): number | null {
    const { start_of_week } = this.wordpress;
    const day = start_of_week === '' ? -1 : Math.trunc(Number(start_of_week));
    return day >= 0 && day <= 6 ? day : null;
  }

  /** Id of the category of blog posts without another one. */
  get defaultCategory(): number {
    return Math.trunc(Number(this.wordpress.default_category)) || 0;
  }

  /** Whether comments and pings of new blog posts are `open` or `closed`. */
  get discussion(): { comments: string; pings: string } {
    return { comments: this.wordpress.default_comment_status, pings: this.wordpress.default_ping_status };
  }

  get comments(): CommentOptions {
    const { comment_moderation, comment_max_links, comment_previously_approved, require_name_email, ...all } = this.wordpress;
    return {
      areModerated: isOn(comment_moderation),
      maxLinks: Math.max(0, Math.trunc(Number(comment_max_links)) || 0),
      held: wordsOf(all.moderation_keys),
      disallowed: wordsOf(all.disallowed_keys),
      areKnownApproved: isOn(comment_previously_approved),
      needAuthor: isOn(require_name_email),
    };
  }

  /** Whether the site is one of a network (WP: `is_multisite`). */
  get isInNetwork(): boolean {
    return isOn(this.wordpress.network);
  }

  /** The folder of the uploads, below that of WordPress. WP: the main site of a network has the usual one. */
  get uploadFolder(): string {
    const number = Math.trunc(Number(this.wordpress.network_site)) || 1;
    return `/wp-content/uploads${this.isInNetwork && number > 1 ? `/sites/${number}` : ''}`;
  }

  /** The folder of WordPress: `/wp`; `''`: the root of the site. */
  get coreFolder(): string {
    const folder = /^(?:https?:\/\/[^/]*)?(\/[^?#]*)?/.exec(this.wordpress.siteurl)?.[1] ?? '';
    return folder.replace(/\/+$/, '');
  }

  /** Whether users and comments have pictures. */
  get showsAvatars(): boolean {
    return isOn(this.wordpress.show_avatars);
  }

  /** Whether the comments of a post are on several pages. */
  get pagesComments(): boolean {
    return isOn(this.wordpress.page_comments);
  }

  /** The folder of the theme. */
  get stylesheet(): string {
    return this.wordpress.stylesheet;
  }

  /** The kind of the theme: one of blocks, or a classic one. */
  get theme(): ThemeName {
    return BLOCK_THEMES.has(this.stylesheet) ? 'block' : 'classic';
  }

  /** Whether search engines may list the site. */
  get isPublic(): boolean {
    return isOn(this.wordpress.blog_public);
  }

  /** Whether feeds have excerpts only. */
  get feedsExcerpts(): boolean {
    return isOn(this.wordpress.rss_use_excerpt);
  }

  /** Whether uploads are in a folder for each month. */
  get hasMonthFolders(): boolean {
    return isOn(this.wordpress.uploads_use_yearmonth_folders);
  }

  /** The sizes of new images. WP: a size without width and height is not made. @param registered the usual ones, and those of plugins */
  imageSizes(registered: readonly SizeRule[]): readonly SizeRule[] {
    const settings = new Map(Object.entries(this.wordpress));
    const sizes = registered.flatMap((size) => {
      const [width, height, crop] = ['size_w', 'size_h', 'crop'].map((part) => settings.get(`${size.name}_${part}`));
      if (width === undefined || height === undefined || crop === undefined) return [size];
      const made = { ...size, width: Math.trunc(Number(width)) || 0, height: Math.trunc(Number(height)) || 0, crop: isOn(crop) };
      return made.width === 0 && made.height === 0 ? [] : [made];
    });
    return JSON.stringify(sizes) === JSON.stringify(registered) ? registered : sizes;
  }

  /** Time zone identifier, or `''` if the site has only an offset. */
  get timezoneString(): string {
    return this.wordpress.timezone_string;
  }

  /** Time zone as TEC writes it: `America/New_York`, or `UTC+5.5` for an offset. */
  get timezone(): string {
    return siteZoneText(this.wordpress);
  }

  /** Hours that local time is ahead of UTC. WP: a text, as stored, on a site without a named zone. @param at epoch seconds */
  gmtOffset(at: number, zones: Zones): number | string {
    const zone = zones.resolve(this.wordpress.timezone_string);
    return zone ? offsetAt(zone, at) / 3600 : String(this.wordpress.gmt_offset);
  }

  /** Stored value. WP: a string unless it was saved as a number. */
  get postsPerPage(): string | number {
    return this.wordpress.posts_per_page;
  }

  get postsPerFeed(): number {
    return Math.max(1, Math.trunc(Number(this.wordpress.posts_per_rss)) || 10);
  }
}

/** The site's settings. */
export type Options = WordPressOptions & OptionsOfPlugins;

/**
 * @param stored rows of the options table; missing ones have defaults
 * @param readers the plugins' functions
 */
export function readOptions(stored: Stored, readers: OptionReaders): Options {
  const ofPlugins = Object.entries<(stored: Stored) => unknown>(readers).map(([name, read]) => [name, read(stored)]);
  const options = new WordPressOptions(withDefaults(WORDPRESS_DEFAULTS, stored), storedReleases(stored));
  return Object.assign(options, Object.fromEntries(ofPlugins) as OptionsOfPlugins);
}
