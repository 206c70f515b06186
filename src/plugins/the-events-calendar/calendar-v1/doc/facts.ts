import { lookup, type JsonObject } from '../../../../base/values/records.js';
import { EVENT_FIELDS, LINKED, eachKind, type Field, type Fields } from '../../model/event.js';
import type { Arg, Json } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';
import FACTS from './facts.json' with { type: 'json' };
import { readJson } from '../../../../base/system/files.js';

/** An item of the demo calendar. */
interface Sample {
  id: number;
  slug: string;
}

/** Written by scripts/api-examples.mjs; a test compares it with the responses of a server. */
interface Examples {
  /** An item of each kind, by its noun: `event`. */
  samples: Record<string, Sample>;
  /** Responses of a server with the demo calendar, by operation and status. */
  responses: Record<string, Record<string, Json>>;
}

let known: Examples | undefined;

/** The examples of the OpenAPI document, from the demo calendar. They are loaded on first use, so that the start does not wait. */
export function examples(): Examples {
  known ??= readJson<Examples>(new URL('../../../../../fixtures/api-examples.json', import.meta.url));
  return known;
}

const ID: JsonObject = { minimum: 1 };

/** Parameters that name an item of another kind, or a list of those. */
const ITEMS: Record<string, string> = { event: 'event', post: 'event', post_parent: 'event', venue: 'venue', organizer: 'organizer' };

/** Parameters that name items of the same kind. */
const OWN_ITEMS: ReadonlySet<string> = new Set(['id', 'parent', 'include', 'exclude']);

/** Bounds, formats and examples of query parameters, by name. Those that name items have the ids of the demo calendar. */
const PARAMETERS: Record<string, JsonObject> = lookup(FACTS.parameters);

/** Bounds and examples of the fields of a body that are in no table, by name. */
const FIELDS: Record<string, JsonObject> = lookup(FACTS.fields);

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
