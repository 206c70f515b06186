/** An attribute as it was found in a tag: its value without quotes (null if it has none) and the quote to write it with. */
export interface ParsedAttribute {
  name: string;
  value: string | null;
  quote: '"' | "'";
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

  /** Reads a name and what belongs to it; false at something that is not an attribute. */
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

  /** A value has to be followed by a blank, by the slash that ends the tag, or by nothing. */
  private endsValue(): boolean {
    if (this.take(BLANKS) !== null) return true;
    if (this.source[this.at] === '/' && this.at + 1 === this.source.length) this.at += 1;
    return this.at === this.source.length;
  }

  /** Goes behind the next blank that is not in quotes. */
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

  /** WP: the first of two attributes of the same spelling counts; `CLASS` and `class` are two. */
  private add(name: string, value: string | null, quote: '"' | "'"): void {
    if (!this.found.has(name)) this.found.set(name, { name, value, quote });
  }
}

/** WordPress `wp_kses_hair`: the attributes in what stands between the name of an element and its `>`. */
export const parseAttributes = (source: string): ParsedAttribute[] => {
  const trimmed = source.replace(/^[ \t\n\v\f\r]+/, '');
  return new AttributeReader(trimmed).read();
};
