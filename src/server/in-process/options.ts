import { configOptions, environmentWarnings, fromEnvironment, resolveOptions, type ServerOptions } from '../config/index.js';

let hasWarned = false;

/** Warns about misspelt variables of the environment, once. */
function warnOfVariables(): void {
  if (!hasWarned) for (const text of environmentWarnings()) process.emitWarning(text);
  hasWarned = true;
}

/**
 * Completes the options of a server in the process of its user: from the environment, then the configuration file if `config` is set, then
 * `defaults`. Without `data` the store is deleted when the server closes.
 * @throws ConfigError for an invalid option
 */
export async function embeddedOptions(
  given: Partial<ServerOptions>,
  defaults: Partial<ServerOptions>,
  always: Partial<ServerOptions> = {},
): Promise<ServerOptions> {
  warnOfVariables();
  const { config = false } = given;
  const fromFile = config === false ? {} : await configOptions(config === true ? undefined : config);
  const ephemeral = (given.data ?? fromFile.data) === undefined;
  return resolveOptions({ ephemeral, logLevel: 'warn', ...defaults }, fromFile, fromEnvironment(), given, always);
}
