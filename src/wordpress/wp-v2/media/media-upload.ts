import { createHash } from 'node:crypto';
import { intval, isEmpty } from '../../../base/php/cast.js';
import { RestError } from '../../rest/error.js';
import type { CallContext, Param, Permission } from '../../rest/route.js';
import { insertAttachment, type AttachmentData } from '../../media/attachment-save.js';
import { can, canEdit, canWithPosts } from '../../users/capabilities.js';
import { effectiveStatus } from '../../media/attachments.js';
import { MediaError } from '../../media/fetch.js';
import { ATTACHMENT, type Post } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import { storeUpload, type StoredUpload, type Upload } from '../../media/upload.js';
import type { Site } from '../../site.js';
import { metaAfter, sentMedia, type MediaWrite, type SentMedia } from './media-write.js';
import { storedTitle } from '../../rest/posts/post-params.js';
import { refusal } from '../../rest/permissions.js';

const EMPTY_FILE =
  'File is empty. Please upload something more substantial. This error could also be caused by uploads being disabled in your php.ini file or by post_max_size being defined as smaller than upload_max_filesize in php.ini.';

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

/** A file name in a `Content-Disposition` with any first word; undefined when there is none (WP). */
function dispositionName(header: string): string | undefined {
  const [, ...parts] = header.split(';');
  // WP: the last of several names applies.
  for (const part of parts.toReversed()) {
    const [name, ...rest] = part.split('=');
    const value = rest.join('=').trim();
    if (name.trim() !== 'filename' || value === '') continue;
    const quoted = /^"(.*)"$/s.exec(value);
    return quoted ? quoted[1] : value;
  }
  return undefined;
}

const noData = (): RestError => new RestError('rest_upload_no_data', 'No data supplied.', 400);

const header = ({ request }: CallContext, name: string): string => request.headers[name]?.trim() ?? '';

/** WP: an optional checksum, in hex. */
function checkHash(bytes: Buffer, context: CallContext): void {
  const expected = header(context, 'content-md5');
  if (expected !== '' && createHash('md5').update(bytes).digest('hex') !== expected)
    throw new RestError('rest_upload_hash_mismatch', 'Content hash did not match expected.', 412);
}

/** The kind of an upload, which determines the error codes (WP). */
interface Incoming extends Upload {
  failure: string;
  /** The default title; undefined: the name of the stored file. */
  title?: string;
}

function fromBody(context: CallContext): Incoming {
  const { raw } = context.request;
  if (raw.length === 0) throw noData();
  const disposition = header(context, 'content-disposition');
  if (disposition === '') throw new RestError('rest_upload_no_content_disposition', 'No Content-Disposition supplied.', 400);
  const name = dispositionName(disposition);
  if (name === undefined || name === '') {
    const form = 'Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.';
    throw new RestError('rest_upload_invalid_disposition', `Invalid Content-Disposition supplied. ${form}`, 400);
  }
  checkHash(raw, context);
  return { name: baseName(name), bytes: raw, failure: 'rest_upload_sideload_error' };
}

/** The base name of a path of any system. */
const baseName = (name: string): string => name.replace(/^.*[/\\]/s, '');

const failed = (message: string): RestError => new RestError('rest_upload_unknown_error', message, 500);

function fromForm(context: CallContext): Incoming {
  const file = context.request.files.find(({ field }) => field === 'file');
  if (!file) throw failed('Specified file failed upload test.');
  if (file.filename === '') throw failed('No file was uploaded.');
  checkHash(file.bytes, context);
  if (file.bytes.length === 0) throw failed(EMPTY_FILE);
  const name = baseName(file.filename);
  return { name, bytes: file.bytes, failure: 'rest_upload_unknown_error', title: name.replace(/\.[^.]*$/, '') };
}

function incoming(context: CallContext): Incoming {
  if (context.request.files.length > 0) return fromForm(context);
  const isForm = /^multipart\/form-data\b/i.test(header(context, 'content-type'));
  // PHP: the raw body of a form is empty after parsing.
  if (isForm) throw noData();
  return fromBody(context);
}

/** WP: uploads are stored in the month of their parent, else the current one. */
const monthOf = (parent: Post | null | undefined, now: string): string => {
  const date = parent && !parent.date.startsWith('0000') ? parent.date : now;
  return date.slice(0, 7).replace('-', '/');
};

async function newMedia(sent: SentMedia, title: string, context: MediaWrite): Promise<AttachmentData> {
  const { site, request } = context;
  return {
    title: sent.title || storedTitle(title, request.user),
    content: sent.content ?? '',
    excerpt: sent.excerpt ?? '',
    author: sent.author ?? request.user?._id ?? 0,
    status: sent.status ?? 'inherit',
    parent: sent.parent ?? 0,
    ...(sent.date ?? { date: site.nowLocal, dateGmt: site.nowUtc }),
    meta: await metaAfter([], context),
    commentStatus: sent.commentStatus,
    pingStatus: sent.pingStatus,
    slug: sent.slug,
  };
}

const titleOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

/**
 * Stores an upload: a raw body with a `Content-Disposition`, or the field `file` of a form.
 * @throws RestError if WordPress rejects it
 */
export async function upload(context: MediaWrite): Promise<Post> {
  const parent = await namedParent(context.params.post ?? 0, context.site);
  if (parent?.type === ATTACHMENT) throw new RestError('rest_invalid_param', 'Invalid parent type.', 400);
  const file = incoming(context);
  const sent = await sentMedia(context);
  const attach = async (stored: StoredUpload): Promise<Post> =>
    insertAttachment(context.site, stored, await newMedia(sent, file.title ?? titleOf(stored.file), context));
  return storeUpload(context.site, file, monthOf(parent, context.site.nowLocal), attach).catch((error: unknown) => {
    if (error instanceof MediaError) throw new RestError(file.failure, 'Sorry, you are not allowed to upload this file type.', 500);
    throw error;
  });
}
