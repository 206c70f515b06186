import { isRecord, withoutUndefined } from '../../base/values/records.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findConfigFiles } from '../../base/system/config-files.js';
import { didYouMean } from '../../base/text/suggest.js';
import { ConfigError } from './config-error.js';
import { OPTIONS, checked, readValue, type Option } from './options.js';
import type { ServerOptions } from './server-options.js';
import { asError, messageOf } from '../../base/values/errors.js';
import { parseSentJson } from '../../base/values/nesting.js';
import { misspeltVariables } from '../../base/text/variables.js';
import { parseArgs } from 'node:util';

/** The value of `--config` that ignores configuration files. */
const NONE = 'none';

/** Where a name is in a file, as `:line:column`; '' if that is unknown. */
type PlaceOf = (name: string) => string;

interface Loaded {
  value: unknown;
  placeOf: PlaceOf;
}

/** A path as messages show it: relative to the working directory, if it is below that. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

async function loadJson(file: string, text: string): Promise<Loaded> {
  // Loaded on first use: most projects have no such file.
  const { jsonProblems, memberPositions } = await import('../../base/text/json-text.js');
  try {
    const value: unknown = parseSentJson(text);
    const positions = memberPositions(text);
    const placeOf: PlaceOf = (name) => {
      const at = positions.get(name);
      return at ? `:${at.line}:${at.column}` : '';
    };
    return { value, placeOf };
  } catch (error) {
    const problems = jsonProblems(text, error).map(({ line, column, message }) => `${shownPath(file)}:${line}:${column}: ${message}`);
    throw new ConfigError(problems.join('\n'));
  }
}

/** The first place in a module where a name is the key of a value. */
const placeIn =
  (text: string): PlaceOf =>
  (name) => {
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = new RegExp(`(?<![\\w$.])["']?${escaped}["']?\\s*[:,}(]`).exec(text);
    const lines = text.slice(0, found?.index ?? 0).split('\n');
    return found ? `:${lines.length}:${(lines.at(-1) ?? '').length + 1}` : '';
  };

/** A module without `export default`, or a CommonJS module without `module.exports`. */
const hasNoExport = (module: object, text: string): boolean =>
  'default' in module ? isEmptyRecord(module.default) && !/\bexports?\b/.test(text) : !/\bexports\b/.test(text);

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

async function loadModule(file: string, text: string): Promise<Loaded> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(file, { tryNative: true, moduleCache: false });
  try {
    const module = await jiti.import<object>(file);
    if (hasNoExport(module, text)) throw new Error('it has no default export. Begin the options with "export default {"');
    const exported: unknown = 'default' in module ? module.default : module;
    const value: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported);
    return { value, placeOf: placeIn(text) };
  } catch (error) {
    const { message, stack = '' } = asError(error);
    // A translated file has the lines of the original, but not its columns.
    const line = new RegExp(`${path.basename(file).replaceAll('.', '\\.')}(:\\d+)`).exec(stack)?.[1] ?? '';
    throw new ConfigError(`${shownPath(file)}${line}: cannot be loaded: ${message.split('\n')[0]}`);
  }
}

/** The places of options in the configuration files that were read, and their values. */
const places = new Map<string, { value: unknown; place: string }>();

/** Where a configuration file sets an option to a value, as `file:line:column`; undefined if none does. */
export function placeOfOption<Name extends keyof ServerOptions>(name: Name, value: ServerOptions[Name]): string | undefined {
  const known = places.get(name);
  return known?.value === value ? known?.place : undefined;
}

/** Options that a file may contain. The option that selects the file is not allowed in it. */
const ALLOWED = OPTIONS.filter(({ name }) => name !== 'config');

function checkOptions({ value, placeOf }: Loaded, file: string): Partial<ServerOptions> {
  if (!isRecord(value))
    throw new ConfigError(`${shownPath(file)}: must contain an object with options, such as { "dataset": "calendar.json" }`);
  const names = ALLOWED.map(({ name }): string => name);
  const folder = path.dirname(file);
  const problems: string[] = [];
  const options = new Map<string, unknown>();
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined || name === '$schema') continue;
    const option = ALLOWED.find((each) => each.name === name);
    const place = `${shownPath(file)}${placeOf(name)}`;
    if (!option) {
      problems.push(`${place}: unknown option "${name}"${didYouMean(name, names) || `. Options: ${names.join(', ')}`}`);
      continue;
    }
    const { isPath } = option;
    // A value that may be a path is checked as one.
    const own = typeof isPath === 'function' && typeof given === 'string' && isPath(given) ? path.resolve(folder, given) : given;
    try {
      const valid = checked(option, own, name, `${place}: `);
      const set = isPath === true && typeof valid === 'string' ? shownPath(path.resolve(folder, valid)) : valid;
      places.set(name, { value: set, place });
      options.set(name, set);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.fromEntries(options);
}

/** Reads a configuration file. Relative paths in it become relative to the working directory. @throws ConfigError with file, line and column */
export async function readConfigFile(name: string): Promise<Partial<ServerOptions>> {
  const file = path.resolve(name);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${name}: ${error.code === 'ENOENT' ? 'configuration file not found' : `cannot be read: ${error.message}`}`);
  });
  const load = path.extname(file) === '.json' ? loadJson : loadModule;
  return checkOptions(await load(file, text), file);
}

/** The configuration file for the working directory; undefined if there is none. @throws ConfigError if there are several */
function ownConfigFile(): string | undefined {
  const files = findConfigFiles(process.cwd());
  if (files.length > 1) {
    const [first, ...others] = files.map(shownPath);
    throw new ConfigError(`${first}: there is another configuration file, ${others.join(', ')}. Remove one, or select one with --config`);
  }
  return files[0];
}

/** The absolute path of the configuration file that options come from; undefined if there is none. @throws ConfigError if there are several */
export function configFileOf({ config }: Pick<ServerOptions, 'config'>): string | undefined {
  if (config === NONE || config === false) return undefined;
  const file = typeof config === 'string' ? config : ownConfigFile();
  return file === undefined ? undefined : path.resolve(file);
}

/**
 * The options of a configuration file.
 * @param file its path; `none`: no file; otherwise the one in the working directory or the nearest folder above it, up to the package root
 * @throws ConfigError
 */
export async function configOptions(file: string | undefined): Promise<Partial<ServerOptions>> {
  if (file === NONE) return {};
  const found = file ?? ownConfigFile();
  return found === undefined ? {} : readConfigFile(found);
}

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

interface Arguments<Name extends string> {
  given: Partial<Record<Name, unknown>>;
  /** Positional arguments, in order. */
  operands: string[];
}

/**
 * Parses a command line: `--name VALUE`, `--name=VALUE`, switches and operands.
 * @throws ConfigError for an unknown flag, a missing value or an invalid value
 */
export function readArguments<Name extends string>(args: readonly string[], table: readonly Option<Name>[]): Arguments<Name> {
  const options = Object.fromEntries(table.map(({ flag, value }) => [flag, { type: value ? 'string' : 'boolean' } as const]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const given: Partial<Record<Name, unknown>> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value } = token;
    const option = table.find(({ flag }) => rawName === `--${flag}`);
    if (!option) {
      const flags = [...table.map(({ flag }) => `--${flag}`), '--version', '--help'];
      throw new ConfigError(`Unknown option ${rawName}${didYouMean(rawName, flags) || '. List the options with --help'}`);
    }
    if (!option.value && value !== undefined) throw new ConfigError(`${rawName} takes no value`);
    if (option.value && value === undefined) throw new ConfigError(`${rawName} needs a value: ${rawName} ${option.value}`);
    const read = value === undefined ? option.sets : readValue(option, value, rawName);
    const known = given[option.name];
    given[option.name] = Array.isArray(known) && Array.isArray(read) ? [...known, ...read] : read;
  }
  return { given, operands };
}

/**
 * Parses the command line of a server. Its one operand is the dataset.
 * @param own further options of the command
 * @throws ConfigError
 */
export function fromFlags<Own extends string = never>(
  args: readonly string[],
  own: readonly Option<Own>[] = [],
): Partial<ServerOptions> & Partial<Record<Own, unknown>> {
  type Given = Partial<ServerOptions> & Partial<Record<Own, unknown>>;
  const { given, operands } = readArguments<keyof ServerOptions | Own>(args, [...OPTIONS, ...own]);
  if ('ephemeral' in given && 'data' in given)
    throw new ConfigError('--ephemeral keeps nothing, and --data names where to keep it. Use one of them');
  if (operands.length === 0) return given as Given;
  const [file, unexpected = 'dataset' in given ? file : undefined] = operands;
  if (unexpected !== undefined) throw new ConfigError(`Unexpected argument ${unexpected}. A server loads one dataset`);
  const option = OPTIONS.find(({ name }) => name === 'dataset');
  return { ...(given as Given), ...(option ? { dataset: checked(option, file, 'dataset') as string } : {}) };
}
