import { LINKED, type LinkedKind, readText, type Fields } from './event.js';
import { withMeta, type MetaRow, type Post, type User } from '../../../wordpress/model.js';
import type { Related } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';

/** Ids of the linked posts of an event, in the stored order. */
export const linkedIds = (event: Post, kind: LinkedKind): readonly number[] => event[LINKED[kind].column] ?? [];

function linkedPost(id: number, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post | null {
  const post = posts.get(id);
  return post?.type === LINKED[kind].type ? post : null;
}

/** Linked posts of an event of one kind, in the stored order. */
export const linkedPosts = (event: Post, kind: LinkedKind, related: Pick<Related, 'posts'>): Post[] =>
  linkedIds(event, kind).flatMap((id) => linkedPost(id, kind, related) ?? []);

/** The stored value of a field of a linked post; empty if its type has no such field. */
export function linkedText(post: Post, name: string): string {
  const fields: Fields = Object.values(LINKED).find(({ type }) => type === post.type)?.fields ?? {};
  return Object.hasOwn(fields, name) ? readText(post, fields[name]) : '';
}

/** The meta of an event with these linked posts of one kind. */
export const writeLinks = (meta: MetaRow[], kind: LinkedKind, ids: readonly number[]): MetaRow[] =>
  withMeta(meta, LINKED[kind].link.key, ids.map(String));

interface LinkReader {
  site: Pick<Site, 'quirks' | 'registry'>;
  user: User | null;
  related: Pick<Related, 'posts'>;
}

/** A linked post by id, if events show it. TEC: in every status. */
export function shownLinkedPost(id: number, kind: LinkedKind, { site, user, related }: LinkReader): Post | null {
  const post = linkedPost(id, kind, related);
  return post && (site.quirks.has('linked-posts-ignore-status') || canRead(user, post, site.registry)) ? post : null;
}

/** The linked posts of one kind that an event shows. */
export const shownLinked = (event: Post, kind: LinkedKind, reader: LinkReader): Post[] =>
  linkedIds(event, kind).flatMap((id) => shownLinkedPost(id, kind, reader) ?? []);
