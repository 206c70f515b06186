import { fieldValues, withFieldValue, type HasFields } from '../../stored-fields.js';
import type { Context } from '../context.js';
import type { Json, Schema } from '../route.js';
import type { RestField } from './rest-field.js';

/** How a site shows a field of a plugin that nobody emulates. Its values are in the objects. */
export interface DeclaredField {
  /** The value of objects without one; absent: they do not have the field. */
  default?: Json;
  /** Where it is shown. Default: in all contexts. */
  contexts?: readonly Context[];
  /** The member that it follows. Default: the last one. */
  after?: string;
  /** Whether only users who may edit the object see it. */
  edit_only?: boolean;
  /** Whether it can be written. */
  writable?: boolean;
  /** As `OPTIONS` shows it, and as values are checked. */
  schema?: Schema;
  /** The same, guessed from the values; for fields without `schema`. */
  guessed?: Schema;
}

/** Fields by type of objects, namespace and name, in the order in which they are shown. */
export type DeclaredFields = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, DeclaredField>>>>>>;

/** The schema of a declared field. */
function schemaOf({ schema, guessed, contexts, writable = false }: DeclaredField): Schema {
  const context = contexts ?? schema?.context;
  const shown = schema ?? { ...guessed, ...(writable ? {} : { readonly: true }) };
  return context === undefined ? shown : { ...shown, context };
}

function declaredField(type: string, namespace: string, name: string, declared: DeclaredField): RestField {
  const { default: preset, after, edit_only: editOnly, writable = false } = declared;
  return {
    name,
    types: [type],
    namespace,
    schema: schemaOf(declared),
    ...(after === undefined ? {} : { after }),
    ...(editOnly === undefined ? {} : { editOnly }),
    show: (object: HasFields) => {
      const values = fieldValues(object, namespace);
      return Object.hasOwn(values, name) ? values[name] : preset;
    },
    ...(writable ? { store: (value: Json, object: HasFields) => ({ fields: withFieldValue(object, namespace, name, value) }) } : {}),
  };
}

/** The fields that a dataset declares, as plugins register them. */
export const declaredRestFields = (declared: DeclaredFields): RestField[] =>
  Object.entries(declared).flatMap(([type, namespaces]) =>
    Object.entries(namespaces).flatMap(([namespace, fields]) =>
      Object.entries(fields).map(([name, field]) => declaredField(type, namespace, name, field)),
    ),
  );
