import { canEdit } from '../wp/users/capabilities.js';
import { thumbnail, type Related } from '../wp/related.js';
import { presentImage } from './images.js';
import { metaValues, type Post, type User } from '../wp/model.js';
export { permalink } from '../wp/permalinks.js';
import { EVENT_FIELDS } from '../tec/event.js';
import type { RestRequest } from '../rest/request.js';
import type { Site } from '../wp/site.js';
import type { Image } from '../types.js';

/** For whom and where something is shown: all that a presenter knows besides the post itself. */
export interface View {
  site: Site;
  /** Namespace of the route that was called: self-links echo it. */
  namespace: string;
  user: User | null;
  /** Password that came with the request. */
  password: string | undefined;
  /** `context=edit`: those who may edit see behind passwords. */
  editing: boolean;
  /** The response to a write. TEC: of an event it shows what a password protects to those who may edit. */
  writing?: boolean;
  /** A single GET: with `json_ld`. */
  single: boolean;
  related: Related;
  /** Shows what several posts have in common, such as a venue or an image: once, as long as nothing changes in it. */
  share?: Share;
}

/** @param name what of the document is shown */
export type Share = <T extends object | false>(collection: 'posts' | 'terms', document: { _id: number }, name: string, show: () => T) => T;

export function viewOf(request: RestRequest, site: Site, single: boolean): Omit<View, 'related'> {
  const password = request.get('password');
  return {
    site,
    namespace: request.namespace,
    user: request.user,
    password: typeof password === 'string' || typeof password === 'number' ? String(password) : undefined,
    editing: request.get('context') === 'edit',
    writing: request.method !== 'GET',
    single,
  };
}

/** True when a password keeps the contents from this caller. TEC: in a GET not even an administrator gets past it without `context=edit`. */
export function isWithheld(post: Post, { password, editing, user }: View): boolean {
  return post.password !== '' && post.password !== password && !(editing && canEdit(user, post));
}

/** The image object of a post's featured image, or false. */
export function imageOf(post: Post, { site, related, share }: View): Image | false {
  const source = thumbnail(post, related);
  const show = (): Image | false => presentImage(source, site.uploadsUrl);
  return source && share ? share('posts', source, 'image', show) : show();
}

export const globalId = (post: Post, site: Site): string => `${site.globalIdBase}?id=${post._id}`;

/** TEC: the own id, then those that the item had where it was imported from. */
export const globalIdLineage = (post: Post, site: Site): string[] => [
  globalId(post, site),
  ...metaValues(post, EVENT_FIELDS.global_id_lineage.key),
];
