import { decodeEntities } from '../../../wp/formatting/decode-entities.js';
import { stripAllTags } from '../../../wp/formatting/strip-tags.js';
import { normalizeEntities } from '../../../wp/formatting/entities.js';
import type { LinkedFacts } from '../../documents.js';

/** Texts of a calendar file are plain, those of a site are HTML. */

const BLOCK_END = /<\/(?:p|div|h[1-6]|blockquote|ul|ol|table|section|article)>\s*/gi;

/** What people read of a piece of HTML: no tags, one line for each that shows, an empty line between paragraphs. */
export function htmlToText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const lines = html
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<br\s*\/?>[ \t]*\n?/gi, '\n')
    .replace(/<li(?:\s[^>]*)?>/gi, '- ')
    .replace(/<\/(?:li|tr)>\s*/gi, '\n')
    .replace(BLOCK_END, '\n\n');
  return decodeEntities(stripAllTags(lines))
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const TAG = /<\/?(?:a|b|br|div|em|h[1-6]|i|img|li|ol|p|span|strong|table|u|ul)(?:\s[^<>]*)?\/?>/i;

/** Plain text as HTML. Some programs put HTML where plain text belongs: it is left as it is. */
export const textToHtml = (text: string): string =>
  TAG.test(text) ? text : normalizeEntities(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What is inside the body of a whole HTML document, as Outlook writes it; other HTML as it is. */
export const bodyOf = (html: string): string =>
  /<body[\s>]/i.test(html)
    ? html
        .replace(/^[^]*?<body[^>]*>/i, '')
        .replace(/<\/body>[^]*$/i, '')
        .trim()
    : html;

/** The venue of a location that is one text: its first part is the name. */
export function venueOfText(text: string): LinkedFacts {
  const [, name, address = ''] = /^([^,\n]*)(?:,|\n)?\s*([^]*)$/.exec(text.trim()) ?? ['', text];
  return name.trim() === ''
    ? { title: text.trim() }
    : { title: name.trim(), ...(address === '' ? {} : { values: { address: address.replace(/\s*\n\s*/g, ', ') } }) };
}

/** The location of a venue as one text. TEC: name, address, city, state, zip and country, as far as they are there. */
export const venueText = ({ title, values: { address, city, stateprovince, zip, country } = {} }: LinkedFacts): string =>
  [title, address, city, stateprovince, zip, country].filter((part) => part !== undefined && part !== '').join(', ');
