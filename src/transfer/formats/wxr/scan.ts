import { StringDecoder } from 'node:string_decoder';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
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

/** A syntax error, after which reading stops. */
export class WxrFormError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const RECORDS: Readonly<Record<string, WxrRecord['name']>> = lookup({
  'wp:author': 'author',
  'wp:category': 'term',
  'wp:tag': 'term',
  'wp:term': 'term',
  item: 'item',
});

/** Characters that are invalid in XML but occur in exports. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** How deeply elements may be nested. Exports have five levels. */
const DEEPEST = 200;

const attribute = (tag: SaxesTagPlain, name: string): string => tag.attributes[name] ?? '';

/** Builds records from the events of an XML parser. */
class Scanner {
  private readonly parser = new SaxesParser();
  private readonly path: string[] = [];
  private readonly ready: WxrRecord[] = [];
  private record: WxrRecord | null = null;
  private text = '';
  private metaKey = '';
  private metaValue = '';
  private comment: WxrComment | null = null;
  private category: { taxonomy: string; slug: string } | null = null;
  private error: WxrFormError | null = null;
  private root = '';

  constructor() {
    this.parser.on('opentag', (tag) => this.open(tag));
    this.parser.on('closetag', (tag) => this.close(tag.name));
    this.parser.on('text', (text) => void (this.text += text));
    this.parser.on('cdata', (text) => void (this.text += text));
    this.parser.on('error', (error) => {
      // The parser would continue after an error, with output that is unreliable, and an error for everything that follows.
      throw this.problem(error.message.replace(/^\d+:\d+: /, ''));
    });
  }

  private problem(message: string): WxrFormError {
    return new WxrFormError(message, this.parser.line);
  }

  /** Yields the records that a chunk completes. @throws WxrFormError after the last valid record */
  *feed(chunk: string): Iterable<WxrRecord> {
    this.advance(() => this.parser.write(chunk.replace(NOT_XML, '')));
    yield* this.takeReady();
  }

  *end(): Iterable<WxrRecord> {
    this.advance(() => this.parser.close());
    yield* this.takeReady();
    if (this.root !== 'rss') throw new WxrFormError('not a WordPress export: it does not start with <rss>', 1);
  }

  private advance(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof WxrFormError)) throw error;
      this.error = error;
    }
  }

  private *takeReady(): Iterable<WxrRecord> {
    yield* this.ready.splice(0);
    if (this.error) throw this.error;
  }

  private open(tag: SaxesTagPlain): void {
    this.path.push(tag.name);
    if (this.path.length > DEEPEST) throw this.problem(`elements are nested too deeply (more than ${DEEPEST})`);
    this.root ||= tag.name;
    this.text = '';
    if (this.path.length === 3 && tag.name in RECORDS) {
      this.record = { name: RECORDS[tag.name], line: this.parser.line, fields: {}, meta: [], categories: [], comments: [] };
    } else if (this.path.length === 4 && tag.name === 'category') {
      this.category = { taxonomy: attribute(tag, 'domain'), slug: attribute(tag, 'nicename') };
    } else if (this.path.length === 4 && tag.name === 'wp:postmeta') {
      this.metaKey = this.metaValue = '';
    } else if (this.path.length === 4 && tag.name === 'wp:comment') {
      this.comment = { line: this.parser.line, fields: {}, meta: {} };
    }
  }

  private close(name: string): void {
    const { text, record } = this;
    const depth = this.path.length;
    this.path.pop();
    this.text = '';
    if (depth === 3) this.closeRecord(name, text);
    if (depth === 4 && record) this.closeField(record, name, text);
    const { comment } = this;
    // The meta of a comment is one level deeper than the meta of its post.
    const metaDepth = comment ? 6 : 5;
    if (depth === metaDepth && name === 'wp:meta_key') this.metaKey = text;
    if (depth === metaDepth && name === 'wp:meta_value') this.metaValue = text;
    if (depth === 5 && comment && name === 'wp:commentmeta') comment.meta[this.metaKey] = this.metaValue;
    else if (depth === 5 && comment) comment.fields[name] = text;
  }

  private closeRecord(name: string, text: string): void {
    const { record } = this;
    this.ready.push(
      record ?? { name: 'channel', line: this.parser.line, fields: { [name]: text }, meta: [], categories: [], comments: [] },
    );
    this.record = null;
  }

  private closeField(record: WxrRecord, name: string, text: string): void {
    if (name === 'wp:comment' && this.comment) {
      record.comments.push(this.comment);
      this.comment = null;
    } else if (name === 'wp:postmeta') record.meta.push({ key: this.metaKey, value: this.metaValue });
    else if (name !== 'category') record.fields[name] = text;
    else if (this.category) record.categories.push({ ...this.category, name: text });
  }
}

/** Size of the chunks to read. */
const CHUNK = 1 << 18;

/** Yields the records of a file. @throws WxrFormError */
export async function* scanWxr(file: TextFile, signal?: AbortSignal): AsyncIterable<WxrRecord> {
  const scanner = new Scanner();
  const decoder = new StringDecoder('utf8');
  for await (const chunk of readUtf8(file, { highWaterMark: CHUNK, signal })) yield* scanner.feed(decoder.write(chunk));
  yield* scanner.end();
}
