/** A number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives it. */
export type Random = () => number;

const HALF = 0.5;

const reference = (char: string): string => `&#${char.charCodeAt(0)};`;

/**
 * WordPress `antispambot`: an address in which each character is, by chance, written as a decimal reference; `@` always. Readers see the
 * same text. What is no ASCII stays as it is.
 */
export const antispam = (email: string, random: Random): string =>
  email.replace(/[\0-\x7f]/g, (char) => (char === '@' || random() < HALF ? reference(char) : char));
