import { EVENT_FIELDS } from '../../model/event.js';
import { LINKED, LINKED_KINDS, eachKind, type LinkedKind } from '../../model/linked.js';
import { ucfirst } from '../../../../base/php/cast.js';
import { flagFields, type Field, type Fields } from '../../model/field.js';
import type { Json } from '../../../../wordpress/rest/route.js';

export type SchemaName = 'ImageSize' | 'CostDetails' | 'Term' | 'Image' | 'DateDetails' | 'Event' | Capitalize<LinkedKind>;

/** A property of a component schema as OpenAPI 3.0 writes it. */
export type Property = Record<string, Json>;
export type Properties = Record<string, Property>;

export const schemaRef = (name: SchemaName): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const text = (description: string): Property => ({ type: 'string', description });
const integer = (description: string): Property => ({ type: 'integer', description });
const flag = (description: string): Property => ({ type: 'boolean', description });
const uri = (description: string): Property => ({ type: 'string', format: 'uri', description });
const double = (description: string): Property => ({ type: 'number', format: 'double', description });
const list = (type: 'string' | 'integer', description: string): Property => ({ type: 'array', items: { type }, description });
const listOf = (name: SchemaName, description: string): Property => ({ type: 'array', description, items: schemaRef(name) });
const object = (name: SchemaName, description: string): Property => ({ type: 'object', description, ...schemaRef(name) });

/** TEC: the image of a venue or an organizer is a text that refers to an object. */
const imageText = (noun: string): Property => ({ type: 'string', description: `Featured image of the ${noun}.`, ...schemaRef('Image') });

/** The first properties of every kind of post. */
export const posted = (noun: string): Properties => ({
  id: integer(`ID of the ${noun}.`),
  global_id: text(`Globally unique identifier of the ${noun}.`),
  global_id_lineage: list(
    'string',
    `Global identifiers of the ${noun}: the current one, followed by the identifiers of the sites it was imported from.`,
  ),
  author: integer(`ID of the author of the ${noun}.`),
  date: text(`Publication date of the ${noun}, in the time zone of the site.`),
  date_utc: text(`Publication date of the ${noun}, in UTC.`),
  modified: text(`Date of the last change of the ${noun}, in the time zone of the site.`),
  modified_utc: text(`Date of the last change of the ${noun}, in UTC.`),
  status: text(`Post status of the ${noun}.`),
  url: text(`URL of the page of the ${noun}.`),
});

const written = (noun: string): Properties => ({
  description: text(`Description of the ${noun}, as HTML.`),
  excerpt: text(`Excerpt of the ${noun}, as HTML.`),
  slug: text(`Slug of the ${noun}.`),
});

const imageSize: Properties = {
  width: integer('Width of this size, in pixels.'),
  height: integer('Height of this size, in pixels.'),
  'mime-type': text('MIME type of the file.'),
  url: uri('URL of the file.'),
};

const costDetails: Properties = {
  currency_symbol: text('Currency symbol of the event.'),
  // TEC: the name ends in a space.
  'currency_position ': {
    ...text('Position of the currency symbol: before the amount (`prefix`) or after it (`postfix`).'),
    enum: ['prefix', 'postfix'],
  },
  values: list('integer', 'Amounts, lowest first.'),
};

const term: Properties = {
  id: integer('ID of the term.'),
  name: text('Name of the term.'),
  slug: text('Slug of the term.'),
  taxonomy: text('Taxonomy of the term.'),
  description: text('Description of the term.'),
  parent: integer('ID of the parent term, or 0.'),
  count: integer('Number of posts with the term.'),
  url: text('URL of the archive page of the term.'),
  urls: list('string', 'API URLs of the term, its collection and its parent term.'),
};

const image: Properties = {
  url: uri('URL of the full-size image.'),
  id: integer('ID of the image in the media library.'),
  extension: text('File name extension of the image.'),
  width: integer('Width of the full-size image, in pixels.'),
  height: integer('Height of the full-size image, in pixels.'),
  sizes: listOf('ImageSize', 'Other sizes in which the image is available.'),
};

const dateDetails: Properties = {
  year: integer('Year.'),
  month: integer('Month.'),
  day: integer('Day of the month.'),
  hour: integer('Hour, from 0 to 23.'),
  minutes: integer('Minute, from 0 to 59.'),
  seconds: integer('Second, from 0 to 59.'),
};

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
 * TEC: the published definitions differ from what the routes return (authors are texts, date details single objects of texts).
 */
export const DEFINITIONS: Record<SchemaName, Properties> = {
  ImageSize: imageSize,
  CostDetails: costDetails,
  Term: term,
  Image: image,
  DateDetails: dateDetails,
  Event: event,
  ...linkedSchemas(linked),
};
