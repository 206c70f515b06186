import { isUtf8 } from 'node:buffer';
import { lookup } from '../values/records.js';

type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** The result of `decodeJson`: the value, or PHP's `json_last_error` and its message. */
export type Decoded =
  | {
      value: JsonValue;
      /** Keys of the outermost object whose number has a fraction or an exponent: in PHP `1.0` is a float. */
      floats: ReadonlySet<string>;
    }
  | { code: number; message: string };

const MESSAGES = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
  1000: 'More than 50,000 values',
} as const;

const [DEPTH, MISMATCH, CONTROL, SYNTAX, UTF8, SURROGATE, SIZE] = [1, 2, 3, 4, 5, 10, 1000] as const;

/** PHP: the default depth of `json_decode`. Deeper documents fail. */
const MAX_DEPTH = 512;
/** How many values a document may have. PHP is limited by its memory only, and has no error for it. */
const MAX_VALUES = 50_000;

class DecodeError extends Error {
  constructor(readonly code: keyof typeof MESSAGES) {
    super(MESSAGES[code]);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: [string, JsonValue][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
/** Unescaped characters of a string in a text of bytes: only complete UTF-8 sequences. */
const PLAIN_BYTES =
  /(?:[ !#-[\]-\u007f]|[\u00c2-\u00df][\u0080-\u00bf]|\u00e0[\u00a0-\u00bf][\u0080-\u00bf]|[\u00e1-\u00ec\u00ee\u00ef][\u0080-\u00bf]{2}|\u00ed[\u0080-\u009f][\u0080-\u00bf]|\u00f0[\u0090-\u00bf][\u0080-\u00bf]{2}|[\u00f1-\u00f3][\u0080-\u00bf]{3}|\u00f4[\u0080-\u008f][\u0080-\u00bf]{2})+/y;
const ESCAPES: Record<string, string> = lookup({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' });
const CODE_UNIT = /u[0-9a-fA-F]{4}/y;
const LOW_HALF = /\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;

/** The text of a string with escapes; null if it is invalid. */
function unescaped(literal: string): string | null {
  try {
    const text = JSON.parse(literal) as string;
    return text.isWellFormed() ? text : null;
  } catch {
    return null;
  }
}

class Decoder {
  private at = 0;
  private depth = 0;
  private left = MAX_VALUES;
  readonly floats = new Set<string>();

  /** @param bytes whether each character of the text is a byte, which may be invalid UTF-8 */
  constructor(
    private readonly text: string,
    private readonly bytes: boolean,
  ) {}

  document(): JsonValue {
    const value = this.value();
    if (this.token() !== '') throw this.unexpected();
    return value;
  }

  /** Skips whitespace and returns the next character without consuming it; `''` at the end. */
  private token(): string {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.text.charAt(this.at);
      this.at++;
    }
  }

  /** PHP: control characters and invalid UTF-8 have their own errors, for every expected token. */
  private unexpected(): DecodeError {
    const char = this.text[this.at] ?? '';
    if (char !== '' && char < ' ') return new DecodeError(CONTROL);
    if (this.bytes && char >= '\u0080' && !this.match(PLAIN_BYTES)) return new DecodeError(UTF8);
    if (char === '"') this.string();
    return new DecodeError(SYNTAX);
  }

  /** Consumes and returns what a sticky pattern matches here; `''` if it does not match. */
  private match(pattern: RegExp): string {
    const from = this.at;
    pattern.lastIndex = from;
    if (!pattern.test(this.text)) return '';
    this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }

  /** Counts what takes long to read for its size. */
  private count(): void {
    if (--this.left < 0) throw new DecodeError(SIZE);
  }

  private value(key?: string): JsonValue {
    this.count();
    const char = this.token();
    if (char === '{') return this.nested(() => this.object());
    if (char === '[') return this.nested(() => this.list());
    if (char === '"') return this.string();
    const number = this.match(NUMBER);
    if (number !== '') {
      if (key !== undefined && this.depth === 1 && /[.eE]/.test(number)) this.floats.add(key);
      return Number(number) + 0;
    }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    throw this.unexpected();
  }

  private nested<T>(read: () => T): T {
    this.at++;
    if (++this.depth >= MAX_DEPTH) throw new DecodeError(DEPTH);
    const value = read();
    this.depth--;
    return value;
  }

  /** Consumes the end of an object or a list, if present. PHP: a bracket of the other kind has its own error. */
  private ends(own: string, other: string): boolean {
    const char = this.token();
    if (char === other) throw new DecodeError(MISMATCH);
    if (char !== own) return false;
    this.at++;
    return true;
  }

  private comma(): void {
    if (this.token() !== ',') throw this.unexpected();
    this.at++;
  }

  private list(): JsonValue[] {
    const items: JsonValue[] = [];
    if (this.ends(']', '}')) return items;
    for (;;) {
      items.push(this.value());
      if (this.ends(']', '}')) return items;
      this.comma();
    }
  }

  private object(): JsonValue {
    const members = this.members();
    if (members === null) return [];
    // Listing thousands of names takes long.
    if (!('0' in members)) return members;
    return Object.keys(members).every((key, index) => key === String(index)) ? Object.values(members) : members;
  }

  private members(): { [key: string]: JsonValue } | null {
    const members = Object.create(null) as { [key: string]: JsonValue };
    if (this.ends('}', ']')) return null;
    for (;;) {
      if (this.token() !== '"') throw this.unexpected();
      const key = this.string();
      if (this.token() !== ':') throw this.unexpected();
      this.at++;
      if (this.depth === 1) this.floats.delete(key);
      members[key] = this.value(key);
      if (this.ends('}', ']')) return members;
      this.comma();
    }
  }

  /** Consumes the unescaped characters of a string. */
  private plain(): string {
    const from = this.at;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (!(code >= 0x20) || code === QUOTE || code === BACKSLASH) return this.text.slice(from, this.at);
      this.at++;
    }
  }

  private string(): string {
    return this.sound() ?? this.checkedString();
  }

  /** Consumes a string without errors, in one piece; null if it may have one. */
  private sound(): string | null {
    if (this.bytes) return null;
    let at = this.at + 1;
    let hasEscapes = false;
    for (let code = this.text.charCodeAt(at); code !== QUOTE; code = this.text.charCodeAt(++at)) {
      if (!(code >= 0x20)) return null;
      if (code !== BACKSLASH) continue;
      hasEscapes = true;
      at++;
    }
    const text = hasEscapes ? unescaped(this.text.slice(this.at, at + 1)) : this.text.slice(this.at + 1, at);
    if (text !== null) this.at = at + 1;
    return text;
  }

  /** Consumes a string piece by piece, to find its error. */
  private checkedString(): string {
    let text = '';
    this.at++;
    for (;;) {
      const plain = this.bytes ? this.match(PLAIN_BYTES) : this.plain();
      text += plain;
      const char = this.text[this.at] ?? '\0';
      if (char === '"') {
        this.at++;
        return text;
      }
      if (char < ' ') throw new DecodeError(CONTROL);
      if (char !== '\\') {
        if (plain !== '') continue;
        throw new DecodeError(UTF8);
      }
      this.at++;
      text += this.escape();
    }
  }

  private escape(): string {
    this.count();
    const simple = ESCAPES[this.text[this.at] ?? ''];
    if (simple !== undefined) {
      this.at++;
      return simple;
    }
    const unit = this.match(CODE_UNIT);
    if (unit === '') throw new DecodeError(SYNTAX);
    const code = parseInt(unit.slice(1), 16);
    if (code < 0xd800 || code > 0xdfff) return String.fromCharCode(code);
    const low = code < 0xdc00 ? this.match(LOW_HALF) : '';
    if (low === '') throw new DecodeError(SURROGATE);
    return String.fromCharCode(code, parseInt(low.slice(2), 16));
  }
}

/**
 * PHP `json_decode` into associative arrays. Objects have no prototype; empty ones and those with the keys 0, 1, … become lists, as in
 * PHP. Stricter than `JSON.parse`: at most 511 levels and 50,000 values, valid UTF-8, no lone surrogates. The error codes and messages
 * are PHP's.
 */
export function decodeJson(raw: Buffer): Decoded {
  const bytes = !isUtf8(raw);
  const decoder = new Decoder(raw.toString(bytes ? 'latin1' : 'utf8'), bytes);
  try {
    return { value: decoder.document(), floats: decoder.floats };
  } catch (error) {
    if (error instanceof DecodeError) return { code: error.code, message: error.message };
    throw error;
  }
}
