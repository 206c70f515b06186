import { isEmpty } from '../../../base/php/cast.js';
import { authorFor } from '../../../wordpress/rest/posts/author.js';
import { sentAuthor, dateOf, termsAfter, withImage } from '../../../wordpress/rest/posts/post-params.js';
import type { RestType } from '../../../wordpress/rest/posts/post-types.js';
import type { EndpointCall } from '../../../wordpress/rest/params.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { OWN_ORIGIN, EVENT_FIELDS as STORED, readFlag } from '../model/event.js';
import { savePostContent, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { metaValues, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { allowedStatus, isUndated, resaved, slugFor, type GivenDate, type PostData } from '../../../wordpress/posts/post-save.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { isNothing } from './args.js';
import { isUnstorable, notStored } from './checking.js';
import type { COMMON_FIELDS, EVENT_PARAMS } from './fields.js';
import type { Zone } from '../../../base/php/timezone.js';
import { eventDates, type EventDates } from '../model/dates.js';
import { storedTimes, timezoneOf, type EventTimes } from '../model/event-dates.js';
import { conversionZone, epochOf, toLocal, wallAt } from '../../../wordpress/timezones.js';

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

/** The dates of an event that a write stores. */
interface FoundDates {
  /** Undefined: the stored ones stay. */
  dates?: EventDates;
  /** Undefined: the stored one stays. */
  duration?: number | undefined;
}

const DATE_PARAMS = ['start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'timezone', 'duration', 'all_day'] as const;

export const sendsDates = ({ params }: EventCall): boolean => DATE_PARAMS.some((name) => params[name] !== undefined);

/** The last second that a date in the database can express. */
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** The dates of a request, in the time zone of the event. */
interface Span {
  start: string | undefined;
  end: string | undefined;
  timezone: string;
  allDay: boolean;
}

/** Start or end of an event: as it is sent, or from its UTC variant. */
function wallOf({ params, site }: EventCall, edge: 'start_date' | 'end_date', zone: string): string | undefined {
  const utc = params[`${edge}_utc`];
  return params[edge] ?? (utc === undefined ? undefined : toLocal(site.zones, utc, zone));
}

/** The end of an event with a duration in seconds; undefined if it cannot be expressed. */
function endAfter(start: string, duration: number, zone: Zone): string | undefined {
  const end = secondsAt(start, zone) + duration;
  return end > LAST_SECOND ? undefined : wallAt(end, zone);
}

const secondsAt = (wall: string, zone: Zone): number => epochOf(wall, zone) ?? 0;

/** The dates and the time zone that are sent. TEC: an offset becomes the name of a region, that of the site included. */
function spanOf(call: EventCall, current: Post | null): Span {
  const { params, site } = call;
  const sent = params.timezone === '' ? undefined : params.timezone;
  const timezone =
    sent === undefined && current
      ? timezoneOf(current, site.options.timezone)
      : conversionZone(site.zones, sent ?? site.options.timezone).name;
  return {
    start: wallOf(call, 'start_date', timezone),
    end: wallOf(call, 'end_date', timezone),
    timezone,
    allDay: params.all_day ?? (current !== null && readFlag(current, STORED.all_day)),
  };
}

/** The dates to store for both ends. */
const made = ({ site }: EventCall, { timezone, allDay }: Span, start: string, end: string): EventDates =>
  eventDates(
    { start, end, timezone, allDay, cutoff: site.options.calendar.multiDayCutoff },
    { now: site.clock.seconds(), siteZone: site.options.timezone, zones: site.zones },
  );

/** Start and end, computed independently: an end may be before the start. */
function madeApart(call: EventCall, span: Span, start: string, end: string): EventDates {
  const [first, last] = [made(call, span, start, start), made(call, span, end, end)];
  if (!first.dates || !last.dates) return first;
  return { ...first, dates: { ...first.dates, end: last.dates.end, endUtc: last.dates.endUtc } };
}

/**
 * TEC: the duration is computed from the dates that are sent, before they are widened to whole days; a changed start alone leaves it as it is. A
 * duration alone changes only the duration, and dates with the end before the start are ignored.
 */
function looseDates(call: EventCall, current: Post | null): FoundDates | null {
  const span = spanOf(call, current);
  const { start } = span;
  const zone = conversionZone(call.site.zones, span.timezone);
  const { duration, end_date, end_date_utc } = call.params;
  const end = span.end ?? (start !== undefined && duration !== undefined ? endAfter(start, duration, zone) : undefined);
  const stored: Partial<EventTimes> = current ? storedTimes(current) : {};
  const [from, to] = [start ?? stored.start, end ?? stored.end];
  // TEC: all-day events without dates are today.
  const today = !current && span.allDay && !from && !to ? wallAt(call.site.clock.seconds(), zone) : undefined;
  if (today !== undefined) return { dates: madeApart(call, span, today, today) };
  if (!from || !to) return null;
  if (secondsAt(to, zone) < secondsAt(from, zone)) return current ? {} : null;
  // TEC: an end in UTC alone cannot be stored.
  if (end_date_utc !== undefined && end_date === undefined && start === undefined) return null;
  const lasting = start !== undefined && end !== undefined ? secondsAt(end, zone) - secondsAt(start, zone) : undefined;
  const dates = madeApart(call, span, from, to);
  return dates.dates ? { dates, duration: lasting ?? duration } : null;
}

/** Consistent dates and duration; null for an end before the start. */
function strictDates(call: EventCall, current: Post | null): FoundDates | null {
  const span = spanOf(call, current);
  const stored: Partial<EventTimes> = current ? storedTimes(current) : {};
  const start = span.start ?? stored.start;
  const { duration } = call.params;
  const end =
    span.end ??
    (duration !== undefined && start ? endAfter(start, duration, conversionZone(call.site.zones, span.timezone)) : undefined) ??
    stored.end;
  const dates = start && end ? made(call, span, start, end) : undefined;
  if (!dates?.dates || dates.dates.startUtc > dates.dates.endUtc) return null;
  return { dates, duration: span.allDay ? undefined : dates.dates.duration };
}

/** The dates to store for a write; null if they cannot be stored. */
export const datesOf = (call: EventCall, current: Post | null): FoundDates | null =>
  (writesLoosely(call) ? looseDates : strictDates)(call, current);
