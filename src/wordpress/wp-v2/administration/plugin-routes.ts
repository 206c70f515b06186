import { texturize } from '../../formatting/texturize.js';
import { sentContext } from '../../rest/params.js';
import { RestResponse, type CallContext, type Json, type Permission, type Route, RestError, refusal } from '../../rest/route.js';
import type { Site } from '../../site.js';
import type { PluginHeader } from '../../types/registrations.js';
import { can } from '../../users/capabilities.js';
import * as shared from '../args.js';
import { described, edit, get, post, removal, route, EVERYWHERE, NOT_EMBEDDED, resourceSchema, shown } from '../declare.js';
import { PLUGIN_INSTALLATION } from '../declared/access.js';

const STATUSES = ['inactive', 'active'];
const PATTERN = '[^.\\/]+(?:\\/[^.\\/]+)?';

const status = shared.choice('Whether the plugin is active.', STATUSES);

const NARROW = ['plugin_uri', 'author', 'author_uri', 'description', 'version', 'textdomain'];

const SCHEMA = resourceSchema(
  'plugin',
  {
    plugin: shown('File of the plugin, without its extension.', { pattern: PATTERN }),
    status,
    name: shown('Name of the plugin.', {}),
    plugin_uri: shown('URL of the plugin.', { format: 'uri' }),
    author: shown('Author of the plugin.', { type: 'object' }),
    author_uri: shown('URL of the author of the plugin.', { format: 'uri' }),
    description: shown('Description of the plugin.', {
      type: 'object',
      properties: {
        raw: { description: 'Description as the plugin has it.', type: 'string' },
        rendered: { description: 'Description as HTML.', type: 'string' },
      },
    }),
    version: shown('Release of the plugin.', {}),
    network_only: shown('Whether the plugin can be activated for a whole network only.', { type: 'boolean' }),
    requires_wp: shown('Oldest release of WordPress for which the plugin is made.', {}),
    requires_php: shown('Oldest release of PHP for which the plugin is made.', {}),
    textdomain: shown('Text domain of the plugin.', {}),
  },
  Object.fromEntries(NARROW.map((name) => [name, NOT_EMBEDDED])),
  EVERYWHERE,
);

/** WP: a plugin is named by its main file, without the extension. */
const fileOf = ({ folder }: PluginHeader): string => `${folder}/${folder}`;

/** All plugins of a site are active, those of a network on all of its sites. */
const statusOf = ({ options }: Site): string => (options.isInNetwork ? 'network-active' : 'active');

function presentPlugin(header: PluginHeader, context: string, site: Site): Record<string, Json> {
  const { folder, title, description, author, authorUrl } = header;
  const file = fileOf(header);
  const wide: Record<string, Json> = { plugin: file, status: statusOf(site), name: title };
  const most: Record<string, Json> = {
    plugin_uri: '',
    author,
    author_uri: authorUrl,
    description: { raw: description, rendered: `${texturize(description)} <cite>By <a href="${authorUrl}">${author}</a>.</cite>` },
    version: site.quirks.releases[folder],
  };
  return {
    ...wide,
    ...(context === 'embed' ? {} : most),
    ...{ network_only: false, requires_wp: '', requires_php: '' },
    ...(context === 'embed' ? {} : { textdomain: folder }),
    _links: { self: [{ href: site.restUrl(`/wp/v2/plugins/${file}`) }] },
  };
}

const notFound = (): RestError => new RestError('rest_plugin_not_found', 'Plugin not found.', 404);

function namedPlugin({ request, site }: CallContext): PluginHeader {
  const header = site.registry.pluginHeaders.find((each) => fileOf(each) === request.get('plugin'));
  if (!header) throw notFound();
  return header;
}

const isInstalled = (context: CallContext): boolean =>
  context.site.registry.pluginHeaders.some((each) => fileOf(each) === context.request.get('plugin'));

const manages =
  (code: string, isOfOne: boolean): Permission =>
  (context) => {
    const { user } = context.request;
    if (!can(user, 'activate_plugins')) return refusal(user, code, 'Sorry, you are not allowed to manage plugins for this site.');
    return !isOfOne || isInstalled(context) || notFound();
  };

const showPlugin = (context: CallContext, header: PluginHeader): Json => presentPlugin(header, sentContext(context), context.site);

/** WP: a search looks into each text of the header, and the path of the file. */
const matches = (header: PluginHeader, { quirks }: Site, search: string): boolean =>
  [...Object.values<string>({ ...header }), quirks.releases[header.folder], `${fileOf(header)}.php`].some((text) => text.includes(search));

/** Routes of the plugins of a site, which its options and datasets name. */
export function pluginRoutes(): Route[] {
  const { context } = shared;
  const plugin = shared.text('', { pattern: PATTERN });
  const slug = shared.text('Slug of the plugin in the WordPress.org directory.', { pattern: '[\\w\\-]+', required: true });
  const statuses = shared.list('Only results with these statuses.', { type: 'string', enum: STATUSES });
  return [
    route(
      '/plugins',
      get(
        { context, search: shared.search, status: statuses },
        {
          permission: manages('rest_cannot_view_plugins', false),
          handler: (call) => {
            const { search = '', status: wanted } = call.params;
            const isWanted = wanted === undefined || wanted.length === 0 || wanted.includes(statusOf(call.site));
            const found = call.site.registry.pluginHeaders.filter((header) => isWanted && matches(header, call.site, search));
            return new RestResponse(found.map((header) => showPlugin(call, header)));
          },
        },
      ),
      post({ slug, status: { ...status, default: 'inactive' } }, PLUGIN_INSTALLATION),
    ),
    route(
      `/plugins/(?P<plugin>${PATTERN})`,
      get(
        { context, plugin },
        {
          permission: manages('rest_cannot_view_plugin', true),
          handler: (call) => new RestResponse(showPlugin(call, namedPlugin(call))),
        },
      ),
      edit(
        { context, plugin, status },
        {
          permission: manages('rest_cannot_manage_plugins', true),
          handler: (call) => {
            const header = namedPlugin(call);
            if (call.params.status !== 'inactive') return new RestResponse(showPlugin(call, header));
            const message = `A plugin of a site cannot be deactivated here. Start a server or a sandbox without ${header.folder}.`;
            throw new RestError('understudy_not_built', message, 501);
          },
        },
      ),
      removal(
        { context, plugin },
        {
          permission: manages('rest_cannot_manage_plugins', true),
          handler: () => {
            const message = 'Cannot delete an active plugin. Please deactivate it first.';
            throw new RestError('rest_cannot_delete_active_plugin', message, 400);
          },
        },
      ),
    ),
  ].map((each) => described(each, SCHEMA));
}
