import { registryOf } from '../../src/plugins/register.js';

/** The registry of sites with the plugins that every site has. */
export const registry = await registryOf();
