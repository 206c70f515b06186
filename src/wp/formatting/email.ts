/** A number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives it. */
export type Random = () => number;

const HALF = 0.5;

const reference = (char: string): string => `&#${char.codePointAt(0) ?? 0};`;

/**
 * WordPress `antispambot`: an address in which each character is, by chance, written as a decimal reference; `@` always. Readers see the
 * same text. What is no ASCII stays as it is.
 */
export const antispam = (email: string, random: Random): string =>
  [...email].map((char) => (char === '@' || (char < '\x80' && random() < HALF) ? reference(char) : char)).join('');
