import { pageSize } from '../../model/options.js';
import { attachmentFor } from '../event-terms.js';
import { LINKED_MESSAGES } from '../messages.js';
import { LINKED, OWN_ORIGIN, type LinkedKind, flagFields, textFields, writeTexts, isTruthy, writeFlag } from '../../model/event.js';
import { writeLinks } from '../../model/linked.js';
import { canEdit, canRead, canWithPosts } from '../../../../wordpress/users/capabilities.js';
import { ZERO_DATE, isDraftLike, withMeta, type Post, type MetaRow } from '../../../../wordpress/model.js';
import { EVENT } from '../../model/index.js';
import { insertPost, trashPost, updatePost, allowedStatus, resaved, slugFor } from '../../../../wordpress/posts/post-save.js';
import type { GivenDate, PostData } from '../../../../wordpress/posts/post-save.js';
import { withDerivedColumns, equalityKey, listPosts } from '../../../../wordpress/posts/posts.js';
import { withLock } from '../../../../database/store/locks.js';
import { optionalArgs, withParams } from '../../../../wordpress/rest/params.js';
import type { PostResource } from '../resource.js';
import { type Args, type CallContext, invalidParam } from '../../../../wordpress/rest/route.js';
import { textAuthor } from '../../../../wordpress/users/text-author.js';
import { savePostContent, savePostTitle, type TextAuthor, sanitizeTitle } from '../../../../wordpress/formatting/sanitize.js';
import { authorFor, type AuthorContext } from '../../../../wordpress/rest/posts/author.js';
import type { Json } from '../../../../wordpress/rest/request.js';
import { givenLinkedDate, momentOf, type DatingSite } from '../../model/event-dates.js';
import type { OrganizerFields, VenueFields } from '../../../../sdk/types/params.js';

/**
 * The writable fields of a venue or an organizer. TEC: the routes of venues and organizers check types, but data within an event is not
 * checked for them.
 */
type LinkedData = { readonly [Name in keyof VenueFields | keyof OrganizerFields]?: Json };

/** A write of a venue or an organizer: who sends it, and the settings and the clock of the site. No content is read. */
interface LinkedWrite extends AuthorContext {
  site: AuthorContext['site'] & DatingSite;
}

/** A value as text; undefined for what has none. */
const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

/** The default of a flag that is not sent. */
type UnsentFlags = 'on' | 'off';

/** TEC: every value that does not mean "yes" is false. */
const flagSent = (value: Json | undefined, unsent: UnsentFlags): boolean =>
  value === undefined || value === null ? unsent === 'on' : isTruthy(value);

/** The meta after a write: sent fields are replaced, others are kept, and derived ones are recomputed. */
function metaAfter(kind: LinkedKind, meta: MetaRow[], data: LinkedData, image: number | null, unsent: UnsentFlags): MetaRow[] {
  const { fields } = LINKED[kind];
  const sent: Readonly<Record<string, Json | undefined>> = data;
  const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, textOf(value)]));
  const next = flagFields(fields).reduce(
    (rows, [name, field]) => writeFlag(rows, field, flagSent(sent[name], unsent)),
    writeTexts(meta, textFields(fields), texts),
  );
  return withMeta(next, '_thumbnail_id', image === null ? [] : [String(image)]);
}

const unsentAtFirst = ({ site }: LinkedWrite): UnsentFlags => (site.quirks.has('venue-maps-start-hidden') ? 'off' : 'on');

const authorOfTexts = ({ request, site }: LinkedWrite): TextAuthor => textAuthor(request.user, site);

/** A new venue or organizer. @throws RestError for one without a name, and for an author that the caller may not name */
export function newLinked(kind: LinkedKind, data: LinkedData, image: number | null, write: LinkedWrite): PostData {
  const { user } = write.request;
  const title = savePostTitle(textOf(data[kind]) ?? '', authorOfTexts(write));
  if (title === '') throw LINKED_MESSAGES[kind].couldNotCreate();
  const origin = [{ key: LINKED[kind].origin, value: OWN_ORIGIN }];
  const status = allowedStatus(user, textOf(data.status));
  return {
    status,
    author: authorFor(data.author, user?._id ?? 0, write),
    title,
    content: savePostContent(textOf(data.description) ?? '', authorOfTexts(write)),
    excerpt: '',
    // TEC: these have a slug on creation, even as drafts.
    slug: slugFor(user, status, sanitizeTitle(title, write.site.quirks)),
    date: givenLinkedDate(data, momentOf(write.site)),
    menuOrder: 0,
    password: '',
    meta: metaAfter(kind, origin, data, image, unsentAtFirst(write)),
    terms: {},
  };
}

/** The meta of an existing venue or organizer that a creation repeats. */
const repeatedMeta = (kind: LinkedKind, { meta }: Post, data: LinkedData, image: number | null, write: LinkedWrite): MetaRow[] =>
  metaAfter(kind, meta, data, image, unsentAtFirst(write));

/** WP: an update changes only the publication dates that are sent. A draft without a date does not get the sent one. */
function changedDate(current: Post, { date, date_utc }: LinkedData, { site }: LinkedWrite): GivenDate | null {
  if (isDraftLike(current.status) && current.dateGmt === ZERO_DATE) return null;
  const local = givenLinkedDate({ date }, momentOf(site));
  const utc = givenLinkedDate({ date_utc }, momentOf(site));
  if (!local && !utc) return null;
  return { date: local?.date ?? current.date, dateGmt: utc?.dateGmt ?? current.dateGmt, utcGiven: true };
}

/** A venue or an organizer after an update. @throws RestError for an author that the caller may not name */
export function changedLinked(kind: LinkedKind, current: Post, data: LinkedData, image: number | null, write: LinkedWrite): PostData {
  const { user } = write.request;
  const title = textOf(data[kind]);
  const description = textOf(data.description);
  const stored = resaved(current, user, write.site);
  const status = allowedStatus(user, textOf(data.status));
  return {
    ...stored,
    status,
    slug: slugFor(user, status, undefined),
    author: authorFor(data.author, current.author, write),
    title: title === undefined ? stored.title : savePostTitle(title, authorOfTexts(write)),
    // TEC: an empty description is not stored.
    content: description === undefined || description === '' ? stored.content : savePostContent(description, authorOfTexts(write)),
    date: changedDate(current, data, write),
    meta: metaAfter(kind, current.meta, data, image, 'on'),
  };
}

/**
 * An existing item that a creation would repeat. TEC: same title, and same description if one is sent, in any
 * status but the trash; the text is compared as sent, before any cleaning.
 */
async function findDuplicate(kind: LinkedKind, data: LinkedData, { site }: CallContext): Promise<Post | null> {
  const description = textOf(data.description) ?? '';
  const title = textOf(data[kind]) ?? '';
  const candidates = await site.store.posts
    .find({ type: LINKED[kind].type, titleKey: equalityKey(title), status: { $ne: 'trash' } })
    .sort({ _id: 1 })
    .toArray();
  return candidates.find(({ content }) => description === '' || equalityKey(content) === equalityKey(description)) ?? null;
}

/** Creates a venue or organizer, or overwrites the sent fields of an existing one (TEC). */
export async function createLinked(kind: LinkedKind, data: LinkedData, context: CallContext): Promise<Post> {
  const image = await attachmentFor(data.image, context);
  return withLock(context.site.store, kind, () => createOrTake(kind, data, image, context));
}

async function createOrTake(kind: LinkedKind, data: LinkedData, image: number | null, context: CallContext): Promise<Post> {
  const { site, request } = context;
  const found = await findDuplicate(kind, data, context);
  const overwrites = site.quirks.has('duplicates-overwrite-others');
  // A post that the caller may not read counts as missing, so that its id does not reveal it.
  const duplicate = found && (overwrites || canRead(request.user, found, site.registry)) ? found : null;
  if (duplicate && !overwrites && !canEdit(request.user, duplicate, site.registry)) return duplicate;
  if (duplicate) {
    // TEC: only the meta is written; the post itself, its dates included, stays as it is.
    const changed = await site.store.changePost(duplicate._id, (current) =>
      withDerivedColumns({ ...current, meta: repeatedMeta(kind, current, data, image, context) }, site.registry),
    );
    if (changed) return changed.after;
  }
  return insertPost(site, LINKED[kind].type, newLinked(kind, data, image, context));
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

/** The three writes of a kind. @param fields its writable fields */
export function linkedWrites(kind: LinkedKind, fields: Args): Pick<PostResource, 'create' | 'update' | 'trash'> {
  return {
    create: withParams(fields, async (call) => ({ post: await createLinked(kind, call.params, call), status: 201 })),
    update: withParams(optionalArgs(fields), async (call, { post, id }) => {
      if (!post) throw invalidParam('slug');
      const image = await attachmentFor(call.params.image, call);
      const stored = await updatePost(call.site, id, 'keep', (current) => changedLinked(kind, current, call.params, image, call));
      if (!stored) throw LINKED_MESSAGES[kind].couldNotUpdate();
      return stored;
    }),
    trash: async (context, { post, id }) => {
      if (!post) throw invalidParam('slug');
      if (post.status === 'trash') throw LINKED_MESSAGES[kind].alreadyTrashed();
      const trashed = await trashPost(context.site, id, context.request.user);
      if (!trashed) throw invalidParam('id');
      await unlink(kind, id, context);
      return trashed;
    },
  };
}
