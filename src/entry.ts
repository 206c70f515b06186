import './base/system/node-version.js';
import { load } from './load.js';

export { defineConfig } from './server/config/define-config.js';

/** Exports for `import 'wp-understudy'`: those of `index.ts`, from the bundle. */
export const { createServer, createHandler, ConfigError, EngineError, IgnoredError } = await load();
