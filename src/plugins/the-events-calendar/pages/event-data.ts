import { LINKED_KINDS, linkedPosts, type LinkedKind } from '../model/linked.js';
import { presentEvent } from '../calendar-v1/event-present.js';
import { presentLinked } from '../calendar-v1/linked/present.js';
import type { View } from '../calendar-v1/view.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { escUrlRaw } from '../../../wordpress/formatting/sanitize.js';
import { TAG, type Post } from '../../../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../model/index.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { termsOf, type Related } from '../../../wordpress/posts/related.js';
import { EVENT_FIELDS } from '../model/event.js';
import { readText } from '../model/field.js';
import { termUrl } from '../../../wordpress/terms/term-links.js';
import { withAncestors } from '../../../wordpress/terms/terms.js';
import type { EventJsonLd, Venue } from '../../../sdk/types/responses.js';
import type { NamedLink } from '../../../wordpress/views/content.js';
import { eventCard, viewFor, type EventCard } from '../views/card.js';
import type { Html } from '../../../wordpress/views/html.js';
import { feedUrls, postUrl } from '../views/links.js';
import { pageComments, type Comments } from '../../../wordpress/pages/comments.js';
import { unlocking, type Unlocking } from '../../../wordpress/pages/sign-in/passwords.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { contentOf, lineOf, titleOf } from '../../../wordpress/views/texts.js';

/** The linked posts of an event other than its venue. */
type OtherKind = Exclude<LinkedKind, 'venue'>;

const OTHER_KINDS = LINKED_KINDS.filter((kind) => kind !== 'venue');

/** A part of an address, by the name that its element has (TEC). */
interface AddressPart {
  name: 'street-address' | 'postal-code' | 'locality' | 'region' | 'country-name';
  text: string;
}

/** Where something is. */
export interface VenuePlace {
  /** Lines of the address. */
  address: AddressPart[][];
  phone: string;
  map: string | null;
}

/** The data of the page of an event. */
export interface EventPage extends EventCard {
  /** Null if it is password-protected. */
  content: Html | null;
  unlocking: Unlocking;
  zoneName: string;
  venues: (NamedLink & VenuePlace)[];
  linked: { kind: OtherKind; items: NamedLink[] }[];
  website: string;
  categories: NamedLink[];
  tags: NamedLink[];
  calendarUrl: string;
  previous: NamedLink | null;
  next: NamedLink | null;
  jsonLd: EventJsonLd | null;
  comments: Comments | null;
}

/**
 * Address lines of a venue: the street, the town with its code, the country. The order differs between countries; this one is understood
 * everywhere.
 */
function addressLines({ address, zip, city, stateprovince, province, state, country }: Venue): AddressPart[][] {
  const part = (name: AddressPart['name'], text: string | undefined): AddressPart[] => (text ? [{ name, text }] : []);
  const lines = [
    part('street-address', address),
    [...part('postal-code', zip), ...part('locality', city)],
    part('region', stateprovince ?? province ?? state),
    part('country-name', country),
  ];
  return lines.filter((line) => line.length > 0);
}

/** The position of a place for a map: its coordinates, else its address. */
function mapUrl(venue: Venue): string | null {
  const { geo_lat: lat, geo_lng: lng } = venue;
  if (lat !== undefined && lng !== undefined) return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const lines = addressLines(venue);
  return lines.length === 0
    ? null
    : `https://www.openstreetmap.org/search?query=${encodeURIComponent(lines.map((line) => line.map(({ text }) => text).join(' ')).join(', '))}`;
}

/** The location of a venue, as far as the reader may see it. */
export function placeOf(post: Post, view: View, showsMap = true): VenuePlace {
  const venue = presentLinked('venue', post, view, null);
  return { address: addressLines(venue), phone: venue.phone ?? '', map: showsMap && venue.show_map_link === true ? mapUrl(venue) : null };
}

const named = (post: Post, { site }: Reading): NamedLink => ({ title: titleOf(post), url: postUrl(post, site) });

async function termsFor(post: Post, taxonomy: string, related: Related, { site }: Reading): Promise<NamedLink[]> {
  const terms = termsOf(post, taxonomy, related).toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
  const known = await withAncestors(site.store, terms);
  return terms.map((term) => ({ title: lineOf(term.name), url: termUrl(term, known, site) }));
}

/** Maximum number of events with the same start for which neighbours are found. */
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
  const next = from.at(from.findIndex(({ _id }) => _id === post._id) + 1);
  const previous = upTo[upTo.findIndex(({ _id }) => _id === post._id) - 1] as Post | undefined;
  return { previous: previous ? named(previous, reading) : null, next: next ? named(next, reading) : null };
}

/** Loads the data of the page of an event. */
export async function eventPageData(post: Post, related: Related, reading: Reading): Promise<EventPage> {
  const { site, dates, reader, request } = reading;
  const { state, password } = await unlocking(site, post, request);
  const isOpen = state === 'open';
  const view = viewFor(reading, related, { single: true, password });
  const event = presentEvent(post, view);
  const readable = (posts: Post[]): Post[] => (isOpen ? posts.filter((linked) => canRead(reader, linked, site.registry)) : []);
  return {
    ...eventCard(post, related, reading, view),
    content: isOpen ? contentOf(post, { site, related }) : null,
    unlocking: state,
    zoneName: dates.zone(event.timezone, event.start_date ?? '', site.zones),
    venues: readable(linkedPosts(post, 'venue', related)).map((venue) => ({
      ...named(venue, reading),
      ...placeOf(venue, viewFor(reading, related), event.show_map_link === true),
    })),
    linked: OTHER_KINDS.map((kind) => ({
      kind,
      items: readable(linkedPosts(post, kind, related)).map((each) => named(each, reading)),
    })),
    website: isOpen ? escUrlRaw(readText(post, EVENT_FIELDS.website)) : '',
    categories: isOpen ? await termsFor(post, EVENT_CATEGORY, related, reading) : [],
    tags: isOpen ? await termsFor(post, TAG, related, reading) : [],
    calendarUrl: feedUrls(event.url).download,
    ...(await neighbours(post, reading)),
    jsonLd: event.json_ld ?? null,
    comments: isOpen ? await pageComments(post, reading) : null,
  };
}
