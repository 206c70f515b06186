import { escUrl, escAttr } from '../entities.js';
import { PROTOCOLS } from '../kses/tables.js';
import { parseTagAttributes } from '../kses/attributes.js';

/** Links in comments: URLs in the text become elements, and all links are marked as user-generated. */

/** PCRE: white space without Unicode. */
const BLANK = '[ \\t\\n\\v\\f\\r]';
const NO_BLANK = '[^ \\t\\n\\v\\f\\r]';
const IN_URL = '[\\w\\x80-\\uffff#%~/@\\[\\]*(+=&$-]';

const URL = new RegExp(
  `([ \\t\\n\\v\\f\\r(<.,;:!?])(\\w{1,20}://(?=${NO_BLANK}{1,2000}${BLANK})${IN_URL}*(?:['.,;:!?)]${IN_URL}+)*)(\\)?)(\\.\\w{2,6})?`,
  'g',
);
const WEB = new RegExp(`(${BLANK}|>)((?:www|ftp)\\.[\\w\\x80-\\uffff#$%&~/.\\-;:=,?@[\\]+]+)`, 'gi');
const EMAIL = new RegExp(`(${BLANK}|>)([.0-9a-z_+-]+)@((?:[0-9a-z-]+\\.)+[0-9a-z]{2,})`, 'gi');

/** Elements whose text stays as it is. */
const VERBATIM = /^<(code|pre|script|style)[\s>]/i;
const VERBATIM_END = /^<\/(code|pre|script|style)>$/i;

/** WP: longer texts are processed in parts. */
const LONGEST = 10_000;
const PART = 2_100;

const HOST = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?([^/?#:]*)/;

/** WP: whether a link leads to the host of the site itself, under any port. */
function isInternal(url: string, siteUrl: string): boolean {
  const [, scheme = '', host] = HOST.exec(url.toLowerCase()) ?? [];
  return PROTOCOLS.has(scheme) && host === HOST.exec(siteUrl.toLowerCase())?.[2];
}

/** The `rel` of a link made from text. */
function relOf(url: string, siteUrl: string): string {
  const isOutside = /^https?:/i.test(url) && !isInternal(url, siteUrl);
  return ` rel="${isOutside ? 'nofollow ugc' : 'ugc'}"`;
}

const count = (text: string, char: string): number => text.split(char).length - 1;

function urlLink(found: string, before: string, typed: string, bracket: string, extension: string | undefined, siteUrl: string): string {
  const takesBracket = bracket === ')' && typed.indexOf('(') > 0;
  let url = typed + (takesBracket ? bracket : '') + (extension ?? '');
  let after = takesBracket ? '' : bracket;
  while (count(url, '(') < count(url, ')')) {
    const at = url.lastIndexOf(')');
    after = url.slice(at) + after;
    url = url.slice(0, at);
  }
  const clean = escUrl(url);
  return clean === '' ? found : `${before}<a href="${clean}"${relOf(clean, siteUrl)}>${clean}</a>${after}`;
}

function webLink(found: string, before: string, typed: string, siteUrl: string): string {
  const after = /[.,;:)]$/.exec(typed)?.[0] ?? '';
  const clean = escUrl(`http://${typed.slice(0, typed.length - after.length)}`);
  return clean === '' ? found : `${before}<a href="${clean}"${relOf(clean, siteUrl)}>${clean}</a>${after}`;
}

const linkText = (text: string, siteUrl: string): string =>
  ` ${text} `
    .replace(URL, (found, before: string, typed: string, bracket: string, extension: string | undefined) =>
      urlLink(found, before, typed, bracket, extension, siteUrl),
    )
    .replace(WEB, (found, before: string, typed: string) => webLink(found, before, typed, siteUrl))
    .replace(EMAIL, (_, before: string, name: string, host: string) => `${before}<a href="mailto:${name}@${host}">${name}@${host}</a>`)
    .slice(1, -1);

/** Cuts a long text between words. */
function* partsOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length;) {
    const blank = text.slice(from, from + PART).search(/\s\S*$/);
    const to = from + PART >= text.length ? text.length : blank > 0 ? from + blank : from + PART;
    yield text.slice(from, to);
    from = to;
  }
}

/** WordPress `make_clickable`, as in comments: addresses of pages and e-mail become links. */
export function makeClickable(text: string, siteUrl: string): string {
  let depth = 0;
  const linked = text.split(/(<[^<>]+>)/).map((piece) => {
    if (VERBATIM.test(piece)) depth += 1;
    else if (depth > 0 && VERBATIM_END.test(piece)) depth -= 1;
    if (depth > 0 || piece === '' || (piece.startsWith('<') && !/^<\s*\w{1,20}:\/\//.test(piece))) return piece;
    return piece.length > LONGEST ? [...partsOf(piece)].map((part) => linkText(part, siteUrl)).join('') : linkText(piece, siteUrl);
  });
  // WP: links within links are removed.
  return linked.join('').replace(/(<a(?:[ \r\n\t][^<>]+>|>))<a [^<>]+>([^<>]+)<\/a><\/a>/gi, '$1$2</a>');
}

/** WordPress `wp_rel_ugc`: marks links of a new comment as user-generated; those to other sites are `nofollow`. */
export const relUgc = (html: string, siteUrl: string): string =>
  html.replace(/<a ([^<>\n]+)>/gi, (_, source: string) => {
    const attributes = parseTagAttributes(source);
    const valueOf = (name: string): string => attributes.find((each) => each.name === name)?.value ?? '';
    const rel = isInternal(valueOf('href'), siteUrl) ? ['ugc'] : ['nofollow', 'ugc'];
    if (valueOf('rel') === '') return `<a ${source} rel="${rel.join(' ')}">`;
    const kept = attributes
      .filter(({ name }) => name !== 'rel')
      .map(({ name, value }) => (value === null ? name : `${name}="${escAttr(value)}"`));
    const all = [...new Set([...valueOf('rel').split(' '), ...rel])].join(' ');
    return `<a ${[...kept, `rel="${escAttr(all)}"`].join(' ')}>`;
  });
