import { ATTACHMENT, TAG } from '../../../../wordpress/model.js';
import { postTypeFor } from '../../../../wordpress/rest/posts/post-types.js';
import { restFieldsOf } from '../../../../wordpress/rest/rest-fields/shown.js';
import { CORE } from '../../../../wordpress/rest/rest-fields/rest-field.js';
import type { Route } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';
import type { Quirks } from '../../../../wordpress/quirks.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import { wpV2 } from '../../../../wordpress/wp-v2/index.js';
import { lookup, membersOf } from '../../../../base/values/records.js';
import { EVENT, EVENT_CATEGORY, CALENDAR_V1, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS } from '../../../../plugins/the-events-calendar/model/linked.js';
import { textsOf } from '../../../../plugins/the-events-calendar/tec-v1/linked-texts.js';
import type { Event, Organizer, Term, Venue } from '../../../../sdk/types/responses.js';

/*
 * The members that our own responses have. What a site shows besides these comes from plugins that nobody emulates.
 */

/** The members of a type, none of which can be forgotten. */
type Members<Of> = Readonly<Record<keyof Of, true>>;

const POSTED = {
  id: true,
  author: true,
  status: true,
  date: true,
  date_utc: true,
  modified: true,
  modified_utc: true,
  url: true,
  description: true,
  excerpt: true,
  slug: true,
  image: true,
  global_id: true,
  global_id_lineage: true,
} as const;

const OF_EVENTS: Members<Event> = {
  ...POSTED,
  rest_url: true,
  title: true,
  all_day: true,
  start_date: true,
  start_date_details: true,
  end_date: true,
  end_date_details: true,
  utc_start_date: true,
  utc_start_date_details: true,
  utc_end_date: true,
  utc_end_date_details: true,
  timezone: true,
  timezone_abbr: true,
  cost: true,
  cost_details: true,
  website: true,
  show_map: true,
  show_map_link: true,
  hide_from_listings: true,
  sticky: true,
  featured: true,
  categories: true,
  tags: true,
  venue: true,
  organizer: true,
  custom_fields: true,
  attendance: true,
  ticketed: true,
  json_ld: true,
};

const OF_VENUES: Members<Venue> = {
  ...POSTED,
  venue: true,
  address: true,
  city: true,
  country: true,
  province: true,
  state: true,
  zip: true,
  phone: true,
  website: true,
  stateprovince: true,
  geo_lat: true,
  geo_lng: true,
  show_map: true,
  show_map_link: true,
  json_ld: true,
};

const OF_ORGANIZERS: Members<Organizer> = { ...POSTED, organizer: true, phone: true, website: true, email: true, json_ld: true };

const OF_TERMS: Members<Term> = {
  id: true,
  count: true,
  description: true,
  name: true,
  slug: true,
  taxonomy: true,
  parent: true,
  meta: true,
  url: true,
  urls: true,
  _links: true,
};

const IN_CALENDAR: Readonly<Record<string, object>> = lookup({
  [EVENT]: OF_EVENTS,
  [LINKED.venue.type]: OF_VENUES,
  [LINKED.organizer.type]: OF_ORGANIZERS,
  [EVENT_CATEGORY]: OF_TERMS,
  [TAG]: OF_TERMS,
});

/** TEC: what `tec/v1` adds to the members of `wp/v2`. */
const IN_PLAIN: Readonly<Record<string, readonly string[]>> = lookup({
  [EVENT]: [
    ...['start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'dates', 'timezone', 'duration', 'multiday', 'is_past', 'is_now'],
    ...['all_day', 'starts_this_week', 'ends_this_week', 'this_week_duration', 'happens_this_week', 'displays_on', 'featured', 'sticky'],
    ...['cost', 'organizer_names', 'venues', 'organizers', 'schedule_details', 'short_schedule_details', 'tickets', 'ticketed'],
  ],
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].type, [...textsOf(kind).map(({ name }) => name), 'directions_link']])),
});

/** WP: members that no schema has. */
const UNDECLARED = ['_links', '_embedded'];

/** WP: the schema has no meta that is shown outside the other meta. */
const outerMeta = (type: string, registry: Registry): readonly string[] =>
  registry.findPostType(type) ? (postTypeFor(type, registry).outerMeta ?? []) : [];

type Properties = Readonly<Record<string, unknown>>;

/** The members of our responses, for a registry and a release. */
export class OwnMembers {
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(
    readonly registry: Registry,
    private readonly quirks: Quirks,
  ) {
    this.routes = new Map(wpV2(registry).routes.map((route) => [route.path, route]));
  }

  private baseOf(type: string): string {
    if (type === 'user' || type === 'comment') return `${type}s`;
    if (type === ATTACHMENT) return 'media';
    return this.registry.findPostType(type)?.base ?? this.registry.findTaxonomy(type)?.base ?? type;
  }

  /** The properties in the schema of a type of objects in `wp/v2`. */
  properties(type: string): Properties {
    const schema = this.routes.get(`/wp/v2/${this.baseOf(type)}`)?.schema;
    // A schema depends on nothing else of a site.
    const { quirks, registry } = this;
    const made = typeof schema === 'function' ? schema({ quirks, registry } as unknown as Site) : schema;
    return membersOf(made?.properties) ?? {};
  }

  /** The names of the registered meta of a type. */
  meta(type: string): readonly string[] {
    const meta = membersOf(this.properties(type)['meta']);
    return Object.keys(membersOf(meta?.['properties']) ?? {});
  }

  /**
   * The members of objects.
   * @param type name of a post type or a taxonomy, `user` or `comment`
   */
  of(type: string, namespace: string): ReadonlySet<string> {
    const key = `${namespace} ${type}`;
    const known = this.known.get(key) ?? new Set(this.membersOf(type, namespace));
    this.known.set(key, known);
    return known;
  }

  private membersOf(type: string, namespace: string): string[] {
    const registered = restFieldsOf(this.registry, type, namespace).map(({ name }) => name);
    if (namespace === CALENDAR_V1) return [...Object.keys(IN_CALENDAR[type] ?? {}), ...registered];
    const core = [
      ...Object.keys(this.properties(type)),
      ...restFieldsOf(this.registry, type, CORE).map(({ name }) => name),
      ...UNDECLARED,
      ...outerMeta(type, this.registry),
    ];
    return namespace === TEC_V1 ? [...core, ...(IN_PLAIN[type] ?? []), ...registered] : [...core, ...registered];
  }
}
