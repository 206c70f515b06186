import { canEdit } from '../wp/users/capabilities.js';
import { thumbnail, thumbnailOf, type Related } from '../wp/related.js';
import { presentImage } from './images.js';
import { metaValues, type Post, type User } from '../wp/model.js';
export { permalink } from '../wp/permalinks.js';
import { EVENT_FIELDS } from '../tec/event.js';
import type { RestRequest } from '../rest/request.js';
import type { Site } from '../wp/site.js';
import type { Image } from '../types/responses.js';

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

/**
 * @param name what of the document is shown
 * @param show looks at the document only here, since it may not even be loaded otherwise
 * @returns what `show` returns, or something that is as good as that in JSON only
 */
export type Share = <T extends object | string | false | null>(collection: 'posts' | 'terms', id: number, name: string, show: () => T) => T;

/** Shares nothing. */
export const showAlways: Share = (_collection, _id, _name, show) => show();

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

function sharedImage<T extends Image | string | false>(post: Post, view: View, name: string, show: (image: Image | false) => T): T {
  const { site, related, share = showAlways } = view;
  const make = (): T => show(presentImage(thumbnail(post, related), site.uploadsUrl));
  const id = thumbnailOf(post);
  return id > 0 ? share('posts', id, name, make) : make();
}

/** The image object of a post's featured image, or false. */
export const imageOf = (post: Post, view: View): Image | false => sharedImage(post, view, 'image', (image) => image);

/** The same image in JSON-LD: its address. */
export function imageJsonLd(post: Post, view: View): { image?: string } {
  const image = sharedImage(post, view, 'image url', (image) => (image ? image.url : ''));
  return image === '' ? {} : { image };
}

export const globalId = (post: Post, site: Site): string => `${site.globalIdBase}?id=${post._id}`;

/** TEC: the own id, then those that the item had where it was imported from. */
export const globalIdLineage = (post: Post, site: Site): string[] => [
  globalId(post, site),
  ...metaValues(post, EVENT_FIELDS.global_id_lineage.key),
];
