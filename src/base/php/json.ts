import { floatToJson } from './cast.js';

interface PhpJsonOptions {
  /** Indents by four spaces per level, as with JSON_PRETTY_PRINT. */
  pretty?: boolean;
}

/** Numbers that PHP writes differently: exponents, fixed notation below 1e-4 and beyond PHP's integers. */
const EXPONENT = /\de[+-]\d/;
const SMALL = /\b0\.0000/;
/** Minimum number of digits of an integer that may be beyond PHP's range. */
const LONG = 19;
// Searched one after another, strings first: a pattern with alternatives takes several times as long.
const mayBeForeign = (text: string): boolean =>
  ((text.includes('e-') || text.includes('e+')) && EXPONENT.test(text)) ||
  (text.includes('0.0000') && SMALL.test(text)) ||
  hasDigits(text, LONG);
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INT_MAX = 2 ** 63;

/** Whether a text has a number of digits in a row. Checks every n-th character, then its neighbors. */
export function hasDigits(text: string, length: number): boolean {
  const digits = new RegExp(`\\d{${length}}`);
  for (let at = length - 1; at < text.length; at += length) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57 && digits.test(text.slice(at - length + 1, at + length))) return true;
  }
  return false;
}

const respellNumber = (token: string): string => {
  const value = Number(token);
  return Number.isInteger(value) && Math.abs(value) <= INT_MAX ? token : floatToJson(value);
};

const respell = (token: string): string => (token.startsWith('"') || !mayBeForeign(token) ? token : respellNumber(token));

const withNumbersOfPhp = (text: string): string => (mayBeForeign(text) ? text.replace(TOKENS, respell) : text);

/** Placeholder for a value whose JSON is known. If a text is the same, there are more placeholders than values. */
const PLACE = '\u0001';
const WRITTEN_PLACE = JSON.stringify(PLACE);

/** The known JSON for the placeholders of the text being written; null: values are written as they are. */
let known: KnownJson[] | null = null;

/** A text of letters and digits, and the one to write instead, which is not longer. */
interface Renaming {
  from: Buffer;
  to: Buffer;
}

/** Estimated memory of an instance and its buffer besides their content, in bytes. */
const OVERHEAD = 400;

const sizeOf = (inserts: readonly KnownJson[]): number => OVERHEAD + 16 * inserts.length;

const NONE: readonly never[] = [];

/** The known JSON of a value, which `phpJson` copies. Other writers of JSON see the value itself. */
export class KnownJson {
  private constructor(
    /** Without other known JSON in it, which is not copied: caches keep what several values share only once. */
    private readonly own: Buffer,
    private readonly inserts: readonly KnownJson[],
    /** Positions of the inserts. */
    private readonly places: readonly number[],
    /** Estimated memory, without the inserts. */
    readonly size = own.length + sizeOf(inserts),
    /** Number of bytes of all of it. */
    private readonly length: number = inserts.reduce((sum, insert) => sum + insert.length, own.length),
    private readonly renaming: Renaming | null = null,
  ) {}

  /** The same JSON with another text in the place of one. Shares the bytes. @param from letters and digits, no fewer than in `to` */
  renamed(from: Buffer, to: Buffer): KnownJson {
    return new KnownJson(this.own, this.inserts, this.places, this.size, this.length, { from, to });
  }

  static of(value: unknown): KnownJson {
    const { text, inserts } = writeWithPlaces(value);
    const places: number[] = [];
    const length = write(text, inserts, (_insert, at) => {
      places.push(at);
      return at;
    });
    return length === null ? new KnownJson(phpJsonBytes(value), NONE, NONE) : new KnownJson(copyOf(length), inserts, places);
  }

  /** The JSON of an object up to the last member of this name, and other members from there on. Shares the bytes. */
  replacedFrom(name: string, members: object): KnownJson {
    // Quotes in texts are escaped.
    const at = this.own.lastIndexOf(`,"${name}":`);
    const rest = KnownJson.of(members);
    rest.own[0] = COMMA;
    const places = this.places.filter((place) => place <= at);
    const inserts = [...this.inserts.slice(0, places.length), rest];
    return new KnownJson(this.own.subarray(0, at), inserts, [...places, at], rest.size + sizeOf(inserts));
  }

  /** Writes all of it to the output buffer. @returns the number of bytes after that */
  writeAt(start: number): number {
    return this.writeTo(roomFor(this.length, start), start, null);
  }

  private writeTo(room: Buffer, start: number, outer: Renaming | null): number {
    const renaming = outer ?? this.renaming;
    const writePart = renaming ? writeRenamed(renaming) : writeBytes;
    let [from, at] = [0, start];
    for (let i = 0; i < this.inserts.length; i++) {
      at = this.inserts[i].writeTo(room, writePart(this.own, from, this.places[i], room, at), renaming);
      from = this.places[i];
    }
    return writePart(this.own, from, this.own.length, room, at);
  }

  toJSON(): unknown {
    if (known === null) return JSON.parse(phpJson(this));
    known.push(this);
    return PLACE;
  }
}

/** A text with placeholders, and the JSON to insert. */
function writeWithPlaces(value: unknown): { text: string; inserts: KnownJson[] } {
  const inserts: KnownJson[] = [];
  known = inserts;
  try {
    return { text: JSON.stringify(value) ?? 'null', inserts };
  } finally {
    known = null;
  }
}

const COMMA = 44;
const SLASH = 47;
const BACKSLASH = 92;
const LETTER_U = 117;
const HEX = Buffer.from('0123456789abcdef');
/** Maximum number of bytes of a character. */
const MOST_BYTES = 6;

const KB = 1024;
/** The output buffer, which is reused unless it has become large. */
let bytes = Buffer.allocUnsafeSlow(64 * KB);
const MOST_KEPT = 1024 * KB;

/** Grows a buffer, and keeps its first bytes. */
function roomFor(more: number, at: number): Buffer {
  if (at + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, at + more));
  bytes.copy(larger, 0, 0, at);
  return (bytes = larger);
}

/** Escapes a part of the result of `JSON.stringify` as PHP does. @returns the number of bytes after that */
function writeEscaped(text: string, from: number, end: number, start: number): number {
  const room = roomFor(MOST_BYTES * (end - from), start);
  let at = start;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      if (code === SLASH) room[at++] = BACKSLASH;
      room[at++] = code;
      continue;
    }
    room[at++] = BACKSLASH;
    room[at++] = LETTER_U;
    room[at++] = HEX[code >> 12];
    room[at++] = HEX[(code >> 8) & 15];
    room[at++] = HEX[(code >> 4) & 15];
    room[at++] = HEX[code & 15];
  }
  return at;
}

function writeBytes(from: Buffer, start: number, end: number, room: Buffer, at: number): number {
  // `Buffer.copy` checks its arguments for longer than these few bytes take.
  const part = end - start === from.length ? from : new Uint8Array(from.buffer, from.byteOffset + start, end - start);
  room.set(part, at);
  return at + part.length;
}

/** Like `writeBytes`, with another text in the place of one. */
const writeRenamed =
  ({ from: text, to }: Renaming): typeof writeBytes =>
  (from, start, end, room, begin) => {
    let [at, done] = [begin, start];
    for (let found = from.indexOf(text, start); found >= 0 && found < end; found = from.indexOf(text, done)) {
      at = writeBytes(to, 0, to.length, room, writeBytes(from, done, found, room, at));
      done = found + text.length;
    }
    return writeBytes(from, done, end, room, at);
  };

const copyOf = (length: number): Buffer => {
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, 0, length);
  return copy;
};

/**
 * Writes the result of `JSON.stringify`. @param writeInsert writes known JSON in the place of a placeholder, and returns the number of bytes
 * after that
 * @returns the number of bytes; null if the number of placeholders differs
 */
function write(
  stringified: string,
  inserts: readonly KnownJson[],
  writeInsert = (insert: KnownJson, at: number): number => insert.writeAt(at),
): number | null {
  const text = withNumbersOfPhp(stringified);
  let [from, at, places] = [0, 0, 0];
  if (inserts.length > 0) {
    for (let place = text.indexOf(WRITTEN_PLACE); place >= 0; place = text.indexOf(WRITTEN_PLACE, from)) {
      if (places === inserts.length) return null;
      at = writeInsert(inserts[places], writeEscaped(text, from, place, at));
      places += 1;
      from = place + WRITTEN_PLACE.length;
    }
  }
  return writeEscaped(text, from, text.length, at);
}

/** The result of `use`, which gets the number of `bytes` of the JSON of a value. */
function written<T>(value: unknown, pretty: boolean, use: (length: number) => T): T {
  const { text, inserts } = pretty ? { text: JSON.stringify(value, null, 4) ?? 'null', inserts: [] } : writeWithPlaces(value);
  const result = use(write(text, inserts) ?? write(JSON.stringify(value), [])!);
  if (bytes.length > MOST_KEPT) bytes = Buffer.allocUnsafeSlow(64 * KB);
  return result;
}

/**
 * PHP `json_encode` with default flags: `\/` for slashes, `\u` and four lower-case hex digits for every UTF-16 code unit outside
 * ASCII, floats such as `1.0e-5`. Undefined members are omitted, as in JSON.stringify; an undefined value is `null`.
 */
export const phpJson = (value: unknown, { pretty = false }: PhpJsonOptions = {}): string =>
  written(value, pretty, (length) => bytes.toString('latin1', 0, length));

/** The result of `phpJson` as bytes outside of the heap, which the garbage collector does not move. */
export const phpJsonBytes = (value: unknown, { pretty = false }: PhpJsonOptions = {}): Buffer => written(value, pretty, copyOf);
