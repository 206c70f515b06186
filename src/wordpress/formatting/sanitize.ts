import { convertInvalidEntities, escapeLooseLessThan, normalizeEntities } from './entities.js';
import { ksesComment, ksesPost, ksesTermDescription, ksesTitle, PAGE_RULES, type HtmlRules } from './kses/kses.js';
import { phpTrim, stripAllTags, stripTags } from './strip-tags.js';
import { dropTriplets } from './triplets.js';
import type { QuirkName } from '../quirks.js';
import { removeAccents } from './accents.js';

/** Width of the slug column, and with it the longest slug in bytes. */
const SLUG_LENGTH = 200;

const DASHES = [0xa0, ...range(0x2000, 0x200a), 0x2013, 0x2014, 0x2028, 0x2029, 0x202f];
const DROPPED_SIGNS = Array.from('¡©«®°´»¿ˊ‘’‚‛“”„‟•…‹›™', (sign) => sign.charCodeAt(0));
/** Soft hyphen, loose accents, zero width, direction marks. */
const DROPPED_INVISIBLES = [0xad, 0x300, 0x301, 0x304, 0x30c, 0x341, ...range(0x200b, 0x200f), ...range(0x202a, 0x202e), 0xfeff, 0xfffc];
const TIMES = 0xd7;
const NON_BREAKING_HYPHEN = /%e2%80%91/g;

const DASH_ENTITIES = '&nbsp;|&#160;|&ndash;|&#8211;|&mdash;|&#8212;';
const DASH_LIKE = new RegExp(`${alternatives(DASHES)}|${DASH_ENTITIES}|/`, 'g');
const DROP_LIKE = new RegExp(alternatives([...DROPPED_SIGNS, ...DROPPED_INVISIBLES]), 'g');
const TIMES_LIKE = new RegExp(alternatives([TIMES]), 'g');

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function percentEncode(char: string): string {
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function alternatives(points: readonly number[]): string {
  return points.map((point) => percentEncode(String.fromCodePoint(point))).join('|');
}

/** Lower case letter by letter: PHP has no final sigma. */
const lowerCase = (text: string): string => text.replace(/[^\0-\x7f]/gu, (char) => char.toLowerCase());

/** Percent-encodes non-ASCII characters, and stops before the first that does not fit into `limit` bytes. */
const encodeWithin = (text: string, limit: number, encodeAscii = false): string => {
  let encoded = '';
  for (const char of text) {
    const isPlain = char < '\x80' && (!encodeAscii || /[\w.-]/.test(char));
    const piece = isPlain ? char : percentEncode(char);
    if (encoded.length + piece.length > limit) break;
    encoded += piece;
  }
  return encoded;
};

/** `%` is kept only where two hexadecimal digits follow. */
const keepTriplets = (text: string): string => text.replace(/%(?![0-9a-f]{2})/gi, '');

/**
 * WordPress `sanitize_title` as a slug is saved: the slug of a title, a name or a slug sent by a client, possibly `''`. At most 200 bytes
 * of the encoded text are used, without splitting a character.
 * @param quirks of the site; default: as the newest release does it
 */
export const sanitizeTitle = (text: string, quirks?: ReadonlySet<QuirkName>): string => sanitizeSlug(removeAccents(text), quirks);

/**
 * WordPress `sanitize_title_for_query`: the slug that a text in a request means. Letters keep their accents, so that a text with accents
 * never means the slug that was made from the same text.
 */
export const sanitizeSlug = (text: string, quirks?: ReadonlySet<QuirkName>): string => {
  const plain = keepTriplets(stripTags(text));
  const encoded = encodeWithin(lowerCase(plain), SLUG_LENGTH).toLowerCase();
  return (quirks?.has('hyphens-stay-in-slugs') ? encoded : encoded.replace(NON_BREAKING_HYPHEN, '-'))
    .replace(DASH_LIKE, '-')
    .replace(DROP_LIKE, '')
    .replace(TIMES_LIKE, 'x')
    .replace(/&[^\n]+?;/g, '')
    .replace(/\./g, '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/ +/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
};

const decodePercent = (slug: string): string =>
  Buffer.from(
    slug.replace(/\+/g, ' ').replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const cutSlug = (slug: string, limit: number): string => {
  if (slug.length <= limit) return slug;
  const decoded = decodePercent(slug);
  const cut = decoded === slug ? slug.slice(0, limit) : encodeWithin(decoded, limit, true);
  return cut.replace(/-+$/, '');
};

/**
 * A slug with a suffix (`-2`, `__trashed`) of at most 200 bytes: the base is truncated without splitting an encoded character, and loses
 * trailing dashes.
 */
export const truncateSlug = (base: string, suffix: string): string => cutSlug(base, SLUG_LENGTH - suffix.length) + suffix;

export { escAttr, escHtml } from './entities.js';
export { escUrl, escUrlRaw } from './entities.js';
export { stripAllTags } from './strip-tags.js';

/** The author: the HTML of users without unfiltered HTML (authors, contributors) is sanitized by the rules of the site's release. */
export interface TextAuthor {
  unfilteredHtml: boolean;
  rules: HtmlRules;
}

/** WordPress `wp_unslash` of a text: removes one level of backslashes; `\0` becomes NUL. */
export const unslash = (text: string): string => text.replace(/\\([^]?)/g, (_, next: string) => (next === '0' ? '\0' : next));

/** PHP `addslashes`. */
const slash = (text: string): string => text.replace(/[\\'"\0]/g, (char) => (char === '\0' ? '\\0' : `\\${char}`));

const textOfMarkup = (text: string): string =>
  text.includes('<') ? stripAllTags(escapeLooseLessThan(text)).replaceAll('<\n', '&lt;\n') : text;

/**
 * WordPress `sanitize_text_field`: one line of plain text. Removes tags, the contents of `script` and `style`, and `%XX`; white space
 * becomes single spaces; a `<` outside of a tag becomes `&lt;`; entities, quotes and `&` stay.
 */
export const sanitizeTextField = (text: string): string => {
  const line = phpTrim(textOfMarkup(text).replace(/[\r\n\t ]+/g, ' '));
  const plain = dropTriplets(line);
  return plain === line ? line : phpTrim(plain.replace(/ +/g, ' '));
};

/** The same for a search in a query. WP: a text that is not UTF-8, whose bytes were replaced here, is empty. */
export const sanitizeSearch = (text: string): string => (text.includes('\ufffd') ? '' : sanitizeTextField(text));

/** WordPress `sanitize_key`. */
export const sanitizeKey = (key: string): string => key.toLowerCase().replace(/[^a-z0-9_-]/g, '');

/**
 * TEC: the stored form of the texts of an event, venue or organizer (cost, address, phone, email, website …), for every author: plain text
 * without one level of backslashes, because WordPress expects slashed meta. Spaces on both sides of a removed backslash become one.
 */
export const cleanMetaText = (text: string): string => unslash(sanitizeTextField(text)).replace(/ {2,}/g, ' ').trim();

/** The stored form of a title that an update does not send: sanitized again, by the permissions of the updating user (WP). */
export const resavePostTitle = (stored: string, { unfilteredHtml, rules }: TextAuthor): string => {
  const title = phpTrim(stored);
  return unfilteredHtml ? title : ksesTitle(title, rules);
};

/** The stored form of a description or excerpt that an update does not send. */
export const resavePostContent = (stored: string, { unfilteredHtml, rules }: TextAuthor): string => {
  const content = convertInvalidEntities(stored);
  return unfilteredHtml ? content : ksesPost(content, rules);
};

/**
 * The stored form of a title sent through TEC's API: trimmed, without one level of backslashes, and sanitized to inline elements for users
 * without unfiltered HTML.
 */
export const savePostTitle = (raw: string, { unfilteredHtml, rules }: TextAuthor): string => {
  const title = unslash(phpTrim(raw));
  return unfilteredHtml ? title : ksesTitle(title, rules);
};

/** The stored form of a description: without one level of backslashes, and sanitized to the post set for users without unfiltered HTML. */
export const savePostContent = (raw: string, { unfilteredHtml, rules }: TextAuthor): string => {
  const content = unslash(convertInvalidEntities(raw));
  return unfilteredHtml ? content : ksesPost(content, rules);
};

/** The stored form of an excerpt: as for a description. */
export const savePostExcerpt = savePostContent;

/**
 * The stored form of a term's name: plain text with `&`, `<`, `>` as entities, and quotes and backslashes unchanged. WP: quotes are escaped
 * during sanitizing, which shows in malformed tags.
 */
export const saveTermName = (raw: string): string =>
  normalizeEntities(ksesComment(unslash(sanitizeTextField(slash(raw))), PAGE_RULES))
    .replace(/&apos;/g, '&amp;apos;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The stored form of a term's description: inline elements only, for every author; backslashes stay. */
export const saveTermDescription = (raw: string, rules: HtmlRules): string => ksesTermDescription(raw, rules);
