import { embeddedOptions } from './server/in-process/options.js';
import type { ServerOptions } from './server/config/server-options.js';
import type { Server } from './server/app/server.js';
import { startServer } from './server/app/start.js';

export type { ServerOptions } from './server/config/server-options.js';
export { ConfigError } from './server/config/config-error.js';
export { EngineError } from './database/engine/types.js';
export { defineConfig, type Config, type ConfigExport } from './server/config/define-config.js';
export type { Server } from './server/app/server.js';
export { createHandler, type Handler, type HandlerOptions } from './server/in-process/handler.js';
export { IgnoredError, type Allowance, type IgnoredParts, type StrictOptions } from './sdk/testing/cypress.js';
export type * from './sdk/types/dataset.js';
export type { DatasetFunction } from './sdk/types/dataset-function.js';
export type * from './sdk/types/responses.js';

/**
 * Starts a server in this process. Omitted options are read from the environment, then from the configuration file if `config` is set, then
 * from the command-line defaults, with two exceptions: `port` defaults to any free port, and without `data` the store is deleted when the
 * server closes.
 * @throws ConfigError for an invalid option, EngineError when no database can be started or reached
 */
export async function createServer(options: Partial<ServerOptions> = {}): Promise<Server> {
  return startServer(await embeddedOptions(options, { port: 0 }));
}
