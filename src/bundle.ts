/* Everything that runs in the process of a server, bundled into one file: hundreds of small files take longer to find and compile than to run. */
import './base/system/node-version.js';

export { createServer, createHandler, ConfigError, EngineError, IgnoredError } from './index.js';
export { main } from './cli/main.js';
export { hasStarted } from './server/app/start.js';
