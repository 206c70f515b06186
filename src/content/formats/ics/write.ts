import { once } from 'node:events';
import {
  RFC_STYLE,
  icsDate,
  icsDateTime,
  icsDocument,
  icsLines,
  icsText,
  icsTextList,
  type IcsComponent,
  type IcsProperty,
} from '../../../feeds/ics.js';
import { RFC_ZONE_STYLE, vtimezone } from '../../../feeds/ics-zone.js';
import { EVENT, EVENT_CATEGORY, ZERO_DATE, metaValue, metaValues, type Post } from '../../../wp/model.js';
import { conversionZone, epochOf, toUtc, zoneOf } from '../../../wp/timezones.js';
import { LeftOut, failing, indexOf, termText, type Index, type VenueFacts } from '../../documents.js';
import type { Write, WriteOptions } from '../format.js';
import { htmlToText, textToHtml, venueOfText, venueText } from './text.js';
import { shiftWall } from './zones.js';
import type { DatasetSource } from '../../source.js';

const UTC = zoneOf('UTC');
const DAY = 86_400;

/** A calendar address for those who have none: the property is nothing but an address (RFC 5545). */
const NO_ADDRESS = 'invalid:nomail';

const isAllDay = (post: Post): boolean =>
  ['1', 'yes', 'true', 'on', 'y', 'enable', 'enabled'].includes((metaValue(post, '_EventAllDay') ?? '').toLowerCase());

const timezoneOf = (post: Post): string => metaValue(post, '_EventTimezone') || 'UTC';

/** The value of an address: no line ends, and nothing that is not of ASCII. */
const uri = (text: string): string => text.replace(/[\s\p{Cc}]/gu, (sign) => encodeURIComponent(sign));

const time = (name: string, wall: string, timezone: string): IcsProperty =>
  timezone === 'UTC' ? { name, value: `${icsDateTime(wall)}Z` } : { name, params: { TZID: timezone }, value: icsDateTime(wall) };

/** RFC 5545: the end of a day is the next one. The zone of whole days has no place of its own. */
function timeProperties(post: Post): IcsProperty[] {
  const [start, end] = [metaValue(post, '_EventStartDate') ?? '', metaValue(post, '_EventEndDate') ?? ''];
  const timezone = timezoneOf(post);
  if (!isAllDay(post)) return [time('DTSTART', start, timezone), ...(end === '' ? [] : [time('DTEND', end, timezone)])];
  const last = end < start ? start : end;
  return [
    { name: 'DTSTART', params: { VALUE: 'DATE', 'X-ZONE': timezone }, value: icsDate(start) },
    { name: 'DTEND', params: { VALUE: 'DATE', 'X-ZONE': timezone }, value: icsDate(shiftWall(last, DAY)) },
  ];
}

function stamps(post: Post): IcsProperty[] {
  const changed = [post.modifiedGmt, post.dateGmt].find((wall) => wall !== ZERO_DATE) ?? '1970-01-01 00:00:00';
  const published = post.dateGmt === ZERO_DATE ? [] : [{ name: 'CREATED', value: `${icsDateTime(post.dateGmt)}Z` }];
  const stamp = `${icsDateTime(changed)}Z`;
  return [{ name: 'DTSTAMP', value: stamp }, ...published, { name: 'LAST-MODIFIED', value: stamp }];
}

/** Texts as people read them, and beside them the HTML where that is more than they show. */
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

const venueFacts = (venue: Post): VenueFacts => {
  const meta = (key: string): string | undefined => metaValue(venue, key) || undefined;
  return {
    title: venue.title,
    address: meta('_VenueAddress'),
    city: meta('_VenueCity'),
    stateProvince: meta('_VenueStateProvince') ?? meta('_VenueState') ?? meta('_VenueProvince'),
    zip: meta('_VenueZip'),
    country: meta('_VenueCountry'),
    phone: meta('_VenuePhone'),
    website: meta('_VenueURL'),
  };
};

function location(venue: Post | undefined): IcsProperty[] {
  if (!venue) return [];
  const facts = venueFacts(venue);
  const text = venueText(facts);
  const given = JSON.stringify(Object.entries(facts).filter(([, value]) => value !== undefined));
  const isTold = JSON.stringify(Object.entries(venueOfText(text))) === given;
  const params = {
    'X-NAME': facts.title,
    'X-ADDRESS': facts.address,
    'X-CITY': facts.city,
    'X-STATE': facts.stateProvince,
    'X-ZIP': facts.zip,
    'X-COUNTRY': facts.country,
    'X-PHONE': facts.phone,
    'X-URL': facts.website,
  };
  const [lat, lng] = [metaValue(venue, '_VenueLat'), metaValue(venue, '_VenueLng')];
  return [
    { name: 'LOCATION', params: isTold ? {} : params, value: icsText(text) },
    ...(lat && lng ? [{ name: 'GEO', value: `${lat};${lng}` }] : []),
  ];
}

/** RFC 5545 has one organizer for an event; the others come as properties of the same form. */
const organizerProperty = (organizer: Post, index: number): IcsProperty => {
  const email = metaValue(organizer, '_OrganizerEmail');
  return {
    name: index === 0 ? 'ORGANIZER' : 'X-ORGANIZER',
    params: {
      ...(index === 0 ? {} : { VALUE: 'CAL-ADDRESS' }),
      CN: organizer.title,
      'X-PHONE': metaValue(organizer, '_OrganizerPhone') || null,
      'X-URL': metaValue(organizer, '_OrganizerWebsite') || null,
    },
    value: email ? `mailto:${uri(email)}` : NO_ADDRESS,
  };
};

function eventComponent(post: Post, { posts, terms }: Index, source: DatasetSource): IcsComponent {
  const linked = (key: string): Post[] => metaValues(post, key).flatMap((id) => posts.get(Number(id)) ?? []);
  const categories = (post.terms[EVENT_CATEGORY] ?? []).flatMap((id) => terms.get(id) ?? []).map(termText);
  const website = metaValue(post, '_EventURL');
  const image = linked('_thumbnail_id')[0];
  const host = URL.canParse(source.siteUrl) ? new URL(source.siteUrl).hostname : 'understudy.invalid';
  return {
    name: 'VEVENT',
    properties: [
      { name: 'UID', value: `${post._id}@${host}` },
      ...stamps(post),
      ...timeProperties(post),
      ...texts(post),
      ...location(linked('_EventVenueID')[0]),
      ...linked('_EventOrganizerID').map(organizerProperty),
      ...(categories.length === 0 ? [] : [{ name: 'CATEGORIES', value: icsTextList(categories) }]),
      ...(website ? [{ name: 'URL', value: uri(website) }] : []),
      ...(metaValue(post, '_tribe_events_status') === 'canceled' ? [{ name: 'STATUS', value: 'CANCELLED' }] : []),
      ...(post.status === 'private' ? [{ name: 'CLASS', value: 'PRIVATE' }] : []),
      ...(image?.file && source.siteUrl !== ''
        ? [{ name: 'ATTACH', params: { FMTTYPE: image.mimeType }, value: uri(`${source.siteUrl}/wp-content/uploads/${image.file}`) }]
        : []),
    ],
  };
}

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Why an event is not written: calendars are handed around, and what is not public stays out of them, except for private events. */
function whyNot({ status, password, meta }: Post): string | undefined {
  if (status !== 'publish' && status !== 'private') return `event with the status ${status}`;
  if (password !== '') return 'event with a password';
  const start = meta.find(({ key }) => key === '_EventStartDate')?.value ?? '';
  return WALL.test(start) ? undefined : 'event without a date';
}

/** Zones of the events with times of day, and the years that they are needed for. */
async function zonesOf(source: DatasetSource, warn: WriteOptions['warn']): Promise<{ zones: string[]; from: number; to: number }> {
  const zones = new Set<string>();
  const leftOut = new LeftOut();
  let [from, to] = [Infinity, -Infinity];
  for await (const item of source.items(failing(source))) {
    if (item.kind !== 'post' || item.post.type !== EVENT) continue;
    const why = whyNot(item.post);
    if (why !== undefined) leftOut.add(why);
    if (why !== undefined || isAllDay(item.post)) continue;
    const timezone = timezoneOf(item.post);
    if (timezone !== 'UTC') zones.add(timezone);
    const at = (key: string): number => epochOf(toUtc(metaValue(item.post, key) ?? '', timezone), UTC) ?? 0;
    from = Math.min(from, at('_EventStartDate'));
    to = Math.max(to, at('_EventEndDate'));
  }
  leftOut.tell('iCalendar', warn);
  return { zones: [...zones].sort(), from: from - 366 * DAY, to: to + 366 * DAY };
}

/** The lines of a calendar file with the events of a source. */
export async function* icsChunks(source: DatasetSource, warn: WriteOptions['warn'] = () => undefined): AsyncIterable<string> {
  const index = await indexOf(source);
  const { zones, from, to } = await zonesOf(source, warn);
  const head: IcsComponent = {
    name: 'VCALENDAR',
    properties: [
      { name: 'VERSION', value: '2.0' },
      { name: 'PRODID', value: '-//wp-understudy//Export//EN' },
      { name: 'CALSCALE', value: 'GREGORIAN' },
      { name: 'METHOD', value: 'PUBLISH' },
    ],
    components: zones.map((zone) => vtimezone(zone, conversionZone(zone), from, to, RFC_ZONE_STYLE)),
  };
  const end = 'END:VCALENDAR\r\n';
  yield icsDocument(head, RFC_STYLE).slice(0, -end.length);
  for await (const item of source.items(failing(source))) {
    if (item.kind !== 'post' || item.post.type !== EVENT || whyNot(item.post) !== undefined) continue;
    yield [...icsLines(eventComponent(item.post, index, source), RFC_STYLE)].join('');
  }
  yield end;
}

/** Writes the events of a source as iCalendar. */
export const write: Write = async (source, out, { warn }) => {
  for await (const text of icsChunks(source, warn)) if (!out.write(text)) await once(out, 'drain');
};
