import { interpolate } from '../../../../base/locales/index.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, eachKind, type LinkedKind, flagFields, type Field, type Fields } from '../../model/event.js';
import { ucfirst } from '../../../../base/php/cast.js';
import type { Json } from '../../../../wordpress/rest/route.js';
import declared from './definitions.json' with { type: 'json' };

export type SchemaName = 'ImageSize' | 'CostDetails' | 'Term' | 'Image' | 'DateDetails' | 'Event' | Capitalize<LinkedKind>;

/** A property of a component schema as OpenAPI 3.0 writes it. */
export type Property = Record<string, Json>;
export type Properties = Record<string, Property>;

export const schemaRef = (name: SchemaName): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const text = (description: string): Property => ({ type: 'string', description });
const flag = (description: string): Property => ({ type: 'boolean', description });
const double = (description: string): Property => ({ type: 'number', format: 'double', description });
const listOf = (name: SchemaName, description: string): Property => ({ type: 'array', description, items: schemaRef(name) });
const object = (name: SchemaName, description: string): Property => ({ type: 'object', description, ...schemaRef(name) });

/** TEC: the image of a venue or an organizer is a text that refers to an object. */
const imageText = (noun: string): Property => ({ type: 'string', description: `Featured image of the ${noun}.`, ...schemaRef('Image') });

/** The first properties of every kind of post. */
export const posted = (noun: string): Properties =>
  Object.fromEntries(
    Object.entries<Property & { description: string }>(declared.posted).map(([name, property]) => [
      name,
      { ...property, description: interpolate(property.description, { noun }) },
    ]),
  );

const written = (noun: string): Properties => ({
  description: text(`Description of the ${noun}, as HTML.`),
  excerpt: text(`Excerpt of the ${noun}, as HTML.`),
  slug: text(`Slug of the ${noun}.`),
});

/** A moment: the text and its parts. */
const moment = (what: string, name: string): Properties => ({
  [name]: text(`${what}.`),
  [`${name}_details`]: listOf('DateDetails', `${what}, as separate parts.`),
});

const alone =
  (declare: (description: string) => Property) =>
  (description: string, name: string): Properties => ({ [name]: declare(description) });

/** The properties of a field, by its kind. */
const DECLARED: Partial<Record<Field['kind'], (definition: string, name: string) => Properties>> = {
  text: alone(text),
  url: alone(text),
  email: alone(text),
  amounts: alone(text),
  flag: alone(flag),
  coordinate: alone(double),
  date: moment,
};

/** Properties of events that follow a field of the table. */
const FOLLOWING: Record<string, Properties> = {
  cost: { cost_details: listOf('CostDetails', 'Currency and amounts of the price.') },
  hide_from_listings: { sticky: flag('Whether the event is shown first in calendar views.') },
};

/** The properties of the fields of a table that have a definition. */
const propertiesOf = (table: Fields, following: Record<string, Properties> = {}): Properties =>
  Object.assign(
    {},
    ...Object.entries(table).flatMap(([name, { kind, definition }]) =>
      definition === undefined ? [] : [DECLARED[kind]?.(definition, name), following[name]],
    ),
  ) as Properties;

function linkProperty(kind: LinkedKind): Property {
  const { many, link } = LINKED[kind];
  return (many ? listOf : object)(ucfirst(kind), link.definition);
}

const event: Properties = {
  ...posted('event'),
  rest_url: text('API URL of the event.'),
  title: text('Title of the event.'),
  ...written('event'),
  image: object('Image', 'Featured image of the event.'),
  ...propertiesOf(EVENT_FIELDS, FOLLOWING),
  categories: listOf('Term', 'Categories of the event.'),
  tags: listOf('Term', 'Tags of the event.'),
  ...eachKind(linkProperty),
};

const linked = (kind: LinkedKind): Properties => ({
  ...posted(kind),
  [kind]: text(`Name of the ${kind}.`),
  ...written(kind),
  image: imageText(kind),
  // The flags come first.
  ...propertiesOf(Object.fromEntries(flagFields(LINKED[kind].fields))),
  ...propertiesOf(LINKED[kind].fields),
});

/** A record of a value for each linked kind, by the name of its schema. */
export const linkedSchemas = (make: (kind: LinkedKind) => Properties): Record<Capitalize<LinkedKind>, Properties> =>
  Object.fromEntries(LINKED_KINDS.map((kind) => [ucfirst(kind), make(kind)])) as Record<Capitalize<LinkedKind>, Properties>;

/**
 * The component schemas of `/doc`: name to properties, both in the order of the wire.
 * TEC: `currency_position ` ends in a space; the published definitions differ from what the routes return (authors are texts, date details single objects of texts).
 */
export const DEFINITIONS: Record<SchemaName, Properties> = {
  ...declared.schemas,
  Event: event,
  ...linkedSchemas(linked),
};
