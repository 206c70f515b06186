import { linkedFilters, planLinked } from '../lists/linked-filters.js';
import { linkedWrites } from './save.js';
import { LINKED_MESSAGES } from '../messages.js';
import { requireReadable, slugArg, type PostResource } from '../resource.js';
import { ucfirst } from '../../../../base/php/cast.js';
import { LINKED, VENUE_FIELDS, readText, readTexts, regionHtml, flagFields, textFields, readFlag, eachText } from '../../model/event.js';
import type { LinkedKind, TextNames, Fields, FlagNames, TextField } from '../../model/event.js';
import { linkedText } from '../../model/linked.js';
import type { DocFacts } from '../doc/doc-facts.js';
import { canRead, canWithPosts } from '../../../../wordpress/users/capabilities.js';
import { antispam } from '../../../../wordpress/formatting/email.js';
import { jsonLdName } from '../../../../wordpress/formatting/json-ld-text.js';
import { escHtml, escUrl } from '../../../../wordpress/formatting/sanitize.js';
import { markedTitle, shownJsonLdDescription, shownContent, shownExcerpt, shownTitle } from '../../../../wordpress/posts/rendered.js';
import { imageJsonLd, globalId, globalIdLineage, imageOf, isWithheldFrom, permalink, areLast, withAddedFields } from '../view.js';
import type { View } from '../view.js';
import type { Post } from '../../../../wordpress/model.js';
import type { PersonJsonLd, PlaceJsonLd, PostalAddress, Event, EventJsonLd } from '../../../../sdk/types/responses.js';
import { coordinatesOf } from '../../model/coordinates.js';
import { postId, stringOrEmpty, urlOrEmpty, type ArgsOf, type TextArg } from '../validators.js';
import type { ById } from '../../../../sdk/types/params.js';
import type { Arg } from '../../../../wordpress/rest/route.js';

/** Parameters of the by-id routes of venues and organizers. TEC: an invalid id is an invalid parameter, not a missing route. */
const linkedIdArgs = (postType: string, noun: string): ArgsOf<ById> => ({
  id: { type: 'integer', required: true, description: `ID of the ${noun}.`, validate: postId(postType) },
});

/** A text of a venue or an organizer. TEC: its default is shown as null, but does not count as a default. */
export const linkedTextArg = (description: string, validate: Arg['validate'] = stringOrEmpty): TextArg => ({
  type: 'string',
  default: null,
  description,
  validate,
});

const argOf = ({ kind, description = '' }: TextField): TextArg => linkedTextArg(description, kind === 'url' ? urlOrEmpty : stringOrEmpty);

export const textArgs = <Table extends Fields>(table: Table): Record<TextNames<Table>, TextArg> => eachText(table, argOf);

/** The argument of each flag of a table. TEC: a text. */
export const flagArgs = <Table extends Fields>(table: Table): Record<FlagNames<Table>, TextArg> =>
  Object.fromEntries(
    flagFields(table).map(([name, { description = '' }]): [string, TextArg] => [name, { type: 'string', default: null, description }]),
  ) as Record<FlagNames<Table>, TextArg>;

/** The properties of an event that hold what is linked to it; false where it may not be shown (TEC). */
type LinkProperty = { [Name in keyof EventJsonLd]-?: false extends EventJsonLd[Name] ? Name : never }[keyof EventJsonLd];

/** How JSON-LD shows a kind: the property of an event that holds it, and what it is. */
export interface JsonLd {
  property: LinkProperty;
  make: (post: Post, view: View) => PlaceJsonLd | PersonJsonLd;
}

const isEmpty = (value: unknown): boolean => value === '' || value === '0' || value === false || value === 0 || value === undefined;

/** TEC: venues and organizers have no key for what is empty. */
function withoutEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}

function commonFields(post: Post, view: View) {
  return {
    id: post._id,
    ...(post.author === 0 ? {} : { author: String(post.author) }),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url: permalink(post, view.site, canRead(view.user, post, view.site.registry)),
  };
}

/** TEC: withheld fields are shown empty. @param names withheld ones @param emptyName the name of the item, which is withheld too */
function withhold(shown: Record<string, unknown>, names: readonly string[], emptyName: string): Record<string, unknown> {
  const hidden = Object.entries(shown).flatMap(([name, value]) =>
    names.includes(name) ? [[name, typeof value === 'number' ? 0 : '']] : [],
  );
  const image = 'image' in shown ? { image: false } : {};
  return { ...shown, ...Object.fromEntries(hidden), ...image, [emptyName]: [] };
}

const global = (post: Post, { site }: View) => ({ global_id: globalId(post, site), global_id_lineage: globalIdLineage(post, site) });

/** TEC: coordinates are shown by the pro extension only. */
function geoFields(post: Post, { site }: View): { geo_lat?: number; geo_lng?: number } {
  const coordinates = site.quirks.has('coordinates-are-hidden') ? null : coordinatesOf(post);
  return coordinates ? { geo_lat: coordinates.lat, geo_lng: coordinates.lng } : {};
}

/** TEC: the fields of a kind that a password hides; the name is shown empty, too. */
const hiddenFields = (table: Fields): string[] =>
  Object.entries(table).flatMap(([name, field]) => (field.kind === 'flag' || ('unprotected' in field && field.unprotected) ? [] : [name]));

/** A linked kind as the API shows it. */
export type LinkedItem<Kind extends LinkedKind = LinkedKind> = Kind extends LinkedKind ? ItemOf<Event[Kind]> : never;

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/**
 * A linked post as the API shows it: alone, in lists, and within events. In a single GET, what its JSON-LD changes is added to what lists have
 * shown.
 * @param jsonLd its JSON-LD, where it is shown
 */
export function presentLinked<Kind extends LinkedKind>(
  kind: Kind,
  post: Post,
  view: View,
  jsonLd: ((post: Post, view: View) => ReturnType<JsonLd['make']> | false | null) | null,
): LinkedItem<Kind> {
  const { fields: table } = LINKED[kind];
  const isOpen = view.site.quirks.has('linked-passwords-do-nothing');
  const withheld = !isOpen && isWithheldFrom(post, view);
  // TEC: older releases show no JSON-LD of password-protected posts, not even with the password.
  const showsJsonLd = !withheld && !(isOpen && post.password !== '');
  const jsonLdShown = showsJsonLd && jsonLd?.(post, view);
  const last: Record<string, unknown> = {
    ...(jsonLdShown ? { json_ld: jsonLdShown } : {}),
    ...Object.fromEntries(flagFields(table).map(([name, field]) => [name, withheld ? null : readFlag(post, field)])),
    ...global(post, view),
  };
  // Parts of events are named by the view of the event.
  const isReused = view.single && !view.editing && areLast(view.site.registry, post.type);
  const listed = isReused ? view.cachedFragment?.('posts', post._id, kind) : undefined;
  // The table has the fields of the kind, which its type cannot express.
  const firstOfLast = flagFields(table).at(0)?.[0] ?? 'global_id';
  if (listed) return listed.replacedFrom(firstOfLast, withAddedFields(last, post, view)) as unknown as LinkedItem<Kind>;
  const fields: Record<string, unknown> = commonFields(post, view);
  const open: ReadonlySet<string> = new Set([...Object.keys(fields), 'slug']);
  const add = (name: string, value: unknown): void => {
    if (!isEmpty(value)) fields[name] = value;
  };
  add(kind, shownTitle(post));
  add('description', shownContent(post, view));
  add('excerpt', shownExcerpt(post, view));
  add('slug', post.slug);
  add('image', imageOf(post, view));
  for (const [name, field] of textFields(table)) add(name, readText(post, field));
  Object.assign(fields, geoFields(post, view));
  const hidden = view.site.quirks.has('protected-meta-is-shown') ? ['description', 'excerpt', ...hiddenFields(table)] : Object.keys(fields);
  const item = withheld
    ? withhold(
        fields,
        hidden.filter((name) => !open.has(name)),
        kind,
      )
    : fields;
  return withAddedFields(Object.assign(item, last), post, view) as unknown as LinkedItem<Kind>;
}

/** Specifics of a kind: its arguments, its documentation and its JSON-LD. */
interface KindSpec extends Pick<PostResource, 'fields'> {
  doc: Omit<DocFacts, 'schema' | 'noun'>;
  jsonLd: JsonLd;
}

export type LinkedResource = PostResource & Pick<KindSpec, 'jsonLd'>;

/** The kind, unless its published type lacks a text of its table. */
type Published<Kind extends LinkedKind> = TextNames<(typeof LINKED)[Kind]['fields']> extends keyof LinkedItem<Kind> ? Kind : never;

export function linkedResource<Kind extends LinkedKind>(kind: Kind & Published<Kind>, own: KindSpec): LinkedResource {
  const { type, column } = LINKED[kind];
  const messages = LINKED_MESSAGES[kind];
  return {
    ...own,
    doc: { schema: ucfirst(kind), noun: kind, ...own.doc },
    present: (post, view) => presentLinked(kind, post, view, view.single ? own.jsonLd.make : null),
    postType: type,
    path: column,
    filters: linkedFilters(column),
    idArgs: linkedIdArgs(type, kind),
    slugArg: slugArg(type, kind),
    missingNeedsGeneralRight: () => false,
    slugIsWritable: false,
    messages,
    plan: planLinked(column),
    guardRead: (post, _id, { request, site }) =>
      requireReadable(post, (readable) => canRead(request.user, readable, site.registry), messages),
    ...linkedWrites(kind, own.fields),
  };
}

/**
 * Whether the `json_ld` of a venue or organizer is shown to a caller within an event. TEC: published ones to everybody, drafts and trashed
 * ones to signed-in users, private ones to users who may read them, protected ones to nobody.
 */
export function showsLinkedJsonLd(post: Post, { user }: View): boolean {
  if (post.password !== '') return false;
  if (post.status === 'publish') return true;
  return post.status === 'private' ? canWithPosts(user, 'read_private') : user !== null;
}

function postalAddress(post: Post): PostalAddress {
  const { address, city, zip, country, ...region } = readTexts(post, VENUE_FIELDS);
  return {
    '@type': 'PostalAddress',
    ...withoutEmpty({
      streetAddress: escHtml(address),
      addressLocality: escHtml(city),
      addressRegion: regionHtml({ ...region, country }),
      postalCode: escHtml(zip),
      addressCountry: escHtml(country),
    }),
  };
}

/** A schema.org `Place`. */
export function placeJsonLd(post: Post, view: View): PlaceJsonLd {
  return {
    '@type': 'Place',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, view),
    ...imageJsonLd(post, view),
    // TEC: only the pro plugin has venue pages.
    url: '',
    address: postalAddress(post),
    ...geoJsonLd(post, view),
    telephone: escHtml(readText(post, VENUE_FIELDS.phone)),
    sameAs: readText(post, VENUE_FIELDS.website),
  };
}

/** A schema.org `Person`. */
export function personJsonLd(post: Post, view: View): PersonJsonLd {
  const website = escUrl(linkedText(post, 'website'));
  return {
    '@type': 'Person',
    name: jsonLdName(markedTitle(post)),
    description: shownJsonLdDescription(post, view),
    ...imageJsonLd(post, view),
    url: website,
    telephone: escHtml(linkedText(post, 'phone')),
    email: antispam(linkedText(post, 'email')),
    sameAs: website,
  };
}

function geoJsonLd(post: Post, view: View): Pick<PlaceJsonLd, 'geo'> {
  const { geo_lat: latitude, geo_lng: longitude } = geoFields(post, view);
  return latitude === undefined || longitude === undefined ? {} : { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}
