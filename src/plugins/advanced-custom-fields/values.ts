import { serialize, unserialize } from 'php-serialize';
import { isRecord } from '../../base/values/records.js';
import { toStr, isEmpty } from '../../base/php/cast.js';
import { metaValue, PAGE, POST, withMeta, type MetaRow, type Post } from '../../wordpress/model.js';
import { CORE, type RestObject } from '../../wordpress/rest/rest-fields/shown.js';
import type { Json } from '../../wordpress/rest/route.js';
import { fieldValues, withFieldValue } from '../../wordpress/stored-fields.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import { idsIn, type Field, type Reference } from './field-type.js';
import { FIELD_TYPES } from './types.js';

/** A condition of a field group on the objects that have it. */
type Rule = Readonly<Record<'param' | 'operator' | 'value', string>>;

interface FieldGroup {
  fields: readonly Field[];
  /** Any list of rules that all match. */
  location: readonly (readonly Rule[])[];
}

/** Fields with the settings that their types have by default. Those of types without values are left out. */
const completeFields = (fields: unknown, parent: string): Field[] =>
  [fields].flat().flatMap((given: unknown) => {
    const { type = 'text', name, key = `field_${parent}_${toStr(name)}`, ...settings } = isRecord(given) ? given : {};
    const known = FIELD_TYPES.get(toStr(type));
    if (!known) return [];
    const field: Field = { ...known.defaults, ...settings, key: toStr(key), name: toStr(name), type: toStr(type) };
    return [settings['sub_fields'] ? { ...field, sub_fields: completeFields(settings['sub_fields'], field.key) } : field];
  });

/** The parameter of rules that say of which type an object is. */
const paramOf = (type: string, registry: Registry): string =>
  type === 'user' ? 'user_form' : type === 'comment' ? type : registry.findTaxonomy(type) ? 'taxonomy' : 'post_type';

/** Rules as they are exported, or the names of types. */
const locationOf = (given: unknown, registry: Registry): Rule[][] =>
  [given].flat().map((each: unknown): Rule[] => {
    if (typeof each === 'string') return [{ param: paramOf(each, registry), operator: '==', value: each }];
    const rules = (Array.isArray(each) ? each : []).filter(isRecord<string>);
    return rules.map(({ param, operator = '==', value }) => ({ param: toStr(param), operator, value: toStr(value) }));
  });

type Given = Readonly<Record<string, unknown>>;

const byPlace = (a: Given, b: Given): number =>
  Number(a['menu_order'] ?? 0) - Number(b['menu_order'] ?? 0) || (toStr(a['title']) < toStr(b['title']) ? -1 : 1);

/** The field groups of a site that the API shows, in their order. A group that does not say whether it is shown is. */
const fieldGroups = onceFor((registry): FieldGroup[] =>
  Object.entries(registry.declarations.acf_field_groups ?? {})
    .map(([key, group]): Given => ({ ...group, key }))
    .filter(({ active = true, show_in_rest: isShown = true }) => !isEmpty(active) && !isEmpty(isShown))
    .toSorted(byPlace)
    .map(({ key, fields, location }) => ({
      fields: completeFields(fields, toStr(key).replace(/^group_/, '')),
      location: locationOf(location, registry),
    })),
);

/** WP: other types than pages have no templates, if a theme does not add some. */
const template = (post: Post): string | undefined => metaValue(post, '_wp_page_template') || (post.type === PAGE ? 'default' : undefined);

/** The sides of rules about a post that their values are compared with. */
const OF_POSTS: ReadonlyMap<string, (post: Post) => unknown> = new Map(
  Object.entries({
    post_type: ({ type }: Post) => type,
    post: ({ _id }: Post) => _id,
    page: ({ _id }: Post) => _id,
    post_status: ({ status }: Post) => status,
    post_format: ({ type, format = type === POST ? 'standard' : '' }: Post) => format,
    page_template: template,
    post_template: template,
    page_parent: ({ parent }: Post) => parent,
    page_type: ({ parent }: Post) => (parent === 0 ? 'top_level' : 'child'),
  }),
);

/** All of the objects: what rules about users and comments mean, since the API has no forms. */
const ALL = 'all';

/** The side of a rule that its value is compared with; undefined: it is not about this object. */
function compared(param: string, object: RestObject): unknown {
  if ('taxonomy' in object) return param === 'taxonomy' ? object.taxonomy : undefined;
  if ('login' in object) return param === 'user_form' ? ALL : param === 'user_role' ? object.role : undefined;
  return 'meta' in object ? OF_POSTS.get(param)?.(object) : param === 'comment' ? ALL : undefined;
}

const matches = ({ operator, value }: Rule, actual: unknown): boolean =>
  actual !== undefined && (value === ALL || actual === ALL || toStr(actual) === value) === (operator !== '!=');

export const fieldsOf = (object: RestObject, registry: Registry): Field[] =>
  fieldGroups(registry).flatMap(({ fields, location }) =>
    location.some((rules) => rules.every((rule) => matches(rule, compared(rule.param, object)))) ? fields : [],
  );

/** The fields that objects of a type may have: of groups with a rule about the type. */
export function fieldsOfType(type: string, registry: Registry): Field[] {
  const wanted = paramOf(type, registry);
  const isOfType = (rule: Rule): boolean =>
    type === 'user' ? rule.param.startsWith('user_') : rule.param === wanted && matches(rule, type === 'comment' ? ALL : type);
  return fieldGroups(registry).flatMap(({ fields, location }) => (location.some((rules) => rules.some(isOfType)) ? fields : []));
}

/** The member of objects with the values. */
export const ACF = 'acf';

/** The names that lead to a value: of a field, and of the members of groups. */
type Path = readonly string[];

const GROUP = 'group';

/** JSON has no large integers. */
const withoutLarge = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** A stored text as a value. WP: lists and objects are serialized. Datasets may have JSON instead. */
function parsed(text: string): Json {
  try {
    const json = /^a:\d+:\{/.test(text) ? JSON.stringify(unserialize(text), withoutLarge) : text;
    return /^[[{]/.test(json) ? (JSON.parse(json) as Json) : text;
  } catch {
    return text;
  }
}

const isStructured = (value: Json): boolean => value !== null && typeof value === 'object';

/** PHP: how a value becomes a text in the database. */
const storedText = (value: Json): string => (isStructured(value) ? serialize(value) : value === true ? '1' : toStr(value));

/** The values of an object that are kept as a dataset has them. */
const ownValues = (object: RestObject): Readonly<Record<string, Json>> | undefined => {
  const values = fieldValues(object, CORE);
  const own = Object.hasOwn(values, ACF) ? values[ACF] : undefined;
  return isRecord<Json>(own) ? own : undefined;
};

const member = (value: Json | undefined, name: string): Json | undefined =>
  isRecord<Json>(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The stored value at a path. A value of a dataset is as responses show it: null, and false of a field that is no switch, stand for none. */
function storedAt(object: RestObject, path: Path, { type }: Field): Json | undefined {
  const text = 'meta' in object ? metaValue(object, path.join('_')) : undefined;
  if (text !== undefined) return parsed(text);
  const value = path.reduce<Json | undefined>(member, ownValues(object));
  if (value === undefined || value === null || (value === false && type !== 'true_false')) return undefined;
  return typeof value === 'string' ? parsed(value) : isStructured(value) ? value : storedText(value);
}

/** The value of a field of an object, before it is formatted. */
function valueOf(object: RestObject, field: Field, path: Path = [field.name]): Json {
  const { type, sub_fields: members } = field;
  if (type === GROUP && members) return Object.fromEntries(members.map((each) => [each.name, valueOf(object, each, [...path, each.name])]));
  const value = storedAt(object, path, field) ?? (field['default_value'] as Json | undefined) ?? null;
  const load = FIELD_TYPES.get(type)?.load;
  return load ? load(value, field) : value;
}

export interface Valued {
  field: Field;
  value: Json;
}

export const valuesOf = (object: RestObject, registry: Registry): Valued[] =>
  fieldsOf(object, registry).map((field) => ({ field, value: valueOf(object, field) }));

/** The ids of some kinds of things in values. */
export function idsOf(values: readonly Valued[], ...kinds: Reference[]): number[] {
  const found = new Set<number>();
  for (const each of values)
    formatted(each.value, each.field, (value, { type }) => {
      if (kinds.some((kind) => FIELD_TYPES.get(type)?.refersTo === kind)) for (const id of idsIn(value)) found.add(id);
      return value;
    });
  return [...found];
}

/** Applies a format to the value of a field, and to each member of a group. */
export function formatted(value: Json, field: Field, format: (value: Json, field: Field) => Json): Json {
  if (field.type !== GROUP || !field.sub_fields || !isRecord<Json>(value)) return format(value, field);
  return Object.fromEntries(field.sub_fields.map((each) => [each.name, formatted(value[each.name], each, format)]));
}

/** A value to store; null removes it. */
interface Change extends Valued {
  path: Path;
}

/** Changes by a value that is sent for a field. ACF: members of a group that are not sent stay; no object removes them all. */
function changesBy(sent: Json, field: Field, path: Path = [field.name]): Change[] {
  const { type, sub_fields: members } = field;
  const store = FIELD_TYPES.get(type)?.store;
  if (type !== GROUP || !members) return [{ field, path, value: store ? store(sent, field) : sent }];
  const own: Change = { field, path, value: isStructured(sent) ? '' : null };
  const changes = members.flatMap((each): Change[] => {
    const value = isStructured(sent) ? (member(sent, each.key) ?? member(sent, each.name)) : null;
    return value === undefined || (value === null && isStructured(sent)) ? [] : changesBy(value, each, [...path, each.name]);
  });
  return [...changes, own];
}

export const findField = (fields: readonly Field[], name: string): Field | undefined =>
  fields.find((field) => field.name === name || field.key === name);

/** Changes by all that is sent. What is no field is ignored. */
export const changesBySent = (sent: Json, fields: readonly Field[]): Change[] =>
  Object.entries(isRecord<Json>(sent) ? sent : {}).flatMap(([name, value]) =>
    [findField(fields, name) ?? []].flat().flatMap((field) => changesBy(value, field)),
  );

/** ACF: a value has a second row with the key of its field. */
const withRows = (meta: MetaRow[], { path, value, field }: Change): MetaRow[] => {
  const name = path.join('_');
  return withMeta(withMeta(meta, name, value === null ? [] : [storedText(value)]), `_${name}`, value === null ? [] : [field.key]);
};

function withMember(own: Json | undefined, [name, ...rest]: Path, value: Json): Json {
  const known = isRecord<Json>(own) ? own : {};
  return { ...known, [name]: rest.length === 0 ? value : withMember(known[name], rest, value) };
}

/** An object after changes: rows of meta, or the values of a dataset if it has those. */
export function withChanges(object: RestObject, changes: readonly Change[]): object {
  const own = ownValues(object);
  if ('meta' in object && !own) return { meta: changes.reduce(withRows, object.meta) };
  const simple = changes.filter(({ field }) => field.type !== GROUP);
  const values = simple.reduce<Json>((known, { path, value }) => withMember(known, path, value), own ?? {});
  return { fields: withFieldValue(object, CORE, ACF, values) };
}
