import type { Post } from '../../model.js';
import { escAttr } from '../entities.js';
import { escUrl } from '../esc-url.js';
import type { References } from '../references.js';
import { renderTitle } from '../title.js';

const USUAL_COUNT = 5;

interface Attributes {
  postsToShow?: unknown;
  postLayout?: unknown;
  columns?: unknown;
  order?: unknown;
  orderBy?: unknown;
}

function read(json: string): Attributes {
  try {
    return (JSON.parse(json) ?? {}) as Attributes;
  } catch {
    return {};
  }
}

/** In the order of the block; by date they are sorted already. */
function sorted(posts: readonly Post[], { orderBy, order }: Attributes): Post[] {
  const ascending = orderBy === 'title' ? posts.toSorted((a, b) => a.title.localeCompare(b.title, 'en')) : posts.toReversed();
  return order === 'asc' ? ascending : ascending.toReversed();
}

/** The list of the newest blog posts. Behaviour of the block core/latest-posts. */
export function latestPosts(json: string, { latestPosts: posts, linkTo, quirks }: References): string {
  const attributes = read(json);
  const count = typeof attributes.postsToShow === 'number' ? attributes.postsToShow : USUAL_COUNT;
  const grid =
    attributes.postLayout === 'grid' ? ` is-grid columns-${typeof attributes.columns === 'number' ? attributes.columns : 3}` : '';
  const items = sorted(posts, attributes)
    .slice(0, Math.max(count, 0))
    .map((post) => {
      const title = renderTitle(post.title) || '(no title)';
      return `<li><a class="wp-block-latest-posts__post-title" href="${escUrl(linkTo(post))}">${title}</a></li>\n`;
    });
  const layout = quirks.has('latest-posts-have-no-layout') ? '' : ' is-layout-flow wp-block-latest-posts-is-layout-flow';
  return `<ul class="wp-block-latest-posts__list${escAttr(grid)} wp-block-latest-posts${layout}">${items.join('')}</ul>`;
}
