import { parseArgs } from 'node:util';
import { OPTIONS, type Option, type ServerOptions } from './options.js';
import { ConfigError, readValue } from './values.js';

export interface Arguments<Name extends string> {
  given: Partial<Record<Name, unknown>>;
  /** What is no flag and belongs to none, in its order. */
  operands: string[];
}

/**
 * Reads a command line: `--name VALUE`, `--name=VALUE`, switches and operands.
 * @throws ConfigError for a flag that is not in the table, lacks its value or has a wrong one
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
    if (!option) throw new ConfigError(`There is no option ${rawName}; --help lists them`);
    if (!option.value && value !== undefined) throw new ConfigError(`${rawName} takes no value`);
    if (option.value && value === undefined) throw new ConfigError(`${rawName} needs a value: ${rawName} ${option.value}`);
    const read = value === undefined ? option.sets : readValue(option, value, rawName);
    const known = given[option.name];
    given[option.name] = Array.isArray(known) && Array.isArray(read) ? [...known, ...read] : read;
  }
  return { given, operands };
}

/** The options of a command line that has nothing else. @throws ConfigError */
export function fromFlags(args: readonly string[]): Partial<ServerOptions> {
  const { given, operands } = readArguments(args, OPTIONS);
  if (operands.length > 0)
    throw new ConfigError(`There is no option ${operands[0]}; a file is named with --dataset, and --help lists the others`);
  return given as Partial<ServerOptions>;
}
