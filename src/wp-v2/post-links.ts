import { can, canDelete, canEdit, canWithPosts } from '../wp/capabilities.js';
import type { Post, User } from '../wp/model.js';
import type { Site } from '../wp/site.js';
import type { Json } from '../rest/route.js';
import { canEditTerms } from './rights.js';
import type { CorePostType } from './post-types.js';

export interface Link {
  [key: string]: Json;
  href: string;
}

export type Links = Record<string, Link[]>;

const CURIES: Link[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Links with the explanation of their short names, where one is used (WP). */
export const withCuries = (links: Links): Links =>
  Object.keys(links).some((relation) => relation.startsWith('wp:')) ? { ...links, curies: CURIES } : links;

const UPDATING = ['POST', 'PUT', 'PATCH'];

/** Methods that a caller may use on an item that is theirs to read (WP: hints of its own link). */
export const allowHints = (mayUpdate: boolean, mayDelete: boolean): string[] => [
  'GET',
  ...(mayUpdate ? UPDATING : []),
  ...(mayDelete ? ['DELETE'] : []),
];

/** WP: what else a caller may do with a post, as relations that all lead to it. */
function actions(type: CorePostType, user: User | null): string[] {
  const forTerms = type.taxonomies.flatMap(({ base, name, hierarchical }) => [
    ...(!hierarchical || canEditTerms(user, name) ? [`create-${base}`] : []),
    `assign-${base}`,
  ]);
  return [
    ...(canWithPosts(user, 'publish') ? ['publish'] : []),
    ...(can(user, 'unfiltered_html') ? ['unfiltered-html'] : []),
    ...(canWithPosts(user, 'edit_others') ? ['assign-author'] : []),
    ...(canWithPosts(user, 'edit') ? forTerms : []),
  ].map((action) => `wp:action-${action}`);
}

/**
 * `_links` of a post.
 * @param media id of its featured image, 0 for none
 * @param editing links to what the caller may do are shown with the edit context
 */
export function postLinks(post: Post, type: CorePostType, site: Site, user: User | null, media: number, editing: boolean): Links {
  const base = `/wp/v2/${type.base}`;
  const href = (path: string): string => site.restUrl(path);
  const self = href(`${base}/${post._id}`);
  const terms = type.taxonomies.map(({ name, base: of }) => ({
    taxonomy: name,
    embeddable: true,
    href: href(`/wp/v2/${of}?post=${post._id}`),
  }));
  return withCuries({
    self: [{ href: self, targetHints: { allow: allowHints(canEdit(user, post), canDelete(user, post)) } }],
    collection: [{ href: href(base) }],
    about: [{ href: href(`/wp/v2/types/${type.name}`) }],
    ...(post.author === 0 ? {} : { author: [{ embeddable: true, href: href(`/wp/v2/users/${post.author}`) }] }),
    'version-history': [{ count: 0, href: `${self}/revisions` }],
    ...(media === 0 ? {} : { 'wp:featuredmedia': [{ embeddable: true, href: href(`/wp/v2/media/${media}`) }] }),
    'wp:attachment': [{ href: href(`/wp/v2/media?parent=${post._id}`) }],
    ...(terms.length === 0 ? {} : { 'wp:term': terms }),
    ...(editing && canEdit(user, post) ? Object.fromEntries(actions(type, user).map((action) => [action, [{ href: self }]])) : {}),
  });
}
