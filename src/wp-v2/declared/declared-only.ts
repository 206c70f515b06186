/** Post types of WordPress itself whose routes are declared only. */
export const DECLARED_ONLY: ReadonlySet<string> = new Set([
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_font_family',
  'wp_font_face',
]);
