import { isRecord, lookup, membersOf, mostFrequent, withoutUndefined, type Json } from '../../../../base/values/records.js';
import { META_TYPES, type DeclaredMeta } from '../../../../wordpress/types/declared-meta.js';
import type { DeclaredSize, DeclaredTaxonomy, DeclaredType } from '../../../../wordpress/types/declared.js';
import { DEFAULT_IMAGE_SIZES, REGISTERED_IMAGE_SIZES } from '../../../../wordpress/media/sizes.js';
import { numberOf, recordOf, stringOf, type CoreItem } from './item.js';
import features from './features.json' with { type: 'json' };

/** Registrations of plugins whose code is not here, as the responses of a site show them. */

/** A post type as a site shows it (WP: `wp/v2/types`). The last members are for users who may edit. */
export interface TypeOnSite {
  name: string;
  slug: string;
  rest_base: string;
  rest_namespace?: string;
  description?: string;
  hierarchical?: boolean;
  has_archive?: boolean | string;
  taxonomies?: string[];
  icon?: string | null;
  supports?: Record<string, unknown>;
  labels?: { singular_name?: string };
  viewable?: boolean;
  visibility?: { show_ui?: boolean; show_in_nav_menus?: boolean };
  capabilities?: { edit_post?: string };
}

/** A taxonomy as a site shows it (WP: `wp/v2/taxonomies`). */
export interface TaxonomyOnSite {
  name: string;
  slug: string;
  rest_base: string;
  rest_namespace?: string;
  hierarchical?: boolean;
  types?: string[];
  labels?: { singular_name?: string };
  visibility?: { public?: boolean; show_admin_column?: boolean };
}

/** A part of the schema of objects, as `OPTIONS` shows it. */
export type Schemas = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The parts of addresses: `https://example.org/recipe/soup/` has `recipe` before `soup`. */
function folderOf(link: string, home: string, slug: string): string | undefined {
  const path = link.startsWith(`${home}/`) ? link.slice(home.length + 1).replace(/\/$/, '') : '';
  return slug !== '' && path.endsWith(`/${slug}`) ? path.slice(0, -slug.length - 1) : undefined;
}

/** WP: the features that give an object a member. */
const FEATURES: Readonly<Record<string, string>> = lookup(features);

const hasRevisions = (item: CoreItem): boolean => membersOf(item['_links'])?.['version-history'] !== undefined;

function supportsOf(type: TypeOnSite, names: readonly string[], items: readonly CoreItem[]): string[] {
  if (type.supports) return Object.keys(type.supports).filter((name) => name !== 'autosave');
  const shown = Object.keys(FEATURES).flatMap((name) => (names.includes(name) ? [FEATURES[name]] : []));
  return [...shown, ...(items.some(hasRevisions) ? ['revisions'] : [])];
}

const nounOf = (right: string | undefined): string | undefined => /^edit_([\w-]+)$/.exec(right ?? '')?.[1];

/** WP: members of types that have pages. */
const OF_PAGES = ['permalink_template', 'generated_slug', 'class_list'];

/**
 * A post type as a site declares it.
 * @param properties the schema of its posts; empty: unknown
 * @param items some of its posts
 */
export function declaredType(
  type: TypeOnSite,
  properties: Schemas,
  items: readonly CoreItem[],
  home: string,
  meta: Readonly<Record<string, DeclaredMeta>>,
): DeclaredType {
  const names = [...new Set([...Object.keys(properties), ...items.flatMap((item) => Object.keys(item))])];
  const folder = mostFrequent(items.flatMap((item) => folderOf(stringOf(item, 'link'), home, stringOf(item, 'slug')) ?? []));
  const isPublic = type.viewable ?? OF_PAGES.some((name) => names.includes(name));
  const { visibility = {} } = type;
  return withoutUndefined({
    name: type.name,
    singular_name: type.labels?.singular_name,
    description: type.description || undefined,
    rest_base: type.rest_base,
    hierarchical: type.hierarchical || undefined,
    supports: supportsOf(type, names, items),
    taxonomies: type.taxonomies?.length ? type.taxonomies : undefined,
    has_archive: type.has_archive || undefined,
    // Posts below others have their slugs in their addresses.
    slug: folder === type.slug || type.hierarchical ? undefined : folder,
    icon: type.icon ?? undefined,
    public: isPublic ? undefined : false,
    show_ui: visibility.show_ui === isPublic ? undefined : visibility.show_ui,
    show_in_nav_menus: visibility.show_in_nav_menus === isPublic ? undefined : visibility.show_in_nav_menus,
    capability_type: nounOf(type.capabilities?.edit_post) === 'post' ? undefined : nounOf(type.capabilities?.edit_post),
    meta: Object.keys(meta).length === 0 ? undefined : meta,
  });
}

/** A taxonomy as a site declares it. @param terms some of its terms */
export function declaredTaxonomy(taxonomy: TaxonomyOnSite, terms: readonly CoreItem[], home: string): DeclaredTaxonomy {
  const { slug: name, visibility = {} } = taxonomy;
  const byId = new Map(terms.map((term) => [term.id, term]));
  const folderOfTerm = (term: CoreItem): string | undefined => folderOf(stringOf(term, 'link'), home, stringOf(term, 'slug'));
  const folder = mostFrequent(terms.flatMap((term) => (numberOf(term, 'parent') === 0 ? (folderOfTerm(term) ?? []) : [])));
  const isNested = terms.some((term) => {
    const parent = byId.get(numberOf(term, 'parent'));
    return parent !== undefined && folderOfTerm(term)?.endsWith(`/${stringOf(parent, 'slug')}`);
  });
  return withoutUndefined({
    name: taxonomy.name,
    singular_name: taxonomy.labels?.singular_name,
    rest_base: taxonomy.rest_base,
    hierarchical: taxonomy.hierarchical || undefined,
    types: taxonomy.types ?? [],
    slug: folder === name ? undefined : folder,
    nested_slugs: isNested || undefined,
    public: visibility.public === false ? false : undefined,
    show_admin_column: visibility.show_admin_column || undefined,
  });
}

const typeOfMeta = (type: unknown): DeclaredMeta['type'] => META_TYPES.find((each) => each === type);

const EMPTY: Readonly<Record<string, string>> = { string: '""', boolean: 'false', integer: '0', number: '0', array: '[]', object: '[]' };

/** A meta key by its schema in the responses of a site. */
export function declaredMeta(schema: Readonly<Record<string, Json>>): DeclaredMeta {
  // WP: a key with several values has a list without a default.
  const items = schema['items'];
  const isMany = schema['type'] === 'array' && schema['default'] === undefined && isRecord<Json>(items);
  const { type, default: preset, description, title, context: _context, ...more } = isMany ? (items as Record<string, Json>) : schema;
  const further = { ...(title === '' || title === undefined ? {} : { title }), ...more };
  const own = typeOfMeta(type);
  return withoutUndefined({
    type: own === 'string' ? undefined : own,
    single: isMany ? false : undefined,
    default: preset === undefined || JSON.stringify(preset) === EMPTY[own ?? 'string'] ? undefined : preset,
    description: typeof description === 'string' && description !== '' ? description : undefined,
    schema: Object.keys(further).length === 0 ? undefined : further,
  });
}

/** The same by a value, where a site shows no schema. */
export function guessedMeta(value: Json | undefined): DeclaredMeta {
  if (Array.isArray(value)) return { type: 'array', schema: { items: {} } };
  if (value !== null && typeof value === 'object') return { type: 'object', schema: { additionalProperties: true } };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return typeof value === 'boolean' ? { type: 'boolean' } : {};
}

interface SizeOnSite {
  width?: number;
  height?: number;
}

const isKnownSize = (name: string): boolean =>
  name === 'full' || [...DEFAULT_IMAGE_SIZES, ...REGISTERED_IMAGE_SIZES].some((size) => size.name === name);

/** The image sizes that a site has registered, by the sizes of its images. */
export function declaredSizes(media: Iterable<CoreItem>): Record<string, DeclaredSize> {
  const found = new Map<string, { width: number; height: number; crop: boolean }>();
  for (const item of media) {
    const details = recordOf(item, 'media_details');
    const [fullWidth, fullHeight] = [Number(details['width']), Number(details['height'])];
    for (const [name, size] of Object.entries((membersOf(details['sizes']) ?? {}) as Record<string, SizeOnSite>)) {
      if (isKnownSize(name)) continue;
      const { width = 0, height = 0 } = size;
      const known = found.get(name) ?? { width: 0, height: 0, crop: false };
      const isCropped = Math.abs((width * fullHeight) / fullWidth - height) > 1;
      found.set(name, { width: Math.max(known.width, width), height: Math.max(known.height, height), crop: known.crop || isCropped });
    }
  }
  return Object.fromEntries([...found].map(([name, { crop, ...size }]) => [name, { ...size, ...(crop ? { crop } : {}) }]));
}
