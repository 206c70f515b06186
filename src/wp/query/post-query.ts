/** A stage of a pipeline, or a condition in one. */
export interface Stage {
  [key: string]: unknown;
}

/** Words to look for, folded (`foldForSearch`). */
export interface SearchClause {
  /** All must occur. `inOneField`: in one and the same field (TEC: venues, organizers); else each in any (WP: events). */
  words: string[];
  without: string[];
  inOneField: boolean;
  /** Positions of the fields to look into; all when absent. Those of `SEARCH_COLUMNS` come first. */
  fields?: readonly number[];
  /** A field has to be the word, not only to hold it. */
  exact?: boolean;
  /** The name of the file of an attachment is a field as well. */
  inFile?: boolean;
}

/** Fields of a post that every search can look into, in the order in which its folded texts are kept. */
export const SEARCH_COLUMNS = ['post_title', 'post_excerpt', 'post_content'] as const;

/** Columns that a list of posts may be sorted by, as `wp/v2` names it. */
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

/** The orders that have a name. Plugins add theirs. */
export interface Sorts {
  newest: Stage;
}

/** The order of a list by a column that every post has, or by what is asked for. */
export type PostOrder =
  | { by: keyof typeof ORDER_COLUMNS; descending: boolean }
  /** In the order of the ids or slugs that are asked for. */
  | { by: 'ids' | 'slugs' }
  /** WP: by where the words of a search stand; then by date. */
  | { by: 'relevance'; phrase: string; descending: boolean };

/** How a date of a post is compared. Values are wall-clock text of the site. */
export interface PublishedClause {
  column: 'date' | 'modified';
  operator: '$gt' | '$lt';
  value: string;
}

/** Terms of a taxonomy that posts must have: any of them, all of them, or none. */
export interface TermClause {
  taxonomy: string;
  ids: number[];
  match?: 'any' | 'all' | 'none';
}

/**
 * A list of posts as plain data: what is asked for, before any database. All conditions AND together. Plugins add conditions of their own
 * (`declare module`), with a clause for each (`registerQueries`).
 */
export interface PostQuery {
  type: string | readonly string[];
  statuses: readonly string[];
  ids?: number[];
  excludeIds?: number[];
  /** One entry per filter by a taxonomy. */
  terms?: TermClause[];
  /** One of the filters by taxonomy is enough. */
  anyTaxonomy?: boolean;
  authors?: number[];
  excludeAuthors?: number[];
  slugs?: string[];
  published?: PublishedClause[];
  parent?: number;
  parents?: number[];
  excludeParents?: number[];
  menuOrder?: number;
  /** Blog posts that are kept at the top, or the others. */
  sticky?: boolean;
  /** Blog posts of one of these formats; `standard` stands for those that have none. */
  formats?: string[];
  /** Attachments of one of these types. */
  mimeTypes?: readonly string[];
  search?: SearchClause;
  /** Leaves out what is not published, unless it belongs to this user. */
  readableBy?: number;
  /** Conditions on other columns. */
  where?: readonly Stage[];
  /** Leaves out what has a password (WP: searches of anonymous callers). */
  withoutPassword?: boolean;
  /** The column that sorts the list lies between these values. */
  range?: { column: string; first: string; last: string };
  sort: keyof Sorts | PostOrder;
  /** A list in a named order, from its end on. */
  backwards?: boolean;
  limit: number;
  offset: number;
}
