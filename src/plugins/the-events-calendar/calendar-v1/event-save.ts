import { isEmpty, toStr } from '../../../base/php/cast.js';
import { NestedCostError, storeCost, type StoredCost } from '../model/cost.js';
import { eventDates, type DateContext, type EventDates, type EventDatesInput } from '../model/dates.js';
import { EVENT_FIELDS, EVENT_ORIGIN, OWN_ORIGIN } from '../model/event.js';
import { writeCost } from '../model/event-cost.js';
import { storedTimes, writeDates, writeNoDates } from '../model/event-dates.js';
import { writeFlag } from '../model/flags.js';
import { LINKED, LINKED_KINDS, writeLinks, type LinkedKind } from '../model/linked.js';
import { termIdsFor } from './event-terms.js';
import { attachmentFor } from './image-param.js';
import { linkedIdsFor } from './linked/param.js';
import { givenDate } from './linked/save.js';
import { authorFor } from '../../../wordpress/rest/posts/author.js';
import { EVENT_MESSAGES, eventNotFound, invalidEventId } from './messages.js';
import { can, canEdit, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { cleanMetaText, savePostContent, savePostExcerpt, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { TAG, isDraftLike, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { allLinkedIds } from '../model/columns.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { abbreviation } from '../../../wordpress/timezones.js';
import {
  insertPost,
  allowedStatus,
  publishPost,
  resaved,
  slugFor,
  trashPost,
  updatePost,
  type PostData,
} from '../../../wordpress/posts/post-save.js';
import { RestError, invalidParam } from '../../../wordpress/rest/error.js';
import { RestResponse } from '../../../wordpress/rest/response.js';
import type { CallContext, Json } from '../../../wordpress/rest/route.js';

/** The values of a write of an event after linked posts, terms and images were created. */
interface Prepared {
  /** Ids by kind; null where nothing is sent. */
  links: [kind: LinkedKind, ids: number[] | null][];
  categories?: number[];
  tags?: number[];
  image: number | null;
  cost: StoredCost;
}

const given = ({ request }: CallContext, name: string): Json | undefined => {
  const value = request.get(name);
  return value === null ? undefined : value;
};

const flag = (context: CallContext, name: string): boolean => given(context, name) === true;

const ZERO: StoredCost = { values: ['0'], symbol: null, position: null };

/** TEC: an update stores a cost of zero, a creation does not. */
function costOf(context: CallContext, isUpdate: boolean): StoredCost {
  const cost = given(context, 'cost');
  if (isUpdate && (cost === 0 || cost === '0')) return ZERO;
  try {
    return storeCost(cost);
  } catch (error) {
    if (error instanceof NestedCostError) throw invalidParam('cost');
    throw error;
  }
}

/** Creates the linked posts, terms and images before the event. TEC: they stay even if the event then fails. */
async function prepare(context: CallContext, isUpdate: boolean): Promise<Prepared> {
  const cost = costOf(context, isUpdate);
  const image = await attachmentFor(given(context, 'image'), context);
  const categories = await termIdsFor('categories', given(context, 'categories'), context);
  const tags = await termIdsFor('tags', given(context, 'tags'), context);
  const links: Prepared['links'] = [];
  for (const kind of LINKED_KINDS) links.push([kind, await linkedIdsFor(kind, context)]);
  return { links, categories, tags, image, cost };
}

/** Flags that every write of an event resets, sent or not (TEC). */
const RESET_FLAGS = ['show_map', 'show_map_link', 'hide_from_listings', 'featured', 'all_day'] as const;

/** Meta that every write of an event resets, sent or not (TEC). */
function setFlags(meta: MetaRow[], context: CallContext, { cost, image }: Prepared): MetaRow[] {
  const flagged = RESET_FLAGS.reduce((next, name) => writeFlag(next, EVENT_FIELDS[name], flag(context, name)), meta);
  return withMeta(writeCost(flagged, cost), '_thumbnail_id', image === null ? [] : [String(image)]);
}

function datesInput(context: CallContext): EventDatesInput {
  const timezone = given(context, 'timezone');
  return {
    start: given(context, 'start_date'),
    end: given(context, 'end_date'),
    timezone: typeof timezone === 'string' ? cleanMetaText(timezone) : null,
    allDay: flag(context, 'all_day'),
    cutoff: context.site.options.calendar.multiDayCutoff,
  };
}

const momentOf = ({ site }: CallContext): DateContext => ({ now: site.clock.seconds(), siteZone: site.options.timezone });

/**
 * TEC: an update without both dates keeps the stored ones, except that all-day events are widened to whole days; zone and abbreviation
 * change in any case.
 */
function updatedDates(current: Post, context: CallContext): EventDates {
  const input = datesInput(context);
  const { start = '', end = '' } = storedTimes(current);
  const sent = eventDates(input, momentOf(context));
  if (sent.dates) return sent;
  const widened =
    input.allDay &&
    eventDates(
      { ...input, start: isEmpty(input.start) ? start : input.start, end: isEmpty(input.end) ? end : input.end },
      momentOf(context),
    );
  if (widened && widened.dates) return widened;
  return { ...sent, abbr: start === '' ? sent.abbr : abbreviation(sent.timezone, start) };
}

const websiteText = (value: Json | undefined): string =>
  value === undefined || value === false || typeof value === 'object' ? '' : cleanMetaText(String(value));

function textOf(context: CallContext, name: 'title' | 'description' | 'excerpt'): string | undefined {
  const value = given(context, name);
  if (value === undefined) return undefined;
  const clean = { title: savePostTitle, description: savePostContent, excerpt: savePostExcerpt }[name];
  return clean(toStr(value), { unfilteredHtml: can(context.request.user, 'unfiltered_html') });
}

const statusOf = (context: CallContext): string => allowedStatus(context.request.user, given(context, 'status') as string | undefined);

const dateParams = (context: CallContext) => givenDate({ date: given(context, 'date'), date_utc: given(context, 'date_utc') }, context);

const slugOf = (context: CallContext): string | undefined =>
  slugFor(context.request.user, statusOf(context), given(context, 'slug') as string | undefined);

function termsAfter(current: Record<string, number[]>, { categories, tags }: Prepared): Record<string, number[]> {
  return {
    ...current,
    ...(categories ? { [EVENT_CATEGORY]: categories } : {}),
    ...(tags ? { [TAG]: tags } : {}),
  };
}

function newEvent(context: CallContext, prepared: Prepared): PostData {
  const dates = eventDates(datesInput(context), momentOf(context));
  const website = given(context, 'website');
  const origin: MetaRow[] = [{ key: EVENT_ORIGIN, value: OWN_ORIGIN }];
  const undated = dates.dates ? origin : writeNoDates(origin);
  let meta = writeDates(setFlags(undated, context, prepared), dates, flag(context, 'all_day'));
  for (const [kind, ids] of prepared.links) if (ids) meta = writeLinks(meta, kind, ids);
  // TEC: an event that is created without a website, or with an empty one (PHP: also `0`), shows its permalink.
  if (!['', '0'].includes(websiteText(website))) meta = withMeta(meta, EVENT_FIELDS.website.key, [websiteText(website)]);
  return {
    status: statusOf(context),
    author: authorFor(given(context, 'author'), context.request.user?._id ?? 0, context),
    title: textOf(context, 'title') ?? '',
    content: textOf(context, 'description') ?? '',
    excerpt: textOf(context, 'excerpt') ?? '',
    slug: slugOf(context),
    date: dateParams(context),
    menuOrder: flag(context, 'sticky') ? -1 : 0,
    // TEC: a new event becomes sticky in a separate update.
    isUpdated: flag(context, 'sticky'),
    password: '',
    meta,
    terms: termsAfter({}, prepared),
  };
}

/** TEC: an update uses all parameters; most fields that are not sent are reset. */
function changedEvent(current: Post, context: CallContext, prepared: Prepared): PostData {
  const stored = resaved(current, context.request.user);
  let meta = writeDates(setFlags(current.meta, context, prepared), updatedDates(current, context), flag(context, 'all_day'));
  // TEC: if several posts may be linked and none is sent, all links are removed.
  for (const [kind, ids] of prepared.links) if (ids ?? LINKED[kind].many) meta = writeLinks(meta, kind, ids ?? []);
  meta = withMeta(meta, EVENT_FIELDS.website.key, [websiteText(given(context, 'website'))]);
  return {
    ...stored,
    status: statusOf(context),
    author: authorFor(given(context, 'author'), current.author, context),
    title: textOf(context, 'title') ?? stored.title,
    content: textOf(context, 'description') ?? stored.content,
    excerpt: textOf(context, 'excerpt') ?? stored.excerpt,
    slug: slugOf(context),
    date: dateParams(context),
    menuOrder: flag(context, 'sticky') ? -1 : 0,
    meta,
    terms: termsAfter(current.terms, prepared),
  };
}

/** `POST /events`. @throws RestError when nothing is left to store (WP) */
export async function createEvent(context: CallContext): Promise<{ post: Post; status: number }> {
  const prepared = await prepare(context, false);
  const data = newEvent(context, prepared);
  if (data.title === '' && data.content === '' && data.excerpt === '') {
    const status = context.site.quirks.has('bad-input-is-server-error') ? null : 400;
    throw new RestError('empty_content', 'Content, title, and excerpt are empty.', status);
  }
  return { post: await insertPost(context.site, EVENT, data), status: 201 };
}

function guardWrite(post: Post | null, id: number): void {
  if (!post) throw eventNotFound(id);
  if (post.type !== EVENT) throw invalidEventId();
}

/** TEC: older releases return the error as content when the event of an update does not exist. */
const NO_EVENT = { errors: { 'event-not-found': ['The requested post ID does not exist or is not an event'] }, error_data: [] };

/** TEC: saving a published event publishes its linked drafts without other changes. */
async function publishLinked(before: Post, { site, request: { user } }: CallContext): Promise<void> {
  const mayPublish = (post: Post): boolean => canWithPosts(user, 'publish') && canEdit(user, post, site.registry);
  const drafts = (await findPosts(site.store, allLinkedIds(before))).filter(({ status }) => isDraftLike(status));
  for (const post of drafts) {
    if (!site.quirks.has('saving-publishes-drafts') && !mayPublish(post)) continue;
    await publishPost(site, post._id);
  }
}

export async function updateEvent(post: Post | null, id: number, context: CallContext): Promise<Post | RestResponse> {
  const takesAnySlug = context.site.quirks.has('unknown-slugs-are-updated');
  if (post || !takesAnySlug) guardWrite(post, id);
  const prepared = await prepare(context, true);
  if (!post) return new RestResponse(NO_EVENT);
  const stored = await updatePost(context.site, id, 'renew', (current) => changedEvent(current, context, prepared));
  if (!stored) throw EVENT_MESSAGES.couldNotUpdate();
  if (stored.status === 'publish') await publishLinked(post, context);
  return stored;
}

export async function trashEvent(post: Post | null, id: number, context: CallContext): Promise<Post> {
  guardWrite(post, id);
  if (post?.status === 'trash') throw EVENT_MESSAGES.alreadyTrashed();
  const stored = await trashPost(context.site, id, context.request.user);
  if (!stored) throw eventNotFound(id);
  return stored;
}
