import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ServerOptions } from '../config/index.js';
import { logTo } from '../log.js';
import type { Cleanup } from '../app/cleanup.js';
import type { Store } from '../wp/store.js';

/** What a command of the command line is. Help and mistakes are answered without loading what only running needs. */
export interface Command {
  /** The whole of `understudy NAME --help`. */
  help: () => string;
  /**
   * @param args what follows the name of the command
   * @throws ConfigError for a command line that cannot be understood (exit code 2); other errors end with exit code 1
   */
  run: (args: readonly string[]) => Promise<void>;
}

/** What went wrong with a command, in words that say what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Prints a line of a command's result. */
export const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/**
 * The store of a site that exists already. Nothing is made here: what was put into a store that no site was loaded into would be lost.
 * @param cleanup closes the store and its engine
 * @throws CommandError when there is no site, EngineError when there is no database
 */
export async function openSite(options: ServerOptions, cleanup: Cleanup): Promise<Store> {
  const folder = path.resolve(options.data);
  const none = `There is no site in ${options.mongodbUri ? 'that database' : folder}; start it once with understudy serve`;
  if (!options.mongodbUri && !existsSync(path.join(folder, 'db'))) throw new CommandError(none);
  const { openStore } = await import('../app/open.js');
  const { store } = await openStore(options, folder, logTo(process.stderr, 'warn'), cleanup);
  if (await store.isEmpty()) throw new CommandError(none);
  return store;
}
