// The response shapes, as published in the package's types: members, their types and formats.
import {
  complain,
  count,
  either,
  emptyList,
  flag,
  from,
  integer,
  is,
  like,
  listOf,
  mapOf,
  maybe,
  nothing,
  number,
  object,
  positive,
  text,
} from './shapes.mjs';

const STATUSES = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'in-progress',
  'failed',
  'tribe-ea-success',
  'tribe-ea-failed',
  'tribe-ea-schedule',
  'tribe-ea-pending',
  'tribe-ea-draft',
  'tribe-ignored',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Years have five digits where a time zone moves the last evening of 9999 into the next year. */
const moment = like(/^-?\d{4,5}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** Empty for content that was created without dates. */
const maybeMoment = either(moment, is(''));
const isoMoment = like(/^-?\d{4,5}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
/** Truncation may split the last escape of a slug. */
const slug = like(/^[a-z0-9_%-]*$/);
const numeral = like(/^\d+$/);
const maybeFlag = either(flag, nothing);

const dateDetails = object({
  year: like(/^-?\d{4,5}$/),
  month: like(/^\d\d$/),
  day: like(/^\d\d$/),
  hour: like(/^\d\d$/),
  minutes: like(/^\d\d$/),
  seconds: like(/^\d\d$/),
});

const imageSize = object({ width: positive, height: positive, 'mime-type': text, filesize: maybe(positive), url: text });

const image = object({
  url: like(/^https?:\/\//),
  id: positive,
  extension: maybe(text),
  width: maybe(positive),
  height: maybe(positive),
  filesize: maybe(positive),
  sizes: maybe(mapOf(imageSize)),
  original_image: maybe(text),
});
const imageOrNone = either(image, is(false));

const costDetails = object({
  currency_symbol: text,
  currency_code: text,
  currency_position: is('prefix', 'postfix', 'suffix', ''),
  values: listOf(text),
});

const link = object({ href: text, targetHints: maybe(object({ allow: listOf(is(...METHODS)) })), embeddable: maybe(flag) });
const curie = object({ name: text, href: text, templated: flag });
const termLinks = object({
  self: listOf(link),
  collection: listOf(link),
  about: listOf(link),
  up: maybe(listOf(link)),
  'wp:post_type': listOf(link),
  curies: listOf(curie),
});

const postalAddress = object({
  '@type': is('PostalAddress'),
  streetAddress: maybe(text),
  addressLocality: maybe(text),
  addressRegion: maybe(text),
  postalCode: maybe(text),
  addressCountry: maybe(text),
});

const place = object({
  '@type': is('Place'),
  name: text,
  description: text,
  image: maybe(text),
  url: text,
  address: postalAddress,
  geo: maybe(object({ '@type': is('GeoCoordinates'), latitude: number, longitude: number })),
  telephone: text,
  sameAs: text,
});

const person = object({
  '@type': is('Person'),
  name: text,
  description: text,
  image: maybe(text),
  url: text,
  telephone: text,
  email: text,
  sameAs: text,
});

const offer = object({
  '@type': is('Offer'),
  price: text,
  priceCurrency: text,
  url: text,
  category: is('primary'),
  availability: is('inStock'),
  validFrom: isoMoment,
});

const eventJsonLd = object({
  '@context': is('http://schema.org'),
  '@type': is('Event'),
  name: text,
  description: text,
  image: maybe(text),
  url: text,
  eventAttendanceMode: text,
  eventStatus: text,
  startDate: either(isoMoment, is('')),
  endDate: either(isoMoment, is('')),
  location: maybe(either(place, is(false))),
  organizer: maybe(either(person, is(false))),
  offers: maybe(offer),
  performer: is('Organization'),
});

/** A `rest_url` with its namespace, or another address of the site. */
const inSite = (site) => from(site.url);

const posted = (site) => ({
  status: is(...STATUSES),
  date: moment,
  date_utc: moment,
  modified: moment,
  modified_utc: moment,
  url: inSite(site),
});
const global = { global_id: like(/\?id=\d+$/), global_id_lineage: listOf(text) };

/** Common members of venues and organizers, after the name. */
const written = { description: maybe(text), excerpt: maybe(text), slug: maybe(slug), image: maybe(imageOrNone) };
const name = maybe(either(text, emptyList));

const venue = (site) =>
  object({
    id: positive,
    author: maybe(numeral),
    ...posted(site),
    venue: name,
    ...written,
    ...Object.fromEntries(
      ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'].map((field) => [field, maybe(text)]),
    ),
    geo_lat: maybe(number),
    geo_lng: maybe(number),
    json_ld: maybe(place),
    show_map: maybeFlag,
    show_map_link: maybeFlag,
    ...global,
  });

const organizer = (site) =>
  object({
    id: positive,
    author: maybe(numeral),
    ...posted(site),
    organizer: name,
    ...written,
    phone: maybe(text),
    website: maybe(text),
    email: maybe(text),
    json_ld: maybe(person),
    ...global,
  });

const termUrls = (site) => object({ self: inSite(site), collection: inSite(site), up: maybe(inSite(site)) });

const eventTerm = (site) =>
  object({
    name: text,
    slug,
    term_group: integer,
    term_taxonomy_id: positive,
    taxonomy: is('tribe_events_cat', 'post_tag'),
    description: text,
    parent: count,
    count,
    filter: is('raw'),
    id: positive,
    urls: termUrls(site),
  });

const event = (site) =>
  object({
    id: positive,
    ...global,
    author: numeral,
    ...posted(site),
    rest_url: inSite(site),
    title: text,
    description: text,
    excerpt: text,
    slug,
    image: imageOrNone,
    all_day: maybeFlag,
    start_date: maybeMoment,
    start_date_details: dateDetails,
    end_date: maybeMoment,
    end_date_details: dateDetails,
    utc_start_date: either(moment, nothing),
    utc_start_date_details: dateDetails,
    utc_end_date: either(moment, nothing),
    utc_end_date_details: dateDetails,
    timezone: text,
    timezone_abbr: text,
    cost: text,
    cost_details: costDetails,
    website: text,
    show_map: maybeFlag,
    show_map_link: maybeFlag,
    hide_from_listings: maybeFlag,
    sticky: maybeFlag,
    featured: maybeFlag,
    categories: listOf(eventTerm(site)),
    tags: listOf(eventTerm(site)),
    venue: either(venue(site), listOf(venue(site))),
    organizer: listOf(organizer(site)),
    custom_fields: emptyList,
    json_ld: maybe(eventJsonLd),
  });

const LINKS = { _links: maybe(termLinks), _embedded: maybe(object({ up: listOf(mapOf(() => {})) })) };

const term = (site, taxonomy) =>
  object({
    id: positive,
    count: maybe(count),
    description: maybe(text),
    name: text,
    slug,
    taxonomy: is(taxonomy),
    ...(taxonomy === 'tribe_events_cat' ? { parent: maybe(count) } : {}),
    meta: maybe(emptyList),
    url: inSite(site),
    urls: termUrls(site),
    ...LINKS,
  });

const isoDate = like(/^-?\d{4,5}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
const rendered = object({ rendered: text });
const body = object({ rendered: text, protected: maybeFlag });
const HIDDEN = is('Password protected');

const raw = object({ raw: text, rendered: text });
const rawBody = (members) => object({ raw: text, rendered: text, protected: maybeFlag, ...members });

/** Common members of all posts, by context. */
const newerPost = (site, type, context) => ({
  id: positive,
  date: isoDate,
  ...(context === 'embed'
    ? {}
    : {
        date_gmt: isoDate,
        guid: context === 'edit' ? object({ rendered: inSite(site), raw: inSite(site) }) : object({ rendered: inSite(site) }),
        modified: isoDate,
        modified_gmt: isoDate,
      }),
  ...(context === 'edit' ? { password: text } : {}),
  slug,
  ...(context === 'embed' ? {} : { status: is(...STATUSES) }),
  type: is(type),
  link: inSite(site),
  title: context === 'edit' ? raw : rendered,
  ...(context === 'embed' ? {} : { content: context === 'edit' ? rawBody({ block_version: count }) : body }),
  excerpt: context === 'edit' ? rawBody({}) : body,
  author: count,
  featured_media: count,
  ...(context === 'embed' ? {} : { template: text }),
});

const texts = (names) => Object.fromEntries(names.split(' ').map((member) => [member, text]));

const newerVenue = (site, context = 'view') =>
  object({
    ...newerPost(site, 'tribe_venue', context),
    ...texts('address country city state_province state province zip phone directions_link website'),
  });

const newerOrganizer = (site, context = 'view') =>
  object({ ...newerPost(site, 'tribe_organizer', context), ...texts('phone website email') });

const phpDate = object({
  date: like(/^-?\d{4,5}-\d\d-\d\d \d\d:\d\d:\d\d\.000000$/),
  // PHP: an offset, an abbreviation, or a region. TEC: 0 if a password hides it.
  timezone_type: is(0, 1, 2, 3),
  timezone: text,
});
const phpDates = object(
  Object.fromEntries(
    ['start', 'end'].flatMap((edge) => [edge, `${edge}_utc`, `${edge}_site`, `${edge}_display`].map((member) => [member, phpDate])),
  ),
);

const newerEvent = (site, context) =>
  object({
    ...newerPost(site, 'tribe_events', context),
    ...(context === 'embed' ? {} : { tags: listOf(count), tribe_events_cat: listOf(count) }),
    ...(context === 'edit' ? { permalink_template: text, generated_slug: text } : {}),
    ...(context === 'embed' ? {} : { class_list: listOf(text) }),
    ...Object.fromEntries(['start_date', 'start_date_utc', 'end_date', 'end_date_utc'].map((member) => [member, either(moment, HIDDEN)])),
    dates: phpDates,
    timezone: text,
    duration: either(numeral, integer, HIDDEN),
    multiday: either(is(false), count, nothing),
    is_past: maybeFlag,
    is_now: maybeFlag,
    all_day: maybeFlag,
    starts_this_week: nothing,
    ends_this_week: nothing,
    this_week_duration: nothing,
    happens_this_week: nothing,
    displays_on: emptyList,
    featured: maybeFlag,
    sticky: maybeFlag,
    cost: text,
    organizer_names: listOf(text),
    organizers: listOf(either(newerOrganizer(site, context), newerOrganizer(site))),
    venues: listOf(either(newerVenue(site, context), newerVenue(site))),
    schedule_details: text,
    short_schedule_details: text,
  });

/** A response of the core namespace. Its shape is tested elsewhere, so any object or list passes. */
const coreAnswer = (value, at, report) => {
  if (typeof value !== 'object' || value === null) complain(report, at, 'an object or a list', value);
};

const totals = { total: count, total_pages: count };

const postList = (site, key, item) =>
  object({
    [key]: listOf(item),
    rest_url: inSite(site),
    next_rest_url: maybe(inSite(site)),
    previous_rest_url: maybe(inSite(site)),
    ...totals,
  });
const termList = (site, key, item) =>
  object({
    rest_url: inSite(site),
    ...totals,
    [key]: listOf(item),
    next_rest_url: maybe(inSite(site)),
    previous_rest_url: maybe(inSite(site)),
  });

const anything = () => {};

const endpoint = object({ methods: listOf(is(...METHODS)), allow_batch: maybe(mapOf(flag)), args: mapOf(anything) });
const routeEntry = object({
  namespace: text,
  methods: listOf(is(...METHODS)),
  endpoints: listOf(endpoint),
  _links: maybe(object({ self: listOf(link) })),
  // Only in the core namespace.
  schema: maybe(mapOf(anything)),
});

const namespaceIndex = object({ namespace: text, routes: mapOf(routeEntry), _links: object({ up: listOf(link) }) });
const rootIndex = (site) =>
  object({
    name: text,
    description: text,
    url: from(site.url),
    home: from(site.url),
    gmt_offset: number,
    timezone_string: text,
    page_for_posts: count,
    page_on_front: count,
    show_on_front: text,
    namespaces: listOf(text),
    authentication: mapOf(anything),
    routes: mapOf(routeEntry),
    site_logo: count,
    site_icon: count,
    site_icon_url: text,
    _links: object({ help: listOf(link), 'wp:active-theme': maybe(listOf(link)), curies: maybe(listOf(mapOf(() => {}))) }),
  });

/** The OpenAPI document in the plugin's format, and in the valid one. */
const openApi = either(
  object({
    openapi: is('3.0.0'),
    info: mapOf(text),
    components: object({ schemas: mapOf(mapOf(anything)) }),
    servers: listOf(object({ url: text })),
    paths: mapOf(mapOf(anything)),
  }),
  object({
    openapi: is('3.0.0'),
    info: mapOf(text),
    servers: listOf(object({ url: text })),
    security: listOf(mapOf(emptyList)),
    paths: mapOf(mapOf(anything)),
    components: object({ schemas: mapOf(mapOf(anything)), examples: maybe(mapOf(mapOf(anything))), securitySchemes: mapOf(mapOf(text)) }),
  }),
);

const refusedParam = object({ code: text, message: text, data: either(nothing, mapOf(anything), listOf(anything)) });

/** Errors with a code. */
const codedRefusal = (status) =>
  object({
    code: like(/^[a-z][a-z_-]*$/),
    message: text,
    data: maybe(
      either(
        object({
          status: is(status),
          params: maybe(either(listOf(text), mapOf(text))),
          details: maybe(mapOf(refusedParam)),
          json_error_code: maybe(positive),
          json_error_message: maybe(text),
          term_id: maybe(positive),
        }),
        nothing,
      ),
    ),
    additional_data: maybe(listOf(positive)),
    additional_errors: maybe(listOf(object({ code: text, message: text, data: object({ status: positive }) }))),
  });

/** All errors. A few in `tec/v1` are only a sentence. @param status HTTP status of the response */
export const refusal = (status) => either(codedRefusal(status), object({ error: text }));

/** The route description that OPTIONS returns. For an unknown route, it is `[]`. */
const description = either(routeEntry, emptyList);

/**
 * The shapes of successful responses, by route type, collection or item, and method.
 * @param site `{ url }` of the server
 */
export function publishedShapes(site) {
  const items = {
    events: event(site),
    venues: venue(site),
    organizers: organizer(site),
    categories: term(site, 'tribe_events_cat'),
    tags: term(site, 'post_tag'),
  };
  const lists = {
    events: postList(site, 'events', items.events),
    venues: postList(site, 'venues', items.venues),
    organizers: postList(site, 'organizers', items.organizers),
    categories: termList(site, 'categories', items.categories),
    tags: termList(site, 'tags', items.tags),
  };
  const newerIn = (context) => ({
    'newer-events': newerEvent(site, context),
    'newer-venues': newerVenue(site, context),
    'newer-organizers': newerOrganizer(site, context),
  });
  const newer = newerIn('view');
  const contexts = ['view', 'edit', 'embed'].map(newerIn);
  // The context applies only to some users.
  const newerOf = (kind, context) => (context === undefined ? newer[kind] : either(...contexts.map((each) => each[kind])));
  const others = { 'newer-docs': mapOf(anything), doc: openApi, index: namespaceIndex, root: rootIndex(site), core: coreAnswer };
  const everything = either(
    ...Object.values(items),
    ...Object.values(lists),
    ...Object.values(others),
    ...contexts.flatMap((each) => Object.values(each)).flatMap((item) => [item, listOf(item)]),
    description,
  );
  return {
    items,
    everything,
    newerIn,
    /** Shape of a successful response. If the request is ambiguous, any known shape. */
    of({ kind, isCollection, globals }, method) {
      if (method === 'OPTIONS') return description;
      if (Object.hasOwn(others, kind)) return others[kind];
      if (Object.hasOwn(newer, kind)) {
        if (method === 'DELETE') return emptyList;
        const item = newerOf(kind, globals.context);
        return isCollection && method === 'GET' ? listOf(item) : item;
      }
      if (!Object.hasOwn(items, kind)) return everything;
      return isCollection && method === 'GET' ? lists[kind] : items[kind];
    },
  };
}

/** Names of the checked members in `tec/v1` responses of a type, by context. */
export const newerMembers = (kind, context) => Object.keys(publishedShapes({ url: '' }).newerIn(context)[`newer-${kind}`].members);

/** Names of the checked members of a schema in the OpenAPI document. */
export function publishedMembers(schema) {
  const site = { url: '' };
  const shapes = {
    ImageSize: imageSize,
    CostDetails: costDetails,
    Term: term(site, 'tribe_events_cat'),
    Image: image,
    DateDetails: dateDetails,
    Event: event(site),
    Venue: venue(site),
    Organizer: organizer(site),
  };
  return Object.keys(shapes[schema].members);
}
