import type { Indexes } from '../../database/store/database.js';
import type { DynamicBlock } from '../formatting/references.js';
import { indexesOf } from '../indexes.js';
import type { OptionReaders } from '../options.js';
import { Queries } from '../query/clauses.js';
import type { PostQuery } from '../query/post-query.js';
import type { QuirkName } from '../quirks.js';
import { CORE_TAXONOMIES, CORE_TYPES, HIDDEN_TYPES } from './core.js';
import { DEFAULT_IMAGE_SIZES, REGISTERED_IMAGE_SIZES, type SizeRule } from '../media/sizes.js';
import { registrationsOf, withDeclared, type Declarations } from './declared.js';
import type { AddedHooks, Hooks } from './hooks.js';
import { CORE_STATUSES, type PostType, type Registered, type RegisteredMeta, type Taxonomy, type PostStatus } from './post-type.js';
import type { PluginHeader, Registrations } from './registrations.js';

export type { Registrations } from './registrations.js';

/** How many registries of sites that declare something are kept for others that declare the same. */
const MAX_DECLARING = 20;

type Named = { readonly name: string };

/** By name, in order of registration; one that is registered again replaces the first. */
const byName = <T extends Named>(...all: (readonly T[])[]): ReadonlyMap<string, T> =>
  new Map(all.flat().map((each) => [each.name, each] as const));

/** Whether a post type is registered under some quirks. */
const isRegistered = ({ absentUnder }: PostType, quirks: ReadonlySet<QuirkName>): boolean =>
  absentUnder === undefined || !quirks.has(absentUnder);

/** The features of a post type under some quirks. */
export const supportsOf = (
  { supports, supportsUnder = {} }: Pick<PostType, 'supports' | 'supportsUnder'>,
  quirks: ReadonlySet<QuirkName>,
): string[] => [...supports, ...Object.keys(supportsUnder).filter((feature) => quirks.has(supportsUnder[feature]))];

/** Whether a post type has notes under some quirks. */
export const hasNotes = (type: Pick<PostType, 'hasNotes'> | undefined, quirks: ReadonlySet<QuirkName>): boolean =>
  type?.hasNotes === true && !quirks.has('no-notes');

/**
 * Registrations of WordPress and the plugins of a site, and its declarations. It never changes: a site with other plugins or
 * declarations has another one.
 */
export class Registry implements Registered {
  /** In order of registration, without internal ones. */
  readonly postTypes: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly statuses: readonly PostStatus[];
  /** The plurals in the names of capabilities, such as `posts` in `edit_posts`. Without `pages`, whose capabilities fewer roles have. */
  readonly families: readonly string[];
  /** Meta keys of all types with custom fields. */
  readonly sharedMeta: readonly RegisteredMeta[];
  /** Page templates for all viewable types. */
  readonly pageTemplates: readonly string[];
  /** The names of the taxonomies whose terms have counts of published posts. */
  readonly countedTaxonomies: readonly string[];
  readonly queries: Queries;
  readonly indexes: Indexes;
  /** The blocks of plugins that are rendered when they are shown. */
  readonly blocks: ReadonlyMap<string, DynamicBlock>;
  readonly optionReaders: OptionReaders;
  readonly pluginHeaders: readonly PluginHeader[];
  /** The sizes of images, in the order in which WordPress makes them, and as they are registered. */
  readonly imageSizes: readonly SizeRule[];
  readonly registeredSizes: readonly SizeRule[];
  /** The registry of sites with the same plugins that declare nothing. */
  readonly base: Registry;
  /** The registries of sites that declare something, by what it is; only of a base. The last one was used last. */
  private readonly declaring = new Map<string, Registry>();

  /** Additions of the plugins, in their order. */
  private readonly added: readonly AddedHooks[];

  private readonly typesByName: ReadonlyMap<string, PostType>;
  private readonly taxonomiesByName: ReadonlyMap<string, Taxonomy>;
  private readonly statusesByName: ReadonlyMap<string, PostStatus>;
  private readonly hidden: ReadonlySet<string>;

  /**
   * @param plugins names of the plugins
   * @param ofPlugins what each of them registers
   * @param declarations what the site declares itself. Declared types and taxonomies come before the ones of plugins
   */
  constructor(
    readonly plugins: readonly string[],
    private readonly ofPlugins: readonly Registrations[],
    readonly declarations: Declarations = {},
    base?: Registry,
  ) {
    this.base = base ?? this;
    const registrations = [registrationsOf(declarations), ...ofPlugins];
    const types = registrations.map((each) => each.types);
    this.taxonomiesByName = byName(CORE_TAXONOMIES, ...types.map((each) => each.taxonomies));
    const order = [...this.taxonomiesByName.keys()];
    const named = byName(CORE_TYPES, ...types.map((each) => each.types));
    this.typesByName = new Map([...named].map(([name, type]) => [name, withDeclared(type, declarations, order)]));
    const byTime = types.toSorted((a, b) => Number(a.hasLateStatuses === true) - Number(b.hasLateStatuses === true));
    this.statusesByName = byName(CORE_STATUSES, ...byTime.map((each) => each.statuses));
    this.hidden = new Set([...HIDDEN_TYPES, ...types.flatMap((each) => each.hiddenTypes)]);
    this.postTypes = [...this.typesByName.values()].filter(({ isInternal }) => !isInternal);
    this.taxonomies = [...this.taxonomiesByName.values()];
    this.statuses = [...this.statusesByName.values()];
    this.families = ['posts', ...types.flatMap((each) => each.families)];
    this.sharedMeta = types.flatMap((each) => each.meta);
    this.pageTemplates = types.flatMap((each) => each.templates);
    this.countedTaxonomies = this.taxonomies.flatMap(({ name, isPublic }) => (isPublic ? [name] : []));
    this.queries = new Queries(
      registrations.map((each) => each.queries),
      order,
    );
    this.indexes = indexesOf(ofPlugins.map((each) => each.indexes));
    const sizes = Object.entries(declarations.image_sizes ?? {}).map(([name, { width = 0, height = 0, crop = false }]) => ({
      ...{ name, width, height, crop },
    }));
    // The same object unless a site declares sizes: images that the build has made are found by it.
    this.imageSizes = sizes.length > 0 ? [...DEFAULT_IMAGE_SIZES, ...sizes] : DEFAULT_IMAGE_SIZES;
    this.registeredSizes = [...REGISTERED_IMAGE_SIZES, ...sizes];
    this.blocks = new Map(registrations.flatMap((each) => Object.entries(each.blocks)));
    this.added = registrations.flatMap(({ hooks }) => (hooks ? [hooks] : []));
    this.pluginHeaders = registrations.flatMap(({ header }) => (header ? [header] : []));
    this.optionReaders = Object.assign({}, ...registrations.map((each) => each.options)) as OptionReaders;
  }

  /** The registry of sites with the same plugins that declare something themselves. Sites that declare the same share it. */
  with(declarations: Declarations): Registry {
    const { base } = this;
    const key = JSON.stringify(declarations);
    if (key === '{}') return base;
    const found = base.declaring.get(key) ?? new Registry(base.plugins, base.ofPlugins, declarations, base);
    base.declaring.delete(key);
    base.declaring.set(key, found);
    const [oldest] = base.declaring.keys();
    if (base.declaring.size > MAX_DECLARING) base.declaring.delete(oldest);
    return found;
  }

  /** Additions of plugins to a hook, in their order. */
  hooks<Name extends keyof Hooks>(name: Name): NonNullable<AddedHooks[Name]>[] {
    const found: NonNullable<AddedHooks[Name]>[] = [];
    for (const each of this.added) {
      const hook: AddedHooks[Name] = each[name];
      if (hook !== undefined && hook !== null) found.push(hook);
    }
    return found;
  }

  findPostType(name: string): PostType | undefined {
    return this.typesByName.get(name);
  }

  /** @throws Error if neither WordPress nor a plugin has registered it */
  postTypeOf(name: string): PostType {
    const type = this.typesByName.get(name);
    if (!type) throw new Error(`No post type ${name} is registered. Register the plugin that has it first.`);
    return type;
  }

  /** The post types under some quirks, in order of registration. */
  registeredTypes(quirks: ReadonlySet<QuirkName>): PostType[] {
    return this.postTypes.filter((type) => isRegistered(type, quirks));
  }

  findRegisteredType(name: string, quirks: ReadonlySet<QuirkName>): PostType | undefined {
    const type = this.typesByName.get(name);
    return type && isRegistered(type, quirks) ? type : undefined;
  }

  /** Conditions of a list of posts of a single type. @param names post types @param now returns site time */
  listOfType(names: string | readonly string[], now: () => string): Partial<PostQuery> {
    const [name, ...others] = [names].flat();
    const type = others.length > 0 ? undefined : this.findPostType(name);
    return { ...type?.listClauses?.(now()), ...(type?.ownOrder ? { sort: type.ownOrder } : {}) };
  }

  /** Whether a post type exists, but is not in the core API. */
  isHiddenType(name: string): boolean {
    return this.hidden.has(name);
  }

  findStatus(name: string): PostStatus | undefined {
    return this.statusesByName.get(name);
  }

  findTaxonomy(name: string): Taxonomy | undefined {
    return this.taxonomiesByName.get(name);
  }

  /** @throws Error if neither WordPress nor a plugin has registered it */
  taxonomyOf(name: string): Taxonomy {
    const taxonomy = this.taxonomiesByName.get(name);
    if (!taxonomy) throw new Error(`No taxonomy ${name} is registered. Register the plugin that has it first.`);
    return taxonomy;
  }

  typesWith(taxonomy: string, quirks: ReadonlySet<QuirkName>): PostType[] {
    return this.registeredTypes(quirks).filter((type) => type.taxonomies?.includes(taxonomy));
  }

  /** Whether a taxonomy is hierarchical. */
  isTree(taxonomy: string): boolean {
    return this.taxonomiesByName.get(taxonomy)?.hierarchical ?? false;
  }
}

export function onceFor<Value>(compute: (registry: Registry) => Value): (registry: Registry) => Value {
  const known = new WeakMap<Registry, { value: Value }>();
  return (registry) => {
    let entry = known.get(registry);
    if (!entry) known.set(registry, (entry = { value: compute(registry) }));
    return entry.value;
  };
}
