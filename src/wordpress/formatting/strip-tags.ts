const WHITESPACE = /[ \t\n\v\f\r]/;

/** The state of `stripTags`. */
type Context = 'text' | 'tag' | 'code' | 'declaration' | 'comment';

/** PHP: `<?xml` is a tag, not code. */
const isXmlOpening = (text: string, at: number): boolean => /^<\?xm[lL]$/i.test(text.slice(Math.max(0, at - 4), at + 1));
const isDoctype = (text: string, at: number): boolean => at > 6 && /^doctype$/i.test(text.slice(at - 6, at + 1));

class TagStripper {
  private context: Context = 'text';
  private quote = '';
  private depth = 0;
  private parentheses = 0;
  private isXml = false;
  private last = '';
  private readonly kept: string[] = [];

  constructor(private readonly text: string) {}

  run(): string {
    for (let at = 0; at < this.text.length; at++) {
      const char = this.text[at] ?? '';
      if (char !== '\0') this.step(char, at);
    }
    return this.kept.join('');
  }

  private step(char: string, at: number): void {
    if (this.context === 'text') this.inText(char, at);
    else if (this.context === 'tag') this.inTag(char, at);
    else if (this.context === 'code') this.inCode(char, at);
    else if (this.context === 'declaration') this.inDeclaration(char, at);
    else this.inComment(char, at);
  }

  private inText(char: string, at: number): void {
    if (char === '<' && !WHITESPACE.test(this.text[at + 1] ?? '')) {
      this.last = '<';
      this.context = 'tag';
    } else if (char === '>' && this.depth > 0) {
      this.depth -= 1;
    } else {
      this.kept.push(char);
    }
  }

  private inTag(char: string, at: number): void {
    const previous = this.text[at - 1];
    if (char === '<') {
      if (!this.quote && !WHITESPACE.test(this.text[at + 1] ?? '')) this.depth += 1;
    } else if (char === '>') {
      if (this.closesLevel() && !(this.isXml && previous === '-')) this.leave();
    } else if (char === '"' || char === "'") {
      this.toggleQuote(char);
    } else if (char === '!' && this.last === '<' && previous === '<') {
      this.context = 'declaration';
      this.last = char;
    } else if (char === '?' && previous === '<') {
      this.parentheses = 0;
      this.context = 'code';
    }
  }

  private inCode(char: string, at: number): void {
    const previous = this.text[at - 1];
    if (char === '(' && this.last !== '"' && this.last !== "'") {
      this.last = '(';
      this.parentheses += 1;
    } else if (char === ')' && this.last !== '"' && this.last !== "'") {
      this.last = ')';
      this.parentheses -= 1;
    } else if (char === '>') {
      if (this.closesLevel() && this.parentheses === 0 && this.last !== '"' && previous === '?') this.leave();
    } else if ((char === '"' || char === "'") && previous !== '\\') {
      if (this.last === char) this.last = '';
      else if (this.last !== '\\') this.last = char;
      this.toggleQuote(char);
    } else if ((char === 'l' || char === 'L') && isXmlOpening(this.text, at)) {
      this.context = 'tag';
      this.isXml = true;
    }
  }

  private inDeclaration(char: string, at: number): void {
    const previous = this.text[at - 1];
    if (char === '>') {
      if (this.closesLevel()) this.leave();
    } else if (char === '"' || char === "'") {
      if (previous !== '\\') this.toggleQuote(char);
    } else if (char === '-' && previous === '-' && this.text[at - 2] === '!') {
      this.context = 'comment';
    } else if ((char === 'e' || char === 'E') && isDoctype(this.text, at)) {
      this.context = 'tag';
    }
  }

  private inComment(char: string, at: number): void {
    if (char === '>' && !this.quote && this.text[at - 1] === '-' && this.text[at - 2] === '-') this.leave();
  }

  /** Whether a `>` ends the whole tag; if not, it ends a `<` inside it or is quoted. */
  private closesLevel(): boolean {
    if (this.depth > 0) {
      this.depth -= 1;
      return false;
    }
    return !this.quote;
  }

  private toggleQuote(char: string): void {
    if (!this.quote) this.quote = char;
    else if (this.quote === char) this.quote = '';
  }

  private leave(): void {
    this.last = '>';
    this.quote = '';
    this.isXml = false;
    this.context = 'text';
  }
}

/**
 * PHP `strip_tags` without allowed tags: text outside of `<…>`, comments and `<?…?>`. A `<` before white space is text, an unclosed one
 * removes the rest; NUL characters are removed. Single pass.
 */
export const stripTags = (text: string): string => (text.includes('<') || text.includes('\0') ? new TagStripper(text).run() : text);

const RAW_OPENING = /<(script|style)/gi;

/** The text without `script` and `style` elements and what is inside them; an element that is not closed stays. */
const stripRawElements = (text: string): string => {
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let from = 0;
  let openingEnd = -1;
  RAW_OPENING.lastIndex = 0;
  for (let match = RAW_OPENING.exec(text); match; match = RAW_OPENING.exec(text)) {
    // Searched once per `>` instead of once per opening: hostile text has thousands of openings before one `>`.
    if (openingEnd < RAW_OPENING.lastIndex) openingEnd = text.indexOf('>', RAW_OPENING.lastIndex);
    if (openingEnd === -1) break;
    const name = (match[1] ?? '').toLowerCase();
    const end = unclosed.has(name) ? null : closingTag(text, name, openingEnd + 1);
    if (end === null) {
      unclosed.add(name);
      continue;
    }
    kept.push(text.slice(from, match.index));
    from = end;
    RAW_OPENING.lastIndex = end;
  }
  kept.push(text.slice(from));
  return kept.join('');
};

/** End of the element that ends with `</name>` after `from`. */
const closingTag = (text: string, name: string, from: number): number | null => {
  const pattern = name === 'script' ? /<\/script>/gi : /<\/style>/gi;
  pattern.lastIndex = from;
  return pattern.exec(text) ? pattern.lastIndex : null;
};

/** WordPress `wp_strip_all_tags`: removes tags and the contents of `script` and `style`, and trims. Line breaks stay. */
export const stripAllTags = (text: string): string => phpTrim(stripTags(stripRawElements(text)));

/** PHP `trim`: blanks, tabs, line ends, vertical tabs and NUL, not the other Unicode spaces and not the form feed. */
export const phpTrim = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\n\r\0\v'.includes(text[start] ?? 'x')) start += 1;
  while (end > start && ' \t\n\r\0\v'.includes(text[end - 1] ?? 'x')) end -= 1;
  return text.slice(start, end);
};

const MORE = ' [&hellip;]';

/** The first words of a text without its tags, with a sign where there are more (WP: `wp_trim_words`). */
export function trimWords(html: string, most: number, more = MORE): string {
  const words = stripAllTags(html)
    .split(/[\n\r\t ]+/)
    .filter((word) => word !== '');
  // WP: an excerpt with zero or fewer words is empty.
  return words.length > most ? `${words.slice(0, Math.max(most, 0)).join(' ')}${more}` : words.join(' ');
}
