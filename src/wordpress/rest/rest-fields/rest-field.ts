import type { Comment, Post, Term, User } from '../../model.js';
import type { Related } from '../../posts/related.js';
import type { Site } from '../../site.js';
import type { Registry } from '../../types/registry.js';
import type { Context } from '../context.js';
import type { CallContext, Check, Json, Schema } from '../route.js';

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
  /** Checks sent values instead of the schema, which `OPTIONS` shows. */
  validate?: Check;
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

/** The core namespace. */
export const CORE = 'wp/v2';
