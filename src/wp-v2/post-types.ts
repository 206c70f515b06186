import { EVENT, EVENT_CATEGORY, ORGANIZER, TAG, VENUE } from '../wp/model.js';
import { EVENT_META, metaText, STATUS_META } from './meta.js';
import type { Schema } from '../rest/route.js';

/** A taxonomy of a post type: its name, and what its routes and fields are called. */
export interface TypeTaxonomy {
  name: string;
  base: string;
  /** Its terms stand one below another. WP: then creating them is a matter of editing terms, else of assigning them. */
  hierarchical: boolean;
  /** What the class of a term begins with (WP). */
  classPrefix: string;
}

/** What the core routes know of a post type of the calendar. */
export interface CorePostType {
  name: string;
  /** Last part of its collection's path. */
  base: string;
  /** It has pages of its own: an address to suggest, classes, and a link to the page (WP: viewable). */
  viewable: boolean;
  taxonomies: readonly TypeTaxonomy[];
  meta: Record<string, Schema>;
  /** Page templates that may be chosen. */
  templates: readonly string[];
}

const FOOTNOTES: Record<string, Schema> = { footnotes: metaText };

const TAXONOMIES: readonly TypeTaxonomy[] = [
  { name: TAG, base: 'tags', hierarchical: false, classPrefix: 'tag' },
  { name: EVENT_CATEGORY, base: 'tribe_events_cat', hierarchical: true, classPrefix: 'tribe_events_cat' },
];

const linkedType = (name: string): CorePostType => ({
  name,
  base: name,
  viewable: false,
  taxonomies: [],
  meta: { ...EVENT_META, ...FOOTNOTES },
  templates: [],
});

export const EVENT_TYPE: CorePostType = {
  name: EVENT,
  base: EVENT,
  viewable: true,
  taxonomies: TAXONOMIES,
  meta: { ...EVENT_META, ...STATUS_META, ...FOOTNOTES },
  templates: ['archive-events', 'single-event'],
};
export const VENUE_TYPE = linkedType(VENUE);
export const ORGANIZER_TYPE = linkedType(ORGANIZER);
