/* All that runs in the process of a server, in one file of the package: hundreds of small ones take longer to find and to compile than to run. */
import './system/node-version.js';

export { createServer, createHandler, ConfigError, EngineError, IgnoredError } from './index.js';
export { main } from './main.js';
export { hasStarted } from './app/start.js';
