import type { Exchange } from './recordings/exchange.js';
import type { Comment, Post, Term, User } from '../wordpress/model.js';
import type { Declarations } from '../wordpress/types/declared.js';
import type { ImageFacts } from '../wordpress/media/files.js';

/** A file for the uploads folder of the site. */
export interface SourceFile {
  /** Path of the file that is copied. */
  source: string;
  /** Folder that the file must be in, also its real path: content from elsewhere names it. Absent: anywhere. */
  within?: string;
  /** Content of the file, if there is no file to copy. */
  data?: Uint8Array;
  /** Path below the uploads folder. */
  target: string;
  /** Skip the file if the source does not exist. */
  optional?: boolean;
  /** Set for an original image without its sizes. They are generated when the image is stored, and added to its attachment. */
  image?: ImageFacts;
}

/** The content of a dataset file, ready to be stored: posts and terms include their derived columns. */
export interface DatasetContent {
  posts: Post[];
  terms: Term[];
  users: User[];
  comments?: Comment[];
  options: Record<string, unknown>;
  declarations?: Declarations;
  nextIds: { posts: number; terms: number };
  /** Time at which the clock is frozen, ms since 1970 UTC, or null for real time. */
  clock: number | null;
  /** URL of the site that the dataset comes from, without trailing slash, or `''`. */
  siteUrl: string;
  files: SourceFile[];
  /** Posts and terms that are only mentioned, by id. */
  mentions?: { posts: ReadonlyMap<number, Mention>; terms: ReadonlyMap<number, Mention> };
}

/** A reference to something that the file does not contain, which is created unless the site has it. */
export interface Mention {
  name: string;
  /** Path of the reference: `events[3].venue`. */
  path: string;
  /** Problem to report if nothing may be created. */
  problem: string;
}

/** Counts the published posts of each term. */
export function countTermUse(posts: readonly Post[]): Map<number, number> {
  const counts = new Map<number, number>();
  const published = posts.filter(({ status }) => status === 'publish');
  for (const id of published.flatMap(({ terms }) => [...new Set(Object.values(terms).flat())])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * An item of content on its way into or out of a site. Content is streamed, so no format needs to hold all of it. Every reader (own formats,
 * WXR, CSV, iCalendar, a live site, the generator) returns a source, every writer accepts one, and one loader stores it. Documents have no
 * derived columns.
 */
export type SourceItem =
  /** Options of the site by their stored names (WP: `wp_options`); later ones override earlier ones. */
  | { kind: 'options'; options: Record<string, unknown>; at?: SourcePlace }
  | { kind: 'user'; user: User; at?: SourcePlace }
  /**
   * `reuse`: only mentioned. If the taxonomy already has a term with this name or slug, it is used. `absent`: what is wrong if it has none and
   * nothing may be created.
   */
  | { kind: 'term'; term: Term; reuse?: boolean; absent?: string; at?: SourcePlace }
  /**
   * `reuse`: only mentioned, such as the venue of an event in a CSV file. If the store already has a post of this type with this title
   * (compared by `titleKey`), that post is used and not changed; otherwise the post is created. `bySlug`: also if it has one with this slug.
   */
  | { kind: 'post'; post: Post; reuse?: boolean; bySlug?: boolean; absent?: string; at?: SourcePlace }
  | { kind: 'comment'; comment: Comment; at?: SourcePlace }
  /** A file of the uploads folder. */
  | { kind: 'file'; file: SourceFile; at?: SourcePlace };

/** Location of an item, for messages: the line and column (from 1) and the path within the file, if the format has them. */
export interface SourcePlace {
  file?: string;
  line?: number | undefined;
  column?: number | undefined;
  path?: string;
}

/** A source of content. Its items may be read more than once: first to validate, then to load. */
export interface DatasetSource {
  /** Name for messages: the file name or the URL of the site. */
  name: string;
  /** URL of the site that the content comes from, without trailing slash, or ''. Loading rewrites links to it. */
  siteUrl: string;
  /** Time at which the clock is frozen, ms since 1970 UTC; null for real time. */
  clock: number | null;
  /**
   * Whether ids are kept unless they are in use. Otherwise they only identify the items within this source, and the store assigns new ones.
   */
  keepsIds: boolean;
  /** Names of the plugins of the site besides the ones that every site has. */
  plugins?: readonly string[];
  declarations?: Declarations;
  /** The next ids to assign after the content, if known. */
  nextIds?: { posts: number; terms: number };
  /** Real path of the file that it is read from. */
  file?: string | undefined;
  /** Paths below `uploads` of required files that do not exist; reported as problems, too. */
  missing?: readonly string[];
  /** The same for paths below `stubs`. */
  missingStubs?: readonly string[];
  /** The parts of a site that it is limited to; absent: all. */
  parts?: readonly string[];
  /** The source that it is a part of, which contains referenced items. */
  whole?: DatasetSource;
  /** The recorded responses that it consists of. */
  exchanges?: readonly Exchange[];
  /** Number of items, for progress reports, if known. */
  count?: number;
  /**
   * Yields the items: options first, then users, then all others in any order. An invalid item is skipped.
   * @param problems receives every problem, with its location
   */
  items(problems: (problem: string, at?: SourcePlace) => void): AsyncIterable<SourceItem>;
}
