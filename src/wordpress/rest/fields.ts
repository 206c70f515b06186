import { toStr, trimCharacters } from '../../base/php/cast.js';
import type { Json } from './request.js';

type Wanted = { [key: string]: true | Wanted };

/** WP: separated by commas and spaces; a list is used unchanged. */
export function parseList(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.filter((item) => typeof item !== 'object').map(String);
  if (typeof value === 'object')
    return Object.values(value)
      .filter((item) => typeof item !== 'object')
      .map(String);
  return toStr(value)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

/** Fields whose parts cannot be selected. WP: the controller compares whole names, but for fields of plugins. */
export type WholeFields = 'all' | readonly string[] | { allBut: readonly string[] };

function isWhole(field: string, whole: WholeFields): boolean {
  if (whole === 'all') return true;
  return 'allBut' in whole ? !whole.allBut.includes(field) : whole.includes(field);
}

const LINKS = ['_links', '_embedded'];

/** Whether a name selects a part of a field whose parts cannot be selected. */
function isCutOff(field: string, whole: WholeFields): boolean {
  const [first, second] = field.split('.', 2);
  return second !== undefined && !LINKS.includes(first) && isWhole(first, whole);
}

/** Without a prototype, whose names a caller might ask for. */
const emptyTree = (): Wanted => Object.create(null) as Wanted;

function wantedTree(fields: string[]): Wanted {
  const tree = emptyTree();
  for (const field of fields) {
    const parts = field.split('.');
    let level = tree;
    for (const part of parts.slice(0, -1)) {
      // WP: a property below an already selected one ends the whole list.
      if (level[part] === true) return tree;
      level[part] ??= emptyTree();
      level = level[part];
    }
    level[parts[parts.length - 1]] = true;
  }
  return tree;
}

/** Objects whose properties cannot be selected (TEC: `json_ld`, `dates`). */
const OPAQUE = new Set(['json_ld', 'dates']);

function pick(value: { [key: string]: Json }, wanted: Wanted): Json {
  const picked: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const want = wanted[key];
    if (want === undefined) continue;
    picked[key] = want === true || OPAQUE.has(key) ? value[key] : descend(value[key], want);
  }
  // PHP: an array with the keys 0, 1, … is a list, and so is an empty one.
  return Object.keys(picked).every((key, index) => key === String(index)) ? Object.values(picked) : picked;
}

function descend(value: Json, wanted: Wanted): Json {
  if (value === null || typeof value !== 'object') return value;
  // WP: a dotted path does not enter the items of a list.
  return pick(Array.isArray(value) ? Object.fromEntries(value.map((item, index) => [String(index), item])) : value, wanted);
}

/**
 * Reduces a body to the requested fields (WP: `_fields`). A list is reduced item by item. WP: selecting any part of the links of a single
 * object, or of their embedded items, returns all links.
 * @param keepLinks whether links stay even if they are not selected
 * @param whole fields whose parts cannot be selected
 */
export function filterFields(body: Json, param: Json | undefined, keepLinks = false, whole: WholeFields = []): Json {
  // PHP: zero bytes are spaces at an end.
  const fields = parseList(param).map((field) => trimCharacters(field, ' \t\n\r\0\v'));
  if (fields.length === 0 || body === null || typeof body !== 'object') return body;
  const wanted = wantedTree(fields.filter((field) => !isCutOff(field, whole)));
  // WP: items of a list keep their links only if these are selected by name; embedded items are always included.
  const isList = Array.isArray(body);
  if (wanted._links && isList) wanted._embedded = true;
  else if (keepLinks || wanted._links || (wanted._embedded && !isList)) wanted._links = wanted._embedded = true;
  else delete wanted._embedded;
  return Array.isArray(body)
    ? body.map((item) => (item !== null && typeof item === 'object' ? descend(item, wanted) : item))
    : pick(body, wanted);
}
