import { lookup } from '../../../../base/values/records.js';
import { MOST_PER_PAGE } from '../collection.js';
import { EVENT_FIELDS } from '../../model/event.js';
import type { Field, Fields } from '../../model/field.js';
import { LINKED, eachKind } from '../../model/linked.js';
import { examples } from './examples.js';
import type { Arg, Json } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';

type JsonObject = Record<string, Json>;

const ID: JsonObject = { minimum: 1 };

/** Parameters that name an item of another kind, or a list of those. */
const ITEMS: Record<string, string> = { event: 'event', post: 'event', post_parent: 'event', venue: 'venue', organizer: 'organizer' };

/** Parameters that name items of the same kind. */
const OWN_ITEMS: ReadonlySet<string> = new Set(['id', 'parent', 'include', 'exclude']);

const ORDER_FIELDS = ['name', 'slug', 'id', 'count', 'description', 'term_group', 'include', 'parent'];

/** Bounds, formats and examples of query parameters, by name. Those that name items have the ids of the demo calendar. */
const PARAMETERS: Record<string, JsonObject> = lookup({
  page: { minimum: 1, example: 1 },
  per_page: { minimum: 1, maximum: MOST_PER_PAGE, example: 10 },
  start_date: { example: '2026-06-01' },
  end_date: { example: '2026-06-30 23:59:59' },
  starts_before: { example: '2026-07-01' },
  starts_after: { example: '2026-06-15 12:00:00' },
  ends_before: { example: '2026-07-01' },
  ends_after: { example: '2026-06-15' },
  strict_dates: { example: true },
  search: { example: 'music' },
  categories: { example: ['community'] },
  tags: { example: ['food', 'free-entry'] },
  featured: { example: true },
  status: { example: 'publish' },
  geoloc: { example: true },
  geoloc_lat: { minimum: -90, maximum: 90, example: 50.1 },
  geoloc_lng: { minimum: -180, maximum: 180, example: 8.7 },
  ticketed: { example: false },
  has_events: { example: true },
  only_with_upcoming: { example: true },
  order: { enum: ['asc', 'desc'], default: 'asc', example: 'desc' },
  orderby: { enum: ORDER_FIELDS, default: 'name', example: 'count' },
  hide_empty: { example: false },
  password: { example: 'secret' },
});

/** Bounds and examples of the fields of a body that are in no table, by name. */
const FIELDS: Record<string, JsonObject> = lookup({
  author: { minimum: 1, example: 1 },
  date: { example: '2026-06-01 09:00:00' },
  date_utc: { example: '2026-06-01 07:00:00' },
  title: { minLength: 1, example: 'Concert in the park' },
  description: { example: 'Bring a blanket.' },
  slug: { example: 'concert-in-the-park' },
  excerpt: { example: 'Music under the trees.' },
  status: { example: 'publish' },
  image: { example: 'https://example.org/concert.jpg' },
  sticky: { example: false },
  categories: { example: ['community'] },
  tags: { example: ['food'] },
  venue: { minLength: 1, example: 'Riverside Hall' },
  organizer: { minLength: 1, example: 'Music Guild' },
  name: { minLength: 1, example: 'Open air' },
});

/** The tables of fields, by the kind of item. */
const TABLES: Record<string, Fields> = { event: EVENT_FIELDS, ...eachKind((kind) => LINKED[kind].fields) };

const FORMATS: Partial<Record<Field['kind'], string>> = { url: 'uri', email: 'email' };

/** Bounds, format and example of a field of a body. */
function factsOf(name: string, noun: string): JsonObject {
  if (!Object.hasOwn(TABLES, noun) || !Object.hasOwn(TABLES[noun], name)) return FIELDS[name] ?? {};
  const { kind, example } = TABLES[noun][name];
  const { [kind]: format } = FORMATS;
  return { ...(format === undefined ? {} : { format }), ...(example === undefined ? {} : { example }) };
}

const isId = (name: string): boolean => OWN_ITEMS.has(name) || Object.hasOwn(ITEMS, name);

function itemFacts(name: string, noun: string, isList: boolean): JsonObject {
  const { id, slug } = examples().samples[ITEMS[name] ?? noun];
  if (name === 'slug') return { example: slug };
  return isList ? { example: [id] } : { ...ID, example: id };
}

/** Documentation of a parameter besides its type. @param noun the kind of the listed items, or of the item in the path */
export function parameterFacts(name: string, noun: string, isList: boolean): JsonObject {
  return isId(name) || name === 'slug' ? itemFacts(name, noun, isList) : (PARAMETERS[name] ?? {});
}

/** Documentation of a field besides its type. @param shown the body that the document shows: its values come first */
export function fieldFacts(name: string, noun: string, type: Json | undefined, shown: JsonObject): JsonObject {
  if (Object.hasOwn(shown, name)) return { ...factsOf(name, noun), example: shown[name] };
  const isList = type === 'array';
  if (name === 'parent' || (isList && Object.hasOwn(ITEMS, name))) return itemFacts(name, noun, isList);
  const { example, ...facts } = factsOf(name, noun);
  // TEC: the flags of a venue are texts.
  const text = type === 'string' && typeof example === 'boolean' ? String(example) : example;
  return { ...facts, ...(text === undefined ? {} : { example: text }) };
}

/** The default of an argument as a value of its type. Defaults of dates depend on the clock, so they are left to the descriptions. */
export function documentedDefault({ default: given }: Arg, type: Json | undefined, site: Site): JsonObject {
  const value = typeof given === 'function' ? (type === 'integer' ? given(site) : null) : given;
  if (value === undefined || value === null) return {};
  if (type === 'integer') return { default: Number(value) };
  if (type === 'boolean') return { default: value === true || value === '1' || value === 'true' };
  return { default: value };
}
