import { RestError } from '../../rest/error.js';
import { resavedTexts } from '../../posts/post-save.js';
import type { ParamsOf } from '../../rest/params.js';
import type { CallContext } from '../../rest/route.js';
import type { Site } from '../../site.js';
import type { mediaArgs } from './media-args.js';
import type { AttachmentData } from '../../media/attachment-save.js';
import { cleanMetaText } from '../../formatting/sanitize.js';
import { ATTACHMENT, withMeta, type MetaRow, type Post, type User } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import { ALT_TEXT } from './media-html.js';
import { sharedMetaSchemas } from '../../rest/posts/registered-meta.js';
import { writeMeta } from '../../rest/posts/post-meta.js';
import { sentAuthor, dateOf, statusOf, sentPostText, sentTitle, withImage } from '../../rest/posts/post-params.js';
import { withoutUndefined } from '../../../base/values/records.js';

/** The validated fields of an attachment in a write. Undefined fields were not sent. */
export interface SentMedia {
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
export async function metaAfter(meta: MetaRow[], { params, site }: MediaWrite): Promise<MetaRow[]> {
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
