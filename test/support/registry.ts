import { registryOf } from '../../src/plugins/register.js';

/** The registry of sites with all plugins. */
export const registry = await registryOf();
