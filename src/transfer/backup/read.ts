import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as extractTar, type Extract } from 'tar-stream';
import type { Schema } from 'yup';
import { FORMAT, requireFormat } from '../../database/store/format.js';
import type { SitePart } from '../../database/store/site-copy.js';
import * as format from './format.js';
import { messageOf, codeOf } from '../../base/values/errors.js';
import { chunksOf } from '../../base/system/streams.js';
import { parseSentJson } from '../../base/values/nesting.js';

/** A backup that cannot be used; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** A visitor of the content of a backup. */
export interface BackupVisitor {
  documents: (part: SitePart, documents: readonly Uint8Array[]) => Promise<void>;
  /** Has to read the content to its end. @param file path relative to the staged folder of files */
  file: (file: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** A file with the same content as an earlier one. */
  link: (file: string, same: string) => Promise<void>;
  /** State that tests control besides the content, as JSON. Absent: it is left out. */
  state?: (json: string) => void;
}

interface ReadBackupOptions {
  visitor?: Partial<BackupVisitor>;
  signal?: AbortSignal | undefined;
  onProgress?: ((what: string, done: number) => void) | undefined;
}

/** A member of the archive. */
type Entry = Extract extends AsyncIterable<infer E> ? E : never;

/** The largest member that is held in memory, in bytes. */
const MAX_WHOLE = 256 * 1024 * 1024;
/** The smallest document: its length and its end. */
const MIN_DOCUMENT = 5;

const bytesOf = async (content: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
};

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of content);
}

/** Passes content on and adds it to a digest. */
async function* hashed(entry: Entry, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunksOf(entry)) {
    hash.update(chunk);
    yield chunk;
  }
}

const keyOf = ({ snapshot, part }: SitePart): string => `${snapshot} ${part}`;

/** Splits a member into its documents, each of which begins with its length. */
function splitDocuments(bytes: Buffer, name: string): Buffer[] {
  const documents: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.length - at < MIN_DOCUMENT ? 0 : bytes.readInt32LE(at);
    if (length < MIN_DOCUMENT || at + length > bytes.length) throw new BackupError(`${name} is not a list of documents`);
    documents.push(bytes.subarray(at, at + length));
    at += length;
  }
  return documents;
}

function parse<T>(bytes: Buffer, schema: Schema<T>, name: string): T {
  try {
    return schema.validateSync(parseSentJson(bytes.toString('utf8')), { strict: true });
  } catch (error) {
    throw new BackupError(`${name}: ${messageOf(error)}`);
  }
}

/** @throws BackupError or EngineError if this version cannot read a backup */
function requireReadable(header: format.Header): void {
  if (header.backup > format.LAYOUT)
    throw new BackupError(
      `it was written by Understudy ${header.version}, in a newer layout. Install wp-understudy@${header.version} or later`,
    );
  requireFormat('The backup', { version: header.format, by: header.version }, FORMAT);
}

/** Reads a backup member by member and keeps what it has seen. */
class Reading {
  private header: format.Header | undefined;
  private manifest: format.Manifest | undefined;
  private readonly seen = new Map<string, format.Member>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly options: ReadBackupOptions) {}

  async member(entry: Entry): Promise<void> {
    const { name, type, linkname } = entry.header;
    if (this.manifest) throw new BackupError(`there is ${name} after the manifest`);
    if (this.seen.has(name)) throw new BackupError(`there is ${name} twice`);
    if (!this.header && name !== format.HEADER) throw new BackupError('it is not a backup of Understudy');
    // Before anything is read of it: the content of a folder that declares a size never ends.
    if (type !== 'file' && type !== 'link') throw new BackupError(`${name} is neither a file nor a link`);
    if (!this.header) return this.readHeader(name, entry);
    if (name === format.MANIFEST)
      this.manifest = parse<format.Manifest>(await this.wholeOf(entry, chunksOf(entry)), format.manifestSchema, name);
    else if (type === 'link') await this.link(name, linkname, entry);
    else await this.content(name, entry);
    this.options.onProgress?.('Reading', this.seen.size);
  }

  private async readHeader(name: string, entry: Entry): Promise<void> {
    const bytes = await this.wholeOf(entry, chunksOf(entry));
    this.header = parse(bytes, format.headerSchema, name);
    requireReadable(this.header);
    this.note(name, bytes.length, createHash('sha256').update(bytes).digest('hex'));
  }

  private async wholeOf({ header }: Entry, content: AsyncIterable<Buffer>): Promise<Buffer> {
    if (header.size > MAX_WHOLE) throw new BackupError(`${header.name} is too large`);
    return bytesOf(content);
  }

  private note(name: string, size: number, sha256: string): void {
    this.seen.set(name, { name, size, sha256 });
  }

  private async content(name: string, entry: Entry): Promise<void> {
    const { visitor } = this.options;
    const [part, file] = [format.sitePartOf(name), format.fileOf(name)];
    const hash = createHash('sha256');
    const content = hashed(entry, hash);
    if (part) {
      const documents = splitDocuments(await this.wholeOf(entry, content), name);
      const key = keyOf(part);
      this.counts.set(key, (this.counts.get(key) ?? 0) + documents.length);
      await visitor?.documents?.(part, documents);
    } else if (name === format.STATE) {
      const bytes = await this.wholeOf(entry, content);
      visitor?.state?.(bytes.toString('utf8'));
    } else if (file === null) throw new BackupError(`unknown member ${name}`);
    else if (visitor?.file) await visitor.file(file, content);
    else await drain(content);
    this.note(name, entry.header.size, hash.digest('hex'));
  }

  private async link(name: string, to: string, entry: Entry): Promise<void> {
    await drain(chunksOf(entry));
    const [file, same] = [format.fileOf(name), format.fileOf(to)];
    const known = this.seen.get(to);
    if (file === null || same === null || !known) throw new BackupError(`unknown member ${name}`);
    await this.options.visitor?.link?.(file, same);
    this.note(name, known.size, known.sha256);
  }

  /** @throws BackupError if what was read is not what the manifest lists */
  end(): format.Manifest {
    if (!this.header) throw new BackupError('it is empty');
    const { manifest } = this;
    if (!manifest) throw new BackupError('it is incomplete: the manifest at its end is missing');
    const { seen } = this;
    const listed = new Map(manifest.members.map((member) => [member.name, member]));
    const isEqual = (a: format.Member, b: format.Member | undefined): boolean => a.size === b?.size && a.sha256 === b.sha256;
    const wrong =
      [...listed.values()].find((member) => !isEqual(member, seen.get(member.name))) ??
      [...seen.values()].find(({ name }) => !listed.has(name));
    if (wrong) throw new BackupError(`${wrong.name} does not match the manifest`);
    const few = manifest.documents.find(({ snapshot, part, count }) => (this.counts.get(keyOf({ snapshot, part })) ?? 0) !== count);
    if (few) throw new BackupError(`the number of ${few.part} does not match the manifest`);
    return manifest;
  }
}

/** Errors of zlib and tar for damaged files. */
const isDamage = (error: unknown): boolean => {
  return (codeOf(error) ?? '').startsWith('Z_') || /tar header|tar archive|unexpected end|invalid/i.test(messageOf(error));
};

/** A broken archive is reported by the pipeline. Everything else is reported by the reader of the members, which closes the pipeline. */
const causeOf = (error: unknown, piping: Promise<void>): Promise<unknown> =>
  piping.then(
    () => error,
    (first: unknown) => (isDamage(first) && !(error instanceof BackupError) ? first : error),
  );

/**
 * Reads a backup to its end and compares it with its manifest. Without a visitor, that is all.
 * @param file path of the backup
 * @returns its manifest
 * @throws BackupError if it is damaged, incomplete or of a newer layout; EngineError if the documents have a newer format
 */
export async function readBackup(file: string, options: ReadBackupOptions = {}): Promise<format.Manifest> {
  const reading = new Reading(options);
  const extract = extractTar();
  const piping = pipeline(createReadStream(file), createGunzip(), extract, options.signal ? { signal: options.signal } : {});
  // The loop below fails, too, with a less specific error.
  piping.catch(() => undefined);
  try {
    for await (const entry of extract) await reading.member(entry);
    await piping;
    return reading.end();
  } catch (error) {
    const cause = await causeOf(error, piping);
    if (cause instanceof BackupError) throw new BackupError(`${file} cannot be used: ${cause.message}.`);
    if (isDamage(cause)) throw new BackupError(`${file} is damaged, or not a backup of Understudy (${messageOf(cause)}).`);
    throw cause;
  }
}
