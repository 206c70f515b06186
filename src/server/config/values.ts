import type { Option } from './option.js';
import { messageOf } from '../../base/values/errors.js';

/** A usage error or an invalid option; the message is one line for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const WORDS: Record<string, boolean> = { '1': true, true: true, yes: true, on: true, '0': false, false: false, no: false, off: false };

/**
 * Validates and converts a value.
 * @param source name of the value in messages
 * @param place what messages begin with
 * @throws ConfigError
 * @internal
 */
export function checked(option: Option<string>, value: unknown, source: string, place = ''): unknown {
  try {
    return option.schema.label(source).validateSync(value);
  } catch (error) {
    throw new ConfigError(`${place}${messageOf(error)}`);
  }
}

function fromText(option: Option<string>, text: string, source: string): unknown {
  if (option.separator) return text.split(option.separator).filter((part) => part.trim() !== '');
  if (option.value) return text;
  const word = text.toLowerCase();
  if (!Object.hasOwn(WORDS, word)) throw new ConfigError(`${source}: invalid value ${JSON.stringify(text)}. Use yes or no`);
  return WORDS[word];
}

/** Parses and validates the text of a flag or environment variable. @throws ConfigError @internal */
export const readValue = (option: Option<string>, text: string, source: string): unknown =>
  checked(option, fromText(option, text, source), source);
