import { fieldValues, withFieldValue, type HasFields } from '../../stored-fields.js';
import type { DeclaredField, DeclaredFields } from '../../types/declared-fields.js';
import type { Json, Schema } from '../route.js';
import type { RestField } from './rest-field.js';

/** The schema of a declared field. One that is only guessed promises no writes. */
function schemaOf({ schema, guessed, contexts, writable = false }: DeclaredField): Schema {
  const shown = (schema ?? { ...guessed, ...(writable ? {} : { readonly: true }) }) as Schema;
  return contexts === undefined ? shown : { ...shown, context: contexts };
}

function declaredField(type: string, namespace: string, name: string, declared: DeclaredField): RestField {
  const { default: preset, after, edit_only: editOnly = false, writable = false } = declared;
  return {
    name,
    types: [type],
    namespace,
    schema: schemaOf(declared),
    ...(after === undefined ? {} : { after }),
    editOnly,
    show: (object: HasFields) => {
      const values = fieldValues(object, namespace);
      return Object.hasOwn(values, name) ? values[name] : preset;
    },
    ...(writable ? { store: (value: Json, object: HasFields) => ({ fields: withFieldValue(object, namespace, name, value) }) } : {}),
  };
}

/** The fields that a site declares, as plugins register them. */
export const declaredRestFields = (declared: DeclaredFields = {}): RestField[] =>
  Object.entries(declared).flatMap(([type, namespaces]) =>
    Object.entries(namespaces).flatMap(([namespace, fields]) =>
      Object.entries(fields).map(([name, field]) => declaredField(type, namespace, name, field)),
    ),
  );
