import { fields as writable } from '../args.js';
import type { Arg, Args, Schema } from '../route.js';
import type { RestField } from './rest-field.js';

/** The schemas of fields that have one, by name. */
export const fieldSchemas = (fields: readonly RestField[]): Record<string, Schema> =>
  Object.fromEntries(fields.flatMap(({ name, schema }) => (schema ? [[name, schema] as const] : [])));

/** The argument of a field in a write. WP: its schema, without contexts. */
function argOf({ context: _context, readonly: _readonly, required, description = '', ...schema }: Schema): Arg {
  return { ...schema, description, ...(required === undefined ? {} : { required }) };
}

/** The arguments of writes for fields. WP: fields without a schema, and fields that are only read, are none. */
export const fieldArgs = (fields: readonly RestField[]): Args =>
  writable(
    Object.fromEntries(
      fields.flatMap(({ name, schema, validate, isPerRequest }) => {
        if (!schema || schema.readonly) return [];
        return [[name, { ...argOf(schema), ...(validate ? { validate } : {}), ...(isPerRequest ? { isUnlisted: true } : {}) }] as const];
      }),
    ),
  );
