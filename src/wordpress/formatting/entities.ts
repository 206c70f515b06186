import points from './entities.json' with { type: 'json' };
import { PROTOCOLS } from './kses/tables.js';
import { cutBadProtocol } from './kses/values.js';
import { dropTriplets } from './triplets.js';

/** The code points of the entities of HTML 4, which WordPress keeps, and of `apos`. */
const POINTS = new Map<string, number>(Object.entries(points));

const LAST_CODE_POINT = 0x10ffff;
const MIN_DIGITS = 3;

/** The characters of XML 1.0: no control characters except tab and line ends, no surrogates. */
const isCharacter = (point: number): boolean =>
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= LAST_CODE_POINT);

const stripZeros = (digits: string): string => digits.replace(/^0+/, '');

const decimalReference = (digits: string): string => {
  // PHP: '0' is empty, and an empty match is omitted.
  if (digits === '0') return '';
  return isCharacter(Number(digits)) ? `&#${stripZeros(digits).padStart(MIN_DIGITS, '0')};` : `&amp;#${digits};`;
};

const hexReference = (digits: string): string => {
  if (digits === '0') return '';
  return isCharacter(parseInt(digits, 16)) ? `&#x${stripZeros(digits)};` : `&amp;#x${digits};`;
};

/**
 * WordPress `wp_kses_normalize_entities`: every `&` that does not begin a known entity or a valid character reference becomes `&amp;`.
 * Decimal references get at least three digits (`&#39;` → `&#039;`), hexadecimal ones lose their zeros. Stable when applied again.
 */
export const normalizeEntities = (text: string): string => {
  if (!text.includes('&')) return text;
  return text
    .replace(/&/g, '&amp;')
    .replace(/&amp;([A-Za-z]{2,8}[0-9]{0,2});/g, (escaped, name: string) => (POINTS.has(name) ? `&${name};` : escaped))
    .replace(/&amp;#(0*[0-9]{1,7});/g, (_, digits: string) => decimalReference(digits))
    .replace(/&amp;#[Xx](0*[0-9A-Fa-f]{1,6});/g, (_, digits: string) => hexReference(digits));
};

/** Code point that browsers read: the range of Windows-1252, and U+FFFD for a code point that is not a character. */
const readablePoint = (point: number): number => {
  if (point >= FIRST_CONTROL && point < FIRST_CONTROL + WINDOWS_1252.length) return WINDOWS_1252[point - FIRST_CONTROL] || point;
  return point === 0 || point > LAST_CODE_POINT || (point >= 0xd800 && point <= 0xdfff) ? 0xfffd : point;
};

/** Decodes the references in a normalized text: numeric ones, and the names of HTML 4 as browsers read them. */
export const decodeReferences = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|#[Xx]([\da-fA-F]{1,6})|([A-Za-z]{2,8}\d{0,2}));/g,
        (whole, decimal?: string, hex?: string, name?: string) => {
          const point =
            name === undefined ? readablePoint(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)) : POINTS.get(name);
          return point === undefined ? whole : String.fromCodePoint(point);
        },
      )
    : text;

/** WordPress `ent2ncr`: the names of HTML 4, which XML does not have, as numbers. */
export const numericReferences = (text: string): string =>
  text.replace(/&([A-Za-z]{2,8}\d{0,2});/g, (whole, name: string) => (POINTS.has(name) ? `&#${POINTS.get(name)};` : whole));

const HTML_SIGNS: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/**
 * WordPress `esc_html`: escapes text for HTML; existing entities are not escaped again. PHP: `&apos;` is not an entity of HTML 4, and is
 * escaped.
 */
export const escHtml = (text: string): string =>
  /[&<>"']/.test(text)
    ? normalizeEntities(text)
        .replace(/&apos;/g, '&amp;apos;')
        .replace(/[<>"']/g, (sign) => HTML_SIGNS[sign] ?? sign)
    : text;

/** WordPress `esc_attr`: the same as `escHtml`, for the value of an attribute. */
export const escAttr = escHtml;

/** WordPress `wp_pre_kses_less_than`: a `<` with no `>` before the next `<` begins no tag and is escaped with what follows it. Linear. */
export const escapeLooseLessThan = (text: string): string =>
  text.replace(/<[^<>]*(>?)/g, (piece, close: string) => (close ? piece : escHtml(piece)));

/** The Windows-1252 signs in the control range 128–159; the gaps mean "nothing". */
const WINDOWS_1252 = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221, 8226, 8211, 8212, 732, 8482,
  353, 8250, 339, 0, 382, 376,
];
const FIRST_CONTROL = 128;

/** WordPress `convert_invalid_entities`: references into the control range (`&#128;`) become what Windows meant by them (`&#8364;`). */
export const convertInvalidEntities = (text: string): string =>
  text.replace(/&#(1[2-5][0-9]);/g, (reference, digits: string) => {
    const point = WINDOWS_1252[Number(digits) - FIRST_CONTROL];
    if (point === undefined) return reference;
    return point === 0 ? '' : `&#${point};`;
  });

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
