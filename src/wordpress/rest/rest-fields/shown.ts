import { onceFor, type Registry } from '../../types/registry.js';
import type { Json, Schema } from '../route.js';
import { CORE, type FieldView, type RestField, type RestObject } from './rest-field.js';
import { fieldValues, withFieldValue, type HasFields } from '../../stored-fields.js';
import type { DeclaredField, DeclaredFields } from '../../types/declared-fields.js';

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
const declaredRestFields = (declared: DeclaredFields = {}): RestField[] =>
  Object.entries(declared).flatMap(([type, namespaces]) =>
    Object.entries(namespaces).flatMap(([namespace, fields]) =>
      Object.entries(fields).map(([name, field]) => declaredField(type, namespace, name, field)),
    ),
  );

const NONE: readonly RestField[] = [];

/** The fields by namespace and type; one that is registered again replaces the first (WP). */
const places = onceFor((registry) => {
  const found = new Map<string, Map<string, RestField[]>>();
  const declared = declaredRestFields(registry.declarations.fields);
  const ofPlugins = registry.hooks('restFields').flatMap((fields) => (typeof fields === 'function' ? fields(registry) : fields));
  for (const field of [...ofPlugins, ...declared]) {
    const { namespace = CORE, name } = field;
    const types = found.get(namespace) ?? new Map<string, RestField[]>();
    found.set(namespace, types);
    for (const type of typeof field.types === 'function' ? field.types(registry) : field.types) {
      const fields = types.get(type) ?? [];
      const known = fields.findIndex((other) => other.name === name);
      if (fields[known]?.isPerRequest) continue;
      fields.splice(known < 0 ? fields.length : known, known < 0 ? 0 : 1, field);
      types.set(type, fields);
    }
  }
  return found;
});

/** The fields that plugins add to objects of a type in a namespace. */
export const restFieldsOf = (registry: Registry, type: string, namespace = CORE): readonly RestField[] =>
  places(registry).get(namespace)?.get(type) ?? NONE;

/** Adds members, each after its key, and the others as the last ones. */
function placed(shown: Record<string, Json>, added: readonly (readonly [RestField, Json])[]): Record<string, Json> {
  if (added.every(([{ after }]) => after === undefined)) {
    for (const [{ name }, value] of added) shown[name] = value;
    return shown;
  }
  const members = Object.entries(shown);
  // Several after the same member stay in their order.
  const last = new Map<string, string>();
  for (const [{ name, after }, value] of added) {
    const known = members.findIndex(([key]) => key === name);
    if (known >= 0) members.splice(known, 1);
    const anchor = after === undefined ? undefined : (last.get(after) ?? after);
    const at = members.findIndex(([key]) => key === anchor);
    members.splice(at < 0 ? members.length : at + 1, 0, [name, value]);
    if (after !== undefined && at >= 0) last.set(after, name);
  }
  return Object.fromEntries(members);
}

/**
 * Adds the fields of plugins to an object (WP: `add_additional_fields_to_object`).
 * @param shown its members without links, which this may change
 * @param mayEdit whether the user may edit the object
 */
export function withRestFields(
  shown: Record<string, Json>,
  object: RestObject,
  type: string,
  view: FieldView,
  mayEdit: () => boolean,
  namespace = CORE,
): Record<string, Json> {
  const fields = restFieldsOf(view.site.registry, type, namespace);
  if (fields.length === 0) return shown;
  const added: [RestField, Json][] = [];
  for (const field of fields) {
    const { context } = field.schema ?? {};
    if (context && !context.includes(view.context)) continue;
    if (field.editOnly && !mayEdit()) continue;
    const value = field.show(object, view);
    if (value !== undefined) added.push([field, value]);
  }
  return placed(shown, added);
}
