/** The dataset format. Written by `scripts/dataset-schema.mjs` from the declarations that validate files. */

export interface DatasetCurrency {
  symbol?: string;
  code?: string;
  position?: 'prefix' | 'postfix';
}

export interface DatasetImageSize {
  /** In pixels. 0: any. */
  width?: number;
  /** In pixels. 0: any. */
  height?: number;
  /** Whether images are cropped to it. Default: false. */
  crop?: boolean;
}

export interface DatasetSettings {
  /** Local times of posts, filters and new events. The same as site.timezone. */
  timezone?: string;
  /** Dates of pages and of settings, in the notation of PHP. */
  date_format?: string;
  /** Times of pages, and schedule_details of tec/v1. */
  time_format?: string;
  /** First day of the month view; 0 is Sunday. */
  start_of_week?: number;
  /** Language of pages and feeds. */
  language?: string;
  /** url of the index, addresses of uploads, sign-in and administration, where WordPress has its own folder. */
  wordpress_folder?: string;
  /** The page at /: its links, redirects, head and search results. */
  front_page?: number | string;
  /** The page that lists the posts, if there is a front_page. */
  posts_page?: number | string;
  /** Length of the lists of pages, default of per_page in the calendar. The same as site.posts_per_page. */
  posts_per_page?: number;
  /** Number of items in feeds. */
  posts_per_feed?: number;
  /** Feeds have excerpts, and no content:encoded. */
  feed_excerpts?: boolean;
  /** Without them: noindex, nofollow on pages, and no sitemaps. */
  search_engines?: boolean;
  /** comment_status of new posts and media. */
  comments?: 'open' | 'closed';
  /** ping_status of new posts. */
  pings?: 'open' | 'closed';
  /** Links of comments have comment-page-1/. */
  paged_comments?: boolean;
  /** Without them: no avatar_urls. */
  avatars?: boolean;
  /** Files of new images. What is left out stays as it is. */
  image_sizes?: Record<string, DatasetImageSize>;
  /** New uploads are in 2026/06/, or without a folder. */
  month_folders?: boolean;
  /** Addresses of posts, the slash at the end of all addresses, index.php; plain: ?p=1, and the REST API at ?rest_route=. */
  permalinks?: string;
  /** Addresses of the categories of posts. */
  category_base?: string;
  /** Addresses of tags. */
  tag_base?: string;
  /** Address of the REST API; others are 404 (filter rest_url_prefix). */
  rest_prefix?: string;
  /** Address of the calendar, and of the categories of events below it. */
  events_slug?: string;
  /** Addresses of events. */
  event_slug?: string;
  /** site: times of lists, pages, feeds and calendar files are in the zone of the site. */
  timezone_mode?: 'event' | 'site';
  /** When a day of the calendar ends: limits of filters, and all-day events. */
  day_cutoff?: string;
  /** Dates of other years, in schedule_details and titles. */
  date_with_year?: string;
  /** Dates of this year. */
  date_without_year?: string;
  /** Text between date and time. */
  date_time_separator?: string;
  /** Text between start and end. */
  time_range_separator?: string;
  /** The abbreviation of the zone after schedule_details. */
  show_timezone?: boolean;
  /** Title of the month view. */
  month_format?: string;
  /** View at the address of the calendar, its calendar file, and titles. */
  default_view?: 'list' | 'month' | 'day';
  /** The views that exist; others are 404. */
  views?: ('list' | 'month' | 'day')[];
  /** Without it: no tribe/events/v1, and no categories of events in wp/v2. */
  calendar_api?: boolean;
}

export interface DatasetSite {
  name?: string;
  /** Address of the site in the links of this file. They lead to the server that loads it. */
  url?: string;
  description?: string;
  admin_email?: string;
  /** Such as "Europe/Berlin" or "UTC+5.5". */
  timezone?: string;
  posts_per_page?: number;
  currency?: DatasetCurrency;
  /** Whether every comment waits for a moderator. */
  comment_moderation?: boolean;
  /** Whether authors whose comments were never approved wait for a moderator. Default: true. */
  comment_previously_approved?: boolean;
  /** Whether authors of comments need a name and an email address. Default: true. */
  require_name_email?: boolean;
  /** Comments with at least this many links wait for a moderator. Default: 2; 0: none do. */
  comment_max_links?: number;
  /** Comments with any of these words wait for a moderator. */
  moderation_keys?: string[];
  /** Comments with any of these words go to the trash. */
  disallowed_keys?: string[];
  /** Further settings of WordPress and The Events Calendar, such as permalinks: /%year%/%postname%/. */
  settings?: DatasetSettings;
  /** Plugins of the site besides The Events Calendar, such as event-tickets. */
  plugins?: string[];
  /** Release of WordPress to behave like. */
  wordpress?: string;
  /** Release of The Events Calendar to behave like. */
  tec_version?: string;
  /** Release of the time zone data, such as "2025b". Default: the newest. */
  zones?: string;
}

export interface DatasetMeta {
  /** Default: string. */
  type?: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object';
  /** Whether a post has one value. Default: true. */
  single?: boolean;
  /** Value of posts without one. */
  default?: unknown;
  description?: string;
  /** Further keywords of its JSON schema, such as enum, items or properties. */
  schema?: Record<string, unknown>;
}

export interface DatasetType {
  /** Plural name, such as Recipes. */
  name: string;
  /** Singular name. Default: name. */
  singular_name?: string;
  description?: string;
  /** Last segment of its path in wp/v2. Default: its name. */
  rest_base?: string;
  /** Whether its posts have parents. Default: false. */
  hierarchical?: boolean;
  /** Such as title, editor, author, thumbnail, excerpt, comments, revisions, custom-fields. Default: title and editor. */
  supports?: string[];
  /** Names of its taxonomies, such as post_tag. */
  taxonomies?: string[];
  /** Whether its posts have a list, or the first segment of its address. Default: false. */
  has_archive?: boolean | string;
  /** First segment of the addresses of its posts. Default: the name of the type. */
  slug?: string;
  /** Such as dashicons-food. */
  icon?: string;
  /** Whether it has pages and is found by searches. Default: true. */
  public?: boolean;
  /** Whether the administration shows it. Default: as public. */
  show_ui?: boolean;
  /** Whether menus offer its posts. Default: as public. */
  show_in_nav_menus?: boolean;
  /** Noun in the names of its capabilities. Default: post. */
  capability_type?: string;
  /** Meta keys in wp/v2. */
  meta?: Record<string, DatasetMeta>;
}

export interface DatasetTaxonomy {
  /** Plural name, such as Courses. */
  name: string;
  /** Singular name. Default: name. */
  singular_name?: string;
  /** Last segment of its path in wp/v2. Default: its name. */
  rest_base?: string;
  /** Whether its terms have parents. Default: false. */
  hierarchical?: boolean;
  /** Names of the post types that have it, such as post or tribe_events. */
  types?: string[];
  /** First segment of the addresses of its terms. Default: its name. */
  slug?: string;
  /** Whether the addresses of its terms contain their parents. Default: false. */
  nested_slugs?: boolean;
  /** Whether it has pages and is found by searches. Default: true. */
  public?: boolean;
  /** Whether lists of the administration show it. Default: false. */
  show_admin_column?: boolean;
}

export interface DatasetField {
  /** Value of items without one. Default: they do not have the field. */
  default?: unknown;
  /** Contexts that show it. Default: all of them. */
  contexts?: ('view' | 'edit' | 'embed')[];
  /** Member of the item that it follows. Default: the last one. */
  after?: string;
  /** Whether only users who may edit the item see it. Default: false. */
  edit_only?: boolean;
  /** Whether what is sent is stored. Default: false. */
  writable?: boolean;
  /** JSON Schema as WordPress knows it, which OPTIONS shows and what is sent must fit. Default: the types of the values. */
  schema?: Record<string, unknown>;
}

export interface DatasetUser {
  /** Id in the API. Assigned if absent. */
  id?: number;
  login: string;
  email?: string;
  name?: string;
  url?: string;
  role: 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';
  /** Account password. */
  password?: string;
  /** Application password for the REST API. */
  application_password?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetCategory {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  name: string;
  description?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  /** Slug of another entry of the same kind. */
  parent?: string;
}

export interface DatasetTag {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  name: string;
  description?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetMedia {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Path relative to uploads. */
  file: string;
  title?: string;
  alt?: string;
  caption?: string;
  description?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetVenue {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  description?: string;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  name: string;
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
  lat?: number;
  /** Longitude of the venue, in degrees. */
  lng?: number;
  /** Whether events at the venue show a map. */
  show_map?: boolean;
  /** Whether events at the venue show a link to a map. */
  show_map_link?: boolean;
}

export interface DatasetOrganizer {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  description?: string;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  name: string;
  /** Phone number of the organizer. */
  phone?: string;
  /** URL of the website of the organizer. */
  website?: string;
  /** Email address of the organizer. */
  email?: string;
}

export interface DatasetRepeat {
  every: string;
  on?: (string | number)[];
  times?: number;
  until?: string;
  except?: string[];
}

export interface DatasetOnSale {
  /** First moment, such as "-1w" or "2026-08-01 10:00". Default: the publication of the event. */
  from?: string;
  /** Last moment; a day counts as a whole. Default: the start of the event. */
  until?: string;
}

export interface DatasetSale {
  /** Must be below the price. */
  price: number | string;
  /** First day. Default: any day. */
  from?: string;
  /** Last day. Default: any day. */
  until?: string;
}

export interface DatasetOrder {
  id?: number;
  title?: string;
  slug?: string;
  author?: string;
  status?: string;
  date?: string;
  password?: string;
  meta?: Record<string, string | string[]>;
}

export interface DatasetAttendee {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  name: string;
  /** Default: made from the name. */
  email?: string;
  checked_in?: boolean;
  /** Does not show on the page of the event. */
  opted_out?: boolean;
  /** Whether they come. Default: true. */
  going?: boolean;
}

export interface DatasetTicket {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  name: string;
  description?: string;
  content?: string;
  /** How many there are. Default: any number. */
  capacity?: number;
  /** When it is available. */
  on_sale?: DatasetOnSale;
  /** Position among the tickets of the event. */
  menu_order?: number;
  /** In US dollars. Default: 0. */
  price?: number | string;
  /** A lower price for some days. */
  sale?: DatasetSale;
  /** Default: made from the id and the name. */
  sku?: string;
  /** How many are sold, also to people who are not in attendees. Default: the number of attendees. */
  sold?: number;
  /** Who bought one. */
  attendees?: DatasetAttendee[];
}

export interface DatasetRsvp {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  name: string;
  description?: string;
  content?: string;
  /** How many there are. Default: any number. */
  capacity?: number;
  /** When it is available. */
  on_sale?: DatasetOnSale;
  /** Position among the tickets of the event. */
  menu_order?: number;
  /** How many places are taken. Default: the number of attendees who come. */
  sold?: number;
  /** Who replied. */
  attendees?: DatasetAttendee[];
}

export interface DatasetComment {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Id of the comment that it replies to. */
  parent?: number;
  /** Login of the author. Default: a guest. */
  author?: string;
  /** Default: the user's. */
  author_name?: string;
  /** Default: the user's. */
  author_email?: string;
  /** Default: the user's. */
  author_url?: string;
  author_ip?: string;
  author_user_agent?: string;
  /** Such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** Default: approved. */
  status?: 'approved' | 'hold' | 'spam' | 'trash' | 'post-trashed';
  /** Status before it went to the trash or to spam. */
  status_before?: 'approved' | 'hold' | 'spam' | 'trash' | 'post-trashed';
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  /** Default: comment. `note`: for the editors of the post. */
  type?: string;
  /** What a note does to the note that it replies to. It may have no content then. */
  note_status?: 'resolved' | 'reopen';
  content: string;
  /** Id or slug of the post that it is on. Default: none. */
  post?: number | string;
}

export interface DatasetEvent {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  description?: string;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  title: string;
  /** Such as "2026-08-01 19:30", "2026-08-01T19:30:00+02:00", "+3d 10:00 Europe/Berlin" or "next friday 19:30". */
  start: string;
  /** A date as in start, or a time of day after the start. */
  end?: string;
  /** Instead of end: "90min", "1h 30min", "2d". */
  duration?: string;
  /** Such as "Europe/Berlin" or "UTC+5.5". */
  timezone?: string;
  /** Lasts from the start of the first day to the end of the last. */
  all_day?: boolean;
  /** Makes further events: "weekly × 10", "every 2 weeks on tue, thu until +3m", or an object. */
  repeat?: string | DatasetRepeat;
  /** Slug or name of a venue. Created on first mention. */
  venue?: string;
  /** Slugs or names of organizers. Created on first mention. */
  organizers?: string[];
  /** Slugs or names of categories. Created on first mention. */
  categories?: string[];
  /** Slugs or names of tags. Created on first mention. */
  tags?: string[];
  /** A number, a string or several of them: 12, "€12", "Free", [8, 12]. */
  cost?: string | number | (string | number)[];
  currency?: DatasetCurrency;
  /** Kept at the top of the month view. */
  sticky?: boolean;
  /** Whether the event has tickets. */
  ticketed?: boolean;
  /** URL of the website of the event. */
  website?: string;
  /** Whether to show a map. */
  show_map?: boolean;
  /** Whether to show a link to a map. */
  show_map_link?: boolean;
  /** Whether the event is hidden from lists. */
  hidden?: boolean;
  /** Whether the event is featured. */
  featured?: boolean;
  /** Slug of another entry of the same kind. */
  parent?: string;
  /** Tickets that are sold. They need the plugin event-tickets, which is then on. */
  tickets?: DatasetTicket[];
  /** Tickets to reply with. They need the plugin event-tickets, which is then on. */
  rsvp?: DatasetRsvp[];
  /** Comments, the replies after what they reply to. */
  comments?: DatasetComment[];
}

export interface DatasetPostCategory {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  name: string;
  description?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  /** Slug of another entry of the same kind. */
  parent?: string;
}

export interface DatasetPost {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  title: string;
  content?: string;
  /** Whether comments are open. Default: as in the settings of the site. */
  comment_status?: 'open' | 'closed';
  /** Whether pings are open. Default: as in the settings of the site. */
  ping_status?: 'open' | 'closed';
  /** Comments, the replies after what they reply to. */
  comments?: DatasetComment[];
  /** Slugs or names of post_categories. Created on first mention. */
  categories?: string[];
  /** Slugs or names of tags. Created on first mention. */
  tags?: string[];
  /** Kept at the top of the blog. */
  sticky?: boolean;
  /** Default: standard. */
  format?: 'standard' | 'aside' | 'chat' | 'gallery' | 'link' | 'image' | 'quote' | 'status' | 'video' | 'audio';
}

export interface DatasetPage {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  title: string;
  content?: string;
  /** Whether comments are open. Default: as in the settings of the site. */
  comment_status?: 'open' | 'closed';
  /** Whether pings are open. Default: as in the settings of the site. */
  ping_status?: 'open' | 'closed';
  /** Comments, the replies after what they reply to. */
  comments?: DatasetComment[];
  /** Slug of another entry of the same kind. */
  parent?: string;
  menu_order?: number;
  /** File name of a template of the theme. */
  template?: string;
  /** Tickets that are sold. They need the plugin event-tickets, which is then on. */
  tickets?: DatasetTicket[];
  /** Tickets to reply with. They need the plugin event-tickets, which is then on. */
  rsvp?: DatasetRsvp[];
}

export interface DatasetPatternCategory {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  name: string;
  description?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetPattern {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  excerpt?: string;
  title: string;
  content?: string;
  /** Slugs or names of pattern_categories. Created on first mention. */
  categories?: string[];
}

export interface DatasetNavigation {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  excerpt?: string;
  title: string;
  content?: string;
}

export interface DatasetItem {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Id of the item below which it stands. */
  parent?: number;
  /** Default: the title of what it leads to. */
  title?: string;
  /** Address that it leads to. */
  url?: string;
  /** Id or slug of the event, page or other post that it leads to. */
  post?: number | string;
  /** Id or slug of the category or tag that it leads to. */
  term?: number | string;
  /** Type of the posts whose list it leads to, such as tribe_events. */
  archive?: string;
  /** Position. Default: the place in this list. */
  menu_order?: number;
  /** Opens in another tab. */
  target?: '_blank';
  /** CSS classes. */
  classes?: string[];
  /** Relationships to the owner of the linked site (XFN). */
  xfn?: string[];
  /** Title attribute of the link. */
  attr_title?: string;
  description?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetMenu {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  name: string;
  description?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  /** New pages at the top are added to it. */
  auto_add?: boolean;
  /** Its items, in their order. */
  items?: DatasetItem[];
}

export interface DatasetOwnItem {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name or title. */
  slug?: string;
  /** Login of the author. Default: the administrator. */
  author?: string;
  /** Default: publish. */
  status?: 'publish' | 'draft' | 'pending' | 'private' | 'future' | 'trash';
  /** Publication date, such as "2026-08-01 19:30" or "-3d 10:00". Default: now. */
  date?: string;
  /** date in UTC, where the site stored another than its time zone says. Default: from date. */
  date_gmt?: string;
  /** Date of the last change. Default: date, or now if that is later. */
  modified?: string;
  /** modified in UTC, where the site stored another than its time zone says. Default: from modified. */
  modified_gmt?: string;
  /** Password that visitors must enter to see it. */
  password?: string;
  /** Additional post meta: strings, lists of strings, and what the types of declared keys are. */
  meta?: Record<string, string | number | boolean | unknown[] | Record<string, unknown>>;
  /** Slugs, names or ids of its terms, by taxonomy: { "course": ["main"] }. Created on first mention. */
  terms?: Record<string, (string | number)[]>;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
  excerpt?: string;
  /** Slug of an entry in media, or placeholder, placeholder(1200x630) or placeholder(1200x630, "Text"). */
  image?: string;
  title: string;
  content?: string;
  /** Whether comments are open. Default: as in the settings of the site. */
  comment_status?: 'open' | 'closed';
  /** Whether pings are open. Default: as in the settings of the site. */
  ping_status?: 'open' | 'closed';
  /** Comments, the replies after what they reply to. */
  comments?: DatasetComment[];
  /** Slugs or names of post_categories. Created on first mention. */
  categories?: string[];
  /** Slugs or names of tags. Created on first mention. */
  tags?: string[];
  /** Slug of another entry of the same kind. */
  parent?: string;
  menu_order?: number;
  /** File name of a template of the theme. */
  template?: string;
}

export interface DatasetTerm {
  /** Id in the API. Assigned if absent. */
  id?: number;
  /** Used in URLs and references. Default: made from the name. */
  slug?: string;
  name: string;
  description?: string;
  /** Slug of another term of the taxonomy. */
  parent?: string;
  /** Fields of other plugins by namespace, as responses show them: { "wp/v2": { "acf": { "entry": "18:30" } } }. */
  fields?: Record<string, Record<string, unknown>>;
}

export interface DatasetMatch {
  /** One method, or several. Default: all. */
  method?: string | string[];
  /** The path, or the route below /wp-json: * matches within a segment, ** across segments. */
  path?: string;
  /** Tested against the URL with its query. */
  regex?: string;
  /** Names and values, with * as wildcard; after !, it must be another or absent. */
  query?: Record<string, string | number | boolean>;
  /** Names and values, with * as wildcard; after !, it must be another or absent. */
  headers?: Record<string, string | number | boolean>;
  /** A text for the body as sent, with * as wildcard; or members that its JSON or form must have. */
  body?: unknown;
}

export interface DatasetRespond {
  /** Default: 200. */
  status?: number;
  /** Headers of the response. */
  headers?: Record<string, string>;
  /** A text, or a value that is sent as JSON. */
  body?: unknown;
  /** Instead of body: bytes. */
  bodyBase64?: string;
  /** Instead of body: path relative to the folder stubs. */
  file?: string;
}

export interface DatasetNormal {
  mean: number;
  deviation: number;
}

export interface DatasetLognormal {
  median: number;
  sigma: number;
}

export interface DatasetDelay {
  fixed?: number;
  uniform?: number[];
  normal?: DatasetNormal;
  lognormal?: DatasetLognormal;
}

export interface DatasetStub {
  /** Which requests it responds to. Default: all. */
  match?: DatasetMatch;
  /** The response. */
  respond: DatasetRespond;
  /** Delays the response: milliseconds, or a distribution of milliseconds. */
  delay?: number | DatasetDelay;
  /** Number of matching requests to let through first. */
  skip?: number;
  /** Number of requests to respond to. Default: all. */
  times?: number;
  /** Of several stubs that match, the one with the highest priority responds. Default: 0. */
  priority?: number;
  /** Whether {{request.query.page}} and the like stand for values of the request. Default: true. */
  template?: boolean;
}

/** A dataset, as in a JSON or YAML file. */
export interface Dataset {
  /** URL of this schema. */
  $schema?: string;
  /** Settings of the site. */
  site?: DatasetSite;
  /** Time at which the clock is frozen, such as 2026-06-15T12:00:00Z. Without it, relative dates follow the real time. */
  clock?: string;
  /** Post types that other plugins register, by name. */
  types?: Record<string, DatasetType>;
  /** Taxonomies that other plugins register, by name. */
  taxonomies?: Record<string, DatasetTaxonomy>;
  /** Image sizes besides the ones of WordPress, by name. */
  image_sizes?: Record<string, DatasetImageSize>;
  /** Meta keys in wp/v2 of other post types, by type: { "tribe_events": { "parking": { "type": "string" } } }. */
  meta?: Record<string, Record<string, DatasetMeta>>;
  /** How fields of other plugins are shown, by type, namespace and name, in their order: { "tribe_events": { "wp/v2": { "acf": { "default": [] } } } }. Types are post types, taxonomies, user and comment. Fields that only items have are shown everywhere. */
  fields?: Record<string, Record<string, Record<string, DatasetField>>>;
  /** Users of the site. */
  users?: DatasetUser[];
  /** Event categories, referenced by slug. */
  categories?: DatasetCategory[];
  /** Event tags, referenced by slug. */
  tags?: DatasetTag[];
  /** Images and other files in the folder uploads next to this file. */
  media?: DatasetMedia[];
  venues?: DatasetVenue[];
  organizers?: DatasetOrganizer[];
  events?: DatasetEvent[];
  /** Categories of blog posts, referenced by slug. */
  post_categories?: DatasetPostCategory[];
  /** Blog posts. */
  posts?: DatasetPost[];
  /** Pages. */
  pages?: DatasetPage[];
  /** Categories of patterns, referenced by slug. */
  pattern_categories?: DatasetPatternCategory[];
  /** Blocks that posts show by their number: <!-- wp:block {"ref":12} /-->. */
  patterns?: DatasetPattern[];
  /** Navigation made of blocks. */
  navigation?: DatasetNavigation[];
  /** Menus with their items. */
  menus?: DatasetMenu[];
  /** Posts of the types in types, by type. */
  items?: Record<string, DatasetOwnItem[]>;
  /** Terms of the taxonomies in taxonomies, by taxonomy. */
  terms?: Record<string, DatasetTerm[]>;
  /** Comments that are not on an entry of events, posts or pages. */
  comments?: DatasetComment[];
  /** Responses for requests to any route of the site. Files are in the folder stubs next to this file. */
  stubs?: DatasetStub[];
}
