import type { Post } from '../../model.js';
import type { PostQuery } from '../../query/post-query.js';
import type { CallContext } from '../route.js';

/** Who may read the posts of a type, beyond what WordPress says. */
export interface PostReaders {
  type: string;
  /** Restricts a list to what its caller may read, so that totals tell nothing else. */
  readable: (context: CallContext) => Promise<Partial<PostQuery>>;
  mayRead: (post: Post, context: CallContext) => Promise<boolean>;
}

declare module '../../types/hooks.js' {
  interface Hooks {
    /** Further conditions for reading (WP: `map_meta_cap`). */
    postReaders: PostReaders;
  }
}

const readersOf = (type: string, { site }: CallContext): PostReaders[] =>
  site.registry.hooks('postReaders').filter((each) => each.type === type);

/** Conditions that plugins add to the query of a list of a type. */
export async function readableOf(type: string, context: CallContext): Promise<Partial<PostQuery>> {
  const added = await Promise.all(readersOf(type, context).map(({ readable }) => readable(context)));
  return Object.assign({}, ...added) as Partial<PostQuery>;
}

/** Whether plugins let a caller read a post that WordPress lets them read. */
export async function mayReadAlso(post: Post, context: CallContext): Promise<boolean> {
  for (const { mayRead } of readersOf(post.type, context)) if (!(await mayRead(post, context))) return false;
  return true;
}
