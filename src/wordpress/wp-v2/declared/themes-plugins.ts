import type { Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { edit, get, post, removal, route } from '../declare.js';
import { PLUGIN_INSTALLATION, PLUGIN_WRITES, PLUGINS, THEME, THEMES } from './access.js';
import { STYLESHEET_PATTERN } from './site-editor.js';

const THEME_STATUSES = shared.list('Only results with these statuses.', { enum: ['active', 'inactive'], type: 'string' });

export const themeRoutes = (): Route[] => [
  route('/themes', get({ status: THEME_STATUSES }, THEMES)),
  route(`/themes/(?P<stylesheet>${STYLESHEET_PATTERN})`, get({ stylesheet: shared.text('Directory name of the theme.') }, THEME)),
];

const PLUGIN_STATUSES = ['inactive', 'active'];
const PLUGIN_PATTERN = '[^.\\/]+(?:\\/[^.\\/]+)?';

export function pluginRoutes(): Route[] {
  const { context } = shared;
  const plugin = shared.text('', { pattern: PLUGIN_PATTERN });
  const status = shared.choice('Whether the plugin is active.', PLUGIN_STATUSES);
  const slug = shared.text('Slug of the plugin in the WordPress.org directory.', { pattern: '[\\w\\-]+', required: true });
  const statuses = shared.list('Only results with these statuses.', { type: 'string', enum: PLUGIN_STATUSES });
  return [
    route(
      '/plugins',
      get({ context, search: shared.search, status: statuses }, PLUGINS),
      post({ slug, status: { ...status, default: 'inactive' } }, PLUGIN_INSTALLATION),
    ),
    route(
      `/plugins/(?P<plugin>${PLUGIN_PATTERN})`,
      get({ context, plugin }, PLUGINS),
      edit({ context, plugin, status }, PLUGIN_WRITES),
      removal({ context, plugin }, PLUGIN_WRITES),
    ),
  ];
}
