import { convertInvalidEntities, escapeLooseLessThan, normalizeEntities } from './entities.js';
import { ksesComment, ksesPost, ksesTermDescription, ksesTitle, PAGE_RULES, type HtmlRules } from './kses/kses.js';
import { phpTrim, stripAllTags } from './strip-tags.js';
import { dropTriplets } from './triplets.js';

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
