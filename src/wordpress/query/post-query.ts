import type { SearchClause } from '../../database/memory/text-index.js';

export type { SearchClause } from '../../database/memory/text-index.js';

/** A pipeline stage, or a condition in one. */
export interface Stage {
  [key: string]: unknown;
}

/** Searchable fields of all posts, in the order of the folded texts (`Post.search`). */
export const SEARCH_COLUMNS = ['post_title', 'post_excerpt', 'post_content'] as const;

/** Sort columns, by their names in `wp/v2`. */
export const ORDER_COLUMNS = {
  date: 'date',
  modified: 'modified',
  author: 'author',
  id: '_id',
  slug: 'slug',
  title: 'titleKey',
  parent: 'parent',
  menu_order: 'menuOrder',
} as const;

export const isOrderColumn = (name: string): name is keyof typeof ORDER_COLUMNS => Object.hasOwn(ORDER_COLUMNS, name);

/** The named orders. Plugins add theirs. */
export interface Sorts {
  newest: Stage;
}

/** An order by a column that every post has, or by arguments of the query. */
export type PostOrder =
  | { by: keyof typeof ORDER_COLUMNS; descending: boolean }
  /** The order of the ids or slugs in the query. */
  | { by: 'ids' | 'slugs' }
  /** WP: by where the words of the search occur; then by date. */
  | { by: 'relevance'; phrase: string; descending: boolean };

/** A comparison with a date of a post. The value is in site time. */
export interface PublishedClause {
  column: 'date' | 'modified';
  operator: '$gt' | '$gte' | '$lt' | '$lte';
  value: string;
}

/** A filter by terms of a taxonomy: any of them, all of them, or none. Default: any. */
export interface TermClause {
  taxonomy: string;
  ids: number[];
  match?: 'any' | 'all' | 'none';
}

/**
 * A query for a list of posts, independent of the database. All conditions must match. Plugins add conditions (`declare module`), with a
 * clause for each (`QueryExtension`).
 */
export interface PostQuery {
  type: string | readonly string[];
  statuses: readonly string[];
  ids?: number[];
  excludeIds?: number[];
  /** One entry per taxonomy filter. */
  terms?: TermClause[];
  /** Combines the taxonomy filters with OR. */
  anyTaxonomy?: boolean;
  authors?: number[];
  excludeAuthors?: number[];
  slugs?: string[];
  published?: PublishedClause[];
  parent?: number;
  parents?: number[];
  excludeParents?: number[];
  menuOrder?: number;
  /** Sticky blog posts, or the others. */
  sticky?: boolean;
  /** Blog posts with one of these formats. `standard` includes those without a format. */
  formats?: string[];
  /** Attachments with one of these types. */
  mimeTypes?: readonly string[];
  search?: SearchClause;
  /** Excludes unpublished posts of other users than this one. */
  readableBy?: number;
  /** Further conditions. */
  where?: readonly Stage[];
  /** Excludes posts with a password (WP: searches of anonymous callers). */
  withoutPassword?: boolean;
  /** Bounds of the sort column, inclusive. */
  range?: { column: string; first: string; last: string };
  sort: keyof Sorts | PostOrder;
  /** Reverses a named order. */
  backwards?: boolean;
  limit: number;
  offset: number;
}
