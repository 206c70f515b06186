import type { ImageFacts } from '../wordpress/media/files.js';
import type { Comment, Post, Term, User } from '../wordpress/model.js';
import type { Declarations } from '../wordpress/types/declared.js';

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
  /** Declarations of the file. */
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
