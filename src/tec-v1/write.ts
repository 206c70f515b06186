import { toStr } from '../php/cast.js';
import { storeCost } from '../tec/cost.js';
import { eventDates, type EventDates } from '../tec/dates.js';
import { EVENT_FIELDS, EVENT_ORIGIN, OWN_ORIGIN } from '../tec/event.js';
import { writeCost } from '../tec/event-cost.js';
import { storedTimes, timezoneOf, writeDates, type EventTimes } from '../tec/event-dates.js';
import { cleanText, textFields, writeTexts, type TextField } from '../tec/field.js';
import { readFlag, writeFlag } from '../tec/flags.js';
import { LINKED, LINKED_KINDS, writeLinks, type LinkedKind } from '../tec/linked.js';
import { authorFor } from '../rest/posts/author.js';
import { metaValue, metaValues, withMeta, type MetaRow, type Post } from '../wp/model.js';
import { asData, scaleStatus, slugFor, type GivenDate, type PostData } from '../wp/post-save.js';
import { existingIds } from '../wp/posts.js';
import { epochOf, toLocal, wallAt, conversionZone } from '../wp/timezones.js';
import { authorOf, dateOf, templateOf, termsAfter, textOf, titleOf, withImage } from '../rest/posts/post-params.js';
import { isNothing } from './args.js';
import { notStored } from './errors.js';
import { textsOf } from './linked-texts.js';
import type { PostType } from '../rest/posts/post-types.js';
import type { CallContext, Json } from '../rest/route.js';

type Change = (meta: MetaRow[]) => MetaRow[];

/** What a write makes of an item's own fields; null when nothing can be stored. */
export type OwnFields = (context: CallContext, current: Post | null) => Promise<Own | null>;

export interface Own {
  /** From the meta that are stored to those after the write. */
  change: Change;
  /** TEC: -1 keeps an event at the top. */
  menuOrder?: number;
}

const given = ({ request }: CallContext, name: string): Json | undefined => request.get(name) ?? undefined;

const textGiven = (context: CallContext, name: string): string | undefined => {
  const value = given(context, name);
  return typeof value === 'string' ? value : undefined;
};

const numberGiven = (context: CallContext, name: string): number | undefined => {
  const value = given(context, name);
  return typeof value === 'number' ? value : undefined;
};

const all =
  (changes: Change[]): Change =>
  (meta) =>
    changes.reduce((next, change) => change(next), meta);

const rows =
  (key: string, values: string[]): Change =>
  (meta) =>
    withMeta(meta, key, values);

const nothing: Change = (meta) => meta;

/**
 * The status of what is written. TEC: what says no status is published, changes of drafts too, and nobody asks for the right to.
 */
function statusOf(context: CallContext, current: Post | null): string {
  const { request, site } = context;
  if (site.quirks.has('tec-v1-publishes-by-default')) return toStr(request.get('status'));
  if (request.isGiven('status')) return scaleStatus(request.user, toStr(request.get('status')));
  return current?.status ?? scaleStatus(request.user, undefined);
}

interface Sent {
  title: string | undefined;
  content: string | undefined;
  excerpt: string | undefined;
  slug: string | undefined;
  status: string;
  author: number;
  date: GivenDate | null;
  terms: Record<string, number[]>;
  change: Change;
}

/** The rows of the featured image and of the template that a write comes to. */
async function commonRows(context: CallContext, type: PostType, current: Post | null): Promise<Change> {
  const template = templateOf(textGiven(context, 'template'), type, current ? (metaValue(current, '_wp_page_template') ?? '') : '');
  const withPicture = await withImage(current?.meta ?? [], numberGiven(context, 'featured_media'), context.site);
  return all([
    given(context, 'featured_media') === undefined ? nothing : rows('_thumbnail_id', metaValues({ meta: withPicture }, '_thumbnail_id')),
    template === undefined ? nothing : rows('_wp_page_template', template === '' ? [] : [template]),
  ]);
}

async function sentOf(context: CallContext, type: PostType, current: Post | null): Promise<Sent> {
  const { user } = context.request;
  const status = statusOf(context, current);
  return {
    title: titleOf(given(context, 'title'), user),
    content: textOf(given(context, 'content'), user),
    excerpt: textOf(given(context, 'excerpt'), user),
    slug: slugFor(user, status, textGiven(context, 'slug')),
    status,
    author: authorFor(await authorOf(numberGiven(context, 'author'), context.site), current?.author ?? user?._id ?? 0, context),
    date: dateOf({ date: textGiven(context, 'date'), date_gmt: textGiven(context, 'date_gmt') }, context),
    terms: await termsAfter({}, type, context),
    change: await commonRows(context, type, current),
  };
}

/**
 * A new item of what was sent.
 * @throws RestError when nothing can be stored of it, or it names what there is not
 */
export async function newEntity(context: CallContext, type: PostType, own: OwnFields): Promise<PostData> {
  const { title, content, excerpt, slug, change, ...sent } = await sentOf(context, type, null);
  const fields = isNothing(title) ? null : await own(context, null);
  if (!fields || title === undefined) throw notStored('create', context.site);
  return {
    ...sent,
    title,
    content: content ?? '',
    excerpt: excerpt ?? '',
    ...(slug === undefined ? {} : { slug }),
    menuOrder: fields.menuOrder ?? 0,
    password: '',
    meta: all([change, fields.change])([]),
  };
}

/**
 * A change of an item by what was sent, to be applied to what is stored at the moment of writing.
 * @throws RestError when nothing would be left of it, or it names what there is not
 */
export async function changedEntity(
  context: CallContext,
  type: PostType,
  own: OwnFields,
  post: Post,
): Promise<(current: Post) => PostData> {
  const { title, content, excerpt, slug, change, terms, ...sent } = await sentOf(context, type, post);
  const fields = await own(context, post);
  if (!fields) throw notStored('update', context.site);
  return (current) => {
    const texts = { title: title ?? current.title, content: content ?? current.content, excerpt: excerpt ?? current.excerpt };
    if (texts.title === '' && texts.content === '' && texts.excerpt === '') throw notStored('update', context.site);
    return {
      ...asData(current),
      ...sent,
      ...texts,
      ...(slug === undefined ? {} : { slug }),
      password: sent.status === 'private' ? '' : current.password,
      menuOrder: fields.menuOrder ?? current.menuOrder,
      meta: all([change, fields.change])(current.meta),
      terms: { ...current.terms, ...terms },
      keepsColumns: true,
    };
  };
}

const origin = (key: string, current: Post | null): Change => (current ? nothing : rows(key, [OWN_ORIGIN]));

/** The website has been cleaned as an address. */
const clean = (field: TextField, text: string): string => (field.kind === 'url' ? text : cleanText(field, text));

/** What a write makes of the fields of a venue or an organizer. TEC: nothing is derived where nothing of it is sent. */
export const ownOfLinked =
  (kind: LinkedKind): OwnFields =>
  async (context, current) => {
    const sent = Object.fromEntries(textsOf(kind).map(({ name, own }) => [own, textGiven(context, name)]));
    const isSent = ({ derive }: TextField): boolean => !derive || derive.from.some((name) => sent[name] !== undefined);
    const fields = textFields(LINKED[kind].fields).filter(([, field]) => isSent(field));
    return { change: all([origin(LINKED[kind].origin, current), (meta) => writeTexts(meta, fields, sent, clean)]) };
  };

const DATE_PARAMS = ['start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'timezone', 'duration', 'all_day'];

/** The last second of which a text of the database tells. */
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** One end of an event, on its own clock: as it is sent, or by its UTC twin. */
function wallOf(context: CallContext, name: 'start_date' | 'end_date', zone: string): string | undefined {
  const utc = textGiven(context, `${name}_utc`);
  return textGiven(context, name) ?? (utc === undefined ? undefined : toLocal(utc, zone));
}

/** When an event ends that lasts so many seconds; undefined when that is beyond all dates. */
function endAfter(start: string, duration: number, zone: string): string | undefined {
  const end = (epochOf(start, conversionZone(zone)) ?? 0) + Math.max(0, duration);
  return end > LAST_SECOND ? undefined : wallAt(end, conversionZone(zone));
}

const isAllDay = (context: CallContext, current: Post | null): boolean => {
  const sent = given(context, 'all_day');
  return typeof sent === 'boolean' ? sent : current !== null && readFlag(current, EVENT_FIELDS.all_day);
};

/** The dates that a write comes to; null when one of them is missing, or the end would come before the start. */
function datesOf(context: CallContext, current: Post | null): EventDates | null {
  const { site } = context;
  const sentZone = textGiven(context, 'timezone');
  const timezone = sentZone ?? (current ? timezoneOf(current, site.options.timezone) : '');
  const zone = timezone || site.options.timezone;
  const stored: Partial<EventTimes> = current ? storedTimes(current) : {};
  const start = wallOf(context, 'start_date', zone) ?? stored.start;
  const duration = given(context, 'duration');
  const lasting = typeof duration === 'number' && start ? endAfter(start, duration, zone) : undefined;
  const end = wallOf(context, 'end_date', zone) ?? lasting ?? stored.end;
  const found = eventDates(
    { start, end, timezone, allDay: isAllDay(context, current), cutoff: site.options.calendar.multiDayCutoff },
    { now: site.clock.seconds(), siteZone: site.options.timezone },
  );
  return found.dates && found.dates.startUtc <= found.dates.endUtc ? found : null;
}

function costRows(context: CallContext): Change {
  const sent = textGiven(context, 'cost');
  return sent === undefined ? nothing : (meta) => writeCost(meta, storeCost(sent));
}

function flagRow(context: CallContext, name: 'all_day' | 'featured'): Change {
  const sent = given(context, name);
  return typeof sent === 'boolean' ? (meta) => writeFlag(meta, EVENT_FIELDS[name], sent) : nothing;
}

/** Links to posts that exist; other ids are silently ignored. */
async function linkRows(context: CallContext, kind: LinkedKind): Promise<Change> {
  const { column, type } = LINKED[kind];
  const sent = given(context, column);
  if (!Array.isArray(sent)) return nothing;
  const ids = sent.map(Number);
  const known = await existingIds(context.site.store, type, ids);
  return (meta) =>
    writeLinks(
      meta,
      kind,
      ids.filter((id) => known.has(id)),
    );
}

async function allLinks(context: CallContext): Promise<Change> {
  const changes: Change[] = [];
  for (const kind of LINKED_KINDS) changes.push(await linkRows(context, kind));
  return all(changes);
}

/** What a write makes of the fields of an event; null where its dates are none. TEC: links to what there is not are passed over. */
export const ownOfEvent: OwnFields = async (context, current) => {
  const isTimed = DATE_PARAMS.some((name) => given(context, name) !== undefined);
  const dates = isTimed || !current?.occurrence ? datesOf(context, current) : undefined;
  if (dates === null) return null;
  const sticky = given(context, 'sticky');
  return {
    change: all([
      origin(EVENT_ORIGIN, current),
      dates ? (meta) => writeDates(meta, dates, isAllDay(context, current)) : nothing,
      flagRow(context, 'all_day'),
      flagRow(context, 'featured'),
      costRows(context),
      await allLinks(context),
    ]),
    ...(typeof sticky === 'boolean' ? { menuOrder: sticky ? -1 : 0 } : {}),
  };
};
