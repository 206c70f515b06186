/**
 * One JSON value per line: first what is known of the whole, then options, users, terms, posts and files as the store keeps them but for
 * the columns that it derives, at last how many items there were, so that a file that was cut short is known for one. Files are in it as
 * base64, so one stream has everything.
 */

/** The first line. */
export interface Head {
  understudy: 'dataset';
  /** What people know the content by. */
  name?: string;
  version: 1;
  site_url: string;
  /** ISO 8601. */
  clock: string | null;
  keeps_ids: boolean;
  next_ids?: { posts: number; terms: number };
  count?: number;
}
