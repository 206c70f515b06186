import { isRecord, type JsonObject } from '../../base/values/records.js';
import type { Json } from '../../wordpress/rest/route.js';

const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Keywords that WordPress and JSON Schema have in common. */
const SAME = ['title', 'description', 'default', 'format', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'];

const schemas = (value: Json): Json => (Array.isArray(value) ? value.map(nested) : {});

const nested = (value: Json): Json => (isRecord<Json>(value) ? schemaOf(value) : value);

const byName = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).map(([name, each]) => [name, nested(each)]));

/** WP: a member says itself that it is required. */
function requiredIn({ required, properties }: JsonObject): Json[] {
  if (Array.isArray(required)) return required;
  if (!isRecord<Json>(properties)) return [];
  return Object.entries(properties).flatMap(([name, each]) => (isRecord(each) && each.required === true ? [name] : []));
}

/** Draft 4 says with a flag that a bound is outside. */
function boundOf(schema: JsonObject, name: 'minimum' | 'maximum', outside: 'exclusiveMinimum' | 'exclusiveMaximum'): JsonObject {
  const bound = schema[name];
  return bound === undefined ? {} : { [schema[outside] === true ? outside : name]: bound };
}

/** A schema as WordPress shows it (JSON Schema draft 4, with a flag for required members) as OpenAPI 3.1 has it (draft 2020-12). */
export function schemaOf(schema: JsonObject): JsonObject {
  const types = [schema.type].flat().filter((type) => TYPES.has(type));
  const { properties, items, additionalProperties } = schema;
  const choices = Array.isArray(schema.enum) || isRecord<Json>(schema.enum) ? Object.values<Json>(schema.enum) : [];
  const required = requiredIn(schema);
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...Object.fromEntries(SAME.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...boundOf(schema, 'minimum', 'exclusiveMinimum'),
    ...boundOf(schema, 'maximum', 'exclusiveMaximum'),
    ...(choices.length > 0 ? { enum: choices } : {}),
    ...(isRecord<Json>(properties) ? { properties: byName(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(isRecord<Json>(items) ? { items: schemaOf(items) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: nested(additionalProperties) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: schemas(schema.oneOf) }),
    ...(schema.anyOf === undefined ? {} : { anyOf: schemas(schema.anyOf) }),
    ...(schema.readonly === true ? { readOnly: true } : {}),
  };
}
