import type { Quirk, QuirkName, Product } from '../wordpress/quirks.js';
import type { Namespace } from '../wordpress/rest/route.js';
import type { Declarations } from '../wordpress/types/declared.js';
import type { GivenRegistrations } from '../wordpress/types/registrations.js';
import type { Registry } from '../wordpress/types/registry.js';
import type { PagePlugin } from '../wordpress/views/reading.js';

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

/** A type of posts with which content of a plugin is stored. */
export interface ContentKind {
  type: string;
  /** In counts and messages: `ticket`. */
  noun: string;
  /** The part of a site that its posts are exported with. Default: the name of the plugin's content, which is a part then. */
  part?: string;
  /** Meta keys whose values are ids of posts. */
  references?: readonly string[];
  /** Whether drafts get a slug from their title. Default: true. */
  hasDraftSlugs?: false;
}

/** How content of a plugin moves. The modules that move content declare the members (`declare module`). @public */
export interface MovingContent {}

/** Content that a plugin adds to sites, and that moves with them: in and out of files, from live sites, and generated. */
export interface PluginContent {
  /** Its name: of its list in recorded sites, of its requests in `check`, and of its option of `generate`. */
  name: string;
  /** A namespace in the REST index of live sites that have the plugin. */
  namespace: string;
  kinds: readonly ContentKind[];
  /** Help for its option of `generate`, the share of events that have it. Default: there is no such option. */
  share?: string;
  /** Loads the rest, once content moves. */
  load: () => Promise<MovingContent>;
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
  /** A namespace in the REST index of live sites that have it. */
  foundBy?: string;
  /** A section of declarations that only this plugin reads: a site that declares it has the plugin. */
  declares?: keyof Declarations;
  /** Loads what it registers: a constant, from which each registry with this plugin is made. Help and usage errors do without. */
  loadRegistrations: () => Promise<GivenRegistrations>;
  /** The content that it stores in posts of its types, if it moves in other ways than posts of types that a dataset declares. */
  content?: PluginContent;
  /** Loads how it responds. Only servers need it, and load it while their database starts. */
  loadResponses: () => Promise<PluginResponses>;
}

/** A plugin that sites have only if it is named, with the one release that was recorded. */
export const companion = (release: string, plugin: Partial<Plugin> & Pick<Plugin, 'name' | 'title' | 'loadRegistrations'>): Plugin => ({
  releases: [release],
  findRelease: (text) => (text === release ? text : null),
  isDefault: false,
  requires: [],
  namespaces: [],
  quirks: {},
  loadResponses: () => Promise.resolve({ namespaces: () => [] }),
  ...plugin,
});
