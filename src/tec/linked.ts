import { withMeta, type MetaRow, type Post, type User } from '../wp/model.js';
import { ORGANIZER, VENUE } from './names.js';
import type { Related } from '../wp/related.js';
import type { Site } from '../wp/site.js';
import { canRead } from '../wp/users/capabilities.js';
import { EVENT_FIELDS } from './event.js';
import { readText, type Fields, type RowsField } from './field.js';
import { ORGANIZER_FIELDS, ORGANIZER_ORIGIN } from './organizer.js';
import { VENUE_FIELDS, VENUE_ORIGIN } from './venue.js';

/** What events are linked to: a post type, and how events and the interfaces know it. */
interface Linked {
  type: string;
  /** Name of its collection, and of the column of an event that holds the ids. */
  column: string;
  /** Whether an event can have several. */
  many: boolean;
  /** The rows of an event that hold the ids. */
  link: RowsField;
  fields: Fields;
  /** Meta key that says where a post came from. */
  origin: string;
}

export const LINKED = {
  venue: { type: VENUE, column: 'venues', many: false, link: EVENT_FIELDS.venue, fields: VENUE_FIELDS, origin: VENUE_ORIGIN },
  organizer: {
    type: ORGANIZER,
    column: 'organizers',
    many: true,
    link: EVENT_FIELDS.organizer,
    fields: ORGANIZER_FIELDS,
    origin: ORGANIZER_ORIGIN,
  },
} as const satisfies Record<string, Linked>;

export type LinkedKind = keyof typeof LINKED;

export const LINKED_KINDS = Object.keys(LINKED) as LinkedKind[];

/** Something for each linked kind, by its collection. */
export const eachLinked = <Value>(make: (kind: LinkedKind) => Value): Record<LinkColumn, Value> =>
  Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].column, make(kind)])) as Record<LinkColumn, Value>;

/** Post types of the linked kinds. */
export const LINKED_TYPES: readonly string[] = LINKED_KINDS.map((kind) => LINKED[kind].type);

/** The column of an event that holds the ids of what is linked to it. */
export type LinkColumn = (typeof LINKED)[LinkedKind]['column'];

/** The post type behind each column. */
export const TYPE_OF_COLUMN = Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].column, LINKED[kind].type])) as Record<
  LinkColumn,
  string
>;

/** Posts of a kind that are linked to an event, in the order in which they are stored. */
export const linkedPosts = (event: Post, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post[] =>
  (event[LINKED[kind].column] ?? []).map((id) => posts.get(id)).filter((post): post is Post => post?.type === LINKED[kind].type);

/** A field of a linked post by name, as it is stored; empty where its type has none of that name. */
export function linkedText(post: Post, name: string): string {
  const fields: Fields = Object.values(LINKED).find(({ type }) => type === post.type)?.fields ?? {};
  return Object.hasOwn(fields, name) ? readText(post, fields[name]) : '';
}

/** The meta of an event after it was linked to these posts of a kind. */
export const writeLinks = (meta: MetaRow[], kind: LinkedKind, ids: readonly number[]): MetaRow[] =>
  withMeta(meta, LINKED[kind].link.key, ids.map(String));

/** For whom something is shown. */
export interface Reader {
  site: Pick<Site, 'quirks'>;
  user: User | null;
  related: Pick<Related, 'posts'>;
}

/** Posts of a kind that an event shows as linked to it. TEC: all, whatever their status. */
export function shownLinked(event: Post, kind: LinkedKind, { site, user, related }: Reader): Post[] {
  const posts = linkedPosts(event, kind, related);
  return site.quirks.has('linked-posts-ignore-status') ? posts : posts.filter((post) => canRead(user, post));
}
