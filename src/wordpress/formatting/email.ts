import { createHash } from 'node:crypto';

const reference = (char: string): string => `&#${char.charCodeAt(0)};`;

/**
 * An email address with some characters as decimal references, always `@`. Non-ASCII stays. WP `antispambot`: chooses at random; here the
 * choice depends on the address, so that the same content always has the same bytes.
 */
export function antispam(email: string): string {
  const bits = createHash('sha256').update(email).digest();
  const isReference = (at: number): boolean => ((bits[(at >> 3) % bits.length] >> (at & 7)) & 1) === 1;
  return email.replace(/[\0-\x7f]/g, (char, at: number) => (char === '@' || isReference(at) ? reference(char) : char));
}

const SHORTEST_EMAIL = 6;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether WordPress accepts a text as an email address: ASCII only, a host name of two labels or more. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@', 1);
  if (text.length < SHORTEST_EMAIL || at < 0) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL_PART.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label));
}
