import type { ImageFacts } from '../wp/media/files.js';
import type { Post, Term, User } from '../wp/model.js';

/** A file for the uploads folder of the site. */
export interface DatasetFile {
  /** Path of the file that is copied. */
  source: string;
  /** What is in it, where there is no file to copy. */
  data?: Uint8Array;
  /** Path below the uploads folder. */
  target: string;
  /** Left out when the source does not exist. */
  optional?: boolean;
  /** An image of which only the upload is there: its versions are made when it is stored, and its attachment is completed then. */
  image?: ImageFacts;
}

/** What a dataset file holds, ready to be stored: posts and terms are derived. */
export interface Dataset {
  posts: Post[];
  terms: Term[];
  users: User[];
  options: Record<string, unknown>;
  /** The first ids that are handed out afterwards. */
  nextIds: { posts: number; terms: number };
  /** The moment that the dataset is about, milliseconds since 1970 UTC, or null when it has no time of its own. */
  clock: number | null;
  /** Address of the site that the dataset was taken from, without trailing slash, or `''`. */
  siteUrl: string;
  files: DatasetFile[];
}

/** How many of the published posts have each term. */
export function countTermUse(posts: readonly Post[]): Map<number, number> {
  const counts = new Map<number, number>();
  const published = posts.filter(({ status }) => status === 'publish');
  for (const id of published.flatMap(({ terms }) => [...new Set(Object.values(terms).flat())])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
