import { attachmentFor } from './image-param.js';
import { publicationDate } from '../tec/dates.js';
import { ORGANIZER_MESSAGES, VENUE_MESSAGES } from './messages.js';
import { isTruthy } from './view.js';
import { can, canEdit, canRead, canWithPosts } from '../wp/users/capabilities.js';
import { cleanMetaText, savePostContent, savePostTitle } from '../wp/formatting/sanitize.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { storeLinkedUrl } from '../wp/formatting/url.js';
import { EVENT, ORGANIZER, VENUE, withMeta, type MetaRow, type Post } from '../wp/model.js';
import { asData, insertPost, scaleStatus, slugFor, trashPost, updatePost, type GivenDate, type PostData } from '../wp/post-save.js';
import { derive, equalityKey, listPosts } from '../wp/posts.js';
import { inTurn } from '../store/turns.js';
import { RestError, invalidParam } from '../rest/error.js';
import type { Messages } from './messages.js';
import type { PostResource } from './resource.js';
import type { CallContext, Json } from '../rest/route.js';

export type LinkedKind = 'venue' | 'organizer';

type Data = { [key: string]: Json | undefined };

/** Where each field of a kind is kept. */
const META: Record<LinkedKind, Record<string, string>> = {
  venue: {
    address: '_VenueAddress',
    city: '_VenueCity',
    country: '_VenueCountry',
    province: '_VenueProvince',
    state: '_VenueState',
    zip: '_VenueZip',
    phone: '_VenuePhone',
    website: '_VenueURL',
  },
  organizer: { phone: '_OrganizerPhone', website: '_OrganizerWebsite', email: '_OrganizerEmail' },
};

const TYPES: Record<LinkedKind, string> = { venue: VENUE, organizer: ORGANIZER };
const MESSAGES: Record<LinkedKind, Messages> = { venue: VENUE_MESSAGES, organizer: ORGANIZER_MESSAGES };

const text = (value: Json | undefined): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

/** TEC: the region that is shown comes from what this request sends, never from what is stored. */
function stateProvince(data: Data): string {
  const [explicit, state, province, country] = [data.stateprovince, data.state, data.province, data.country].map(
    (value) => text(value) ?? '',
  );
  if (explicit !== '') return explicit;
  if (state !== '' && ['', 'US', 'United States'].includes(country)) return state;
  return province;
}

/** TEC: shown unless told otherwise, and told otherwise by everything that does not mean yes. */
const mapFlag = (value: Json | undefined): string => (value === undefined || value === null || isTruthy(value) ? '1' : '');

/** The meta after a write: sent fields replaced, unsent ones kept, and what every write computes anew. */
function metaAfter(kind: LinkedKind, meta: MetaRow[], data: Data, image: number | null): MetaRow[] {
  let next = meta;
  for (const [name, key] of Object.entries(META[kind])) {
    const value = text(data[name]);
    if (value !== undefined) next = withMeta(next, key, [name === 'website' ? storeLinkedUrl(value) : cleanMetaText(value)]);
  }
  if (kind === 'venue') {
    next = withMeta(next, '_VenueStateProvince', [cleanMetaText(stateProvince(data))]);
    for (const flag of ['ShowMap', 'ShowMapLink'] as const) {
      const value = mapFlag(data[flag === 'ShowMap' ? 'show_map' : 'show_map_link']);
      next = withMeta(withMeta(next, `_Venue${flag}`, [value]), `_Event${flag}`, [value]);
    }
  }
  return withMeta(next, '_thumbnail_id', image === null ? [] : [String(image)]);
}

/**
 * The author that something is put under: the one that is named, or who it is otherwise.
 * @throws RestError for somebody else, by those who may not edit what belongs to others (TEC: not looked at)
 */
export function authorFor(named: Json | undefined, otherwise: number, { request, site }: CallContext): number {
  if (named === undefined || named === null || Number(named) === otherwise) return otherwise;
  if (site.quirks.has('author-is-not-checked') || Number(named) === request.user?._id || canWithPosts(request.user, 'edit_others'))
    return Number(named);
  throw new RestError('rest_cannot_edit_others', 'Sorry, you are not allowed to create posts as this user.', request.user ? 403 : 401);
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
 * An existing item that a creation would repeat. TEC: same title, and same description if one is sent, whatever else differs, in any
 * status but the trash; the text is compared as sent, before any cleaning.
 */
async function findDuplicate(kind: LinkedKind, data: Data, { site }: CallContext): Promise<Post | null> {
  const description = text(data.description) ?? '';
  const title = text(data[kind]) ?? '';
  const candidates = await site.store.posts
    .find({ type: TYPES[kind], titleKey: equalityKey(title), status: { $ne: 'trash' } })
    .sort({ _id: 1 })
    .toArray();
  return candidates.find(({ content }) => description === '' || equalityKey(content) === equalityKey(description)) ?? null;
}

const unfilteredHtml = ({ request }: CallContext): { unfilteredHtml: boolean } => ({
  unfilteredHtml: can(request.user, 'unfiltered_html'),
});

/** Creates a venue or organizer, or takes the one that is already there and overwrites what is sent (TEC). */
export async function createLinked(kind: LinkedKind, data: Data, context: CallContext): Promise<Post> {
  const image = await attachmentFor(data.image, context);
  return inTurn(context.site.store, kind, () => createOrTake(kind, data, image, context));
}

async function createOrTake(kind: LinkedKind, data: Data, image: number | null, context: CallContext): Promise<Post> {
  const { site, request } = context;
  const found = await findDuplicate(kind, data, context);
  const overwrites = site.quirks.has('duplicates-overwrite-others');
  // What the caller may not read is not shown by naming it: it counts as not there.
  const duplicate = found && (overwrites || canRead(request.user, found)) ? found : null;
  if (duplicate && !overwrites && !canEdit(request.user, duplicate)) return duplicate;
  if (duplicate) {
    // TEC: only the meta is written; the post itself, its dates included, stays as it is.
    const changed = await site.store.changePost(duplicate._id, (current) =>
      derive({ ...current, meta: metaAfter(kind, current.meta, data, image) }),
    );
    if (changed) return changed.after;
  }
  const title = savePostTitle(text(data[kind]) ?? '', unfilteredHtml(context));
  if (title === '') throw MESSAGES[kind].couldNotCreate();
  const origin = [{ key: kind === 'venue' ? '_VenueOrigin' : '_OrganizerOrigin', value: 'events-calendar' }];
  const status = scaleStatus(request.user, text(data.status));
  return insertPost(site, TYPES[kind], {
    status,
    author: authorFor(data.author, request.user?._id ?? 0, context),
    title,
    content: savePostContent(text(data.description) ?? '', unfilteredHtml(context)),
    excerpt: '',
    // TEC: these have a slug from the start, even as drafts.
    slug: slugFor(request.user, status, sanitizeTitle(title)),
    date: givenDate(data, context),
    menuOrder: 0,
    password: '',
    meta: metaAfter(kind, origin, data, image),
    terms: {},
  });
}

/** All parameters of a request that a kind knows, as one piece of data. */
const dataOf = ({ request }: CallContext, names: readonly string[]): Data =>
  Object.fromEntries(names.map((name) => [name, request.get(name)]));

const COMMON = ['author', 'date', 'date_utc', 'description', 'status', 'image'];
const NAMES: Record<LinkedKind, string[]> = {
  venue: ['venue', ...COMMON, 'show_map', 'show_map_link', 'stateprovince', ...Object.keys(META.venue)],
  organizer: ['organizer', ...COMMON, ...Object.keys(META.organizer)],
};

function updated(kind: LinkedKind, current: Post, data: Data, image: number | null, context: CallContext): PostData {
  const title = text(data[kind]);
  const description = text(data.description);
  const status = scaleStatus(context.request.user, text(data.status));
  return {
    ...asData(current),
    status,
    slug: slugFor(context.request.user, status, undefined),
    author: authorFor(data.author, current.author, context),
    title: title === undefined ? current.title : savePostTitle(title, unfilteredHtml(context)),
    // TEC: an empty description is no description to store.
    content: description === undefined || description === '' ? current.content : savePostContent(description, unfilteredHtml(context)),
    date: givenDate(data, context),
    meta: metaAfter(kind, current.meta, data, image),
  };
}

/**
 * Takes a trashed venue or organizer off events. TEC: off the first page of those that have not ended yet, published or private and
 * readable; an event loses all of its organizers with one of them.
 */
async function unlink(kind: LinkedKind, id: number, { site, request }: CallContext): Promise<void> {
  const column = kind === 'venue' ? 'venues' : 'organizers';
  const statuses = ['publish', ...(canWithPosts(request.user, 'read_private') ? ['private'] : [])];
  const events = await listPosts(site.store, {
    type: EVENT,
    statuses,
    [column]: [id],
    dates: [{ column: 'end', operator: '$gte', value: site.nowLocal }],
    sort: 'start',
    limit: site.options.pageSize,
    offset: 0,
  });
  const key = kind === 'venue' ? '_EventVenueID' : '_EventOrganizerID';
  for (const event of events) {
    await site.store.changePost(event._id, (current) => ({ ...current, meta: withMeta(current.meta, key, []), [column]: [] }));
  }
}

/** The three writes of a kind. */
export function linkedWrites(kind: LinkedKind): Pick<PostResource, 'create' | 'update' | 'trash'> {
  return {
    create: async (context) => ({ post: await createLinked(kind, dataOf(context, NAMES[kind]), context), status: 201 }),
    update: async (post, id, context) => {
      if (!post) throw invalidParam('slug');
      const data = dataOf(context, NAMES[kind]);
      const image = await attachmentFor(data.image, context);
      const stored = await updatePost(context.site, id, 'keep', (current) => updated(kind, current, data, image, context));
      if (!stored) throw MESSAGES[kind].couldNotUpdate();
      return stored;
    },
    trash: async (post, id, context) => {
      if (!post) throw invalidParam('slug');
      if (post.status === 'trash') throw MESSAGES[kind].alreadyTrashed();
      const trashed = await trashPost(context.site, id);
      if (!trashed) throw invalidParam('id');
      await unlink(kind, id, context);
      return trashed;
    },
  };
}
