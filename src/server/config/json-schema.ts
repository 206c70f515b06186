import { lookup } from '../../base/values/records.js';
import { OPTIONS, type Option } from './options.js';

type JsonSchema = Record<string, unknown>;

/** Options whose values are of several types. */
const TYPES: Readonly<Record<string, JsonSchema>> = lookup({
  mixed: { type: ['string', 'object'] },
  array: { type: 'array', items: { type: 'string' } },
});

function schemaOf({ schema, help, sets, default: fallback }: Option): JsonSchema {
  const { type, oneOf } = schema.describe();
  return {
    description: sets === false ? `false: ${help[0].toLowerCase()}${help.slice(1)}` : help.replace('; repeatable', ''),
    ...(TYPES[type] ?? { type }),
    ...(oneOf.length > 0 ? { enum: oneOf } : {}),
    ...(fallback === undefined || Array.isArray(fallback) || type === 'mixed' ? {} : { default: fallback }),
  };
}

/** The options of a configuration file as JSON Schema, for editors. */
export const configSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Understudy configuration',
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'URL of this schema.' },
    ...Object.fromEntries(OPTIONS.filter(({ name }) => name !== 'config').map((option) => [option.name, schemaOf(option)])),
  },
  additionalProperties: false,
});
