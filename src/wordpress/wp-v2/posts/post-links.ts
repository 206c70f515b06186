import { can, canDelete, canEdit, canRead, canWithPosts } from '../../users/capabilities.js';
import type { Post, User } from '../../model.js';
import { type Json, canEditTerms } from '../../rest/route.js';
import type { PostView } from '../../rest/posts/post-fields.js';
import { isInRest } from '../../types/post-type.js';
import { supportsOf } from '../../types/registry.js';
import type { RestType, Support } from '../../rest/posts/post-types.js';

export interface PostLink {
  [key: string]: Json;
  href: string;
}

export type PostLinks = Record<string, PostLink[]>;

const CURIES: PostLink[] = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

/** Links with `curies` if a short name is used (WP). */
export const withCuries = (links: PostLinks): PostLinks =>
  Object.keys(links).some((relation) => relation.startsWith('wp:')) ? { ...links, curies: CURIES } : links;

const UPDATING = ['POST', 'PUT', 'PATCH'];

/** Methods that a caller may use on a readable item (WP: hints of the link `self`). */
export const allowHints = (mayUpdate: boolean, mayDelete: boolean): string[] => [
  'GET',
  ...(mayUpdate ? UPDATING : []),
  ...(mayDelete ? ['DELETE'] : []),
];

/** WP: relations for the permissions of the caller, which all link to the post. */
function actions(type: RestType, user: User | null, taxonomies: RestType['taxonomies']): string[] {
  const forTerms = taxonomies.flatMap(({ base, name, hierarchical }) => [
    ...(!hierarchical || canEditTerms(user, name, type.registry) ? [`create-${base}`] : []),
    `assign-${base}`,
  ]);
  const has = (feature: Support): boolean => type.supports.includes(feature);
  const [mayPublish, mayEditOthers] = [canWithPosts(user, 'publish', type), canWithPosts(user, 'edit_others', type)];
  return [
    ...(mayPublish ? ['publish'] : []),
    ...(can(user, 'unfiltered_html') ? ['unfiltered-html'] : []),
    ...(has('sticky') && mayPublish && mayEditOthers ? ['sticky'] : []),
    ...(has('author') && mayEditOthers ? ['assign-author'] : []),
    ...(canWithPosts(user, 'edit', type) ? forTerms : []),
  ].map((action) => `wp:action-${action}`);
}

/** WP: `up` links to the parent of any type. */
function upward({ parent }: Post, { hierarchical }: RestType, { site, user, related }: PostView): PostLinks {
  const above = hierarchical ? related.posts.get(parent) : undefined;
  const base = above && site.registry.findPostType(above.type)?.base;
  if (!above || base === undefined) return {};
  const isShown = canRead(user, above, site.registry) || site.quirks.has('links-lead-to-refusals');
  return isShown ? { up: [{ embeddable: true, href: site.restUrl(`/wp/v2/${base}/${above._id}`) }] } : {};
}

/**
 * `_links` of a post. Relations for permissions are shown in the edit context.
 * @param media id of its featured image, 0 for none
 */
export function postLinks(post: Post, type: RestType, view: PostView, media: number): PostLinks {
  const { site, user } = view;
  const [mayEdit, mayDelete] = [canEdit(user, post, site.registry), canDelete(user, post, site.registry)];
  const editing = view.context === 'edit';
  const base = `/wp/v2/${type.base}`;
  const href = (path: string): string => site.restUrl(path);
  const self = href(`${base}/${post._id}`);
  const taxonomies = type.taxonomies.filter((taxonomy) => isInRest(taxonomy, site));
  const terms = taxonomies.map(({ name, base: of }) => ({
    taxonomy: name,
    embeddable: true,
    href: href(`/wp/v2/${of}?post=${post._id}`),
  }));
  // WP: for all callers, even without permission.
  const showsHistory = type.revisions && (mayEdit || site.quirks.has('links-lead-to-refusals'));
  return withCuries({
    self: [{ href: self, targetHints: { allow: allowHints(mayEdit, mayDelete) } }],
    collection: [{ href: href(base) }],
    about: [{ href: href(`/wp/v2/types/${type.name}`) }],
    ...(post.author === 0 || !type.supports.includes('author')
      ? {}
      : { author: [{ embeddable: true, href: href(`/wp/v2/users/${post.author}`) }] }),
    ...(supportsOf(type, site.quirks).includes('comments')
      ? { replies: [{ embeddable: true, href: href(`/wp/v2/comments?post=${post._id}`) }] }
      : {}),
    ...(showsHistory ? { 'version-history': [{ count: 0, href: `${self}/revisions` }] } : {}),
    ...upward(post, type, view),
    ...(media === 0 ? {} : { 'wp:featuredmedia': [{ embeddable: true, href: href(`/wp/v2/media/${media}`) }] }),
    'wp:attachment': [{ href: href(`/wp/v2/media?parent=${post._id}`) }],
    ...(terms.length === 0 ? {} : { 'wp:term': terms }),
    ...(editing && mayEdit ? Object.fromEntries(actions(type, user, taxonomies).map((action) => [action, [{ href: self }]])) : {}),
  });
}
