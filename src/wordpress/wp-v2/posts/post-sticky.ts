import { POST, type Post } from '../../model.js';
import { listPosts } from '../../posts/posts.js';
import type { PostListCall } from './post-args.js';
import type { PostListPlan } from './post-list.js';

/** Maximum number of additional sticky posts. */
const MOST_STICKY = 100;

/** WP: as on the front page of a blog, so not in searches, lists of terms and later pages. */
const isFrontPage = ({ query, paging }: PostListPlan): boolean => paging.page === 1 && !query.search && !query.terms && !query.formats;

/**
 * The posts of a page, preceded by sticky ones if `ignore_sticky=false`. WP: these ignore other filters, and are added to the page size.
 */
export async function stickyFirst(posts: Post[], plan: PostListPlan, { params, site }: PostListCall): Promise<Post[]> {
  const isAsked = params.ignore_sticky === false && params.sticky !== false;
  if (!isAsked || !isFrontPage(plan)) return posts;
  const others = await listPosts(site.store, {
    type: POST,
    statuses: ['publish'],
    sticky: true,
    excludeIds: [...posts.map(({ _id }) => _id), ...params.exclude],
    sort: 'newest',
    limit: MOST_STICKY,
    offset: 0,
  });
  return [...posts.filter(({ sticky }) => sticky), ...others, ...posts.filter(({ sticky }) => !sticky)];
}
