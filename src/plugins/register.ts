import { registerBlocks } from '../wordpress/formatting/blocks.js';
import { registerIndexes } from '../wordpress/indexes.js';
import { registerOptions } from '../wordpress/options.js';
import { registerQueries } from '../wordpress/query/clauses.js';
import { registerTypes } from '../wordpress/types/registry.js';
import { PLUGINS } from './index.js';

async function registerAll(): Promise<void> {
  for (const { types, queries, indexes, blocks, options } of await Promise.all(PLUGINS.map((plugin) => plugin.loadRegistrations()))) {
    registerTypes(types);
    registerQueries(queries);
    registerBlocks(blocks);
    registerIndexes(indexes);
    registerOptions(options);
  }
}

let registering: Promise<void> | undefined;

/**
 * Registers the plugins with WordPress, once in a process. A program calls it before it opens a store or reads content.
 * @throws Error if a store is already open
 */
export const registerPlugins = (): Promise<void> => (registering ??= registerAll());
