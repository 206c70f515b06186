import { withMeta, type MetaRow, type Post, type User } from '../wp/model.js';
import type { Related } from '../wp/related.js';
import type { Site } from '../wp/site.js';
import { canRead } from '../wp/users/capabilities.js';
import { readText, type Fields } from './field.js';
import { LINKED, type LinkedKind } from './kinds/index.js';

export * from './kinds/index.js';

/** Posts of a kind that are linked to an event, in the order in which they are stored. */
export const linkedPosts = (event: Post, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post[] =>
  (event[LINKED[kind].column] ?? []).map((id) => posts.get(id)).filter((post): post is Post => post?.type === LINKED[kind].type);

/** A field of a linked post by name, as it is stored; empty where its type has none of that name. */
export function linkedText(post: Post, name: string): string {
  const fields: Fields = Object.values(LINKED).find(({ type }) => type === post.type)?.fields ?? {};
  return Object.hasOwn(fields, name) ? readText(post, fields[name]) : '';
}

/** The meta of an event after it was linked to these posts of a kind. */
export const writeLinks = (meta: MetaRow[], kind: LinkedKind, ids: readonly number[]): MetaRow[] =>
  withMeta(meta, LINKED[kind].link.key, ids.map(String));

/** For whom something is shown. */
export interface Reader {
  site: Pick<Site, 'quirks'>;
  user: User | null;
  related: Pick<Related, 'posts'>;
}

/** Posts of a kind that an event shows as linked to it. TEC: all, in every status. */
export function shownLinked(event: Post, kind: LinkedKind, { site, user, related }: Reader): Post[] {
  const posts = linkedPosts(event, kind, related);
  return site.quirks.has('linked-posts-ignore-status') ? posts : posts.filter((post) => canRead(user, post));
}
