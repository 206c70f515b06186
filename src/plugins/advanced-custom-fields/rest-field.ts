import { isRecord } from '../../base/values/records.js';
import { ATTACHMENT, type Post } from '../../wordpress/model.js';
import { checkValue, isRefused } from '../../wordpress/rest/check.js';
import type { FieldView, RestField, RestObject } from '../../wordpress/rest/rest-fields/rest-field.js';
import type { ArgError, CallContext, Json, Schema } from '../../wordpress/rest/route.js';
import { findPosts } from '../../wordpress/posts/posts.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import type { Field } from './field-type.js';
import { fieldsOf, fieldsOfType } from './groups.js';
import { FIELD_TYPES, lightValue, propertiesOf } from './types.js';
import { ACF, changesBySent, findField, formatted, idsOf, valuesOf, withChanges } from './values.js';

/** Checks what is sent against the schema, and then against the content of the site. ACF: the first fault counts. */
const checkOf =
  (schema: Schema, fields: readonly Field[]) =>
  async (sent: Json, { site }: CallContext): Promise<true | ArgError> => {
    if (fields.length === 0 || sent === null) return true;
    const checked = checkValue(sent, schema, ACF);
    if (isRefused(checked)) return checked;
    for (const [name, value] of Object.entries(isRecord<Json>(sent) ? sent : {})) {
      const field = findField(fields, name);
      const fault = field && (await FIELD_TYPES.get(field.type)?.check?.(value, field, `${ACF}[${field.name}]`, site));
      if (fault) return fault;
    }
    return true;
  };

/** The objects whose values responses show, by the value: their links, and other formats, follow from them. */
const shownOf = new WeakMap<object, RestObject>();

/** The object of a value that `show` has made. */
export const objectOf = (shown: object): RestObject | undefined => shownOf.get(shown);

function show(object: RestObject, { site }: FieldView): Json {
  const values = valuesOf(object, site.registry).map(({ field, value }) => [field.name, formatted(value, field, lightValue)] as const);
  const shown = values.length === 0 ? [] : Object.fromEntries(values);
  shownOf.set(shown, object);
  return shown;
}

/** The media of the fields of a post. */
const mediaOf = (post: RestObject, registry: Registry): number[] => idsOf(valuesOf(post, registry), 'medium');

/** ACF: a medium without a parent is attached to the first post whose field has it. */
const attached = (medium: Post, parent: number, { local, utc }: { local: string; utc: string }): Post =>
  medium.type === ATTACHMENT && medium.parent === 0 ? { ...medium, parent, modified: local, modifiedGmt: utc } : medium;

async function attach(_sent: Json, object: RestObject, { site }: CallContext): Promise<void> {
  const { store, registry, nowLocal: local, nowUtc: utc } = site;
  if (!('parent' in object && 'meta' in object)) return;
  for (const { _id, parent } of await findPosts(store, mediaOf(object, registry)))
    if (parent === 0) await store.changePost(_id, (medium) => attached(medium, object._id, { local, utc }));
}

/** The posts of a file, with the media of their fields attached: of the newest first. */
export function withAttachedMedia(posts: Post[], registry: Registry, now: { local: string; utc: string }): Post[] {
  const parents = new Map<number, number>();
  for (const post of posts.toSorted((a, b) => b._id - a._id))
    for (const id of mediaOf(post, registry)) if (!parents.has(id)) parents.set(id, post._id);
  return posts.map((post) => (parents.has(post._id) ? attached(post, parents.get(post._id) ?? 0, now) : post));
}

function acfField(type: string, registry: Registry): RestField {
  const fields = fieldsOfType(type, registry);
  const schema: Schema = { description: 'Fields of Advanced Custom Fields.', type: 'object', properties: propertiesOf(fields) };
  return {
    name: ACF,
    types: [type],
    schema,
    after: registry.findPostType(type) ? 'class_list' : 'meta',
    isPerRequest: true,
    show,
    validate: checkOf(schema, fields),
    store: (sent, object) => withChanges(object, changesBySent(sent, fieldsOf(object, registry))),
    stored: attach,
  };
}

/** The member `acf` of all objects. */
export const acfFields = onceFor((registry): RestField[] =>
  [...registry.postTypes, ...registry.taxonomies]
    .map(({ name }) => name)
    .concat('user', 'comment')
    .map((type) => acfField(type, registry)),
);
