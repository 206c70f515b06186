import { toStr } from '../../base/php/cast.js';
import { isRecord } from '../../base/values/records.js';
import { findPosts, pagesAbove } from '../../wordpress/posts/posts.js';
import { measuredSizes } from '../../wordpress/media/file-sizes.js';
import { ATTACHMENT } from '../../wordpress/model.js';
import { parseList } from '../../wordpress/rest/fields.js';
import type { RestResponse } from '../../wordpress/rest/response.js';
import { CORE } from '../../wordpress/rest/rest-fields/rest-field.js';
import type { CallContext, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import { findTerms } from '../../wordpress/terms/terms.js';
import { idsIn, type Referred } from './field-type.js';
import { objectOf } from './rest-field.js';
import { FIELD_TYPES, standardValue } from './types.js';
import { ACF, formatted, idsOf, valuesOf, type Valued } from './values.js';

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
