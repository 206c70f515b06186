import { onceFor, type Registry } from '../../types/registry.js';
import type { DeclaredMeta } from '../../types/declared-meta.js';
import type { RegisteredMeta } from '../../types/post-type.js';
import type { Json, Schema } from '../route.js';

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
