import { lookup, membersOf, isRecord, type Json } from '../../../../base/values/records.js';
import { ATTACHMENT, MENU_ITEM, TAG } from '../../../../wordpress/model.js';
import type { DeclaredMeta } from '../../../../wordpress/types/declared-meta.js';
import type { Declarations } from '../../../../wordpress/types/declared.js';
import { checkDeclarations } from '../../../formats/dataset/registered/check.js';
import { PLUGIN_TYPES } from '../../../kinds.js';
import { recordOf, type CoreItem } from './item.js';
import { findList, itemsOf, someOf, type CoreList, type ListKind } from './lists.js';
import {
  declaredMeta,
  declaredSizes,
  declaredTaxonomy,
  declaredType,
  guessedMeta,
  type Schemas,
  type TaxonomyOnSite,
  type TypeOnSite,
} from './types.js';
import type { Fetcher } from '../fetch.js';
import { postTypeFor } from '../../../../wordpress/rest/posts/post-types.js';
import { restFieldsOf, CORE } from '../../../../wordpress/rest/rest-fields/shown.js';
import type { Route } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';
import type { Quirks } from '../../../../wordpress/quirks.js';
import type { Registry } from '../../../../wordpress/types/registry.js';
import { TYPE_SCHEMA } from '../../../../wordpress/wp-v2/registry/schemas.js';
import { wpV2 } from '../../../../wordpress/wp-v2/index.js';
import { EVENT, EVENT_CATEGORY, CALENDAR_V1, TEC_V1 } from '../../../../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS } from '../../../../plugins/the-events-calendar/model/event.js';
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

/** An item with the stored texts that it has in another context. */
const withRaw = (item: CoreItem, other: CoreItem | undefined): CoreItem =>
  other === undefined
    ? item
    : { ...item, ...Object.fromEntries(['title', 'content'].map((name) => [name, { ...recordOf(other, name), ...recordOf(item, name) }])) };

/** Reads the types, taxonomies, lists and schemas of `wp/v2`, by the names of post types and taxonomies. */
export class SiteReader {
  types: TypeOnSite[] = [];
  taxonomies: TaxonomyOnSite[] = [];
  private readonly lists = new Map<string, CoreList>();
  private readonly schemas = new Map<string, Schemas>();

  constructor(readonly fetcher: Fetcher) {}

  /** Reads what is registered. */
  async prepare(): Promise<void> {
    this.types = await this.registered<TypeOnSite>('types');
    this.taxonomies = await this.registered<TaxonomyOnSite>('taxonomies');
  }

  /** Post types or taxonomies, with what users see who may edit. */
  private async registered<T extends { slug: string }>(route: string): Promise<T[]> {
    const { status, json } = await this.fetcher.get<Record<string, T>>(`wp/v2/${route}`);
    if (status !== 200 || !isRecord<T>(json)) return [];
    const editing = this.fetcher.options.signedIn ? await this.fetcher.get<Record<string, T>>(`wp/v2/${route}`, { context: 'edit' }) : null;
    const more = editing?.status === 200 ? editing.json : {};
    return Object.entries(json).map(([name, each]) => ({ ...each, ...more[name] }));
  }

  /** The last segment of a path. */
  baseOf(name: string): string {
    if (name === ATTACHMENT) return 'media';
    return [...this.types, ...this.taxonomies].find(({ slug }) => slug === name)?.rest_base ?? name;
  }

  /** How a list can be read. */
  async listOf(name: string, kind: ListKind = 'posts'): Promise<CoreList> {
    const known = this.lists.get(name) ?? (await findList(this.fetcher, `wp/v2/${this.baseOf(name)}`, kind));
    this.lists.set(name, known);
    return known;
  }

  async *items(name: string, kind: ListKind = 'posts'): AsyncGenerator<CoreItem> {
    const [route, list] = [`wp/v2/${this.baseOf(name)}`, await this.listOf(name, kind)];
    const isEmbedded = kind === 'posts' && list.query !== null && list.query['context'] === undefined && (await this.embedsRaw(name));
    if (!isEmbedded) return yield* itemsOf(this.fetcher, route, list);
    const embedded = new Map<number, CoreItem>();
    const query = { ...list.query, context: 'embed' };
    for await (const item of itemsOf(this.fetcher, route, { ...list, query })) embedded.set(item.id, item);
    for await (const item of itemsOf(this.fetcher, route, list)) yield withRaw(item, embedded.get(item.id));
  }

  /** WP: visitors see the stored texts of navigations where these are embedded. */
  private async embedsRaw(name: string): Promise<boolean> {
    const raw = membersOf(membersOf(membersOf((await this.schemaOf(name))['content'])?.['properties'])?.['raw']);
    return Array.isArray(raw?.['context']) && raw['context'].includes('embed');
  }

  /** The schema of objects; empty if the site does not show it. */
  async schemaOf(name: string): Promise<Schemas> {
    const known = this.schemas.get(name);
    if (known) return known;
    const { json } = await this.fetcher.ask<unknown>(`wp/v2/${this.baseOf(name)}`, {}, { method: 'OPTIONS' });
    const properties = membersOf(membersOf(membersOf(json)?.['schema'])?.['properties']) ?? {};
    const found = Object.fromEntries(Object.entries(properties).filter(([, schema]) => isRecord(schema))) as Schemas;
    this.schemas.set(name, found);
    return found;
  }

  /** Some items: the first page of a list. */
  async some(name: string, kind: ListKind = 'posts'): Promise<CoreItem[]> {
    return someOf(this.fetcher, `wp/v2/${this.baseOf(name)}`, await this.listOf(name, kind));
  }

  /** The items that visitors see, where a login sees more; null: there are none, or no login. */
  async asVisitor(name: string): Promise<CoreItem[] | null> {
    if (!this.fetcher.options.signedIn || !this.isEditing(name)) return null;
    const { status, json } = await this.fetcher.ask<CoreItem[]>(`wp/v2/${this.baseOf(name)}`, { per_page: 100 }, { isVisitor: true });
    return status === 200 && Array.isArray(json) && json.length > 0 ? json : null;
  }

  /** Whether the objects of a list are shown as to who may edit them. */
  isEditing(name: string): boolean {
    return this.lists.get(name)?.query?.['context'] === 'edit';
  }
}

/** Types without content: parts of a theme, and what has separate routes. */
export const NOT_POSTS: readonly string[] = [
  ...['wp_template', 'wp_template_part', 'wp_global_styles', 'wp_font_family', 'wp_font_face', MENU_ITEM, ATTACHMENT],
  ...PLUGIN_TYPES,
];

/** WP: names that a type or taxonomy may have, and a path of one segment. */
const NAME = /^[a-z0-9_-]{1,32}$/;
const SEGMENT = /^[\w-]+$/;

/** Sections of declarations, in words. */
const DECLARED: Readonly<Record<string, string>> = lookup({
  types: 'The post type',
  taxonomies: 'The taxonomy',
  image_sizes: 'The image size',
  meta: 'The meta of',
});

/** Finds what a site registers, and we do not. */
export class SiteDeclarations {
  /** Notes about content that is not copied, one sentence each. */
  readonly left: string[] = [];

  /** @param own our members without declarations */
  constructor(
    private readonly reader: SiteReader,
    private readonly own: EmulatedMembers,
  ) {}

  /** Whether a type or taxonomy can be declared. */
  private isPlain({ slug, rest_base: base, rest_namespace: namespace = 'wp/v2' }: TypeOnSite | TaxonomyOnSite): boolean {
    return NAME.test(slug) && SEGMENT.test(base) && namespace === 'wp/v2';
  }

  /** Declares the registrations of the site that we do not have. */
  async declared(): Promise<Declarations> {
    const {
      reader,
      own: { registry },
    } = this;
    const { home } = reader.fetcher.live;
    const declared = {
      types: {} as Record<string, unknown>,
      taxonomies: {} as Record<string, unknown>,
      meta: {} as Record<string, unknown>,
    };
    for (const type of reader.types) {
      const { slug } = type;
      if (NOT_POSTS.includes(slug) || registry.isHiddenType(slug)) continue;
      const schema = await reader.schemaOf(slug);
      const list = await reader.listOf(slug);
      const items = await reader.some(slug);
      const meta = await this.unknownMeta(slug, schema, items);
      if (registry.findPostType(slug)) {
        if (Object.keys(meta).length > 0) declared.meta[slug] = meta;
      } else if (list.query === null || !this.isPlain(type))
        this.left.push(`The post type ${slug} is not copied: ${this.reasonOf(type, list)}.`);
      else declared.types[slug] = declaredType(type, schema, items, home, meta);
    }
    for (const taxonomy of reader.taxonomies) {
      const { slug } = taxonomy;
      if (registry.findTaxonomy(slug)) continue;
      const list = await reader.listOf(slug, 'objects');
      if (list.query === null || !this.isPlain(taxonomy))
        this.left.push(`The taxonomy ${slug} is not copied: ${this.reasonOf(taxonomy, list)}.`);
      else {
        const types = taxonomy.types?.filter((name) => registry.findPostType(name) ?? declared.types[name]) ?? [];
        const terms = await reader.some(slug, 'objects');
        declared.taxonomies[slug] = declaredTaxonomy({ ...taxonomy, types }, terms, home);
      }
    }
    const sizes = declaredSizes(await this.mediaList());
    const all = { ...declared, image_sizes: sizes } as Declarations;
    await this.leaveOut(all);
    const known = (name: string): boolean => registry.findTaxonomy(name) !== undefined || Object.hasOwn(declared.taxonomies, name);
    for (const type of Object.values(declared.types) as { taxonomies?: string[] }[])
      if (type.taxonomies) type.taxonomies = type.taxonomies.filter(known);
    return Object.fromEntries(Object.entries(all).filter(([, section]) => Object.keys(section as object).length > 0));
  }

  /** Leaves out what no file could declare, such as a taxonomy with a reserved name. */
  private async leaveOut(declared: Declarations): Promise<void> {
    const sections = declared as Record<string, Record<string, { meta?: Record<string, unknown>; supports?: string[] }>>;
    await checkDeclarations(declared, this.own.registry, (at, message) => {
      const [section, name, ...below] = at.split('.');
      const entry = sections[section]?.[name];
      if (entry === undefined) return;
      const key = below[0] === 'meta' ? below[1] : undefined;
      if (key !== undefined) delete entry.meta?.[key];
      // A feature that looks like a misspelled one.
      else if (!below[0]?.startsWith('supports')) {
        delete sections[section][name];
        this.left.push(`${DECLARED[section] ?? section} ${name} is not copied: ${message}.`);
      }
    });
  }

  private reasonOf({ rest_namespace: namespace = 'wp/v2' }: TypeOnSite | TaxonomyOnSite, { query, status }: CoreList): string {
    if (namespace !== 'wp/v2') return `it is in the namespace ${namespace}`;
    if (query !== null) return 'its name or its path is not one that WordPress documents';
    return status === 401 || status === 403
      ? `the site rejects requests for its list (${status})`
      : `its list is not one of posts or terms (${status})`;
  }

  private async unknownMeta(type: string, schema: Schemas, items: readonly CoreItem[]): Promise<Record<string, DeclaredMeta>> {
    const { reader, left } = this;
    const shown = (membersOf(membersOf(schema['meta'])?.['properties']) ?? {}) as Schemas;
    const known = this.knownMeta(type);
    const metaOf = (item: CoreItem): Record<string, Json> => recordOf(item, 'meta');
    const names = [...new Set([...Object.keys(shown), ...items.flatMap((item) => Object.keys(metaOf(item)))])].filter(
      (name) => !known.has(name),
    );
    const isHidden = (name: string): boolean => items.length > 0 && !items.some((item) => Object.hasOwn(metaOf(item), name));
    const hidden = names.filter(isHidden);
    if (hidden.length > 0) left.push(`The meta ${hidden.join(', ')} of ${type} is not copied: the site does not show it.`);
    const visible = names.length > 0 ? await reader.asVisitor(type) : null;
    const isForEditors = (name: string): boolean => visible !== null && !visible.some((item) => Object.hasOwn(metaOf(item), name));
    return Object.fromEntries(
      names
        .filter((name) => !isHidden(name))
        .map((name) => {
          const value = items.map((item) => metaOf(item)[name]).find((each) => each !== null && each !== undefined);
          const declared = shown[name] ? declaredMeta(shown[name]) : guessedMeta(value);
          return [name, isForEditors(name) ? { ...declared, schema: { ...declared.schema, context: ['edit'] } } : declared];
        }),
    );
  }

  /** WP: a type that is not registered yet will have what all types have. */
  private knownMeta(type: string): ReadonlySet<string> {
    if (this.own.registry.findPostType(type)) return new Set(this.own.meta(type));
    return new Set([
      ...this.own.registry.sharedMeta.filter(({ types }) => !types || types.includes(type)).map(({ key }) => key),
      'footnotes',
    ]);
  }

  private async mediaList(): Promise<CoreItem[]> {
    const all: CoreItem[] = [];
    for await (const item of this.reader.items(ATTACHMENT, 'objects')) all.push({ id: item.id, media_details: item['media_details'] });
    return all;
  }

  /** Notes what a site adds to its types, its statuses and the meta of its media. @param own our members with the plugins of the site */
  async compare(own: EmulatedMembers): Promise<void> {
    const { fetcher, types } = this.reader;
    const add = (what: string, names: readonly string[]): void => {
      if (names.length > 0) this.left.push(`${what} not copied: ${[...new Set(names)].join(', ')}.`);
    };
    const { json: statuses } = await fetcher.get<unknown>('wp/v2/statuses');
    const members = [...UNDECLARED, ...Object.keys(membersOf(TYPE_SCHEMA['properties']) ?? {})];
    add(
      'These members of types are',
      types.flatMap(Object.keys).filter((name) => !members.includes(name)),
    );
    add(
      'These statuses are',
      Object.keys(membersOf(statuses) ?? {}).filter((name) => !own.registry.findStatus(name)),
    );
    const media: string[] = [];
    for await (const item of this.reader.items(ATTACHMENT, 'objects')) media.push(...Object.keys(recordOf(item, 'meta')));
    add(
      'This meta of media is',
      media.filter((name) => !own.meta(ATTACHMENT).includes(name)),
    );
  }
}
