import { linkedPosts } from '../tec/linked.js';
import { rawurlencode } from '../php/query-string.js';
import { offsetAt, spelledName, type Zone } from '../php/timezone.js';
import { fileUrl } from '../wp/media/attachments.js';
import { canRead } from '../wp/users/capabilities.js';
import { decodeEntities } from '../wp/formatting/decode-entities.js';
import { stripAllTags } from '../wp/formatting/strip-tags.js';
import { ZERO_DATE, metaValue, type Post, type User } from '../wp/model.js';
import { EVENT_CATEGORY } from '../tec/index.js';
import { permalink } from '../wp/permalinks.js';
import { shiftHours } from '../wp/timezones.js';
import { termsOf, thumbnail, type Related } from '../wp/related.js';
import { markedTitle, shownContent } from '../wp/rendered.js';
import type { Site } from '../wp/site.js';
import { conversionZone, epochOf, toUtc, zoneOf } from '../wp/timezones.js';
import { icsDate, icsDateTime, icsText, icsTextList, type IcsComponent, type IcsProperty } from './ics.js';
import { isTruthy } from '../tec/flags.js';

const UTC = zoneOf('UTC');

/** What the events of a calendar are written with. */
export interface FeedContext {
  site: Site;
  /** Who reads it; null for everybody. */
  reader: User | null;
  related: Related;
  /** The state that events without a venue bear; empty for none. */
  borrowedState: string;
}

/** The zone of an event as it is stored. */
export const storedZone = (zone: string | undefined, site: Site): string => zone || site.options.timezone;

/**
 * The name of a stored zone within a calendar, or null when its times are given in UTC: programs know regions by name, and little else.
 * TEC: every zone is named as PHP does; offsets in the form `UTC±N` have the name of the region by which their times are converted.
 */
export function feedZoneName(zone: string, { quirks }: Site): string | null {
  const found = conversionZone(zone);
  if (quirks.has('ical-breaks-the-format')) return found.name;
  return found.name.includes('/') ? spelledName(found) : null;
}

/**
 * Whether the times of an event are dates, by its meta `_EventAllDay`.
 * TEC: only for `yes`, which nothing writes any more; events made through the API have `1`.
 */
export const isInDays = (allDay: string | undefined, { quirks }: Site): boolean =>
  quirks.has('ical-all-day-is-timed') ? allDay === 'yes' : isTruthy(allDay);

/** Plain text of a piece of HTML without paragraphs. */
const plain = (html: string): string => decodeEntities(stripAllTags(html));

/** TEC: where a paragraph ends stands a blank, whatever follows; other tags leave nothing. */
const description = (post: Post): string =>
  post.password === '' ? plain(shownContent(post).replaceAll('</p>', ' ')) : 'Content is protected.';

/** The day after that of a wall time. The last one there is has none. */
const nextDay = (wall: string): string => shiftHours(`${wall.slice(0, 10)} 00:00:00`, 24) ?? wall;

const DAY = 86_400;

/** Whether everybody reads a wall time of a zone as the same moment: it is shown once, by a clock of whole minutes. */
function isPlainTime(wall: string, zone: Zone): boolean {
  const digits = epochOf(wall, UTC) ?? 0;
  const offsets = new Set([offsetAt(zone, digits - DAY), offsetAt(zone, digits + DAY)]);
  const fitting = [...offsets].filter((offset) => offsetAt(zone, digits - offset) === offset);
  return fitting.length === 1 && fitting[0] % 60 === 0;
}

function time(name: string, wall: string, zone: string, site: Site): IcsProperty {
  const tzid = feedZoneName(zone, site);
  const isNamed = tzid !== null && (site.quirks.has('ical-breaks-the-format') || isPlainTime(wall, conversionZone(zone)));
  return isNamed ? { name, params: { TZID: tzid }, value: icsDateTime(wall) } : { name, value: `${icsDateTime(toUtc(wall, zone))}Z` };
}

/** RFC 5545: the end of a day is the next one. */
function times(post: Post, start: string, end: string, site: Site): IcsProperty[] {
  const zone = storedZone(metaValue(post, '_EventTimezone'), site);
  if (!isInDays(metaValue(post, '_EventAllDay'), site)) return [time('DTSTART', start, zone, site), time('DTEND', end, zone, site)];
  return [
    { name: 'DTSTART', params: { VALUE: 'DATE' }, value: icsDate(start) },
    { name: 'DTEND', params: { VALUE: 'DATE' }, value: icsDate(nextDay(end)) },
  ];
}

function stamps({ dateGmt, modifiedGmt }: Post): IcsProperty[] {
  const [changed, made] = [
    [modifiedGmt, dateGmt],
    [dateGmt, modifiedGmt],
  ].map((walls) => `${icsDateTime(walls.find((wall) => wall !== ZERO_DATE) ?? '1970-01-01 00:00:00')}Z`);
  return [
    { name: 'DTSTAMP', value: changed },
    { name: 'CREATED', value: made },
    { name: 'LAST-MODIFIED', value: changed },
  ];
}

/** TEC: the state of a venue in the United States, its province elsewhere. */
export function stateOf(venue: Post): string {
  const [both, country, state, province] = ['_VenueStateProvince', '_VenueCountry', '_VenueState', '_VenueProvince'].map(
    (key) => metaValue(venue, key) ?? '',
  );
  return both || (country === 'United States' ? state : province);
}

function location(event: Post, { site, reader, related, borrowedState }: FeedContext): string {
  const venue = linkedPosts(event, 'venue', related).find((post) => site.quirks.has('linked-posts-ignore-status') || canRead(reader, post));
  if (!venue) return borrowedState;
  const name = plain(markedTitle(venue));
  if (venue.password !== '' && !site.quirks.has('ical-shows-what-is-protected')) return name;
  const meta = (key: string): string => metaValue(venue, key) ?? '';
  const address = [meta('_VenueAddress'), meta('_VenueCity'), stateOf(venue), meta('_VenueZip'), meta('_VenueCountry')];
  return [name, ...address.map(plain)].filter((part) => part !== '').join(', ');
}

/** An address without what would end the line it stands on. */
const uri = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, rawurlencode);

/** The first organizer, when mail can be sent there: the property is nothing but an address. */
function organizer(event: Post, { site, reader, related }: FeedContext): IcsProperty[] {
  const first = linkedPosts(event, 'organizer', related).find(
    (post) => site.quirks.has('linked-posts-ignore-status') || canRead(reader, post),
  );
  const { quirks } = site;
  const isWithheld = first !== undefined && first.password !== '' && !quirks.has('ical-shows-what-is-protected');
  const address = first && !isWithheld ? metaValue(first, '_OrganizerEmail') : undefined;
  if (!first || !address) return [];
  const name = plain(first.title);
  if (!quirks.has('ical-breaks-the-format')) return [{ name: 'ORGANIZER', params: { CN: name }, value: `mailto:${uri(address)}` }];
  // TEC: the name as in an address, and always in quotes.
  const encoded = name.replace(/[^ -~]+|"/gu, rawurlencode);
  return [{ name: 'ORGANIZER', params: { CN: encoded }, quotesParams: true, value: `MAILTO:${uri(address)}` }];
}

const byName = (a: { nameKey: string; _id: number }, b: { nameKey: string; _id: number }): number =>
  a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id;

function details(event: Post, context: FeedContext): IcsProperty[] {
  const { site, related } = context;
  const place = location(event, context);
  const categories = termsOf(event, EVENT_CATEGORY, related)
    .toSorted(byName)
    .map(({ name }) => plain(name));
  // TEC: a password keeps the picture, if nothing else of these.
  const picture = event.password === '' ? thumbnail(event, related) : undefined;
  return [
    ...(place === '' ? [] : [{ name: 'LOCATION', value: icsText(place) }]),
    ...(categories.length === 0 ? [] : [{ name: 'CATEGORIES', value: icsTextList(categories) }]),
    ...(picture?.file ? [{ name: 'ATTACH', params: { FMTTYPE: picture.mimeType }, value: uri(fileUrl(picture, site)) }] : []),
    ...organizer(event, context),
  ];
}

/** An event as TEC's calendars have it; null for one without dates. */
export function feedEvent(event: Post, context: FeedContext): IcsComponent | null {
  const { site } = context;
  const [start, end] = ['_EventStartDate', '_EventEndDate'].map((key) => metaValue(event, key) ?? '');
  const [from, to] = [start, end].map((wall) => epochOf(wall, UTC));
  if (from === null || to === null) return null;
  const isWithheld = event.password !== '' && !site.quirks.has('ical-shows-what-is-protected');
  return {
    name: 'VEVENT',
    properties: [
      ...times(event, start, end, site),
      ...stamps(event),
      // TEC: the wall times, taken for UTC.
      { name: 'UID', value: `${event._id}-${from}-${to}@${new URL(site.url).hostname}` },
      { name: 'SUMMARY', value: icsText(plain(event.title).replace(/\s*[\r\n]\s*/g, ' ')) },
      { name: 'DESCRIPTION', value: icsText(description(event)) },
      { name: 'URL', value: uri(permalink(event, site, true)) },
      ...(isWithheld ? [] : details(event, context)),
    ],
  };
}
