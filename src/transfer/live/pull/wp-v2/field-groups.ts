import { toStr } from '../../../../base/php/cast.js';
import { isRecord, lookup, membersOf, type Json } from '../../../../base/values/records.js';
import type { DeclaredFields, FieldSchema } from '../../../../wordpress/types/declared-fields.js';
import type { CoreItem } from './item.js';
import type { Hooks } from '../../../../wordpress/types/hooks.js';
import FIELD_SIGNS from './field-signs.json' with { type: 'json' };

/** The member of objects with the fields of Advanced Custom Fields. */
export const ACF = 'acf';

/** A value of a field in both formats. */
type Sample = readonly [light: Json, standard: Json];

/** Types of fields by what their schemas have: types, and a keyword or a property, which may have a value. The first that fits counts. */
const SIGNS = FIELD_SIGNS as [types: string, sign: string, type: string][];

const has = (schema: FieldSchema, sign: string): boolean => {
  if (sign.startsWith('.')) return membersOf(schema['properties'])?.[sign.slice(1)] !== undefined;
  const [, keyword, value] = /^(\w*) ?(.+)?$/.exec(sign)!;
  const given = schema[keyword];
  // Dates have their format there.
  if (keyword === 'description') return toStr(given).includes(value);
  if (Array.isArray(given) && value === 'null') return given.includes(null);
  return keyword === '' || (value === undefined ? given !== undefined : toStr(given) === value);
};

/** The choices in a schema, without the numbers that stand for some. */
const choices = (list: unknown): Record<string, string> =>
  Object.fromEntries((Array.isArray(list) ? list : []).flatMap((each) => (typeof each === 'string' && each !== '' ? [[each, each]] : [])));

/** Settings that follow from keywords of a schema. */
function settingsOf(schema: FieldSchema): Record<string, unknown> {
  const { required, default: preset, maxLength, minimum, maximum, minItems, maxItems, items, enum: values } = schema;
  const list = isRecord(items) ? items['enum'] : values;
  return {
    ...(required === true ? { required: 1 } : {}),
    ...(preset === undefined ? {} : { default_value: preset }),
    ...(maxLength === undefined ? {} : { maxlength: maxLength }),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
    ...(Number(minItems) > 1 ? { min: minItems } : {}),
    ...(Number(maxItems) > 1 ? { max: maxItems } : {}),
    allow_null: minItems === undefined && !(Array.isArray(values) && !values.includes('')) ? 1 : 0,
    multiple: maxItems === 1 ? 0 : 1,
    ...(list === undefined ? {} : { choices: choices(list) }),
  };
}

/** Target of a link: `acf:user`, or a relation and a taxonomy. */
type Target = readonly [relation: string, taxonomy: string];

const targetsOf = (item: CoreItem, id: number): Target[] =>
  Object.entries(membersOf(item['_links']) ?? {}).flatMap(([relation, links]) =>
    (relation.startsWith('acf:') && Array.isArray(links) ? links.filter(isRecord) : [])
      .filter(({ href }) => Number(/(\d+)$/.exec(toStr(href))?.[1]) === id)
      .map(({ taxonomy }): Target => [relation, toStr(taxonomy)]),
  );

/** Types of fields that show null without a value, by those that show an empty text. */
const EMPTY_IS_NULL: Record<string, string> = lookup({ text: 'password', url: 'oembed' });

/** The types of objects that have fields. */
export const typesWithFields = (declared: DeclaredFields): { type: string; properties: object }[] =>
  Object.entries(declared).flatMap(([type, { 'wp/v2': fields }]) => {
    const properties = fields?.[ACF]?.schema?.['properties'];
    return isRecord(properties) ? [{ type, properties }] : [];
  });

/** Finds out which types the fields of Advanced Custom Fields have that a site shows: from their schemas, values and links. */
export class FieldGuesses {
  /** Targets that all values of a field have, by type and field: objects of different kinds may have the same id. */
  private readonly linked = new Map<string, Target[]>();
  /** How values show formats; undefined: no type has fields. */
  formatOf?: Hooks['fieldFormats'];
  private readonly samples = new Map<string, Sample[]>();

  /** Notes the values of objects in both formats. */
  compare(type: string, light: readonly CoreItem[], standard: readonly CoreItem[]): void {
    const shown = new Map(standard.map(({ id, [ACF]: values }) => [id, values]));
    for (const { id, [ACF]: values = null } of light) this.addSample(type, [values, shown.get(id) ?? null]);
  }

  /** Adds a value, and each member of a group. */
  private addSample(key: string, [light, standard]: Sample): void {
    this.samples.set(key, [...(this.samples.get(key) ?? []), [light, standard]]);
    if (isRecord<Json>(light) && isRecord<Json>(standard))
      for (const [name, value] of Object.entries(light)) this.addSample(`${key} ${name}`, [value, standard[name] ?? null]);
  }

  note(type: string, item: CoreItem): void {
    for (const [name, value] of Object.entries(membersOf(item[ACF]) ?? {}))
      for (const id of [value].flat().filter((each) => typeof each === 'number')) {
        const [key, targets] = [`${type} ${name}`, targetsOf(item, id)];
        const common = this.linked.get(key)?.filter((each) => targets.some((target) => target.join() === each.join()));
        this.linked.set(key, common ?? targets);
      }
  }

  /** @param key the type of the objects, and the names that lead to the field */
  private fieldOf(key: string, name: string, schema: FieldSchema): Record<string, unknown> | null {
    const types = [schema['type']].flat().map(toStr).join();
    const guessed = SIGNS.find(([each, sign]) => each === types && has(schema, sign))?.[2];
    if (guessed === undefined) return null;
    const members = guessed === 'group' ? this.fieldsOf(key, schema['properties']) : undefined;
    if (members === null) return null;
    const field = { ...settingsOf(schema), name, ...this.typeOf(key, guessed, schema), ...(members ? { sub_fields: members } : {}) };
    return { ...field, ...this.formatOf?.(field, this.samples.get(key) ?? []) };
  }

  /** The type of a field, by the objects that it refers to, and what shows that it has none. */
  private typeOf(key: string, guessed: string, { maxItems }: FieldSchema): { type: string; [setting: string]: string } {
    const targets = guessed === 'relationship' || guessed === 'post_object' ? this.linked.get(key) : [];
    const of = (relation: string): Target | undefined => targets?.find(([each]) => each === relation);
    if (of('acf:user')) return { type: 'user' };
    const taxonomy = of('acf:term')?.[1];
    if (taxonomy !== undefined) return { type: 'taxonomy', taxonomy, field_type: maxItems === 1 ? 'select' : 'checkbox' };
    const isNull = this.samples.get(key)?.some(([light]) => light === null);
    return { type: (isNull && EMPTY_IS_NULL[guessed]) || guessed };
  }

  private fieldsOf(path: string, properties: unknown): Record<string, unknown>[] | null {
    const fields = Object.entries(membersOf(properties) ?? {}).map(([name, schema]) =>
      this.fieldOf(`${path} ${name}`, name, schema as FieldSchema),
    );
    return fields.every((field) => field !== null) ? fields : null;
  }

  /**
   * The field groups of a site, one for each type of objects with fields.
   * @param declared the fields of the site as they are shown
   * @returns null if there are none, or if a field is of a type that is not known, such as those of the paid version
   */
  groups(declared: DeclaredFields): Record<string, object> | null {
    const all = typesWithFields(declared).map(({ type, properties }) => ({ type, fields: this.fieldsOf(type, properties) }));
    if (all.length === 0 || all.some(({ fields }) => fields === null)) return null;
    return Object.fromEntries(all.map(({ type, fields }) => [`group_${type}`, { title: type, location: type, show_in_rest: 1, fields }]));
  }
}

const filled = <T extends object>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.filter(([, value]) => Object.keys(value).length > 0));

/** The declared fields without those that field groups have. */
export const withoutAcf = (declared: DeclaredFields): DeclaredFields =>
  filled(
    Object.entries(declared).map(([type, namespaces]) => [
      type,
      filled(Object.entries(namespaces).map(([namespace, { [ACF]: _acf, ...fields }]) => [namespace, fields])),
    ]),
  );
