import { isEmpty } from '../../../base/php/cast.js';
import { authorFor } from '../../../wordpress/rest/posts/author.js';
import { sentAuthor, dateOf, termsAfter, withImage } from '../../../wordpress/rest/posts/post-params.js';
import type { RestType } from '../../../wordpress/rest/posts/post-types.js';
import type { EndpointCall } from '../../../wordpress/rest/params.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { OWN_ORIGIN } from '../model/event.js';
import { savePostContent, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { metaValues, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { allowedStatus, isUndated, resaved, slugFor, type GivenDate, type PostData } from '../../../wordpress/posts/post-save.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { isNothing } from './args.js';
import { isUnstorable } from './checking.js';
import { notStored } from './errors.js';
import type { COMMON_FIELDS, EVENT_PARAMS } from './fields.js';

export type MetaChange = (meta: MetaRow[]) => MetaRow[];

/** The changes to the fields of one kind of item. */
export interface KindChanges {
  change: MetaChange;
  /** TEC: -1 for sticky events. */
  menuOrder?: number;
}

/** Computes the changes to the fields of the kind; null if the item cannot be stored. */
export type OwnFields = () => Promise<KindChanges | null>;

/** How items of a kind are created and changed. */
export interface Writer {
  create: (context: CallContext) => Promise<PostData>;
  /** The meta of a new item that names itself. */
  metaOf?: (data: PostData, id: number) => MetaRow[];
  /** @param post the item as it was when the request came */
  change: (context: CallContext, post: Post) => Promise<(current: Post) => PostData>;
}

/** A call that writes, with the parameters of every kind. */
type WriteCall = EndpointCall<typeof COMMON_FIELDS>;

export type EventCall = EndpointCall<typeof EVENT_PARAMS>;

/** TEC: some sent values are dropped, and derived ones are not updated. */
export const writesLoosely = ({ site }: CallContext): boolean => site.quirks.has('tec-v1-writes-loosely');

export const composeChanges =
  (changes: MetaChange[]): MetaChange =>
  (meta) =>
    changes.reduce((next, change) => change(next), meta);

const rows =
  (key: string, values: string[]): MetaChange =>
  (meta) =>
    withMeta(meta, key, values);

export const unchanged: MetaChange = (meta) => meta;

/** The origin of new items. */
export const originChange = (key: string, current: Post | null): MetaChange => (current ? unchanged : rows(key, [OWN_ORIGIN]));

/** The status of an item. TEC: without one in the request the item is published, even if it was a draft or the caller may not publish. */
function statusOf({ params, request, site }: WriteCall, current: Post | null): string {
  if (site.quirks.has('tec-v1-publishes-by-default')) return params.status;
  if (request.isGiven('status')) return allowedStatus(request.user, params.status);
  return current?.status ?? allowedStatus(request.user, undefined);
}

/** The date of publication. TEC: the local one is read as UTC, and stored as both. */
function dateSent({ params: { date, date_gmt }, ...context }: WriteCall): GivenDate | null {
  if (date === undefined || !writesLoosely(context)) return dateOf({ date, date_gmt }, context);
  const read = dateOf({ date_gmt: date }, context);
  return read && { ...read, date: read.dateGmt };
}

/** Whether comments are open, of types with comments. TEC: they are, also after an update, unless the request says otherwise. */
function discussionSent({ params, request, site }: WriteCall, { name }: RestType, current: Post | null): Partial<PostData> {
  if (site.registry.findPostType(name)?.takesComments?.when(site.options) !== true) return {};
  const isSent = (param: string): boolean => !current || site.quirks.has('tec-v1-publishes-by-default') || request.isGiven(param);
  return {
    ...(isSent('comment_status') ? { commentStatus: params.comment_status } : {}),
    ...(isSent('ping_status') ? { pingStatus: params.ping_status } : {}),
  };
}

/** The author to store. TEC: the user need not exist. */
async function authorSent({ params, ...context }: WriteCall, current: Post | null): Promise<number> {
  const { site, request } = context;
  const author = site.quirks.has('author-is-not-checked') ? params.author : await sentAuthor(params.author, site);
  return authorFor(author, current?.author ?? request.user?._id ?? 0, context);
}

/** The featured image. TEC: it is ignored. */
async function imageRow(call: WriteCall, current: Post | null): Promise<MetaChange> {
  const { featured_media: media } = call.params;
  if (media === undefined || writesLoosely(call)) return unchanged;
  const withPicture = await withImage(current?.meta ?? [], media, call.site);
  return rows('_thumbnail_id', metaValues({ meta: withPicture }, '_thumbnail_id'));
}

/** The page template; unknown ones are ignored. */
const templateRow = ({ params: { template } }: WriteCall, { templates }: RestType): MetaChange =>
  template === undefined || (template !== '' && !templates.includes(template))
    ? unchanged
    : rows('_wp_page_template', template === '' ? [] : [template]);

/** PHP: an empty slug, or `0`, counts as not sent. */
const slugSent = ({ params: { slug } }: WriteCall): string | undefined => (isEmpty(slug) ? undefined : slug);

interface ItemInput extends Pick<PostData, 'commentStatus' | 'pingStatus'> {
  texts: { title?: string; content?: string; excerpt?: string };
  slug: string | undefined;
  status: string;
  author: number;
  date: GivenDate | null;
  terms: Record<string, number[]>;
  change: MetaChange;
}

/** Reads the sent values, ready to store. WP: one level of backslashes is lost. */
async function sentOf(call: WriteCall, type: RestType, current: Post | null): Promise<ItemInput> {
  const { params, request } = call;
  const rights = textAuthor(request.user, call.site);
  const status = statusOf(call, current);
  return {
    texts: {
      ...(params.title === undefined ? {} : { title: savePostTitle(params.title, rights) }),
      ...(params.content === undefined ? {} : { content: savePostContent(params.content, rights) }),
      ...(params.excerpt === undefined ? {} : { excerpt: savePostContent(params.excerpt, rights) }),
    },
    slug: slugFor(request.user, status, slugSent(call)),
    status,
    author: await authorSent(call, current),
    date: dateSent(call),
    ...discussionSent(call, type, current),
    terms: await termsAfter({}, type, call),
    change: composeChanges([await imageRow(call, current), templateRow(call, type)]),
  };
}

/**
 * A new item.
 * @throws RestError if nothing can be stored
 */
export async function newEntity(call: WriteCall, type: RestType, own: OwnFields): Promise<PostData> {
  const { texts, slug, change, ...sent } = await sentOf(call, type, null);
  const { title, content = '', excerpt = '' } = texts;
  const fields = title === undefined || isNothing(title) || isUnstorable(call.request) ? null : await own();
  if (!fields || title === undefined) throw notStored('create', call.site);
  return {
    ...sent,
    title,
    content,
    excerpt,
    ...(slug === undefined ? {} : { slug }),
    menuOrder: fields.menuOrder ?? 0,
    password: '',
    meta: composeChanges([change, fields.change])([]),
  };
}

/**
 * A change of an item, to be applied to what is stored at the moment of writing.
 * @throws RestError if the item would be empty
 */
export async function changedEntity(call: WriteCall, type: RestType, own: OwnFields, post: Post): Promise<(current: Post) => PostData> {
  const { texts: sentTexts, slug, change, terms, ...sent } = await sentOf(call, type, post);
  const fields = isUnstorable(call.request) ? null : await own();
  if (!fields) throw notStored('update', call.site);
  return (current) => {
    const stored = resaved(current, call.request.user, call.site);
    const { title, content, excerpt } = { ...stored, ...sentTexts };
    if (title === '' && content === '' && excerpt === '') throw notStored('update', call.site);
    return {
      ...stored,
      ...sent,
      // WP: a draft without a date gets the date of its publication, even if one is sent.
      ...(isUndated(current) && writesLoosely(call) ? { date: null } : {}),
      title,
      content,
      excerpt,
      ...(slug === undefined ? {} : { slug }),
      password: sent.status === 'private' ? '' : current.password,
      menuOrder: fields.menuOrder ?? current.menuOrder,
      meta: composeChanges([change, fields.change])(current.meta),
      terms: { ...current.terms, ...terms },
      keepsColumns: true,
    };
  };
}
