import { decodeReferences } from '../entities.js';

/** An attribute of a tag: its value without quotes (null if it has none) and the quote to write it with. */
export interface ParsedAttribute {
  name: string;
  value: string | null;
  quote: '"' | "'";
}

/** An attribute as a browser reads it: its name in lower case, and its decoded value (null if it has none). */
export interface ReadAttribute {
  name: string;
  value: string | null;
}

const NAME = /[_a-zA-Z][-_a-zA-Z0-9:.]*/y;
const BLANKS = /[ \t\n\v\f\r]+/y;
const EQUALS = /[ \t\n\v\f\r]*=[ \t\n\v\f\r]*/y;
const BARE_VALUE = /[^ \t\n\v\f\r"']+/y;
const BLANK = ' \t\n\v\f\r';

/** Reads the attributes of one tag from left to right, each character a bounded number of times. */
class AttributeReader {
  private at = 0;
  private readonly found = new Map<string, ParsedAttribute>();

  constructor(private readonly source: string) {}

  read(): ParsedAttribute[] {
    while (this.at < this.source.length) {
      if (!this.readOne()) this.skipNonsense();
    }
    return [...this.found.values()];
  }

  /** Reads an attribute; false if there is none. */
  private readOne(): boolean {
    const name = this.take(NAME);
    if (name === null) return false;
    if (this.at === this.source.length) {
      this.add(name, null, '"');
      return true;
    }
    if (this.take(EQUALS) !== null) return this.at === this.source.length || this.readValue(name);
    if (this.take(BLANKS) === null) return false;
    this.add(name, null, '"');
    return true;
  }

  private readValue(name: string): boolean {
    const start = this.at;
    const quote = this.source[start];
    const value = quote === '"' || quote === "'" ? this.takeQuoted(quote) : this.take(BARE_VALUE);
    if (value === null || !this.endsValue()) {
      this.at = start;
      return false;
    }
    this.add(name, value, quote === "'" ? "'" : '"');
    return true;
  }

  private takeQuoted(quote: string): string | null {
    const end = this.source.indexOf(quote, this.at + 1);
    if (end === -1) return null;
    const value = this.source.slice(this.at + 1, end);
    this.at = end + 1;
    return value;
  }

  /** A value must be followed by white space, the slash at the end of the tag, or nothing. */
  private endsValue(): boolean {
    if (this.take(BLANKS) !== null) return true;
    if (this.source[this.at] === '/' && this.at + 1 === this.source.length) this.at += 1;
    return this.at === this.source.length;
  }

  /** Skips to after the next white space outside of quotes. */
  private skipNonsense(): void {
    while (this.at < this.source.length && !BLANK.includes(this.source[this.at] ?? '')) {
      const quote = this.source[this.at];
      const end = quote === '"' || quote === "'" ? this.source.indexOf(quote, this.at + 1) : this.at;
      this.at = end === -1 ? this.source.length : end + 1;
    }
    this.take(BLANKS);
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source);
    if (!match) return null;
    this.at = pattern.lastIndex;
    return match[0];
  }

  /** WP: the first of two attributes with the same spelling counts; `CLASS` and `class` are different. */
  private add(name: string, value: string | null, quote: '"' | "'"): void {
    if (!this.found.has(name)) this.found.set(name, { name, value, quote });
  }
}

/** WordPress `wp_kses_hair`: parses the attributes between the name of an element and its `>`. */
export const parseTagAttributes = (source: string): ParsedAttribute[] => {
  const trimmed = source.replace(/^[ \t\n\v\f\r]+/, '');
  return new AttributeReader(trimmed).read();
};

const BETWEEN = /[ \t\n\f\r/]*/y;
const ANY_NAME = /=?[^ \t\n\f\r/>=]*/y;
const VALUE = /[ \t\n\f\r]*=[ \t\n\f\r]*(?:"([^"]*)"|'([^']*)'|((?!["'])[^ \t\n\f\r>]*))/y;

/**
 * Reads the attributes of one tag as browsers do. WordPress 7.0: `wp_kses_hair`, by WP_HTML_Tag_Processor. Of two attributes with the same
 * name the first one counts; there are none if a quote is not closed.
 */
export function readAttributes(source: string): ReadAttribute[] {
  const found = new Map<string, ReadAttribute>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (take(BETWEEN); at < source.length; take(BETWEEN)) {
    const name = (take(ANY_NAME)?.[0] ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const match = take(VALUE);
    if (!match && /^[ \t\n\f\r]*=/.test(source.slice(at))) return [];
    const value = match ? decodeReferences(match[1] ?? match[2] ?? match[3] ?? '') : null;
    if (!found.has(name)) found.set(name, { name, value });
  }
  return [...found.values()];
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&apos;', '"': '&quot;' };

/** A value as WordPress 7.0 writes it in double quotes. */
export const encodeValue = (value: string): string => value.replace(/[&<>'"]/g, (sign) => SIGNS[sign] ?? sign);
