/** The fields of events and of linked posts. Written by `scripts/field-types.mjs` from the tables of fields. */

/** The stored fields of the event in responses. */
export interface ShownEvent {
  /** Whether the event lasts all day. */
  all_day: boolean | null;
  /** Start of the event, in its time zone. */
  start_date: string | null;
  /** End of the event, in its time zone. */
  end_date: string | null;
  /** Start of the event, in UTC. */
  utc_start_date: string | null;
  /** End of the event, in UTC. */
  utc_end_date: string | null;
  /** Time zone of the event. */
  timezone: string;
  /** Abbreviation of the time zone of the event, such as CEST. */
  timezone_abbr: string;
  /** Price of the event, with the currency symbol. */
  cost: string;
  /** URL of the website of the event. */
  website: string;
  /** Whether to show a map. */
  show_map: boolean | null;
  /** Whether to show a link to a map. */
  show_map_link: boolean | null;
  /** Whether the event is hidden from lists. */
  hide_from_listings: boolean | null;
  /** Whether the event is featured. */
  featured: boolean | null;
}

/** The same in requests. */
export interface SentEvent {
  /** Whether the event lasts all day. */
  all_day?: boolean;
  /** Start of the event, in its time zone. */
  start_date: string;
  /** End of the event, in its time zone. */
  end_date: string;
  /** Time zone of the event, such as Europe/Berlin or UTC+2. Default: the time zone of the site. */
  timezone?: string;
  /** Price of the event: a string, a number, or a list of these. */
  cost?: string | number | readonly (string | number)[];
  /** URL of the website of the event. */
  website?: string;
  /** Whether to show a map. */
  show_map?: boolean;
  /** Whether to show a link to a map. */
  show_map_link?: boolean;
  /** Whether to hide the event from lists. */
  hide_from_listings?: boolean;
  /** Whether the event is featured. */
  featured?: boolean;
}

/** The stored fields of the venue in responses. */
export interface ShownVenue {
  /** Street address of the venue. */
  address?: string;
  /** City of the venue. */
  city?: string;
  /** Country of the venue. */
  country?: string;
  /** Province of the venue, outside the United States. */
  province?: string;
  /** State of the venue, in the United States. */
  state?: string;
  /** Postal code of the venue. */
  zip?: string;
  /** Phone number of the venue. */
  phone?: string;
  /** URL of the website of the venue. */
  website?: string;
  /** State or province of the venue. */
  stateprovince?: string;
  /** Latitude of the venue, in degrees. */
  geo_lat?: number;
  /** Longitude of the venue, in degrees. */
  geo_lng?: number;
  /** Whether events at the venue show a map. */
  show_map: boolean | null;
  /** Whether events at the venue show a link to a map. */
  show_map_link: boolean | null;
}

/** The same in requests. */
export interface SentVenue {
  /** Street address. */
  address?: string;
  /** City. */
  city?: string;
  /** Country. */
  country?: string;
  /** Province, outside the United States. */
  province?: string;
  /** State, in the United States. */
  state?: string;
  /** Postal code. */
  zip?: string;
  /** Phone number. */
  phone?: string;
  /** URL of the website of the venue. */
  website?: string;
  /** State or province. */
  stateprovince?: string;
  /** Whether to show a map. */
  show_map?: string;
  /** Whether to show a link to a map. */
  show_map_link?: string;
}

/** The stored fields of the organizer in responses. */
export interface ShownOrganizer {
  /** Phone number of the organizer. */
  phone?: string;
  /** URL of the website of the organizer. */
  website?: string;
  /** Email address of the organizer. */
  email?: string;
}

/** The same in requests. */
export interface SentOrganizer {
  /** Phone number. */
  phone?: string;
  /** URL of the website of the organizer. */
  website?: string;
  /** Email address. */
  email?: string;
}
