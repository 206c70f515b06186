import { createHash } from 'node:crypto';
import { isEmpty } from '../../../base/php/cast.js';
import { phpJson } from '../../../base/php/json.js';
import { isRecord } from '../../../base/values/records.js';
import type { Attributes } from './types.js';

/** A comment that opens or closes a block, or is a whole block. */
interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
  readonly isVoid: boolean;
  /** Full name, such as `core/paragraph`. */
  readonly name: string;
  /** JSON; empty if there are none. */
  readonly attributes: string;
}

const HEAD = /<!--[ \t\n\v\f\r]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\n\v\f\r]+/g;
const VOID_END = /(\/)?-->/y;
const ATTRIBUTES_END = /\}[ \t\n\v\f\r]+(\/)?-->/g;

/** The delimiters of the blocks in a text, in order. */
function* delimiters(text: string): Generator<Delimiter> {
  const head = new RegExp(HEAD);
  let attributesEnd: RegExpExecArray | null | undefined;
  for (let match = head.exec(text); match; match = head.exec(text)) {
    const bodyAt = head.lastIndex;
    const common = { start: match.index, closes: match[1] !== undefined, name: (match[2] ?? 'core/') + match[3] };
    if (text[bodyAt] !== '{') {
      VOID_END.lastIndex = bodyAt;
      const end = VOID_END.exec(text);
      if (!end) continue;
      head.lastIndex = VOID_END.lastIndex;
      yield { ...common, end: VOID_END.lastIndex, isVoid: end[1] !== undefined, attributes: '' };
      continue;
    }
    if (attributesEnd === undefined || (attributesEnd !== null && attributesEnd.index < bodyAt)) {
      ATTRIBUTES_END.lastIndex = bodyAt;
      attributesEnd = ATTRIBUTES_END.exec(text);
    }
    if (!attributesEnd) continue;
    const end = attributesEnd.index + attributesEnd[0].length;
    head.lastIndex = end;
    yield { ...common, end, isVoid: attributesEnd[1] !== undefined, attributes: text.slice(bodyAt, attributesEnd.index + 1) };
  }
}

/** JSON with the arrays of PHP. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Maximum number of unclosed blocks: WP repeats the rest of the text for each, so the output would grow without bound. */
const MAX_LEFT_OPEN = 32;

/** PHP: `json_decode`, and `json_encode` of a whole block, give up on deeper nesting. */
const MAX_DEPTH = 512;
/** Levels of JSON of a block within another. */
const LEVELS = 2;

/** JSON as PHP arrays: an empty object is a list. @returns undefined if it is nested too deeply */
function phpArrays(value: Json, depth = 0): Json | undefined {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => phpArrays(item, depth + 1) ?? null);
  const entries = Object.entries(value).map(([key, item]) => [key, phpArrays(item, depth + 1) ?? null] as const);
  return entries.every(([key], index) => key === String(index)) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function decoded(json: string): Json {
  if (json === '') return [];
  try {
    return phpArrays(JSON.parse(json) as Json) ?? null;
  } catch {
    return null;
  }
}

/** PHP: `serialize`. */
function serialized(value: Json): string {
  if (value === null) return 'N;';
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  if (typeof value === 'boolean') return `b:${Number(value)};`;
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'i' : 'd'}:${phpJson(value)};`;
  const entries = Object.entries(value).map(
    ([key, item]) => (/^(?:0|[1-9]\d*)$/.test(key) ? `i:${key};` : serialized(key)) + serialized(item),
  );
  return `a:${entries.length}:{${entries.join('')}}`;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Length of a hash in a class. */
const HASH = 8;

/** WP: the class for some values (`wp_unique_id_from_values`). */
export const hashOf = (values: unknown): string => md5(phpJson(values)).slice(0, HASH);

/** A block of the editor as it is stored. Behavior of WP_Block_Parser. */
export class ParsedBlock {
  /** Its markup in parts, with the blocks between them. */
  readonly parts: (string | ParsedBlock)[] = [];
  /** Levels of blocks in it. */
  height = 0;
  private json: string | undefined;
  private known: Json | undefined;

  constructor(
    /** Full name, such as `core/paragraph`. */
    readonly name: string,
    /** JSON; empty if there are none. */
    private readonly sent: string,
  ) {}

  get inner(): ParsedBlock[] {
    return this.parts.filter((part) => part instanceof ParsedBlock);
  }

  private get decoded(): Json {
    return (this.known ??= decoded(this.sent));
  }

  get attributes(): Attributes {
    return isRecord(this.decoded) ? this.decoded : {};
  }

  /** Its own markup, without the blocks in it. */
  get markup(): string {
    return this.parts.filter((part) => typeof part === 'string').join('');
  }

  /** The hash of the whole block as PHP encodes it. PHP: JSON that is nested too deeply is empty. */
  jsonHash(): string {
    return md5(this.asJson()).slice(0, HASH);
  }

  /** The hash of the whole block as PHP serializes it. */
  hash(): string {
    return md5(this.height > MAX_DEPTH ? this.asJson() : this.asPhp());
  }

  /** Computed once for each block, since each may be in many others. */
  private asJson(): string {
    const { name, inner, parts } = this;
    return (this.json ??=
      this.height * LEVELS >= MAX_DEPTH
        ? ''
        : `{"blockName":${phpJson(name)},"attrs":${phpJson(this.decoded)},"innerBlocks":[${inner.map((each) => each.asJson()).join(',')}],` +
          `"innerHTML":${phpJson(this.markup)},"innerContent":${phpJson(parts.map((part) => (typeof part === 'string' ? part : null)))}}`);
  }

  private asPhp(): string {
    const inner = this.inner.map((block, index) => `i:${index};${block.asPhp()}`);
    const content = this.parts.map((part) => (typeof part === 'string' ? part : null));
    const members = [
      ...['blockName', this.name, 'attrs', this.decoded].map(serialized),
      `s:11:"innerBlocks";a:${inner.length}:{${inner.join('')}}`,
      ...['innerHTML', this.markup, 'innerContent', content].map(serialized),
    ];
    return `a:5:{${members.join('')}}`;
  }

  /** @param isClosing whether it is the end of a block in another one. WP: these have a part for it, even if it is empty */
  addMarkup(text: string, isClosing = false): void {
    if (isClosing || !isEmpty(text)) this.parts.push(text);
  }

  addBlock(block: ParsedBlock): void {
    this.parts.push(block);
    this.height = Math.max(this.height, block.height + 1);
  }
}

/** A text is a sequence of blocks and the HTML between them. */
export type Part = string | ParsedBlock;

interface OpenBlock {
  readonly block: ParsedBlock;
  readonly start: number;
  readonly leadingFrom: number;
  from: number;
}

export function parseBlocks(text: string): Part[] {
  const open: OpenBlock[] = [];
  const output: Part[] = [];
  let at = 0;
  const place = (block: ParsedBlock, start: number, end: number, leadingFrom: number): void => {
    const parent = open.at(-1);
    if (!parent) output.push(text.slice(leadingFrom, start), block);
    else {
      parent.block.addMarkup(text.slice(parent.from, start));
      parent.block.addBlock(block);
      parent.from = end;
    }
  };
  for (const token of delimiters(text)) {
    if (!token.closes) {
      const block = new ParsedBlock(token.name, token.attributes);
      if (token.isVoid) place(block, token.start, token.end, at);
      else open.push({ block, start: token.start, leadingFrom: at, from: token.end });
    } else {
      const closed = open.pop();
      // WP: parsing stops at a closing comment without an opening one.
      if (!closed) return [...output, text.slice(at)];
      closed.block.addMarkup(text.slice(closed.from, token.start), open.length > 0);
      place(closed.block, closed.start, token.end, closed.leadingFrom);
    }
    at = token.end;
  }
  return [...output, ...(open.length === 0 ? [text.slice(at)] : closeAll(text, open))];
}

/** WP: unclosed blocks become top-level blocks, innermost first, each with the text up to the end. */
function closeAll(text: string, open: readonly OpenBlock[]): Part[] {
  if (open.length > MAX_LEFT_OPEN) return [text.slice(open[0]?.start ?? 0)];
  return open.toReversed().flatMap(({ block, start, from, leadingFrom }) => {
    block.addMarkup(text.slice(from));
    return [text.slice(leadingFrom, start), block];
  });
}

/**
 * A text in which a closing comment too many, where parsing stops, is that of a block. WP: blocks are put around the content of a post for a
 * while, which that comment closes.
 * @param around the name of the block, without `core/`
 */
export function closedBy(around: string, text: string): string {
  let depth = 0;
  for (const { closes, isVoid, start, end } of delimiters(text)) {
    depth += closes ? -1 : Number(!isVoid);
    if (depth < 0) return `${text.slice(0, start)}<!-- /wp:${around} -->${text.slice(end)}`;
  }
  return text;
}

/** The blocks of a text that are in no other, each with its name. */
export function* outerBlocks(text: string): Generator<readonly [name: string, text: string]> {
  let [depth, from] = [0, 0];
  for (const { closes, isVoid, start, end, name } of delimiters(text)) {
    if (depth === 0) from = start;
    depth += closes ? -1 : Number(!isVoid);
    if (depth < 0) return;
    if (depth === 0) yield [name, text.slice(from, end)];
  }
}
