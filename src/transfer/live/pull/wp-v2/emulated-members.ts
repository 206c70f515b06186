import { ATTACHMENT, TAG } from '../../../../wordpress/model.js';
import { postTypeFor } from '../../../../wordpress/rest/posts/post-types.js';
import { restFieldsOf, CORE } from '../../../../wordpress/rest/rest-fields/shown.js';
import type { Route } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';
import type { Quirks } from '../../../../wordpress/quirks.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import { wpV2 } from '../../../../wordpress/wp-v2/index.js';
import { lookup, membersOf } from '../../../../base/values/records.js';
import { EVENT, EVENT_CATEGORY, CALENDAR_V1, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS } from '../../../../plugins/the-events-calendar/model/linked.js';
import { textsOf } from '../../../../plugins/the-events-calendar/tec-v1/fields.js';
import { contractMembers } from '../../check/contract.js';

/*
 * The members that our own responses have. What a site shows besides these comes from plugins that nobody emulates.
 */

const termMembers = [...contractMembers('categories'), 'meta', '_links'];

const IN_CALENDAR: Readonly<Record<string, readonly string[]>> = lookup({
  [EVENT]: [...contractMembers('events'), 'custom_fields', 'attendance', 'ticketed'],
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].type, [...contractMembers(LINKED[kind].column), 'json_ld']])),
  [EVENT_CATEGORY]: termMembers,
  [TAG]: termMembers,
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
export class EmulatedMembers {
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
    if (namespace === CALENDAR_V1) return [...(IN_CALENDAR[type] ?? []), ...registered];
    const core = [
      ...Object.keys(this.properties(type)),
      ...restFieldsOf(this.registry, type, CORE).map(({ name }) => name),
      ...UNDECLARED,
      ...outerMeta(type, this.registry),
      // A setting of the site shows them.
      ...(this.registry.findPostType(type)?.takesComments ? ['comment_status', 'ping_status'] : []),
    ];
    return namespace === TEC_V1 ? [...core, ...(IN_PLAIN[type] ?? []), ...registered] : [...core, ...registered];
  }
}
