import { CONTENTS } from '../plugins/register.js';
import { EVENT, EVENT_CATEGORY } from '../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS } from '../plugins/the-events-calendar/model/event.js';
import { ATTACHMENT, BLOCK, CATEGORY, MENU, MENU_ITEM, NAVIGATION, PAGE, POST, TAG } from '../wordpress/model.js';

/** A type of posts, or a taxonomy, as part of a site. */
interface Kind {
  /** In counts and messages. */
  noun: string;
  /** The part that it is exported with, which is its list in datasets unless it is of a plugin. */
  part: string;
}

interface PostKind extends Kind {
  /** Base path of its pages; undefined for files. */
  path?: string;
  /** Whether drafts get a slug from their title. WP: not in these types. TEC: drafts of venues and organizers get one. */
  hasDraftSlugs?: false;
  /** The plugin whose content it is, besides the calendar. */
  plugin?: string;
}

/** The types of posts that every site has, in the order of their lists in datasets, and those of plugins, by name. */
export const POST_KINDS: ReadonlyMap<string, PostKind> = new Map<string, PostKind>([
  [ATTACHMENT, { noun: 'medium', part: 'media' }],
  ...LINKED_KINDS.map((kind) => [LINKED[kind].type, { noun: kind, part: LINKED[kind].column, path: `${kind}/` }] as const),
  [EVENT, { noun: 'event', part: 'events', path: 'event/', hasDraftSlugs: false }],
  [POST, { noun: 'post', part: 'posts', path: '', hasDraftSlugs: false }],
  [PAGE, { noun: 'page', part: 'pages', path: '', hasDraftSlugs: false }],
  // Without pages, but with the addresses of blog posts (WP).
  [BLOCK, { noun: 'pattern', part: 'patterns', path: '', hasDraftSlugs: false }],
  [NAVIGATION, { noun: 'navigation menu', part: 'navigation', path: '', hasDraftSlugs: false }],
  [MENU_ITEM, { noun: 'menu item', part: 'menus', path: '' }],
  ...CONTENTS.flatMap(({ name, plugin, kinds }) =>
    kinds.map((kind) => [kind.type, { part: name, path: `${kind.type}/`, ...kind, plugin: plugin.name }] as const),
  ),
]);

/** The part of the terms of each taxonomy that every site has, which is their list in datasets. */
export const TERM_PARTS: ReadonlyMap<string, string> = new Map([
  [EVENT_CATEGORY, 'categories'],
  [TAG, 'tags'],
  [CATEGORY, 'post_categories'],
  ['wp_pattern_category', 'pattern_categories'],
  [MENU, 'menus'],
]);

/** The types of posts of plugins besides the calendar. */
export const PLUGIN_TYPES: readonly string[] = [...POST_KINDS].flatMap(([type, { plugin }]) => (plugin === undefined ? [] : [type]));

/** Parts of a site that can be exported separately. */
export const PARTS: readonly string[] = [
  ...new Set([
    'events',
    ...LINKED_KINDS.map((kind) => LINKED[kind].column),
    ...['media', 'categories', 'tags', 'post_categories', 'posts', 'pages', 'pattern_categories', 'patterns', 'navigation', 'menus'],
    ...PLUGIN_TYPES.map((type) => POST_KINDS.get(type)!.part),
    ...['items', 'terms', 'users', 'site'],
  ]),
];
