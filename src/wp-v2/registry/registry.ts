/** A family of capabilities of a post type, by the singular and plural of its name; `null` where nobody has them by a name of their own. */
export interface RegisteredType {
  name: string;
  /** How it is called on the screen. */
  label: string;
  singular: string;
  base: string;
  namespace?: string;
  hierarchical?: boolean;
  archive?: boolean;
  icon?: string;
  taxonomies?: string[];
  /** Names of a single and of several items in capabilities. */
  capability: [one: string, many: string];
  /** Capabilities by another name than that. */
  rights?: Record<string, string>;
  viewable: boolean;
  /** Shown where menus are made, and in the administration. */
  inMenus: boolean;
  inAdmin: boolean;
  supports: string[];
}

const POST: [string, string] = ['post', 'posts'];

/** WP: what makes up the looks of a site is for those who may change its theme. */
const THEME_RIGHTS: Record<string, string> = Object.fromEntries(
  [
    ...['edit_posts', 'edit_others_posts', 'edit_private_posts', 'edit_published_posts', 'create_posts', 'publish_posts'],
    ...['delete_posts', 'delete_others_posts', 'delete_private_posts', 'delete_published_posts', 'read_private_posts', 'read'],
  ].map((name) => [name, 'edit_theme_options']),
);

/** WP: patterns are for those who write posts. */
const BLOCK_RIGHTS: Record<string, string> = {
  ...Object.fromEntries(
    ['edit_posts', 'edit_others_posts', 'edit_published_posts', 'delete_others_posts', 'delete_published_posts'].map((name) => [
      name,
      name,
    ]),
  ),
  read: 'edit_posts',
  create_posts: 'publish_posts',
};

const CALENDAR_SUPPORTS = ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'autosave', 'custom-fields'];
const ALL_SUPPORTS = [
  'title',
  'editor',
  'author',
  'thumbnail',
  'excerpt',
  'trackbacks',
  'custom-fields',
  'comments',
  'revisions',
  'post-formats',
  'autosave',
];

/** Post types that the core API shows, in the order of their registration. */
export const TYPES: RegisteredType[] = [
  {
    name: 'post',
    label: 'Posts',
    singular: 'Post',
    base: 'posts',
    icon: 'dashicons-admin-post',
    taxonomies: ['category', 'post_tag'],
    capability: POST,
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: ALL_SUPPORTS,
  },
  {
    name: 'page',
    label: 'Pages',
    singular: 'Page',
    base: 'pages',
    icon: 'dashicons-admin-page',
    hierarchical: true,
    capability: ['page', 'pages'],
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: ['title', 'editor', 'author', 'thumbnail', 'page-attributes', 'custom-fields', 'comments', 'revisions', 'autosave'],
  },
  {
    name: 'attachment',
    label: 'Media',
    singular: 'Media',
    base: 'media',
    icon: 'dashicons-admin-media',
    capability: POST,
    rights: { create_posts: 'upload_files' },
    viewable: true,
    inMenus: false,
    inAdmin: true,
    supports: ['title', 'author', 'comments'],
  },
  {
    name: 'nav_menu_item',
    label: 'Navigation Menu Items',
    singular: 'Navigation Menu Item',
    base: 'menu-items',
    taxonomies: ['nav_menu'],
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: [],
  },
  {
    name: 'wp_block',
    label: 'Patterns',
    singular: 'Pattern',
    base: 'blocks',
    taxonomies: ['wp_pattern_category'],
    capability: ['block', 'blocks'],
    rights: BLOCK_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: ['title', 'excerpt', 'editor', 'revisions', 'custom-fields', 'autosave'],
  },
  {
    name: 'wp_template',
    label: 'Templates',
    singular: 'Template',
    base: 'templates',
    capability: ['template', 'templates'],
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'],
  },
  {
    name: 'wp_template_part',
    label: 'Template Parts',
    singular: 'Template Part',
    base: 'template-parts',
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'],
  },
  {
    name: 'wp_global_styles',
    label: 'Global Styles',
    singular: 'Global Styles',
    base: 'global-styles',
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'editor', 'revisions', 'autosave'],
  },
  {
    name: 'wp_navigation',
    label: 'Navigation Menus',
    singular: 'Navigation Menu',
    base: 'navigation',
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'editor', 'revisions', 'autosave'],
  },
  {
    name: 'wp_font_family',
    label: 'Font Families',
    singular: 'Font Family',
    base: 'font-families',
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title'],
  },
  {
    name: 'wp_font_face',
    label: 'Font Faces',
    singular: 'Font Face',
    base: 'font-families/(?P<font_family_id>[\\d]+)/font-faces',
    capability: POST,
    rights: THEME_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title'],
  },
  {
    name: 'tribe_venue',
    label: 'Venues',
    singular: 'Venue',
    base: 'tribe_venue',
    capability: ['tribe_venue', 'tribe_venues'],
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: CALENDAR_SUPPORTS,
  },
  {
    name: 'tribe_organizer',
    label: 'Organizers',
    singular: 'Organizer',
    base: 'tribe_organizer',
    capability: ['tribe_organizer', 'tribe_organizers'],
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: CALENDAR_SUPPORTS,
  },
  {
    name: 'tribe_events',
    label: 'Events',
    singular: 'Event',
    base: 'tribe_events',
    icon: 'dashicons-calendar',
    archive: true,
    taxonomies: ['post_tag', 'tribe_events_cat'],
    capability: ['tribe_event', 'tribe_events'],
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: CALENDAR_SUPPORTS,
  },
  {
    name: 'tec_calendar_embed',
    label: 'Calendar Embeds',
    singular: 'Calendar Embed',
    base: 'tec_calendar_embed',
    taxonomies: ['post_tag', 'tribe_events_cat'],
    capability: ['tribe_event', 'tribe_events'],
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: ['title'],
  },
];

/** Post types that exist and are not shown by the core API. */
export const HIDDEN_TYPES: readonly string[] = [
  'revision',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'tribe-ea-record',
  'deleted_event',
];

/** The same of taxonomies. */
export const HIDDEN_TAXONOMIES: readonly string[] = ['post_format', 'link_category', 'wp_theme', 'wp_template_part_area'];

export interface RegisteredTaxonomy {
  name: string;
  label: string;
  singular: string;
  base: string;
  hierarchical: boolean;
  types: string[];
  /** What managing, editing, deleting and assigning its terms takes. */
  capabilities: [manage: string, edit: string, remove: string, assign: string];
  isPublic: boolean;
  adminColumn: boolean;
}

const CATEGORY_RIGHTS: RegisteredTaxonomy['capabilities'] = [
  'manage_categories',
  'edit_categories',
  'delete_categories',
  'assign_categories',
];

/** Taxonomies that the core API shows, in the order of their registration. */
export const TAXONOMIES: RegisteredTaxonomy[] = [
  {
    name: 'category',
    label: 'Categories',
    singular: 'Category',
    base: 'categories',
    hierarchical: true,
    types: ['post'],
    capabilities: CATEGORY_RIGHTS,
    isPublic: true,
    adminColumn: true,
  },
  {
    name: 'post_tag',
    label: 'Tags',
    singular: 'Tag',
    base: 'tags',
    hierarchical: false,
    types: ['post', 'tribe_events', 'tec_calendar_embed'],
    capabilities: ['manage_post_tags', 'edit_post_tags', 'delete_post_tags', 'assign_post_tags'],
    isPublic: true,
    adminColumn: true,
  },
  {
    name: 'nav_menu',
    label: 'Navigation Menus',
    singular: 'Navigation Menu',
    base: 'menus',
    hierarchical: false,
    types: ['nav_menu_item'],
    capabilities: ['edit_theme_options', 'edit_theme_options', 'edit_theme_options', 'edit_theme_options'],
    isPublic: false,
    adminColumn: false,
  },
  {
    name: 'wp_pattern_category',
    label: 'Pattern Categories',
    singular: 'Pattern Category',
    base: 'wp_pattern_category',
    hierarchical: false,
    types: ['wp_block'],
    capabilities: ['manage_categories', 'manage_categories', 'manage_categories', 'edit_posts'],
    isPublic: false,
    adminColumn: true,
  },
  {
    name: 'tribe_events_cat',
    label: 'Event Categories',
    singular: 'Event Category',
    base: 'tribe_events_cat',
    hierarchical: true,
    types: ['tribe_events', 'tec_calendar_embed'],
    capabilities: ['publish_tribe_events', 'publish_tribe_events', 'publish_tribe_events', 'edit_tribe_events'],
    isPublic: true,
    adminColumn: false,
  },
];
