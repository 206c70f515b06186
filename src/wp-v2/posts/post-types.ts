import { CALENDAR_EMBED, CATEGORY, EVENT, EVENT_CATEGORY, ORGANIZER, PAGE, POST, TAG, VENUE } from '../../wp/model.js';
import { EVENT_META, metaText, STATUS_META } from './meta.js';
import { CALENDAR_EMBEDS, EVENTS, ORGANIZERS, PAGES, POSTS, VENUES } from './posts.js';
import type { PostTypeRoutes, Support } from './post-args.js';
import type { Schema } from '../../rest/route.js';

/** A taxonomy of a post type: its name, and what its routes and fields are called. */
export interface TypeTaxonomy {
  name: string;
  base: string;
  /** Its terms stand one below another. WP: then creating them is a matter of editing terms, else of assigning them. */
  hierarchical: boolean;
  /** What the class of a term begins with (WP). */
  classPrefix: string;
}

/** What the core routes know of a post type. */
export interface CorePostType {
  name: string;
  /** Last part of its collection's path. */
  base: string;
  /** It has pages of its own: an address to suggest, classes, and a link to the page (WP: viewable). */
  viewable: boolean;
  /** Its features: each has fields of its own. */
  supports: readonly Support[];
  /** Stands one below another. */
  hierarchical: boolean;
  revisions: boolean;
  /** WP: without a title, a text and an excerpt there is nothing to store, of types that have all three. */
  needsText: boolean;
  taxonomies: readonly TypeTaxonomy[];
  meta: Record<string, Schema>;
  /** Page templates that may be chosen. */
  templates: readonly string[];
}

const FOOTNOTES: Record<string, Schema> = { footnotes: metaText };

const TAGS: TypeTaxonomy = { name: TAG, base: 'tags', hierarchical: false, classPrefix: 'tag' };
const CALENDAR_TAXONOMIES: readonly TypeTaxonomy[] = [
  TAGS,
  { name: EVENT_CATEGORY, base: 'tribe_events_cat', hierarchical: true, classPrefix: 'tribe_events_cat' },
];
const BLOG_TAXONOMIES: readonly TypeTaxonomy[] = [
  { name: CATEGORY, base: 'categories', hierarchical: true, classPrefix: 'category' },
  TAGS,
];

const typeOf = (name: string, routes: PostTypeRoutes, more: Partial<CorePostType>): CorePostType => ({
  name,
  base: routes.base,
  viewable: routes.pages ?? true,
  supports: routes.supports,
  hierarchical: routes.hierarchical ?? false,
  revisions: routes.revisions ?? false,
  needsText: true,
  taxonomies: [],
  meta: { ...EVENT_META, ...FOOTNOTES },
  templates: routes.templates ?? [],
  ...more,
});

export const POST_TYPE = typeOf(POST, POSTS, { taxonomies: BLOG_TAXONOMIES });
export const PAGE_TYPE = typeOf(PAGE, PAGES, { needsText: false });
export const EVENT_TYPE = typeOf(EVENT, EVENTS, {
  taxonomies: CALENDAR_TAXONOMIES,
  meta: { ...EVENT_META, ...STATUS_META, ...FOOTNOTES },
});
export const VENUE_TYPE = typeOf(VENUE, VENUES, {});
export const ORGANIZER_TYPE = typeOf(ORGANIZER, ORGANIZERS, {});
export const EMBED_TYPE = typeOf(CALENDAR_EMBED, CALENDAR_EMBEDS, { needsText: false, taxonomies: CALENDAR_TAXONOMIES, meta: {} });
