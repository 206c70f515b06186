import { createReadStream } from 'node:fs';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** One element of an export that says something: what it holds by the names of its children. */
export interface WxrRecord {
  name: 'author' | 'term' | 'item' | 'channel';
  /** Line on which it begins. */
  line: number;
  /** Texts of its children by their names; of the channel, the one child that this record is about. */
  fields: Record<string, string>;
  /** Post meta, in its order. */
  meta: { key: string; value: string }[];
  /** Terms of an item. */
  categories: { taxonomy: string; slug: string; name: string }[];
}

/** A fault of the form of the file, after which nothing can be read. */
export class WxrFormError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const RECORDS: Readonly<Record<string, WxrRecord['name']>> = {
  'wp:author': 'author',
  'wp:category': 'term',
  'wp:tag': 'term',
  'wp:term': 'term',
  item: 'item',
};

/** Characters that XML cannot hold, and that exports contain all the same where somebody pasted them. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const attribute = (tag: SaxesTagPlain, name: string): string => tag.attributes[name] ?? '';

/** Puts the events of a parser together to records. */
class Scanner {
  private readonly parser = new SaxesParser();
  private readonly path: string[] = [];
  private readonly ready: WxrRecord[] = [];
  private record: WxrRecord | null = null;
  private text = '';
  private metaKey = '';
  private metaValue = '';
  private category: { taxonomy: string; slug: string } | null = null;
  private fault: WxrFormError | null = null;
  private root = '';

  constructor() {
    // The parser goes on after a fault; what it makes of the rest is guesswork.
    this.parser.on('opentag', (tag) => this.fault ?? this.open(tag));
    this.parser.on('closetag', (tag) => this.fault ?? this.close(tag.name));
    this.parser.on('text', (text) => void (this.text += text));
    this.parser.on('cdata', (text) => void (this.text += text));
    this.parser.on('error', (error) => {
      this.fault ??= new WxrFormError(error.message.replace(/^\d+:\d+: /, ''), this.parser.line);
    });
  }

  /** The records that a piece of the file completes. @throws WxrFormError after the last one that is sound */
  *feed(chunk: string): Iterable<WxrRecord> {
    this.parser.write(chunk.replace(NOT_XML, ''));
    yield* this.taken();
  }

  *end(): Iterable<WxrRecord> {
    this.parser.close();
    yield* this.taken();
    if (this.root !== 'rss') throw new WxrFormError('the file is no WordPress export: it does not begin with <rss>', 1);
  }

  private *taken(): Iterable<WxrRecord> {
    yield* this.ready.splice(0);
    if (this.fault) throw this.fault;
  }

  private open(tag: SaxesTagPlain): void {
    this.path.push(tag.name);
    this.root ||= tag.name;
    this.text = '';
    if (this.path.length === 3 && tag.name in RECORDS) {
      this.record = { name: RECORDS[tag.name], line: this.parser.line, fields: {}, meta: [], categories: [] };
    } else if (this.path.length === 4 && tag.name === 'category') {
      this.category = { taxonomy: attribute(tag, 'domain'), slug: attribute(tag, 'nicename') };
    } else if (this.path.length === 4 && tag.name === 'wp:postmeta') {
      this.metaKey = this.metaValue = '';
    }
  }

  private close(name: string): void {
    const { text, record } = this;
    const depth = this.path.length;
    this.path.pop();
    this.text = '';
    if (depth === 3) this.closeRecord(name, text);
    if (depth === 4 && record) this.closeField(record, name, text);
    if (depth === 5 && name === 'wp:meta_key') this.metaKey = text;
    if (depth === 5 && name === 'wp:meta_value') this.metaValue = text;
  }

  private closeRecord(name: string, text: string): void {
    const { record } = this;
    this.ready.push(record ?? { name: 'channel', line: this.parser.line, fields: { [name]: text }, meta: [], categories: [] });
    this.record = null;
  }

  private closeField(record: WxrRecord, name: string, text: string): void {
    if (name === 'wp:postmeta') record.meta.push({ key: this.metaKey, value: this.metaValue });
    else if (name !== 'category') record.fields[name] = text;
    else if (this.category) record.categories.push({ ...this.category, name: text });
  }
}

/** How much of a file is read at a time. */
const CHUNK = 1 << 18;

/** The records of a file, one by one. @throws WxrFormError */
export async function* scanWxr(file: string, signal?: AbortSignal): AsyncIterable<WxrRecord> {
  const scanner = new Scanner();
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK, signal })) yield* scanner.feed(String(chunk));
  yield* scanner.end();
}
