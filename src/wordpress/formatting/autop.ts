import { ASCII_SPACE, mapMarkup, Seeker } from './html-tokens.js';

const BLOCK_NAMES =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|' +
  'fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary';

const S = ASCII_SPACE;

// Placeholder for a line end inside markup. A comment, since WordPress's placeholder is visible in some texts.
const MARKUP_NEWLINE = ' <!-- wpnl --> ';
const KEPT_NEWLINE = '\uFDD2';

const PAIRED_BREAKS = new RegExp(`<br${S}*/?>${S}*<br${S}*/?>`, 'g');
const BLOCK_OPENING = new RegExp(`<(?:${BLOCK_NAMES})[ \\t\\n\\v\\f\\r/>]`, 'g');
const BLOCK_CLOSING = new RegExp(`</(?:${BLOCK_NAMES})>`, 'g');
const RULE = new RegExp(`<hr${S}*/?>`, 'g');
const PARAGRAPH_GAP = new RegExp(`\\n${S}*\\n`);
const BLANK_PARAGRAPH = new RegExp(`<p>${S}*</p>`, 'g');
const UNCLOSED_IN_CONTAINER = /<p>([^<]+)<\/(div|address|form)>/g;
// WP: without a boundary after the name, so `<path` counts as `<p`.
const BLOCK_START = `</?(?:${BLOCK_NAMES})`;
const WRAPPED_BLOCK = new RegExp(`<p>${S}*(${BLOCK_START}[^>]*>)${S}*</p>`, 'g');
const BLOCK_AFTER_P = new RegExp(`<p>${S}*(${BLOCK_START}[^>]*>)`, 'g');
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${S}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g');

/**
 * Automatic paragraphs: blank lines separate `<p>`, single line ends become `<br />`, block elements stay as they are. Input and output are
 * HTML; the result ends in a line end unless it is empty. Behavior of wpautop.
 */
export function autop(text: string): string {
  if (/^[ \t\n\r\0\v]*$/.test(text)) return '';
  return NOT_PLAIN.test(text) ? autopMarkup(text) : text.split(PLAIN_GAP).map(plainParagraph).join('');
}

// Whether a text has more than markup: spaces beside line ends, some of which are dropped.
const NOT_PLAIN = new RegExp(`[<\\t\\v\\f\\r${KEPT_NEWLINE}]| \\n|\\n |^[ \\n]|[ \\n]$`);
const PLAIN_GAP = /\n\n+/;

const plainParagraph = (text: string): string => `<p>${text.replaceAll('\n', '<br />\n')}</p>\n`;

/** The same for any non-blank text, with all steps. */
export function autopMarkup(text: string): string {
  const { body, preserved } = hidePreformatted(`${text}\n`);
  const flow = foldEmbeddedMedia(separateBlocks(body));
  const paragraphs = unwrapBlocks(toParagraphs(flow));
  const broken = addBreaks(paragraphs).replace(/\n<\/p>(?=\n?$)/g, '</p>');
  return restorePreformatted(broken, preserved).replace(/ <!-- wpnl --> |<!-- wpnl -->/g, '\n');
}

/** Replaces `<pre>` elements by numbered empty ones. WP: text between two `</pre>` without a `<pre>` loses its tag. */
function hidePreformatted(text: string): { body: string; preserved: string[] } {
  const preserved: string[] = [];
  if (!text.includes('<pre')) return { body: text, preserved };
  const parts = text.split('</pre>');
  const last = parts.pop() ?? '';
  let body = '';
  for (const part of parts) {
    const start = part.indexOf('<pre');
    if (start === -1) {
      body += part;
      continue;
    }
    body += `${part.slice(0, start)}<pre wp-pre-tag-${preserved.length}></pre>`;
    preserved.push(`${part.slice(start)}</pre>`);
  }
  return { body: body + last, preserved };
}

function restorePreformatted(text: string, preserved: readonly string[]): string {
  if (preserved.length === 0) return text;
  return text.replace(/<pre wp-pre-tag-(\d+)><\/pre>/g, (tag, number: string) => preserved[Number(number)] ?? tag);
}

function separateBlocks(text: string): string {
  const separated = text
    .replace(PAIRED_BREAKS, '\n\n')
    .replace(BLOCK_OPENING, '\n\n$&')
    .replace(BLOCK_CLOSING, '$&\n\n')
    .replace(RULE, '$&\n\n')
    .replace(/\r\n?/g, '\n');
  return mapMarkup(separated, (markup) => markup.replaceAll('\n', MARKUP_NEWLINE));
}

/** Line ends around the inner tags of embedded media would become breaks: they are dropped. */
function foldEmbeddedMedia(text: string): string {
  let out = text;
  if (out.includes('<option')) out = trimAround(trimAround(out, /<option/g, 'before'), /<\/option>/g, 'after');
  if (out.includes('</object>')) {
    out = trimAround(out, /<object/g, 'after', '>');
    out = trimAround(out, /<\/object>/g, 'before');
    out = trimAround(out, /<\/?(?:param|embed)/g, 'both', '>');
  }
  if (out.includes('<source') || out.includes('<track')) {
    out = trimAround(out, /[<[](?:audio|video)/g, 'after', '>]');
    out = trimAround(out, /[<[]\/(?:audio|video)[>\]]/g, 'before');
    out = trimAround(out, /<(?:source|track)/g, 'both', '>');
  }
  if (out.includes('<figcaption')) {
    out = trimAround(out, /<figcaption/g, 'before', '>');
    out = trimAround(out, /<\/figcaption>/g, 'after');
  }
  return out;
}

/** Removes the spaces beside each match; a match extends to the next of the characters `until`, if any are given. */
function trimAround(text: string, start: RegExp, side: 'before' | 'after' | 'both', until = ''): string {
  const closers = until.split('').map((char) => new Seeker(text, char));
  let out = '';
  let copied = 0;
  start.lastIndex = 0;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const matchEnd = match.index + match[0].length;
    const closing = closers.map((closer) => closer.next(matchEnd)).filter((at) => at !== -1);
    if (closers.length > 0 && closing.length === 0) break;
    const end = closers.length > 0 ? Math.min(...closing) + 1 : matchEnd;
    const from = side === 'after' ? match.index : blanksBefore(text, match.index, copied);
    out += text.slice(copied, from) + text.slice(match.index, end);
    copied = side === 'before' ? end : blanksAfter(text, end);
    start.lastIndex = copied;
  }
  return out + text.slice(copied);
}

function blanksBefore(text: string, end: number, limit: number): number {
  let at = end;
  while (at > limit && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function blanksAfter(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function toParagraphs(text: string): string {
  return text
    .replace(/\n\n+/g, '\n\n')
    .split(PARAGRAPH_GAP)
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replace(/^\n+/, '').replace(/(?<!\n)\n+$/, '')}</p>\n`)
    .join('');
}

function unwrapBlocks(text: string): string {
  let out = text.replace(BLANK_PARAGRAPH, '').replace(UNCLOSED_IN_CONTAINER, '<p>$1</p></$2>').replace(WRAPPED_BLOCK, '$1');
  out = unwrapListItems(out)
    .replace(/<p><blockquote([^>]*)>/gi, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>')
    .replace(BLOCK_AFTER_P, '$1');
  return dropAfterBlock(out, '</p>');
}

/** `<p><li>…</p>` on one line loses the paragraph. */
function unwrapListItems(text: string): string {
  const opening = '<p><li';
  const closers = new Seeker(text, '</p>');
  const lineEnds = new Seeker(text, '\n');
  let out = '';
  let copied = 0;
  for (let at = text.indexOf(opening); at !== -1;) {
    const close = closers.next(at + opening.length + 1);
    if (close === -1) break;
    const lineEnd = lineEnds.next(at + opening.length);
    if (lineEnd !== -1 && lineEnd < close) {
      at = text.indexOf(opening, lineEnd);
      continue;
    }
    out += text.slice(copied, at) + text.slice(at + 3, close);
    copied = close + 4;
    at = text.indexOf(opening, copied);
  }
  return out + text.slice(copied);
}

/** Removes `suffix` (and the blanks before it) where it follows a block tag. */
function dropAfterBlock(text: string, suffix: string): string {
  const start = new RegExp(BLOCK_START, 'g');
  const closers = new Seeker(text, '>');
  let out = '';
  let copied = 0;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const close = closers.next(start.lastIndex);
    if (close === -1) break;
    const after = blanksAfter(text, close + 1);
    start.lastIndex = close + 1;
    if (!text.startsWith(suffix, after)) continue;
    out += text.slice(copied, close + 1);
    copied = after + suffix.length;
    start.lastIndex = copied;
  }
  return out + text.slice(copied);
}

function addBreaks(text: string): string {
  const out = keepNewlinesOfCode(text)
    .replace(/<br\/?>/g, '<br />')
    .replace(/[ \t\n\v\f\r]+/g, breakLines)
    .replaceAll(KEPT_NEWLINE, '\n');
  return dropAfterBlock(out, '<br />').replace(BREAK_BEFORE_BLOCK, '$1');
}

/** A run of white space up to its last line end becomes one break; right after a break, the first character of the run is kept. */
function breakLines(blanks: string, at: number, text: string): string {
  const spared = text.startsWith('<br />', at - 6) && at >= 6 ? 1 : 0;
  const lineEnd = blanks.lastIndexOf('\n');
  if (lineEnd < spared) return blanks;
  return `${blanks.slice(0, spared)}<br />\n${blanks.slice(lineEnd + 1)}`;
}

/** Line ends inside script, style, svg and math are not breaks. */
function keepNewlinesOfCode(text: string): string {
  const start = /<(script|style|svg|math)/g;
  const closers = new Map<string, Seeker>();
  let out = '';
  let copied = 0;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const name = match[1] ?? '';
    const closer = closers.get(name) ?? new Seeker(text, `</${name}>`);
    closers.set(name, closer);
    const close = closer.next(start.lastIndex);
    if (close === -1) continue;
    const end = close + name.length + 3;
    out += text.slice(copied, match.index) + text.slice(match.index, end).replaceAll('\n', KEPT_NEWLINE);
    copied = end;
    start.lastIndex = end;
  }
  return out + text.slice(copied);
}
