import type { Json } from '../../../../base/values/records.js';
import { movedFields, storedFields, type FieldValues, type HasFields } from '../../../../wordpress/stored-fields.js';
import { FIELD_CONTEXTS, type DeclaredField, type DeclaredFields, type FieldSchema } from '../../../../wordpress/types/declared-fields.js';
import type { MoveText } from '../../../load/links.js';

type Context = (typeof FIELD_CONTEXTS)[number];

/** Facts about a field. */
interface Seen {
  /** Our member that it follows; null: none; undefined: it is behind all of them. */
  after: string | null | undefined;
  /** Number of objects with it. */
  count: number;
  /** Empty values, as JSON, with the number of objects that have them. */
  empty: Map<string, number>;
  contexts: Set<Context>;
  /** Whether visitors see it in the view context; null: not asked. */
  isPublic: boolean | null;
}

interface Place {
  fields: Map<string, Seen>;
  /** The names of the fields in their order. */
  names: string[];
  /** Number of objects. */
  count: number;
  /** Contexts in which objects were seen. */
  contexts: Set<Context>;
  /** The same for visitors, in the view context. */
  isPublicSeen: boolean;
}

/** An object as a site shows it. */
export interface ShownObject {
  /** Name of its post type or taxonomy, `user` or `comment`. */
  type: string;
  namespace: string;
  context: Context;
  members: Readonly<Record<string, Json | undefined>>;
  /** The members that our own response has. */
  own: ReadonlySet<string>;
  /** Members among them with another value. */
  others?: readonly string[];
}

const isLink = (name: string): boolean => name === '_links' || name === '_embedded';

const isEmptyValue = (value: Json): boolean =>
  value === null || value === '' || value === false || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0);

/** The names of the members that are not as ours, each with the one of ours that it follows. */
function* others({ members, own, others: changed = [] }: ShownObject): Generator<[name: string, after: string | null | undefined]> {
  const names = Object.keys(members).filter((name) => !isLink(name));
  const last = names.findLastIndex((name) => own.has(name));
  let after: string | null = null;
  for (const [index, name] of names.entries()) {
    if (own.has(name)) after = name;
    if (changed.includes(name)) yield [name, undefined];
    else if (!own.has(name)) yield [name, index > last ? undefined : after];
  }
}

/** Collects the members of responses that our own would not have, and declares them as fields. */
export class UnknownFieldCollector {
  private readonly places = new Map<string, Map<string, Place>>();
  private readonly values = new Map<string, Record<string, FieldValues>>();
  private readonly schemas = new Map<string, Readonly<Record<string, FieldSchema>>>();

  private placeOf({ type, namespace }: Pick<ShownObject, 'type' | 'namespace'>): Place {
    const namespaces = this.places.get(type) ?? new Map<string, Place>();
    this.places.set(type, namespaces);
    const place = namespaces.get(namespace) ?? { fields: new Map(), names: [], count: 0, contexts: new Set(), isPublicSeen: false };
    namespaces.set(namespace, place);
    return place;
  }

  /** A field, with its place behind another one of the same object. */
  private seenOf(place: Place, name: string, after: string | null | undefined, before: string | undefined): Seen {
    const known = place.fields.get(name);
    if (known) {
      if (known.count === 0) known.after = after;
      return known;
    }
    const seen: Seen = { after, count: 0, empty: new Map(), contexts: new Set(), isPublic: null };
    place.fields.set(name, seen);
    place.names.splice(before === undefined ? 0 : place.names.indexOf(before) + 1, 0, name);
    return seen;
  }

  keep(shown: ShownObject): void {
    const { type, namespace, context, members } = shown;
    const place = this.placeOf(shown);
    place.count += 1;
    place.contexts.add(context);
    const values: Record<string, Json> = {};
    let before: string | undefined;
    for (const [name, after] of others(shown)) {
      const seen = this.seenOf(place, name, after, before);
      before = name;
      const value = members[name] ?? null;
      seen.count += 1;
      seen.contexts.add(context);
      values[name] = value;
      if (!isEmptyValue(value)) continue;
      const text = JSON.stringify(value);
      seen.empty.set(text, (seen.empty.get(text) ?? 0) + 1);
    }
    if (Object.keys(values).length === 0) return;
    const key = `${type} ${members['id'] as number}`;
    this.values.set(key, { ...this.values.get(key), [namespace]: values });
  }

  /** Notes which fields an object has in another context, or to visitors. */
  note(shown: ShownObject, isPublic = false): void {
    const place = this.placeOf(shown);
    place.contexts.add(shown.context);
    if (isPublic) place.isPublicSeen = true;
    const found = new Set<string>();
    for (const [name] of others(shown)) {
      const seen = place.fields.get(name);
      if (!seen) continue;
      found.add(name);
      seen.contexts.add(shown.context);
      if (isPublic) seen.isPublic = true;
    }
    if (isPublic) for (const [name, seen] of place.fields) if (!found.has(name)) seen.isPublic ??= false;
  }

  /**
   * Notes the schema of the objects of a type in `wp/v2`, which also has fields that nobody has seen.
   * @param own the members that ours have
   */
  describe(type: string, properties: Readonly<Record<string, FieldSchema>>, own: ReadonlySet<string>): void {
    this.schemas.set(type, properties);
    const place = this.placeOf({ type, namespace: 'wp/v2' });
    let before: string | undefined;
    for (const name of Object.keys(properties)) {
      if (own.has(name)) continue;
      this.seenOf(place, name, undefined, before);
      before = name;
    }
  }

  /** Whether most objects without the field share a value: that. */
  private presetOf({ count, empty }: Seen, place: Place): Json | undefined {
    if (count === 0 || count < place.count) return undefined;
    const [most] = [...empty].sort(([, a], [, b]) => b - a);
    return most !== undefined && most[1] * 2 >= count ? (JSON.parse(most[0]) as Json) : undefined;
  }

  private declarationOf(type: string, namespace: string, name: string, seen: Seen, place: Place): DeclaredField {
    const { context, ...schema } = (namespace === 'wp/v2' ? this.schemas.get(type)?.[name] : undefined) ?? {};
    const preset = this.presetOf(seen, place);
    const isDescribed = Object.keys(schema).length > 0;
    const named = Array.isArray(context)
      ? context.filter((each): each is Context => FIELD_CONTEXTS.some((known) => known === each))
      : undefined;
    const isLimited = !isDescribed && seen.count > 0 && [...place.contexts].some((each) => !seen.contexts.has(each));
    const contexts = named ?? (isLimited ? FIELD_CONTEXTS.filter((each) => seen.contexts.has(each)) : undefined);
    // In the edit context, visitors see nothing.
    const isForEditors = seen.isPublic === false && seen.contexts.has('view');
    return {
      ...(preset === undefined ? {} : { default: preset }),
      ...(contexts === undefined ? {} : { contexts }),
      ...(typeof seen.after === 'string' ? { after: seen.after } : {}),
      ...(isForEditors ? { edit_only: true } : {}),
      ...(isDescribed && schema['readonly'] !== true ? { writable: true } : {}),
      ...(isDescribed ? { schema } : {}),
    };
  }

  declarations(): DeclaredFields {
    const declared: Record<string, Record<string, Record<string, DeclaredField>>> = {};
    for (const [type, namespaces] of this.places)
      for (const [namespace, place] of namespaces)
        for (const name of place.names)
          ((declared[type] ??= {})[namespace] ??= {})[name] = this.declarationOf(type, namespace, name, place.fields.get(name)!, place);
    return declared;
  }

  namesOf(type: string, namespace: string): string[] {
    return [...(this.places.get(type)?.get(namespace)?.fields.keys() ?? [])];
  }

  /** The fields of an object as they are stored: without defaults. @param move rewrites links */
  fieldsOf(type: string, id: number, move: MoveText): HasFields {
    const values = this.values.get(`${type} ${id}`);
    if (!values) return {};
    const own = Object.entries(values).map(([namespace, all]): [string, FieldValues] => {
      const place = this.placeOf({ type, namespace });
      const kept = Object.entries(all).filter(([name, value]) => {
        const preset = this.presetOf(place.fields.get(name)!, place);
        return preset === undefined || JSON.stringify(preset) !== JSON.stringify(value);
      });
      return [namespace, Object.fromEntries(kept)];
    });
    return movedFields(storedFields(Object.fromEntries(own)), move);
  }
}
