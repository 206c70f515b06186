import type { Post, Term, User } from '../model.js';
import type { PostQuery } from '../query/post-query.js';
import type { PostType } from '../types/post-type.js';
import type { Html } from './html.js';

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

/** The content at an address. */
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

/** The content of a feed of posts. */
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
