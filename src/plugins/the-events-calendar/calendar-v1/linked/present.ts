import { canRead } from '../../../../wordpress/users/capabilities.js';
import type { Post } from '../../../../wordpress/model.js';
import { coordinatesOf } from '../../model/coordinates.js';
import { shownContent, shownExcerpt, shownTitle } from '../../../../wordpress/posts/rendered.js';
import { flagFields, readText, textFields, type Fields } from '../../model/field.js';
import { readFlag } from '../../model/flags.js';
import { LINKED, type LinkedKind } from '../../model/linked.js';
import { globalId, globalIdLineage, imageOf, isWithheldFrom, permalink, type View } from '../view.js';
import { areLast, withAddedFields } from '../added-fields.js';
import type { Event, EventJsonLd, PersonJsonLd, PlaceJsonLd } from '../../../../sdk/types/responses.js';

/** The properties of an event that hold what is linked to it; false where it may not be shown (TEC). */
type LinkProperty = { [Name in keyof EventJsonLd]-?: false extends EventJsonLd[Name] ? Name : never }[keyof EventJsonLd];

/** How JSON-LD shows a kind: the property of an event that holds it, and what it is. */
export interface JsonLd {
  property: LinkProperty;
  make: (post: Post, view: View) => PlaceJsonLd | PersonJsonLd;
}

const isEmpty = (value: unknown): boolean => value === '' || value === '0' || value === false || value === 0 || value === undefined;

/** TEC: venues and organizers have no key for what is empty. */
export function withoutEmpty<T extends object>(fields: T): Partial<T> {
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
export function geoFields(post: Post, { site }: View): { geo_lat?: number; geo_lng?: number } {
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
