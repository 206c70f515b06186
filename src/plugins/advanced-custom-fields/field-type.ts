import { isEmpty, isNumeric, toStr } from '../../base/php/cast.js';
import { isRecord, type Json } from '../../base/values/records.js';
import { ATTACHMENT, type Post, type Term, type User } from '../../wordpress/model.js';
import type { ArgError, Schema } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import { storedSize } from '../../wordpress/media/file-sizes.js';
import { findPosts } from '../../wordpress/posts/posts.js';
import { resolveTerms } from '../../wordpress/terms/terms.js';

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

/** Checks of ids that are sent against the content of the site. */

/** The end of a sentence about one of several names. */
const named = (names: readonly string[], one: string, several: string): string =>
  names.length > 1 ? `${several}: ${names.join(', ')}` : `${one.replace('%', names[0])}.`;

/** The first fault: ids that are wrong, and why. */
function faultOf(param: string, faults: readonly (readonly [ids: number[], message: string])[]): ArgError | null {
  const found = faults.find(([ids]) => ids.length > 0);
  return found ? invalid(param, found[1], found[0]) : null;
}

/** Whether a post has one of some terms, written as `category:news`. */
async function termTest(terms: readonly string[], site: Site): Promise<(post: Post) => boolean> {
  const wanted = await Promise.all(
    terms.map(async (each) => {
      const [taxonomy, term = ''] = each.split(':');
      const [{ bySlug, byId }] = await resolveTerms(site, taxonomy, [term]);
      return { taxonomy, id: (bySlug ?? byId)?._id ?? 0 };
    }),
  );
  return (post) => terms.length === 0 || wanted.some(({ taxonomy, id }) => post.terms[taxonomy]?.includes(id));
}

/** The ids of documents that a test does not accept. */
const failing = <Document extends { _id: number }>(documents: readonly Document[], isFine: (document: Document) => boolean): number[] =>
  documents.filter((document) => !isFine(document)).map(({ _id }) => _id);

/** ACF: ids that are sent as texts are not looked up. */
export async function checkPosts(sent: Json, field: Field, param: string, site: Site): Promise<ArgError | null> {
  const ids = [sent].flat().filter((id): id is number => typeof id === 'number');
  const posts = await findPosts(site.store, ids);
  const [types, terms] = [namesIn(field, 'post_type'), namesIn(field, 'taxonomy')];
  return faultOf(param, [
    [ids.filter((id) => !posts.some(({ _id }) => _id === id)), 'must have a valid post ID.'],
    [
      failing(posts, ({ type }) => types.length === 0 || types.includes(type)),
      named(types, 'must be of post type %', 'must be of one of the following post types'),
    ],
    [failing(posts, await termTest(terms, site)), named(terms, 'must have term %', 'must have one of the following terms')],
  ]);
}

export async function checkUsers(sent: Json, field: Field, param: string, site: Site): Promise<ArgError | null> {
  const ids = sent === null ? [] : [sent].flat().map(Number);
  const users = await site.store.users.find({ _id: { $in: ids } }).toArray();
  const roles = namesIn(field, 'role');
  const words = ['must have a user with the % role', 'must have a user with one of the following roles'] as const;
  return faultOf(param, [
    [ids.filter((id) => !users.some(({ _id }) => _id === id)), 'must have a valid user ID.'],
    [failing(users, ({ role }) => roles.length === 0 || roles.includes(role)), named(roles, ...words)],
  ]);
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes of a size such as `2 MB`; a number alone is of megabytes. */
function bytesOf(size: Json): number {
  const [, amount = '0', unit = 'MB'] = /^([\d.]+)\s*([KMGT]B)?/i.exec(toStr(size)) ?? [];
  return Number(amount) * 1024 ** UNITS.indexOf(unit.toUpperCase());
}

function sizeText(bytes: number): string {
  const power = UNITS.findLastIndex((_unit, index) => index === 0 || bytes >= 1024 ** index);
  return `${bytes / 1024 ** power} ${UNITS[power]}`;
}

const pixels = (value: number): string => `${value}px`;

/** The limits of a file: words, the setting after `min_` and `max_`, the actual value, and how a limit is read and written. */
const LIMITS: readonly [string, string, (medium: Post) => number | undefined, (limit: Json) => number, (limit: number) => string][] = [
  ['Image width', 'width', ({ image }) => image?.width, Number, pixels],
  ['Image height', 'height', ({ image }) => image?.height, Number, pixels],
  ['File size', 'size', storedSize, bytesOf, sizeText],
];

/** How a file breaks the limits of a field: a sentence for each. */
function limitProblems(medium: Post, field: Field): string[] {
  const types = toStr(setting(field, 'mime_types') ?? '')
    .split(/[\s,]+/)
    .filter((type) => type !== '');
  const isOther = types.length > 0 && !types.includes(/\.([^.]*)$/.exec(medium.file ?? '')?.[1].toLowerCase() ?? '');
  const list = [types.slice(0, -1).join(', '), types.at(-1)].filter((part) => part !== '').join(' or ');
  const broken = LIMITS.flatMap(([what, name, actualOf, read, write]) => {
    const [least, most] = [setting(field, `min_${name}`), setting(field, `max_${name}`)];
    const actual = actualOf(medium) ?? 0;
    if (actual === 0) return [];
    if (least !== undefined && actual < read(least)) return [`${what} must be at least ${write(read(least))}.`];
    return most !== undefined && actual > read(most) ? [`${what} must not exceed ${write(read(most))}.`] : [];
  });
  return isOther ? [...broken, `File type must be ${list}.`] : broken;
}

export async function checkMedium(sent: Json, field: Field, param: string, site: Site): Promise<ArgError | null> {
  if (sent === null && isEmpty(field['required'])) return null;
  const id = idsIn(sent).at(0) ?? 0;
  const [medium] = await findPosts(site.store, [id]);
  if (medium?.type !== ATTACHMENT) return invalid(param, 'requires a valid attachment ID.', id);
  const problems = limitProblems(medium, field);
  return problems.length === 0 ? null : invalid(param, `- ${problems.join(' ')}`, id);
}
