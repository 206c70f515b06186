import type { Arg, Args, Json, Schema } from '../rest/route.js';
import { asJsonObject } from '../../base/values/records.js';

/** Contexts in which a field is shown. */
export const EVERYWHERE = ['view', 'edit', 'embed'];
export const NOT_EMBEDDED = ['view', 'edit'];
export const EDIT_ONLY = ['edit'];

type Field = Arg | Schema;

/** The schema of a writable field: the keywords of its argument, without those that only arguments have. */
function property(field: Field, context: string[] | undefined): Schema {
  const {
    title,
    description,
    type,
    format,
    enum: choices,
    items,
    properties,
    oneOf,
    readonly,
    pattern,
    minLength,
    default: preset,
  } = field;
  const required = field.required === true || undefined;
  const shown = {
    ...{ title, description, type, format, enum: choices, items, properties, oneOf, readonly, pattern, minLength },
    ...{ required, default: preset, context },
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined && typeof value !== 'function'));
}

/** A read-only field. */
export const shown = (description: string, more: Partial<Schema>): Schema => ({ type: 'string', ...more, description, readonly: true });

/** WP: the sizes of the pictures of users, in pixels. */
export const AVATAR_SIZES = [24, 48, 96];

/** The addresses of the pictures of a user, by size. */
export const AVATAR_URLS: Partial<Schema> = {
  type: 'object',
  properties: Object.fromEntries(
    AVATAR_SIZES.map((size) => [String(size), { description: 'URL of an image.', type: 'string', format: 'uri', context: EVERYWHERE }]),
  ),
};

/**
 * The schema of a resource, as OPTIONS shows it (WP: `schema`).
 * @param fields its fields by name, in any order
 * @param contexts where each is shown; other fields are shown in `otherwise`, or have no contexts
 */
export function resourceSchema(
  title: string,
  fields: Args | Record<string, Field>,
  contexts: Record<string, string[]>,
  otherwise?: string[],
): Record<string, Json> {
  const properties = Object.entries(fields).map(([name, field]) => [name, property(field, contexts[name] ?? otherwise)] as const);
  const schema = { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties: Object.fromEntries(properties) };
  return asJsonObject(schema);
}
