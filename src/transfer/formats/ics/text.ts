import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { stripAllTags } from '../../../wordpress/formatting/strip-tags.js';
import { normalizeEntities } from '../../../wordpress/formatting/entities.js';
import type { LinkedFacts } from '../../documents.js';

/** Converts between the plain text of calendar files and the HTML of a site. */

const BLOCK_END = /<\/(?:p|div|h[1-6]|blockquote|ul|ol|table|section|article)>\s*/gi;

/** Converts HTML to plain text: without tags, with the visible line breaks, and with an empty line between paragraphs. */
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

/** Converts plain text to HTML. Some programs write HTML in plain-text properties; it is not changed. */
export const textToHtml = (text: string): string =>
  TAG.test(text) ? text : normalizeEntities(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Extracts the body of a complete HTML document, which Outlook writes. Other HTML is not changed. */
export const bodyOf = (html: string): string =>
  /<body[\s>]/i.test(html)
    ? html
        .replace(/^[^]*?<body[^>]*>/i, '')
        .replace(/<\/body>[^]*$/i, '')
        .trim()
    : html;

/** Parses a plain-text location: the first part is the name of the venue, the rest its address. */
export function venueOfText(text: string): LinkedFacts {
  const [, name, address = ''] = /^([^,\n]*)(?:,|\n)?\s*([^]*)$/.exec(text.trim()) ?? ['', text];
  return name.trim() === ''
    ? { title: text.trim() }
    : { title: name.trim(), ...(address === '' ? {} : { values: { address: address.replace(/\s*\n\s*/g, ', ') } }) };
}

/** Formats a venue as a location. TEC: name, address, city, state, zip and country, without empty ones. */
export const venueText = ({ title, values: { address, city, stateprovince, zip, country } = {} }: LinkedFacts): string =>
  [title, address, city, stateprovince, zip, country].filter((part) => part !== undefined && part !== '').join(', ');
