import { intval, toStr } from '../../php/cast.js';
import { RestError } from '../../rest/error.js';
import type { CallContext } from '../../rest/route.js';
import type { AttachmentData } from '../../wp/media/attachment-save.js';
import { can } from '../../wp/users/capabilities.js';
import { cleanMetaText, savePostContent, savePostTitle } from '../../wp/formatting/sanitize.js';
import { ATTACHMENT, withMeta, type MetaRow, type Post } from '../../wp/model.js';
import { findPost } from '../../wp/posts.js';
import { ALT_TEXT } from './media-html.js';
import { EVENT_META } from '../../rest/posts/registered-meta.js';
import { writeMeta } from '../../rest/posts/post-meta.js';
import { authorOf, dateOf, kept, sentText, sentTitle, statusOf, withImage } from '../../rest/posts/post-params.js';

/** What a write says of an attachment, all of it checked. What is undefined was not sent. */
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

/** A text as stored. WP: a value that is no text is passed over. */
function textOf({ request }: CallContext, name: string): string | undefined {
  const text = name === 'title' ? sentTitle(request.get(name)) : sentText(request.get(name));
  if (text === undefined) return undefined;
  const author = { unfilteredHtml: can(request.user, 'unfiltered_html') };
  return name === 'title' ? savePostTitle(kept(text), author) : savePostContent(kept(text), author);
}

const given = ({ request }: CallContext, name: string): string | undefined => {
  const value = request.get(name);
  return typeof value === 'string' ? value : undefined;
};

/** WP: attachments belong to posts, not to each other. @throws RestError */
async function parentOf({ request, site }: CallContext): Promise<number | undefined> {
  const sent = request.get('post');
  if (sent === undefined) return undefined;
  const id = Math.max(0, intval(sent));
  const parent = id === 0 ? null : await findPost(site.store, id);
  if (parent?.type === ATTACHMENT) throw new RestError('rest_invalid_param', 'Invalid parent type.', 400);
  return id;
}

/** WP: whatever is asked for, an attachment is either private or as public as what it belongs to. */
function attachmentStatus(context: CallContext): string | undefined {
  const status = statusOf(context);
  return status === undefined ? undefined : status === 'private' ? 'private' : 'inherit';
}

/** Reads what was sent. @throws RestError for what WordPress refuses */
export async function sentMedia(context: CallContext): Promise<SentMedia> {
  const date = dateOf(context);
  return {
    title: textOf(context, 'title'),
    content: textOf(context, 'description'),
    excerpt: textOf(context, 'caption'),
    slug: given(context, 'slug'),
    status: attachmentStatus(context),
    author: await authorOf(context),
    parent: await parentOf(context),
    date: date ? { date: date.date, dateGmt: date.dateGmt } : undefined,
    commentStatus: given(context, 'comment_status'),
    pingStatus: given(context, 'ping_status'),
  };
}

/** The meta after a write: the text that stands in for the picture, the featured image, and registered keys. */
export async function metaAfter(meta: MetaRow[], context: CallContext): Promise<MetaRow[]> {
  const alt = context.request.get('alt_text');
  const text = alt === undefined ? undefined : cleanMetaText(toStr(alt));
  const withAlt = text === undefined ? meta : withMeta(meta, ALT_TEXT, text === '' ? [] : [text]);
  return writeMeta(await withImage(withAlt, context), context.request.get('meta'), EVENT_META);
}

/** What was sent and is not undefined. */
const set = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/**
 * A change of an attachment by what was sent, to be applied to what is stored at the moment of writing.
 * @throws RestError for what WordPress refuses
 */
export async function changedMedia(post: Post, context: CallContext): Promise<(current: Post) => AttachmentData> {
  const { slug, date, ...sent } = await sentMedia(context);
  const meta = await metaAfter(post.meta, context);
  return (current) => {
    const { title, content, excerpt, author, status, parent, commentStatus, pingStatus } = { ...current, ...set(sent) };
    const dates = date ?? { date: current.date, dateGmt: current.dateGmt };
    return { title, content, excerpt, author, status, parent, commentStatus, pingStatus, ...dates, meta, slug };
  };
}
