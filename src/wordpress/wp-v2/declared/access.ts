import { type Args, type CallContext, refusal, RestError } from '../../rest/route.js';
import type { User } from '../../model.js';
import { can, canWithPosts } from '../../users/capabilities.js';
import { notBuilt, type Action } from '../declare.js';
import { listResponse } from '../../rest/lists.js';

/* Routes that are only declared reject callers without permission as WordPress does, so that only others get 501. */

type Right = (user: User | null) => boolean;

const writes: Right = (user) => canWithPosts(user, 'edit');
const manages: Right = (user) => can(user, 'manage_options');
const designs: Right = (user) => can(user, 'edit_theme_options');

/** An action that is only declared, for callers with permission. */
const unbuilt = (right: Right, code: string, message: string): Action<Args> => ({
  permission: ({ request: { user } }) => right(user) || refusal(user, code, `Sorry, you are not allowed to ${message}.`),
  handler: notBuilt,
});

export const forAdministrators: Action<Args> = { permission: ({ request: { user } }) => manages(user), handler: notBuilt };

export const TEMPLATES = unbuilt(writes, 'rest_cannot_manage_templates', 'access the templates on this site');
export const TEMPLATE_WRITES = unbuilt(designs, 'rest_cannot_manage_templates', 'access the templates on this site');
export const STYLES = unbuilt(writes, 'rest_cannot_read_global_styles', 'access the global styles on this site');
export const BLOCK_TYPES = unbuilt(writes, 'rest_block_type_cannot_view', 'manage block types');
export const BLOCK_DIRECTORY = unbuilt(manages, 'rest_block_directory_cannot_view', 'browse the block directory');
export const PATTERN_DIRECTORY = unbuilt(writes, 'rest_pattern_directory_cannot_view', 'browse the local block pattern directory');
export const PATTERNS = unbuilt(writes, 'rest_cannot_view', 'view the registered block patterns');
export const PATTERN_CATEGORIES = unbuilt(writes, 'rest_cannot_view', 'view the registered block pattern categories');
export const WIDGETS = unbuilt(designs, 'rest_cannot_manage_widgets', 'manage widgets on this site');
export const PLUGIN_INSTALLATION = unbuilt(manages, 'rest_cannot_install_plugin', 'install plugins on this site');
export const FONT_COLLECTIONS = unbuilt(designs, 'rest_cannot_read', 'access font collections');
export const FONT_FAMILY_WRITES = unbuilt(designs, 'rest_cannot_create', 'create posts as this user');
export const EXPORT = unbuilt(designs, 'rest_cannot_export_templates', 'export templates and template parts');
export const NAVIGATION_FALLBACK = unbuilt(designs, 'rest_cannot_create', 'create Navigation Menus as this user');
export const URL_DETAILS = unbuilt(writes, 'rest_cannot_view_url_details', 'process remote URLs');

/** No families are installed. */
export const FONT_FAMILIES: Action<Args> = {
  ...unbuilt(designs, 'rest_cannot_read', 'access font families'),
  handler: (call) => listResponse(call, '/wp/v2/font-families', { items: [], total: 0, pages: 0, page: 1 }),
};

/** WP: the active theme is shown to all users who may write posts. */
const themes = (isActive: (context: CallContext) => boolean): Action<Args> => ({
  permission: (context) => {
    const { user } = context.request;
    if (can(user, 'switch_themes')) return true;
    if (!isActive(context)) return refusal(user, 'rest_cannot_view_themes', 'Sorry, you are not allowed to view themes.');
    return writes(user) || refusal(user, 'rest_cannot_view_active_theme', 'Sorry, you are not allowed to view the active theme.');
  },
  handler: notBuilt,
});

export const THEMES = themes(({ request }) => JSON.stringify(request.get('status')) === '["active"]');
export const THEME = themes(({ request, site }) => request.get('stylesheet') === site.options.stylesheet);

const absent = (code: string, message: string): Action<Args> => ({
  permission: () => new RestError(code, message, 404),
  handler: notBuilt,
});

/** An empty collection for every caller. */
export const NO_STYLES = absent('rest_global_styles_not_found', 'No global styles config exists with that ID.');
export const NO_NAMED_STYLES = absent('rest_global_styles_not_found', 'No global styles config exist with that id.');
/** WP: templates in the files of a theme have neither revisions nor autosaves. */
export const NO_TEMPLATE = absent('rest_post_invalid_parent', 'Invalid template parent ID.');
export const NO_PARENT = absent('rest_post_invalid_parent', 'Invalid post parent ID.');
export const NO_POST = absent('rest_post_invalid_id', 'Invalid post ID.');
