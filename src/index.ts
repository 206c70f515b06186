import { fromEnvironment, resolveOptions, type ServerOptions } from './config/index.js';
import { startServer, type Server } from './app/server.js';

export { ConfigError, type ServerOptions } from './config/index.js';
export { EngineError } from './store/engine/index.js';
export type { Server } from './app/server.js';
export type * from './types.js';

/**
 * Starts a server in this process. What is not given comes from the environment, then from the defaults of the command line,
 * but for the port, which is any that is free, and the store, which goes when the server is closed unless `data` names a folder.
 * @throws ConfigError for an option that cannot be used, EngineError when there is no database to be had
 */
export async function createServer(options: Partial<ServerOptions> = {}): Promise<Server> {
  const defaults: Partial<ServerOptions> = { port: 0, ephemeral: options.data === undefined, logLevel: 'warn' };
  return startServer(resolveOptions(defaults, fromEnvironment(), options));
}
