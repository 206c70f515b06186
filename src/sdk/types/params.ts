/**
 * Request parameters of the calendar API. The argument tables in src/plugins/the-events-calendar/calendar-v1/validators.ts are declared as `ArgsOf` these types, so
 * the compiler reports any difference in names, types and required parameters.
 */

import type { SentEvent, SentOrganizer, SentVenue } from './fields.js';

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/** The id, slug or name of a term. Pass several as an array or as a comma-separated string. */
export type TermRef = number | string;

export interface Paging {
  /** From 1. */
  page?: number;
  /** At most 50. */
  per_page?: number;
}

/**
 * Parameters of the list of events. Dates are strings that PHP's `strtotime` accepts (`2026-06-15`, `2026-06-15 12:00:00`, `tomorrow`),
 * in the time zone of the site.
 */
export interface EventFilters extends Paging {
  start_date?: string;
  end_date?: string;
  starts_before?: string;
  starts_after?: string;
  ends_before?: string;
  ends_after?: string;
  strict_dates?: boolean;
  search?: string;
  categories?: OneOrMore<TermRef>;
  tags?: OneOrMore<TermRef>;
  venue?: OneOrMore<number>;
  organizer?: OneOrMore<number>;
  featured?: boolean;
  status?: OneOrMore<string>;
  geoloc?: boolean;
  /** Degrees; requires `geoloc_lng`. */
  geoloc_lat?: number;
  geoloc_lng?: number;
  include?: OneOrMore<number>;
  post_parent?: number;
  ticketed?: boolean;
}

/** Parameters of the lists of venues and organizers. */
export interface LinkedFilters extends Paging {
  search?: string;
  /** Id of an event. */
  event?: number;
  has_events?: boolean;
  only_with_upcoming?: boolean;
  status?: OneOrMore<string>;
}

/** Parameters of the list of tags. */
export interface TagFilters extends Paging {
  search?: string;
  exclude?: OneOrMore<TermRef>;
  include?: OneOrMore<TermRef>;
  order?: 'asc' | 'desc';
  orderby?: 'name' | 'slug' | 'id' | 'term_id' | 'count' | 'description' | 'term_group' | 'include' | 'parent';
  hide_empty?: boolean;
  /** Id of an event. */
  post?: number;
  /** Id of an event; overrides `post`. */
  event?: number;
  slug?: string;
}

/** Parameters of the list of categories. */
export interface CategoryFilters extends TagFilters {
  parent?: number;
}

/** Writable fields of an event. Dates as in `EventFilters`, in the time zone of the event. */
export interface EventFields extends SentEvent {
  author?: number;
  date?: string;
  date_utc?: string;
  title: string;
  description?: string;
  slug?: string;
  excerpt?: string;
  status?: string;
  /** Id of an attachment, or the URL of an image. */
  image?: string;
  sticky?: boolean;
  categories?: OneOrMore<TermRef>;
  tags?: OneOrMore<TermRef>;
  /** Id of a venue, or the fields of a new one. An array, though documented, is accepted only by the profile `standard`. */
  venue?: OneOrMore<number | { id: number } | VenueFields>;
  /** Ids of organizers, or the fields of new ones. */
  organizer?: OneOrMore<number | { id: number } | OrganizerFields>;
}

/** Writable fields that venues and organizers share. */
interface LinkedFields {
  author?: number;
  date?: string;
  date_utc?: string;
  description?: string;
  status?: string;
  image?: string;
}

/** Writable fields of a venue. TEC: the map flags are strings, `1` for true and empty for false. */
export interface VenueFields extends LinkedFields, SentVenue {
  venue: string;
}

/** Writable fields of an organizer. */
export interface OrganizerFields extends LinkedFields, SentOrganizer {
  organizer: string;
}

/** Writable fields of a tag. */
export interface TagFields {
  name: string;
  description?: string;
  slug?: string;
}

/** Writable fields of a category. */
export interface CategoryFields extends TagFields {
  parent?: number;
}

/** Event Tickets: parameters that the lists of tickets and attendees share. */
interface TicketPaging {
  /** From 1. */
  page?: number;
  /** At most 100. */
  per_page?: number;
  /** How many results to skip. TEC: has no effect. */
  offset?: number;
  order?: 'ASC' | 'DESC';
  search?: string;
  after?: string;
  before?: string;
  include?: OneOrMore<number>;
  exclude?: OneOrMore<number>;
  /** Ids of events. */
  include_post?: OneOrMore<number>;
  exclude_post?: OneOrMore<number>;
  /** Statuses of the events. */
  post_status?: OneOrMore<string>;
  status?: OneOrMore<string>;
  attendee_information_available?: boolean;
}

/** Parameters of the list of tickets (Event Tickets). Dates as in `EventFilters`. TEC: `orderby` and `order` have hardly any effect. */
export interface TicketFilters extends TicketPaging {
  orderby?: 'id' | 'include' | 'title' | 'slug';
  is_available?: boolean;
  /** `rsvp`, `tickets-commerce`. */
  provider?: OneOrMore<string>;
  attendees_min?: number;
  attendees_max?: number;
  checkedin_min?: number;
  checkedin_max?: number;
  capacity_min?: number;
  capacity_max?: number;
  available_from?: string;
  available_until?: string;
  currency?: string;
}

/** Parameters of the list of attendees (Event Tickets). Dates as in `EventFilters`. */
export interface AttendeeFilters extends TicketPaging {
  orderby?: 'id' | 'date' | 'include' | 'title' | 'slug';
  /** `rsvp`, `tickets-commerce`. */
  provider?: string;
  /** Id of an event. */
  post_id?: number;
  ticket_id?: number;
  price_max?: number;
  price_min?: number;
  include_ticket?: OneOrMore<number>;
  exclude_ticket?: OneOrMore<number>;
  order_status?: OneOrMore<string>;
  checkedin?: boolean;
  /** Whether attendees of RSVPs come: `yes`, `no`. */
  rsvp_going_status?: OneOrMore<string>;
  name?: string;
  email?: string;
}

/** Writable fields of a ticket in `tec/v1` (Event Tickets). Dates are local times of the event, `YYYY-MM-DD HH:MM:SS`. */
export interface TicketFields {
  title?: string;
  /** The description, unless `excerpt` is sent. */
  content?: string;
  excerpt?: string;
  /** Id of the event. Only a new ticket needs it. */
  event?: number;
  price?: number;
  sale_price?: number;
  /** First day of the sale, `YYYY-MM-DD`. */
  sale_price_start_date?: string;
  sale_price_end_date?: string;
  /** How many are left. Default: `capacity`. */
  stock?: number;
  /** How many there are. Default: `stock`. */
  capacity?: number;
  /** `own` or `unlimited`. */
  stock_mode?: string;
  /** When it is on offer from. */
  start_date?: string;
  end_date?: string;
  sku?: string;
  show_description?: boolean;
}

/** Fields of a new attendee (Event Tickets). */
export interface AttendeeFields {
  ticket_id: number;
  full_name: string;
  email: string;
  /** Whether the attendee of an RSVP comes, `yes` or `no`. Default of a new one: `yes`. */
  attendee_status?: string;
  /** TEC: an attendee of a ticket is checked in only by an update. */
  check_in?: boolean;
}

/** Fields of an update of an attendee (Event Tickets). */
export type AttendeeChanges = Partial<Omit<AttendeeFields, 'ticket_id'>>;

/** Parameters of the by-id routes of events. */
export interface EventById {
  id: number;
  password?: string;
}

/** Parameters of the other by-id routes. */
export interface ById {
  id: number;
}
