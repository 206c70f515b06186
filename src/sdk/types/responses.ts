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
  /** List for an event with tickets. */
  offers?: OfferJsonLd | TicketOfferJsonLd[];
  performer: 'Organization';
}

/** Fields that all posts share. Dates are local times, `YYYY-MM-DD HH:MM:SS`. */
interface Posted {
  id: number;
  global_id: string;
  global_id_lineage: string[];
  author: string;
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
}

/** Fields that venues and organizers share. Empty fields are omitted. */
interface LinkedPost extends Posted {
  url: string;
  description?: string;
  excerpt?: string;
  slug?: string;
  image?: Image | false;
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
export interface Event extends Posted, ShownEvent {
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
  /** Event Tickets: for users who manage attendees. If the event is password-protected, the values are the string `null`. */
  attendance?: { total_attendees: number | string; checked_in: number | string; not_checked_in: number | string };
  /** Event Tickets: the providers of its tickets, or false. TEC: an object if a provider is left out because it is there already. */
  ticketed?: false | TicketProvider[] | Record<string, TicketProvider> | null;
  json_ld?: EventJsonLd;
}

interface Totals {
  rest_url: string;
  total: number;
  total_pages: number;
}

interface Page extends Totals {
  next_rest_url?: string;
  previous_rest_url?: string;
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

/** The provider of a ticket: RSVP, or Tickets Commerce. */
type TicketProvider = 'rsvp' | 'tc';

/** Fields that tickets and attendees share. */
interface TicketPost extends Posted {
  /** Id of the event. */
  post_id: number;
  rest_url: string;
  title: string;
}

/** The ticket of an attendee. */
export interface AttendeeTicket {
  /** TEC: a string if it is an RSVP, but a number in the attendees of a ticket. */
  id: number | string;
  title: string;
  description: string;
  raw_price: string;
  formatted_price: string;
  currency_config: {
    symbol: string;
    placement: string;
    decimal_point: string;
    thousands_sep: string;
    number_of_decimals: number;
  };
  /** Days, `YYYY-MM-DD`. */
  start_sale: string | null;
  end_sale: string | null;
}

/** An attendee (Event Tickets). Only users who manage attendees get the fields from `provider` on. TEC: an empty array if the ticket was deleted. */
export interface Attendee extends TicketPost {
  ticket_id: number;
  ticket: AttendeeTicket;
  optout: boolean;
  provider?: TicketProvider;
  order?: number | string;
  sku?: string;
  email?: string;
  checked_in?: boolean;
  checkin_details?: false | { date: string; date_details: DateDetails; source: string; author: number };
  is_subscribed?: boolean;
  is_purchaser?: boolean;
  /** Whether the attendee of an RSVP comes. */
  rsvp_going?: boolean;
  /** Payment of a ticket. */
  payment?: { provider: 'tc'; price: string; currency: string; date: string; date_details: DateDetails };
}

/**
 * A ticket or an RSVP (Event Tickets). If its event is password-protected, flags are null, numbers 0 and strings `No Access`.
 */
export interface Ticket extends TicketPost {
  description: string;
  /** An empty string: unlimited. */
  capacity: number | '';
  /** Null: an RSVP. */
  on_sale: boolean | null;
  iac: string;
  price_suffix: string | null;
  provider: TicketProvider;
  type: string;
  image: Image | false;
  available_from: string;
  available_from_details: DateDetails;
  available_until: string;
  available_until_details: DateDetails;
  /** Only users who manage attendees get the fields from `max` on. */
  capacity_details: {
    available_percentage: number;
    /** -1: unlimited. */
    available: number;
    max?: number;
    sold?: number;
    pending?: number;
    global_stock_mode?: string;
  };
  is_available: boolean | null;
  cost: string;
  cost_details: {
    currency_symbol: string;
    currency_position: string;
    values: string[];
    suffix: string | null;
    currency_decimal_separator: string;
    currency_decimal_numbers: number;
    currency_thousand_separator: string;
  };
  /** Sale price. An RSVP has an empty array. */
  sale_price_data: { enabled: string; sale_price: string; start_date: string; end_date: string } | [];
  supports_attendee_information: boolean | null;
  /** Empty for users who do not manage attendees. */
  attendees: Attendee[];
  /** Counts of an RSVP, for users who manage attendees. */
  rsvp?: { rsvp_going: number; rsvp_not_going: number };
  /** For users who manage attendees. */
  checkin?: { checked_in: number; unchecked_in: number; checked_in_percentage: number; unchecked_in_percentage: number };
  fees?: { available_fees: unknown[]; automatic_fees: unknown[]; selected_fees: unknown[] };
  /** This and the next ones: of a single ticket, for users who may edit it. */
  capacity_type?: string;
  /** Null: an RSVP. */
  sku?: string | null;
  available_from_start_time?: string;
  available_from_end_time?: string;
  totals?: { stock: number; sold: number; pending: number };
}

/** A ticket as writes through `tec/v1` return it (Event Tickets). Prices are numbers. */
export interface StoredTicket {
  id: number;
  date: string;
  date_gmt: string;
  guid: { rendered: string };
  modified: string;
  modified_gmt: string;
  slug: string;
  status: string;
  type: string;
  link: string;
  title: { rendered: string };
  content: { rendered: string; protected: boolean };
  template: string;
  description: string;
  on_sale: boolean;
  sale_price: number | null;
  /** The current price. */
  price: number;
  regular_price: number;
  show_description: boolean;
  start_date: string;
  end_date: string;
  sale_price_start_date: string | null;
  sale_price_end_date: string | null;
  event_id: number;
  manage_stock: boolean;
  /** -1: unlimited. */
  stock: number;
  sold: number;
  sku: string;
}

export interface TicketList extends Totals {
  tickets: Ticket[];
}

/** A list of attendees. TEC: attendees of deleted tickets count, but are left out, and a list with gaps is an object. */
export interface AttendeeList extends Totals {
  attendees: Attendee[] | Record<string, Attendee>;
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
