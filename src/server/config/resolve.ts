import { didYouMean } from '../../base/text/suggest.js';
import { misspeltVariables } from '../../base/text/variables.js';
import { configOptions } from './file.js';
import { OPTIONS } from './options.js';
import type { ServerOptions } from './server-options.js';
import { checked, ConfigError, readValue } from './values.js';
import { withoutUndefined } from '../../base/values/records.js';

/** Reads an environment variable, for secrets that must not appear on a command line. An empty value counts as unset. */
export const environmentVariable = (name: string): string | undefined => process.env[name] || undefined;

const VARIABLES = OPTIONS.flatMap(({ env }) => env ?? []);

/** Warnings about variables of the environment that are probably misspelt. */
export const environmentWarnings = (environment: NodeJS.ProcessEnv = process.env): string[] => misspeltVariables(environment, VARIABLES);

/** Reads options from the environment. Empty variables count as unset. */
export function fromEnvironment(environment: NodeJS.ProcessEnv = process.env): Partial<ServerOptions> {
  const found: Record<string, unknown> = {};
  for (const option of OPTIONS) {
    const text = option.env && environment[option.env];
    if (option.env && text) found[option.name] = readValue(option, text, option.env);
  }
  return found;
}

/** Merges, validates and completes options. Later sources override earlier ones. @throws ConfigError */
export function resolveOptions(...sources: Partial<ServerOptions>[]): ServerOptions {
  const given: Record<string, unknown> = Object.fromEntries(sources.flatMap((source) => Object.entries(withoutUndefined(source))));
  const names = OPTIONS.map(({ name }): string => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ConfigError(`Unknown option ${unknown}${didYouMean(unknown, names)}`);
  return Object.fromEntries(
    OPTIONS.map((option) => [option.name, option.name in given ? checked(option, given[option.name], option.name) : option.default]),
  ) as Record<keyof ServerOptions, unknown> as ServerOptions;
}

/**
 * The options that are set for a command, each by the first of these that has it: `given`, `own`, the environment, the configuration file.
 * A folder in `given` is meant to keep what it gets, also where a project keeps nothing.
 */
export async function setOptions(given: Partial<ServerOptions>, own: Partial<ServerOptions> = {}): Promise<Partial<ServerOptions>> {
  const environment = fromEnvironment();
  const { config = environment.config } = given;
  const fromFile = await configOptions(typeof config === 'string' ? config : undefined);
  const kept = given.data === undefined ? {} : { ephemeral: false };
  return { ...fromFile, ...environment, ...kept, ...own, ...given };
}

/**
 * The options of a command: from the command line, else the environment, the configuration file, or `defaults`.
 * @param own options that override the environment and the configuration file
 * @throws ConfigError
 */
export async function commandOptions(
  given: Partial<ServerOptions>,
  { defaults = {}, own }: { defaults?: Partial<ServerOptions>; own?: Partial<ServerOptions> } = {},
): Promise<ServerOptions> {
  return resolveOptions(defaults, await setOptions(given, own));
}
