import { isNumeric } from '../php/cast.js';
import type { Arg, ArgType, CallContext, Json, Schema } from './route.js';

/** The keywords that a check looks at. */
type Keywords = Pick<Schema, 'type' | 'enum' | 'items' | 'minimum' | 'maximum'>;

/** A value that passed, cleaned; or why it did not. */
export type Checked = { value: Json } | { message: string; code: string; data?: Json };

export const isRefused = (checked: Checked): checked is Exclude<Checked, { value: Json }> => 'message' in checked;

const failure = (code: string, param: string, message: string): Checked => ({ message, code, data: { param } });

const isIntegral = (value: Json): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) ||
  (typeof value === 'string' && isNumeric(value) && Number.isInteger(Number(value.trim())));

const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** WP: integers may come as whole floats and numeric text, booleans as six words; strings must be strings. */
function checkType(value: Json, type: ArgType): { value: Json } | null {
  switch (type) {
    case 'integer':
      return isIntegral(value) ? { value: Number(typeof value === 'string' ? value.trim() : value) } : null;
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && isNumeric(value)) ? { value: Number(value) } : null;
    case 'boolean':
      if (typeof value === 'boolean') return { value };
      if (typeof value === 'number') return value === 0 || value === 1 ? { value: value === 1 } : null;
      return typeof value === 'string' && value.toLowerCase() in BOOLEANS ? { value: BOOLEANS[value.toLowerCase()] } : null;
    case 'string':
      return typeof value === 'string' ? { value } : null;
    case 'array':
      if (Array.isArray(value)) return { value };
      // WP: a comma-separated text counts as a list.
      return typeof value === 'string' || typeof value === 'number'
        ? {
            value: String(value)
              .split(/[\s,]+/)
              .filter((part) => part !== ''),
          }
        : null;
    case 'object':
      if (value === '') return { value: {} };
      return value !== null && typeof value === 'object' && (!Array.isArray(value) || value.length === 0)
        ? { value: Array.isArray(value) ? {} : value }
        : null;
    case 'null':
      return value === null || value === '' ? { value: null } : null;
  }
}

function checkBounds(value: number, schema: Keywords, param: string): Checked | null {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined && (value < minimum || value > maximum)) {
    return failure('rest_out_of_bounds', param, `${param} must be between ${minimum} (inclusive) and ${maximum} (inclusive)`);
  }
  if (minimum !== undefined && value < minimum)
    return failure('rest_out_of_bounds', param, `${param} must be greater than or equal to ${minimum}`);
  if (maximum !== undefined && value > maximum)
    return failure('rest_out_of_bounds', param, `${param} must be less than or equal to ${maximum}`);
  return null;
}

function checkList(values: Json[], schema: Keywords, param: string): Checked {
  const cleaned: Json[] = [];
  for (const [index, value] of values.entries()) {
    const checked = schema.items ? checkValue(value, schema.items, `${param}[${index}]`) : { value };
    if (isRefused(checked)) return checked;
    cleaned.push(checked.value);
  }
  return { value: cleaned };
}

/** Checks a value against declared keywords and cleans it (WP: validation and sanitising from schema). */
export function checkValue(value: Json, schema: Keywords, param: string): Checked {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return { value };
  const fitting = types.map((type) => ({ type, result: checkType(value, type) })).find(({ result }) => result !== null);
  if (!fitting?.result) return failure('rest_invalid_type', param, `${param} is not of type ${types.join(',')}.`);
  const cleaned = fitting.result.value;
  if (schema.enum && !schema.enum.includes(cleaned)) {
    return failure('rest_not_in_enum', param, `${param} is not one of ${schema.enum.map(String).join(', ')}.`);
  }
  if (typeof cleaned === 'number') return checkBounds(cleaned, schema, param) ?? { value: cleaned };
  return Array.isArray(cleaned) ? checkList(cleaned, schema, param) : { value: cleaned };
}

const INDEX_KEYWORDS = [
  'title',
  'description',
  'default',
  'type',
  'format',
  'enum',
  'items',
  'properties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const satisfies readonly (keyof Arg)[];

/** The default of an argument as it stands right now, or `undefined` when none is declared. */
export function defaultOf(arg: Arg, site: CallContext['site']): Json | undefined {
  return typeof arg.default === 'function' ? arg.default(site) : arg.default;
}

/** An argument as both indexes and OPTIONS show it. */
export function argEntry(arg: Arg, site: CallContext['site']): Json {
  const entry: Record<string, Json> = {};
  for (const keyword of INDEX_KEYWORDS) {
    const value = keyword === 'default' ? defaultOf(arg, site) : arg[keyword];
    if (value !== undefined && !(keyword === 'description' && value === '')) entry[keyword] = value as Json;
  }
  return { ...entry, required: arg.required ?? false };
}
