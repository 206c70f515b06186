import { REVISION } from '../model.js';
import type { PostType, Taxonomy } from './post-type.js';

const POST = ['post', 'posts'] as const;

const inThemes = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, 'edit_theme_options']));

/** WP: types that define a site's appearance require the right to edit themes. What a type leaves out follows the pattern. */
const MENU_RIGHTS: Record<string, string> = inThemes(
  ...['edit_posts', 'edit_others_posts', 'edit_private_posts', 'edit_published_posts', 'create_posts', 'publish_posts'],
  ...['delete_posts', 'delete_others_posts', 'delete_private_posts', 'delete_published_posts', 'read_private_posts'],
);

const TEMPLATE_RIGHTS = { ...MENU_RIGHTS, ...inThemes('read') };

const STYLE_RIGHTS: Record<string, string> = {
  read: 'edit_posts',
  ...inThemes('create_posts', 'edit_posts', 'edit_others_posts', 'edit_published_posts', 'delete_others_posts', 'delete_published_posts'),
};

const FONT_RIGHTS: Record<string, string> = inThemes(
  ...['read', 'read_private_posts', 'create_posts', 'publish_posts', 'edit_posts', 'edit_others_posts', 'edit_published_posts'],
  ...['delete_posts', 'delete_others_posts', 'delete_published_posts'],
);

/** WP: patterns require the right to edit posts. */
const BLOCK_RIGHTS: Record<string, string> = {
  ...Object.fromEntries(
    ['edit_posts', 'edit_others_posts', 'edit_published_posts', 'delete_posts', 'delete_others_posts', 'delete_published_posts'].map(
      (name) => [name, name],
    ),
  ),
  read: 'edit_posts',
  create_posts: 'publish_posts',
};

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

/** Built-in post types in the core API, in order of registration. */
export const CORE_TYPES: readonly PostType[] = [
  {
    name: 'post',
    label: 'Posts',
    singular: 'Post',
    allItems: 'All Posts',
    base: 'posts',
    icon: 'dashicons-admin-post',
    taxonomies: ['category', 'post_tag'],
    capability: POST,
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: ALL_SUPPORTS,
    hasNotes: true,
    searched: [],
  },
  {
    name: 'page',
    label: 'Pages',
    singular: 'Page',
    allItems: 'All Pages',
    base: 'pages',
    icon: 'dashicons-admin-page',
    hierarchical: true,
    nestedSlugs: true,
    capability: ['page', 'pages'],
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: ['title', 'editor', 'author', 'thumbnail', 'page-attributes', 'custom-fields', 'comments', 'revisions', 'autosave'],
    hasNotes: true,
    searched: [],
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
    searched: [],
  },
  {
    name: 'nav_menu_item',
    label: 'Navigation Menu Items',
    singular: 'Navigation Menu Item',
    base: 'menu-items',
    taxonomies: ['nav_menu'],
    capability: POST,
    rights: MENU_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    // WP: what a type has that names nothing.
    supports: ['title', 'editor', 'autosave'],
    searched: [],
  },
  {
    name: 'wp_block',
    label: 'Patterns',
    singular: 'Pattern',
    allItems: 'All Patterns',
    base: 'blocks',
    taxonomies: ['wp_pattern_category'],
    capability: ['block', 'blocks'],
    rights: BLOCK_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: ['title', 'excerpt', 'editor', 'revisions', 'custom-fields', 'autosave'],
    searched: [],
  },
  {
    name: 'wp_template',
    label: 'Templates',
    singular: 'Template',
    allItems: 'All Templates',
    description: 'Templates to include in your theme.',
    base: 'templates',
    capability: ['template', 'templates'],
    rights: TEMPLATE_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'],
  },
  {
    name: 'wp_template_part',
    label: 'Template Parts',
    singular: 'Template Part',
    allItems: 'All Template Parts',
    description: 'Template parts to include in your templates.',
    base: 'template-parts',
    capability: POST,
    rights: TEMPLATE_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'],
  },
  {
    name: 'wp_global_styles',
    label: 'Global Styles',
    singular: 'Global Styles',
    description: 'Global styles to include in themes.',
    base: 'global-styles',
    capability: POST,
    rights: STYLE_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'editor', 'revisions', 'autosave'],
  },
  {
    name: 'wp_navigation',
    label: 'Navigation Menus',
    singular: 'Navigation Menu',
    description: 'Navigation menus that can be inserted into your site.',
    base: 'navigation',
    capability: POST,
    rights: MENU_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title', 'editor', 'revisions', 'autosave'],
    searched: [],
  },
  {
    name: 'wp_font_family',
    label: 'Font Families',
    singular: 'Font Family',
    allItems: 'All Font Families',
    base: 'font-families',
    capability: POST,
    rights: FONT_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title'],
  },
  {
    name: 'wp_font_face',
    label: 'Font Faces',
    singular: 'Font Face',
    allItems: 'All Font Faces',
    base: 'font-families/(?P<font_family_id>[\\d]+)/font-faces',
    capability: POST,
    rights: FONT_RIGHTS,
    viewable: false,
    inMenus: false,
    inAdmin: false,
    supports: ['title'],
  },
];

/** Built-in post types that are not in the core API. */
export const HIDDEN_TYPES: readonly string[] = [REVISION, 'custom_css', 'customize_changeset', 'oembed_cache', 'user_request'];

/** Built-in taxonomies that are not in the core API. */
export const HIDDEN_TAXONOMIES: readonly string[] = ['post_format', 'link_category', 'wp_theme', 'wp_template_part_area'];

const CATEGORY_RIGHTS: Taxonomy['capabilities'] = ['manage_categories', 'edit_categories', 'delete_categories', 'assign_categories'];

/** Built-in taxonomies in the core API, in order of registration. */
export const CORE_TAXONOMIES: readonly Taxonomy[] = [
  {
    name: 'category',
    folder: () => 'category',
    label: 'Categories',
    singular: 'Category',
    base: 'categories',
    hierarchical: true,
    capabilities: CATEGORY_RIGHTS,
    isPublic: true,
    adminColumn: true,
  },
  {
    name: 'post_tag',
    folder: () => 'tag',
    label: 'Tags',
    singular: 'Tag',
    base: 'tags',
    hierarchical: false,
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
    capabilities: ['manage_categories', 'manage_categories', 'manage_categories', 'edit_posts'],
    isPublic: false,
    adminColumn: true,
  },
];
