import { isRecord, jsonOr } from '../../base/values/records.js';
import type { DeclaredFields } from './declared-fields.js';
import type { DeclaredMeta } from './declared-meta.js';
import type { PostType, RegisteredMeta, Taxonomy } from './post-type.js';
import { completeRegistrations, type Registrations } from './registrations.js';

/**
 * Not of WordPress: the option that stores what a site declares, so that resets, snapshots, sandboxes and exports have it. A text, since
 * MongoDB does not take all names of members.
 */
export const DECLARED_OPTION = 'declared_registrations';

/** A post type. WP: the arguments of `register_post_type`. */
export interface DeclaredType {
  /** Plural name. */
  name: string;
  singular_name?: string;
  description?: string;
  /** Default: the name of the type. */
  rest_base?: string;
  hierarchical?: boolean;
  /** Default: title and editor. */
  supports?: readonly string[];
  taxonomies?: readonly string[];
  /** Whether its posts have a list, and its folder if that is not the one of the posts. */
  has_archive?: boolean | string;
  /** First segment of permalinks. Default: the name of the type. */
  slug?: string;
  icon?: string;
  /** Whether its posts have pages, and are found by searches. Default: true. */
  public?: boolean;
  /** Default: as `public`. */
  show_ui?: boolean;
  show_in_nav_menus?: boolean;
  /** The noun in the names of its capabilities. Default: post. */
  capability_type?: string;
  meta?: Readonly<Record<string, DeclaredMeta>>;
}

/** A taxonomy. WP: the arguments of `register_taxonomy`. */
export interface DeclaredTaxonomy {
  name: string;
  singular_name?: string;
  /** Default: the name of the taxonomy. */
  rest_base?: string;
  hierarchical?: boolean;
  /** The post types that have it, besides the ones that name it. */
  types?: readonly string[];
  /** First segment of the addresses of its terms. Default: the name of the taxonomy. */
  slug?: string;
  /** Whether the addresses of its terms contain their ancestors. Default: false. */
  nested_slugs?: boolean;
  public?: boolean;
  show_admin_column?: boolean;
}

/** An image size. WP: the arguments of `add_image_size`. 0: unlimited. */
export interface DeclaredSize {
  width?: number;
  height?: number;
  crop?: boolean;
}

/** Declarations of a site, as they are stored: registrations of plugins whose code is not here. */
export interface Declarations {
  types?: Readonly<Record<string, DeclaredType>>;
  taxonomies?: Readonly<Record<string, DeclaredTaxonomy>>;
  image_sizes?: Readonly<Record<string, DeclaredSize>>;
  /** Meta keys of other types, by the name of the type. */
  meta?: Readonly<Record<string, Readonly<Record<string, DeclaredMeta>>>>;
  /** Fields of the REST API. */
  fields?: DeclaredFields;
  /** Field groups of Advanced Custom Fields, as they are exported, by key. */
  acf_field_groups?: Readonly<Record<string, object>>;
  /** The methods of routes whose responses are stubs, by path below the REST root. */
  routes?: Readonly<Record<string, readonly string[]>>;
}

export const DECLARED_SECTIONS = [
  'types',
  'taxonomies',
  'image_sizes',
  'meta',
  'fields',
  'acf_field_groups',
  'routes',
] as const satisfies readonly (keyof Declarations)[];

/** The declarations in the value of an option. Nobody but this program writes it, so that anything else has none. */
export function readDeclarations(text: unknown): Declarations {
  const value = typeof text === 'string' ? jsonOr(text, null) : null;
  return isRecord(value) ? value : {};
}

/** The option for declarations; no option for none. */
export const declaredOption = (declarations: Declarations): Record<string, string> =>
  Object.keys(declarations).length === 0 ? {} : { [DECLARED_OPTION]: JSON.stringify(declarations) };

type Tree = { [name: string]: unknown };

/** The levels of names in each section. */
const LEVELS: Readonly<Record<keyof Declarations, number>> = {
  types: 1,
  taxonomies: 1,
  image_sizes: 1,
  meta: 2,
  fields: 3,
  acf_field_groups: 1,
  routes: 1,
};

function merge(first: Tree, second: Tree, levels: number): Tree {
  if (levels === 1) return { ...first, ...second };
  const merged = { ...first };
  for (const [name, entries] of Object.entries(second)) merged[name] = merge((merged[name] ?? {}) as Tree, entries as Tree, levels - 1);
  return merged;
}

/** Adds up declarations; what is declared again replaces the first. */
export function mergeDeclarations(all: readonly Declarations[]): Declarations {
  const merged: Tree = {};
  for (const each of all)
    for (const [section, entries] of Object.entries(each))
      merged[section] = merge((merged[section] ?? {}) as Tree, entries as Tree, LEVELS[section as keyof Declarations]);
  return merged;
}

const metaOf = (meta: Readonly<Record<string, DeclaredMeta>> = {}): RegisteredMeta[] =>
  Object.entries(meta).map(([key, declared]) => ({ key, kind: 'declared', declared }));

/** WP: what a type supports that names nothing. */
const DEFAULT_SUPPORTS = ['title', 'editor'];

/** WP: what has an editor has autosaves. */
const withAutosave = (supports: readonly string[]): string[] => [
  ...new Set([...supports, ...(supports.includes('editor') ? ['autosave'] : [])]),
];

function typeOf(name: string, declared: DeclaredType): PostType {
  const { has_archive: archive = false, public: isPublic = true, show_ui = isPublic, show_in_nav_menus = isPublic } = declared;
  const { slug = name, capability_type: one = 'post', singular_name: singular = declared.name } = declared;
  const list = archive === true ? slug : archive;
  return {
    name,
    label: declared.name,
    singular,
    base: declared.rest_base ?? name,
    ...(declared.description === undefined ? {} : { description: declared.description }),
    ...(declared.icon === undefined ? {} : { icon: declared.icon }),
    ...(list === false ? {} : { archive: () => list, archiveShown: archive }),
    hierarchical: declared.hierarchical ?? false,
    nestedSlugs: declared.hierarchical ?? false,
    taxonomies: declared.taxonomies ?? [],
    capability: [one, `${one}s`],
    viewable: isPublic,
    inMenus: show_in_nav_menus,
    inAdmin: show_ui,
    supports: withAutosave(declared.supports ?? DEFAULT_SUPPORTS),
    folder: () => slug,
    meta: metaOf(declared.meta),
    searched: [],
  };
}

/** WP: the capabilities of a taxonomy that names none. */
const TERM_RIGHTS: Taxonomy['capabilities'] = ['manage_categories', 'manage_categories', 'manage_categories', 'edit_posts'];

const taxonomyOf = (name: string, declared: DeclaredTaxonomy): Taxonomy => ({
  name,
  label: declared.name,
  singular: declared.singular_name ?? declared.name,
  base: declared.rest_base ?? name,
  hierarchical: declared.hierarchical ?? false,
  capabilities: TERM_RIGHTS,
  isPublic: declared.public ?? true,
  adminColumn: declared.show_admin_column ?? false,
  flatLinks: !(declared.nested_slugs ?? false),
  folder: () => declared.slug ?? name,
});

/** The capabilities that roles have for types with their own. */
const familiesOf = (types: readonly PostType[]): string[] => [
  ...new Set(types.map(({ capability: [, many] }) => many).filter((many) => many !== 'posts' && many !== 'pages')),
];

export function registrationsOf({ types: declaredTypes = {}, taxonomies = {} }: Declarations): Registrations {
  const types = Object.entries(declaredTypes).map(([name, declared]) => typeOf(name, declared));
  return completeRegistrations({
    types: {
      types,
      taxonomies: Object.entries(taxonomies).map(([name, declared]) => taxonomyOf(name, declared)),
      families: familiesOf(types),
    },
  });
}

/**
 * A type with what is declared for it by others: taxonomies that name it, and meta keys.
 * @param order all taxonomies, in order of registration. WP: a type has its taxonomies in this order
 */
export function withDeclared(type: PostType, { taxonomies = {}, meta = {} }: Declarations, order: readonly string[]): PostType {
  const own = type.taxonomies ?? [];
  const added = Object.keys(taxonomies).filter((name) => taxonomies[name].types?.includes(type.name) && !own.includes(name));
  const keys = metaOf(meta[type.name]);
  const isDeclared = added.length > 0 || keys.length > 0 || own.some((name) => Object.hasOwn(taxonomies, name));
  if (!isDeclared) return type;
  const all = new Set([...own, ...added]);
  return { ...type, taxonomies: order.filter((name) => all.has(name)), meta: [...keys, ...(type.meta ?? [])] };
}
