import { normalizeEntities } from './entities.js';
import { PROTOCOLS } from './kses/tables.js';
import { cutBadProtocol } from './kses/values.js';
import { dropTriplets } from './triplets.js';

/** Other characters are removed from a URL: control characters, `<`, `>`, quotes, `{`, `}`, `^`, `\`, the backtick. */
const FOREIGN = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\x80-\uffff]/gi;
const LEADING_BLANKS = /^[ \t\n\r\0\v]+/;

const startsWithMailto = (url: string): boolean => /^mailto:/i.test(url);

const dropLineEnds = (url: string): string => dropTriplets(url, (digits) => /^0[ad]$/i.test(digits));

const needsScheme = (url: string): boolean => !url.includes(':') && !/^[/#?]/.test(url) && !/^[a-z0-9-]+?\.php/i.test(url);

/** Everything up to the end of the host, which may contain brackets (IPv6). */
const HOST_PART = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*|[a-z][a-z0-9+.-]*:)?/i;

const encodeBrackets = (url: string): string => {
  if (!/[[\]]/.test(url)) return url;
  const host = HOST_PART.exec(url)?.[0] ?? '';
  return host + url.slice(host.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
};

const clean = (text: string, isDisplay: boolean, protocols: ReadonlySet<string>): string => {
  const ascii = text.replace(LEADING_BLANKS, '').replaceAll(' ', '%20').replace(FOREIGN, '');
  if (ascii === '') return '';
  const url = (startsWithMailto(ascii) ? ascii : dropLineEnds(ascii)).replaceAll(';//', '://');
  const absolute = needsScheme(url) ? `http://${url}` : url;
  const shown = isDisplay ? normalizeEntities(absolute).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;') : absolute;
  const encoded = encodeBrackets(shown);
  if (encoded.startsWith('/')) return encoded;
  const good = cutBadProtocol(encoded, protocols);
  return good.toLowerCase() === encoded.toLowerCase() ? good : '';
};

/**
 * WordPress `esc_url_raw`: sanitizes a URL for storage; `''` if its scheme is not allowed. Invalid characters are removed, spaces encoded,
 * and `http://` is prepended to a bare host.
 */
export const escUrlRaw = (url: string, protocols: ReadonlySet<string> = PROTOCOLS): string => clean(url, false, protocols);

/** WordPress `esc_url`: like `escUrlRaw`, with `&` and `'` as entities, for the value of an attribute. */
export const escUrl = (url: string, protocols: ReadonlySet<string> = PROTOCOLS): string => clean(url, true, protocols);
