/**
 * What this service takes, parameter by parameter. The argument tables of the calendar are declared as `ArgsOf` these
 * (src/calendar-v1/contract.ts), so that neither can have a name, a kind or a requirement that the other has not.
 */

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/** An id, or a slug or name where terms are meant. Several go as a list or as a comma-separated text. */
export type TermRef = number | string;

export interface Paging {
  /** From 1. */
  page?: number;
  /** 50 at most. */
  per_page?: number;
}

/**
 * Parameters of the list of events. Dates are texts that PHP's `strtotime` understands (`2026-06-15`, `2026-06-15 12:00:00`, `tomorrow`),
 * on the clock of the site.
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
  /** Degrees; goes with `geoloc_lng`. */
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
  /** Id of an event; wins over `post`. */
  event?: number;
  slug?: string;
}

/** Parameters of the list of categories. */
export interface CategoryFilters extends TagFilters {
  parent?: number;
}

/** What can be written of an event. Dates as in `EventFilters`, in the event's own zone. */
export interface EventFields {
  author?: number;
  date?: string;
  date_utc?: string;
  title: string;
  description?: string;
  slug?: string;
  excerpt?: string;
  status?: string;
  timezone?: string;
  all_day?: boolean;
  start_date: string;
  end_date: string;
  /** Id of a file in the media library, or the address of an image. */
  image?: string;
  cost?: OneOrMore<string | number>;
  website?: string;
  show_map?: boolean;
  show_map_link?: boolean;
  hide_from_listings?: boolean;
  sticky?: boolean;
  featured?: boolean;
  categories?: OneOrMore<TermRef>;
  tags?: OneOrMore<TermRef>;
  /** Id of a venue, or what to make one of. A list, as documented, is taken by the profile `standard` alone. */
  venue?: OneOrMore<number | { id: number } | VenueFields>;
  /** Ids of organizers, or what to make them of. */
  organizer?: OneOrMore<number | { id: number } | OrganizerFields>;
}

/** What can be written of a venue. The map flags are texts (TEC): `1` for yes, an empty one for no. */
export interface VenueFields {
  author?: number;
  date?: string;
  date_utc?: string;
  venue: string;
  description?: string;
  status?: string;
  show_map?: string;
  show_map_link?: string;
  address?: string;
  city?: string;
  country?: string;
  province?: string;
  state?: string;
  zip?: string;
  phone?: string;
  stateprovince?: string;
  website?: string;
  image?: string;
}

/** What can be written of an organizer. */
export interface OrganizerFields {
  author?: number;
  date?: string;
  date_utc?: string;
  organizer: string;
  description?: string;
  status?: string;
  phone?: string;
  website?: string;
  email?: string;
  image?: string;
}

/** What can be written of a tag. */
export interface TagFields {
  name: string;
  description?: string;
  slug?: string;
}

/** What can be written of a category. */
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
