import { toStr } from '../../../base/php/cast.js';
import { checkValue, isRefused } from '../check.js';
import { RestError } from '../error.js';
import { metaValue, metaValues, withMeta, type MetaRow, type Post } from '../../model.js';
import type { Json, Schema } from '../route.js';
import { onceFor, type Registry } from '../../types/registry.js';
import type { DeclaredMeta } from '../../types/declared-meta.js';
import type { RegisteredMeta } from '../../types/post-type.js';

/** WP: the values that mean true in stored flags; TEC stores some as words. */
const YES = new Set(['1', 'true', 'yes']);

/** Whether a key has several values. WP: only one value has a default. */
const isMany = ({ type, default: absent }: Schema): boolean => type === 'array' && absent === undefined;

const STRUCTURED: ReadonlySet<unknown> = new Set(['array', 'object']);

function structured(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** WP: what is stored and invalid is shown as null. */
function readChecked(value: string, schema: Schema, key: string): Json {
  const { type } = schema;
  if (value === '' && type !== 'string' && !STRUCTURED.has(type)) return 0;
  const checked = checkValue(STRUCTURED.has(type) ? structured(value) : value, schema, key);
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
export const metaText: Schema = { type: 'string', title: '', description: '', default: '' };

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
export const metaSchemas = (rows: readonly RegisteredMeta[]): Record<string, Schema> =>
  Object.fromEntries(rows.map((row) => [row.key, schemaOf(row)]));

const sharedMetaOf = (type: string, { sharedMeta }: Registry): RegisteredMeta[] =>
  sharedMeta.filter(({ types }) => types === undefined || types.includes(type));

/** The keys of all types with custom fields that a type has. */
const sharedSchemas = onceFor(
  (registry) => new Map(registry.postTypes.map(({ name }) => [name, metaSchemas(sharedMetaOf(name, registry))])),
);

export const sharedMetaSchemas = (type: string, registry: Registry): Record<string, Schema> => sharedSchemas(registry).get(type) ?? {};
