import { isDeepStrictEqual } from 'node:util';
import { EVENT_FIELDS, LINKED, type LinkedKind, readText, type Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { linkedText } from '../../../plugins/the-events-calendar/model/linked.js';
import { instantOf, instantsOf, type OffsetAt } from './described.js';
import { CANCELED } from './event.js';
import { ADDRESSED, fieldParameters } from './parameters.js';
import {
  RFC_STYLE,
  icsDay,
  icsDocument,
  icsImage,
  icsLines,
  icsText,
  icsTextList,
  icsTime,
  icsUri,
  type IcsComponent,
  type IcsProperty,
} from '../../../wordpress/ics/write.js';
import { writeTexts } from '../../../base/system/streams.js';
import { RFC_ZONE_STYLE, vtimezone } from '../../../wordpress/ics/write.js';
import { ZERO_DATE, metaValues, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { offsetAt, UTC } from '../../../base/php/timezone.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { conversionZone, epochOf, toUtc } from '../../../wordpress/timezones.js';
import { fieldText, wallTimesOf, type WallTimes } from '../../fields.js';
import { Omissions, isOfPlugin, kindOfPost, throwProblem, indexSource, termText, type Index } from '../../writing.js';
import type { Write, FormatWriteOptions, Wrote } from '../format.js';
import { htmlToText, textToHtml, venueOfText, venueText } from './text.js';
import { shiftWall } from './times.js';
import type { DatasetSource } from '../../source.js';

const DAY = 86_400;

/** RFC 5545: ORGANIZER requires an address. This one stands for organizers without email. */
const NO_ADDRESS = 'invalid:nomail';

/** The times of an event; the default time zone is UTC. */
const timesOf = (post: Post): WallTimes => {
  const times = wallTimesOf(post);
  return { ...times, timezone: times.timezone || 'UTC' };
};

const zoneName = (timezone: string): string | null => (timezone === 'UTC' ? null : timezone);

const offsetsOf = (timezone: string): OffsetAt => {
  const zone = conversionZone(newestZones(), timezone);
  return (utc) => offsetAt(zone, utc);
};

/** RFC 5545: an end is later than the start; an all-day event ends the next day. All-day dates have no TZID, so the zone is written as X-ZONE. */
function timeProperties(post: Post): IcsProperty[] {
  const { start, end, timezone, allDay } = timesOf(post);
  const tzid = zoneName(timezone);
  const timed = (name: 'DTSTART' | 'DTEND', wall: string): IcsProperty => {
    const utc = readText(post, EVENT_FIELDS[name === 'DTSTART' ? 'utc_start_date' : 'utc_end_date']);
    // Programs differ on local times that occur twice, or never.
    const [seconds, offsets] = [epochOf(wall, UTC) ?? 0, offsetsOf(timezone)];
    const instants = instantsOf(seconds, offsets);
    const isUnclear = instants.length !== 1 && [...instants, instantOf(seconds, offsets)].includes(epochOf(utc, UTC) ?? NaN);
    return isUnclear ? { ...icsTime(name, utc, null), params: { 'X-ZONE': timezone } } : icsTime(name, wall, tzid);
  };
  if (!allDay) return [timed('DTSTART', start), ...(end === '' || end === start ? [] : [timed('DTEND', end)])];
  const zone = { 'X-ZONE': timezone };
  return [icsDay('DTSTART', start, zone), icsDay('DTEND', shiftWall(end < start ? start : end, DAY), zone)];
}

function stamps(post: Post): IcsProperty[] {
  const changed = [post.modifiedGmt, post.dateGmt].find((wall) => wall !== ZERO_DATE) ?? '1970-01-01 00:00:00';
  const published = post.dateGmt === ZERO_DATE ? [] : [icsTime('CREATED', post.dateGmt, null)];
  return [icsTime('DTSTAMP', changed, null), ...published, icsTime('LAST-MODIFIED', changed, null)];
}

/** Plain texts, and additionally the HTML if the plain text cannot be converted back to it. */
function texts(post: Post): IcsProperty[] {
  const title = htmlToText(post.title).replace(/\s*\n\s*/g, ' ');
  const content = htmlToText(post.content);
  return [
    { name: 'SUMMARY', params: { 'X-HTML': title === post.title ? null : post.title }, value: icsText(title) },
    ...(post.content === '' ? [] : [{ name: 'DESCRIPTION', value: icsText(content) }]),
    ...(textToHtml(content) === post.content
      ? []
      : [{ name: 'X-ALT-DESC', params: { FMTTYPE: 'text/html' }, value: icsText(post.content) }]),
  ];
}

/** The non-empty texts of a venue or organizer. */
const textsOf = (post: Post, table: Fields): Record<string, string> =>
  Object.fromEntries(
    fieldParameters(table)
      .map(({ name }) => [name, fieldText(post, table, table[name])])
      .filter(([, text]) => text !== ''),
  );

const parametersOf = (values: Record<string, string>, table: Fields): Record<string, string | null> =>
  Object.fromEntries(fieldParameters(table).map(({ name, parameter }) => [parameter, values[name] ?? null]));

function location(venue: Post | undefined): IcsProperty[] {
  if (!venue) return [];
  const { fields } = LINKED.venue;
  const values = textsOf(venue, fields);
  const text = venueText({ title: venue.title, values });
  const parsed = venueOfText(text);
  const isLossless = isDeepStrictEqual({ title: parsed.title, ...parsed.values }, { title: venue.title, ...values });
  const [lat, lng] = [readText(venue, fields.geo_lat), readText(venue, fields.geo_lng)];
  return [
    { name: 'LOCATION', params: isLossless ? {} : { 'X-NAME': venue.title, ...parametersOf(values, fields) }, value: icsText(text) },
    ...(lat && lng ? [{ name: 'GEO', value: `${lat};${lng}` }] : []),
  ];
}

/** The address of a calendar user: the email address, if there is one. */
const addressOf = (email: string): string => (email === '' ? NO_ADDRESS : `mailto:${icsUri(email)}`);

/** RFC 5545: an event has one ORGANIZER. The others, and other kinds, are written as `X-` properties of the same form. */
const linkedProperty = (kind: LinkedKind, post: Post, index: number): IcsProperty => {
  const { fields } = LINKED[kind];
  const isStandard = kind === 'organizer' && index === 0;
  return {
    name: `${isStandard ? '' : 'X-'}${kind.toUpperCase()}`,
    params: {
      ...(isStandard ? {} : { VALUE: 'CAL-ADDRESS' }),
      CN: post.title,
      ...parametersOf(textsOf(post, fields), fields),
    },
    value: addressOf(linkedText(post, 'email')),
  };
};

function eventComponent(post: Post, { posts, terms }: Index, source: DatasetSource): IcsComponent {
  const linked = (key: string): Post[] => metaValues(post, key).flatMap((id) => posts.get(Number(id)) ?? []);
  const categories = (post.terms[EVENT_CATEGORY] ?? []).flatMap((id) => terms.get(id) ?? []).map(termText);
  const website = readText(post, EVENT_FIELDS.website);
  const image = linked('_thumbnail_id')[0];
  const host = URL.canParse(source.siteUrl) ? new URL(source.siteUrl).hostname : 'understudy.invalid';
  return {
    name: 'VEVENT',
    properties: [
      { name: 'UID', value: `${post._id}@${host}` },
      ...stamps(post),
      ...timeProperties(post),
      ...texts(post),
      ...location(linked(LINKED.venue.link.key)[0]),
      ...ADDRESSED.flatMap((kind) => linked(LINKED[kind].link.key).map((each, index) => linkedProperty(kind, each, index))),
      ...(categories.length === 0 ? [] : [{ name: 'CATEGORIES', value: icsTextList(categories) }]),
      ...(website ? [{ name: 'URL', value: icsUri(website) }] : []),
      ...(readText(post, EVENT_FIELDS.event_status) === CANCELED ? [{ name: 'STATUS', value: 'CANCELLED' }] : []),
      ...(post.status === 'private' ? [{ name: 'CLASS', value: 'PRIVATE' }] : []),
      ...(image?.file && source.siteUrl !== '' ? [icsImage(image.mimeType, `${source.siteUrl}/wp-content/uploads/${image.file}`)] : []),
    ],
  };
}

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Why an event is omitted, or undefined. Only published and private events without a password are written. */
function omissionOf(post: Post): string | undefined {
  const { status, password } = post;
  if (status !== 'publish' && status !== 'private') return `event with the status ${status}`;
  if (password !== '') return 'event with a password';
  return WALL.test(timesOf(post).start) ? undefined : 'event without a date';
}

/** Time zones of the timed events, and the period that they are needed for. */
async function zonesOf(source: DatasetSource, warn: FormatWriteOptions['warn']): Promise<{ zones: string[]; from: number; to: number }> {
  const zones = new Set<string>();
  const omissions = new Omissions();
  let [from, to] = [Infinity, -Infinity];
  for await (const item of source.items(throwProblem(source))) {
    if (item.kind === 'post' && isOfPlugin(item.post)) omissions.add(kindOfPost(item.post));
    if (item.kind !== 'post' || item.post.type !== EVENT) continue;
    const why = omissionOf(item.post);
    if (why !== undefined) omissions.add(why);
    else {
      omissions.addFields(item.post);
      if (readText(item.post, EVENT_FIELDS.cost) !== '') omissions.add('cost of an event');
    }
    const { start, end, timezone, allDay } = timesOf(item.post);
    if (why !== undefined || allDay) continue;
    if (timezone !== 'UTC') zones.add(timezone);
    const at = (wall: string): number => epochOf(toUtc(newestZones(), wall, timezone), UTC) ?? 0;
    from = Math.min(from, at(start));
    to = Math.max(to, at(end));
  }
  omissions.report('iCalendar', warn);
  return { zones: [...zones].sort(), from: from - 366 * DAY, to: to + 366 * DAY };
}

/** Yields a calendar file with the events of a source. */
export async function* icsChunks(
  source: DatasetSource,
  warn: FormatWriteOptions['warn'] = () => undefined,
  wrote?: Wrote,
): AsyncIterable<string> {
  const index = await indexSource(source.whole ?? source);
  const { zones, from, to } = await zonesOf(source, warn);
  const head: IcsComponent = {
    name: 'VCALENDAR',
    properties: [
      { name: 'VERSION', value: '2.0' },
      { name: 'PRODID', value: '-//wp-understudy//Export//EN' },
      { name: 'CALSCALE', value: 'GREGORIAN' },
      { name: 'METHOD', value: 'PUBLISH' },
    ],
    components: zones.map((zone) => vtimezone(zone, conversionZone(newestZones(), zone), from, to, RFC_ZONE_STYLE)),
  };
  const end = 'END:VCALENDAR\r\n';
  yield icsDocument(head, RFC_STYLE).slice(0, -end.length);
  for await (const item of source.items(throwProblem(source))) {
    if (item.kind !== 'post' || item.post.type !== EVENT || omissionOf(item.post) !== undefined) continue;
    wrote?.('event');
    yield [...icsLines(eventComponent(item.post, index, source), RFC_STYLE)].join('');
  }
  yield end;
}

/** Writes the events of a source as iCalendar. */
export const writeIcs: Write = (source, out, { warn, wrote, signal }) => writeTexts(out, icsChunks(source, warn, wrote), signal);
