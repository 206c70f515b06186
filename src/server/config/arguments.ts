import { parseArgs } from 'node:util';
import { didYouMean } from '../../base/text/suggest.js';
import { OPTIONS, checked, ConfigError, readValue, type Option } from './options.js';
import type { ServerOptions } from './server-options.js';

export interface Arguments<Name extends string> {
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
  if (operands.length === 0) return given as Given;
  const [file, unexpected = 'dataset' in given ? file : undefined] = operands;
  if (unexpected !== undefined) throw new ConfigError(`Unexpected argument ${unexpected}. A server loads one dataset`);
  const option = OPTIONS.find(({ name }) => name === 'dataset');
  return { ...(given as Given), ...(option ? { dataset: checked(option, file, 'dataset') as string } : {}) };
}
