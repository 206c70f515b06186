import { onceFor, type Registry } from '../../types/registry.js';
import type { RegisteredMeta } from '../../types/post-type.js';
import type { Schema } from '../route.js';

/** WP: a key registered without words shows them as empty strings. */
export const metaText: Schema = { type: 'string', title: '', description: '', default: '' };

const SCHEMAS: Record<RegisteredMeta['kind'], Schema> = {
  text: metaText,
  flag: { type: 'boolean', title: '', description: '', default: false },
  ids: { type: 'array', items: { type: 'number', title: '', description: 'ID of a linked post.', default: 0 } },
};

/** Registered keys as the API declares them. */
export const metaSchemas = (rows: readonly RegisteredMeta[]): Record<string, Schema> =>
  Object.fromEntries(
    rows.map(({ key, kind, description }) => [key, description === undefined ? SCHEMAS[kind] : { ...SCHEMAS[kind], description }]),
  );

const sharedMetaOf = (type: string, { sharedMeta }: Registry): RegisteredMeta[] =>
  sharedMeta.filter(({ types }) => types === undefined || types.includes(type));

/** The keys of all types with custom fields that a type has. */
const sharedSchemas = onceFor(
  (registry) => new Map(registry.postTypes.map(({ name }) => [name, metaSchemas(sharedMetaOf(name, registry))])),
);

export const sharedMetaSchemas = (type: string, registry: Registry): Record<string, Schema> => sharedSchemas(registry).get(type) ?? {};
