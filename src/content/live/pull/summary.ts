import { EVENT } from '../../../tec/index.js';
import { LINKED, eachLinked, type LinkColumn, type LinkedKind } from '../../../tec/linked.js';
import type { Event, EventTerm, Image } from '../../../types.js';
import type { Linked } from '../items.js';

/** A post of the core API (WP: `wp/v2`), as far as it is asked for. */
export interface CorePost {
  id: number;
  slug?: string;
  password?: string;
  date?: string;
  date_gmt?: string;
  modified?: string;
  modified_gmt?: string;
  author?: number;
  title?: { rendered?: string; raw?: string };
  content?: { raw?: string };
  excerpt?: { raw?: string };
  meta?: Record<string, unknown>;
}

/** An entry of the media library. */
export interface CoreMedium extends CorePost {
  alt_text?: string;
  caption?: { rendered?: string; raw?: string };
  description?: { rendered?: string; raw?: string };
  mime_type?: string;
  post?: number | null;
  media_details?: { image_meta?: Record<string, unknown> };
}

export interface CoreUser {
  id: number;
  name?: string;
  url?: string;
  slug?: string;
  description?: string;
}

/** Kinds of posts by their route and key in the calendar API. */
export type PostKind = 'events' | LinkColumn;

/** The types of posts in the core API. */
export const TYPES: Readonly<Record<PostKind, string>> = { ...eachLinked((kind) => LINKED[kind].type), events: EVENT };

/** Further items, such as a venue that is not in the list of venues: it is shown with its event. */
export interface Aside {
  kind: LinkedKind;
  item: Linked;
}

/** What is known once everything has been fetched, as far as it concerns more than one item. */
export interface Summary {
  /** Ids of the posts of each kind, in the order of the lists. */
  ids: Record<PostKind, Set<number>>;
  asides: Map<number, Aside>;
  images: Map<number, Image>;
  authors: Set<number>;
  /** Facts of terms that only events show. */
  eventTerms: Map<number, EventTerm>;
  /** Published events that have each term. */
  termUse: Map<number, number>;
  /** Items whose contents a password keeps from us. */
  withheld: Set<number>;
  /** Events that are in no list of the calendar, such as hidden ones, but are shown one by one. */
  unlisted: Set<number>;
  /** Events behind a password, with what other lists say of them. */
  behind: Map<number, BehindPassword>;
}

/** What the lists tell of an event whose own contents are kept back: they filter by it. */
export interface BehindPassword {
  links: Record<LinkColumn, number[]>;
  categories: number[];
  tags: number[];
  featured: boolean;
}

/** What an event shows of a linked kind; of some kinds it shows the only one, of others a list (TEC). */
export const linkedIn = (event: Event, kind: LinkedKind): Linked[] => [event[kind]].flat();
