import { OPTIONS, type ServerOptions } from './options.js';
import { checked, ConfigError, readValue } from './values.js';

/** A variable of the environment by its name: for secrets, which are not to stand on a command line. Empty ones count as absent. */
export const environmentVariable = (name: string): string | undefined => process.env[name] || undefined;

/** What the environment sets. Empty variables count as absent. */
export function fromEnvironment(environment: NodeJS.ProcessEnv = process.env): Partial<ServerOptions> {
  const found: Record<string, unknown> = {};
  for (const option of OPTIONS) {
    const text = option.env && environment[option.env];
    if (option.env && text) found[option.name] = readValue(option, text, option.env);
  }
  return found as Partial<ServerOptions>;
}

/** As `engines` of package.json has it. */
const OLDEST_NODE = [20, 19] as const;

/** @throws ConfigError on a Node.js that lacks what is used here: what would go wrong there does not tell why */
export function checkNode(version: string): void {
  const [major, minor] = version.split('.').map(Number);
  const [oldest, least] = OLDEST_NODE;
  if (major < oldest || (major === oldest && minor < least))
    throw new ConfigError(`Node.js ${OLDEST_NODE.join('.')} or later is needed, and this is ${version}`);
}

/** Options as given in code, checked and completed. Stronger sources come last. */
export function resolveOptions(...sources: Partial<ServerOptions>[]): ServerOptions {
  checkNode(process.versions.node);
  const given: Record<string, unknown> = Object.assign({}, ...sources.map(withoutUndefined)) as Record<string, unknown>;
  const names = OPTIONS.map(({ name }) => name as string);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no option ${unknown}`);
  return Object.fromEntries(
    OPTIONS.map((option) => [option.name, option.name in given ? checked(option, given[option.name], option.name) : option.default]),
  ) as unknown as ServerOptions;
}

const withoutUndefined = (source: object): object => Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
