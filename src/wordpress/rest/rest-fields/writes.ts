import type { Comment, Post, Term, User } from '../../model.js';
import type { Site } from '../../site.js';
import type { CallContext, Json, Arg, Args, Schema } from '../route.js';
import { CORE, restFieldsOf, type RestField, type RestObject } from './shown.js';
import { fields as writable } from '../args.js';

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
  writable(
    Object.fromEntries(
      fields.flatMap(({ name, schema, validate, isPerRequest }) => {
        if (!schema || schema.readonly) return [];
        return [[name, { ...argOf(schema), ...(validate ? { validate } : {}), ...(isPerRequest ? { isUnlisted: true } : {}) }] as const];
      }),
    ),
  );
