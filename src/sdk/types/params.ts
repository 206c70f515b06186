/**
 * Request parameters of the calendar API. The argument tables in src/plugins/the-events-calendar/calendar-v1/contract.ts are declared as `ArgsOf` these types, so
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

/** Writable fields of a venue. TEC: the map flags are strings, `1` for true and empty for false. */
export interface VenueFields extends SentVenue {
  author?: number;
  date?: string;
  date_utc?: string;
  venue: string;
  description?: string;
  status?: string;
  image?: string;
}

/** Writable fields of an organizer. */
export interface OrganizerFields extends SentOrganizer {
  author?: number;
  date?: string;
  date_utc?: string;
  organizer: string;
  description?: string;
  status?: string;
  image?: string;
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

/** Parameters of the by-id routes of events. */
export interface EventById {
  id: number;
  password?: string;
}

/** Parameters of the other by-id routes. */
export interface ById {
  id: number;
}
