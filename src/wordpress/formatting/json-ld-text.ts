import { isEmpty } from '../../base/php/cast.js';
import { autop } from './autop.js';
import { excerptBlocks } from './blocks.js';
import { escapeLooseLessThan, escHtml } from './entities.js';
import { EXCERPT_WORDS } from './content.js';
import { Seeker } from './html-tokens.js';
import { kses, htmlRules } from './kses/kses.js';
import { TEASER_HTML } from './kses/tables.js';
import { NO_REFERENCES, type References } from './references.js';
import { phpTrim } from './strip-tags.js';

const MORE = ' [&hellip;]';

/** The texts of a post that its structured data is made from, as stored. */
interface DescribedPost {
  readonly content: string;
  readonly excerpt: string;
}

/**
 * `json_ld.description`: the stored excerpt in paragraphs, without one (PHP: also `0`) the first words of the content; escaped for a script.
 * TEC: no typographic pass here, unlike everywhere else.
 */
export function jsonLdDescription({ content, excerpt }: DescribedPost, references = NO_REFERENCES): string {
  const text = (stored: string): string => excerptBlocks(stored, references);
  return jsonLdEscape(autop(isEmpty(excerpt) ? summary(text(content)) : teaser(text(excerpt), references)));
}

/** `json_ld.name`, from a title that has been rendered. */
export function jsonLdName(renderedTitle: string): string {
  return jsonLdEscape(renderedTitle);
}

/**
 * Escapes HTML as for a string in a script: markup becomes entities, apostrophes and backslashes get a backslash,
 * line ends become backslash and `n`. Behavior of esc_js.
 */
export function jsonLdEscape(text: string): string {
  return stripBackslashes(escHtml(text).replace(/&#(?:x0*27|0*39);?/gi, "'"))
    .replaceAll('\r', '')
    .replace(/[\\'"]/g, '\\$&')
    .replaceAll('\0', '\\0')
    .replaceAll('\n', '\\n');
}

function stripBackslashes(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.?)/gs, (_, char: string) => (char === '0' ? '\0' : char)) : text;
}

function summary(content: string): string {
  const words = phpTrim(stripTags(withoutBrackets(content))).split(/[\n\r\t ]+/);
  return words.length > EXCERPT_WORDS ? words.slice(0, EXCERPT_WORDS).join(' ') + MORE : words.join(' ');
}

/** TEC: an excerpt keeps a few elements; of content, only text. */
const teaser = (excerpt: string, { quirks }: References): string => kses(withoutBrackets(excerpt), TEASER_HTML, htmlRules(quirks));

/** TEC: everything in brackets is removed like a shortcode; brackets match within a line and contain at least one character. */
const withoutBrackets = (text: string): string => (text.includes('[') ? text.split('\n').map(unbracket).join('\n') : text);

function unbracket(line: string): string {
  let out = '';
  let copied = 0;
  for (let open = line.indexOf('['); open !== -1; open = line.indexOf('[', copied)) {
    const close = line.indexOf(']', open + 2);
    if (close === -1) break;
    out += line.slice(copied, open);
    copied = close + 1;
  }
  return out + line.slice(copied);
}

/** Removes tags and comments, and keeps their content; `<` and `>` outside of tags are escaped. */
function stripTags(text: string): string {
  if (!/[<>]/.test(text)) return text;
  const closed = escapeLooseLessThan(text);
  const seek = { comment: new Seeker(closed, '-->'), line: new Seeker(closed, '\n'), tag: new Seeker(closed, '>') };
  const mark = /[<>]/g;
  let out = '';
  let copied = 0;
  for (let match = mark.exec(closed); match; match = mark.exec(closed)) {
    const isTag = match[0] === '<';
    const end = isTag ? tagEnd(closed, match.index, seek) : match.index + 1;
    out += closed.slice(copied, match.index) + (isTag ? '' : '&gt;');
    copied = end;
    mark.lastIndex = end;
  }
  return out + closed.slice(copied);
}

interface TagSeekers {
  readonly comment: Seeker;
  readonly line: Seeker;
  readonly tag: Seeker;
}

/** WP: a comment ends at its end or the end of the text, if that is on the same line; otherwise it counts as a tag. */
function tagEnd(text: string, start: number, seek: TagSeekers): number {
  if (text.startsWith('<!--', start)) {
    const line = seek.line.next(start);
    const close = seek.comment.next(start + 4);
    if (close !== -1 && (line === -1 || close < line)) return close + 3;
    if (close === -1 && line === -1) return text.length;
  }
  return seek.tag.next(start) + 1;
}
