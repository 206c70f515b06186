import type * as yup from 'yup';
import { file } from './declaration.js';
import { descriptionOf } from '../schema.js';

/** What editors show beside a field, by its path: `events.start`, or by its name alone. */
const TOLD: Readonly<Record<string, string>> = {
  $schema: 'Where this description is.',
  site: 'Settings of the site.',
  clock: 'The moment that the dataset is about, such as 2026-06-15T12:00:00Z; without it relative dates follow the real time.',
  users: 'Who may sign in.',
  categories: 'Categories of events; references are slugs.',
  tags: 'Tags of events; references are slugs.',
  media: 'Images and other files, which lie in a folder uploads beside this file.',
  id: 'Number in the API; made up when absent.',
  slug: 'Name in addresses and in references; made of the name or title when absent.',
  author: 'Login of the author; the administrator when absent.',
  status: 'publish when absent.',
  date: 'When it was published, such as "2026-08-01 19:30" or "-3d 10:00"; the present when absent.',
  password: 'What is to be entered before it is shown.',
  'users.password': 'Password of the account.',
  application_password: 'What the user signs in to the REST API with.',
  meta: 'Further rows of post meta.',
  image: 'Slug of an entry of media.',
  timezone: 'Such as "Europe/Berlin" or "UTC+5.5".',
  parent: 'Slug of another entry of the same kind.',
  'media.file': 'Path below uploads.',
  lat: 'Degrees north.',
  lng: 'Degrees east.',
  start: 'Such as "2026-08-01 19:30", "2026-08-01T19:30:00+02:00", "+3d 10:00 Europe/Berlin" or "next friday 19:30".',
  end: 'A date as in start, or a time of day: the first one after the start.',
  duration: 'In place of an end: "90min", "1h 30min", "2d".',
  all_day: 'From the first to the last minute of its days.',
  venue: 'Slug of a venue.',
  organizers: 'Slugs of organizers.',
  'events.categories': 'Slugs of categories.',
  'events.tags': 'Slugs of tags.',
  cost: 'A price, a text or several of them: 12, "€12", "Free", [8, 12].',
  featured: 'Set apart in lists.',
  sticky: 'Kept at the top of the month view.',
  hidden: 'Left out of lists.',
  ticketed: 'There are tickets for it.',
};

type JsonSchema = Record<string, unknown>;

interface Described {
  type: string;
  fields?: Record<string, unknown>;
  innerType?: unknown;
  oneOf: unknown[];
  optional: boolean;
  tests: { name?: string; params?: Record<string, unknown> }[];
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'object',
  array: 'array',
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

function limits({ tests }: Described): JsonSchema {
  const of = (name: string): Record<string, unknown> | undefined => tests.find((test) => test.name === name)?.params;
  return {
    ...(tests.some(({ name }) => name === 'integer') ? { type: 'integer' } : {}),
    ...(typeof of('min')?.min === 'number' ? { minimum: of('min')?.min } : {}),
  };
}

const isRequired = (schema: object): boolean =>
  descriptionOf(schema) === undefined &&
  'describe' in schema &&
  (schema as yup.Schema).describe().tests.some(({ name }) => name === 'required');

function fieldsOf(fields: Record<string, object>, at: string): JsonSchema {
  const required = Object.keys(fields).filter((name) => isRequired(fields[name]));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOf(field, at === '' ? name : `${at}.${name}`)]),
  );
  return { properties, additionalProperties: false, ...(required.length > 0 ? { required } : {}) };
}

/** What a declaration accepts, as JSON Schema. */
function schemaOf(schema: object, at: string): JsonSchema {
  const name = at.slice(at.lastIndexOf('.') + 1);
  const told = TOLD[at] ?? TOLD[name];
  const description = told === undefined ? {} : { description: told };
  const known = descriptionOf(schema);
  if (known) return { ...description, ...known };
  const declared = (schema as yup.Schema).describe() as unknown as Described;
  const { fields, innerType } = schema as { fields?: Record<string, object>; innerType?: object };
  return {
    ...description,
    type: TYPES[declared.type],
    ...limits(declared),
    ...(declared.oneOf.length > 0 ? { enum: declared.oneOf } : {}),
    ...(declared.type === 'array' && innerType ? { items: schemaOf(innerType, at) } : {}),
    ...(declared.type === 'object' && fields ? fieldsOf(fields, at) : {}),
  };
}

/** The format that people write, for editors: read from the declarations that files are checked with. */
export const datasetSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A dataset of Understudy',
  ...schemaOf(file, ''),
});
