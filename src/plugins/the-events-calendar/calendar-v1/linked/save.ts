import { pageSize } from '../../model/options.js';
import { attachmentFor } from '../image-param.js';
import { publicationDate } from '../../model/dates.js';
import { LINKED_MESSAGES } from '../messages.js';
import { OWN_ORIGIN } from '../../model/event.js';
import { flagFields, textFields, writeTexts } from '../../model/field.js';
import { isTruthy, writeFlag } from '../../model/flags.js';
import { LINKED, writeLinks, type LinkedKind } from '../../model/linked.js';
import { can, canEdit, canRead, canWithPosts } from '../../../../wordpress/users/capabilities.js';
import { savePostContent, savePostTitle } from '../../../../wordpress/formatting/sanitize.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/slug.js';
import { ZERO_DATE, isDraftLike, withMeta, type MetaRow, type Post } from '../../../../wordpress/model.js';
import { EVENT } from '../../model/index.js';
import {
  insertPost,
  allowedStatus,
  resaved,
  slugFor,
  trashPost,
  updatePost,
  type GivenDate,
  type PostData,
} from '../../../../wordpress/posts/post-save.js';
import { withDerivedColumns, equalityKey, listPosts } from '../../../../wordpress/posts/posts.js';
import { withLock } from '../../../../database/store/locks.js';
import { invalidParam } from '../../../../wordpress/rest/error.js';
import { authorFor } from '../../../../wordpress/rest/posts/author.js';
import type { PostResource } from '../resource.js';
import type { CallContext, Json } from '../../../../wordpress/rest/route.js';

type Data = { [key: string]: Json | undefined };

const text = (value: Json | undefined): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

/** The default of a flag that is not sent. */
type UnsentFlags = 'on' | 'off';

/** TEC: every value that does not mean "yes" is false. */
const flagSent = (value: Json | undefined, unsent: UnsentFlags): boolean =>
  value === undefined || value === null ? unsent === 'on' : isTruthy(value);

/** The meta after a write: sent fields are replaced, others are kept, and derived ones are recomputed. */
function metaAfter(kind: LinkedKind, meta: MetaRow[], data: Data, image: number | null, unsent: UnsentFlags): MetaRow[] {
  const { fields } = LINKED[kind];
  const sent = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, text(value)]));
  const next = flagFields(fields).reduce(
    (rows, [name, field]) => writeFlag(rows, field, flagSent(data[name], unsent)),
    writeTexts(meta, textFields(fields), sent),
  );
  return withMeta(next, '_thumbnail_id', image === null ? [] : [String(image)]);
}

/** Publication date as sent, if any. */
export function givenDate(data: Data, { site }: CallContext): GivenDate | null {
  const date = publicationDate(
    { date: data.date, date_utc: data.date_utc },
    { now: site.clock.seconds(), siteZone: site.options.timezone },
  );
  return date && { ...date, utcGiven: text(data.date_utc) !== undefined };
}

/**
 * An existing item that a creation would repeat. TEC: same title, and same description if one is sent, in any
 * status but the trash; the text is compared as sent, before any cleaning.
 */
async function findDuplicate(kind: LinkedKind, data: Data, { site }: CallContext): Promise<Post | null> {
  const description = text(data.description) ?? '';
  const title = text(data[kind]) ?? '';
  const candidates = await site.store.posts
    .find({ type: LINKED[kind].type, titleKey: equalityKey(title), status: { $ne: 'trash' } })
    .sort({ _id: 1 })
    .toArray();
  return candidates.find(({ content }) => description === '' || equalityKey(content) === equalityKey(description)) ?? null;
}

const unfilteredHtml = ({ request }: CallContext): { unfilteredHtml: boolean } => ({
  unfilteredHtml: can(request.user, 'unfiltered_html'),
});

/** Creates a venue or organizer, or overwrites the sent fields of an existing one (TEC). */
export async function createLinked(kind: LinkedKind, data: Data, context: CallContext): Promise<Post> {
  const image = await attachmentFor(data.image, context);
  return withLock(context.site.store, kind, () => createOrTake(kind, data, image, context));
}

async function createOrTake(kind: LinkedKind, data: Data, image: number | null, context: CallContext): Promise<Post> {
  const { site, request } = context;
  const unsent = site.quirks.has('venue-maps-start-hidden') ? 'off' : 'on';
  const found = await findDuplicate(kind, data, context);
  const overwrites = site.quirks.has('duplicates-overwrite-others');
  // A post that the caller may not read counts as missing, so that its id does not reveal it.
  const duplicate = found && (overwrites || canRead(request.user, found, site.registry)) ? found : null;
  if (duplicate && !overwrites && !canEdit(request.user, duplicate, site.registry)) return duplicate;
  if (duplicate) {
    // TEC: only the meta is written; the post itself, its dates included, stays as it is.
    const changed = await site.store.changePost(duplicate._id, (current) =>
      withDerivedColumns({ ...current, meta: metaAfter(kind, current.meta, data, image, unsent) }, site.registry),
    );
    if (changed) return changed.after;
  }
  const title = savePostTitle(text(data[kind]) ?? '', unfilteredHtml(context));
  if (title === '') throw LINKED_MESSAGES[kind].couldNotCreate();
  const origin = [{ key: LINKED[kind].origin, value: OWN_ORIGIN }];
  const status = allowedStatus(request.user, text(data.status));
  return insertPost(site, LINKED[kind].type, {
    status,
    author: authorFor(data.author, request.user?._id ?? 0, context),
    title,
    content: savePostContent(text(data.description) ?? '', unfilteredHtml(context)),
    excerpt: '',
    // TEC: these have a slug on creation, even as drafts.
    slug: slugFor(request.user, status, sanitizeTitle(title)),
    date: givenDate(data, context),
    menuOrder: 0,
    password: '',
    meta: metaAfter(kind, origin, data, image, unsent),
    terms: {},
  });
}

/** All parameters of a request that a kind knows, as one piece of data. */
const dataOf = ({ request }: CallContext, names: readonly string[]): Data =>
  Object.fromEntries(names.map((name) => [name, request.get(name)]));

const COMMON = ['author', 'date', 'date_utc', 'description', 'status', 'image'];
const namesOf = (kind: LinkedKind): string[] => [kind, ...COMMON, ...Object.keys(LINKED[kind].fields)];

/** WP: an update changes only the publication dates that are sent. A draft without a date does not get the sent one. */
function changedDate(current: Post, { date, date_utc }: Data, context: CallContext): GivenDate | null {
  if (isDraftLike(current.status) && current.dateGmt === ZERO_DATE) return null;
  const local = givenDate({ date }, context);
  const utc = givenDate({ date_utc }, context);
  if (!local && !utc) return null;
  return { date: local?.date ?? current.date, dateGmt: utc?.dateGmt ?? current.dateGmt, utcGiven: true };
}

function updated(kind: LinkedKind, current: Post, data: Data, image: number | null, context: CallContext): PostData {
  const title = text(data[kind]);
  const description = text(data.description);
  const stored = resaved(current, context.request.user);
  const status = allowedStatus(context.request.user, text(data.status));
  return {
    ...stored,
    status,
    slug: slugFor(context.request.user, status, undefined),
    author: authorFor(data.author, current.author, context),
    title: title === undefined ? stored.title : savePostTitle(title, unfilteredHtml(context)),
    // TEC: an empty description is not stored.
    content: description === undefined || description === '' ? stored.content : savePostContent(description, unfilteredHtml(context)),
    date: changedDate(current, data, context),
    meta: metaAfter(kind, current.meta, data, image, 'on'),
  };
}

/**
 * Unlinks a trashed venue or organizer from events. TEC: only from the first page of upcoming events that are published, or private and
 * readable. An event loses all of its organizers with one of them.
 */
async function unlink(kind: LinkedKind, id: number, { site, request }: CallContext): Promise<void> {
  const { column } = LINKED[kind];
  const statuses = ['publish', ...(canWithPosts(request.user, 'read_private') ? ['private'] : [])];
  const events = await listPosts(site.store, {
    type: EVENT,
    statuses,
    [column]: [id],
    dates: [{ column: 'end', operator: '$gte', value: site.nowLocal }],
    sort: 'start',
    limit: pageSize(site.options),
    offset: 0,
  });
  for (const event of events) {
    await site.store.changePost(event._id, (current) => ({ ...current, meta: writeLinks(current.meta, kind, []), [column]: [] }));
  }
}

/** The three writes of a kind. */
export function linkedWrites(kind: LinkedKind): Pick<PostResource, 'create' | 'update' | 'trash'> {
  return {
    create: async (context) => ({ post: await createLinked(kind, dataOf(context, namesOf(kind)), context), status: 201 }),
    update: async (post, id, context) => {
      if (!post) throw invalidParam('slug');
      const data = dataOf(context, namesOf(kind));
      const image = await attachmentFor(data.image, context);
      const stored = await updatePost(context.site, id, 'keep', (current) => updated(kind, current, data, image, context));
      if (!stored) throw LINKED_MESSAGES[kind].couldNotUpdate();
      return stored;
    },
    trash: async (post, id, context) => {
      if (!post) throw invalidParam('slug');
      if (post.status === 'trash') throw LINKED_MESSAGES[kind].alreadyTrashed();
      const trashed = await trashPost(context.site, id, context.request.user);
      if (!trashed) throw invalidParam('id');
      await unlink(kind, id, context);
      return trashed;
    },
  };
}
