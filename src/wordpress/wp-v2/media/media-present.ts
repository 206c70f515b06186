import { attachmentPattern, attachmentUrl, effectiveStatus, fileUrl } from '../../media/attachments.js';
import { can, canDelete, canEdit, canRead, canWithPosts } from '../../users/capabilities.js';
import { renderTitle } from '../../formatting/content.js';
import { planImage } from '../../media/sizes.js';
import type { Registry } from '../../types/registry.js';
import { ATTACHMENT, metaValue, type ImageSize, type Post, type User } from '../../model.js';
import { guidPath } from '../../posts/permalinks.js';
import type { Json } from '../../rest/route.js';
import type { Site } from '../../site.js';
import { ALT_TEXT, isImage, renderCaption, renderDescription } from './media-write.js';
import { iso, isoUtc, withShownMeta } from '../../rest/posts/post-fields.js';
import { withRestFields } from '../../rest/rest-fields/shown.js';
import { sharedMetaSchemas, presentMeta } from '../../rest/posts/post-types.js';
import { allowHints, withCuries, type PostLinks } from '../posts/post-links.js';
import { storedSize, uploadedFile } from '../../media/file-sizes.js';
import type { Context } from '../../rest/params.js';

/** The context in which attachments are shown. */
export interface MediaView {
  site: Site;
  user: User | null;
  context: Context;
  /** Their parents, and the ancestors of these, by id. */
  parents: ReadonlyMap<number, Post>;
  /** Their featured images, by id. `parents` has what these are attached to. */
  images: ReadonlyMap<number, Post>;
  /** Sizes of their files, in bytes, by id; only where none is stored. */
  fileSizes: ReadonlyMap<number, number>;
  /** Slugs that they would get from their titles, by id; only in the edit context. */
  slugs: ReadonlyMap<number, string>;
}

const parentOf = (post: Post, { parents }: Pick<MediaView, 'parents'>): Post | undefined => parents.get(post.parent);

/** The attachment for permission checks: with the status of its parent (WP). */
const guarded = (post: Post, view: Pick<MediaView, 'parents'>): Post => ({
  ...post,
  status: effectiveStatus(post, parentOf(post, view)),
});

/** WP: an attachment may be read by users who may read its parent. */
export function canReadMedia(user: User | null, post: Post, view: Pick<MediaView, 'parents' | 'site'>): boolean {
  const parent = parentOf(post, view);
  return post.status === 'inherit' && parent
    ? canRead(user, parent, view.site.registry)
    : canRead(user, guarded(post, view), view.site.registry);
}

export const canEditMedia = (user: User | null, post: Post, view: Pick<MediaView, 'parents' | 'site'>): boolean =>
  canEdit(user, guarded(post, view), view.site.registry);
export const canDeleteMedia = (user: User | null, post: Post, view: Pick<MediaView, 'parents' | 'site'>): boolean =>
  canDelete(user, guarded(post, view), view.site.registry);

const raw = (text: string, { context }: MediaView): { raw?: string } => (context === 'edit' ? { raw: text } : {});

const caption = (post: Post, view: MediaView): Json => ({ ...raw(post.excerpt, view), rendered: renderCaption(post, view.site) });

function size({ 'mime-type': type, ...rest }: ImageSize, folder: string): Json {
  const { file, width, height, filesize } = rest;
  return { file, width, height, ...(filesize === undefined ? {} : { filesize }), mime_type: type, source_url: `${folder}/${file}` };
}

/** The details of the file. WP: if there are smaller versions, the full one is listed, too. */
function details(post: Post, site: Site): Json {
  const { image, fileSize, mimeType = '' } = post;
  if (!image) return fileSize === undefined ? {} : { filesize: fileSize, sizes: {} };
  const url = fileUrl(post, site);
  const folder = url.replace(/\/[^/]*$/, '');
  const sizes = Object.entries(image.sizes).map(([name, entry]) => [name, size(entry, folder)] as const);
  const { width, height, file, filesize, image_meta, original_image, parent_image } = image;
  const full = { file: file.replace(/^.*\//, ''), width, height, mime_type: mimeType, source_url: url };
  return {
    width,
    height,
    file,
    ...(filesize === undefined ? {} : { filesize }),
    sizes: sizes.length === 0 ? {} : { ...Object.fromEntries(sizes), full },
    ...(image_meta === undefined ? {} : { image_meta: cameraData(image_meta, site) }),
    ...(original_image === undefined ? {} : { original_image }),
    ...(parent_image === undefined ? {} : { parent_image: { ...parent_image } }),
  };
}

/** WP: the alternative text is the newest member. Images of older releases have none, here they have an empty one. */
function cameraData({ alt = '', ...known }: Record<string, unknown>, { quirks }: Site): Json {
  const isEmpty = Object.keys(known).length === 0;
  return (isEmpty || quirks.has('no-alternative-texts-in-images') ? known : { ...known, alt }) as Json;
}

/** Fields that older releases lack, in the view and edit contexts. */
function newerFields(post: Post, { site, context, fileSizes }: MediaView): Record<string, Json> {
  const { quirks } = site;
  const showsImage = context === 'edit' && isImage(post);
  const orientation = Number(post.image?.image_meta?.orientation ?? 0);
  return {
    ...(quirks.has('no-file-names-of-media')
      ? {}
      : {
          filename: uploadedFile(post).replace(/^.*\//, '') || null,
          filesize: storedSize(post) ?? fileSizes.get(post._id) ?? null,
          ...(showsImage ? { exif_orientation: orientation > 0 ? orientation : 1 } : {}),
        }),
    ...(showsImage && !quirks.has('no-encoding-of-images')
      ? {
          image_output_format: null,
          image_save_progressive: false,
          image_quality: { default: post.mimeType === 'image/webp' ? 86 : 82, sizes: [] },
        }
      : {}),
  };
}

/** Sizes of a picture of these dimensions that are missing (WP). */
function missingSizes(post: Post, { registeredSizes }: Registry): string[] {
  const { image, mimeType = '' } = post;
  if (!image || image.width === 0 || !isImage(post)) return [];
  const plan = planImage({ width: image.width, height: image.height, file: image.file, mimeType }, registeredSizes, 0);
  return plan.sizes.map(({ name }) => name).filter((name) => !Object.hasOwn(image.sizes, name));
}

const featured = (post: Post): number => Number(metaValue(post, '_thumbnail_id') ?? 0);

function classes(post: Post): string[] {
  const image = featured(post) === 0 ? [] : ['has-post-thumbnail'];
  return [`post-${post._id}`, ATTACHMENT, `type-${ATTACHMENT}`, `status-${post.status}`, ...image, 'hentry'];
}

/** The address of an attachment's page. */
export const mediaLink = (post: Post, view: Pick<MediaView, 'site' | 'parents' | 'user'>): string =>
  attachmentUrl(post, view.parents.get(post.parent), view.site, view.parents, canReadMedia(view.user, post, view));

/** The fields of an attachment, without its links. */
export const mediaFields = (post: Post, view: MediaView): Record<string, Json> =>
  withRestFields(ownFields(post, view), post, ATTACHMENT, view, () => canEditMedia(view.user, post, view));

/** The fields that WordPress has. */
function ownFields(post: Post, view: MediaView): Record<string, Json> {
  const { site, context } = view;
  const editing = context === 'edit';
  const guid = `${site.url}${guidPath(post, site)}`;
  const common = {
    slug: post.slug,
    ...(context === 'embed' ? {} : { status: post.status }),
    type: ATTACHMENT,
    link: mediaLink(post, view),
    title: { ...raw(post.title, view), rendered: renderTitle(post.title) },
    author: post.author,
    featured_media: featured(post),
  };
  const file = {
    alt_text: metaValue(post, ALT_TEXT) ?? '',
    media_type: isImage(post) ? 'image' : 'file',
    mime_type: post.mimeType ?? '',
    media_details: details(post, site),
  };
  if (context === 'embed') {
    return { id: post._id, date: iso(post.date), ...common, caption: caption(post, view), ...file, source_url: fileUrl(post, site) };
  }
  return {
    id: post._id,
    date: iso(post.date),
    date_gmt: isoUtc(post.date, post.dateGmt, site),
    guid: { rendered: guid, ...(editing ? { raw: guid } : {}) },
    modified: iso(post.modified),
    modified_gmt: isoUtc(post.modified, post.modifiedGmt, site),
    ...common,
    comment_status: post.commentStatus ?? 'open',
    ping_status: post.pingStatus ?? 'closed',
    template: '',
    meta: withShownMeta(presentMeta(post, sharedMetaSchemas(post.type, site.registry)), post, view),
    ...(editing
      ? {
          permalink_template: attachmentPattern(post, parentOf(post, view), site, view.parents, canReadMedia(view.user, post, view)),
          generated_slug: view.slugs.get(post._id) ?? '',
        }
      : {}),
    class_list: classes(post),
    description: { ...raw(post.content, view), rendered: renderDescription(post, site) },
    caption: caption(post, view),
    ...file,
    post: post.parent === 0 ? null : post.parent,
    source_url: fileUrl(post, site),
    ...(editing ? { missing_image_sizes: missingSizes(post, site.registry) } : {}),
    ...newerFields(post, view),
  };
}

/** WP: relations for the permissions of the caller, which all link to the attachment. */
const actions = (user: User | null): string[] => [
  ...(can(user, 'unfiltered_html') ? ['wp:action-unfiltered-html'] : []),
  ...(canWithPosts(user, 'edit_others') ? ['wp:action-assign-author'] : []),
];

/** The featured image to which it links; 0: none. */
function linkedImage(post: Post, view: MediaView): number {
  if (view.site.quirks.has('links-to-hidden-images')) return featured(post);
  const image = view.images.get(featured(post));
  return image && canReadMedia(view.user, image, view) ? image._id : 0;
}

/** WP: the post that it is attached to, whether the caller may read that or not. */
function attachedTo(post: Post, view: MediaView): PostLinks {
  const { site, user } = view;
  const parent = parentOf(post, view);
  if (!parent || site.quirks.has('no-links-from-media-to-parents')) return {};
  const base = site.registry.findPostType(parent.type)?.base;
  // WP: posts of types without routes are linked to the index of all routes.
  const isLost = base === undefined || !canRead(user, parent, site.registry);
  if (isLost && !site.quirks.has('links-lead-to-refusals')) return {};
  const href = site.restUrl(base === undefined ? '/' : `/wp/v2/${base}/${parent._id}`);
  return { 'wp:attached-to': [{ embeddable: true, post_type: parent.type, id: parent._id, href }] };
}

function links(post: Post, view: MediaView): PostLinks {
  const { site, user, context } = view;
  const self = site.restUrl(`/wp/v2/media/${post._id}`);
  const image = linkedImage(post, view);
  const editable = canEditMedia(user, post, view);
  return withCuries({
    self: [{ href: self, targetHints: { allow: allowHints(editable, canDeleteMedia(user, post, view)) } }],
    collection: [{ href: site.restUrl('/wp/v2/media') }],
    about: [{ href: site.restUrl(`/wp/v2/types/${ATTACHMENT}`) }],
    ...(post.author === 0 ? {} : { author: [{ embeddable: true, href: site.restUrl(`/wp/v2/users/${post.author}`) }] }),
    replies: [{ embeddable: true, href: site.restUrl(`/wp/v2/comments?post=${post._id}`) }],
    ...(image === 0 ? {} : { 'wp:featuredmedia': [{ embeddable: true, href: site.restUrl(`/wp/v2/media/${image}`) }] }),
    ...attachedTo(post, view),
    ...(context === 'edit' && editable ? Object.fromEntries(actions(user).map((action) => [action, [{ href: self }]])) : {}),
  });
}

/** An attachment as the core API shows it. */
export const presentMedia = (post: Post, view: MediaView): Json => ({ ...mediaFields(post, view), _links: links(post, view) });
