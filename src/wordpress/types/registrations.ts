import type { DynamicBlock } from '../formatting/references.js';
import type { IndexExtension } from '../indexes.js';
import type { OptionReaders } from '../options.js';
import type { QueryExtension } from '../query/clauses.js';
import type { AddedHooks } from './hooks.js';
import type { PostType, RegisteredMeta, Taxonomy, PostStatus } from './post-type.js';

/** The post types that a plugin registers, and what belongs to them. */
export interface Registration {
  types: readonly PostType[];
  taxonomies: readonly Taxonomy[];
  /** Names of post types that are not in the core API. */
  hiddenTypes: readonly string[];
  statuses: readonly PostStatus[];
  /** Whether its statuses are registered after the ones of all other plugins (WP: at a later priority of `init`). */
  hasLateStatuses?: true;
  /** The plurals in the names of its capabilities, in the order in which roles list them. */
  families: readonly string[];
  /** Meta keys of all types with custom fields. */
  meta: readonly RegisteredMeta[];
  /** Page templates for all viewable types. */
  templates: readonly string[];
}

/** Header of the main file of a plugin, as WordPress reads it. */
export interface PluginHeader {
  /** The name of its folder, of its main file and of its text domain. */
  folder: string;
  title: string;
  description: string;
  author: string;
  authorUrl: string;
}

/** Registrations of a plugin with WordPress. */
export interface Registrations {
  /** Absent: it is not among the plugins of a site that administrators see. */
  header?: PluginHeader;
  /** Post types, taxonomies, statuses, meta, families of capabilities, page templates. */
  types: Registration;
  /** Clauses, orders and columns of queries of posts. */
  queries: QueryExtension;
  /** Indexes of posts. */
  indexes: IndexExtension;
  /** Blocks that are rendered when they are shown, by name. */
  blocks: Readonly<Record<string, DynamicBlock>>;
  /** Reads its settings from the rows of the options table. */
  options: OptionReaders;
  /** Additions to WordPress and to other plugins. */
  hooks?: AddedHooks;
}

/** The same, without what a plugin does not have. */
export type GivenRegistrations = Partial<Omit<Registrations, 'types'>> & { types?: Partial<Registration> };

const NO_TYPES: Registration = { types: [], taxonomies: [], hiddenTypes: [], statuses: [], families: [], meta: [], templates: [] };
const NO_QUERIES: QueryExtension = { clauses: {}, sorts: {}, isCounted: () => false, unboundedColumn: () => null, columns: {} };

export const completeRegistrations = ({ types, ...given }: GivenRegistrations): Registrations => ({
  types: { ...NO_TYPES, ...types },
  queries: NO_QUERIES,
  indexes: { posts: [], carried: {} },
  blocks: {},
  options: {},
  ...given,
});
