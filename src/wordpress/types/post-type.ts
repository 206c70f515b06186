import type { Zones } from '../../base/php/timezone.js';
import type { MetaRow, Post } from '../model.js';
import type { Options } from '../options.js';
import type { QuirkName } from '../quirks.js';
import type { PostQuery, Sorts } from '../query/post-query.js';
import type { DeclaredMeta } from './declared-meta.js';

/** A meta key in the core API (WP: `register_meta`). */
export interface RegisteredMeta {
  key: string;
  kind: 'text' | 'flag' | 'ids' | 'declared';
  /** Declaration of a site, if `kind` is that. */
  declared?: DeclaredMeta;
  description?: string;
  /** The post types that have it. Absent: all. */
  types?: readonly string[];
}

export type StartingBlock = readonly [name: string, attributes?: Readonly<Record<string, string>>];

/** The functions that compute the derived columns of a post. */
export type DerivedColumns = { readonly [Name in keyof Post]?: (post: Post) => Post[Name] };

/** A post type. WP: the arguments of `register_post_type`. Also describes how its posts are stored. */
export interface PostType {
  name: string;
  /** Plural name. */
  label: string;
  singular: string;
  /** The label of the list of all of them. WP: by default the plural name, as menus show it. */
  allItems?: string;
  /** Purpose of the type. */
  description?: string;
  /** Last segment of its path in the core API. */
  base: string;
  hierarchical?: boolean;
  /** WP: hierarchical types with pages. Addresses contain the slugs of ancestors, and slugs are unique among siblings only. */
  nestedSlugs?: boolean;
  /** The folder of the list of its posts, by the settings of the site; absent: it has no list. */
  archive?: (options: Options) => string;
  /** The same as the core API shows it. Default: true if it has a list. */
  archiveShown?: boolean | string;
  icon?: string;
  /** Blocks that a new post starts with in the block editor: the name of each, and its attributes. */
  startingBlocks?: readonly StartingBlock[];
  taxonomies?: readonly string[];
  /** Singular and plural in the names of capabilities. */
  capability: readonly [one: string, many: string];
  /** Capabilities that do not follow this pattern. */
  rights?: Readonly<Record<string, string>>;
  viewable: boolean;
  /** WP: `show_in_rest` is false. It has no routes, and is in no list of types. */
  isInternal?: true;
  /** WP: `rewrite` is false. Its posts have plain permalinks. */
  plainLinks?: true;
  /** Whether it is shown in menus and in the administration. */
  inMenus: boolean;
  inAdmin: boolean;
  supports: readonly string[];
  /** WP: whether editors can leave notes on its posts. */
  hasNotes?: true;
  supportsUnder?: Readonly<Record<string, QuirkName>>;
  /** Whether the settings of a site give it the feature `comments`, with which its posts are created from then on. */
  takesComments?: { quirk: QuirkName; when: (options: Options) => boolean };
  /** The quirk under which it is not registered. */
  absentUnder?: QuirkName;
  /** Meta keys that are registered for this type only. */
  meta?: readonly RegisteredMeta[];
  /** Registered flags that are shown even in contexts without other meta. */
  embeddedFlags?: readonly string[];
  /** Conditions added to the queries of lists in the core API. @param now site time */
  listClauses?: (now: string) => Partial<PostQuery>;
  /** The order of its lists in the core API where no column orders them: by relevance, or by the ids or slugs that are sent. */
  ownOrder?: keyof Sorts;
  /** Returns the meta after an update through the core API. */
  afterCoreUpdate?: (before: MetaRow[], after: MetaRow[], site: { siteZone: string; zones: Zones }) => MetaRow[];
  /** Meta keys that are searched besides title, excerpt and content. Absent: the type is not searchable. */
  searched?: readonly string[];
  /** Columns that filters and sorts use, computed from the rest of the post whenever it is written. */
  columns?: DerivedColumns;
  /**
   * Returns columns of the previous version that the derived columns of an updated post depend on.
   * @param keeps whether to keep columns that can no longer be derived
   */
  carry?: (before: Post, meta: readonly MetaRow[], keeps: boolean) => Partial<Post>;
  /** Columns with the ids of posts that are shown with a post. */
  references?: readonly IdColumn[];
  /** First segment of pretty permalinks. Default: the name of the type. */
  folder?: (options: Options) => string;
  /** The same under the usual settings, which the `guid` of posts keeps that have none of their own. */
  usualFolder?: string;
}

/** The columns of posts that hold ids. */
type IdColumn = { [Name in keyof Post]-?: Post[Name] extends number[] | undefined ? Name : never }[keyof Post];

/** Finds what is registered (`Registry`) by name. */
export interface Registered {
  findPostType: (name: string) => PostType | undefined;
  findTaxonomy: (name: string) => Taxonomy | undefined;
}

/** A taxonomy. WP: the arguments of `register_taxonomy`. Its post types list it in `taxonomies`. */
export interface Taxonomy {
  name: string;
  label: string;
  singular: string;
  /** Last segment of its path in the core API. */
  base: string;
  hierarchical: boolean;
  /** The capabilities required for managing, editing, deleting and assigning its terms. */
  capabilities: readonly [manage: string, edit: string, remove: string, assign: string];
  /** Whether its terms have pages and counts of published posts. */
  isPublic: boolean;
  adminColumn: boolean;
  /** Prefix of the CSS classes of posts, made from the slugs of their terms. */
  styled?: string;
  /** WP: `rewrite.hierarchical` is false. The URLs of its terms have no ancestors. */
  flatLinks?: boolean;
  /** First segments of the URLs of its terms. */
  folder?: (options: Options) => string;
  /** The settings under which WordPress has `show_in_rest` as false. It has no routes, and its terms are in no field of the core API. */
  isOutsideRest?: (options: Options) => boolean;
}

/** Whether the core API of a site shows a taxonomy. */
export const isInRest = ({ isOutsideRest }: Pick<Taxonomy, 'isOutsideRest'>, { options }: { options: Options }): boolean =>
  isOutsideRest?.(options) !== true;

/** A status of posts. WP: the arguments of `register_post_status`. */
export interface PostStatus {
  name: string;
  /** How it is called on the screen. */
  label: string;
  isPublic?: true;
  isPrivate?: true;
  isProtected?: true;
  /** Only for use within WordPress: the core API does not list it, and clients cannot set it. */
  isInternal?: true;
  /** Posts have pages that can be opened by address. */
  isQueryable?: true;
  /** Left out of the list of all posts in the administration. */
  isUnlisted?: true;
  /** Posts have no settled date. */
  hasFloatingDate?: true;
}

const internal = (name: string, label = name): PostStatus => ({ name, label, isInternal: true, isUnlisted: true });

/** Statuses of WordPress itself, in the order of their registration. */
export const CORE_STATUSES: readonly PostStatus[] = [
  { name: 'publish', label: 'Published', isPublic: true, isQueryable: true },
  { name: 'future', label: 'Scheduled', isProtected: true },
  { name: 'draft', label: 'Draft', isProtected: true, hasFloatingDate: true },
  { name: 'pending', label: 'Pending', isProtected: true, hasFloatingDate: true },
  { name: 'private', label: 'Private', isPrivate: true },
  internal('trash', 'Trash'),
  internal('auto-draft'),
  internal('inherit'),
  internal('request-pending', 'Pending'),
  internal('request-confirmed', 'Confirmed'),
  internal('request-failed', 'Failed'),
  internal('request-completed', 'Completed'),
];
