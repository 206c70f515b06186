import { PAGE, POST, metaValue, type Post, metaValues, withMeta, type MetaRow } from '../../model.js';
import type { PostType as RegisteredType, Taxonomy, RegisteredMeta } from '../../types/post-type.js';
import { type Registry, onceFor } from '../../types/registry.js';
import { type Schema, type ArgError, type Json, RestError } from '../route.js';
import { lookup, withoutUndefined, jsonOr } from '../../../base/values/records.js';
import { isEmpty, toStr } from '../../../base/php/cast.js';
import { checkValue, isRefused } from '../check.js';
import type { DeclaredMeta } from '../../types/declared-meta.js';

/** WP: the values that mean true in stored flags; TEC stores some as words. */
const YES = new Set(['1', 'true', 'yes']);

/** Whether a key has several values. WP: only one value has a default. */
const isMany = ({ type, default: absent }: Schema): boolean => type === 'array' && absent === undefined;

const STRUCTURED: ReadonlySet<unknown> = new Set(['array', 'object']);

/** WP: what is stored and invalid is shown as null. */
function readChecked(value: string, schema: Schema, key: string): Json {
  const { type } = schema;
  if (value === '' && type !== 'string' && !STRUCTURED.has(type)) return 0;
  const checked = checkValue(STRUCTURED.has(type) ? jsonOr(value, value) : value, schema, key);
  return isRefused(checked) ? null : checked.value;
}

function readOne(value: string | undefined, schema: Schema, key: string): Json {
  const { type, default: absent } = schema;
  if (value === undefined) return absent ?? '';
  if (type === 'boolean') return YES.has(value);
  return type === 'string' && schema.enum === undefined && schema.format === undefined ? value : readChecked(value, schema, key);
}

/** The registered meta of a post as the core API shows them. */
export const presentMeta = (post: Pick<Post, 'meta'>, registered: Record<string, Schema>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(registered).map(([key, schema]) => {
      if (!isMany(schema)) return [key, readOne(metaValue(post, key), schema, key)];
      const { items = {} } = schema;
      return [key, metaValues(post, key).map((value) => (items.type === 'number' ? Number(value) : readOne(value, items, key)))];
    }),
  );

/** The values of registered meta if none is shown. */
export const emptyMeta = (registered: Record<string, Schema>): Record<string, Json> => presentMeta({ meta: [] }, registered);

/** WP: null only removes values of the registered type, and a flag that is not stored has none. @throws RestError */
function refuseAbsent(key: string, schema: Schema, meta: MetaRow[]): void {
  if (isMany(schema) || !isRefused(checkValue(metaValue({ meta }, key) ?? '', schema, key))) return;
  const message = `The ${key} property has an invalid stored value, and cannot be updated to null.`;
  throw new RestError('rest_invalid_stored_value', message, 500);
}

/** A value as it is stored. Lists and objects are stored as JSON. */
export const storedText = (value: Json): string => (value !== null && typeof value === 'object' ? JSON.stringify(value) : toStr(value));

function rowsOf(key: string, value: Json, schema: Schema, meta: MetaRow[]): string[] {
  if (value === null) {
    refuseAbsent(key, schema, meta);
    return [];
  }
  const checked = checkValue(value, schema, `meta.${key}`);
  if (!isRefused(checked)) return isMany(schema) ? [checked.value].flat().map(storedText) : [storedText(checked.value)];
  const { code, message, data } = checked;
  throw new RestError(code, message, 400, {}, data === null ? undefined : [data]);
}

/**
 * The meta of a post after those that were sent; keys that are not registered are ignored (WP).
 * @throws RestError 400 for a value of the wrong type
 */
export function writeMeta(meta: MetaRow[], sent: Json | undefined, registered: Record<string, Schema>): MetaRow[] {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) return meta;
  return Object.entries(sent)
    .filter(([key]) => Object.hasOwn(registered, key))
    .reduce((next, [key, value]) => withMeta(next, key, rowsOf(key, value, registered[key], next)), meta);
}

/** WP: a key registered without words shows them as empty strings. */
const metaText: Schema = { type: 'string', title: '', description: '', default: '' };

const SCHEMAS: Record<Exclude<RegisteredMeta['kind'], 'declared'>, Schema> = {
  text: metaText,
  flag: { type: 'boolean', title: '', description: '', default: false },
  ids: { type: 'array', items: { type: 'number', title: '', description: 'ID of a linked post.', default: 0 } },
};

/** WP: the values of keys without a default, by type. */
const EMPTY = { string: '', boolean: false, integer: 0, number: 0, array: [], object: [] } as const;

/** WP: `register_meta` with `show_in_rest`. */
function declaredSchema({ type = 'string', single = true, description = '', default: given, schema = {} }: DeclaredMeta): Schema {
  const one = { type, title: '', description, default: (given ?? EMPTY[type]) as Json, ...schema } as Schema;
  const closed = type === 'object' && one.additionalProperties === undefined ? { ...one, additionalProperties: false } : one;
  return single ? closed : { type: 'array', items: closed };
}

function schemaOf({ kind, declared, description }: RegisteredMeta): Schema {
  if (kind === 'declared') return declaredSchema(declared ?? {});
  return description === undefined ? SCHEMAS[kind] : { ...SCHEMAS[kind], description };
}

/** Registered keys as the API declares them. */
const metaSchemas = (rows: readonly RegisteredMeta[]): Record<string, Schema> =>
  Object.fromEntries(rows.map((row) => [row.key, schemaOf(row)]));

const sharedMetaOf = (type: string, { sharedMeta }: Registry): RegisteredMeta[] =>
  sharedMeta.filter(({ types }) => types === undefined || types.includes(type));

/** The keys of all types with custom fields that a type has. */
const sharedSchemas = onceFor(
  (registry) => new Map(registry.postTypes.map(({ name }) => [name, metaSchemas(sharedMetaOf(name, registry))])),
);

export const sharedMetaSchemas = (type: string, registry: Registry): Record<string, Schema> => sharedSchemas(registry).get(type) ?? {};

/** WP: features of a post type; each has specific fields. */
export type Support =
  | 'author'
  | 'comments'
  | 'custom-fields'
  | 'editor'
  | 'excerpt'
  | 'formats'
  | 'page-attributes'
  | 'sticky'
  | 'thumbnail';

/** A taxonomy as its routes and the fields of posts need it. */
export interface TaxonomyFacts extends Pick<Taxonomy, 'isOutsideRest'> {
  name: string;
  /** Last part of its collection's path, and the name of its field in posts. */
  base: string;
  /** The noun for its terms, for descriptions. */
  noun: string;
  /** WP: hierarchical terms are created by users who may edit terms, other terms by users who may assign them. */
  hierarchical: boolean;
}

/** Parts of a text field, each with the contexts that show it; a part that is left out is not declared. */
export interface TextParts {
  raw: string[];
  rendered?: string[];
  blockVersion?: string[];
  protected?: string[];
}

/** A post type as its routes and presenters need it. */
export interface RestType extends Pick<RegisteredType, 'listClauses' | 'ownOrder' | 'afterCoreUpdate' | 'supportsUnder' | 'rights'> {
  name: string;
  /** Where it is registered. */
  registry: Registry;
  /** Last part of its collection's path. */
  base: string;
  /** Whether it has pages: permalink template, classes, and a link to the page. */
  viewable: boolean;
  supports: readonly Support[];
  /** Its posts may have a parent. */
  hierarchical: boolean;
  revisions: boolean;
  autosaves: boolean;
  /** WP: a post without title, content and excerpt cannot be stored, if its type has all three. */
  needsText: boolean;
  taxonomies: readonly TaxonomyFacts[];
  /** Meta keys that were registered for it. */
  meta: Record<string, Schema>;
  /** Flags among them that are shown even if no other meta is. */
  embeddedFlags: readonly string[];
  /** Page templates that may be chosen. */
  templates: readonly string[];
  /** Registered meta that is shown separately. */
  outerMeta?: readonly string[];
  /** Keys that are shown in the edit context alone, as their schemas say. */
  editedMeta: readonly string[];
  /** Contexts that show its texts, if not the default ones. */
  texts?: { title: TextParts; content: TextParts };
}

/** Exceptions to the names of terms in the API. */
const TAXONOMIES: Readonly<Record<string, Partial<TaxonomyFacts>>> = lookup({
  nav_menu: { noun: 'menus' },
});

/** A registered taxonomy as its routes and fields have it. */
export function taxonomyFor(name: string, registry: Registry): TaxonomyFacts {
  const { base, label, hierarchical, isOutsideRest } = registry.taxonomyOf(name);
  const facts = { name, base, noun: label.toLowerCase(), hierarchical, ...TAXONOMIES[name] };
  return isOutsideRest ? { ...facts, isOutsideRest } : facts;
}

const SUPPORTS = ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'formats', 'page-attributes', 'sticky', 'thumbnail'] as const;

/** Whether a pattern is synchronized (WP). */
const SYNC_STATUS = 'wp_pattern_sync_status';

/** WP: additional properties of its types in the API. */
const CORE: Readonly<Record<string, (meta: RestType['meta']) => Partial<RestType>>> = lookup({
  [POST]: () => ({ supports: SUPPORTS.filter((name) => name !== 'page-attributes') }),
  [PAGE]: () => ({ supports: SUPPORTS.filter((name) => name !== 'formats' && name !== 'sticky') }),
  nav_menu_item: (meta) => ({ meta }),
  wp_block: (meta) => ({
    meta: { ...meta, [SYNC_STATUS]: { ...metaText, enum: ['partial', 'unsynced'] }, ...FOOTNOTES },
    outerMeta: [SYNC_STATUS],
    texts: {
      title: { raw: ['view', 'edit'] },
      content: { raw: ['view', 'edit'], blockVersion: ['edit'], protected: ['view', 'edit', 'embed'] },
    },
  }),
  wp_navigation: (meta) => ({
    needsText: true,
    meta: { ...meta, ...FOOTNOTES },
    texts: {
      title: { raw: ['edit', 'embed'], rendered: ['view', 'edit', 'embed'] },
      content: {
        raw: ['edit', 'embed'],
        rendered: ['view', 'edit', 'embed'],
        blockVersion: ['edit', 'embed'],
        protected: ['view', 'edit', 'embed'],
      },
    },
  }),
});

/** WP: footnotes belong to every type that has an editor, custom fields and revisions. */
const FOOTNOTES = { footnotes: metaText };

/** A registered post type as its routes and presenters have it. */
export function postTypeFor(name: string, registry: Registry): RestType {
  const type = registry.postTypeOf(name);
  const { listClauses, ownOrder, afterCoreUpdate, supportsUnder, rights } = type;
  const has = (...features: string[]): boolean => features.every((feature) => type.supports.includes(feature));
  const shared = sharedMetaSchemas(name, registry);
  return {
    name,
    registry,
    base: type.base,
    viewable: type.viewable,
    hierarchical: type.hierarchical ?? false,
    supports: SUPPORTS.filter((feature) => has(feature)),
    revisions: has('revisions'),
    autosaves: has('autosave'),
    needsText: has('title', 'editor', 'excerpt'),
    taxonomies: (type.taxonomies ?? []).map((taxonomy) => taxonomyFor(taxonomy, registry)),
    meta: has('custom-fields') ? { ...shared, ...metaSchemas(type.meta ?? []), ...(has('editor', 'revisions') ? FOOTNOTES : {}) } : {},
    editedMeta: (type.meta ?? []).flatMap(({ key, declared }) =>
      [declared?.schema?.['context'] ?? 'view'].flat().includes('view') ? [] : [key],
    ),
    embeddedFlags: type.embeddedFlags ?? [],
    templates: type.viewable ? registry.pageTemplates : [],
    ...withoutUndefined({ listClauses, ownOrder, afterCoreUpdate, supportsUnder, rights }),
    ...CORE[name]?.(shared),
  };
}

/** Why a template is invalid, or null. @param names the existing templates @param current the template of the post */
export function refusedTemplate(value: Json, names: readonly string[], current: string): ArgError | null {
  if (isEmpty(value) || value === current || (typeof value === 'string' && names.includes(value))) return null;
  return { code: 'rest_invalid_param', message: `template is not one of ${names.join(', ')}.`, data: null };
}

/** The template of a post; empty for the default one (WP). */
export const shownTemplate = (post: Pick<Post, 'meta'>): string => metaValue(post, '_wp_page_template')?.replace(/^default$/, '') ?? '';
