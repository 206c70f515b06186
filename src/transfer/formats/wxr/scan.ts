import { StringDecoder } from 'node:string_decoder';
import { lookup } from '../../../base/values/records.js';
import { readUtf8, type TextFile } from '../encoding.js';

/** A comment of an item: the texts of its children by name, and its meta. */
export interface WxrComment {
  line: number;
  fields: Record<string, string>;
  meta: Record<string, string>;
}

/** An element of an export, with its content by the names of its children. */
export interface WxrRecord {
  name: 'author' | 'term' | 'item' | 'channel';
  /** Line on which the element starts. */
  line: number;
  /** Texts of the children by name. A record of the channel has a single child. */
  fields: Record<string, string>;
  /** Post meta, in order. */
  meta: { key: string; value: string }[];
  /** Terms of an item. */
  categories: { taxonomy: string; slug: string; name: string }[];
  comments: WxrComment[];
}

/** The error of a file that is no export. */
export class WxrFormError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Receives what is missing or left out, with the line on which it begins. */
type Report = (problem: string, line: number) => void;

const RECORDS: Readonly<Record<string, WxrRecord['name']>> = lookup({
  'wp:author': 'author',
  'wp:category': 'term',
  'wp:tag': 'term',
  'wp:term': 'term',
  item: 'item',
});

/** Elements around the records. */
const AROUND: ReadonlySet<string> = new Set(['rss', 'channel']);

/** Characters that are invalid in XML but occur in exports. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** How many elements without an end are looked for: each costs a search to the end. */
const MAX_UNCLOSED = 50;

const CDATA = ['<![CDATA[', ']]>'] as const;
/** Parts without elements. */
const SECTIONS = [CDATA, ['<!--', '-->'], ['<?', '?>']] as const;

const TAG = /<([a-z_][\w:.-]*)([^<>]*)>/iy;

/** An element as it is in the file. WP: its importer, too, reads what is not well-formed, element by element. */
interface Tag {
  name: string;
  attributes: string;
  start: number;
  /** Where its content begins. */
  end: number;
}

/** The first tag that begins an element, from a position on. */
function tagAfter(text: string, from: number): Tag | null {
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at)) {
    const section = SECTIONS.find(([begin]) => text.startsWith(begin, at));
    const end = section ? text.indexOf(section[1], at) : at;
    if (end < 0) return null;
    TAG.lastIndex = at;
    const [whole, name, attributes] = (section ? null : TAG.exec(text)) ?? [''];
    if (whole !== '') return { name, attributes, start: at, end: at + whole.length };
    at = section ? end + section[1].length : at + 1;
  }
  return null;
}

/** Whether a mark, and then the start of another CDATA section, are in a CDATA section: its own end is missing. */
function isUnclosed(section: string, mark: string): boolean {
  const at = section.indexOf(mark);
  return at >= 0 && section.includes(CDATA[0], at) && /^\s*</.test(section.slice(at + mark.length, at + mark.length + 99));
}

/** The text whose CDATA sections have no end from a position on: another search, for each element, would take squares. */
let endless = { text: '', from: 0 };

function endOfCdata(text: string, from: number): number {
  const end = text === endless.text && from >= endless.from ? -1 : text.indexOf(CDATA[1], from);
  if (end < 0 && text !== endless.text) endless = { text, from };
  return end;
}

/** Where a mark is from a position on, outside of CDATA; -1: nowhere. */
function outsideCdata(text: string, mark: string, from: number): number {
  let found = text.indexOf(mark, from);
  for (let at = from; found >= 0;) {
    // Within the element: a search to the end, for each element, would take squares.
    const section = text.slice(at, found).indexOf(CDATA[0]);
    if (section < 0) return found;
    const begin = at + section;
    at = endOfCdata(text, begin);
    if (at < 0 || (at > found && isUnclosed(text.slice(begin + 1, at), mark))) return found;
    if (at > found) found = text.indexOf(mark, at);
  }
  return found;
}

const endTag = ({ name }: Pick<Tag, 'name'>): string => `</${name}>`;

interface Child extends Tag {
  body: string;
}

/** The elements of a text, without those in them. The names of elements without an end are added to `unclosed`. */
function* childrenOf(text: string, unclosed: Set<string>): Iterable<Child> {
  for (let tag = tagAfter(text, 0), at = 0; tag && unclosed.size <= MAX_UNCLOSED; tag = tagAfter(text, at)) {
    at = tag.end;
    const isEmpty = tag.attributes.endsWith('/');
    const close = isEmpty ? at : unclosed.has(tag.name) ? -1 : outsideCdata(text, endTag(tag), at);
    if (close < 0) unclosed.add(tag.name);
    else yield { ...tag, body: text.slice(at, close) };
    if (!isEmpty && close >= 0) at = close + endTag(tag).length;
  }
}

const ENTITIES: Readonly<Record<string, string>> = lookup({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });

const MARKED = /<!\[CDATA\[([^]*?)\]\]>|&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));|<!--[^]*?-->/gi;

/** The character with a number, if XML has it. */
const characterOf = (code: number): string | undefined =>
  code > 0x10_ff_ff || (code < 32 && ![9, 10, 13].includes(code)) ? undefined : String.fromCodePoint(code);

/** The text of an element: CDATA as it is, the rest with the entities of XML. WP: other ampersands are text, as in `&nbsp;`. */
function textOf(body: string): string {
  const text = body.replace(/\r\n?/g, '\n');
  // Without its end, a section would be searched for from every start.
  const whole = text.lastIndexOf(CDATA[0]) > text.lastIndexOf(CDATA[1]) ? `${text}${CDATA[1]}` : text;
  return whole.replace(MARKED, (found, cdata?: string, name?: string, decimal?: string, hex?: string) => {
    if (cdata !== undefined) return cdata;
    if (name !== undefined) return ENTITIES[name] ?? found;
    if (decimal === undefined && hex === undefined) return '';
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? found;
  });
}

const attribute = ({ attributes }: Tag, name: string): string =>
  textOf(new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)?.slice(1).join('') ?? '');

/** The texts of the elements in another, by name. */
function textsIn({ body }: Child, unclosed: Set<string>): Record<string, string> {
  const texts: Record<string, string> = lookup({});
  for (const child of childrenOf(body, unclosed)) texts[child.name] = textOf(child.body);
  return texts;
}

function metaOf(element: Child, unclosed: Set<string>): WxrRecord['meta'][number] {
  const { 'wp:meta_key': key = '', 'wp:meta_value': value = '' } = textsIn(element, unclosed);
  return { key, value };
}

function commentOf(element: Child, line: number, unclosed: Set<string>): WxrComment {
  const comment: WxrComment = { line, fields: lookup({}), meta: lookup({}) };
  for (const child of childrenOf(element.body, unclosed)) {
    if (child.name !== 'wp:commentmeta') comment.fields[child.name] = textOf(child.body);
    else {
      const { key, value } = metaOf(child, unclosed);
      comment.meta[key] = value;
    }
  }
  return comment;
}

const linesIn = (text: string, from: number, to: number): number => text.slice(from, to).split('\n').length - 1;

/** Size of the chunks to read. */
const CHUNK = 1 << 18;

/** Takes records from the start of a text that grows. */
class Scanner {
  private text = '';
  private line = 1;
  /** Length from which on the text may have another whole element: each search of a part costs as much as the part. */
  private wanted = 0;
  private isRoot = false;

  constructor(private readonly report: Report) {}

  /** Yields the records that a chunk completes. @throws WxrFormError for a file that is no export */
  *feed(chunk: string, isLast: boolean): Iterable<WxrRecord> {
    this.text += chunk.replace(NOT_XML, '');
    if (this.text.length < this.wanted && !isLast) return;
    if (!this.isRoot) {
      // WP: a blank line, or the messages of PHP, may come before.
      const start = this.text.search(/<rss[\s>]/);
      if (start < 0 && !isLast && this.text.length < CHUNK) return;
      if (start < 0) throw new WxrFormError('not a WordPress export: it does not start with <rss>', 1);
      this.isRoot = true;
      this.drop(start);
    }
    yield* this.records(isLast);
    if (isLast && !this.text.includes('</channel>')) this.report('the file is truncated: </channel> is missing', this.line);
    this.wanted = this.text.length * 2;
  }

  private drop(length: number): void {
    this.line += linesIn(this.text, 0, length);
    this.text = this.text.slice(length);
  }

  private *records(isLast: boolean): Iterable<WxrRecord> {
    const { text } = this;
    let [at, counted] = [0, 0];
    const move = (to: number): void => {
      this.line += linesIn(text, counted, to);
      counted = to;
    };
    const unclosed = new Set<string>();
    for (let tag = tagAfter(text, at); tag && unclosed.size <= MAX_UNCLOSED; tag = tagAfter(text, at)) {
      const isOpen = AROUND.has(tag.name) || tag.attributes.endsWith('/');
      const close = isOpen ? tag.end : unclosed.has(tag.name) ? -1 : outsideCdata(text, endTag(tag), tag.end);
      if (close < 0 && !isLast) break;
      move(tag.start);
      at = tag.end;
      if (close < 0) {
        if (!unclosed.has(tag.name)) this.report(`${endTag(tag)} is missing`, this.line);
        unclosed.add(tag.name);
      } else if (!isOpen) {
        const body = text.slice(at, close);
        // The end may be the one of the next record.
        const next = tag.name in RECORDS ? outsideCdata(body, `<${tag.name}>`, 0) : -1;
        if (next >= 0) this.report(`${endTag(tag)} is missing`, this.line);
        else if (tag.name === 'wp:post_type' && !unclosed.has('item')) this.report('<item> is missing', this.line);
        else yield this.record(tag.name, body);
        at = next >= 0 ? at + next : close + endTag(tag).length;
      }
    }
    move(at);
    this.text = text.slice(at);
  }

  private record(name: string, body: string): WxrRecord {
    const { line } = this;
    const record: WxrRecord = { name: RECORDS[name] ?? 'channel', line, fields: lookup({}), meta: [], categories: [], comments: [] };
    if (!(name in RECORDS)) return { ...record, fields: { [name]: textOf(body) } };
    const unclosed = new Set<string>();
    let [commentLine, counted] = [line, 0];
    for (const child of childrenOf(body, unclosed)) {
      if (child.name === 'category' && name === 'item')
        record.categories.push({ taxonomy: attribute(child, 'domain'), slug: attribute(child, 'nicename'), name: textOf(child.body) });
      else if (child.name === 'wp:postmeta') record.meta.push(metaOf(child, unclosed));
      else if (child.name === 'wp:comment') {
        commentLine += linesIn(body, counted, child.start);
        counted = child.start;
        record.comments.push(commentOf(child, commentLine, unclosed));
      } else record.fields[child.name] = textOf(child.body);
    }
    for (const missing of unclosed) this.report(`${endTag({ name: missing })} is missing`, line);
    return record;
  }
}

/** Yields the records of a file. What is not well-formed is reported, and the rest is read. @throws WxrFormError */
export async function* scanWxr(file: TextFile, report: Report = () => undefined, signal?: AbortSignal): AsyncIterable<WxrRecord> {
  const scanner = new Scanner(report);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of readUtf8(file, { highWaterMark: CHUNK, signal })) yield* scanner.feed(decoder.write(chunk), false);
  yield* scanner.feed(decoder.end(), true);
  endless = { text: '', from: 0 };
}
