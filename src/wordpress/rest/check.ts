import { isRecord } from '../../base/values/records.js';
import { intval, isNumeric, toStr } from '../../base/php/cast.js';
import { isEmail } from '../formatting/email.js';
import { escUrlRaw } from '../formatting/entities.js';
import { parseList } from './request.js';
import type { ArgType, Json, Schema } from './route.js';

type Keywords = Omit<Schema, 'title' | 'description' | 'default' | 'required' | 'readonly' | 'context'>;

type Refusal = { message: string; code: string; data: Json };

/** A valid, sanitized value, or the error. */
export type Checked = { value: Json } | Refusal;

export const isRefused = (checked: Checked): checked is Refusal => 'message' in checked;

const refusal = (code: string, message: string): Refusal => ({ code, message, data: null });

/** The error for a value of another type. WP: of all errors only this one names the parameter in its data. */
export const notOfType = (param: string, types: readonly ArgType[]): Refusal => ({
  code: 'rest_invalid_type',
  message: `${param} is not of type ${types.join(',')}.`,
  data: { param },
});

/** PHP: an array whose keys are all numbers counts as a list, even with gaps. */
const isNumberKeyed = (value: { [key: string]: Json }): boolean => Object.keys(value).every((key) => /^\d+$/.test(key));

const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

function toBoolean(value: Json): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 0 || value === 1 ? value === 1 : null;
  return typeof value === 'string' && Object.hasOwn(BOOLEANS, value.toLowerCase()) ? BOOLEANS[value.toLowerCase()] : null;
}

/** WP: a scalar is a list separated by commas and spaces. */
function toList(value: Json): Json[] | null {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return isNumberKeyed(value) ? Object.values(value) : null;
  return value === null ? null : parseList(value);
}

function toObject(value: Json): { [key: string]: Json } | null {
  if (value === '') return {};
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return isRecord(value) ? value : null;
}

const isWhole = (value: number | string): boolean => Number.isInteger(Number(value)) || !Number.isFinite(Number(value));

/** Whether a value is of a type, before bounds. WP: bounds of numbers are checked before the fraction of integers. */
function isOfType(value: Json, type: ArgType): boolean {
  switch (type) {
    case 'integer':
    case 'number':
      return isNumeric(value);
    case 'boolean':
      return toBoolean(value) !== null;
    case 'string':
      return typeof value === 'string';
    case 'array':
      return toList(value) !== null;
    case 'object':
      return toObject(value) !== null;
    case 'null':
      return value === null;
  }
}

/** The types that WordPress knows. */
const TYPES: readonly ArgType[] = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'];

/** WP: of several types the first that fits; an empty text is a text wherever that is allowed. */
function typeOf(value: Json, types: readonly ArgType[]): ArgType | undefined {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => isOfType(value, type) && (types.length === 1 || type !== 'integer' || isWhole(toStr(value))));
}

const bound = (value: number, exclusive?: boolean): string => `${value} (${exclusive ? 'exclusive' : 'inclusive'})`;

function checkBounds(value: number, schema: Keywords, param: string): Refusal | null {
  const { minimum: low, maximum: high, exclusiveMinimum, exclusiveMaximum } = schema;
  const isLow = low !== undefined && (exclusiveMinimum ? value <= low : value < low);
  const isHigh = high !== undefined && (exclusiveMaximum ? value >= high : value > high);
  if (!isLow && !isHigh) return null;
  const outside = (rule: string): Refusal => refusal('rest_out_of_bounds', `${param} must be ${rule}`);
  if (low !== undefined && high !== undefined)
    return outside(`between ${bound(low, exclusiveMinimum)} and ${bound(high, exclusiveMaximum)}`);
  if (isLow) return outside(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${low}`);
  return outside(`less than ${exclusiveMaximum ? '' : 'or equal to '}${high}`);
}

function checkNumber(value: string | number, type: 'integer' | 'number', schema: Keywords, param: string): Checked {
  const outside = checkBounds(Number(value), schema, param);
  if (outside) return outside;
  if (type === 'number') return { value: Number(value) };
  return isWhole(value) ? { value: intval(value) } : notOfType(param, ['integer']);
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A declared pattern. PHP: a backslash may precede any character, not only special ones. */
const patternOf = (source: string): RegExp =>
  new RegExp(
    source.replace(/\\(.)/gsu, (pair, char: string) => (/[\w^$\\.*+?()[\]{}|/-]/.test(char) ? pair : char)),
    'u',
  );

const DATE_TIME = /^\d{4}-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)?$/i;

/** Whether a text is a date with a time that exists. PHP: month and day may be 0, which means the previous one. */
function isDateTime(text: string): boolean {
  const [month, day, hour, minute, second] = (DATE_TIME.exec(text) ?? []).slice(1).map(Number);
  return month <= 12 && day <= 31 && hour <= 24 && minute <= 59 && second <= 59;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** WP: only these formats reject a value; a URL is sanitized. */
function checkFormat(value: string, format: string | undefined, param: string): Refusal | null {
  if (format === 'date-time' && !isDateTime(value)) return refusal('rest_invalid_date', 'Invalid date.');
  if (format === 'email' && !isEmail(value)) return refusal('rest_invalid_email', 'Invalid email address.');
  if (format === 'uuid' && !UUID.test(value)) return refusal('rest_invalid_uuid', `${param} is not a valid UUID.`);
  return null;
}

function checkText(value: string, { minLength, maxLength, pattern, format }: Keywords, param: string): Refusal | null {
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) {
    return refusal('rest_too_short', `${param} must be at least ${counted(minLength, 'character')} long.`);
  }
  if (maxLength !== undefined && length > maxLength) {
    return refusal('rest_too_long', `${param} must be at most ${counted(maxLength, 'character')} long.`);
  }
  if (pattern !== undefined && !patternOf(pattern).test(value)) {
    return refusal('rest_invalid_pattern', `${param} does not match pattern ${pattern}.`);
  }
  return checkFormat(value, format, param);
}

function checkList(values: Json[], schema: Keywords, param: string): Checked {
  const cleaned: Json[] = [];
  const { minItems, maxItems, uniqueItems } = schema;
  for (const [index, value] of values.entries()) {
    // WP checks all of them before it counts them.
    if (maxItems !== undefined && index > maxItems) break;
    const checked = schema.items ? checkValue(value, schema.items, `${param}[${index}]`) : { value };
    if (isRefused(checked)) return checked;
    cleaned.push(checked.value);
  }
  if (minItems !== undefined && values.length < minItems) {
    return refusal('rest_too_few_items', `${param} must contain at least ${counted(minItems, 'item')}.`);
  }
  if (maxItems !== undefined && values.length > maxItems) {
    return refusal('rest_too_many_items', `${param} must contain at most ${counted(maxItems, 'item')}.`);
  }
  if (uniqueItems && new Set(values.map((value) => JSON.stringify(value))).size < values.length) {
    return refusal('rest_duplicate_items', `${param} has duplicate items.`);
  }
  return { value: cleaned };
}

/** WP: `required` is either on the properties, or a list of their names. */
const requiredIn = (schema: Keywords & { required?: unknown }): string[] =>
  Array.isArray(schema.required)
    ? schema.required.map(String)
    : Object.entries(schema.properties ?? {}).flatMap(([name, { required }]) => (required === true ? [name] : []));

function checkProperties(value: { [key: string]: Json }, schema: Keywords, param: string): Checked {
  const { properties = {}, additionalProperties } = schema;
  const absent = requiredIn(schema).find((name) => !Object.hasOwn(value, name));
  if (absent !== undefined) return refusal('rest_property_required', `${absent} is a required property of ${param}.`);
  const cleaned: { [key: string]: Json } = {};
  for (const [name, property] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!known && additionalProperties === false) {
      return refusal('rest_additional_properties_forbidden', `${name} is not a valid property of Object.`);
    }
    const of = known ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
    const checked = checkValue(property, of, `${param}[${name}]`);
    if (isRefused(checked)) return checked;
    cleaned[name] = checked.value;
  }
  return { value: cleaned };
}

function checkType(value: Json, type: ArgType, schema: Keywords, param: string): Checked {
  switch (type) {
    case 'integer':
    case 'number':
      return checkNumber(typeof value === 'number' ? value : toStr(value), type, schema, param);
    case 'boolean':
      return { value: toBoolean(value) };
    case 'string':
      return checkText(toStr(value), schema, param) ?? { value: schema.format === 'uri' ? escUrlRaw(toStr(value)) : value };
    case 'array':
      return checkList(toList(value) ?? [], schema, param);
    case 'object':
      return checkProperties(toObject(value) ?? {}, schema, param);
    case 'null':
      return { value };
  }
}

/** Names in a sentence: `a`, `a and b`, `a, b, and c` (WP). */
function enumerate(names: string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names[names.length - 1]}`;
}

function notInEnum(param: string, choices: Json[]): Refusal {
  const names = choices.map((choice) => (choice === null || typeof choice === 'object' ? JSON.stringify(choice) : toStr(choice)));
  return refusal('rest_not_in_enum', `${param} is not ${names.length > 1 ? 'one of ' : ''}${enumerate(names)}.`);
}

/** Checks a value against each choice of a parameter. */
function tryChoices(
  value: Json,
  choices: readonly Schema[],
  param: string,
  type?: Schema['type'],
): { taken: number[]; first: Checked; refused: Map<number, Refusal> } {
  const taken: number[] = [];
  const refused = new Map<number, Refusal>();
  let first: Checked = { value };
  for (const [index, choice] of choices.entries()) {
    // WP: a choice without a type has the type of the whole.
    const checked = checkValue(value, choice.type === undefined && type !== undefined ? { ...choice, type } : choice, param);
    if (isRefused(checked)) {
      refused.set(index, checked);
      continue;
    }
    if (taken.length === 0) first = checked;
    taken.push(index);
  }
  return { taken, first, refused };
}

/** Names of choices in a sentence (WP: without a comma before the last of many). */
const titles = (choices: readonly Schema[]): string =>
  choices.every(({ title }) => title) ? enumerate(choices.map(({ title }) => title as string)) : '';

/** Checks that exactly one of several schemas accepts a value. WP: the error gives a reason where only one of them is of the right type. */
function checkOneOf(value: Json, choices: readonly Schema[], param: string, type?: Schema['type']): Checked {
  const { taken, first, refused } = tryChoices(value, choices, param, type);
  if (taken.length === 1) return first;
  if (taken.length > 1) {
    const names = titles(taken.map((index) => choices[index]));
    const rule =
      names === '' ? `${param} matches more than one of the expected formats.` : `${param} matches ${names}, but should match only one.`;
    return { code: 'rest_one_of_multiple_matches', message: rule, data: { positions: taken } };
  }
  const fitting = [...refused].filter(
    ([, { code, data }]) => !(code === 'rest_invalid_type' && (data as { param?: string } | null)?.param === param),
  );
  if (fitting.length === 1) {
    const [[index, { message }]] = fitting;
    const { title } = choices[index];
    const rule = title
      ? `${param} is not a valid ${title}. Reason: ${message}`
      : `${param} does not match the expected format. Reason: ${message}`;
    return { code: 'rest_no_matching_schema', message: rule, data: { position: index } };
  }
  const names = titles(choices);
  return refusal(
    'rest_no_matching_schema',
    names === '' ? `${param} does not match any of the expected formats.` : `${param} is not a valid ${names}.`,
  );
}

/**
 * Checks a value against declared keywords and cleans it (WP: validation and sanitising from schema). Without a type any value is valid.
 */
export function checkValue(value: Json, schema: Keywords, param: string): Checked {
  if (schema.oneOf) {
    const { oneOf, ...whole } = schema;
    const chosen = checkOneOf(value, oneOf, param, schema.type);
    const checked = isRefused(chosen) ? chosen : checkValue(value, whole, param);
    return isRefused(checked) ? checked : chosen;
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return { value };
  const type = typeOf(value, types);
  // WP: a type that it does not know accepts what fits no other.
  if (!type) return types.every((each) => TYPES.includes(each)) ? notOfType(param, types) : { value };
  const checked = checkType(value, type, schema, param);
  // WP: choices may also be a map.
  const choices = schema.enum && Object.values(schema.enum);
  return isRefused(checked) || !choices || choices.includes(checked.value) ? checked : notInEnum(param, choices);
}
