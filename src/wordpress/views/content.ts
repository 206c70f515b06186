import type { Post, Term, User } from '../model.js';
import type { Html } from './html.js';

/** Addresses that plugins add, by name (`declare module`): each has a `kind` of its own. @public */
export interface AddressesOfPlugins {}

/** A parsed path, before any lookup. */
export type PageAddress =
  /** The front page, and the further pages of its posts. */
  | { kind: 'front'; page: number }
  /** A post of a type that a plugin registers. */
  | { kind: 'single'; type: string; slug: string }
  | { kind: 'top'; slug: string; below?: string }
  /** A child page, or an attachment of a page. */
  | { kind: 'below'; slugs: string[] }
  | { kind: 'term'; taxonomy: string; slug: string; page: number }
  | { kind: 'author'; nicename: string; page: number }
  /** The blog posts of a year, a month or a day: `2026`, `2026-06` or `2026-06-15`. */
  | { kind: 'dates'; dates: string; page: number }
  | { kind: 'unknown' }
  | AddressesOfPlugins[keyof AddressesOfPlugins];

/** What plugins have at their addresses, by name (`declare module`): each has a `kind` of its own. @public */
export interface ContentOfPlugins {}

/** The content at an address. */
export type Found = Shown | { kind: 'elsewhere'; url: string; isGuess: boolean };

/** The same, unless it is a redirect. */
export type Shown =
  | { kind: 'front'; page: number }
  | { kind: 'post'; post: Post }
  | { kind: 'term'; term: Term; page: number }
  | { kind: 'author'; author: User; page: number }
  | { kind: 'dates'; dates: string; page: number }
  | ContentOfPlugins[keyof ContentOfPlugins];

/** An entry of a feed. */
export interface FeedItem {
  title: string;
  url: string;
  guid: string;
  /** When it was published, or takes place: UTC, `YYYY-MM-DD HH:MM:SS`; empty when unknown. */
  date: string;
  modified: string;
  author?: string | undefined;
  categories: readonly string[];
  summary: Html;
  /** Null if it is password-protected. */
  content: Html | null;
}

/** The content of a feed, and the page that it belongs to. */
export interface FeedContent {
  title: string;
  page: string;
  items: FeedItem[];
  /** The page that it links to. Default: the page of its URL. */
  link?: string;
  /** Time of its last change. Default: the newest item's. */
  modified?: string;
}

/** An item with a page. */
export interface NamedLink {
  title: Html;
  url: string;
}
