import { rawurlencode } from '../../../base/php/query-string.js';
import { offsetAt, UTC, type Zone } from '../../../base/php/timezone.js';
import { fileUrl } from '../../../wordpress/media/attachments.js';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { stripAllTags } from '../../../wordpress/formatting/strip-tags.js';
import { ZERO_DATE, type Post, type User } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { shiftHours, conversionZone, epochOf, siteToUtc, toUtc } from '../../../wordpress/timezones.js';
import { termsOf, thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { markedTitle, shownContent } from '../../../wordpress/posts/rendered.js';
import type { Site } from '../../../wordpress/site.js';
import {
  icsDateTime,
  icsDay,
  icsImage,
  icsText,
  icsTextList,
  icsTime,
  icsUri,
  type IcsComponent,
  type IcsProperty,
} from '../../../wordpress/ics/write.js';
import { EVENT_FIELDS, ORGANIZER_FIELDS, VENUE_FIELDS, readText, readTexts, readFlag, shownRegion } from '../model/event.js';
import { shownLinked } from '../model/linked.js';
import { shownTimes } from '../model/event-dates.js';

const ALL_DAY = EVENT_FIELDS.all_day;

/** The context for writing the events of a calendar. */
interface FeedContext {
  site: Site;
  /** The reader; null if anonymous. */
  reader: User | null;
  related: Related;
  /** The state of events without a venue; empty for none. */
  borrowedState: string;
}

/**
 * The name of a stored zone within a calendar, or null if its times are written in UTC, since programs only know the names of regions. TEC:
 * every zone is named as PHP does; offsets in the form `UTC±N` have the name of the region by which their times are converted.
 */
export function feedZoneName(zone: string, { quirks, zones }: Site): string | null {
  const found = conversionZone(zones, zone);
  if (quirks.has('ical-breaks-the-format')) return found.name;
  return found.name.includes('/') ? zones.spelled(found) : null;
}

/** Whether the times of an event are dates. TEC: only for `yes`, which is no longer written; events created through the API have `1`. */
export const isInDays = (post: Pick<Post, 'meta'>, { quirks }: Site): boolean =>
  quirks.has('ical-all-day-is-timed') ? readText(post, ALL_DAY) === ALL_DAY.edited : readFlag(post, ALL_DAY);

/** Plain text of a piece of HTML without paragraphs. */
const plain = (html: string): string => decodeEntities(stripAllTags(html));

/** TEC: the end of a paragraph becomes a space; other tags are removed. */
const description = (post: Post, context: FeedContext): string =>
  post.password === '' ? plain(shownContent(post, context).replaceAll('</p>', ' ')) : 'Content is protected.';

/** The day after a local time; none after the last possible day. */
const nextDay = (wall: string): string => shiftHours(`${wall.slice(0, 10)} 00:00:00`, 24) ?? wall;

const DAY = 86_400;

/** Whether a local time of a zone is unambiguous: it occurs exactly once, with an offset of whole minutes. */
function isPlainTime(wall: string, zone: Zone): boolean {
  const digits = epochOf(wall, UTC) ?? 0;
  const offsets = new Set([offsetAt(zone, digits - DAY), offsetAt(zone, digits + DAY)]);
  const fitting = [...offsets].filter((offset) => offsetAt(zone, digits - offset) === offset);
  return fitting.length === 1 && fitting[0] % 60 === 0;
}

function time(name: string, wall: string, zone: string, site: Site): IcsProperty {
  const tzid = feedZoneName(zone, site);
  const isNamed = tzid !== null && (site.quirks.has('ical-breaks-the-format') || isPlainTime(wall, conversionZone(site.zones, zone)));
  return isNamed ? icsTime(name, wall, tzid) : icsTime(name, toUtc(site.zones, wall, zone), null);
}

/** RFC 5545: the end of a day is the next one. */
function times(post: Post, { start, end, zone }: ReturnType<typeof shownTimes>, site: Site): IcsProperty[] {
  if (!isInDays(post, site)) {
    // RFC 5545: an end is later than the start.
    const hasEnd = end !== start || site.quirks.has('ical-breaks-the-format');
    return [time('DTSTART', start, zone, site), ...(hasEnd ? [time('DTEND', end, zone, site)] : [])];
  }
  return [icsDay('DTSTART', start), icsDay('DTEND', nextDay(end))];
}

function stamps(post: Post, site: Site): IcsProperty[] {
  const { quirks, options, zones } = site;
  // TEC: the stored local times, in the zone that the site has now.
  const utcOf = (wall: string, utc: string): string =>
    wall === ZERO_DATE || !quirks.has('ical-breaks-the-format') ? utc : siteToUtc(zones, wall, options.timezone);
  const [dateGmt, modifiedGmt] = [utcOf(post.date, post.dateGmt), utcOf(post.modified, post.modifiedGmt)];
  const [changed, made] = [
    [modifiedGmt, dateGmt],
    [dateGmt, modifiedGmt],
  ].map((walls) => walls.find((wall) => wall !== ZERO_DATE) ?? '1970-01-01 00:00:00');
  return [
    quirks.has('ical-stamps-are-now') ? { name: 'DTSTAMP', value: icsDateTime(site.nowLocal) } : icsTime('DTSTAMP', changed, null),
    icsTime('CREATED', made, null),
    icsTime('LAST-MODIFIED', changed, null),
  ];
}

/** The state or province of a venue, as addresses show it. */
export const stateOf = (venue: Post): string => shownRegion(readTexts(venue, VENUE_FIELDS));

function location(event: Post, { site, reader, related, borrowedState }: FeedContext): string {
  const venue = shownLinked(event, 'venue', { site, user: reader, related }).at(0);
  if (!venue) return borrowedState;
  const name = plain(markedTitle(venue));
  if (venue.password !== '' && !site.quirks.has('ical-shows-what-is-protected')) return name;
  const { address, city, zip, country, ...region } = readTexts(venue, VENUE_FIELDS);
  const lines = [address, city, shownRegion({ ...region, country }), zip, country];
  return [name, ...lines.map(plain)].filter((part) => part !== '').join(', ');
}

/** The first organizer, if it has an email address, which the property requires. */
function organizer(event: Post, { site, reader, related }: FeedContext): IcsProperty[] {
  const first = shownLinked(event, 'organizer', { site, user: reader, related }).at(0);
  const { quirks } = site;
  const isWithheld = first !== undefined && first.password !== '' && !quirks.has('ical-shows-what-is-protected');
  const address = first && !isWithheld ? readText(first, ORGANIZER_FIELDS.email) : '';
  if (!first || address === '') return [];
  const name = plain(first.title);
  if (!quirks.has('ical-breaks-the-format')) return [{ name: 'ORGANIZER', params: { CN: name }, value: `mailto:${icsUri(address)}` }];
  // TEC: the name is URL-encoded, and always quoted.
  const encoded = name.replace(/[^ -~]+|"/gu, rawurlencode);
  return [{ name: 'ORGANIZER', params: { CN: encoded }, quotesParams: true, value: `MAILTO:${icsUri(address)}` }];
}

const byName = (a: { nameKey: string; _id: number }, b: { nameKey: string; _id: number }): number =>
  a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a._id - b._id;

function details(event: Post, context: FeedContext): IcsProperty[] {
  const { site, related } = context;
  const place = location(event, context);
  const categories = termsOf(event, EVENT_CATEGORY, related)
    .toSorted(byName)
    .map(({ name }) => plain(name));
  // TEC: of these, a password only hides the picture.
  const picture = event.password === '' ? thumbnail(event, related) : undefined;
  return [
    ...(place === '' ? [] : [{ name: 'LOCATION', value: icsText(place) }]),
    ...(categories.length === 0 ? [] : [{ name: 'CATEGORIES', value: icsTextList(categories) }]),
    ...(picture?.file ? [icsImage(picture.mimeType, fileUrl(picture, site))] : []),
    ...organizer(event, context),
  ];
}

/** An event as TEC writes it; null if it has no dates. */
export function feedEvent(event: Post, context: FeedContext): IcsComponent | null {
  const { site } = context;
  const shown = shownTimes(event, site);
  const { start, end } = shown;
  const [from, to] = [start, end].map((wall) => epochOf(wall, UTC));
  if (from === null || to === null) return null;
  const isWithheld = event.password !== '' && !site.quirks.has('ical-shows-what-is-protected');
  return {
    name: 'VEVENT',
    properties: [
      ...times(event, shown, site),
      ...stamps(event, site),
      // TEC: the local times, as if they were UTC.
      { name: 'UID', value: `${event._id}-${from}-${to}@${new URL(site.url).hostname}` },
      { name: 'SUMMARY', value: icsText(plain(event.title).replace(/\s*[\r\n]\s*/g, ' ')) },
      { name: 'DESCRIPTION', value: icsText(description(event, context)) },
      { name: 'URL', value: icsUri(permalink(event, site, true)) },
      ...(isWithheld ? [] : details(event, context)),
    ],
  };
}
