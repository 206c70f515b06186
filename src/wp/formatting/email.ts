/** A number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives it. */
export type Random = () => number;

const HALF = 0.5;

const reference = (char: string): string => `&#${char.charCodeAt(0)};`;

/**
 * WordPress `antispambot`: an address in which each character is, by chance, written as a decimal reference; `@` always. Readers see the
 * same text. Non-ASCII stays as it is.
 */
export const antispam = (email: string, random: Random): string =>
  email.replace(/[\0-\x7f]/g, (char) => (char === '@' || random() < HALF ? reference(char) : char));

const SHORTEST_EMAIL = 6;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether WordPress takes a text for an e-mail address: ASCII only, a host name of two labels or more. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@', 1);
  if (text.length < SHORTEST_EMAIL || at < 0) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL_PART.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label));
}
