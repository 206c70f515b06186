import { presentEvent } from '../calendar-v1/event-present.js';
import { presentVenue } from '../calendar-v1/linked-posts.js';
import { isTruthy, isWithheld, type View } from '../calendar-v1/view.js';
import { canRead } from '../wp/users/capabilities.js';
import { escUrlRaw } from '../wp/formatting/sanitize.js';
import { EVENT, EVENT_CATEGORY, metaValue, TAG, type Post } from '../wp/model.js';
import { countPosts, listPosts } from '../wp/posts.js';
import type { PostQuery } from '../wp/query/query.js';
import { organizersOf, termsOf, thumbnail, venuesOf, type Related } from '../wp/related.js';
import { isoWithOffset } from '../wp/timezones.js';
import { termUrl } from '../wp/term-links.js';
import { withAncestors } from '../wp/terms.js';
import type { EventJsonLd, Venue } from '../types.js';
import type { Badge, Span } from './dates.js';
import { trusted, type Html } from './html.js';
import { feedUrls, postUrl } from './links.js';
import { unlocking, type Unlocking } from './sign-in/passwords.js';
import type { Reading } from './reading.js';
import { contentOf, lineOf, pictureOf, teaserOf, titleOf, type Picture } from './texts.js';

/** TEC: the namespace whose answers the plugin puts into its pages. */
const NAMESPACE = 'tribe/events/v1';

/** Something with a page of its own. Titles are HTML. */
export interface Named {
  title: Html;
  url: string;
}

export type EventStatus = 'scheduled' | 'cancelled' | 'postponed';

/** An event in a list. */
export interface EventCard extends Named {
  id: number;
  span: Span;
  /** With the offset of its zone, for machines. */
  startsAt: string;
  endsAt: string;
  /** The zone in short, where it is not that of the site. */
  zone: string;
  badge: Badge;
  /** Name and town of where it takes place. */
  place: Html[];
  cost: Html | null;
  picture: Picture | null;
  featured: boolean;
  status: EventStatus;
  isPast: boolean;
  teaser: Html | null;
}

/** Where something is. */
export interface Place {
  /** Lines of the address. */
  address: string[];
  phone: string;
  map: string | null;
}

/** What stands on the page of an event. */
export interface EventPage extends EventCard {
  /** Null while a password keeps it. */
  content: Html | null;
  unlocking: Unlocking;
  zoneName: string;
  venues: (Named & Place)[];
  organizers: Named[];
  website: string;
  categories: Named[];
  tags: Named[];
  calendarUrl: string;
  previous: Named | null;
  next: Named | null;
  jsonLd: EventJsonLd | null;
}

/** How the API would show something to this reader. */
export const viewFor = ({ site, reader }: Reading, related: Related, options: Partial<View> = {}): View => ({
  site,
  namespace: NAMESPACE,
  user: reader,
  password: undefined,
  editing: false,
  single: false,
  related,
  ...options,
});

const STATUS: Record<string, EventStatus> = { canceled: 'cancelled', postponed: 'postponed' };

/** What something costs, in the words of the page where it costs nothing. */
const costOf = (cost: string, { texts }: Reading): Html | null =>
  cost === '' ? null : lineOf(cost.replace(/^Free(?= – |$)/, () => texts.free));

const isOver = (end: string, { site }: Reading): boolean => end !== '' && end < site.nowLocal;

/** An event as lists show it. */
export function eventCard(post: Post, related: Related, reading: Reading, view = viewFor(reading, related)): EventCard {
  const { site, dates, reader } = reading;
  const event = presentEvent(post, view);
  const start = event.start_date ?? '';
  const end = event.end_date ?? '';
  const venue = venuesOf(post, related).find((each) => canRead(reader, each));
  const isHidden = isWithheld(post, view);
  const town = venue && venue.password === '' ? (metaValue(venue, '_VenueCity') ?? '') : '';
  return {
    id: post._id,
    title: titleOf(post),
    url: event.url,
    span: { start, end, allDay: event.all_day ?? isTruthy(metaValue(post, '_EventAllDay')) },
    startsAt: isoWithOffset(start, event.timezone),
    endsAt: isoWithOffset(end, event.timezone),
    zone: event.timezone === site.options.timezone ? '' : event.timezone_abbr,
    badge: dates.badge(start),
    place: venue && !isHidden ? [titleOf(venue), ...(town === '' ? [] : [lineOf(town)])] : [],
    cost: costOf(event.cost, reading),
    picture: pictureOf(event.image, thumbnail(post, related), view.single ? 'large' : 'medium'),
    featured: event.featured === true,
    status: STATUS[metaValue(post, '_tribe_events_status') ?? ''] ?? 'scheduled',
    isPast: isOver(end, reading),
    teaser: event.description === '' && event.excerpt === '' ? null : teaserOf(event.excerpt || event.description),
  };
}

/** Address lines of a venue: the street, the town with its code, the country. Countries differ in the order; this one is understood everywhere. */
function addressLines({ address, zip, city, stateprovince, province, state, country }: Venue): string[] {
  const town = [zip, city].filter(Boolean).join(' ');
  return [address, town, stateprovince ?? province ?? state, country].filter((line): line is string => line !== undefined && line !== '');
}

/** Where a map shows a place: its coordinates, else its address looked up. */
function mapUrl(venue: Venue): string | null {
  const { geo_lat: lat, geo_lng: lng } = venue;
  if (lat !== undefined && lng !== undefined) return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const lines = addressLines(venue);
  return lines.length === 0 ? null : `https://www.openstreetmap.org/search?query=${encodeURIComponent(lines.join(', '))}`;
}

/** Where a venue is, as far as the reader may know. */
export function placeOf(post: Post, view: View, showsMap = true): Place {
  const venue = presentVenue(post, view, false);
  return { address: addressLines(venue), phone: venue.phone ?? '', map: showsMap && venue.show_map_link === true ? mapUrl(venue) : null };
}

const named = (post: Post, { site }: Reading): Named => ({ title: titleOf(post), url: postUrl(post, site) });

async function termsFor(post: Post, taxonomy: string, related: Related, { site }: Reading): Promise<Named[]> {
  const terms = termsOf(post, taxonomy, related).toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
  const known = await withAncestors(site.store, terms);
  return terms.map((term) => ({ title: lineOf(term.name), url: termUrl(term, known, site) }));
}

/** Events that begin at one moment and still have neighbours in the list. */
const MOST_AT_ONCE = 20;

/** The events before and after one in the list of all. */
async function neighbours(post: Post, reading: Reading): Promise<Pick<EventPage, 'previous' | 'next'>> {
  const { store } = reading.site;
  const start = post.occurrence?.start;
  if (start === undefined || post.hidden === true) return { previous: null, next: null };
  const list = (operator: '$gte' | '$lte'): PostQuery => ({
    type: EVENT,
    statuses: ['publish'],
    listed: true,
    dates: [{ column: 'start', operator, value: start }],
    sort: 'start',
    limit: MOST_AT_ONCE,
    offset: 0,
  });
  const before = await countPosts(store, list('$lte'));
  const [upTo, from] = await Promise.all([
    listPosts(store, { ...list('$lte'), offset: Math.max(0, before - MOST_AT_ONCE) }),
    listPosts(store, list('$gte')),
  ]);
  const next = from[from.findIndex(({ _id }) => _id === post._id) + 1] as Post | undefined;
  const previous = upTo[upTo.findIndex(({ _id }) => _id === post._id) - 1] as Post | undefined;
  return { previous: previous ? named(previous, reading) : null, next: next ? named(next, reading) : null };
}

/** Everything on the page of an event. */
export async function eventPageData(post: Post, related: Related, reading: Reading): Promise<EventPage> {
  const { site, dates, reader, request } = reading;
  const state = await unlocking(site, post, request);
  const isOpen = state === 'open';
  const view = viewFor(reading, related, { single: true, ...(isOpen ? { password: post.password } : {}) });
  const event = presentEvent(post, view);
  const readable = (posts: Post[]): Post[] => (isOpen ? posts.filter((linked) => canRead(reader, linked)) : []);
  return {
    ...eventCard(post, related, reading, view),
    content: isOpen ? contentOf(post, site) : null,
    unlocking: state,
    zoneName: dates.zone(event.timezone, event.start_date ?? ''),
    venues: readable(venuesOf(post, related)).map((venue) => ({
      ...named(venue, reading),
      ...placeOf(venue, viewFor(reading, related), event.show_map_link === true),
    })),
    organizers: readable(organizersOf(post, related)).map((organizer) => named(organizer, reading)),
    website: isOpen ? escUrlRaw(metaValue(post, '_EventURL') ?? '') : '',
    categories: isOpen ? await termsFor(post, EVENT_CATEGORY, related, reading) : [],
    tags: isOpen ? await termsFor(post, TAG, related, reading) : [],
    calendarUrl: feedUrls(event.url).download,
    ...(await neighbours(post, reading)),
    jsonLd: event.json_ld ?? null,
  };
}

/** A post or page that is no event. */
export interface PostPage {
  title: Html;
  content: Html | null;
  unlocking: Unlocking;
}

export async function postPageData(post: Post, { site, request }: Reading): Promise<PostPage> {
  const state = await unlocking(site, post, request);
  return { title: titleOf(post), content: state === 'open' ? contentOf(post, site) : null, unlocking: state };
}

/** Data for machines within a page. What could end it, or be taken for markup, is written in another way. */
export const jsonLdText = (data: object): Html =>
  trusted(JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));
