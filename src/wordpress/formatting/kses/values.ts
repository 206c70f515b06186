import { CSS_WITH_GRADIENT, type CssRules } from './css.js';
import { PROTOCOLS } from './tables.js';
import { phpTrim } from '../strip-tags.js';

const CONTROLS = /(?![\t\n\r\x20])[\0-\x20]/g;
/** Backslashes before zeros: how some clients read a NUL. */
const SLASHED_ZEROS = /(?<!\\)\\+0+/g;

/** The text without control characters; tabs and line ends stay. */
export const dropControls = (text: string): string => text.replace(CONTROLS, '');

/** WordPress `wp_kses_no_null`: without control characters and without `\0` spelled out. */
const dropNulls = (text: string): string => dropControls(text).replace(SLASHED_ZEROS, '');

const COLON = /:|&#0*58;|&#x0*3a;|&colon;/i;
/** A reference to a colon without its semicolon, which browsers accept. */
const OPEN_COLON = /&#0*58(?![;0-9])|&#x0*3a(?![;a-f0-9])/gi;
const WHITESPACE = /[ \t\n\v\f\r]+/g;
const LAST_BYTE = 255;
/** Maximum number of schemes to remove before the whole URL is rejected. */
const MAX_SCHEMES = 6;
const MAX_FEEDS = 2;

const decodeReferences = (text: string): string =>
  text
    .replace(/&#([0-9]+);/g, (_, digits: string) => character(Number(digits)))
    .replace(/&#[Xx]([0-9A-Fa-f]+);/g, (_, digits: string) => character(parseInt(digits, 16)));

// Code points above 255 cannot be part of a scheme, and make it unknown.
const character = (point: number): string => String.fromCharCode(point & LAST_BYTE);

const scheme = (text: string, protocols: ReadonlySet<string>): string => {
  const name = dropNulls(decodeReferences(text).replace(WHITESPACE, '')).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return protocols.has(name) ? `${name}:` : '';
};

/** Removes an unknown scheme. `feed:` is followed by a second URL, whose scheme is removed, too. */
const cutOnce = (source: string, protocols: ReadonlySet<string>, feeds: number): string => {
  const url = source.replace(OPEN_COLON, '$&;');
  const colon = COLON.exec(url);
  if (!colon || url.slice(0, colon.index).includes('/?')) return url;
  const name = scheme(url.slice(0, colon.index), protocols);
  const rest = phpTrim(url.slice(colon.index + colon[0].length));
  if (name !== 'feed:') return name + rest;
  if (feeds >= MAX_FEEDS) return '';
  const inner = cutOnce(rest, protocols, feeds + 1);
  return inner ? name + inner : inner;
};

/**
 * WordPress `wp_kses_bad_protocol`: a URL without a scheme that is not allowed, however it is spelled (upper case, blanks, references,
 * NULs). Any text before a colon counts as a scheme, so `/a:b` is cut, too. Several bad schemes in a row result in `''`.
 */
export const cutBadProtocol = (url: string, protocols: ReadonlySet<string> = PROTOCOLS): string => {
  let current = dropNulls(url);
  for (let round = 0; round < MAX_SCHEMES; round++) {
    const next = cutOnce(current, protocols, 0);
    if (next === current) return current;
    current = next;
  }
  return '';
};

const UNSAFE_CSS = /[\\(&=}]|\/\*/;
const CUSTOM_PROPERTY = /^--[a-zA-Z0-9-_]+$/;

/** For each `(`, the position of its `)`. */
const closingParentheses = (text: string): Map<number, number> => {
  const open: number[] = [];
  const pairs = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') open.push(at);
    else if (text[at] === ')') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
};

/** The text without calls of harmless functions and their nested content. */
const dropFunctions = (text: string, { functions }: CssRules): string => {
  if (!text.includes('(')) return text;
  const pairs = closingParentheses(text);
  const kept: string[] = [];
  let from = 0;
  const calls = new RegExp(functions);
  for (let match = calls.exec(text); match; match = calls.exec(text)) {
    const end = pairs.get(calls.lastIndex - 1);
    if (end === undefined) continue;
    kept.push(text.slice(from, match.index));
    from = end + 1;
    calls.lastIndex = from;
  }
  kept.push(text.slice(from));
  return kept.join('');
};

/** The URL in `url(…)`: trimmed, and without a pair of quotes. */
const addressOf = (inner: string): string => {
  const trimmed = inner.replace(/^[ \v\f]+/, '');
  const quote = trimmed[0];
  const end = quote === '"' || quote === "'" ? trimmed.lastIndexOf(quote) : 0;
  const isPair = end > 0 && trimmed.slice(end + 1).trim() === '';
  return phpTrim(isPair ? trimmed.slice(1, end) : trimmed);
};

/** The value without its `url(…)`s, or null if one of them is empty or has a bad scheme. */
const dropUrls = (value: string): string | null => {
  const kept: string[] = [];
  let from = 0;
  for (let start = value.indexOf('url('); start !== -1; start = value.indexOf('url(', from)) {
    const end = value.indexOf(')', start + 5);
    if (end === -1) break;
    if (value[start + 4] === ')') {
      kept.push(value.slice(from, start + 5));
      from = start + 5;
      continue;
    }
    const address = addressOf(value.slice(start + 4, end));
    if (address === '' || cutBadProtocol(address) !== address) return null;
    kept.push(value.slice(from, start));
    from = end + 1;
  }
  kept.push(value.slice(from));
  return kept.join('');
};

const isSafeDeclaration = (declaration: string, rules: CssRules): boolean => {
  const colon = declaration.indexOf(':');
  if (colon === -1) return !UNSAFE_CSS.test(dropFunctions(declaration, rules));
  const property = phpTrim(declaration.slice(0, colon));
  const isCustom = CUSTOM_PROPERTY.test(property);
  if (!isCustom && !rules.properties.has(property)) return false;
  const value = phpTrim(declaration.slice(colon + 1));
  const mayHaveUrl = isCustom ? value.startsWith('url(') : rules.withUrl.has(property);
  const withoutUrls = mayHaveUrl ? dropUrls(value) : value;
  if (withoutUrls === null) return false;
  const rest = isCustom || CSS_WITH_GRADIENT.has(property) ? withoutUrls.replace(rules.gradients, '') : withoutUrls;
  return !UNSAFE_CSS.test(dropFunctions(rest, rules));
};

/**
 * WordPress `safecss_filter_attr`: the declarations of a `style` attribute that set a known property to a harmless value, joined by `;`.
 * The text is split at every semicolon, also inside quotes, parentheses and entities. Only really empty declarations vanish: `a; ;b`
 * becomes `a;;b`.
 */
export const safeCss = (style: string, rules: CssRules): string =>
  phpTrim(dropNulls(style).replace(/[\n\r\t]/g, ''))
    .split(';')
    .filter((declaration) => declaration !== '')
    .map(phpTrim)
    .filter((declaration) => isSafeDeclaration(declaration, rules))
    .reduce((css, declaration) => (css === '' ? declaration : `${css};${declaration}`), '');
