import { withoutUndefined } from '../../../base/values/records.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';
import { LINKED, eachLinked, type LinkColumn, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import type { Event, EventTerm, Image } from '../../../sdk/types/responses.js';
import type { LinkedOnSite } from '../items.js';

/** A post of the core API (WP: `wp/v2`), reduced to what is requested. */
export interface CorePost {
  id: number;
  slug?: string;
  guid?: { rendered?: string };
  password?: string;
  date?: string;
  date_gmt?: string;
  modified?: string;
  modified_gmt?: string;
  author?: number;
  title?: { rendered?: string; raw?: string };
  content?: { raw?: string; rendered?: string };
  excerpt?: { raw?: string };
  meta?: Record<string, unknown>;
}

/** Members of a post that the conversion of the calendar needs. */
export const neededOf = ({ id, password, title, content, excerpt, meta }: CorePost): CorePost =>
  withoutUndefined({ id, password, title, content: content?.raw === undefined ? undefined : { raw: content.raw }, excerpt, meta });

/** An entry of the media library. */
export interface CoreMedium extends CorePost {
  alt_text?: string;
  caption?: { rendered?: string; raw?: string };
  description?: { rendered?: string; raw?: string };
  mime_type?: string;
  post?: number | null;
  media_details?: { image_meta?: Record<string, unknown> };
}

/** A comment of the core API. Only moderators see addresses and the stored content. */
export interface CoreComment {
  id: number;
  post?: number;
  parent?: number;
  author?: number;
  author_name?: string;
  author_email?: string;
  author_url?: string;
  author_ip?: string;
  author_user_agent?: string;
  date?: string;
  date_gmt?: string;
  content?: { rendered?: string; raw?: string };
  status?: string;
  type?: string;
  /** WP: a list if no meta is registered. */
  meta?: { _wp_note_status?: string | null };
}

export interface CoreUser {
  id: number;
  name?: string;
  url?: string;
  /** The address of the archive. */
  link?: string;
  slug?: string;
  description?: string;
  avatar_urls?: Record<string, string>;
  /** WP: in the edit context. */
  roles?: string[];
}

/** Kinds of posts, by their route and key in the calendar API. */
export type PostKind = 'events' | LinkColumn;

/** The post types of these kinds in the core API. */
export const TYPES: Readonly<Record<PostKind, string>> = { ...eachLinked((kind) => LINKED[kind].type), events: EVENT };

/** An item that is not in its list but shown with an event, such as a venue. */
interface EmbeddedItem {
  kind: LinkedKind;
  item: LinkedOnSite;
}

/** Facts about more than one item, known once everything has been fetched. */
export interface Summary {
  /** Ids of the posts of each kind, in the order of the lists. */
  ids: Record<PostKind, Set<number>>;
  embedded: Map<number, EmbeddedItem>;
  images: Map<number, Image>;
  authors: Set<number>;
  /** Ids of the posts that only the core API shows, such as blog posts. */
  others: Set<number>;
  /** Terms with the properties that only events show. */
  eventTerms: Map<number, EventTerm>;
  /** Number of published events with each term. */
  termUse: Map<number, number>;
  /** Ids of password-protected items whose content is not shown. */
  withheld: Set<number>;
  /** Ids of events that no list contains, such as hidden ones, but that have a single route. */
  unlisted: Set<number>;
  /** Facts about password-protected events, from the filters of other lists. */
  protectedEvents: Map<number, ProtectedFacts>;
}

/** Facts about a password-protected event that list filters reveal. */
export interface ProtectedFacts {
  links: Record<LinkColumn, number[]>;
  categories: number[];
  tags: number[];
  featured: boolean;
}

/** The linked items of one kind that an event shows. TEC: a single object for some kinds, an array for others. */
export const linkedIn = (event: Event, kind: LinkedKind): LinkedOnSite[] => [event[kind]].flat();
