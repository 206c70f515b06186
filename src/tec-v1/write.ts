import { toStr } from '../php/cast.js';
import { storeCost } from '../tec/cost.js';
import { eventDates, type EventDates } from '../tec/dates.js';
import { setDates } from '../calendar-v1/event-save.js';
import { timezoneOf } from '../calendar-v1/event-present.js';
import { authorFor } from '../calendar-v1/linked-save.js';
import { isTruthy } from '../tec/flags.js';
import { cleanMetaText } from '../wp/formatting/sanitize.js';
import { metaValue, metaValues, withMeta, type MetaRow, type Post } from '../wp/model.js';
import { ORGANIZER, VENUE } from '../tec/index.js';
import { asData, scaleStatus, slugFor, type GivenDate, type PostData } from '../wp/post-save.js';
import { existingIds } from '../wp/posts.js';
import { epochOf, toLocal, wallAt, conversionZone } from '../wp/timezones.js';
import { authorOf, dateOf, templateOf, termsAfter, textOf, withImage } from '../rest/posts/post-params.js';
import { isNothing } from './args.js';
import { notStored } from './errors.js';
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
  const template = templateOf(context, type, current ? (metaValue(current, '_wp_page_template') ?? '') : '');
  const withPicture = await withImage(current?.meta ?? [], context);
  return all([
    given(context, 'featured_media') === undefined ? nothing : rows('_thumbnail_id', metaValues({ meta: withPicture }, '_thumbnail_id')),
    template === undefined ? nothing : rows('_wp_page_template', template === '' ? [] : [template]),
  ]);
}

async function sentOf(context: CallContext, type: PostType, current: Post | null): Promise<Sent> {
  const { user } = context.request;
  const status = statusOf(context, current);
  return {
    title: textOf(context, 'title'),
    content: textOf(context, 'content'),
    excerpt: textOf(context, 'excerpt'),
    slug: slugFor(user, status, textGiven(context, 'slug')),
    status,
    author: authorFor(await authorOf(context), current?.author ?? user?._id ?? 0, context),
    date: dateOf(context),
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

/** Where a text of a venue or an organizer is kept; the website has been cleaned as an address. */
const textRows = (context: CallContext, keys: Record<string, string>): Change[] =>
  Object.entries(keys).map(([name, key]) => {
    const value = textGiven(context, name);
    return value === undefined ? nothing : rows(key, [name === 'website' ? value : cleanMetaText(value)]);
  });

const ORGANIZER_KEYS = { phone: '_OrganizerPhone', website: '_OrganizerWebsite', email: '_OrganizerEmail' };

const VENUE_KEYS = {
  address: '_VenueAddress',
  country: '_VenueCountry',
  city: '_VenueCity',
  state: '_VenueState',
  province: '_VenueProvince',
  zip: '_VenueZip',
  phone: '_VenuePhone',
  website: '_VenueURL',
};

const REGION = ['state_province', 'state', 'province', 'country'] as const;

/** The region that is shown, made of what is sent of it as the calendar does (TEC); nothing changes where nothing is sent. */
function regionRow(context: CallContext): Change {
  const sent = REGION.map((name) => textGiven(context, name));
  if (sent.every((value) => value === undefined)) return nothing;
  const [explicit, state, province, country] = sent.map((value) => value ?? '');
  const isAmerican = ['', 'US', 'United States'].includes(country);
  return rows('_VenueStateProvince', [cleanMetaText(explicit || (state !== '' && isAmerican ? state : province))]);
}

const origin = (key: string, current: Post | null): Change => (current ? nothing : rows(key, ['events-calendar']));

/** What a write makes of the fields of an organizer. */
export const ownOfOrganizer: OwnFields = async (context, current) => ({
  change: all([origin('_OrganizerOrigin', current), ...textRows(context, ORGANIZER_KEYS)]),
});

/** What a write makes of the fields of a venue. */
export const ownOfVenue: OwnFields = async (context, current) => ({
  change: all([origin('_VenueOrigin', current), ...textRows(context, VENUE_KEYS), regionRow(context)]),
});

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
  return typeof sent === 'boolean' ? sent : current !== null && isTruthy(metaValue(current, '_EventAllDay'));
};

/** The dates that a write comes to; null when one of them is missing, or the end would come before the start. */
function datesOf(context: CallContext, current: Post | null): EventDates | null {
  const { site } = context;
  const sentZone = textGiven(context, 'timezone');
  const timezone = sentZone ?? (current ? timezoneOf(current, site) : '');
  const zone = timezone || site.options.timezone;
  const start = wallOf(context, 'start_date', zone) ?? (current ? metaValue(current, '_EventStartDate') : undefined);
  const duration = given(context, 'duration');
  const lasting = typeof duration === 'number' && start ? endAfter(start, duration, zone) : undefined;
  const end = wallOf(context, 'end_date', zone) ?? lasting ?? (current ? metaValue(current, '_EventEndDate') : undefined);
  const found = eventDates(
    { start, end, timezone, allDay: isAllDay(context, current), cutoff: site.options.calendar.multiDayCutoff },
    { now: site.clock.seconds(), siteZone: site.options.timezone },
  );
  return found.dates && found.dates.startUtc <= found.dates.endUtc ? found : null;
}

function costRows(context: CallContext): Change {
  const sent = textGiven(context, 'cost');
  if (sent === undefined) return nothing;
  const { values, symbol, position } = storeCost(sent);
  return all([
    rows('_EventCost', values),
    rows('_EventCurrencySymbol', symbol === null ? [] : [symbol]),
    rows('_EventCurrencyPosition', position === null ? [] : [position]),
  ]);
}

function flagRow(context: CallContext, name: string, key: string): Change {
  const sent = given(context, name);
  return typeof sent === 'boolean' ? rows(key, sent ? ['1'] : []) : nothing;
}

/** Links to what there is; ids of anything else are passed over. */
async function linkRows(context: CallContext, name: string, key: string, type: string): Promise<Change> {
  const sent = given(context, name);
  if (!Array.isArray(sent)) return nothing;
  const known = await existingIds(context.site.store, type, sent.map(Number));
  return rows(
    key,
    sent
      .map(Number)
      .filter((id) => known.has(id))
      .map(String),
  );
}

/** What a write makes of the fields of an event; null where its dates are none. TEC: links to what there is not are passed over. */
export const ownOfEvent: OwnFields = async (context, current) => {
  const isTimed = DATE_PARAMS.some((name) => given(context, name) !== undefined);
  const dates = isTimed || !current?.occurrence ? datesOf(context, current) : undefined;
  if (dates === null) return null;
  const sticky = given(context, 'sticky');
  return {
    change: all([
      origin('_EventOrigin', current),
      dates ? (meta) => setDates(meta, dates, isAllDay(context, current)) : nothing,
      flagRow(context, 'all_day', '_EventAllDay'),
      flagRow(context, 'featured', '_tribe_featured'),
      costRows(context),
      await linkRows(context, 'venues', '_EventVenueID', VENUE),
      await linkRows(context, 'organizers', '_EventOrganizerID', ORGANIZER),
    ]),
    ...(typeof sticky === 'boolean' ? { menuOrder: sticky ? -1 : 0 } : {}),
  };
};
