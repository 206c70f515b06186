import type { Json } from '../base/values/records.js';
import type { StoredFields } from './model.js';

/** A document that may have fields of plugins that nobody emulates. */
export interface HasFields {
  fields?: StoredFields;
}

export type FieldValues = Readonly<Record<string, Json>>;

const NONE: FieldValues = {};

/** Parsed values, so that the fields of a document that is shown are parsed once. */
const parsed = new WeakMap<StoredFields, Map<string, FieldValues>>();

function parse(fields: StoredFields, namespace: string): FieldValues {
  const known = parsed.get(fields) ?? new Map<string, FieldValues>();
  const found = known.get(namespace);
  if (found) return found;
  const values = JSON.parse(fields[namespace]) as FieldValues;
  parsed.set(fields, known.set(namespace, values));
  return values;
}

export const fieldValues = ({ fields }: HasFields, namespace: string): FieldValues =>
  fields === undefined || !Object.hasOwn(fields, namespace) ? NONE : parse(fields, namespace);

/** The namespace in which copies keep addresses. */
const WITH_LINKS = 'wp/v2';

/** The path that a copied post or term had on its site, if no setting leads to it: with a language, or a date of a series. */
export function copiedPath(document: HasFields, { url }: { url: string }): string | undefined {
  const link = document.fields?.[WITH_LINKS]?.includes('"link":') ? fieldValues(document, WITH_LINKS)['link'] : undefined;
  return typeof link === 'string' && link.startsWith(`${url}/`) ? link.slice(url.length) : undefined;
}

/** Values of fields by namespace as they are stored; absent for none. */
export function storedFields(values: Readonly<Record<string, FieldValues>> | undefined): HasFields {
  const written = Object.entries(values ?? {}).filter(([, inNamespace]) => Object.keys(inNamespace).length > 0);
  return written.length === 0
    ? {}
    : { fields: Object.fromEntries(written.map(([namespace, inNamespace]) => [namespace, JSON.stringify(inNamespace)])) };
}

export const allFieldValues = ({ fields = {} }: HasFields): Record<string, FieldValues> =>
  Object.fromEntries(Object.keys(fields).map((namespace) => [namespace, parse(fields, namespace)]));

/** The fields of a document after a field has got a value. */
export const withFieldValue = (document: HasFields, namespace: string, name: string, value: Json): StoredFields => ({
  ...document.fields,
  [namespace]: JSON.stringify({ ...fieldValues(document, namespace), [name]: value }),
});

/** Replaces the links in all texts of a value. */
export function moveValue(value: Json, move: (text: string) => string): Json {
  if (typeof value === 'string') return move(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => moveValue(item, move));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, moveValue(member, move)]));
}

/** The fields of a document with other links. @param move replaces the links in a text */
export const movedFields = (document: HasFields, move: (text: string) => string): HasFields =>
  document.fields === undefined
    ? {}
    : {
        fields: Object.fromEntries(
          Object.keys(document.fields).map((namespace) => [namespace, JSON.stringify(moveValue(fieldValues(document, namespace), move))]),
        ),
      };
