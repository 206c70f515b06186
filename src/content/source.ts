import { LINKED, LINKED_KINDS } from '../tec/linked.js';
import type { DatasetFile } from './dataset.js';
import type { Post, Term, User } from '../wp/model.js';

/**
 * Content on its way into or out of a site, one item at a time, so that no format has to hold all of it. Every reader (own formats, WXR,
 * CSV, iCalendar, a live site, made-up content) gives a source, every writer takes one, and one loader puts a source into a store.
 * Documents come without their derived columns.
 */
export type DatasetItem =
  /** Options of the site by their stored names (WP: `wp_options`); later ones win. */
  | { kind: 'options'; options: Record<string, unknown> }
  | { kind: 'user'; user: User; at?: Place }
  /** `reuse`: known by its name only. A term of the taxonomy that is called like it is meant, whatever its slug. */
  | { kind: 'term'; term: Term; reuse?: boolean; at?: Place }
  /**
   * `reuse`: only named in passing, such as the venue of an event in a table. Where the store has a post of this type with this title (as
   * `titleKey` compares), that one is meant, and it stays as it is; else the post is made.
   */
  | { kind: 'post'; post: Post; reuse?: boolean; at?: Place }
  /** A file of the uploads folder. */
  | { kind: 'file'; file: DatasetFile; at?: Place };

/** Where an item was read, for people: the line (from 1) and the path within the file, as far as the format has them. */
export interface Place {
  file?: string;
  line?: number;
  path?: string;
}

/** Readers may be asked more than once for the items of one source: first to check all of it, then to load it. */
export interface DatasetSource {
  /** What people know it by: the name of the file or the address of the site. */
  name: string;
  /** Address of the site that the content comes from, without trailing slash; links to it move to where it is loaded. '' when unknown. */
  siteUrl: string;
  /** The moment that the content is about, ms since 1970; null when it has none. */
  clock: number | null;
  /**
   * Whether ids are those of a site and are kept where nobody else has them; otherwise they only tell the items of this source apart,
   * and the store hands out its own.
   */
  keepsIds: boolean;
  /** First ids to hand out after the content, when known. */
  nextIds?: { posts: number; terms: number };
  /** How many items there are, for progress, when known beforehand. */
  count?: number;
  /**
   * In any order, except that options and users come first. Faults of the input go to `problems`, and the item is left out.
   * @param problems told of every fault, with its place
   */
  items(problems: (problem: string, at?: Place) => void): AsyncIterable<DatasetItem>;
}

/** Derived whenever a post is stored. */
const DERIVED: ReadonlySet<string> = new Set([
  'occurrence',
  'hidden',
  'featured',
  'ticketed',
  ...LINKED_KINDS.map((kind) => LINKED[kind].column),
  'slugKey',
  'location',
  'titleKey',
  'search',
]);

/** A stored post without the columns that are derived from the others. */
export const withoutDerived = <T extends object>(post: T): T =>
  Object.fromEntries(Object.entries(post).filter(([key]) => !DERIVED.has(key))) as T;
