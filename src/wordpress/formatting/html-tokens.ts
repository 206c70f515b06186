/** A token of a text as WordPress splits it: `text` between markup, `tag` from `<` to `>`, `comment` and `cdata`. */
interface HtmlToken {
  readonly kind: 'text' | 'tag' | 'comment' | 'cdata';
  readonly text: string;
}

/** PHP: `\s` without the `u` flag knows ASCII only; a no-break space is a character like any other. */
export const ASCII_SPACE = '[ \\t\\n\\v\\f\\r]';

/** WP: what separates words in the typographic passes; unlike `\s` it includes both spellings of the no-break space. */
export const WORD_SPACE = '(?:[\\r\\n\\t \\u00a0]|&nbsp;)';

const CDATA_OPEN = '<![CDATA[';

/**
 * `indexOf` for scans that move forward. Caches the last result, so that searches from every position of a hostile text scan it once
 * instead of once each.
 */
export class Seeker {
  #from = 0;
  #found = -2;

  constructor(
    readonly text: string,
    readonly needle: string,
  ) {}

  /** First position of the needle at or after `from`, -1 when there is none. */
  next(from: number): number {
    const known = this.#found !== -2 && from >= this.#from && (this.#found === -1 || this.#found >= from);
    if (!known) {
      this.#found = this.text.indexOf(this.needle, from);
      this.#from = from;
    }
    return this.#found;
  }
}

/** End of the markup that starts with the `<` at `start`. WP: an unclosed `<` or comment extends to the end of the text. */
export function markupEnd(text: string, start: number, withCdata = true): { end: number; kind: HtmlToken['kind'] } {
  if (text.startsWith('<!--', start)) return { end: endOf(text, '-->', start + 2), kind: 'comment' };
  if (withCdata && text.startsWith(CDATA_OPEN, start)) return { end: endOf(text, ']]>', start + CDATA_OPEN.length), kind: 'cdata' };
  return { end: endOf(text, '>', start), kind: 'tag' };
}

function endOf(text: string, closer: string, from: number): number {
  const at = text.indexOf(closer, from);
  return at === -1 ? text.length : at + closer.length;
}

/** Splits a text into markup and other text; the joined tokens are the original text. Behavior of wp_html_split. */
export function splitHtml(text: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    if (open !== at) tokens.push({ kind: 'text', text: text.slice(at, open === -1 ? undefined : open) });
    if (open === -1) break;
    const { end, kind } = markupEnd(text, open);
    tokens.push({ kind, text: text.slice(open, end) });
    at = end;
  }
  return tokens;
}

/** Applies `change` to markup tokens only. Behavior of wp_replace_in_html_tags. */
export function mapMarkup(text: string, change: (markup: string) => string): string {
  if (!text.includes('<')) return text;
  return splitHtml(text)
    .map((token) => (token.kind === 'text' ? token.text : change(token.text)))
    .join('');
}
