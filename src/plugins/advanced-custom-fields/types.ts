import { isEmpty, isNumeric, toStr } from '../../base/php/cast.js';
import { formatWall, secondsToWall } from '../../base/php/date.js';
import { strtotime } from '../../base/php/strtotime.js';
import { isRecord, lookup, type Json } from '../../base/values/records.js';
import { autop } from '../../wordpress/formatting/autop.js';
import { filterContent } from '../../wordpress/formatting/content.js';
import { escHtml } from '../../wordpress/formatting/entities.js';
import { anyPermalink } from '../../wordpress/media/attachments.js';
import { ATTACHMENT } from '../../wordpress/model.js';
import { findPost } from '../../wordpress/posts/posts.js';
import type { Schema } from '../../wordpress/rest/route.js';
import { checkMedium, checkPosts, checkUsers } from './field-type.js';
import facts from './field-types.json' with { type: 'json' };
import { asList, idsIn, invalid, numbers, setting, type Field, type Referred, type FieldType } from './field-type.js';
import { mediumOf, postsOf, rawPost, rawTerm, rawUser, urlOf } from './referred.js';

type Actions = Partial<FieldType>;

/** ACF: empty texts are shown as they are. */
const ofText =
  (change: (value: string, field: Field) => Json): FieldType['standard'] =>
  (value, field) =>
    typeof value === 'string' && !isEmpty(value) ? change(value, field) : value;

/** A stored date in the format of its field. PHP: digits are epoch seconds, unless they are a day. */
const dated: Actions = {
  standard: (value, { return_format: format }, { site }) => {
    const source = toStr(value);
    const isEpoch = isNumeric(source) && source.length !== 8;
    const seconds = isEpoch ? Number(source) : strtotime(source, { now: site.clock.seconds(), zone: 'UTC', zones: site.zones });
    return isEmpty(value) || seconds === null ? value : formatWall(toStr(format), secondsToWall(seconds));
  },
};

function colorParts(value: Json): Json {
  const source = toStr(value).replace(/^\s*#(.)(.)(.)\s*$/, '#$1$1$2$2$3$3');
  const [, ...hex] = /^\s*#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\s*$/i.exec(source) ?? [];
  const decimals = /^rgba?\(([0-9,.]+)\)/i.exec(source)?.[1].split(',').map(Number) ?? [];
  const digits = hex.map((part) => parseInt(part, 16));
  const [red, green, blue, alpha = 1] = hex.length > 0 ? digits : [3, 4].includes(decimals.length) ? decimals : [0, 0, 0, 0];
  return { red, green, blue, alpha };
}

/** The choices of a field: labels by value. */
const choicesOf = ({ choices }: Field): ReadonlyMap<string, string> =>
  new Map(choices !== null && typeof choices === 'object' ? Object.entries(choices).map(([value, label]) => [value, toStr(label)]) : []);

/** The values that may be sent. ACF: labels if all values are labels, too. */
function valuesOf(field: Field): string[] {
  const choices = choicesOf(field);
  const labels = [...choices.values()];
  return [...choices.keys()].some((value) => !labels.includes(value)) ? [...choices.keys()] : labels;
}

/** ACF: numbers may be sent as such. */
const allowed = (field: Field): Json[] => [
  ...valuesOf(field),
  ...valuesOf(field)
    .filter(isNumeric)
    .map((value) => Math.trunc(Number(value))),
];

const isNothing = (value: Json): boolean => isEmpty(value) && !isNumeric(value);

/** A value by the format of its field: the value, its label, or both. */
function chosen(value: Json, field: Field): Json {
  if (Array.isArray(value)) return value.map((each) => chosen(each, field));
  const label = choicesOf(field).get(toStr(value)) ?? value;
  if (isNothing(value)) return value;
  return field['return_format'] === 'label' ? label : field['return_format'] === 'array' ? { value, label } : value;
}

/** ACF: values of lists are kept as texts, for queries. */
const inTexts: Actions = { store: (value) => (Array.isArray(value) ? value.map(toStr) : value) };

const first = (value: Json): Json => (Array.isArray(value) ? (value[0] ?? false) : value);

const oneChoice = (others: string, more: (field: Field) => Json[]): Actions => ({
  keywords: (field) => (isEmpty(field[others]) ? { enum: [...allowed(field), ...more(field)] } : {}),
  load: first,
  standard: chosen,
});

/** Whether a field has one of several things. */
const isSingle = ({ type, multiple, field_type: kind }: Field): boolean =>
  type === 'taxonomy' ? kind === 'select' || kind === 'radio' : isEmpty(multiple);

const itemLimits = (field: Field): Schema => ({
  ...(isEmpty(field['allow_null']) ? { minItems: 1 } : {}),
  ...(isSingle(field) ? { maxItems: 1 } : {}),
});

/** The id of a value: a number, or the `ID` of an object; 0 for none (ACF: `acf_idval`). */
const idOf = (value: Json): number => idsIn(isRecord<Json>(value) ? (value['ID'] ?? value['id'] ?? 0) : value).at(0) ?? 0;

/** ACF: a list is kept as texts, a single id as a number. @param kept the value for what is no id */
const storedIds =
  (kept: (value: Json) => Json): FieldType['store'] =>
  (sent) => {
    const one = (value: Json): Json => idOf(value) || kept(value);
    return isEmpty(sent) ? sent : Array.isArray(sent) ? sent.map((each) => toStr(one(each))) : one(sent);
  };

const oneOrAll = (found: Json[], field: Field, none: Json): Json => (isSingle(field) ? (found.at(0) ?? none) : found);

/** Things by the format of a field: objects, or their ids. */
const inFormat = (value: Json, { return_format: format }: Field, objects: () => Json[]): Json[] =>
  format === 'object' ? objects() : idsIn(value);

const inPosts = (value: Json, field: Field, referred: Referred): Json[] =>
  inFormat(value, field, () => postsOf(value, field, referred).map((post) => rawPost(post, referred)));

const medium: Actions = {
  standard: (value, { return_format: format }, referred) => {
    const [id] = idsIn(value);
    const found = referred.posts.get(id);
    if (isEmpty(value) || !isNumeric(value)) return false;
    return format === 'url' ? urlOf(found, referred) : format === 'array' ? mediumOf(found, referred) : id;
  },
  store: (sent) => (isEmpty(sent) ? sent : idOf(sent)),
  check: checkMedium,
};

const ofPosts: Actions = { store: storedIds(() => 0), check: checkPosts };

/** The types that do more than their facts say. */
const ACTIONS: Readonly<Record<string, Actions>> = lookup({
  textarea: {
    standard: ofText((source, { new_lines: lines }) =>
      lines === 'wpautop' ? autop(source) : lines === 'br' ? source.replace(/\r?\n/g, '<br />$&') : source,
    ),
  },
  number: { store: (sent) => (isEmpty(sent) ? sent : toStr(sent).replaceAll(',', '')) },
  wysiwyg: { standard: ofText((source) => filterContent(source).replaceAll(']]>', ']]&gt;')) },
  // ACF: without a provider that is known, a link.
  oembed: { standard: ofText((source) => `<a href="${escHtml(source)}">${escHtml(source)}</a>`) },
  true_false: { standard: (value) => !isEmpty(value) },
  color_picker: { standard: (value, { return_format: format }) => (format === 'array' ? colorParts(value) : value) },
  date_picker: dated,
  date_time_picker: dated,
  time_picker: dated,
  select: {
    keywords: (field) => ({
      items: { ...facts.select.schema.items, enum: allowed(field) } as Schema,
      ...(field['default_value'] === false && !isSingle(field) ? { default: [] } : {}),
      ...itemLimits(field),
    }),
    load: (value, field) => (isSingle(field) ? first(value) : isNothing(value) ? [] : [value].flat()),
    standard: chosen,
    ...inTexts,
    check: (sent, field, param) => {
      const values = valuesOf(field);
      const isFine = sent === null || typeof sent === 'object' || values.includes(toStr(sent));
      return Promise.resolve(isFine ? null : invalid(param, `is not one of ${values.join(', ')}`, sent));
    },
  },
  checkbox: {
    keywords: (field) =>
      isEmpty(field['allow_custom']) ? { items: { ...facts.checkbox.schema.items, enum: allowed(field) } as Schema } : {},
    standard: (value, field) => (isNothing(value) ? [] : chosen([value].flat(), field)),
    ...inTexts,
  },
  radio: oneChoice('other_choice', ({ allow_null: isOptional }) => (isEmpty(isOptional) ? [] : [null])),
  button_group: oneChoice('', ({ allow_null: isOptional }) => (isEmpty(isOptional) ? [null] : [null, ''])),
  image: medium,
  file: medium,
  post_object: {
    ...ofPosts,
    keywords: itemLimits,
    standard: (value, field, referred) => (isEmpty(value) ? false : oneOrAll(inPosts(value, field, referred), field, false)),
  },
  page_link: {
    ...ofPosts,
    keywords: (field) => ({
      ...itemLimits(field),
      ...(isEmpty(field['allow_archives']) ? { type: ['integer', 'array', 'null'], items: { type: ['integer'] } } : {}),
    }),
    standard: (value, field, referred) => {
      const found = asList(value).flatMap((each): Json[] =>
        isNumeric(each) ? postsOf(each, field, referred).map((post) => anyPermalink(post, referred.site, referred.posts)) : [each],
      );
      return value === 'null' ? false : isEmpty(value) ? value : oneOrAll(found, field, null);
    },
    store: storedIds((value) => value),
  },
  relationship: {
    ...ofPosts,
    keywords: (field) => (isEmpty(field['allow_null']) && isEmpty(field['min']) ? { minItems: 1 } : {}),
    standard: (value, field, referred) => (isEmpty(value) ? value : inPosts(value, field, referred)),
  },
  taxonomy: {
    keywords: itemLimits,
    load: (value, field) => oneOrAll(idsIn(value), field, null),
    standard: (value, field, { terms }) => {
      const objects = (): Json[] => idsIn(value).flatMap((id) => rawTerm(terms.get(id), toStr(field['taxonomy'])));
      return isEmpty(value) ? false : oneOrAll(inFormat(value, field, objects), field, null);
    },
    store: (sent) => (Array.isArray(sent) ? sent.filter((id) => !isEmpty(id)) : sent),
  },
  user: {
    keywords: itemLimits,
    standard: (value, field, referred) => {
      const known = idsIn(value).flatMap((id) => referred.users.get(id) ?? []);
      const found = known.map((user): Json => (field['return_format'] === 'id' ? user._id : rawUser(user, referred)));
      return found.length === 0 ? false : oneOrAll(found, field, false);
    },
    store: storedIds(() => 0),
    check: checkUsers,
  },
  link: {
    standard: (value, { return_format: format }) => {
      const link = { title: '', url: value, target: '', ...(isRecord<Json>(value) ? value : {}) };
      return isEmpty(value) ? value : format === 'url' ? link.url : link;
    },
    store: (sent) => (isRecord(sent) && !isEmpty(sent['url']) ? sent : ''),
  },
  google_map: {
    load: (value) => (isEmpty(value) ? false : { address: '', lat: 0, lng: 0, ...(isRecord<Json>(value) ? value : {}) }),
    store: (sent) => (isEmpty(sent) ? false : sent),
  },
  icon_picker: {
    standard: (value, { return_format: format, default_value: usual = false }, referred) => {
      if (!isRecord<Json>(value) || isEmpty(value)) return usual as Json;
      if (value.type !== 'media_library') return format === 'string' ? value.value : value;
      const found = referred.posts.get(Number(value.value));
      return format === 'string' ? urlOf(found, referred) : { ...value, value: mediumOf(found, referred) };
    },
    check: async (sent, field, param, site) => {
      if (sent === null && !isEmpty(field['required']))
        return { code: 'rest_property_required', message: `${field.name} is a required property of acf.` };
      if (!isRecord<Json>(sent) || sent.type !== 'media_library') return null;
      const id = idOf(sent.value);
      if (typeof sent.value === 'number' && (await findPost(site.store, id))?.type === ATTACHMENT) return null;
      return invalid(`${param}[value]`, 'requires a valid attachment ID when type is set to media_library.', id);
    },
  },
});

/** The types of fields that have values, by name. Messages, tabs and accordions have none. */
export const FIELD_TYPES: ReadonlyMap<string, FieldType> = new Map(
  Object.entries(facts as object as Record<string, FieldType>).map(([name, each]) => [name, { ...each, ...ACTIONS[name] }]),
);

/** The value of a field in responses with `acf_format=standard`. */
export function standardValue(value: Json, field: Field, referred: Referred): Json {
  const standard = FIELD_TYPES.get(field.type)?.standard;
  return standard ? standard(value, field, referred) : value;
}

/** The value of a field in other responses. */
export function lightValue(value: Json, { type }: Field): Json {
  const light = FIELD_TYPES.get(type)?.light;
  if (light === 'flag') return !isEmpty(value);
  // ACF: a place that is not set is null, although others are false.
  return type === 'google_map' && isEmpty(value) ? null : light ? numbers(value) : value;
}

function presetOf({ default_value: value }: Field, preset: FieldType['preset']): Schema {
  if (preset === undefined || value === undefined || value === null || value === '') return {};
  if (preset === 'number') return isNumeric(value) ? { default: Number(value) } : {};
  return { default: preset === 'flag' ? !isEmpty(value) : (value as Json) };
}

/** PHP: a map without members is a list. */
export const propertiesOf = (fields: readonly Field[]): Record<string, Schema> =>
  fields.length === 0 ? ([] as object as Record<string, never>) : Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));

function schemaOf(field: Field): Schema {
  const { schema, limits = {}, preset, keywords } = FIELD_TYPES.get(field.type) ?? { schema: {} };
  const set = Object.entries(limits).flatMap(([keyword, name]) => {
    const value = setting(field, name);
    return value === undefined ? [] : [[keyword, isNumeric(value) ? Number(value) : value] as const];
  });
  const members = field.sub_fields ? { properties: propertiesOf(field.sub_fields) } : {};
  return {
    ...schema,
    ...Object.fromEntries(set),
    ...presetOf(field, preset),
    ...keywords?.(field),
    ...members,
    required: !isEmpty(field['required']),
  };
}
