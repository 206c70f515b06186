import type { Namespace } from '../../wordpress/rest/route.js';
import { PLUGINS } from '../../plugins/index.js';
import type { PluginResponses } from '../../plugins/plugin.js';
import { oembed } from '../../wordpress/feeds/oembed.js';
import { servePages } from '../../wordpress/pages/index.js';
import { batchRoute } from '../../wordpress/rest/batch.js';
import { withIndexes } from '../../wordpress/rest/discovery.js';
import { stubNamespaces } from '../../wordpress/rest/stub-routes.js';
import { mountRoutes, type MountedRoute } from '../../wordpress/rest/table.js';
import type { PageRequest, PageResponse } from '../../wordpress/rest/page.js';
import type { Site } from '../../wordpress/site.js';
import { onceFor, type Registry } from '../../wordpress/types/registry.js';
import type { PagePlugin } from '../../wordpress/views/reading.js';
import { abilities } from '../../wordpress/wp-v2/abilities/ability-routes.js';
import { blockEditor } from '../../wordpress/wp-v2/declared/namespaces.js';
import { wpV2 } from '../../wordpress/wp-v2/index.js';
import { siteHealth } from '../../wordpress/wp-v2/administration/site-health.js';

/** How sites respond, by their registry. */
export interface SiteRoutes {
  /** The names under which the main namespaces of its plugins are mounted. */
  namesOf: (registry: Registry) => readonly string[];
  /** The table of all routes, including the index routes, which list the table itself. */
  tableOf: (registry: Registry) => MountedRoute[];
  /** Responds to the requests for pages and feeds of a site. */
  pagesOf: (site: Site) => (request: PageRequest) => Promise<PageResponse>;
}

/** Joins namespaces of the same name: a plugin may add routes to another one's. */
function joined(namespaces: readonly Namespace[]): Namespace[] {
  const byName = new Map<string, Namespace>();
  for (const each of namespaces) {
    const known = byName.get(each.name);
    byName.set(each.name, known ? { ...known, routes: [...known.routes, ...each.routes] } : each);
  }
  return [...byName.values()];
}

/**
 * Loads how all plugins respond. The routes of a registry are built once, before its first site responds.
 * @param more names under which the calendar is mounted, besides the ones under which it always is
 */
export async function siteRoutes(more: readonly string[]): Promise<SiteRoutes> {
  const loaded = await Promise.all(PLUGINS.map(async (plugin) => ({ plugin, responses: await plugin.loadResponses() })));
  const pluginsOf = ({ plugins }: Registry): typeof loaded => loaded.filter(({ plugin }) => plugins.includes(plugin.name));
  const responsesOf = (registry: Registry): PluginResponses[] => pluginsOf(registry).map(({ responses }) => responses);
  const namesOf = onceFor((registry): readonly string[] => {
    const names = pluginsOf(registry).flatMap(({ plugin }) => plugin.namespaces);
    return names.length === 0 ? [] : [...new Set([...names, ...more])];
  });
  const addedPages = onceFor((registry): readonly PagePlugin[] => responsesOf(registry).flatMap(({ pages }) => (pages ? [pages] : [])));
  const tableOf = onceFor((registry) => {
    const ofPlugins = responsesOf(registry).flatMap(({ namespaces }) => namespaces(namesOf(registry), registry));
    const [first, ...others] = [
      ...[oembed(addedPages(registry)), ...joined(ofPlugins), wpV2(registry), siteHealth(), blockEditor(), abilities()],
    ];
    const ofStubs = stubNamespaces(
      registry.declarations,
      [first, ...others].map(({ name }) => name),
    );
    const [root, ...indexed] = withIndexes([first, ...ofStubs, ...others], () => table);
    const table: MountedRoute[] = mountRoutes([root, { name: '', routes: [batchRoute(() => table)] }, ...indexed]);
    return table;
  });
  return { namesOf, tableOf, pagesOf: (site) => servePages(site, addedPages(site.registry)) };
}
