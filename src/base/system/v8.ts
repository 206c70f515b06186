import { setFlagsFromString } from 'node:v8';

/**
 * The first and the last version of V8 that is known to have each flag, from `node --v8-options`. Node.js 20 has V8 11, 22 has 12, 24 has 13
 * and 26 has 14. V8 cannot be asked: given a flag that it does not have, it writes an error to stderr.
 */
export const KNOWN_FLAGS = {
  'flush-bytecode': [11, 14],
  'heap-growing-percent': [11, 14],
  'interrupt-budget': [11, 11],
  'semi-space-growth-factor': [11, 14],
} as const satisfies Record<string, readonly [first: number, last: number]>;

/** The flag as V8 reads it, such as `--no-flush-bytecode`; null if it is not known that this version, such as `12.4.254`, has it. */
export function flagFor(version: string, name: keyof typeof KNOWN_FLAGS, value: number | boolean): string | null {
  const [first, last] = KNOWN_FLAGS[name];
  const major = Number.parseInt(version, 10);
  if (!(major >= first && major <= last)) return null;
  return typeof value === 'number' ? `--${name}=${value}` : `--${value ? '' : 'no-'}${name}`;
}

/** Sets a flag of V8 where it is known. Elsewhere, and in other engines, nothing happens. */
export function setFlag(name: keyof typeof KNOWN_FLAGS, value: number | boolean): void {
  const flag = flagFor(process.versions.v8, name, value);
  if (flag !== null) setFlagsFromString(flag);
}
