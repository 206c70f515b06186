/** Built-in post types whose lists require permissions. */
export const PRIVATE_LISTS: ReadonlySet<string> = new Set([
  'nav_menu_item',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_font_family',
  'wp_font_face',
]);
