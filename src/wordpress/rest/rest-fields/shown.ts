import { onceFor, type Registry } from '../../types/registry.js';
import type { Json, Schema, CallContext, Arg, Args } from '../route.js';
import { fieldValues, withFieldValue, type HasFields } from '../../stored-fields.js';
import type { DeclaredField, DeclaredFields } from '../../types/declared-fields.js';
import type { Comment, Post, Term, User } from '../../model.js';
import type { Related } from '../../posts/related.js';
import type { Site } from '../../site.js';
import type { Context } from '../params.js';
import { fields as declaredFields } from '../args.js';

/** A stored object that the REST API shows. */
export type RestObject = Post | Term | User | Comment;

/** Who sees an object, and how. */
export interface FieldView {
  site: Site;
  user: User | null;
  context: Context;
  /** Content that is loaded with posts, also by plugins. */
  related?: Related;
}

/** A field that a plugin adds to objects of the REST API (WP: `register_rest_field`). */
export interface RestField {
  name: string;
  /** WP: the types of objects: names of post types and taxonomies, `user` and `comment`. A function gets what a site has registered. */
  types: readonly string[] | ((registry: Registry) => readonly string[]);
  /** The namespace with it. Default: `wp/v2`, and namespaces that show posts as it does. */
  namespace?: string;
  /** Schema as `OPTIONS` shows it. It is shown in its contexts; without them in all. Absent: `OPTIONS` does not show it. */
  schema?: Schema;
  /** The member that it follows. Default, and if there is none: the last one. */
  after?: string;
  /** Whether only users who may edit the object see it. */
  editOnly?: boolean;
  /** Its value; undefined: the object does not have it. */
  show: (object: RestObject, view: FieldView) => Json | undefined;
  /** Changes of the object by a write of a value. Absent: sent values are ignored (WP). */
  store?: (value: Json, object: RestObject) => object;
  /** Follows a write: the object is stored by then. */
  stored?: (value: Json, object: RestObject, call: CallContext) => Promise<void>;
  /** Checks and cleans sent values instead of the schema, which `OPTIONS` shows. */
  args?: Pick<Arg, 'validate' | 'sanitize'>;
  /**
   * Whether it is registered for requests to the routes of its objects (WP: in `rest_pre_dispatch`): it is in no index and in no other
   * namespace, and what a site declares under its name is ignored.
   */
  isPerRequest?: boolean;
}

declare module '../../types/hooks.js' {
  interface Hooks {
    restFields: readonly RestField[] | ((registry: Registry) => readonly RestField[]);
  }
}

export const CORE = 'wp/v2';

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
    if (known >= 0 && after === undefined) {
      members[known] = [name, value];
      continue;
    }
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

/** WP: null counts as not sent. */
function sentValues(type: string, { request, site }: CallContext, namespace: string): [RestField, Json][] {
  return restFieldsOf(site.registry, type, namespace).flatMap((field): [RestField, Json][] => {
    const isOutside = field.isPerRequest === true && request.namespace !== CORE;
    const value = field.store && !isOutside ? request.get(field.name) : undefined;
    return value === undefined || value === null ? [] : [[field, value]];
  });
}

const changesOf = (object: RestObject, sent: readonly [RestField, Json][]): Partial<RestObject> =>
  sent.reduce<Partial<RestObject>>(
    (changes, [field, value]) => ({ ...changes, ...field.store?.(value, { ...object, ...changes } as RestObject) }),
    {},
  );

/** Stores changes of an object, unless it is a post. @returns false if it is one */
async function update(object: RestObject, type: string, changes: Partial<RestObject>, { store, registry }: Site): Promise<boolean> {
  const filter = { _id: object._id };
  if (type === 'user') await store.users.updateOne(filter, { $set: changes as Partial<User> });
  else if (type === 'comment') await store.comments.updateOne(filter, { $set: changes as Partial<Comment> });
  else if (registry.findTaxonomy(type)) await store.terms.updateOne(filter, { $set: changes as Partial<Term> });
  else return false;
  return true;
}

/**
 * Stores what a request sends for the fields of plugins, after the rest of the object (WP: `update_additional_fields_for_object`).
 * @param object as it is stored
 * @returns the object with them
 */
export async function withSentFields<Stored extends RestObject>(
  object: Stored,
  type: string,
  call: CallContext,
  namespace = CORE,
): Promise<Stored> {
  const sent = sentValues(type, call, namespace);
  if (sent.length === 0) return object;
  const stored = await storeSent(object, type, sent, call);
  for (const [field, value] of sent) await field.stored?.(value, stored, call);
  return stored;
}

async function storeSent<Stored extends RestObject>(
  object: Stored,
  type: string,
  sent: readonly [RestField, Json][],
  call: CallContext,
): Promise<Stored> {
  const changes = changesOf(object, sent);
  if (await update(object, type, changes, call.site)) return { ...object, ...changes };
  const change = (current: Post): Post => ({ ...current, ...(changesOf(current, sent) as Partial<Post>) });
  const stored = await call.site.store.changePost(object._id, change, object as Post);
  return { ...object, ...stored?.after };
}

export const fieldSchemas = (fields: readonly RestField[]): Record<string, Schema> =>
  Object.fromEntries(fields.flatMap(({ name, schema }) => (schema ? [[name, schema] as const] : [])));

/** The argument of a field in a write. WP: its schema, without contexts. */
function argOf({ context: _context, readonly: _readonly, required, description = '', ...schema }: Schema): Arg {
  return { ...schema, description, ...(required === undefined ? {} : { required }) };
}

/** The arguments of writes for fields. WP: fields without a schema, and fields that are only read, are none. */
export const fieldArgs = (fields: readonly RestField[]): Args =>
  declaredFields(
    Object.fromEntries(
      fields.flatMap(({ name, schema, args, isPerRequest }) => {
        if (!schema || schema.readonly) return [];
        return [[name, { ...argOf(schema), ...args, ...(isPerRequest ? { isUnlisted: true } : {}) }] as const];
      }),
    ),
  );
