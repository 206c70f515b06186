import { escapeLooseLessThan, escAttr, normalizeEntities } from '../entities.js';
import { Seeker } from '../html-tokens.js';
import { encodeValue, parseTagAttributes, readAttributes, type ParsedAttribute, type ReadAttribute } from './attributes.js';
import { filterBlocks } from './blocks.js';
import { COMMENT_HTML, DESCRIPTION_HTML, INLINE_HTML, URL_ATTRIBUTES, VALUELESS, postSet, type AllowedHtml } from './tables.js';
import { cutBadProtocol, dropControls, safeCss } from './values.js';
import type { QuirkName } from '../../quirks.js';
import { cssRules, type CssRules } from './css.js';

/** Rules of a release of WordPress for HTML, and how it writes it. */
export interface HtmlRules {
  /** The HTML allowed in descriptions and excerpts of users without unfiltered HTML. */
  readonly post: AllowedHtml;
  readonly css: CssRules;
  /** Whether attributes are written as `name="value"` in lower case, and with as few entities as possible. */
  readonly rewrites: boolean;
  /** Whether the entities in `style` are decoded before it is checked. */
  readonly decodesStyles: boolean;
  /** Whether CSS in the attributes of blocks is removed. */
  readonly dropsBlockCss: boolean;
}

/** The quirks that rules depend on. */
const NAMES = [
  'newer-elements-are-removed',
  'attributes-stay-as-written',
  'display-is-removed',
  'css-of-blocks-is-ignored',
  'commands-are-removed',
  'css-of-vector-images-is-removed',
] as const satisfies readonly QuirkName[];

function rulesOf(quirks: ReadonlySet<QuirkName>): HtmlRules {
  const isNewer = !quirks.has('newer-elements-are-removed');
  const isVector = !quirks.has('css-of-vector-images-is-removed');
  return {
    post: postSet({ elements: isNewer, commands: !quirks.has('commands-are-removed') }),
    css: cssRules([...(isNewer ? ['opacity', 'white-space'] : []), ...(quirks.has('display-is-removed') ? [] : ['display'])], isVector),
    rewrites: !quirks.has('attributes-stay-as-written'),
    decodesStyles: isVector,
    dropsBlockCss: !quirks.has('css-of-blocks-is-ignored'),
  };
}

const known = new Map<string, HtmlRules>();

/** The rules of the release of a site. */
export function htmlRules(quirks: ReadonlySet<QuirkName>): HtmlRules {
  const key = NAMES.map((name) => Number(quirks.has(name))).join('');
  const rules = known.get(key) ?? rulesOf(quirks);
  known.set(key, rules);
  return rules;
}

/** For texts of the site in its pages and feeds: the newest rules, and attributes as they are. */
export const PAGE_RULES: HtmlRules = { ...rulesOf(new Set()), rewrites: false, dropsBlockCss: false };

const COMMENT_OPEN = '<!--';
const COMMENT_CLOSE = '-->';
const BOGUS_COMMENT = /^<\/[^a-zA-Z>]/;
const TAG = /^<[ \t\n\v\f\r]*(\/[ \t\n\v\f\r]*)?([a-zA-Z0-9-]+)([^>]*)>?$/;
const CUSTOM_DATA = /^data-[a-z0-9_-]+$/;

const lower = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const isAllowedAttribute = (name: string, allowed: ReadonlySet<string>): boolean =>
  allowed.has(name) || (allowed.has('data-*') && CUSTOM_DATA.test(name));

/** The sanitized attribute as it was written, or null if it is removed. */
const cleanAttribute = (attribute: ParsedAttribute, allowed: ReadonlySet<string>, { css }: HtmlRules): string | null => {
  const name = lower(attribute.name);
  if (!isAllowedAttribute(name, allowed)) return null;
  if (attribute.value === null) return name === 'style' ? null : attribute.name;
  if (VALUELESS.has(name)) return null;
  const safe = URL_ATTRIBUTES.has(name) ? cutBadProtocol(attribute.value) : attribute.value;
  const value = name === 'style' ? safeCss(safe, css) : safe;
  if (name === 'style' && value === '') return null;
  return `${attribute.name}=${attribute.quote}${value}${attribute.quote}`;
};

/** A sanitized value of `style`, encoded; empty if nothing remains. */
function cleanStyle(value: string, { css, decodesStyles }: HtmlRules): string {
  const encoded = encodeValue(value);
  if (!decodesStyles) return safeCss(encoded, css);
  const safe = safeCss(value, css);
  return safe === value ? encoded : escAttr(safe);
}

/** The sanitized attribute as browsers read it, or null if it is removed. */
function rewriteAttribute({ name, value }: ReadAttribute, allowed: ReadonlySet<string>, rules: HtmlRules): string | null {
  if (!isAllowedAttribute(name, allowed)) return null;
  if (value === null) return name === 'style' ? null : name;
  if (VALUELESS.has(name)) return null;
  const encoded = name === 'style' ? cleanStyle(value, rules) : encodeValue(URL_ATTRIBUTES.has(name) ? cutBadProtocol(value) : value);
  return name === 'style' && encoded === '' ? null : `${name}="${encoded}"`;
}

const cleanAttributes = (source: string, allowed: ReadonlySet<string>, rules: HtmlRules): (string | null)[] =>
  rules.rewrites
    ? readAttributes(source).map((attribute) => rewriteAttribute(attribute, allowed, rules))
    : parseTagAttributes(source).map((attribute) => cleanAttribute(attribute, allowed, rules));

const cleanTag = (tag: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
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
  const attributes = allowed.size === 0 ? [] : cleanAttributes(source, allowed, rules);
  const kept = attributes.filter((attribute) => attribute !== null).map((attribute) => ` ${attribute.replace(/[<>]/g, '')}`);
  return `<${element}${kept.join('')}${slash}>`;
};

/** Sanitizes the content of a comment repeatedly, until nothing changes. */
const settle = (text: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
  let current = text;
  for (let next = kses(current, allowedHtml, rules); next !== current; next = kses(current, allowedHtml, rules)) current = next;
  return current;
};

const cleanComment = (comment: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
  const source = comment.replaceAll(COMMENT_OPEN, '').replaceAll(COMMENT_CLOSE, '');
  const inner = settle(source, allowedHtml, rules).replace(/--+/g, '-').replace(/-$/, '');
  return inner === '' ? '' : COMMENT_OPEN + inner + COMMENT_CLOSE;
};

/** WP 6.6: `</%x>` is a comment to a browser and stays. */
const cleanBogusComment = (tag: string, allowedHtml: AllowedHtml, rules: HtmlRules): string =>
  `</${settle(tag.slice(2, -1), allowedHtml, rules)}>`;

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

const cleanPiece = (source: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
  // WP: a backslash before a quote is removed, even if it was not added by escaping.
  const piece = source.replaceAll('\\"', '"');
  if (piece.startsWith(COMMENT_OPEN)) return cleanComment(piece, allowedHtml, rules);
  return BOGUS_COMMENT.test(piece) ? cleanBogusComment(piece, allowedHtml, rules) : cleanTag(piece, allowedHtml, rules);
};

/** Tags, comments and loose `>` one after the other; the text between them stays. */
const cleanMarkup = (text: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
  const ends = new MarkupEnds(text);
  const cleaned: string[] = [];
  let from = 0;
  for (let at = nextMarkup(text, 0); at !== -1; at = nextMarkup(text, from)) {
    cleaned.push(text.slice(from, at));
    from = text[at] === '>' ? at + 1 : ends.endAt(at);
    cleaned.push(text[at] === '>' ? '&gt;' : cleanPiece(text.slice(at, from), allowedHtml, rules));
  }
  cleaned.push(text.slice(from));
  return cleaned.join('');
};

/**
 * WordPress `wp_kses`: HTML with the elements and attributes of an allow-list only. Other tags are removed, but not their content; bad URL
 * schemes are removed; stray `<`, `>` and `&` are escaped. Linear time.
 */
export const kses = (html: string, allowedHtml: AllowedHtml, rules: HtmlRules): string => {
  const text = escapeLooseLessThan(normalizeEntities(dropControls(html)));
  return cleanMarkup(
    filterBlocks(text, { clean: (value) => kses(value, allowedHtml, rules), dropsCss: rules.dropsBlockCss }),
    allowedHtml,
    rules,
  );
};

/** WordPress `wp_kses_post`: sanitizes descriptions and excerpts of users without unfiltered HTML. */
export const ksesPost = (html: string, rules: HtmlRules): string => kses(html, rules.post, rules);

/** WordPress `wp_kses_data`: sanitizes comments to inline elements. */
export const ksesComment = (html: string, rules: HtmlRules): string => kses(html, INLINE_HTML, rules);

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
export const ksesMentions = (html: string, rules: HtmlRules): string =>
  kses(html, COMMENT_HTML, rules).replace(SPAN_CLASSES, mentionClasses);

/** Sanitizes titles of users without unfiltered HTML to inline elements, as in comments. */
export const ksesTitle = ksesComment;

/** Sanitizes descriptions of terms and users, for every author. */
export const ksesTermDescription = (html: string, rules: HtmlRules): string => kses(html, DESCRIPTION_HTML, rules);
