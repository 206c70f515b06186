/** A tag in HTML, and its attribute `class`. */
interface Tag {
  /** Lower case. */
  readonly name: string;
  /** Position after its name. */
  readonly nameEnd: number;
  readonly end: number;
  /** The whole attribute, and its value without quotes; null if it has none. */
  readonly classes: { readonly start: number; readonly end: number; readonly value: string } | null;
}

const NAME = /[^ \t\n\f\r/>]+/y;
const BETWEEN = /[ \t\n\f\r/]*/y;
const ATTRIBUTE = /=?[^ \t\n\f\r/>=]*/y;
const EQUALS = /[ \t\n\f\r]*=[ \t\n\f\r]*/y;
const BARE_VALUE = /[^ \t\n\f\r>]*/y;

/** Elements whose content has no tags. */
const TEXT_ELEMENTS = new Set(['iframe', 'noembed', 'noframes', 'script', 'style', 'textarea', 'title', 'xmp']);

/** Reads tags from left to right. Behaviour of WP_HTML_Tag_Processor. */
class TagReader {
  private at = 0;

  constructor(private readonly html: string) {}

  /** The next opening tag; null if there is none, or the rest is incomplete. */
  next(): Tag | null {
    for (let start = this.html.indexOf('<', this.at); start !== -1; start = this.html.indexOf('<', this.at)) {
      if (/[a-zA-Z]/.test(this.html[start + 1] ?? '')) return this.tagAt(start);
      const end = this.endOfOther(start);
      if (end === -1) return null;
      this.at = end;
    }
    return null;
  }

  /** Skips the content of an element whose tag was read, if it has no tags. */
  skipText({ name }: Tag): boolean {
    if (!TEXT_ELEMENTS.has(name)) return true;
    const close = new RegExp(`</${name}[ \\t\\n\\f\\r/>]`, 'ig');
    close.lastIndex = this.at;
    if (!close.test(this.html)) return false;
    this.at = close.lastIndex - 1;
    return true;
  }

  /** Position after a closing tag, a comment or a loose `<`; -1 if it does not end. */
  private endOfOther(start: number): number {
    const after = (mark: string, from: number): number => {
      const at = this.html.indexOf(mark, from);
      return at === -1 ? -1 : at + mark.length;
    };
    if (this.html.startsWith('<!--', start)) return after('-->', start + 2);
    return /[!/?]/.test(this.html[start + 1] ?? '') ? after('>', start + 2) : start + 1;
  }

  private tagAt(start: number): Tag | null {
    this.at = start + 1;
    const name = this.take(NAME).toLowerCase();
    const nameEnd = this.at;
    let classes: Tag['classes'] = null;
    for (;;) {
      this.take(BETWEEN);
      if (this.at >= this.html.length) return null;
      if (this.html[this.at] === '>') break;
      const from = this.at;
      const attribute = this.take(ATTRIBUTE).toLowerCase();
      const value = this.take(EQUALS) === '' ? '' : this.takeValue();
      if (value === null) return null;
      if (attribute === 'class') classes ??= { start: from, end: this.at, value };
    }
    this.at += 1;
    return { name, nameEnd, end: this.at, classes };
  }

  private takeValue(): string | null {
    const quote = this.html[this.at];
    if (quote !== '"' && quote !== "'") return this.take(BARE_VALUE);
    const end = this.html.indexOf(quote, this.at + 1);
    if (end === -1) return null;
    const value = this.html.slice(this.at + 1, end);
    this.at = end + 1;
    return value;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.html)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

function findTag(html: string, isWanted: (name: string) => boolean): Tag | null {
  const tags = new TagReader(html);
  for (let tag = tags.next(); tag; tag = tags.next()) {
    if (isWanted(tag.name)) return tag;
    if (!tags.skipText(tag)) return null;
  }
  return null;
}

/** The value of the attribute with more classes; null if it has all of them. WP: spaces within stay, repeated names do not. */
function withClasses(value: string, classes: readonly string[]): string | null {
  const seen = new Set<string>();
  let kept = '';
  for (const [, space, name] of value.matchAll(/([ \t\n\f\r]*)([^ \t\n\f\r]+)/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    kept += kept === '' ? name : space + name;
  }
  const missing = classes.filter((name) => !seen.has(name));
  return missing.length === 0 ? null : [...(kept === '' ? [] : [kept]), ...missing].join(' ').replaceAll('"', '&quot;');
}

const ANY = (): boolean => true;

type Wanted = (name: string) => boolean;

/** HTML with classes on an element; null if it does not have that element. */
function changed(html: string, classes: readonly string[], isWanted: Wanted): string | null {
  const tag = findTag(html, isWanted);
  if (!tag) return null;
  const value = withClasses(tag.classes?.value ?? '', classes);
  if (value === null) return html;
  if (!tag.classes) return `${html.slice(0, tag.nameEnd)} class="${value}"${html.slice(tag.nameEnd)}`;
  return `${html.slice(0, tag.classes.start)}class="${value}"${html.slice(tag.classes.end)}`;
}

/**
 * Adds classes to the first element of a kind. WP: to the end of its classes; an attribute that is new is the first one.
 * @param isWanted whether it is an element with this lower-case name; default: any element
 */
export const addClasses = (html: string, classes: readonly string[], isWanted: Wanted = ANY): string =>
  classes.length === 0 ? html : (changed(html, classes, isWanted) ?? html);

/** The HTML of a block: up to the first block in it, and the rest. Blocks may be nested deeply, so they are not joined at each level. */
export interface Html {
  readonly head: string;
  readonly rest: string;
}

export const NO_HTML: Html = { head: '', rest: '' };

export const joined = ({ head, rest }: Html): string => head + rest;

/** The same as `addClasses`. Mostly the element is in the head. */
export function withClassesOn(html: Html, classes: readonly string[], isWanted: Wanted = ANY): Html {
  if (classes.length === 0) return html;
  const head = changed(html.head, classes, isWanted);
  if (head !== null) return { head, rest: html.rest };
  const whole = html.rest === '' ? null : changed(joined(html), classes, isWanted);
  return whole === null ? html : { head: whole, rest: '' };
}
