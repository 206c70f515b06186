import { FIELD_TABLES, readText, REGION_FIELDS, regionOf, type Fields, type RowsField } from './field.js';
import { withMeta, type MetaRow, type Post, type User } from '../../../wordpress/model.js';
import type { Related } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { namesOf, recordOf } from '../../../base/values/records.js';
import { ORGANIZER, VENUE } from './names.js';

/** The fields of an event that are kept in its meta. */
export const EVENT_FIELDS = FIELD_TABLES.event;

export const VENUE_FIELDS = {
  ...FIELD_TABLES.venue,
  stateprovince: { ...FIELD_TABLES.venue.stateprovince, derive: { from: REGION_FIELDS, by: regionOf } },
} as const satisfies Fields;

export const ORGANIZER_FIELDS = FIELD_TABLES.organizer;

/** A linked post type, and how events and the interfaces refer to it. */
interface Linked {
  type: string;
  /** Name of its collection, and of the column of an event that holds the ids. */
  column: string;
  /** Whether an event can have several. */
  many: boolean;
  /** The rows of an event that hold the ids. */
  link: RowsField;
  /** Description of the filter of events by it, for argument tables. */
  filter: string;
  fields: Fields;
  /** Meta key of the origin of a post. */
  origin: string;
}

/** The linked kinds. TEC: events name them in this order. Interfaces, formats, columns and indexes are made from these rows. */
export const LINKED = {
  // TEC: an event has one venue.
  venue: {
    type: VENUE,
    column: 'venues',
    many: false,
    link: EVENT_FIELDS.venue,
    filter: 'Only events at any of these venues, by ID.',
    fields: VENUE_FIELDS,
    origin: '_VenueOrigin',
  },
  organizer: {
    type: ORGANIZER,
    column: 'organizers',
    many: true,
    link: EVENT_FIELDS.organizer,
    filter: 'Only events of any of these organizers, by ID.',
    fields: ORGANIZER_FIELDS,
    origin: '_OrganizerOrigin',
  },
} as const satisfies Record<string, Linked>;

export type LinkedKind = keyof typeof LINKED;

export const LINKED_KINDS = namesOf(LINKED);

/** A record of a value for each linked kind, by its name. */
export const eachKind = <Value>(make: (kind: LinkedKind) => Value): Record<LinkedKind, Value> => recordOf(LINKED_KINDS, make);

/** A record of a value for each linked kind, by its collection. */
export const eachLinked = <Value>(make: (kind: LinkedKind) => Value, kinds = LINKED_KINDS): Record<LinkColumn, Value> =>
  Object.fromEntries(kinds.map((kind) => [LINKED[kind].column, make(kind)])) as Record<LinkColumn, Value>;

export const LINKED_TYPES: readonly string[] = LINKED_KINDS.map((kind) => LINKED[kind].type);

/** The column of an event with the ids of its linked posts. */
export type LinkColumn = (typeof LINKED)[LinkedKind]['column'];

/** The post type behind each column. */
export const TYPE_OF_COLUMN: Record<LinkColumn, string> = eachLinked((kind) => LINKED[kind].type);

/** Where an event came from (TEC). */
export const EVENT_ORIGIN = '_EventOrigin';

/** The origin of items that were created by hand. */
export const OWN_ORIGIN = 'events-calendar';

/** How many tickets an event has. */
export const TICKET_CAPACITY = '_tribe_ticket_capacity';
export const UNLIMITED = '-1';

/** Rows that the ticket plugin keeps with events that have tickets. */
export const TICKET_KEYS = ['_tribe_default_ticket_provider', TICKET_CAPACITY, '_tribe_ticket_use_global_stock'] as const;

/** Ids of the linked posts of an event, in the stored order. */
export const linkedIds = (event: Post, kind: LinkedKind): readonly number[] => event[LINKED[kind].column] ?? [];

/** A linked post by id, if there is one of the kind. */
function linkedPost(id: number, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post | null {
  const post = posts.get(id);
  return post?.type === LINKED[kind].type ? post : null;
}

/** Linked posts of an event of one kind, in the stored order. */
export const linkedPosts = (event: Post, kind: LinkedKind, related: Pick<Related, 'posts'>): Post[] =>
  linkedIds(event, kind).flatMap((id) => linkedPost(id, kind, related) ?? []);

/** The stored value of a field of a linked post; empty if its type has no such field. */
export function linkedText(post: Post, name: string): string {
  const fields: Fields = Object.values(LINKED).find(({ type }) => type === post.type)?.fields ?? {};
  return Object.hasOwn(fields, name) ? readText(post, fields[name]) : '';
}

/** The meta of an event with these linked posts of one kind. */
export const writeLinks = (meta: MetaRow[], kind: LinkedKind, ids: readonly number[]): MetaRow[] =>
  withMeta(meta, LINKED[kind].link.key, ids.map(String));

/** The context of the reader. */
interface LinkReader {
  site: Pick<Site, 'quirks' | 'registry'>;
  user: User | null;
  related: Pick<Related, 'posts'>;
}

/** A linked post by id, if events show it. TEC: in every status. */
export function shownLinkedPost(id: number, kind: LinkedKind, { site, user, related }: LinkReader): Post | null {
  const post = linkedPost(id, kind, related);
  return post && (site.quirks.has('linked-posts-ignore-status') || canRead(user, post, site.registry)) ? post : null;
}

/** The linked posts of one kind that an event shows. */
export const shownLinked = (event: Post, kind: LinkedKind, reader: LinkReader): Post[] =>
  linkedIds(event, kind).flatMap((id) => shownLinkedPost(id, kind, reader) ?? []);
