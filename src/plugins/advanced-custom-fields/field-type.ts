import { isEmpty, isNumeric, toStr } from '../../base/php/cast.js';
import { isRecord } from '../../base/values/records.js';
import type { Json } from '../../base/values/json.js';
import type { Post, Term, User } from '../../wordpress/model.js';
import type { ArgError, Schema } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';

/** A field, as ACF exports it. Which further settings it has depends on its type. */
export interface Field {
  key: string;
  name: string;
  type: string;
  sub_fields?: readonly Field[];
  [setting: string]: unknown;
}

/** The objects that values of fields refer to, by id. */
export interface Referred {
  site: Site;
  /** Who sees them. */
  user: User | null;
  posts: ReadonlyMap<number, Post>;
  terms: ReadonlyMap<number, Term>;
  users: ReadonlyMap<number, User>;
  /** The posts of all approved comments, and sizes of files that are measured. */
  comments: readonly number[];
  fileSizes: ReadonlyMap<number, number>;
}

/** The kind of objects whose ids a field has. */
export type Reference = 'post' | 'term' | 'user' | 'medium' | 'icon';

/**
 * A type of fields: facts, which `field-types.json` has, and what else it does. Values are as they are stored: texts, or lists and objects
 * that were serialized.
 */
export interface FieldType {
  /** Settings of fields that lack them. */
  defaults?: Readonly<Record<string, Json>>;
  schema: Schema;
  /** The settings of fields by keyword of the schema, which has those that are set. */
  limits?: Readonly<Record<string, string>>;
  /** How the schema has the default of a field, if it has. */
  preset?: 'any' | 'number' | 'flag';
  /** Values in responses, if they are not as they are stored. */
  light?: 'numbers' | 'flag';
  refersTo?: Reference;
  /** Further keywords of the schema. */
  keywords?: (field: Field) => Schema;
  /** Converts a stored value, or the default; null for neither (ACF: `load_value`). */
  load?: (value: Json, field: Field) => Json;
  /** The value in responses with `acf_format=standard` (ACF: `format_value`). */
  standard?: (value: Json, field: Field, referred: Referred) => Json;
  /** The value to store for one that is sent; null removes it (ACF: `update_value`). */
  store?: (sent: Json, field: Field) => Json;
  /** Checks what a schema does not (ACF: `validate_rest_value`). @param param `acf[poster]` */
  check?: (sent: Json, field: Field, param: string, site: Site) => Promise<ArgError | null>;
}

/** A setting that is not empty. */
export const setting = (field: Field, name: string): Json | undefined => (isEmpty(field[name]) ? undefined : (field[name] as Json));

export const asList = (value: Json): Json[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);

/** The texts in a setting. */
export const namesIn = (field: Field, name: string): string[] => asList(setting(field, name) ?? []).map(toStr);

/** The error for a value that does not fit the content of the site. */
export const invalid = (param: string, message: string, value: Json): ArgError => ({
  code: 'rest_invalid_param',
  message: `${param} ${message}`,
  data: { param, value },
});

/** The numbers in a value. */
export const idsIn = (value: Json): number[] =>
  (value !== null && typeof value === 'object' ? Object.values(value) : [value]).flatMap((each: Json) =>
    !isEmpty(each) && isNumeric(each) ? [Math.trunc(Number(each))] : [],
  );

const number = (value: Json): Json => (isNumeric(value) ? Number(value) : value);

/** ACF: numbers that are texts become numbers, also in lists and objects. */
export function numbers(value: Json): Json {
  if (Array.isArray(value)) return value.map(number);
  return isRecord<Json>(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, number(each)])) : number(value);
}
