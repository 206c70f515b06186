import { isRecord } from '../../base/values/records.js';
import { isEmpty, toStr } from '../../base/php/cast.js';
import { metaValue, type Post } from '../../wordpress/model.js';
import type { RestObject } from '../../wordpress/rest/rest-fields/rest-field.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import type { Field } from './field-type.js';
import { FIELD_TYPES } from './types.js';

/** A condition of a field group on the objects that have it. */
type Rule = Readonly<Record<'param' | 'operator' | 'value', string>>;

/** Fields that objects have together. */
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

const template = (post: Post): string => metaValue(post, '_wp_page_template') || 'default';

/** The sides of rules about a post that their values are compared with. */
const OF_POSTS: ReadonlyMap<string, (post: Post) => unknown> = new Map(
  Object.entries({
    post_type: ({ type }: Post) => type,
    post: ({ _id }: Post) => _id,
    page: ({ _id }: Post) => _id,
    post_status: ({ status }: Post) => status,
    post_format: ({ format = 'standard' }: Post) => format,
    page_template: template,
    post_template: template,
    page_parent: ({ parent }: Post) => parent,
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

/** The fields of an object. */
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
