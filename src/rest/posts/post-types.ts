import { CATEGORY, PAGE, POST, TAG } from '../../wp/model.js';
import { CALENDAR_EMBED, EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../tec/names.js';
import { EVENT_META, metaText, PATTERN_META, STATUS_META } from './registered-meta.js';
import type { Schema } from '../route.js';

/** WP: features of a post type; each has fields of its own. */
export type Support =
  'author' | 'comments' | 'custom-fields' | 'editor' | 'excerpt' | 'formats' | 'page-attributes' | 'sticky' | 'thumbnail';

/** A taxonomy as its routes and the fields of posts need it. */
export interface Taxonomy {
  name: string;
  /** Last part of its collection's path, and the name of its field in posts. */
  base: string;
  /** What its terms are called, for descriptions. */
  noun: string;
  /** WP: terms of a tree are created by those who may edit terms, other terms by those who may assign them. */
  hierarchical: boolean;
  /** What the class of a term begins with (WP). */
  classPrefix: string;
}

/** Parts of a text field, each with the contexts that show it; a part that is left out is not declared. */
export interface TextParts {
  raw: string[];
  rendered?: string[];
  blockVersion?: string[];
  protected?: string[];
}

/** A post type as its routes and presenters need it. */
export interface PostType {
  name: string;
  /** Last part of its collection's path. */
  base: string;
  /** It has pages of its own: an address to suggest, classes, and a link to the page. */
  viewable: boolean;
  supports: readonly Support[];
  /** Its posts may have a parent. */
  hierarchical: boolean;
  revisions: boolean;
  autosaves: boolean;
  /** WP: a post without title, content and excerpt cannot be stored, if its type has all three. */
  needsText: boolean;
  taxonomies: readonly Taxonomy[];
  /** Meta keys that were registered for it. */
  meta: Record<string, Schema>;
  /** Page templates that may be chosen. */
  templates: readonly string[];
  /** Contexts that show its texts, where they are not the usual ones. */
  texts?: { title: TextParts; content: TextParts };
}

export const CATEGORIES: Taxonomy = {
  name: CATEGORY,
  base: 'categories',
  noun: 'categories',
  hierarchical: true,
  classPrefix: 'category',
};

export const TAGS: Taxonomy = { name: TAG, base: 'tags', noun: 'tags', hierarchical: false, classPrefix: 'tag' };

export const EVENT_CATEGORIES: Taxonomy = {
  name: EVENT_CATEGORY,
  base: 'tribe_events_cat',
  noun: 'event categories',
  hierarchical: true,
  classPrefix: 'tribe_events_cat',
};

export const MENUS: Taxonomy = { name: 'nav_menu', base: 'menus', noun: 'menus', hierarchical: false, classPrefix: 'nav_menu' };

export const PATTERN_CATEGORIES: Taxonomy = {
  name: 'wp_pattern_category',
  base: 'wp_pattern_category',
  noun: 'pattern categories',
  hierarchical: false,
  classPrefix: 'wp_pattern_category',
};

const CALENDAR_TAXONOMIES = [TAGS, EVENT_CATEGORIES];

/** TEC: templates that it brings for everything that has pages. */
const TEMPLATES = ['archive-events', 'single-event'];

/** WP: footnotes belong to every type that has an editor, custom fields and revisions. */
const META = { ...EVENT_META, footnotes: metaText };

const DEFAULTS: Omit<PostType, 'name' | 'base' | 'supports'> = {
  viewable: true,
  hierarchical: false,
  revisions: true,
  autosaves: true,
  needsText: true,
  taxonomies: [],
  meta: META,
  templates: [],
};

export const POST_TYPE: PostType = {
  ...DEFAULTS,
  name: POST,
  base: 'posts',
  supports: ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'formats', 'sticky', 'thumbnail'],
  taxonomies: [CATEGORIES, TAGS],
  templates: TEMPLATES,
};

export const PAGE_TYPE: PostType = {
  ...DEFAULTS,
  name: PAGE,
  base: 'pages',
  supports: ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'page-attributes', 'thumbnail'],
  hierarchical: true,
  needsText: false,
  templates: TEMPLATES,
};

export const BLOCK_TYPE: PostType = {
  ...DEFAULTS,
  name: 'wp_block',
  base: 'blocks',
  supports: ['custom-fields', 'editor', 'excerpt'],
  taxonomies: [PATTERN_CATEGORIES],
  meta: { ...EVENT_META, ...PATTERN_META, footnotes: metaText },
  texts: {
    title: { raw: ['view', 'edit'] },
    content: { raw: ['view', 'edit'], blockVersion: ['edit'], protected: ['view', 'edit', 'embed'] },
  },
};

export const NAVIGATION_TYPE: PostType = {
  ...DEFAULTS,
  name: 'wp_navigation',
  base: 'navigation',
  supports: ['editor'],
  texts: {
    title: { raw: ['edit', 'embed'], rendered: ['view', 'edit', 'embed'] },
    content: {
      raw: ['edit', 'embed'],
      rendered: ['view', 'edit', 'embed'],
      blockVersion: ['edit', 'embed'],
      protected: ['view', 'edit', 'embed'],
    },
  },
};

const CALENDAR_TYPE = { ...DEFAULTS, supports: ['author', 'custom-fields', 'editor', 'excerpt', 'thumbnail'] } satisfies Partial<PostType>;

export const VENUE_TYPE: PostType = { ...CALENDAR_TYPE, name: VENUE, base: 'tribe_venue', viewable: false };

export const ORGANIZER_TYPE: PostType = { ...CALENDAR_TYPE, name: ORGANIZER, base: 'tribe_organizer', viewable: false };

export const EVENT_TYPE: PostType = {
  ...CALENDAR_TYPE,
  name: EVENT,
  base: 'tribe_events',
  taxonomies: CALENDAR_TAXONOMIES,
  meta: { ...EVENT_META, ...STATUS_META, footnotes: metaText },
  templates: TEMPLATES,
};

export const EMBED_TYPE: PostType = {
  ...DEFAULTS,
  name: CALENDAR_EMBED,
  base: 'tec_calendar_embed',
  supports: [],
  revisions: false,
  autosaves: false,
  needsText: false,
  taxonomies: CALENDAR_TAXONOMIES,
  meta: {},
};
