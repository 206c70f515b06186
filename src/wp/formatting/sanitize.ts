import { convertInvalidEntities, escapeLooseLessThan, normalizeEntities } from './entities.js';
import { ksesComment, ksesPost, ksesTermDescription, ksesTitle } from './kses/kses.js';
import { phpTrim, stripAllTags } from './strip-tags.js';
import { dropTriplets } from './triplets.js';

export { escAttr, escHtml } from './entities.js';
export { escUrl, escUrlRaw } from './esc-url.js';
export { stripAllTags } from './strip-tags.js';

/** Who writes: callers without unfiltered HTML (authors, contributors) have their HTML cleaned. */
export interface TextAuthor {
  unfilteredHtml: boolean;
}

/** WordPress `wp_unslash` of a text: one level of backslashes goes, `\0` becomes NUL. */
export const unslash = (text: string): string => text.replace(/\\([^]?)/g, (_, next: string) => (next === '0' ? '\0' : next));

/** PHP `addslashes`. */
const slash = (text: string): string => text.replace(/[\\'"\0]/g, (char) => (char === '\0' ? '\\0' : `\\${char}`));

const textOfMarkup = (text: string): string =>
  text.includes('<') ? stripAllTags(escapeLooseLessThan(text)).replaceAll('<\n', '&lt;\n') : text;

/**
 * WordPress `sanitize_text_field`: one line of plain text. Tags go, with the contents of `script` and `style`; blanks and line ends become
 * single blanks; `%XX` is taken out; a `<` that begins no tag becomes `&lt;`; entities, quotes and `&` stay.
 */
export const sanitizeTextField = (text: string): string => {
  const line = phpTrim(textOfMarkup(text).replace(/[\r\n\t ]+/g, ' '));
  const plain = dropTriplets(line);
  return plain === line ? line : phpTrim(plain.replace(/ +/g, ' '));
};

/**
 * TEC: what is stored of the texts of an event, venue or organizer (cost, address, phone, email, website …), for every author: plain text
 * that loses one level of backslashes, because WordPress expects slashes in what it stores as meta. Blanks on both sides of a lost
 * backslash become one.
 */
export const cleanMetaText = (text: string): string => unslash(sanitizeTextField(text)).replace(/ {2,}/g, ' ').trim();

/** What an update stores for a title that is not sent: cleaned once more, by the rights of the user who makes it (WP). */
export const resavePostTitle = (stored: string, { unfilteredHtml }: TextAuthor): string => {
  const title = phpTrim(stored);
  return unfilteredHtml ? title : ksesTitle(title);
};

/** What an update stores for a description or an excerpt that is not sent. */
export const resavePostContent = (stored: string, { unfilteredHtml }: TextAuthor): string => {
  const content = convertInvalidEntities(stored);
  return unfilteredHtml ? content : ksesPost(content);
};

/**
 * What is stored for a title sent through TEC's API: trimmed, with one level of backslashes lost, cleaned to inline elements for callers
 * without unfiltered HTML.
 */
export const savePostTitle = (raw: string, { unfilteredHtml }: TextAuthor): string => {
  const title = unslash(phpTrim(raw));
  return unfilteredHtml ? title : ksesTitle(title);
};

/** What is stored for a description: one level of backslashes lost, the post set of HTML for callers without unfiltered HTML. */
export const savePostContent = (raw: string, { unfilteredHtml }: TextAuthor): string => {
  const content = unslash(convertInvalidEntities(raw));
  return unfilteredHtml ? content : ksesPost(content);
};

/** What is stored for an excerpt: the same as for a description. */
export const savePostExcerpt = savePostContent;

/**
 * What is stored for a term's name: plain text with `&`, `<`, `>` as entities and its quotes and backslashes as they are.
 * WP: while the text is cleaned its quotes carry backslashes, which shows in malformed tags.
 */
export const saveTermName = (raw: string): string =>
  normalizeEntities(ksesComment(unslash(sanitizeTextField(slash(raw)))))
    .replace(/&apos;/g, '&amp;apos;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** What is stored for a term's description: inline elements only, for every author; backslashes stay. */
export const saveTermDescription = (raw: string): string => ksesTermDescription(raw);
