import { withMeta, type MetaRow, type Post, type User } from '../wp/model.js';
import type { Related } from '../wp/related.js';
import type { Site } from '../wp/site.js';
import { canRead } from '../wp/users/capabilities.js';
import { readText, type Fields } from './field.js';
import { LINKED, type LinkedKind } from './kinds/index.js';

export * from './kinds/index.js';

/** Ids of what is linked to an event, in the order in which they are stored. */
export const linkedIds = (event: Post, kind: LinkedKind): readonly number[] => event[LINKED[kind].column] ?? [];

/** A linked post by id, if there is one of the kind. */
function linkedPost(id: number, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post | null {
  const post = posts.get(id);
  return post?.type === LINKED[kind].type ? post : null;
}

/** Posts of a kind that are linked to an event, in the order in which they are stored. */
export const linkedPosts = (event: Post, kind: LinkedKind, related: Pick<Related, 'posts'>): Post[] =>
  linkedIds(event, kind).flatMap((id) => linkedPost(id, kind, related) ?? []);

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

/** A linked post by id, if events show it. TEC: they do in every status. */
export function shownLinkedPost(id: number, kind: LinkedKind, { site, user, related }: Reader): Post | null {
  const post = linkedPost(id, kind, related);
  return post && (site.quirks.has('linked-posts-ignore-status') || canRead(user, post)) ? post : null;
}

/** Posts of a kind that an event shows as linked to it. */
export const shownLinked = (event: Post, kind: LinkedKind, reader: Reader): Post[] =>
  linkedIds(event, kind).flatMap((id) => shownLinkedPost(id, kind, reader) ?? []);
