import type { SchemaFieldDescription, SchemaInnerTypeDescription, SchemaObjectDescription } from 'yup';
import { newestZones } from '../../../base/php/zone-data.js';
import { loadContents } from '../../../plugins/register.js';
import { fileOf } from './declaration.js';

type JsonSchema = Record<string, unknown>;

const isObject = (declared: SchemaFieldDescription): declared is SchemaObjectDescription => 'fields' in declared;
const isList = (declared: SchemaFieldDescription): declared is SchemaInnerTypeDescription => 'innerType' in declared;

const testOf = (declared: SchemaFieldDescription, name: string) =>
  'tests' in declared ? declared.tests.find((test) => test.name === name) : undefined;

function objectSchema({ fields }: SchemaObjectDescription): JsonSchema {
  // The test remains when a field is made optional; it then rejects empty values only.
  const isRequired = (field: SchemaFieldDescription): boolean =>
    (isObject(field) || testOf(field, 'required') !== undefined) && !('optional' in field && field.optional);
  const required = Object.keys(fields).filter((name) => isRequired(fields[name]));
  return {
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Converts a declaration to JSON Schema. Lazy declarations (yup), which depend on the value, provide their own schema. */
export function schemaOf(declared: SchemaFieldDescription): JsonSchema {
  const { description, jsonSchema = {}, values } = ('meta' in declared ? declared.meta : undefined) ?? {};
  const described = description === undefined ? {} : { description };
  if (values !== undefined) return { ...described, type: 'object', additionalProperties: schemaOf(values.describe()), ...jsonSchema };
  if (declared.type === 'lazy') return { ...described, ...jsonSchema };
  const min = testOf(declared, 'min')?.params?.min;
  return {
    ...described,
    type: testOf(declared, 'integer') ? 'integer' : declared.type,
    ...(min === undefined ? {} : { minimum: min }),
    ...('oneOf' in declared && declared.oneOf.length > 0 ? { enum: declared.oneOf } : {}),
    ...(isList(declared) && declared.innerType && !Array.isArray(declared.innerType) ? { items: schemaOf(declared.innerType) } : {}),
    ...(isObject(declared) ? objectSchema(declared) : {}),
    ...jsonSchema,
  };
}

/** The dataset format as JSON Schema, for editors, generated from the declarations that validate files. */
export const datasetSchema = async (): Promise<JsonSchema> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Understudy dataset',
  ...schemaOf(fileOf(await loadContents()).describe()),
  $defs: { zone: { anyOf: [{ enum: ['', ...newestZones().names()] }, { pattern: '^UTC[+-]\\d{1,2}(?:[.:]\\d+)?$' }] } },
});
