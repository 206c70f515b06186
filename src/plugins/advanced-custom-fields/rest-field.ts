import { isRecord } from '../../base/values/records.js';
import { ATTACHMENT, type Post } from '../../wordpress/model.js';
import { checkValue, isRefused } from '../../wordpress/rest/check.js';
import { CORE, type FieldView, type RestField, type RestObject } from '../../wordpress/rest/rest-fields/shown.js';
import { Refused, type ArgError, type CallContext, type Json, type Schema, type RestResponse } from '../../wordpress/rest/route.js';
import { findPosts, pagesAbove } from '../../wordpress/posts/posts.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import { idsIn, type Field, type Referred } from './field-type.js';
import { fieldsOf, fieldsOfType, ACF, changesBySent, findField, formatted, idsOf, valuesOf, withChanges, type Valued } from './values.js';
import { FIELD_TYPES, lightValue, propertiesOf, standardValue } from './types.js';
import { toStr } from '../../base/php/cast.js';
import { measuredSizes } from '../../wordpress/media/file-sizes.js';
import { parseList } from '../../wordpress/rest/request.js';
import type { Site } from '../../wordpress/site.js';
import { findTerms } from '../../wordpress/terms/terms.js';

/** The fields that a request may write: those of a post that is there, else all of its type. */
async function fieldsFor(type: string, { site: { store, registry }, request }: CallContext): Promise<readonly Field[]> {
  const [post] = registry.findPostType(type) ? await findPosts(store, [Number(request.sources.path['id'])]) : [];
  return post ? fieldsOf(post, registry) : fieldsOfType(type, registry);
}

const schemaFor = (fields: readonly Field[]): Schema => ({
  description: 'Fields of Advanced Custom Fields.',
  type: 'object',
  properties: propertiesOf(fields),
});

/** Checks what is sent against the schema, and then against the content of the site. ACF: the first fault counts. */
const checkOf =
  (type: string) =>
  async (sent: Json, call: CallContext): Promise<true | ArgError> => {
    const { site } = call;
    const fields = await fieldsFor(type, call);
    if (fields.length === 0 || sent === null) return true;
    const checked = checkValue(sent, schemaFor(fields), ACF);
    if (isRefused(checked)) return checked;
    for (const [name, value] of Object.entries(isRecord<Json>(sent) ? sent : {})) {
      const field = findField(fields, name);
      const fault = field && (await FIELD_TYPES.get(field.type)?.check?.(value, field, `${ACF}[${field.name}]`, site));
      if (fault) return fault;
    }
    return true;
  };

const cleanedBy =
  (type: string) =>
  async (sent: Json, call: CallContext): Promise<Json | Refused> => {
    const cleaned = sent === null ? { value: null } : checkValue(sent, schemaFor(await fieldsFor(type, call)), ACF);
    return isRefused(cleaned) ? new Refused(cleaned) : cleaned.value;
  };

/** The objects whose values responses show, by the value: their links, and other formats, follow from them. */
const shownOf = new WeakMap<object, RestObject>();

/** The object of a value that `show` has made. */
const objectOf = (shown: object): RestObject | undefined => shownOf.get(shown);

function show(object: RestObject, { site }: FieldView): Json {
  const values = valuesOf(object, site.registry).map(({ field, value }) => [field.name, formatted(value, field, lightValue)] as const);
  const shown = values.length === 0 ? [] : Object.fromEntries(values);
  shownOf.set(shown, object);
  return shown;
}

const mediaOf = (post: RestObject, registry: Registry): number[] => idsOf(valuesOf(post, registry), 'medium');

/** ACF: a medium without a parent is attached to the first post whose field has it. */
const attached = (medium: Post, parent: number, now: { local: string; utc: string } | null): Post =>
  medium.type === ATTACHMENT && medium.parent === 0
    ? { ...medium, parent, ...(now && { modified: now.local, modifiedGmt: now.utc }) }
    : medium;

async function attach(_sent: Json, object: RestObject, { site }: CallContext): Promise<void> {
  const { store, registry, nowLocal: local, nowUtc: utc } = site;
  if (!('parent' in object && 'meta' in object)) return;
  for (const { _id, parent } of await findPosts(store, mediaOf(object, registry)))
    if (parent === 0) await store.changePost(_id, (medium) => attached(medium, object._id, { local, utc }));
}

/** The posts of a file, with the media of their fields attached: of the newest first. */
export function withAttachedMedia(posts: Post[], registry: Registry, now: { local: string; utc: string } | null): Post[] {
  const parents = new Map<number, number>();
  for (const post of posts.toSorted((a, b) => b._id - a._id))
    for (const id of mediaOf(post, registry)) if (!parents.has(id)) parents.set(id, post._id);
  return posts.map((post) => (parents.has(post._id) ? attached(post, parents.get(post._id) ?? 0, now) : post));
}

function acfField(type: string, registry: Registry): RestField {
  return {
    name: ACF,
    types: [type],
    schema: schemaFor(fieldsOfType(type, registry)),
    after: registry.findPostType(type) ? 'class_list' : 'meta',
    isPerRequest: true,
    show,
    args: { validate: checkOf(type), sanitize: cleanedBy(type) },
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

/** An item of a response, with the values of its fields. */
interface Item {
  shown: Record<string, Json>;
  values: Valued[];
}

/** The items of a response that have fields. */
const itemsOf = (body: Json, { registry }: Site): Item[] =>
  [body].flat().flatMap((shown): Item[] => {
    const value = isRecord<Json>(shown) ? shown[ACF] : undefined;
    const object = value !== null && typeof value === 'object' ? objectOf(value) : undefined;
    return object && isRecord<Json>(shown) ? [{ shown, values: valuesOf(object, registry) }] : [];
  });

const byId = <Document extends { _id: number }>(documents: readonly Document[]): ReadonlyMap<number, Document> =>
  new Map(documents.map((document) => [document._id, document]));

/** Loads what values refer to. @param isWhole whether more than their links is shown */
async function loadReferred(values: readonly Valued[], isWhole: boolean, { site, request }: CallContext): Promise<Referred> {
  const { store } = site;
  const ids = isWhole ? idsOf(values, 'post', 'medium', 'icon') : idsOf(values, 'post');
  const [posts, terms] = await Promise.all([findPosts(store, ids), findTerms(store, idsOf(values, 'term'))]);
  const linked: Referred = {
    site,
    user: request.user,
    posts: byId(posts),
    terms: byId(terms),
    users: byId([]),
    comments: [],
    fileSizes: new Map(),
  };
  if (!isWhole) return linked;
  const media = posts.filter(({ type }) => type === ATTACHMENT);
  const parents = await findPosts(store, [...new Set(media.map(({ parent }) => parent))]);
  const above = await pagesAbove(store, [...posts, ...parents]);
  const users = await store.users.find({ _id: { $in: idsOf(values, 'user') } }).toArray();
  const comments = await store.comments.find({ post: { $in: ids }, approved: '1' }, { projection: { post: 1 } }).toArray();
  return {
    ...linked,
    posts: byId([...above.values(), ...parents, ...posts]),
    users: byId(users),
    comments: comments.map(({ post }) => post),
    fileSizes: await measuredSizes(media, site),
  };
}

type Link = [relation: string, link: Record<string, Json>];

/** The links of a value. WP: posts that nobody may open have none. */
function linksOf({ field, value }: Valued, { site, posts, terms }: Referred): Link[] {
  const { registry } = site;
  const link = (path: string, more: Record<string, Json> = {}): Record<string, Json> => ({
    embeddable: true,
    ...more,
    href: site.restUrl(`/wp/v2/${path}`),
  });
  return idsIn(value).flatMap((id): Link[] => {
    const [kind, post, term] = [FIELD_TYPES.get(field.type)?.refersTo, posts.get(id), terms.get(id)];
    if (kind === 'user') return [['acf:user', link(`users/${id}`)]];
    if (kind === 'term')
      return term ? [['acf:term', link(`${registry.taxonomyOf(term.taxonomy).base}/${id}`, { taxonomy: term.taxonomy })]] : [];
    const type = kind === 'post' && post ? registry.findPostType(post.type) : undefined;
    if (!post || !type?.viewable || !['publish', 'inherit'].includes(post.status)) return [];
    return [[type.name === ATTACHMENT ? 'acf:attachment' : 'acf:post', link(`${type.base}/${id}`)]];
  });
}

/** ACF: the last link is added first, and one to the same object once. */
function allLinks({ values }: Item, referred: Referred): Record<string, Json[]> {
  const unique = new Map(values.flatMap((each) => linksOf(each, referred)).map((link) => [`${link[0]} ${toStr(link[1].href)}`, link]));
  const relations: Record<string, Json[]> = {};
  for (const [relation, link] of [...unique.values()].toReversed()) (relations[relation] ??= []).push(link);
  return relations;
}

/** WP: relations with a short name are the last ones. */
function withRelations(links: Json | undefined, added: Record<string, Json[]>): Json {
  const known = Object.entries(isRecord<Json>(links) ? links : {});
  const at = known.findIndex(([relation]) => relation.startsWith('wp:') || relation === 'curies');
  const place = at < 0 ? known.length : at;
  return Object.fromEntries([...known.slice(0, place), ...Object.entries(added), ...known.slice(place)]);
}

/** Adds the links of fields to the items of a response, and shows values in the format that is asked for. */
export async function withLinks(response: RestResponse, call: CallContext): Promise<void> {
  const { request, site } = call;
  if (request.namespace !== CORE || response.status >= 400) return;
  const items = itemsOf(response.body, site);
  const wanted = parseList(request.get('_fields'));
  const names = wanted.map((name) => name.split('.')[0]);
  if (items.length === 0 || (wanted.length > 0 && !names.includes(ACF))) return;
  const isWhole = request.get('acf_format') === 'standard';
  const values = items.flatMap((item) => item.values);
  const referred = await loadReferred(values, isWhole, call);
  // WP: links that are added later are in a single item, whichever fields are selected.
  const isAlone = wanted.length > 0 && !names.includes('_links') && !Array.isArray(response.body);
  for (const item of items) {
    const links = allLinks(item, referred);
    const { shown } = item;
    if (isAlone && Object.keys(links).length === 0) delete shown['_links'];
    else shown['_links'] = isAlone ? links : withRelations(shown['_links'], links);
    if (isWhole && item.values.length > 0) shown[ACF] = standardValues(item, referred);
  }
  if (isAlone) response.keepsLinks = true;
}

const standardValues = ({ values }: Item, referred: Referred): Json =>
  Object.fromEntries(
    values.map(({ field, value }) => [field.name, formatted(value, field, (each, of) => standardValue(each, of, referred))]),
  );
