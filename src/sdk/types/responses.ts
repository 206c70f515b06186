/** Response bodies of the calendar API. */
import type { ShownEvent, ShownOrganizer, ShownVenue } from './fields.js';

export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

export interface ImageSize {
  width: number;
  height: number;
  'mime-type': string;
  filesize?: number;
  url: string;
}

export interface Image {
  url: string;
  id: number;
  extension?: string;
  width?: number;
  height?: number;
  filesize?: number;
  sizes?: Record<string, ImageSize>;
  original_image?: string;
}

export interface CostDetails {
  currency_symbol: string;
  currency_code: string;
  currency_position: string;
  values: string[];
}

export interface TermUrls {
  self: string;
  collection: string;
  up?: string;
}

/** A category or tag within an event. */
export interface EventTerm {
  name: string;
  slug: string;
  term_group: number;
  term_taxonomy_id: number;
  taxonomy: string;
  description: string;
  parent: number;
  count: number;
  filter: 'raw';
  id: number;
  urls: TermUrls;
}

/** A category or tag as its own routes return it. */
export interface Term {
  id: number;
  count: number;
  description: string;
  name: string;
  slug: string;
  taxonomy: string;
  parent?: number;
  meta: [];
  url: string;
  urls: TermUrls;
  _links?: Record<string, Link[]>;
}

export interface Link {
  href: string;
  embeddable?: boolean;
  templated?: boolean;
  name?: string;
  taxonomy?: string;
  targetHints?: { allow: string[] };
}

export interface PostalAddress {
  '@type': 'PostalAddress';
  streetAddress?: string;
  addressLocality?: string;
  addressRegion?: string;
  postalCode?: string;
  addressCountry?: string;
}

export interface PlaceJsonLd {
  '@type': 'Place';
  name: string;
  description: string;
  image?: string;
  url: string;
  address: PostalAddress;
  geo?: { '@type': 'GeoCoordinates'; latitude: number; longitude: number };
  telephone: string;
  sameAs: string;
}

export interface PersonJsonLd {
  '@type': 'Person';
  name: string;
  description: string;
  image?: string;
  url: string;
  telephone: string;
  email: string;
  sameAs: string;
}

export interface OfferJsonLd {
  '@type': 'Offer';
  price: string;
  priceCurrency: string;
  url: string;
  category: 'primary';
  availability: 'inStock';
  validFrom: string;
}

/** The offer of a ticket (Event Tickets). */
export interface TicketOfferJsonLd {
  '@type': 'Offer';
  url: string;
  price: string;
  category: 'primary';
  availability: string;
  priceCurrency: string;
  validFrom?: string;
  validThrough?: string;
}

export interface EventJsonLd {
  '@context': 'http://schema.org';
  '@type': 'Event';
  name: string;
  description: string;
  image?: string;
  url: string;
  eventAttendanceMode: string;
  eventStatus: string;
  startDate: string;
  endDate: string;
  location?: PlaceJsonLd | false;
  organizer?: PersonJsonLd | false;
  /** Of an event with tickets: a list. */
  offers?: OfferJsonLd | TicketOfferJsonLd[];
  performer: 'Organization';
}

/** Fields that venues and organizers share. Empty fields are omitted. */
interface LinkedPost {
  id: number;
  author: string;
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  description?: string;
  excerpt?: string;
  slug?: string;
  image?: Image | false;
  global_id: string;
  global_id_lineage: string[];
}

/** A venue. TEC: if it is password-protected, `venue` is an empty array, although the type is a string. */
export interface Venue extends LinkedPost, ShownVenue {
  venue: string;
  json_ld?: PlaceJsonLd;
}

/** An organizer. TEC: if it is password-protected, `organizer` is an empty array. */
export interface Organizer extends LinkedPost, ShownOrganizer {
  organizer: string;
  json_ld?: PersonJsonLd;
}

/**
 * An event. Dates are local times, `YYYY-MM-DD HH:MM:SS`, and null for an event created through `wp/v2` without dates. If it is
 * password-protected, flags are null and strings are empty.
 */
export interface Event extends ShownEvent {
  id: number;
  global_id: string;
  global_id_lineage: string[];
  author: string;
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  rest_url: string;
  title: string;
  description: string;
  excerpt: string;
  slug: string;
  image: Image | false;
  start_date_details: DateDetails;
  end_date_details: DateDetails;
  utc_start_date_details: DateDetails;
  utc_end_date_details: DateDetails;
  cost_details: CostDetails;
  sticky: boolean | null;
  categories: EventTerm[];
  tags: EventTerm[];
  venue: Venue | Venue[] | [];
  organizer: Organizer[];
  /** Since TEC 6.10.1. */
  custom_fields?: [] | Record<string, { label: string; value: string }>;
  json_ld?: EventJsonLd;
}

interface Page {
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
  total: number;
  total_pages: number;
}

export interface EventList extends Page {
  events: Event[];
}

export interface VenueList extends Page {
  venues: Venue[];
}

export interface OrganizerList extends Page {
  organizers: Organizer[];
}

export interface CategoryList extends Page {
  categories: Term[];
}

export interface TagList extends Page {
  tags: Term[];
}

/** The body of every error. TEC: `data` is null if the plugin sets no status, and absent for an invalid JSONP callback. */
export interface ErrorBody {
  code: string;
  message: string;
  data?: { status: number; params?: Record<string, string> | string[]; details?: unknown } | null;
  additional_data?: unknown[];
  /** WP: further errors of the same request. */
  additional_errors?: Omit<ErrorBody, 'additional_errors'>[];
}
