import type { Quirk, QuirkName } from '../wordpress/quirks.js';
import type { Product } from '../wordpress/releases.js';
import type { Namespace } from '../wordpress/rest/route.js';
import type { GivenRegistrations } from '../wordpress/types/registrations.js';
import type { Registry } from '../wordpress/types/registry.js';
import type { PagePlugin } from '../wordpress/views/reading.js';

/** How a plugin responds to requests. */
export interface PluginResponses {
  /**
   * Its REST namespaces, in the order in which WordPress registers them. Routes in a namespace of another plugin are added to it.
   * @param names the names under which its main namespace is mounted
   * @param registry what is registered for the site, also by other plugins
   */
  namespaces: (names: readonly string[], registry: Registry) => Namespace[];
  /** Additions to the addresses, pages and feeds of WordPress. */
  pages?: PagePlugin;
}

/**
 * A plugin of WordPress, named like its folder in `wp-content/plugins`. Importing one has no effect: a site has the plugins of its registry
 * (`registryOf`), which finds them in `PLUGINS`.
 */
export interface Plugin extends Product {
  /** Whether every site has it. Sites have the others if their plugins are named. */
  isDefault: boolean;
  /** Names of the plugins that it does not work without. */
  requires: readonly string[];
  /** Names under which its main namespace is always mounted. */
  namespaces: readonly string[];
  /** Differences from its documented interface, in all releases or in older ones. */
  quirks: Readonly<Partial<Record<QuirkName, Quirk>>>;
  /** Loads what it registers: a constant, from which each registry with this plugin is made. Help and usage errors do without. */
  loadRegistrations: () => Promise<GivenRegistrations>;
  /** Loads how it responds. Only servers need it, and load it while their database starts. */
  loadResponses: () => Promise<PluginResponses>;
}
