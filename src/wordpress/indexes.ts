import type { Index, Indexes } from '../database/store/database.js';
import { ANY_CASE, ANY_TEXT } from '../database/store/indexes.js';

/** The collections and their indexes. `npm run evidence` shows which index each list uses. */

/** A plugin's indexes of posts. */
export interface IndexExtension {
  posts: readonly Index[];
  /** Columns appended to the indexes of general orders, so that filters can use them without reading the document. */
  carried: Index['key'];
}

/** The order of lists of blog posts, pages and attachments. */
const LATEST_FIRST = { type: 1, status: 1, date: -1, _id: -1 } as const;

/** The indexes of each collection. They do not depend on what a site declares, which may change. */
export function indexesOf(extensions: readonly IndexExtension[]): Indexes {
  const carried = Object.assign({}, ...extensions.map((extension) => extension.carried)) as Record<string, 1>;
  return {
    posts: [...extensions.flatMap(({ posts }) => posts), ...postIndexes(carried)],
    terms: [
      { key: { taxonomy: 1, slug: 1 }, name: 'terms_by_slug', unique: true },
      { key: { taxonomy: 1, nameKey: 1, _id: 1 }, name: 'terms_by_name' },
      { key: { taxonomy: 1, parent: 1, nameKey: 1, _id: 1 }, name: 'terms_by_parent' },
      { key: { taxonomy: 1, count: 1, _id: 1 }, name: 'terms_by_count' },
    ],
    users: [
      { key: { login: 1 }, name: 'users_by_login', unique: true, collation: ANY_CASE },
      { key: { email: 1 }, name: 'users_by_email', collation: ANY_CASE },
      { key: { nicename: 1 }, name: 'users_by_nicename' },
    ],
    comments: [
      { key: { post: 1, approved: 1, dateGmt: -1, _id: -1 }, name: 'comments_by_post' },
      { key: { approved: 1, dateGmt: -1, _id: -1 }, name: 'comments_by_date' },
      { key: { parent: 1 }, name: 'comments_by_parent' },
      { key: { author: 1, dateGmt: -1 }, name: 'comments_by_author' },
      { key: { authorEmail: 1, dateGmt: -1 }, name: 'comments_by_email' },
    ],
    options: [],
  };
}

const postIndexes = (carried: Record<string, 1>): Index[] => [
  {
    key: { 'terms.category': 1, ...LATEST_FIRST },
    name: 'posts_by_category',
    partialFilterExpression: { 'terms.category': { $exists: true } },
  },
  { key: { sticky: 1, ...LATEST_FIRST }, name: 'posts_by_sticky', partialFilterExpression: { sticky: true } },
  { key: { format: 1, ...LATEST_FIRST }, name: 'posts_by_format', partialFilterExpression: { format: { $exists: true } } },
  // Also for the children of deleted posts.
  { key: { parent: 1, ...LATEST_FIRST }, name: 'posts_by_parent', partialFilterExpression: { parent: { $gt: 0 } } },
  // Partial, so that the query planner does not choose it for lists of events by start.
  {
    key: { ...LATEST_FIRST, ...carried },
    name: 'posts_by_date',
    partialFilterExpression: { date: ANY_TEXT },
  },
  {
    key: { type: 1, status: 1, titleKey: 1, _id: 1, ...carried },
    name: 'posts_in_title_order',
    partialFilterExpression: { titleKey: ANY_TEXT },
  },
  { key: { author: 1, ...LATEST_FIRST, ...carried }, name: 'posts_by_author' },
  { key: { type: 1, slug: 1, _id: 1 }, name: 'posts_by_slug' },
  { key: { type: 1, slugKey: 1 }, name: 'posts_unique_slug', unique: true, partialFilterExpression: { slugKey: { $exists: true } } },
  { key: { dateGmt: 1 }, name: 'posts_by_schedule', partialFilterExpression: { status: 'future' } },
  { key: { file: 1 }, name: 'attachments_by_file', partialFilterExpression: { file: { $exists: true } } },
  { key: { 'meta.key': 1, 'meta.value': 1 }, name: 'attachments_by_meta', partialFilterExpression: { type: 'attachment' } },
  { key: { guid: 1 }, name: 'attachments_by_guid', partialFilterExpression: { type: 'attachment' } },
];
