import { decodeEntities } from '../decode-entities.js';
import { escAttr } from '../entities.js';

/** An attribute of a tag, and where it is. */
interface Attribute {
  readonly start: number;
  readonly end: number;
  /** Value as written, without quotes; true if it has none. */
  readonly value: string | true;
}

/** An opening tag in HTML. */
interface Tag {
  /** Lower case. */
  readonly name: string;
  readonly start: number;
  /** Position after its name. */
  readonly nameEnd: number;
  readonly end: number;
  /** By lower-case name; of several, the first. */
  readonly attributes: ReadonlyMap<string, Attribute>;
}

const NAME = /[^ \t\n\f\r/>]+/y;
const BETWEEN = /[ \t\n\f\r/]*/y;
const ATTRIBUTE = /=?[^ \t\n\f\r/>=]*/y;
const EQUALS = /[ \t\n\f\r]*=[ \t\n\f\r]*/y;
const BARE_VALUE = /[^ \t\n\f\r>]*/y;

/** Elements whose content has no tags. */
const TEXT_ELEMENTS = new Set(['iframe', 'noembed', 'noframes', 'script', 'style', 'textarea', 'title', 'xmp']);

/** Which tags are wanted: those with a name or a class, or of which something is true. */
export interface Wanted {
  readonly tag?: string | readonly string[];
  readonly withClass?: string;
  /** Part of its attribute `class`. */
  readonly classText?: string;
}

/** Class names of a value; WP: spaces within stay, repeated names do not. */
function kept(value: string, without: ReadonlySet<string>): { names: Set<string>; text: string } {
  const names = new Set<string>();
  let text = '';
  for (const [, space, name] of value.matchAll(/([ \t\n\f\r]*)([^ \t\n\f\r]+)/g)) {
    if (names.has(name) || without.has(name)) continue;
    names.add(name);
    text += text === '' ? name : space + name;
  }
  return { names, text };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds opening tags from left to right, and changes their attributes. New attributes come right after the name of the tag, sorted. Behavior of
 * WP_HTML_Tag_Processor.
 */
export class TagEditor {
  private at = 0;
  private tag: Tag | null = null;
  private readonly edits: { start: number; end: number; text: string }[] = [];
  /** Changes of the current tag: null removes. */
  private changes = new Map<string, string | true | null>();

  /** @param writesNumbers whether an apostrophe is written as a number (WP: before 7.0) */
  constructor(
    private readonly text: string,
    private readonly writesNumbers = false,
  ) {}

  /** Goes to the next tag that is wanted. @returns false if there is none, or the rest is incomplete */
  next(wanted: Wanted = {}): boolean {
    while (this.step()) {
      if (wanted.tag !== undefined && !(typeof wanted.tag === 'string' ? wanted.tag === this.name : wanted.tag.includes(this.name)))
        continue;
      if (wanted.classText !== undefined && !this.textOf('class').includes(wanted.classText)) continue;
      if (wanted.withClass === undefined || this.classes.has(wanted.withClass)) return true;
    }
    return false;
  }

  /** The name of the current tag; empty before the first and after the last one. */
  get name(): string {
    return this.tag?.name ?? '';
  }

  get start(): number {
    return this.tag?.start ?? 0;
  }

  /** Position after the current tag, in the text as it was. */
  get end(): number {
    return this.tag?.end ?? 0;
  }

  get(name: string): string | true | null {
    const changed = this.changes.get(name);
    if (changed !== undefined) return changed;
    const value = this.tag?.attributes.get(name)?.value ?? null;
    return typeof value === 'string' ? decodeEntities(value) : value;
  }

  /** The value of an attribute; empty if it has none. */
  textOf(name: string): string {
    const value = this.get(name);
    return typeof value === 'string' ? value : '';
  }

  get classes(): ReadonlySet<string> {
    const value = this.tag?.attributes.get('class')?.value;
    if (value === undefined && !this.changes.has('class')) return NONE;
    return kept(this.textOf('class'), NONE).names;
  }

  set(name: string, value: string | true | null): this {
    this.changes.set(name, value);
    return this;
  }

  setAll(values: Readonly<Record<string, string | true>>): this {
    for (const [name, value] of Object.entries(values)) this.set(name, value);
    return this;
  }

  addClass(...names: readonly string[]): this {
    const { names: known, text } = kept(this.textOf('class'), NONE);
    const missing = names.filter((name) => !known.has(name));
    return missing.length === 0 ? this : this.set('class', [...(text === '' ? [] : [text]), ...missing].join(' '));
  }

  removeClass(...names: readonly string[]): this {
    const value = this.get('class');
    if (typeof value !== 'string') return this;
    const { text } = kept(value, new Set(names));
    return this.set('class', text === '' ? null : text);
  }

  html(): string {
    this.flush();
    if (this.edits.length === 0) return this.text;
    let out = '';
    let copied = 0;
    for (const { start, end, text } of this.edits.toSorted((a, b) => a.start - b.start)) {
      out += this.text.slice(copied, start) + text;
      copied = end;
    }
    return out + this.text.slice(copied);
  }

  private written(name: string, value: string | true): string {
    if (value === true) return name;
    const escaped = name === 'class' ? value.replaceAll('"', '&quot;') : escAttr(value);
    return `${name}="${this.writesNumbers ? escaped : escaped.replaceAll('&#039;', '&apos;')}"`;
  }

  private flush(): void {
    const { tag, changes, edits } = this;
    if (!tag || changes.size === 0) return;
    const added: string[] = [];
    for (const [name, value] of changes) {
      const there = tag.attributes.get(name);
      if (there) edits.push({ ...there, text: value === null ? '' : this.written(name, value) });
      else if (value !== null) added.push(` ${this.written(name, value)}`);
    }
    if (added.length > 0) edits.push({ start: tag.nameEnd, end: tag.nameEnd, text: added.toSorted((a, b) => (a < b ? -1 : 1)).join('') });
    this.changes = new Map();
  }

  private step(): boolean {
    this.flush();
    if (this.tag && !this.skipText(this.tag)) return false;
    this.tag = this.nextTag();
    return this.tag !== null;
  }

  private nextTag(): Tag | null {
    for (let start = this.text.indexOf('<', this.at); start !== -1; start = this.text.indexOf('<', this.at)) {
      if (/[a-zA-Z]/.test(this.text[start + 1] ?? '')) return this.tagAt(start);
      const end = this.endOfOther(start);
      if (end === -1) return null;
      this.at = end;
    }
    return null;
  }

  /** Skips the content of an element whose tag was read, if it has no tags. */
  private skipText({ name }: Tag): boolean {
    if (!TEXT_ELEMENTS.has(name)) return true;
    const close = new RegExp(`</${name}[ \\t\\n\\f\\r/>]`, 'ig');
    close.lastIndex = this.at;
    if (!close.test(this.text)) return false;
    this.at = close.lastIndex - 1;
    return true;
  }

  /** Position after a closing tag, a comment or a loose `<`; -1 if it does not end. */
  private endOfOther(start: number): number {
    const after = (mark: string, from: number): number => {
      const at = this.text.indexOf(mark, from);
      return at === -1 ? -1 : at + mark.length;
    };
    if (this.text.startsWith('<!--', start)) return after('-->', start + 2);
    return /[!/?]/.test(this.text[start + 1] ?? '') ? after('>', start + 2) : start + 1;
  }

  private tagAt(start: number): Tag | null {
    this.at = start + 1;
    const name = this.take(NAME).toLowerCase();
    const nameEnd = this.at;
    const attributes = new Map<string, Attribute>();
    for (;;) {
      this.take(BETWEEN);
      if (this.at >= this.text.length) return null;
      if (this.text[this.at] === '>') break;
      const from = this.at;
      const attribute = this.take(ATTRIBUTE).toLowerCase();
      const value = this.take(EQUALS) === '' ? true : this.takeValue();
      if (value === null) return null;
      if (!attributes.has(attribute)) attributes.set(attribute, { start: from, end: this.at, value });
    }
    this.at += 1;
    return { name, start, nameEnd, end: this.at, attributes };
  }

  private takeValue(): string | null {
    const quote = this.text[this.at];
    if (quote !== '"' && quote !== "'") return this.take(BARE_VALUE);
    const end = this.text.indexOf(quote, this.at + 1);
    if (end === -1) return null;
    const value = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return value;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

/** The HTML of a block: up to the first block in it, these, and the rest. Blocks may be nested deeply, so they are not joined at each level. */
export interface Html {
  readonly head: string;
  readonly inner: string;
  readonly tail: string;
}

export const whole = (html: string): Html => ({ head: html, inner: '', tail: '' });

export const NO_HTML = whole('');

export const joined = ({ head, inner, tail }: Html): string => head + inner + tail;

/** The HTML with a change of its first wanted tag, which mostly is in the head. */
export function edited(html: Html, wanted: Wanted, change: (tag: TagEditor) => void, writesNumbers = false): Html {
  const head = new TagEditor(html.head, writesNumbers);
  if (head.next(wanted)) {
    change(head);
    return { ...html, head: head.html() };
  }
  if (html.inner === '' && html.tail === '') return html;
  const all = new TagEditor(joined(html), writesNumbers);
  if (!all.next(wanted)) return html;
  change(all);
  return whole(all.html());
}

/** The HTML with more classes on its first tag. */
export const classed = (html: Html, classes: readonly string[], wanted: Wanted = {}): Html =>
  classes.length === 0 ? html : edited(html, wanted, (tag) => tag.addClass(...classes));
