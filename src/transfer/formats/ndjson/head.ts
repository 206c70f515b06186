import type { Declarations } from '../../../wordpress/types/declared.js';

/**
 * NDJSON: one JSON value per line. The first line describes the content; options, users, terms, posts and files follow as they are stored,
 * without derived columns. The last line has the number of items, which reveals truncated files. Files are base64-encoded, so one stream
 * contains everything.
 */

/** The first line. */
export interface Head {
  understudy: 'dataset';
  /** Name of the source for messages. */
  name?: string;
  version: 1;
  site_url: string;
  /** ISO 8601. */
  clock: string | null;
  keeps_ids: boolean;
  /** Plugins of the site besides the ones that every site has. */
  plugins?: readonly string[];
  declares?: Declarations;
  next_ids?: { posts: number; terms: number };
  count?: number;
}
