import type { Option } from './options.js';

/** An option that cannot be used, in one line for people. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const WORDS: Record<string, boolean> = { '1': true, true: true, yes: true, on: true, '0': false, false: false, no: false, off: false };

/** Checks a value, and converts it. @param source what the value is called in messages */
export function checked(option: Option<string>, value: unknown, source: string): unknown {
  try {
    return option.schema.label(source).validateSync(value);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function fromText(option: Option<string>, text: string, source: string): unknown {
  if (option.separator) return text.split(option.separator).filter((part) => part.trim() !== '');
  if (option.value) return text;
  const word = text.toLowerCase();
  if (!Object.hasOwn(WORDS, word)) throw new ConfigError(`${source}: ${JSON.stringify(text)} is neither yes nor no`);
  return WORDS[word];
}

/** Reads a value out of text: of a flag, or of an environment variable. */
export const readValue = (option: Option<string>, text: string, source: string): unknown =>
  checked(option, fromText(option, text, source), source);
