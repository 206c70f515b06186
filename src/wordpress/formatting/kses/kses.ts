import { escapeLooseLessThan, normalizeEntities } from '../entities.js';
import { Seeker } from '../html-tokens.js';
import { parseTagAttributes, type ParsedAttribute } from './attributes.js';
import { filterBlocks } from './blocks.js';
import { COMMENT_HTML, DESCRIPTION_HTML, INLINE_HTML, POST_HTML, URL_ATTRIBUTES, VALUELESS, type AllowedHtml } from './tables.js';
import { cutBadProtocol, dropControls, safeCss } from './values.js';

const COMMENT_OPEN = '<!--';
const COMMENT_CLOSE = '-->';
const BOGUS_COMMENT = /^<\/[^a-zA-Z>]/;
const TAG = /^<[ \t\n\v\f\r]*(\/[ \t\n\v\f\r]*)?([a-zA-Z0-9-]+)([^>]*)>?$/;
const CUSTOM_DATA = /^data-[a-z0-9_-]+$/;

const lower = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const isAllowedAttribute = (name: string, allowed: ReadonlySet<string>): boolean =>
  allowed.has(name) || (allowed.has('data-*') && CUSTOM_DATA.test(name));

/** The sanitized attribute, or null if it is removed. */
const cleanAttribute = (attribute: ParsedAttribute, allowed: ReadonlySet<string>): string | null => {
  const name = lower(attribute.name);
  if (!isAllowedAttribute(name, allowed)) return null;
  if (attribute.value === null) return name === 'style' ? null : attribute.name;
  if (VALUELESS.has(name)) return null;
  const safe = URL_ATTRIBUTES.has(name) ? cutBadProtocol(attribute.value) : attribute.value;
  const value = name === 'style' ? safeCss(safe) : safe;
  if (name === 'style' && value === '') return null;
  return `${attribute.name}=${attribute.quote}${value}${attribute.quote}`;
};

const cleanTag = (tag: string, allowedHtml: AllowedHtml): string => {
  const match = TAG.exec(tag);
  if (!match) return '';
  const element = match[2] ?? '';
  const source = match[3] ?? '';
  const allowed = allowedHtml.get(lower(element));
  if (!allowed) return '';
  if (match[1] !== undefined) return `</${element}>`;
  const slash = /\/[ \t\n\v\f\r]*$/.test(source) ? ' /' : '';
  // WP: without its required attributes, a self-closing `object` is removed; others stay without attributes.
  if (slash !== '' && lower(element) === 'object') return '';
  const attributes = allowed.size === 0 ? [] : parseTagAttributes(source).map((attribute) => cleanAttribute(attribute, allowed));
  const kept = attributes.filter((attribute) => attribute !== null).map((attribute) => ` ${attribute.replace(/[<>]/g, '')}`);
  return `<${element}${kept.join('')}${slash}>`;
};

/** Sanitizes the content of a comment repeatedly, until nothing changes. */
const settle = (text: string, allowedHtml: AllowedHtml): string => {
  let current = text;
  for (let next = kses(current, allowedHtml); next !== current; next = kses(current, allowedHtml)) current = next;
  return current;
};

const cleanComment = (comment: string, allowedHtml: AllowedHtml): string => {
  const source = comment.replaceAll(COMMENT_OPEN, '').replaceAll(COMMENT_CLOSE, '');
  const inner = settle(source, allowedHtml).replace(/--+/g, '-').replace(/-$/, '');
  return inner === '' ? '' : COMMENT_OPEN + inner + COMMENT_CLOSE;
};

/** WP 6.6: `</%x>` is a comment to a browser and stays. */
const cleanBogusComment = (tag: string, allowedHtml: AllowedHtml): string => `</${settle(tag.slice(2, -1), allowedHtml)}>`;

const nextMarkup = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) if (text[at] === '<' || text[at] === '>') return at;
  return -1;
};

/** Finds the ends of tags and comments. Each kind of end is searched once for all beginnings before it. */
class MarkupEnds {
  private readonly closes: Seeker;
  private readonly lines: Seeker;
  private readonly tags: Seeker;

  constructor(private readonly text: string) {
    this.closes = new Seeker(text, COMMENT_CLOSE);
    this.lines = new Seeker(text, '\n');
    this.tags = new Seeker(text, '>');
  }

  /** Position after the tag or comment that starts at `at`. */
  endAt(at: number): number {
    return (this.text.startsWith(COMMENT_OPEN, at) ? this.commentEnd(at) : null) ?? this.tagEnd(at);
  }

  private tagEnd(at: number): number {
    const end = this.tags.next(at + 1);
    return end === -1 ? this.text.length : end + 1;
  }

  /** WP: a comment in one line ends with `-->` or the text; one of several lines ends at the first `>`, like a tag. */
  private commentEnd(at: number): number | null {
    const from = at + COMMENT_OPEN.length;
    const close = this.closes.next(from);
    const next = this.lines.next(from);
    const line = next === -1 ? this.text.length : next;
    if (close !== -1 && close < line) return close + COMMENT_CLOSE.length;
    return line >= this.text.length - 1 ? line : null;
  }
}

const cleanPiece = (source: string, allowedHtml: AllowedHtml): string => {
  // WP: a backslash before a quote is removed, even if it was not added by escaping.
  const piece = source.replaceAll('\\"', '"');
  if (piece.startsWith(COMMENT_OPEN)) return cleanComment(piece, allowedHtml);
  return BOGUS_COMMENT.test(piece) ? cleanBogusComment(piece, allowedHtml) : cleanTag(piece, allowedHtml);
};

/** Tags, comments and loose `>` one after the other; the text between them stays. */
const cleanMarkup = (text: string, allowedHtml: AllowedHtml): string => {
  const ends = new MarkupEnds(text);
  const cleaned: string[] = [];
  let from = 0;
  for (let at = nextMarkup(text, 0); at !== -1; at = nextMarkup(text, from)) {
    cleaned.push(text.slice(from, at));
    from = text[at] === '>' ? at + 1 : ends.endAt(at);
    cleaned.push(text[at] === '>' ? '&gt;' : cleanPiece(text.slice(at, from), allowedHtml));
  }
  cleaned.push(text.slice(from));
  return cleaned.join('');
};

/**
 * WordPress `wp_kses`: HTML with the elements and attributes of an allow-list only. Other tags are removed, but not their content; bad URL
 * schemes are removed; stray `<`, `>` and `&` are escaped. Linear time.
 */
export const kses = (html: string, allowedHtml: AllowedHtml): string => {
  const text = escapeLooseLessThan(normalizeEntities(dropControls(html)));
  return cleanMarkup(
    filterBlocks(text, (value) => kses(value, allowedHtml)),
    allowedHtml,
  );
};

/** WordPress `wp_kses_post`: sanitizes descriptions and excerpts of users without unfiltered HTML. */
export const ksesPost = (html: string): string => kses(html, POST_HTML);

/** WordPress `wp_kses_data`: sanitizes comments to inline elements. */
export const ksesComment = (html: string): string => kses(html, INLINE_HTML);

const SPAN_CLASSES = /(<span\s)class=(?:"([^"]*)"|'([^']*)')/gi;
const MENTION_CLASS = /^(?:wp-note-mention|user-[1-9][0-9]*)$/;

/** WP: other classes are removed, with the white space before them. An attribute without any stays as it is. */
function mentionClasses(whole: string, start: string, double?: string, single?: string): string {
  const [...classes] = (double ?? single ?? '').matchAll(/([ \t\n\f\r]*)([^ \t\n\f\r]+)/g);
  if (classes.every(([, , name]) => MENTION_CLASS.test(name))) return whole;
  const kept = new Map(classes.filter(([, , name]) => MENTION_CLASS.test(name)).map(([text, , name]) => [name, text]));
  return kept.size === 0 ? start : `${start}class="${[...kept.values()].join('').trimStart()}"`;
}

/** WordPress 7.1: the same, but mentions of users stay, which are `span` elements with their own classes. */
export const ksesMentions = (html: string): string => kses(html, COMMENT_HTML).replace(SPAN_CLASSES, mentionClasses);

/** Sanitizes titles of users without unfiltered HTML to inline elements, as in comments. */
export const ksesTitle = ksesComment;

/** Sanitizes descriptions of terms and users, for every author. */
export const ksesTermDescription = (html: string): string => kses(html, DESCRIPTION_HTML);
