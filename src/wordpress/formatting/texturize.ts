import { markupEnd, WORD_SPACE } from './html-tokens.js';
import { CORE_SHORTCODES } from './shortcodes/shortcode-syntax.js';

const APOSTROPHE = '&#8217;';
const OPEN_SINGLE = '&#8216;';
const CLOSE_SINGLE = '&#8217;';
const OPEN_DOUBLE = '&#8220;';
const CLOSE_DOUBLE = '&#8221;';
const EN_DASH = '&#8211;';
const EM_DASH = '&#8212;';

// Placeholders for decided marks. Unicode noncharacters, which no valid text contains.
const APOSTROPHE_MARK = '\uFDD0';
const OPEN_MARK = '\uFDD1';

/** Elements whose text is not changed. WP: names are case-sensitive, so `<PRE>` is not protected. */
const VERBATIM_ELEMENTS = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

const WORTH_A_LOOK = /['"&-]|\.\.\.|``| \(tm\)|\dx\d/;

const ELISIONS = ["tain't", 'twere', 'twas', 'tis', 'twill', 'til', 'bout', 'nuff', 'round', 'cause', 'em'];

/** Replaced everywhere, in lower case only, even inside a word. */
const FIXED: readonly (readonly [typed: string, shown: string])[] = [
  ['...', '&#8230;'],
  ['``', OPEN_DOUBLE],
  [' (tm)', ' &#8482;'],
];

/** The same for those that begin with a single quote. */
const FIXED_QUOTES: typeof FIXED = [
  ["''", CLOSE_DOUBLE],
  ...ELISIONS.map((word) => [`'${word}`, APOSTROPHE + word.replace("'", APOSTROPHE)] as const),
];

const QUOTE_END = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${WORD_SPACE})`;

/**
 * Patterns with a lookbehind at the end: the engine finds the typed text first and then looks back, instead of looking back from every
 * character.
 */
const after = (before: string, typed: string): string => `${typed}(?<=(?:${before})${typed})`;
const notAfter = (before: string, typed: string): string => `${typed}(?<!${before}${typed})`;

type Rule = readonly [pattern: RegExp, replacement: string];

const SINGLE_QUOTE_RULES: readonly Rule[] = [
  // '99' and '99" end a quotation that closes with an abbreviated year.
  [new RegExp(`'(\\d\\d)'${QUOTE_END}`, 'g'), `${APOSTROPHE_MARK}$1${CLOSE_SINGLE}`],
  [new RegExp(`'(\\d\\d)"${QUOTE_END}`, 'g'), `${APOSTROPHE_MARK}$1${CLOSE_DOUBLE}`],
  [/'(?=\d\d(?![%\d]|[.,]\d))/g, APOSTROPHE_MARK],
  [new RegExp(`${after(`^|${WORD_SPACE}`, "'")}(\\d[.,\\d]*)'`, 'g'), `${OPEN_MARK}$1${CLOSE_SINGLE}`],
  [new RegExp(after(`^|[([{"\\-]|&lt;|${WORD_SPACE}`, "'"), 'g'), OPEN_MARK],
  [new RegExp(`${notAfter(WORD_SPACE, "'")}(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${WORD_SPACE})`, 'g'), APOSTROPHE_MARK],
];

const DOUBLE_QUOTE_RULES: readonly Rule[] = [
  [new RegExp(`${after(`^|${WORD_SPACE}`, '"')}(\\d[.,\\d]*)"`, 'g'), `${OPEN_MARK}$1${CLOSE_DOUBLE}`],
  [new RegExp(`${after(`^|[([{\\-]|&lt;|${WORD_SPACE}`, '"')}(?!${WORD_SPACE})`, 'g'), OPEN_MARK],
];

const DASH_RULES: readonly Rule[] = [
  [/---/g, EM_DASH],
  [new RegExp(`${after(`^|${WORD_SPACE}`, '--')}(?=$|${WORD_SPACE})`, 'g'), EM_DASH],
  // Punycode keeps its dashes.
  [new RegExp(notAfter('xn', '--'), 'g'), EN_DASH],
  [new RegExp(`${after(`^|${WORD_SPACE}`, '-')}(?=$|${WORD_SPACE})`, 'g'), EN_DASH],
];

interface QuoteStyle {
  readonly mark: string;
  readonly open: string;
  readonly close: string;
  readonly prime: string;
}

const SINGLE: QuoteStyle = { mark: "'", open: OPEN_SINGLE, close: CLOSE_SINGLE, prime: '&#8242;' };
const DOUBLE: QuoteStyle = { mark: '"', open: OPEN_DOUBLE, close: CLOSE_DOUBLE, prime: '&#8243;' };

/**
 * The typographic pass over titles, descriptions and excerpts: straight quotes, dashes, dots, primes and multiplication signs become
 * numeric entities; bare `&` becomes `&#038;`. Tags, comments, verbatim elements and registered shortcodes are not changed. Behavior of
 * wptexturize, English defaults.
 */
export function texturize(text: string): string {
  if (!WORTH_A_LOOK.test(text)) return text;
  const out: string[] = [];
  const open: string[] = [];
  const pushText = (from: number, to: number): void => {
    const plain = text.slice(from, to);
    if (plain !== '') out.push(open.length === 0 ? curl(plain) : plain);
  };
  let copied = 0;
  for (let at = indexOfPattern(text, DELIMITER, 0); at < text.length; at = indexOfPattern(text, DELIMITER, at)) {
    const end = text[at] === '<' ? markupEnd(text, at, false).end : shortcodeTagEnd(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    pushText(copied, at);
    const delimiter = text.slice(at, end);
    const isTag = delimiter.startsWith('<') && !delimiter.startsWith('<!--');
    out.push(isTag ? escapeAmpersands(delimiter) : delimiter);
    if (isTag) trackVerbatim(delimiter, open);
    copied = end;
    at = end;
  }
  pushText(copied, text.length);
  return out.join('');
}

const DELIMITER = /[<[]/g;
const SHORTCODE_HEAD = new RegExp(`\\[[/[]?(?:${CORE_SHORTCODES.join('|')})(?=[\\s\\]/])`, 'y');
const BRACKET_STOP = /[[\]<>]/g;
const TAG_STOP = /[[\]>]/g;

/** End of the registered shortcode tag that starts at `start`; `start` if there is none. */
function shortcodeTagEnd(text: string, start: number): number {
  SHORTCODE_HEAD.lastIndex = start;
  if (!SHORTCODE_HEAD.test(text)) return start;
  let at = SHORTCODE_HEAD.lastIndex;
  for (;;) {
    const stop = indexOfPattern(text, BRACKET_STOP, at);
    const char = text[stop];
    if (char === ']') return text[stop + 1] === ']' ? stop + 2 : stop + 1;
    if (char !== '<') return start;
    const close = indexOfPattern(text, TAG_STOP, stop + 1);
    if (text[close] !== '>') return start;
    at = close + 1;
  }
}

function indexOfPattern(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function trackVerbatim(tag: string, open: string[]): void {
  const closing = tag[1] === '/';
  if (closing && open.length === 0) return;
  const nameStart = closing ? 2 : 1;
  const blank = tag.indexOf(' ');
  // WP: without a blank in it, the last character of the tag counts as the `>`.
  const name = blank === -1 ? tag.slice(nameStart, -1) : tag.slice(nameStart, Math.max(blank, nameStart));
  if (!VERBATIM_ELEMENTS.has(name)) return;
  if (!closing) open.push(name);
  else if (open.at(-1) === name) open.pop();
}

function curl(text: string): string {
  if (!WORTH_A_LOOK.test(text)) return text;
  let out = replaceFixed(text, FIXED);
  if (out.includes("'")) {
    out = applyRules(replaceFixed(out, FIXED_QUOTES), SINGLE_QUOTE_RULES);
    out = curlQuotes(out, SINGLE).replaceAll(APOSTROPHE_MARK, APOSTROPHE);
  }
  if (out.includes('"')) out = curlQuotes(applyRules(out, DOUBLE_QUOTE_RULES), DOUBLE);
  if (out.includes('-')) out = applyRules(out, DASH_RULES);
  if (/\dx\d/.test(out)) out = multiplicationSigns(out);
  return escapeAmpersands(out);
}

function replaceFixed(text: string, fixed: typeof FIXED): string {
  let out = text;
  for (const [typed, shown] of fixed) {
    if (out.includes(typed)) out = out.replaceAll(typed, shown);
  }
  return out;
}

function applyRules(text: string, rules: readonly Rule[]): string {
  return rules.reduce((out, [pattern, replacement]) => out.replace(pattern, replacement), text);
}

/** Primes and closing quotes: decided separately for each part after an opening quote. */
function curlQuotes(text: string, style: QuoteStyle): string {
  return text
    .split(OPEN_MARK)
    .map((stretch, index) => (stretch.includes(style.mark) ? curlStretch(stretch, style, index > 0) : stretch))
    .join(style.open);
}

interface Mark {
  readonly at: number;
  readonly afterDigit: boolean;
  readonly atWordEnd: boolean;
}

const AT_QUOTE_END = new RegExp(QUOTE_END, 'y');

function marksOf(stretch: string, mark: string): Mark[] {
  const marks: Mark[] = [];
  for (let at = stretch.indexOf(mark); at !== -1; at = stretch.indexOf(mark, at + 1)) {
    AT_QUOTE_END.lastIndex = at + 1;
    marks.push({ at, afterDigit: isDigit(stretch, at - 1), atWordEnd: AT_QUOTE_END.test(stretch) });
  }
  return marks;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function curlStretch(stretch: string, style: QuoteStyle, opened: boolean): string {
  const marks = marksOf(stretch, style.mark);
  const closers = opened && !stretch.includes(style.close) ? closingMarks(stretch, marks) : undefined;
  let out = '';
  let at = 0;
  for (const mark of marks) {
    out += stretch.slice(at, mark.at) + shownAs(mark, style, closers);
    at = mark.at + 1;
  }
  return out + stretch.slice(at);
}

/** The marks that close the open quotation: a mark after a digit is a prime only if another mark can close. */
function closingMarks(stretch: string, marks: readonly Mark[]): Set<Mark> {
  const candidates = marks.filter((mark) => mark.atWordEnd);
  if (candidates.length < 2) return new Set(candidates);
  const afterText = candidates.filter((mark) => !mark.afterDigit);
  if (afterText.length > 0) return new Set(afterText);
  const chosen = candidates.findLast((mark) => stretch[mark.at + 1] === '.') ?? candidates.at(-1);
  return new Set(chosen ? [chosen] : []);
}

function shownAs(mark: Mark, style: QuoteStyle, closers: Set<Mark> | undefined): string {
  if (closers?.has(mark)) return style.close;
  if (mark.afterDigit) return style.prime;
  if (style.mark === '"') return style.close;
  return closers === undefined && mark.atWordEnd ? style.close : style.mark;
}

const NUMBER_RUN = /[\d.,]+/g;

/** `2x4` → `2&#215;4`. Processes runs of digits, dots and commas, so that each character is read once. */
function multiplicationSigns(text: string): string {
  let out = '';
  let copied = 0;
  NUMBER_RUN.lastIndex = 0;
  for (let run = NUMBER_RUN.exec(text); run; run = NUMBER_RUN.exec(text)) {
    const signAt = run.index + run[0].length;
    if (text[signAt] !== 'x' || !isDigit(text, signAt + 1)) continue;
    if (!hasFactor(text, Math.max(run.index, copied), signAt)) continue;
    const end = factorEnd(text, signAt + 1);
    if (end === -1) continue;
    out += text.slice(copied, signAt) + '&#215;' + text.slice(signAt + 1, end);
    copied = end;
    NUMBER_RUN.lastIndex = end;
  }
  return out + text.slice(copied);
}

/** WP: a factor starts at a word boundary and is not `0`, so that `0x1F` stays a hexadecimal number. */
function hasFactor(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    if (isDigit(text, at) && !isWordAt(text, at - 1) && !(text[at] === '0' && at + 1 === end)) return true;
  }
  return false;
}

function factorEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end) || text[end] === '.' || text[end] === ',') end += 1;
  while (end > start && isWordAt(text, end - 1) === isWordAt(text, end)) end -= 1;
  return end > start ? end : -1;
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /\w/.test(text.charAt(at));
}

/** `&` → `&#038;` unless it already starts something that looks like an entity. */
function escapeAmpersands(text: string): string {
  return text.includes('&') ? text.replace(/&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi, '&#038;') : text;
}
