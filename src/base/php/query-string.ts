import { toStr } from './cast.js';

/** A value of PHP's `$_GET`: a string, a list (keys 0 to n-1 in order), or any other array as an object without prototype. */
export type PhpValue = string | PhpValue[] | { [key: string]: PhpValue };

/** A value for `buildQuery`. Null and undefined are omitted, true is 1, false is 0. */
export type QueryValue = string | number | boolean | null | undefined | QueryValue[] | { [key: string]: QueryValue };

/** php.ini max_input_vars. */
const MAX_VARIABLES = 1000;
/** php.ini max_input_nesting_level. */
const MAX_DEPTH = 64;
/** How many keys in brackets all variables may have together. Variables with further ones are dropped; PHP has no limit. */
const MAX_KEYS = 10_000;
/** The longest name, in characters as sent. Variables with longer ones are dropped; PHP has no limit. */
const MAX_NAME = 2048;
/** PHP_INT_MAX. */
const MAX_INDEX = 9223372036854775807n;
/** Strings that PHP converts to integer keys. */
const INTEGER_KEY = /^(?:0|-?[1-9]\d{0,18})$/;

/** The value of a hexadecimal digit; -1 for any other byte. */
const hexDigit = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/**
 * PHP `urldecode`: `+` is a space, `%XX` a byte; malformed escapes stay as they are. The bytes are decoded as UTF-8, with U+FFFD for
 * invalid sequences.
 */
export const urldecode = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text;
  // Decoded in place: the result is never longer.
  const bytes = Buffer.from(text, 'utf8');
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === 0x2b) byte = 0x20;
    else if (byte === 0x25 && i + 2 < bytes.length) {
      const [high, low] = [hexDigit(bytes[i + 1]), hexDigit(bytes[i + 2])];
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        i += 2;
      }
    }
    bytes[length++] = byte;
  }
  return bytes.toString('utf8', 0, length);
};

/** Texts that need no encoding. */
const UNRESERVED = /^[\w.-]*$/;

/** PHP `rawurlencode`: percent-encodes the UTF-8 bytes of everything except letters, digits and `-_.~`. */
export const rawurlencode = (text: string): string => (UNRESERVED.test(text) ? text : encodeReserved(text));

const encodeReserved = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** PHP `urlencode`: like `rawurlencode`, but `+` for a space, and `~` is encoded. */
export const urlencode = (text: string): string =>
  UNRESERVED.test(text) ? text : encodeReserved(text).replaceAll('%20', '+').replaceAll('~', '%7E');

/** Builds a PHP array: keys in order of first use, and the next free index. */
class PhpArray {
  readonly entries = new Map<string, string | PhpArray>();
  private next: bigint | null = null;

  set(key: string | null, value: string | PhpArray): void {
    const name = key ?? String(this.next ?? 0n);
    if (INTEGER_KEY.test(name)) {
      const index = BigInt(name);
      // PHP: `[]` after the largest integer key is dropped.
      if (key === null && index > MAX_INDEX) return;
      if (index <= MAX_INDEX && (this.next === null || index >= this.next)) this.next = index + 1n;
    }
    this.entries.set(name, value);
  }

  child(key: string | null): PhpArray {
    const present = key === null ? undefined : this.entries.get(key);
    if (present instanceof PhpArray) return present;
    const fresh = new PhpArray();
    this.set(key, fresh);
    return fresh;
  }

  toValue(): PhpValue {
    let index = 0;
    for (const key of this.entries.keys()) if (key !== String(index++)) return this.toObject();
    return [...this.entries.values()].map(plain);
  }

  toObject(): { [key: string]: PhpValue } {
    const object = Object.create(null) as { [key: string]: PhpValue };
    for (const [key, value] of this.entries) object[key] = plain(value);
    return object;
  }
}

const plain = (value: string | PhpArray): PhpValue => (typeof value === 'string' ? value : value.toValue());

/**
 * The keys in the brackets after a name, outermost first; null is `[]`. Text after the last closing bracket or between two pairs of
 * brackets is ignored, with everything that follows it.
 */
const bracketKeys = (text: string): (string | null)[] => {
  const keys: (string | null)[] = [];
  let at = 0;
  while (text[at] === '[' && keys.length <= MAX_DEPTH) {
    const close = text.indexOf(']', at + 1);
    if (close < 0) break;
    const key = text.slice(at + 1, close);
    keys.push(/^[ \t\n\r\v\f]?$/.test(key) ? null : key);
    at = close + 1;
  }
  return keys;
};

/** Most names: each is its own path of keys, and not an integer. */
const SIMPLE_NAME = /^[A-Za-z_]\w*$/;

/** The path of keys in `$_GET` that a decoded name refers to; null if PHP ignores the name. */
const variablePath = (decoded: string): (string | null)[] | null => {
  const nul = decoded.indexOf('\0');
  const text = (nul < 0 ? decoded : decoded.slice(0, nul)).replace(/^ +/, '');
  if (text === '' || text.startsWith('[')) return null;
  const open = text.indexOf('[');
  if (open < 0) return [text.replace(/[ .]/g, '_')];
  const keys = bracketKeys(text.slice(open));
  // PHP: an unclosed first bracket is part of the name and becomes `_`, like a dot.
  if (keys.length === 0) return [text.replace(/[ .[]/g, '_')];
  return [text.slice(0, open).replace(/[ .]/g, '_'), ...keys];
};

/** Collects variables as PHP does: spaces and dots in names become `_`, brackets create arrays, later values replace earlier ones. */
export class QueryVariables {
  private readonly root = new PhpArray();
  private count = 0;
  private keys = 0;

  /** Whether all further variables are dropped. */
  get isFull(): boolean {
    return this.count >= MAX_VARIABLES;
  }

  /** Adds a variable, both its name and its value decoded. */
  add(name: string, value: string): void {
    if (++this.count > MAX_VARIABLES || name.length > MAX_NAME) return;
    if (SIMPLE_NAME.test(name)) {
      this.root.entries.set(name, value);
      return;
    }
    const path = variablePath(name);
    if (!path || path.length > MAX_DEPTH + 1 || (this.keys += path.length - 1) > MAX_KEYS) return;
    const last = path.pop() ?? null;
    let target = this.root;
    for (const key of path) target = target.child(key);
    target.set(last, value);
  }

  toObject(): Record<string, PhpValue> {
    return this.root.toObject();
  }
}

const AMPERSAND = 0x26;

/**
 * PHP `parse_str` and `$_GET`: parses a query string without its `?`. Variables beyond 1,000 are dropped, and the text of those is not read.
 */
export const parseQuery = (raw: string): Record<string, PhpValue> => {
  const variables = new QueryVariables();
  for (let at = 0; at < raw.length && !variables.isFull;) {
    if (raw.charCodeAt(at) === AMPERSAND) {
      at++;
      continue;
    }
    const next = raw.indexOf('&', at);
    const part = raw.slice(at, next < 0 ? raw.length : next);
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    variables.add(name.length > MAX_NAME ? name : urldecode(name), equals < 0 ? '' : urldecode(part.slice(equals + 1)));
    at += part.length + 1;
  }
  return variables.toObject();
};

interface BuildQueryOptions {
  /** Whether names and values are URL-encoded. Default: true. WordPress's `build_query` encodes only the brackets. */
  encode?: boolean;
}

/** A single value as PHP writes it into a query. */
export const scalarText = (value: string | number | boolean): string => (typeof value === 'string' ? value : toStr(Number(value)));

/**
 * PHP `http_build_query` and WordPress `build_query`: `a=1&b%5B0%5D=x+y`. Nested arrays and objects become names with brackets.
 * @param pairs a record or an iterable of pairs
 */
export const buildQuery = (
  pairs: Iterable<readonly [string, QueryValue]> | Record<string, QueryValue>,
  options: BuildQueryOptions = {},
): string => {
  const encode = options.encode === false ? (text: string): string => text : urlencode;
  const parts: string[] = [];
  const add = (name: string, value: QueryValue): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') parts.push(`${name}=${encode(scalarText(value))}`);
    else for (const [key, inner] of Object.entries(value)) add(`${name}%5B${encode(key)}%5D`, inner);
  };
  for (const [name, value] of Symbol.iterator in pairs ? pairs : Object.entries(pairs)) add(encode(name), value);
  return parts.join('&');
};
