import { ucfirst } from '../../../../base/php/cast.js';
import { EVENT_FIELDS, LINKED, eachKind, type LinkedKind, flagFields, type Field, type Fields } from '../../model/event.js';
import { DEFINITIONS, linkedSchemas, schemaRef, type Properties, type Property, type SchemaName } from './definitions.js';
import { namesOf } from '../../../../base/values/records.js';

const TEXT: Property = { type: 'string' };
const INTEGER: Property = { type: 'integer' };
const OBJECT: Property = { type: 'object' };
const TEXT_OR_NULL: Property = { type: 'string', nullable: true };
const FLAG_OR_NULL: Property = { type: 'boolean', nullable: true };
const TEXTS: Property = { type: 'array', items: TEXT };
const EMPTY_LIST: Property = { type: 'array', maxItems: 0, items: {} };

const one = (name: SchemaName): Property => ({ allOf: [schemaRef(name)] });
const many = (name: SchemaName): Property => ({ type: 'array', items: schemaRef(name) });

/** Items without a picture have `false`. */
const IMAGE: Property = { oneOf: [schemaRef('Image'), { type: 'boolean', enum: [false] }] };
/** Names and other texts of password-protected items are empty arrays. */
const TEXT_OR_NOTHING: Property = { oneOf: [TEXT, EMPTY_LIST] };
const FILE_SIZE: Property = { type: 'integer', description: 'Size of the file, in bytes.' };
const JSON_LD: Property = { type: 'object', description: 'Structured data (schema.org) as JSON-LD.' };
const LINKS: Property = { type: 'object', additionalProperties: { type: 'array', items: OBJECT } };

/** TEC: a single item is not in a list. */
function linkProperty(kind: LinkedKind): Property {
  const name = ucfirst(kind);
  return LINKED[kind].many ? many(name) : { anyOf: [schemaRef(name), many(name)] };
}

const flagProperties = (table: Fields): Properties => Object.fromEntries(flagFields(table).map(([name]) => [name, FLAG_OR_NULL]));

const linkedProperties = (kind: LinkedKind): Properties => ({
  author: TEXT,
  [kind]: TEXT_OR_NOTHING,
  image: IMAGE,
  ...flagProperties(LINKED[kind].fields),
  json_ld: JSON_LD,
});

/**
 * Differences between responses and the published definitions: changed and missing properties. One
 *without a description has the definition's.
 */
const RESPONSES: Record<SchemaName, Properties> = {
  ImageSize: { filesize: FILE_SIZE },
  CostDetails: {
    currency_position: {
      type: 'string',
      description: 'Position of the currency symbol: before the amount (`prefix`) or after it (`postfix`).',
    },
    currency_code: TEXT,
    values: TEXTS,
  },
  Term: {
    urls: { type: 'object', additionalProperties: TEXT },
    term_group: INTEGER,
    term_taxonomy_id: INTEGER,
    filter: TEXT,
    meta: EMPTY_LIST,
    _links: LINKS,
  },
  Image: { filesize: FILE_SIZE, sizes: { type: 'object', additionalProperties: schemaRef('ImageSize') }, original_image: TEXT },
  DateDetails: Object.fromEntries(Object.keys(DEFINITIONS.DateDetails).map((name) => [name, TEXT])),
  Event: {
    author: TEXT,
    image: IMAGE,
    ...flagProperties(EVENT_FIELDS),
    ...Object.fromEntries(
      Object.entries<Field>(EVENT_FIELDS).flatMap(([name, { kind }]) =>
        kind === 'date'
          ? [
              [name, TEXT_OR_NULL],
              [`${name}_details`, one('DateDetails')],
            ]
          : [],
      ),
    ),
    cost_details: one('CostDetails'),
    sticky: FLAG_OR_NULL,
    ...eachKind(linkProperty),
    custom_fields: { oneOf: [EMPTY_LIST, OBJECT], description: 'Custom fields by name.' },
    json_ld: JSON_LD,
  },
  ...linkedSchemas(linkedProperties),
};

function merged(name: SchemaName): Properties {
  const published = DEFINITIONS[name];
  const known = Object.entries(published).map(([key, property]) => [key.trim(), property] as const);
  const answered = Object.entries(RESPONSES[name]).map(([key, property]) => {
    const description = property.description ?? published[key]?.description;
    return [key, description === undefined ? property : { ...property, description }] as const;
  });
  return Object.fromEntries([...known, ...answered]);
}

const ERROR: Property = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'Error code.' },
    message: { type: 'string', description: 'Error message.' },
    data: { type: 'object', nullable: true, description: 'Status of the response, and errors by parameter.' },
  },
};

/** The component schemas of the documented interface: what the routes return. */
export const RESPONSE_SCHEMAS: Record<string, Property> = {
  ...Object.fromEntries(namesOf(DEFINITIONS).map((name) => [name, { type: 'object', properties: merged(name) }])),
  Error: ERROR,
};

/** A page of a list. @param key of the list within it */
export const pageSchema = (key: string, name: SchemaName): Property => ({
  type: 'object',
  required: [key, 'rest_url', 'total', 'total_pages'],
  properties: {
    [key]: { type: 'array', items: schemaRef(name) },
    rest_url: { type: 'string', description: 'API URL of this page of the list.' },
    next_rest_url: { type: 'string', description: 'API URL of the next page, if there is one.' },
    previous_rest_url: { type: 'string', description: 'API URL of the previous page, if there is one.' },
    total: { type: 'integer', description: 'Total number of results.' },
    total_pages: { type: 'integer', description: 'Total number of pages.' },
  },
});
