import { lookup } from '../../../../base/values/records.js';
import { CATEGORY, TAG, type Post } from '../../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../../../../plugins/the-events-calendar/model/index.js';
import type { DeclaredMeta } from '../../../../wordpress/types/declared-meta.js';
import type { Declarations } from '../../../../wordpress/types/declared.js';
import { storedText } from '../../../../wordpress/rest/posts/post-types.js';
import type { Stub } from '../../../../sdk/types/qa.js';
import { stubRoutes } from '../../../stubs.js';
import { writtenFields } from '../rest-fields/declared.js';
import type { Json } from '../../../../wordpress/rest/route.js';

/** The taxonomies whose terms an item names in fields, by type; the ones of all others are in `terms`. */
const IN_FIELDS: Readonly<Record<string, readonly string[]>> = lookup({
  tribe_events: [EVENT_CATEGORY, TAG],
  post: [CATEGORY, TAG],
});

/** Writes the declarations of a site, and their posts. */
export class DeclaredWriter {
  private readonly keys: ReadonlyMap<string, Readonly<Record<string, DeclaredMeta>>>;

  constructor(
    readonly declarations: Declarations,
    private readonly slugsOf: (post: Post, taxonomy: string) => string[],
  ) {
    const { types = {}, meta = {} } = declarations;
    const ofTypes = Object.entries(types).map(([name, { meta: keys = {} }]) => [name, keys] as const);
    this.keys = new Map([...ofTypes, ...Object.entries(meta)]);
  }

  /** Sections of a file for them. Routes of stubs follow from these. */
  sections(stubs: readonly Stub[]): Declarations {
    const { routes = {}, fields, ...sections } = this.declarations;
    const known = stubRoutes(stubs);
    const others = Object.entries(routes).filter(([path, methods]) => String(known[path]) !== String(methods));
    return { ...sections, ...writtenFields(fields), ...(others.length === 0 ? {} : { routes: Object.fromEntries(others) }) };
  }

  hasType(name: string): boolean {
    return Object.hasOwn(this.declarations.types ?? {}, name);
  }

  hasTaxonomy(name: string): boolean {
    return Object.hasOwn(this.declarations.taxonomies ?? {}, name);
  }

  /** The terms of a post that no field of its item has. */
  terms(post: Post): Record<string, string[]> | undefined {
    const inFields = this.hasType(post.type) ? [CATEGORY, TAG] : (IN_FIELDS[post.type] ?? []);
    const others = Object.keys(post.terms).filter(
      (name) => !inFields.includes(name) && (this.hasTaxonomy(name) || this.hasType(post.type)),
    );
    const named = others.map((name): [string, string[]] => [name, this.slugsOf(post, name)]).filter(([, slugs]) => slugs.length > 0);
    return named.length === 0 ? undefined : Object.fromEntries(named);
  }

  /** The values of a key, as its type has them. They are read as the same text. */
  metaValue(type: string, key: string, values: readonly string[]): unknown {
    const keys = this.keys.get(type) ?? {};
    const declared = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const typed = declared === undefined ? values : values.map((value) => typedValue(value, declared));
    const isOne = declared === undefined ? values.length === 1 : (declared.single ?? true);
    return isOne && typed.length === 1 ? typed[0] : typed;
  }
}

/** A stored value in its type, if it is stored as that. */
function typedValue(value: string, { type = 'string' }: DeclaredMeta): unknown {
  if (type === 'string') return value;
  if (type === 'boolean') return value === '1' ? true : value;
  try {
    const typed = JSON.parse(value) as Json;
    return storedText(typed) === value ? typed : value;
  } catch {
    return value;
  }
}
