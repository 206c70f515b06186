import { resavedTexts } from '../../posts/post-save.js';
import type { ParamsOf } from '../../rest/params.js';
import { type CallContext, type Param, type Permission, RestError, refusal } from '../../rest/route.js';
import type { Site } from '../../site.js';
import type { mediaArgs, uploadArgs } from './media-args.js';
import { cleanMetaText, escUrl } from '../../formatting/sanitize.js';
import { ATTACHMENT, withMeta, type MetaRow, type Post, type User } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import { sharedMetaSchemas, writeMeta } from '../../rest/posts/post-types.js';
import { sentAuthor, dateOf, statusOf, sentPostText, sentTitle, withImage, storedTitle } from '../../rest/posts/post-params.js';
import { withoutUndefined } from '../../../base/values/records.js';
import { trimWords } from '../../formatting/strip-tags.js';
import { fileUrl, effectiveStatus } from '../../media/attachments.js';
import { ALT_TEXT, imageTag, isImage } from '../../media/pictures.js';
import { capitalP, filterContent, filterExcerpt, EXCERPT_WORDS, type RenderOptions } from '../../formatting/content.js';
import { scheduleImage } from '../../formatting/media-tags.js';
import { NO_REFERENCES } from '../../formatting/references.js';
import { mediaPlayer } from '../../formatting/shortcodes/media-players.js';
import { stripShortcodes } from '../../formatting/shortcodes/shortcode-syntax.js';
import { convertSmilies } from '../../formatting/smilies.js';
import { intval, isEmpty } from '../../../base/php/cast.js';
import { can, canEdit, canWithPosts } from '../../users/capabilities.js';
import { storeUpload, type StoredUpload, insertAttachment, type AttachmentData } from '../../media/upload.js';
import { fromUrl, asUploadError, incoming } from './media-incoming.js';

export { ALT_TEXT, isImage };

/** The HTML before the description of an attachment: the picture, a player, or a link (WP). */
function preface(post: Post, site: Site): string {
  const url = fileUrl(post, site);
  const kind = /^(audio|video)\//.exec(post.mimeType ?? '')?.[1];
  if (kind === 'audio' || kind === 'video')
    return mediaPlayer(kind, { src: url }, '', { postId: post._id, references: NO_REFERENCES, shown: { audio: 0, video: 0, gallery: 0 } });
  if (isImage(post))
    return `<p class="attachment"><a href='${escUrl(url)}'>${scheduleImage(imageTag(post, 'medium', site.uploadsUrl))}</a></p>`;
  const name = post.title || url.slice(url.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  // WP: only the last filters of texts see the link.
  return convertSmilies(capitalP(`<p class="attachment"><a href='${escUrl(url)}'>${name}</a></p>`), site.url);
}

const optionsOf = (post: Post, site: Site): RenderOptions => ({
  siteUrl: site.url,
  postId: post._id,
  references: { ...NO_REFERENCES, quirks: site.quirks },
});

/** The description of an attachment as HTML. */
export const renderDescription = (post: Post, site: Site): string =>
  `${preface(post, site)}\n${filterContent(post.content, optionsOf(post, site))}`;

/** The caption of an attachment as HTML. WP: by default the first words of its description, including the link. */
export function renderCaption(post: Post, site: Site): string {
  const described = (): string => renderDescription({ ...post, content: stripShortcodes(post.content) }, site).replaceAll(']]>', ']]&gt;');
  return filterExcerpt(post.excerpt || trimWords(described(), EXCERPT_WORDS), optionsOf(post, site));
}

/** The validated fields of an attachment in a write. Undefined fields were not sent. */
interface SentMedia {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  slug?: string | undefined;
  status?: string | undefined;
  author?: number | undefined;
  parent?: number | undefined;
  date?: Pick<Post, 'date' | 'dateGmt'> | undefined;
  commentStatus?: string | undefined;
  pingStatus?: string | undefined;
}

/** A call that creates or updates an attachment. */
export type MediaWrite = CallContext & { params: ParamsOf<ReturnType<typeof mediaArgs>> };

/** WP: the parent of an attachment must not be an attachment. @throws RestError */
async function parentOf(sent: number | undefined, { store }: Site): Promise<number | undefined> {
  if (sent === undefined) return undefined;
  const id = Math.max(0, sent);
  const parent = id === 0 ? null : await findPost(store, id);
  if (parent?.type === ATTACHMENT) throw new RestError('rest_invalid_param', 'Invalid parent type.', 400);
  return id;
}

/** WP: an attachment is either private or has the status of its parent. */
function attachmentStatus(sent: string | undefined, user: User | null): string | undefined {
  const status = statusOf(sent, user);
  return status === undefined ? undefined : status === 'private' ? 'private' : 'inherit';
}

/** Reads the sent fields. @throws RestError if WordPress rejects them */
export async function sentMedia(call: MediaWrite): Promise<SentMedia> {
  const { params, request, site } = call;
  const date = dateOf(params, call);
  return {
    title: sentTitle(params.title, call),
    content: sentPostText(params.description, call),
    excerpt: sentPostText(params.caption, call),
    slug: params.slug,
    status: attachmentStatus(params.status, request.user),
    author: await sentAuthor(params.author, site),
    parent: await parentOf(params.post, site),
    date: date ? { date: date.date, dateGmt: date.dateGmt } : undefined,
    commentStatus: params.comment_status,
    pingStatus: params.ping_status,
  };
}

/** The meta after a write: alternative text, featured image, and registered keys. */
async function metaAfter(meta: MetaRow[], { params, site }: MediaWrite): Promise<MetaRow[]> {
  const text = params.alt_text === undefined ? undefined : cleanMetaText(params.alt_text);
  const withAlt = text === undefined ? meta : withMeta(meta, ALT_TEXT, text === '' ? [] : [text]);
  return writeMeta(await withImage(withAlt, params.featured_media, site), params.meta, sharedMetaSchemas(ATTACHMENT, site.registry));
}

/**
 * The changes to an attachment, to be applied to the version stored at the time of writing.
 * @throws RestError if WordPress rejects them
 */
export async function changedMedia(post: Post, call: MediaWrite): Promise<(current: Post) => AttachmentData> {
  const { slug, date, ...sent } = await sentMedia(call);
  const meta = await metaAfter(post.meta, call);
  return (current) => {
    const { title, content, excerpt, author, status, parent, commentStatus, pingStatus } = {
      ...current,
      ...resavedTexts(current, call.request.user, call.site),
      ...withoutUndefined(sent),
    };
    const dates = date ?? { date: current.date, dateGmt: current.dateGmt };
    return { title, content, excerpt, author, status, parent, commentStatus, pingStatus, ...dates, meta, slug };
  };
}

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
