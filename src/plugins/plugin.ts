import type { DynamicBlocks } from '../wordpress/formatting/blocks.js';
import type { IndexExtension } from '../wordpress/indexes.js';
import type { OptionReaders } from '../wordpress/options.js';
import type { QueryExtension } from '../wordpress/query/clauses.js';
import type { Quirk, QuirkName } from '../wordpress/quirks.js';
import type { PageRequest, PageResponse } from '../wordpress/rest/page.js';
import type { Product } from '../wordpress/releases.js';
import type { Namespace } from '../wordpress/rest/route.js';
import type { Site } from '../wordpress/site.js';
import type { Registration } from '../wordpress/types/registry.js';

/** What a plugin registers with WordPress. */
export interface PluginRegistrations {
  /** Post types, taxonomies, statuses, meta, families of capabilities, page templates. */
  types: Registration;
  /** Clauses, orders and columns of queries of posts. */
  queries: QueryExtension;
  /** Indexes of posts. */
  indexes: IndexExtension;
  /** Blocks that are rendered when they are shown, by name. */
  blocks: DynamicBlocks;
  /** Reads its settings from the rows of the options table. */
  options: OptionReaders;
}

/** Responds to the requests that are neither for REST nor for a file: pages, feeds, sign-in. */
export type Pages = (site: Site) => (request: PageRequest) => Promise<PageResponse>;

/** How a plugin responds to requests. */
export interface PluginResponses {
  /**
   * Its REST namespaces, in the order in which WordPress registers them.
   * @param names the names under which its main namespace is mounted
   */
  namespaces: (names: readonly string[]) => Namespace[];
  /** The pages of the site, if it brings them. Those of the first plugin that has some apply. */
  pages?: Pages;
}

/** A plugin of WordPress, named like its folder in `wp-content/plugins`. Importing one has no effect: what needs it takes it from `PLUGINS`. */
export interface Plugin extends Product {
  /** Names of the plugins that it does not work without. */
  requires: readonly string[];
  /** Names under which its main namespace is always mounted. */
  namespaces: readonly string[];
  /** What it does otherwise than its documented interface, in all releases or in older ones. */
  quirks: Readonly<Partial<Record<QuirkName, Quirk>>>;
  /** Loads what it registers. Help and usage errors do without. */
  loadRegistrations: () => Promise<PluginRegistrations>;
  /** Loads how it responds. Only servers need it, and load it while their database starts. */
  loadResponses: () => Promise<PluginResponses>;
}
