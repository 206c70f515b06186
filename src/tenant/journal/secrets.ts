import type { Json } from '../../rest/route.js';

/** Headers of requests and responses whose values are secret. */
const SECRET_HEADER = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|api-?key|nonce|password|secret|token/;

export const isSecretHeader = (name: string): boolean => SECRET_HEADER.test(name.toLowerCase());

const MASK = '***';

/** Masks a value, but keeps the scheme of an `Authorization` header. */
const masked = (value: string): string => `${/^(?:Basic|Bearer)(?= )/i.exec(value)?.[0] ?? ''} ${MASK}`.trim();

/** The value of a header, masked if it is secret. */
export const shownHeader = (name: string, value: string): string => (isSecretHeader(name) ? masked(value) : value);

/** Headers with their secrets masked. */
export function shownHeaders(headers: Record<string, string | number | string[] | undefined>): Record<string, Json> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecretHeader(name) ? masked(String(value)) : (value as Json)]));
}

/** URLs whose bodies contain passwords, in requests or responses. */
const CONFIDENTIAL = /\/wp-login\.php|\/authorize-application\.php|\/application-passwords/i;

/** Routes that set the password of a user. A batch contains requests to others. */
const SETS_PASSWORD = /\/(?:users|batch)(?=[/?&#]|$)/i;

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Whether the bodies of a request and its response must not be recorded. */
export const isConfidential = (url: string): boolean => CONFIDENTIAL.test(decoded(url));

/** PHP: leading spaces of a name are ignored, and it ends at a bracket. */
const isPassword = (name: string): boolean => /^\s*password(?:\[|$)/.test(name);

/** Masks passwords in a query string or a form. */
const maskedPairs = (text: string): string =>
  text
    .split('&')
    .map((pair) => {
      const [name] = pair.split('=', 1);
      return isPassword(decoded(name.replaceAll('+', ' '))) && pair !== name ? `${name}=${MASK}` : pair;
    })
    .join('&');

function maskedJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text, (name, value: unknown) => (name === 'password' ? MASK : value)));
  } catch {
    return null;
  }
}

/** A form with files, in which a password may be anywhere. */
const isMultipart = (text: string): boolean => text.startsWith('--');

function maskedBody(text: string): string | null {
  if (isMultipart(text)) return null;
  return /^\s*[[{]/.test(text) ? maskedJson(text) : maskedPairs(text);
}

/** A request without the password that it sets for a user. A body in which a password cannot be found is left out. */
export function withoutPassword(url: string, body: Buffer | null): { url: string; body: Buffer | null } {
  if (!SETS_PASSWORD.test(decoded(url))) return { url, body };
  const [path, ...query] = url.split('?');
  const shownUrl = query.length === 0 ? url : `${path}?${maskedPairs(query.join('?'))}`;
  const text = body === null ? null : maskedBody(body.toString('utf8'));
  return { url: shownUrl, body: text === null ? null : Buffer.from(text) };
}
