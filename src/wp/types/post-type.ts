import type { MetaRow, Post } from '../model.js';
import type { Options } from '../options.js';
import type { PostQuery, Sorts } from '../query/post-query.js';

/** A meta key that the core API shows (WP: `register_meta`). */
export interface RegisteredMeta {
  key: string;
  kind: 'text' | 'flag' | 'ids';
}

export type StartingBlock = readonly [name: string, attributes?: Readonly<Record<string, string>>];

/** How each derived column of a post is computed. */
export type DerivedColumns = { readonly [Name in keyof Post]?: (post: Post) => Post[Name] };

/** A post type. WP: the arguments of `register_post_type`, and what is stored of its posts. */
export interface PostType {
  name: string;
  /** How it is called on the screen. */
  label: string;
  singular: string;
  /** What it is for. */
  description?: string;
  /** Last part of its path in the core API. */
  base: string;
  hierarchical?: boolean;
  archive?: boolean;
  icon?: string;
  /** Blocks that a new post starts with in the block editor: the name of each, and its attributes. */
  startingBlocks?: readonly StartingBlock[];
  taxonomies?: readonly string[];
  /** Names of a single and of several items in capabilities. */
  capability: readonly [one: string, many: string];
  /** Capabilities by another name than that. */
  rights?: Readonly<Record<string, string>>;
  viewable: boolean;
  /** Its posts have the fields of pages in the core API, although it is not viewable. */
  pageFields?: true;
  /** Shown where menus are made, and in the administration. */
  inMenus: boolean;
  inAdmin: boolean;
  supports: readonly string[];
  /** Meta keys that are registered for this type alone. */
  meta?: readonly RegisteredMeta[];
  /** Flags among the registered keys that are shown even where no other meta are. */
  embeddedFlags?: readonly string[];
  /** What lists in the core API add to their query. @param now the time on the clock of the site */
  listClauses?: (now: string) => Partial<PostQuery>;
  /** The order of its lists in the core API where no column orders them: by relevance, or by the ids or slugs that are sent. */
  ownOrder?: keyof Sorts;
  /** The meta after an update through the core API. */
  afterCoreUpdate?: (before: MetaRow[], after: MetaRow[], siteZone: string) => MetaRow[];
  /** Meta keys that a search looks into besides title, excerpt and content; absent: a search does not look into such posts. */
  searched?: readonly string[];
  /** Columns that filters and sorts use, computed from the rest of the post whenever it is written. */
  columns?: DerivedColumns;
  /**
   * What the derived columns of a changed post need to know of the post before.
   * @param keeps true when a column that can no longer be made stays as it was
   */
  carry?: (before: Post, meta: readonly MetaRow[], keeps: boolean) => Partial<Post>;
  /** Ids of other posts that are shown with a post of this type. */
  references?: (post: Post) => readonly number[];
  /** The first part of the pretty addresses of its posts; the name of the type when absent. */
  folder?: (options: Options) => string;
}

/** A taxonomy. WP: the arguments of `register_taxonomy`; the types that have it name it themselves. */
export interface Taxonomy {
  name: string;
  label: string;
  singular: string;
  /** Last part of its path in the core API. */
  base: string;
  hierarchical: boolean;
  /** What managing, editing, deleting and assigning its terms takes. */
  capabilities: readonly [manage: string, edit: string, remove: string, assign: string];
  /** Its terms have pages, and count the published posts that have them. */
  isPublic: boolean;
  adminColumn: boolean;
  /** Posts have the slugs of its terms as further classes that begin with this. */
  styled?: string;
  /** The first parts of the addresses of its terms. */
  folder?: (options: Options) => string;
}
