import { intval, isEmpty } from '../../../base/php/cast.js';
import { RestError } from '../../rest/error.js';
import type { CallContext, Param, Permission } from '../../rest/route.js';
import { insertAttachment, type AttachmentData } from '../../media/attachment-save.js';
import { can, canEdit, canWithPosts } from '../../users/capabilities.js';
import { effectiveStatus } from '../../media/attachments.js';
import { cleanMetaText } from '../../formatting/sanitize.js';
import { ATTACHMENT, withMeta, type MetaRow, type Post } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import { storeUpload, type StoredUpload } from '../../media/upload.js';
import type { Site } from '../../site.js';
import type { ParamsOf } from '../../rest/params.js';
import type { uploadArgs } from './media-args.js';
import { fromUrl } from './media-from-url.js';
import { ALT_TEXT } from './media-html.js';
import { asUploadError, incoming } from './media-incoming.js';
import { metaAfter, sentMedia, type MediaWrite, type SentMedia } from './media-write.js';
import { storedTitle } from '../../rest/posts/post-params.js';
import { refusal } from '../../rest/permissions.js';

const AS_THIS_USER = 'Sorry, you are not allowed to create posts as this user.';

/** The parent of the upload: undefined if none is sent, null if it does not exist. */
async function namedParent(sent: Param, { store }: Site): Promise<Post | null | undefined> {
  return isEmpty(sent) ? undefined : findPost(store, intval(sent));
}

/** WP: permissions to upload. */
export const mayUpload: Permission = async (context) => {
  const { request } = context;
  const { user } = request;
  if (intval(request.get('id') ?? 0) !== 0) return new RestError('rest_post_exists', 'Cannot create existing post.', 400);
  const author = request.get('author');
  if (!isEmpty(author) && author !== user?._id && !canWithPosts(user, 'edit_others'))
    return refusal(user, 'rest_cannot_edit_others', AS_THIS_USER);
  if (!can(user, 'upload_files')) return refusal(user, 'rest_cannot_create', AS_THIS_USER);
  const parent = await namedParent(request.get('post'), context.site);
  if (parent === undefined) return true;
  const guarded = parent && { ...parent, status: effectiveStatus(parent, undefined) };
  const allowed = guarded !== null && canEdit(user, guarded, context.site.registry);
  return allowed || refusal(user, 'rest_cannot_edit', 'Sorry, you are not allowed to upload media to this post.');
};

/** WP: uploads are stored in the month of their parent, else the current one. */
const monthOf = (parent: Post | null | undefined, now: string): string => {
  const date = parent && !parent.date.startsWith('0000') ? parent.date : now;
  return date.slice(0, 7).replace('-', '/');
};

/** WP: by default, the alternative text is the one in the image. */
function withStoredAlt(meta: MetaRow[], { image }: StoredUpload, { params, site }: MediaWrite): MetaRow[] {
  const text = image?.image_meta?.alt;
  const isUsed = isEmpty(params.alt_text) && typeof text === 'string' && !site.quirks.has('no-alternative-texts-in-images');
  const clean = isUsed ? cleanMetaText(text) : '';
  return clean === '' ? meta : withMeta(meta, ALT_TEXT, [clean]);
}

async function newMedia(sent: SentMedia, title: string, stored: StoredUpload, context: MediaWrite): Promise<AttachmentData> {
  const { site, request } = context;
  return {
    title: sent.title || storedTitle(title, context),
    content: sent.content ?? '',
    excerpt: sent.excerpt ?? '',
    author: sent.author ?? request.user?._id ?? 0,
    status: sent.status ?? 'inherit',
    parent: sent.parent ?? 0,
    ...(sent.date ?? { date: site.nowLocal, dateGmt: site.nowUtc }),
    meta: withStoredAlt(await metaAfter([], context), stored, context),
    commentStatus: sent.commentStatus ?? (site.options.discussion.comments === 'open' ? undefined : site.options.discussion.comments),
    pingStatus: sent.pingStatus,
    slug: sent.slug,
  };
}

const titleOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

export type MediaUpload = CallContext & { params: ParamsOf<ReturnType<typeof uploadArgs>> };

/**
 * Stores an upload: a raw body with a `Content-Disposition`, the field `file` of a form, or the image at a URL.
 * @throws RestError if WordPress rejects it
 */
export async function upload(context: MediaUpload): Promise<Post> {
  const { params, site } = context;
  const parent = await namedParent(params.post ?? 0, site);
  if (parent?.type === ATTACHMENT) throw new RestError('rest_invalid_param', 'Invalid parent type.', 400);
  const file = params.url ? await fromUrl(params.url, site) : incoming(context);
  const sent = await sentMedia(context);
  const attach = async (stored: StoredUpload): Promise<Post> =>
    insertAttachment(site, stored, await newMedia(sent, file.title ?? titleOf(stored.file), stored, context));
  const makesSizes = params.generate_sub_sizes !== false;
  return storeUpload(site, { ...file, makesSizes }, monthOf(parent, site.nowLocal), attach).catch((error: unknown) =>
    asUploadError(error, file),
  );
}
