import { QueryVariables, type PhpValue } from './query-string.js';

export interface FilePart {
  /** Name of the form's field. */
  field: string;
  /** Name as sent; empty when none was chosen. */
  filename: string;
  /** Part of the body: not copied. */
  bytes: Buffer;
}

/** php.ini max_file_uploads. */
const MAX_FILES = 20;
/** php.ini max_multipart_body_parts: by default, the variables and files that a form may have. */
const MAX_PARTS = 1020;
/** How much of the header of a part is read, in bytes. PHP has no limit; the header of a file of a browser has less than 1,000. */
const MAX_HEADER = 16 * 1024;
/** How many parameters of `Content-Disposition` are read. */
const MAX_PARAMETERS = 64;
/** Boundaries have up to 70 characters (RFC 2046, 5.1.1), in PHP up to 5,116. The longer they are, the longer a search may take. */
const MAX_BOUNDARY = 200;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Searches bytes from left to right. Each byte is read once, no matter how often it is asked. */
class Search {
  private found = -1;
  private readonly needle: Buffer;

  constructor(
    private readonly bytes: Buffer,
    needle: string,
  ) {
    this.needle = Buffer.from(needle, 'latin1');
  }

  get length(): number {
    return this.needle.length;
  }

  /** The first place at or after another, which must not be left of an earlier one; `Infinity` if there is none. */
  from(at: number): number {
    if (this.found < at) {
      const found = this.bytes.indexOf(this.needle, at);
      this.found = found < 0 ? Infinity : found;
    }
    return this.found;
  }
}

/** The end of the first of two texts; `Infinity` if there is none. */
function endOfFirst(one: Search, other: Search, at: number): number {
  const [first, second] = [one.from(at), other.from(at)];
  return first < second ? first + one.length : second + other.length;
}

/** The boundary that a content type names; null if PHP rejects it, and leaves the body as it is. */
export function boundaryOf(contentType: string): string | null {
  const [, text] = /boundary[^=]*=(.*)/is.exec(contentType) ?? [];
  if (text === undefined) return null;
  const boundary = text.startsWith('"') ? /^"([^"]*)"/.exec(text)?.[1] : /^[^,;]*/.exec(text)?.[0];
  return boundary === undefined || boundary.length > MAX_BOUNDARY ? null : boundary;
}

/** The end of a word: the next separator outside of quotes, or the end of the text. */
function wordEnd(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === separator) return at;
    if (char !== '"' && char !== "'") continue;
    for (at++; at < text.length && text[at] !== char; at++) if (text[at] === '\\' && text[at + 1] === char) at++;
  }
  return text.length;
}

/** The value of a parameter, without quotes. */
function unquoted(text: string): string {
  const value = text.trimStart();
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return (/^\S*/.exec(value)?.[0] ?? '').replaceAll('\\\\', '\\');
  let plain = '';
  for (let at = 1; at < value.length && value[at] !== quote; at++) {
    if (value[at] === '\\' && (value[at + 1] === '\\' || value[at + 1] === quote)) at++;
    plain += value[at];
  }
  return plain;
}

/** The parameters of `Content-Disposition` that PHP reads; null: the header has none. */
interface Disposition {
  name: string | null;
  filename: string | null;
}

function readDisposition(value: string): Disposition {
  const found: Disposition = { name: null, filename: null };
  let at = 0;
  for (let count = 0; at < value.length && count < MAX_PARAMETERS; count++) {
    const end = wordEnd(value, at, ';');
    const pair = value.slice(at, end).trimStart();
    const equals = wordEnd(pair, 0, '=');
    const key = pair.slice(0, equals).toLowerCase();
    if (equals < pair.length && (key === 'name' || key === 'filename')) found[key] = unquoted(pair.slice(equals + 1));
    at = end + 1;
  }
  return found;
}

/** The parameters of a part from its header; null without `Content-Disposition`. */
function dispositionOf(header: string): Disposition | null {
  const [, value] = /(?:^|\n)content-disposition:([^\n]*(?:\n[ \t\v\f][^\n]*)*)/i.exec(header) ?? [];
  return value === undefined ? null : readDisposition(value.replace(/\r?\n/g, '').split('\0', 1)[0]);
}

/** The end of a value that the body ends in. PHP: what may be the beginning of a boundary does not belong to it. */
function truncatedEnd(raw: Buffer, boundary: string, from: number): number {
  const at = raw.lastIndexOf(NEWLINE);
  return at >= from && `\n--${boundary}`.startsWith(raw.toString('latin1', at)) ? at : raw.length;
}

/** Finds the parts of a body: the header of each, and its bytes. */
function* partsOf(raw: Buffer, boundary: string): Generator<{ header: string; bytes: Buffer }> {
  // A line that begins a part has nothing but the boundary; one that ends a part only begins with it.
  const lines = [new Search(raw, `\n--${boundary}\r\n`), new Search(raw, `\n--${boundary}\n`)] as const;
  const emptyLines = [new Search(raw, '\n\r\n'), new Search(raw, '\n\n')] as const;
  const ends = new Search(raw, `\n--${boundary}`);
  const opening = /^--([^\n]*?)\r?\n/.exec(raw.toString('latin1', 0, MAX_BOUNDARY + 4));
  let at = opening?.[1] === boundary ? opening[0].length : endOfFirst(...lines, 0);
  for (let count = 0; at < raw.length && count < MAX_PARTS; count++) {
    const start = Math.min(endOfFirst(...emptyLines, at - 1), raw.length);
    const header = raw.toString('utf8', at, Math.min(start, at + MAX_HEADER));
    const next = ends.from(start);
    const end = next < raw.length ? next : truncatedEnd(raw, boundary, start);
    const isTrimmed = end < raw.length && end > start && raw[end - 1] === RETURN;
    yield { header, bytes: raw.subarray(start, isTrimmed ? end - 1 : end) };
    at = endOfFirst(...lines, end);
  }
}

/**
 * The variables and files of a multipart form, as PHP reads them from a POST request. Reading takes time in proportion to the size of the
 * body. As in PHP, it ignores variables beyond 1,000, files beyond 20, and everything after 1,020 parts.
 */
export function parseMultipart(raw: Buffer, contentType: string): { form: Record<string, PhpValue>; files: FilePart[] } {
  const boundary = boundaryOf(contentType);
  const variables = new QueryVariables();
  const files: FilePart[] = [];
  if (boundary === null) return { form: {}, files };
  for (const { header, bytes } of partsOf(raw, boundary)) {
    const disposition = dispositionOf(header);
    if (!disposition) continue;
    const { name, filename } = disposition;
    // PHP: nothing is read after a part without either.
    if (name === null && filename === null) break;
    if (filename === null) variables.add(name ?? '', bytes.toString('utf8'));
    // PHP: neither a variable nor a file has an empty name, but one without any has a number.
    else if (files.length < MAX_FILES && !/^ *(?:\[|$)/.test(name ?? '0')) files.push({ field: name ?? '', filename, bytes });
  }
  return { form: variables.toObject(), files };
}
