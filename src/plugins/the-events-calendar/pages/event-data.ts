import { LINKED_KINDS, EVENT_FIELDS, type LinkedKind, readText } from '../model/event.js';
import { linkedPosts, linkedText } from '../model/linked.js';
import { presentEvent } from '../calendar-v1/event-present.js';
import { presentLinked } from '../calendar-v1/linked/resource.js';
import { isWithheldFrom, type View } from '../calendar-v1/view.js';
import { buildQuery, rawurlencode, urlencode } from '../../../base/php/query-string.js';
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
import { type Html, html } from '../../../wordpress/views/html.js';
import { postUrl, feedUrls } from '../views/links.js';
import { listingQuery, readListing, eventCard, regionOf, viewFor, type EventCard, hasViews, type Listing } from '../views/listing.js';
import { isInSiteZone } from '../model/options.js';
import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { pageComments, type Comments } from '../../../wordpress/pages/comments.js';
import { unlocking, type Unlocking } from '../../../wordpress/pages/sign-in/login.js';
import { contentOf, lineOf, titleOf } from '../../../wordpress/views/texts.js';
import { balanceTags } from '../../../wordpress/formatting/comments/balance-tags.js';
import { icon } from '../../../wordpress/pages/parts.js';
import type { Span } from '../../../wordpress/views/dates.js';
import type { Site } from '../../../wordpress/site.js';

/** Addresses by the name of the program (TEC: its order); `file` has a name in each language. */
export type CalendarLinks = [name: string, url: string][];

const OUTLOOK = [
  ['Outlook 365', 'https://outlook.office.com/owa'],
  ['Outlook Live', 'https://outlook.live.com/owa'],
] as const;

const webcal = (url: string): string => url.replace(/^https?:/, 'webcal:');

/**
 * The addresses at which calendar programs subscribe to a list.
 * @param title of the list; null: the site's own
 * @param own URL of the list
 */
export function subscriptions({ scope, view, from }: Listing, title: string | null, own: string, site: Site): CalendarLinks {
  const isOfCategory = scope.kind === 'term' && scope.term.taxonomy === EVENT_CATEGORY;
  // TEC: a subscription has the upcoming events, whatever the view, from the day that is looked at.
  const feed = (ical: object): string =>
    `${site.url}/?${buildQuery({
      post_type: EVENT,
      ...(isOfCategory ? { [EVENT_CATEGORY]: scope.term.slug } : {}),
      ...(hasViews(scope) && view !== 'list' && from !== null ? { 'tribe-bar-date': from } : {}),
      ...ical,
      eventDisplay: 'list',
    })}`;
  const { download } = feedUrls(own);
  const isGeneral = scope.kind === 'all' || isOfCategory;
  const all = webcal(isGeneral ? feed({ ical: 1 }) : download);
  const name = urlencode([site.options.name, title].filter(Boolean).join(' '));
  return [
    ['Google Calendar', `https://www.google.com/calendar/render?cid=${urlencode(all)}`],
    ['iCalendar', all],
    ...OUTLOOK.map(([program, url]): CalendarLinks[number] => {
      const address = `${urlencode(webcal(isGeneral ? feed({}) : own))}&ical=1`;
      return [program, `${url}?path=/calendar/action/compose&rru=addsubscription&url=${address}&name=${name}`];
    }),
    ['file', download],
  ];
}

/** An event as a calendar program takes it over. `location` is its venue and the address. */
interface Invitation {
  url: string;
  span: Span;
  timezone: string;
  title: string;
  description: string;
  location: string;
}

/** TEC: the bytes of a description after which it ends with the address of the event. */
const MOST_FOR_GOOGLE = 996;
const MOST_FOR_OUTLOOK = 900;

const cut = (text: string, most: number): string | null =>
  Buffer.byteLength(text) > most ? new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true }) : null;

/** The addresses at which calendar programs take over an event. */
function additions({ url, span, timezone, title, description, location }: Invitation, site: Site): CalendarLinks {
  const { download, subscribe } = feedUrls(url);
  const paragraphs = description.replaceAll('</p>', '</p> ');
  const long = cut(paragraphs, MOST_FOR_GOOGLE);
  const details = long === null ? paragraphs : `${balanceTags(long)} (View Full event Description Here: ${url})`;
  const compact = (time: string): string => time.replaceAll(/[-:]/g, '').replace(' ', 'T');
  const google = [
    ['action', 'TEMPLATE'],
    ['dates', `${compact(span.start)}/${compact(span.end)}`],
    ['text', rawurlencode(title)],
    ['details', urlencode(details)],
    ['location', rawurlencode(location)],
    ['trp', 'false'],
    ['ctz', timezone],
    ['sprop', `website:${site.url}`],
  ].filter(([, value]) => value !== '');
  const plain = description.replaceAll(/<(?!\/?p\b)[^>]*>/gi, '');
  const short = cut(plain, MOST_FOR_OUTLOOK);
  const body = short === null ? plain : `${short} (View Full Event Description Here: ${url})`;
  // TEC: a whole day ends on its last day, at the time at which it starts.
  const end = span.allDay ? `${span.end.slice(0, 10)} ${span.start.slice(11)}` : span.end;
  const outlook = `startdt=${span.start.replace(' ', 'T')}&enddt=${end.replace(' ', 'T')}&location=${rawurlencode(location)}&subject=${rawurlencode(title)}&body=${rawurlencode(body)}`;
  return [
    ['Google Calendar', `https://www.google.com/calendar/event?${google.map((pair) => pair.join('=')).join('&')}`],
    ['iCalendar', subscribe],
    ...OUTLOOK.map(([program, base]): CalendarLinks[number] => [program, `${base}/?path=/calendar/action/compose&rrv=addevent&${outlook}`]),
    ['file', download],
  ];
}

/** A menu of calendar programs. @param label of its button */
export const calendarMenu = (links: CalendarLinks, label: string, { texts }: Reading): Html =>
  html`<div class="tribe-events-c-subscribe-dropdown__container">
    <details class="menu tribe-events-c-subscribe-dropdown">
      <summary class="tribe-events-c-subscribe-dropdown__button">
        ${icon('calendar')}<span class="tribe-events-c-subscribe-dropdown__button-text">${label}</span>
      </summary>
      <div class="tribe-events-c-subscribe-dropdown__content">
        <ul class="tribe-events-c-subscribe-dropdown__list">
          ${links.map(
            ([name, url]) =>
              html`<li class="tribe-events-c-subscribe-dropdown__list-item">
                <a class="tribe-events-c-subscribe-dropdown__list-item-link" href="${url}" rel="noopener noreferrer nofollow noindex"
                  >${name === 'file' ? texts.downloadIcs : name}</a
                >
              </li> `,
          )}
        </ul>
      </div>
    </details>
  </div> `;

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

/** The events before and after one in the list of all, also of one that this list leaves out (TEC). */
async function neighbors(post: Post, reading: Reading): Promise<Pick<EventPage, 'previous' | 'next'>> {
  const { store } = reading.site;
  const start = post.occurrence?.start;
  if (start === undefined) return { previous: null, next: null };
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
  const isBefore = (each: Post): boolean => each.occurrence?.start !== start || each._id < post._id;
  const previous = upTo.findLast(isBefore);
  const next = from.find((each) => each._id !== post._id && (each.occurrence?.start !== start || each._id > post._id));
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
