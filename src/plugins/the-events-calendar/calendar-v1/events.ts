import { EVENT_FILTERS, planEvents } from './lists/event-filters.js';
import { EVENTS_PATH, presentEvent } from './event-present.js';
import { EVENT_MESSAGES, eventNoLongerAvailable, eventNotFound, eventPasswordProtected, invalidEventId } from './messages.js';
import { event as existingEvent, nonEmptyString, time, timezone, urlOrEmpty, userId, writableStatus, type ArgsOf } from './validators.js';
import { isNumeric, isEmpty, ucfirst } from '../../../base/php/cast.js';
import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { isDraftLike, TAG, withMeta, type Post, type MetaRow } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { slugArg, type PostResource, type Target } from './resource.js';
import { withParams, optionalArgs, type EndpointCall, type ParamsOf } from '../../../wordpress/rest/params.js';
import type { EventById, EventFields } from '../../../sdk/types/params.js';
import { sentPassword, tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import { RestResponse, RestError, invalidParam, invalidParams, type CallContext, type Check } from '../../../wordpress/rest/route.js';
import { NestedCostError, storeCost, type StoredCost } from '../model/cost.js';
import { LINKED_KINDS, eachKind, EVENT_FIELDS, EVENT_ORIGIN, OWN_ORIGIN, LINKED, flagFields, writeFlag } from '../model/event.js';
import type { LinkedKind, FlagField, FlagNames } from '../model/event.js';
import { termIdsFor, attachmentFor, image as imageParam } from './event-terms.js';
import { linkedIdsFor, linkedParam } from './linked/param.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { allLinkedIds } from '../model/columns.js';
import { insertPost, publishPost, trashPost, updatePost, allowedStatus, resaved, slugFor } from '../../../wordpress/posts/post-save.js';
import type { PostData } from '../../../wordpress/posts/post-save.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { cleanMetaText, savePostContent, savePostExcerpt, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { authorFor, type AuthorContext } from '../../../wordpress/rest/posts/author.js';
import type { Options } from '../../../wordpress/options.js';
import { abbreviation } from '../../../wordpress/timezones.js';
import { eventDates, type EventDates, type EventDatesInput } from '../model/dates.js';
import { writeLinks } from '../model/linked.js';
import { writeCost, givenDate, momentOf, storedTimes, writeDates, writeNoDates, type DatingSite } from '../model/event-dates.js';

const ids = { items: { type: 'integer' }, default: null, doc: { type: 'array', items: { type: 'integer' } } } as const;

const flag = (description: string) => ({ type: 'boolean', description }) as const;

const text = (description: string, validate: Check) => ({ type: 'string', description, validate }) as const;

/** The linked posts of an event: ids, or the data of new posts. */
function linkArg(kind: LinkedKind) {
  const { column, many } = LINKED[kind];
  const wanted = many ? `IDs, or the fields of new ${column}` : `an ID, or the fields of a new ${kind}`;
  return { ...ids, description: `${ucfirst(many ? column : kind)} of the event: ${wanted}.`, validate: linkedParam(kind) };
}

/** The writable fields of an event, in the order of the wire. */
const EVENT_ARGS = {
  author: { type: 'integer', description: 'ID of the author.', validate: userId },
  date: text('Publication date in the time zone of the site.', time),
  date_utc: text('Publication date in UTC.', time),
  title: { ...text('Title of the event.', nonEmptyString), required: true },
  description: text('Description of the event, as HTML.', nonEmptyString),
  slug: text('Slug of the event.', nonEmptyString),
  excerpt: text('Excerpt of the event.', nonEmptyString),
  status: text('Post status of the event.', writableStatus),
  timezone: text(EVENT_FIELDS.timezone.description, timezone),
  all_day: { ...flag(EVENT_FIELDS.all_day.description), default: false },
  start_date: { ...text(EVENT_FIELDS.start_date.description, time), required: EVENT_FIELDS.start_date.required },
  end_date: { ...text(EVENT_FIELDS.end_date.description, time), required: EVENT_FIELDS.end_date.required },
  image: text('Featured image: the ID of a file in the media library, or the URL of an image.', imageParam),
  cost: { description: EVENT_FIELDS.cost.description, sanitize: 'raw', doc: { type: 'string' } },
  website: { default: null, description: EVENT_FIELDS.website.description, validate: urlOrEmpty, doc: { type: 'string' } },
  show_map: flag(EVENT_FIELDS.show_map.description),
  show_map_link: flag(EVENT_FIELDS.show_map_link.description),
  hide_from_listings: flag(EVENT_FIELDS.hide_from_listings.description),
  sticky: flag('Whether to show the event first in calendar views.'),
  featured: flag(EVENT_FIELDS.featured.description),
  categories: { ...ids, description: 'Categories of the event: IDs, slugs or names; categories that do not exist are created.' },
  tags: { ...ids, description: 'Tags of the event: IDs, slugs or names; tags that do not exist are created.' },
  ...eachKind(linkArg),
} satisfies ArgsOf<EventFields>;

/** The same for updates, which require none. */
const EVENT_CHANGES = optionalArgs(EVENT_ARGS);

type EventParams = ParamsOf<typeof EVENT_CHANGES>;

/** A write of an event: its parameters, who sends them, and the settings and the clock of the site. No content is read. */
export interface EventWrite extends AuthorContext {
  params: EventParams;
  site: AuthorContext['site'] & DatingSite & { options: Pick<Options, 'calendar'> };
}

/** The linked posts, terms and image that parameters name, which exist by now, and the cost. */
export interface Referred {
  links: Record<LinkedKind, readonly number[]>;
  /** Undefined: not sent. */
  categories: number[] | undefined;
  tags: number[] | undefined;
  image: number | null;
  cost: StoredCost;
}

/** TEC: every write resets all flags, sent or not. */
const FLAGS = flagFields(EVENT_FIELDS) as readonly (readonly [name: FlagNames<typeof EVENT_FIELDS>, field: FlagField])[];

/** The meta that every write of an event resets, sent or not (TEC), and its dates. */
function metaAfter(meta: MetaRow[], dates: EventDates, { params }: EventWrite, { cost, image, links }: Referred): MetaRow[] {
  let next = dates.dates || storedTimes({ meta }).start !== undefined ? meta : writeNoDates(meta);
  for (const [name, field] of FLAGS) next = writeFlag(next, field, params[name] ?? false);
  next = withMeta(writeCost(next, cost), '_thumbnail_id', image === null ? [] : [String(image)]);
  next = writeDates(next, dates, params.all_day ?? false);
  // TEC: if several posts may be linked and none is sent, all links are removed.
  for (const kind of LINKED_KINDS) if (links[kind].length > 0 || LINKED[kind].many) next = writeLinks(next, kind, links[kind]);
  return next;
}

const datesInput = ({ params, site }: EventWrite): EventDatesInput => ({
  start: params.start_date,
  end: params.end_date,
  timezone: params.timezone === undefined ? null : cleanMetaText(params.timezone),
  allDay: params.all_day ?? false,
  cutoff: site.options.calendar.multiDayCutoff,
});

/** Rejects dates with which the event would end before it starts. TEC stores them. @throws RestError */
function rejectEarlyEnd(write: EventWrite): void {
  const { dates } = eventDates(datesInput(write), momentOf(write.site));
  if (dates && dates.endUtc < dates.startUtc) throw invalidParams({ end_date: { message: 'The event ends before it starts.' } });
}

/**
 * TEC: an update without both dates keeps the stored ones, except that all-day events are widened to whole days; zone and abbreviation
 * change in any case.
 */
function updatedDates(current: Post, write: EventWrite): EventDates {
  const input = datesInput(write);
  const moment = momentOf(write.site);
  const { start = '', end = '' } = storedTimes(current);
  const sent = eventDates(input, moment);
  if (sent.dates) return sent;
  const whole = { ...input, start: isEmpty(input.start) ? start : input.start, end: isEmpty(input.end) ? end : input.end };
  const widened = input.allDay && eventDates(whole, moment);
  if (widened && widened.dates) return widened;
  return { ...sent, abbr: start === '' ? sent.abbr : abbreviation(write.site.zones, sent.timezone, start) };
}

function websiteText({ params: { website } }: EventWrite): string {
  return website === undefined || website === false || typeof website === 'object' ? '' : cleanMetaText(String(website));
}

type Before = Pick<PostData, 'author' | 'title' | 'content' | 'excerpt' | 'terms'>;

/** The fields that WordPress keeps. @param before what stays unless it is sent */
function fieldsAfter(before: Before, write: EventWrite, { categories, tags }: Referred) {
  const { params, request, site } = write;
  const { title, description, excerpt } = params;
  const rights = textAuthor(request.user, site);
  const status = allowedStatus(request.user, params.status);
  return {
    status,
    author: authorFor(params.author, before.author, write),
    title: title === undefined ? before.title : savePostTitle(title, rights),
    content: description === undefined ? before.content : savePostContent(description, rights),
    excerpt: excerpt === undefined ? before.excerpt : savePostExcerpt(excerpt, rights),
    slug: slugFor(request.user, status, params.slug),
    date: givenDate(params, momentOf(site)),
    menuOrder: params.sticky ? -1 : 0,
    terms: { ...before.terms, ...(categories && { [EVENT_CATEGORY]: categories }), ...(tags && { [TAG]: tags }) },
  };
}

/** A new event. @throws RestError for an author that the caller may not name */
export function newEvent(write: EventWrite, referred: Referred): PostData {
  const origin: MetaRow[] = [{ key: EVENT_ORIGIN, value: OWN_ORIGIN }];
  const meta = metaAfter(origin, eventDates(datesInput(write), momentOf(write.site)), write, referred);
  const website = websiteText(write);
  const nothing = { author: write.request.user?._id ?? 0, title: '', content: '', excerpt: '', terms: {} };
  return {
    ...fieldsAfter(nothing, write, referred),
    // TEC: a new event becomes sticky in a separate update.
    isUpdated: write.params.sticky ?? false,
    password: '',
    // TEC: an event that is created without a website, or with an empty one (PHP: also `0`), shows its permalink.
    meta: isEmpty(website) ? meta : withMeta(meta, EVENT_FIELDS.website.key, [website]),
  };
}

/** An event after an update. TEC: it uses all parameters; most fields that are not sent are reset. @throws RestError as `newEvent` */
export function changedEvent(current: Post, write: EventWrite, referred: Referred): PostData {
  const stored = resaved(current, write.request.user, write.site);
  const meta = metaAfter(current.meta, updatedDates(current, write), write, referred);
  return {
    ...stored,
    ...fieldsAfter(stored, write, referred),
    meta: withMeta(meta, EVENT_FIELDS.website.key, [websiteText(write)]),
  };
}

const ZERO: StoredCost = { values: ['0'], symbol: null, position: null };

/** TEC: an update stores a cost of zero, a creation does not. */
function costOf({ cost }: EventParams, isUpdate: boolean): StoredCost {
  if (isUpdate && (cost === 0 || cost === '0')) return ZERO;
  try {
    return storeCost(cost);
  } catch (error) {
    if (error instanceof NestedCostError) throw invalidParam('cost');
    throw error;
  }
}

/** Creates the image, terms and linked posts that parameters refer to. TEC: they come before the event, and stay even if it then fails. */
async function referredBy({ params, ...context }: EndpointCall<typeof EVENT_CHANGES>, isUpdate: boolean): Promise<Referred> {
  if (!context.site.quirks.has('early-ends-hide-events')) rejectEarlyEnd({ params, ...context });
  const cost = costOf(params, isUpdate);
  const image = await attachmentFor(params.image, context);
  const categories = await termIdsFor('categories', params.categories, context);
  const tags = await termIdsFor('tags', params.tags, context);
  const links: Referred['links'] = eachKind(() => []);
  for (const kind of LINKED_KINDS) links[kind] = await linkedIdsFor(kind, params[kind] ?? [], context);
  return { links, categories, tags, image, cost };
}

/** The cost that a plugin stores where a request has none. */
async function costOfPlugin(post: Post, { site }: CallContext): Promise<StoredCost | null> {
  for (const costOfEvent of site.registry.hooks('updatedCost')) {
    const cost = await costOfEvent(post, site);
    if (cost) return cost;
  }
  return null;
}

/** `POST /events`. @throws RestError when nothing is left to store (WP) */
async function createEvent(call: EndpointCall<typeof EVENT_ARGS>): Promise<{ post: Post; status: number }> {
  const data = newEvent(call, await referredBy(call, false));
  if (data.title === '' && data.content === '' && data.excerpt === '') {
    const status = call.site.quirks.has('bad-input-is-server-error') ? null : 400;
    throw new RestError('empty_content', 'Content, title, and excerpt are empty.', status);
  }
  return { post: await insertPost(call.site, EVENT, data), status: 201 };
}

function guardWrite({ post, id }: Target): void {
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

async function updateEvent(call: EndpointCall<typeof EVENT_CHANGES>, { post, id }: Target): Promise<Post | RestResponse> {
  const takesAnySlug = call.site.quirks.has('unknown-slugs-are-updated');
  if (post || !takesAnySlug) guardWrite({ post, id });
  const referred = await referredBy(call, true);
  if (post && call.params.cost === undefined) referred.cost = (await costOfPlugin(post, call)) ?? referred.cost;
  if (!post) return new RestResponse(NO_EVENT);
  const stored = await updatePost(call.site, id, 'renew', (current) => changedEvent(current, call, referred));
  if (!stored) throw EVENT_MESSAGES.couldNotUpdate();
  if (stored.status === 'publish') await publishLinked(post, call);
  return stored;
}

async function trashEvent({ site, request }: CallContext, { post, id }: Target): Promise<Post> {
  guardWrite({ post, id });
  if (post?.status === 'trash') throw EVENT_MESSAGES.alreadyTrashed();
  const stored = await trashPost(site, id, request.user);
  if (!stored) throw eventNotFound(id);
  return stored;
}

/** TEC: older releases reject posts that are not events here, newer ones later. */
const eventId: Check<Post> = (value, context) =>
  context.site.quirks.has('unknown-events-are-invalid-ids') ? existingEvent(value, context) : isNumeric(value);

const ID_ARGS = {
  id: { type: 'integer', required: true, description: 'ID of the event.', validate: eventId },
  password: { type: 'string', description: 'Password of the event, if it has one.', validate: nonEmptyString },
} satisfies ArgsOf<EventById>;

/** TEC: the checks before a single event is shown, in this order. */
function guardRead(post: Post | null, id: number, { request, site }: CallContext): Post {
  if (!post) throw eventNotFound(id);
  if (post.type !== EVENT) throw invalidEventId();
  if (post.status === 'trash' && !site.quirks.has('trashed-events-are-readable')) throw eventNoLongerAvailable();
  if (!canRead(request.user, post, site.registry)) throw EVENT_MESSAGES.notAccessible();
  const edits = request.get('context') === 'edit' && canEdit(request.user, post, site.registry);
  const password = sentPassword(request, site);
  const refused = tooManyGuesses(password, post);
  if (refused) throw refused;
  if (post.password !== '' && !edits && password?.opens(post) !== true) throw eventPasswordProtected();
  return post;
}

export const EVENTS: PostResource = {
  postType: EVENT,
  path: EVENTS_PATH,
  filters: EVENT_FILTERS,
  fields: EVENT_ARGS,
  idArgs: ID_ARGS,
  slugArg: slugArg(EVENT, 'event'),
  doc: {
    schema: 'Event',
    noun: 'event',
    example: { title: 'Concert in the park', start_date: '2026-07-01 20:00:00', end_date: '2026-07-01 22:00:00', cost: '12' },
  },
  missingNeedsGeneralRight: ({ quirks }) => !quirks.has('unknown-events-are-invalid-ids'),
  slugIsWritable: true,
  messages: EVENT_MESSAGES,
  plan: planEvents,
  guardRead,
  present: presentEvent,
  create: withParams(EVENT_ARGS, createEvent),
  update: withParams(EVENT_CHANGES, updateEvent),
  trash: trashEvent,
};
