import { LINKED_KINDS, EVENT_FIELDS, type LinkedKind, readText } from '../model/event.js';
import { linkedPosts, linkedText } from '../model/linked.js';
import { presentEvent } from '../calendar-v1/event-present.js';
import { presentLinked } from '../calendar-v1/linked/resource.js';
import { isWithheldFrom, type View } from '../calendar-v1/view.js';
import { buildQuery } from '../../../base/php/query-string.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { escUrlRaw } from '../../../wordpress/formatting/sanitize.js';
import { TAG, type Post, type Term } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { loadRelated, termsOf, type Related } from '../../../wordpress/posts/related.js';
import { termUrl, withAncestors } from '../../../wordpress/terms/terms.js';
import type { EventJsonLd, Venue } from '../../../sdk/types/responses.js';
import type { NamedLink, Reading } from '../../../wordpress/views/reading.js';
import { eventCard, regionOf, viewFor, type EventCard } from '../views/card.js';
import type { Html } from '../../../wordpress/views/html.js';
import { postUrl } from '../views/links.js';
import { listingQuery, readListing } from '../views/listing.js';
import { isInSiteZone } from '../model/options.js';
import { additions, type CalendarLinks } from './calendar-links.js';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { pageComments, type Comments } from '../../../wordpress/pages/comments.js';
import { unlocking, type Unlocking } from '../../../wordpress/pages/sign-in/login.js';
import { contentOf, lineOf, titleOf } from '../../../wordpress/views/texts.js';

/** The linked posts of an event other than its venue. */
type OtherKind = Exclude<LinkedKind, 'venue'>;

const OTHER_KINDS = LINKED_KINDS.filter((kind) => kind !== 'venue');

/** Where something is. */
export interface VenuePlace {
  address: Pick<Venue, 'address' | 'city' | 'zip' | 'country'> & { region?: string | undefined };
  phone: string;
  map: string | null;
}

/** A venue, organizer or the like of an event; what is empty is not shown. Null: it has no page. */
interface LinkedItem extends Omit<NamedLink, 'url'> {
  url: string | null;
  phone: string;
  email: string;
  website: string;
}

export interface EventPage extends EventCard {
  /** Null if it is password-protected. */
  content: Html | null;
  unlocking: Unlocking;
  zoneName: string;
  venues: (LinkedItem & VenuePlace)[];
  linked: { kind: OtherKind; items: LinkedItem[] }[];
  website: string;
  categories: NamedLink[];
  tags: NamedLink[];
  calendars: CalendarLinks;
  /** Upcoming events of the same categories. */
  alike: EventCard[];
  previous: NamedLink | null;
  next: NamedLink | null;
  jsonLd: EventJsonLd | null;
  comments: Comments | null;
}

/** TEC: a map of the address, or of the coordinates, in Google Maps. */
function mapUrl({ address }: VenuePlace, { geo_lat: lat, geo_lng: lng }: Venue): string | null {
  const { address: street, city, region, zip, country } = address;
  const place = lat !== undefined && lng !== undefined ? `${lat},${lng}` : [street, city, region, zip, country].filter(Boolean).join(' ');
  return place === '' ? null : `https://maps.google.com/maps?${buildQuery({ f: 'q', source: 's_q', hl: 'en', geocode: '', q: place })}`;
}

/** The location of a venue, as far as the reader may see it. */
export function placeOf(post: Post, view: View, showsMap = true): VenuePlace {
  const venue = presentLinked('venue', post, view, null);
  const { address, city, zip, country, phone = '' } = venue;
  const place: VenuePlace = { address: { address, city, region: regionOf(venue), zip, country }, phone, map: null };
  return { ...place, map: showsMap && venue.show_map_link === true ? mapUrl(place, venue) : null };
}

/** How to reach a venue or organizer, as far as the reader may see it. */
export const contactOf = (post: Post, view: View): Pick<LinkedItem, 'phone' | 'email' | 'website'> =>
  isWithheldFrom(post, view)
    ? { phone: '', email: '', website: '' }
    : { phone: linkedText(post, 'phone'), email: linkedText(post, 'email'), website: escUrlRaw(linkedText(post, 'website')) };

const named = (post: Post, { site }: Reading): NamedLink => ({ title: titleOf(post), url: postUrl(post, site) });

async function termsFor(post: Post, taxonomy: string, related: Related, { site }: Reading): Promise<NamedLink[]> {
  const terms = termsOf(post, taxonomy, related).toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
  const known = await withAncestors(site.store, terms);
  return terms.map((term) => ({ title: lineOf(term.name), url: termUrl(term, known, site) }));
}

/** Maximum number of events with the same start for which neighbors are found. */
const MOST_AT_ONCE = 20;

/** The events before and after one in the list of all. */
async function neighbors(post: Post, reading: Reading): Promise<Pick<EventPage, 'previous' | 'next'>> {
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
  const next = from.at(from.findIndex(({ _id }) => _id === post._id) + 1);
  const previous = upTo[upTo.findIndex(({ _id }) => _id === post._id) - 1] as Post | undefined;
  return { previous: previous ? named(previous, reading) : null, next: next ? named(next, reading) : null };
}

/** TEC: the venue and its address in a line. */
const addressLine = ({ title, address: { address, city, region, zip, country } }: LinkedItem & VenuePlace): string =>
  [title.text, address, city, region, zip, country]
    .filter(Boolean)
    .map((part) => decodeEntities(String(part)))
    .join(', ');

/** Number of upcoming events that are shown with one of the same categories. */
const MOST_ALIKE = 3;

async function eventsLike(post: Post, related: Related, reading: Reading): Promise<EventCard[]> {
  const { store } = reading.site;
  const [term, ...also] = termsOf(post, EVENT_CATEGORY, related) as [Term?, ...Term[]];
  if (term === undefined) return [];
  const listing = readListing({ kind: 'term', term, also }, { view: { kind: 'list' }, page: 1 }, {});
  const found = await listPosts(store, { ...(await listingQuery(listing, reading.site)), limit: MOST_ALIKE + 1, offset: 0 });
  const others = found.filter(({ _id }) => _id !== post._id).slice(0, MOST_ALIKE);
  const known = await loadRelated(store, others);
  return others.map((each) => eventCard(each, known, reading));
}

export async function eventPageData(post: Post, related: Related, reading: Reading): Promise<EventPage> {
  const { site, dates, reader, request } = reading;
  const { state, password } = await unlocking(site, post, request);
  const isOpen = state === 'open';
  const view = viewFor(reading, related, { single: true, password });
  const event = presentEvent(post, view);
  const linkedView = viewFor(reading, related);
  const item = (each: Post): LinkedItem => ({
    ...named(each, reading),
    ...(site.quirks.has('venues-have-no-pages') ? { url: null } : {}),
    ...contactOf(each, linkedView),
  });
  const readable = (posts: Post[]): Post[] => (isOpen ? posts.filter((linked) => canRead(reader, linked, site.registry)) : []);
  const card = eventCard(post, related, reading, view);
  const venues = readable(linkedPosts(post, 'venue', related)).map((venue) => ({
    ...item(venue),
    ...placeOf(venue, linkedView, event.show_map_link === true),
  }));
  return {
    ...card,
    content: isOpen ? contentOf(post, { site, related }) : null,
    unlocking: state,
    zoneName: dates.zone(event.timezone, event.start_date ?? '', site.zones),
    venues,
    linked: OTHER_KINDS.map((kind) => ({
      kind,
      items: readable(linkedPosts(post, kind, related)).map(item),
    })),
    website: isOpen ? escUrlRaw(readText(post, EVENT_FIELDS.website)) : '',
    categories: isOpen ? await termsFor(post, EVENT_CATEGORY, related, reading) : [],
    tags: isOpen ? await termsFor(post, TAG, related, reading) : [],
    calendars: additions(
      {
        url: event.url,
        span: card.span,
        timezone: isInSiteZone(site.options) ? site.options.timezone : event.timezone,
        title: decodeEntities(event.title),
        description: isOpen ? post.content : '',
        location: venues.map(addressLine).join(''),
      },
      site,
    ),
    alike: isOpen ? await eventsLike(post, related, reading) : [],
    ...(await neighbors(post, reading)),
    jsonLd: event.json_ld ?? null,
    comments: isOpen ? await pageComments(post, reading) : null,
  };
}
