import { POST, type Post } from '../../wp/model.js';
import { listPosts } from '../../wp/posts.js';
import type { PostListCall } from './post-args.js';
import type { PostListPlan } from './post-list.js';

/** Blog posts that are fetched besides those of a page. */
const MOST_STICKY = 100;

/** WP: as on the front page of a blog, so not in lists by words or terms, and not on further pages. */
const isFrontPage = ({ query, paging }: PostListPlan): boolean => paging.page === 1 && !query.search && !query.terms && !query.formats;

/**
 * The posts of a page with those that are kept at the top first, where that is requested (`ignore_sticky=false`). WP: those come
 * despite the other filters of the list, and beyond the size of the page.
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
