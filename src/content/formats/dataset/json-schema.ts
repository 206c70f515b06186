import type { SchemaFieldDescription, SchemaInnerTypeDescription, SchemaObjectDescription } from 'yup';
import { file } from './declaration.js';

type JsonSchema = Record<string, unknown>;

const isObject = (declared: SchemaFieldDescription): declared is SchemaObjectDescription => 'fields' in declared;
const isList = (declared: SchemaFieldDescription): declared is SchemaInnerTypeDescription => 'innerType' in declared;

const testOf = (declared: SchemaFieldDescription, name: string) =>
  'tests' in declared ? declared.tests.find((test) => test.name === name) : undefined;

function objectSchema({ fields }: SchemaObjectDescription): JsonSchema {
  const required = Object.keys(fields).filter((name) => testOf(fields[name], 'required'));
  return {
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** What a declaration accepts. Those that depend on the value (yup: lazy) bring a schema along. */
function schemaOf(declared: SchemaFieldDescription): JsonSchema {
  const { description, jsonSchema = {} } = ('meta' in declared ? declared.meta : undefined) ?? {};
  const told = description === undefined ? {} : { description };
  if (declared.type === 'lazy') return { ...told, ...jsonSchema };
  const min = testOf(declared, 'min')?.params?.min;
  return {
    ...told,
    type: testOf(declared, 'integer') ? 'integer' : declared.type,
    ...(min === undefined ? {} : { minimum: min }),
    ...('oneOf' in declared && declared.oneOf.length > 0 ? { enum: declared.oneOf } : {}),
    ...(isList(declared) && declared.innerType && !Array.isArray(declared.innerType) ? { items: schemaOf(declared.innerType) } : {}),
    ...(isObject(declared) ? objectSchema(declared) : {}),
  };
}

/** The dataset format as JSON Schema, for editors: made from the declarations that files are checked with. */
export const datasetSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A dataset of Understudy',
  ...schemaOf(file.describe()),
});
