import { Seeker } from '../html-tokens.js';
import { parseJson } from '../../../base/values/records.js';

/** How the attributes of blocks are sanitized. */
interface Cleaning {
  /** Sanitizes a text in them. */
  readonly clean: (value: string) => string;
  /** Whether their CSS is removed (WP: of users who may not edit CSS). */
  readonly dropsCss: boolean;
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

interface BlockToken {
  kind: 'void' | 'opener' | 'closer';
  /** Name without `core/`, which WordPress omits. */
  name: string;
  attributes: string;
  start: number;
  end: number;
}

/** A block that is not closed yet. `part` is where its opening comment belongs in the output, which is written when it closes. */
interface OpenBlock {
  token: BlockToken;
  part: number;
  /** Start of the text that is not written yet. */
  offset: number;
}

const HEADER = /<!--\s+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)\s+/y;
const FOOTER = /(\/)?-->/y;
const JSON_END = /\}\s+\/?-->/g;

/** PHP: `json_decode` gives up on deeper nesting. */
const MAX_DEPTH = 512;
/**
 * Maximum number of unclosed blocks; texts with more are not changed. WP: each repeats the rest of the text, so the output grows
 * quadratically.
 */
const MAX_UNCLOSED = 10;

class BlockScanner {
  private nextJsonEnd = -1;

  constructor(private readonly text: string) {}

  /** The first block comment at or after `from`. */
  next(from: number): BlockToken | null {
    for (let start = this.text.indexOf('<!--', from); start !== -1; start = this.text.indexOf('<!--', start + 1)) {
      const token = this.tokenAt(start);
      if (token) return token;
    }
    return null;
  }

  private tokenAt(start: number): BlockToken | null {
    HEADER.lastIndex = start;
    const header = HEADER.exec(this.text);
    if (!header) return null;
    const jsonStart = HEADER.lastIndex;
    const jsonEnd = this.text[jsonStart] === '{' ? this.jsonEnd(jsonStart) : null;
    FOOTER.lastIndex = jsonEnd === null ? jsonStart : this.skipBlanks(jsonEnd);
    const footer = FOOTER.exec(this.text);
    if (!footer) return null;
    const namespace = header[2] === 'core/' ? '' : (header[2] ?? '');
    return {
      kind: footer[1] ? 'void' : header[1] ? 'closer' : 'opener',
      name: namespace + (header[3] ?? ''),
      attributes: jsonEnd === null ? '' : this.text.slice(jsonStart, jsonEnd),
      start,
      end: FOOTER.lastIndex,
    };
  }

  /** Position after the first `}` that is followed by the end of a comment. */
  private jsonEnd(from: number): number | null {
    if (this.nextJsonEnd < from) {
      JSON_END.lastIndex = from;
      this.nextJsonEnd = JSON_END.exec(this.text)?.index ?? this.text.length;
    }
    return this.nextJsonEnd === this.text.length ? null : this.nextJsonEnd + 1;
  }

  private skipBlanks(from: number): number {
    let at = from;
    while (/\s/.test(this.text[at] ?? '')) at += 1;
    return at;
  }
}

const isList = (keys: readonly string[]): boolean => keys.every((key, index) => key === String(index));

/** Sanitizes every text and key. PHP arrays do not distinguish lists and maps, so a map with the keys of a list becomes a list. */
const cleanJson = (value: Json, clean: Cleaning['clean'], depth: number): Json => {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [clean(key), cleanJson(item, clean, depth + 1)] as const);
  return isList(entries.map(([key]) => key)) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
};

const UNSAFE_IN_COMMENT: readonly [string, string][] = [
  ['--', '\\u002d\\u002d'],
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\\"', '\\u0022'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
];

const isMap = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** WP: without the CSS of the block, and without `style` if that was all. */
function withoutCss(attributes: Json): Json {
  if (!isMap(attributes) || !isMap(attributes.style) || !Object.hasOwn(attributes.style, 'css')) return attributes;
  const style = Object.fromEntries(Object.entries(attributes.style).filter(([name]) => name !== 'css'));
  const others = Object.entries(attributes).filter(([name]) => name !== 'style' || Object.keys(style).length > 0);
  return Object.fromEntries(others.map(([name, value]) => [name, name === 'style' ? style : value]));
}

/** The attributes for a block comment, followed by a space; `''` if there are none or they are not JSON. */
const attributesText = (json: string, { clean, dropsCss }: Cleaning): string => {
  if (json === '') return '';
  try {
    const parsed: Json = parseJson(json);
    const attributes = cleanJson(dropsCss ? withoutCss(parsed) : parsed, clean, 1);
    if (Object.keys(attributes ?? {}).length === 0) return '';
    return `${UNSAFE_IN_COMMENT.reduce((text, [sign, escape]) => text.replaceAll(sign, escape), JSON.stringify(attributes))} `;
  } catch {
    return '';
  }
};

class BlockWriter {
  private readonly parts: string[] = [];
  private readonly open: OpenBlock[] = [];
  private offset = 0;

  constructor(
    private readonly text: string,
    private readonly cleaning: Cleaning,
  ) {}

  write(): string {
    const scanner = new BlockScanner(this.text);
    for (let token = scanner.next(0); token; token = scanner.next(token.end)) {
      if (!this.add(token)) break;
    }
    return this.finish();
  }

  /** False at a closing comment without an opening one, which ends the parsing. */
  private add(token: BlockToken): boolean {
    if (token.kind === 'closer' && this.open.length === 0) return false;
    const leadingStart = this.offset;
    if (token.kind === 'opener') {
      this.open.push({ token, part: this.parts.push(this.text.slice(leadingStart, token.start), '') - 1, offset: token.end });
    } else {
      this.parts.push(this.text.slice(leadingStart, token.start));
      if (token.kind === 'void') this.parts.push(this.comment(token, '/'));
      else this.close(this.open.pop());
    }
    this.offset = token.end;
    const parent = this.open.at(-1);
    if (parent) parent.offset = token.end;
    return true;
  }

  private close(block: OpenBlock | undefined): void {
    if (!block) return;
    const isEmpty = this.isEmptyBehind(block.part);
    this.parts[block.part] = this.comment(block.token, isEmpty ? '/' : '');
    if (!isEmpty) this.parts.push(`<!-- /wp:${block.token.name} -->`);
  }

  private isEmptyBehind(part: number): boolean {
    for (let at = part + 1; at < this.parts.length; at++) if (this.parts[at] !== '') return false;
    return true;
  }

  private comment(token: BlockToken, slash: string): string {
    return `<!-- wp:${token.name} ${attributesText(token.attributes, this.cleaning)}${slash}-->`;
  }

  private finish(): string {
    if (this.open.length > MAX_UNCLOSED) return this.text;
    if (this.open.length <= 1) {
      this.parts.push(this.text.slice(this.offset));
      this.close(this.open.pop());
      return this.parts.join('');
    }
    return this.finishUnclosed();
  }

  /** WP: unclosed blocks are written one after the other, the innermost first, each with the whole rest of the text. */
  private finishUnclosed(): string {
    const first = this.open[0];
    const written = this.parts.slice(0, first ? first.part - 1 : 0);
    for (let block = this.open.pop(); block; block = this.open.pop()) {
      const inner = [...this.parts.splice(block.part).slice(1), this.text.slice(block.offset)];
      const leading = this.parts.pop() ?? '';
      this.parts.push(leading, '', ...inner);
      this.close(block);
      written.push(...this.parts.splice(block.part - 1));
    }
    return written.join('');
  }
}

const dropEndDashes = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '-') end -= 1;
  return text.slice(0, end);
};

/** WP: a comment in one line loses dashes at its end beyond two; an earlier `-->` does not end it. */
const closeComments = (text: string): string => {
  const ends = new Seeker(text, '--->');
  const lines = new Seeker(text, '\n');
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', Math.max(from, start + 1))) {
    const end = ends.next(start + 4);
    if (end === -1) break;
    const line = lines.next(start + 4);
    if (line !== -1 && line < end) continue;
    kept.push(text.slice(from, start), '<!--', dropEndDashes(text.slice(start + 4, end)), '-->');
    from = end + 4;
  }
  kept.push(text.slice(from));
  return kept.join('');
};

/**
 * Processes block comments before HTML is sanitized, as WordPress does: parses and serializes them, sanitizes their attributes, closes
 * unclosed blocks and removes `core/`. Text without block comments is not changed.
 */
export const filterBlocks = (text: string, cleaning: Cleaning): string =>
  text.includes('<!--') ? new BlockWriter(closeComments(text), cleaning).write() : text;
