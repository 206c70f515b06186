import { closeSync, ftruncateSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';

const MB = 1024 * 1024;

/** The part of the free disk that a file may take. */
const PART_OF_DISK = 0.1;

/** Bytes that are written to the file at once. */
const CHUNK = MB;

/** A file that nobody else sees, and that is gone when the process ends. */
class ScratchFile {
  private readonly file: number;
  private readonly limit: number;
  private written = 0;
  private chunk = Buffer.allocUnsafeSlow(CHUNK);
  private filled = 0;

  constructor(folder: string) {
    const { bavail, bsize } = statfsSync(folder);
    this.limit = bavail * bsize * PART_OF_DISK;
    const name = path.join(folder, `posts-${process.pid}.scratch`);
    this.file = openSync(name, 'w+', 0o600);
    rmSync(name);
  }

  /** Where the bytes are from now on; null: there is no space. */
  append(bytes: Uint8Array): number | null {
    const at = this.written + this.filled;
    if (at + bytes.length > this.limit) return null;
    if (this.filled + bytes.length > CHUNK) this.flush();
    if (bytes.length > CHUNK) {
      this.write(bytes);
      return at;
    }
    this.chunk.set(bytes, this.filled);
    this.filled += bytes.length;
    return at;
  }

  read(at: number, length: number): Uint8Array {
    if (at >= this.written) return this.chunk.subarray(at - this.written, at - this.written + length);
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.file, bytes, 0, length, at) !== length) throw new Error('The scratch file has lost its end.');
    return bytes;
  }

  clear(): void {
    ftruncateSync(this.file, 0);
    this.written = 0;
    this.filled = 0;
  }

  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    this.write(this.chunk.subarray(0, this.filled));
    this.filled = 0;
  }

  private write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.file, bytes, done, bytes.length - done, this.written + done);
    this.written += bytes.length;
  }
}

/** Bytes of which the first are kept in memory, and the rest in a file. */
export class ByteLog {
  private readonly blocks: Buffer[] = [];
  private readonly limit: number;
  private readonly blockSize: number;
  private filled = 0;
  /** Undefined: not needed yet; null: there can be none. */
  private file: ScratchFile | null | undefined;
  /** Whether something did not fit. */
  isFull = false;

  /**
   * @param limit bytes in memory
   * @param folder for the file; null: what does not fit memory is not kept
   */
  constructor(
    limit: number,
    private readonly folder: string | null,
  ) {
    this.limit = Math.floor(limit);
    this.blockSize = Math.min(MB, this.limit);
  }

  /** Where the bytes are from now on; null: there is no space. */
  append(bytes: Uint8Array): number | null {
    const at = this.appendToMemory(bytes) ?? this.appendToFile(bytes);
    this.isFull ||= at === null;
    return at;
  }

  private appendToMemory(bytes: Uint8Array): number | null {
    const { blockSize } = this;
    // None of them lies in two blocks.
    const at = (this.filled % blockSize) + bytes.length > blockSize ? Math.ceil(this.filled / blockSize) * blockSize : this.filled;
    if (bytes.length > blockSize || at + bytes.length > this.limit) return null;
    const block = (this.blocks[Math.floor(at / blockSize)] ??= Buffer.allocUnsafeSlow(blockSize));
    block.set(bytes, at % blockSize);
    this.filled = at + bytes.length;
    return at;
  }

  /** Valid until the next call. Undefined: they are lost. */
  read(at: number, length: number): Uint8Array | undefined {
    if (at >= this.limit) return this.readFile(at - this.limit, length);
    const start = at % this.blockSize;
    return this.blocks[Math.floor(at / this.blockSize)].subarray(start, start + length);
  }

  /** Forgets everything. */
  clear(): void {
    this.blocks.length = 0;
    this.filled = 0;
    this.isFull = false;
    this.file?.clear();
  }

  /** After this, nothing is kept in the file. */
  close(): void {
    this.file?.close();
    this.file = null;
  }

  private readFile(at: number, length: number): Uint8Array | undefined {
    try {
      return this.file?.read(at, length);
    } catch {
      return undefined;
    }
  }

  private appendToFile(bytes: Uint8Array): number | null {
    try {
      if (this.file === undefined) this.file = this.folder === null ? null : new ScratchFile(this.folder);
      const at = this.file?.append(bytes) ?? null;
      return at === null ? null : this.limit + at;
    } catch {
      // The disk is full, or nothing may be written there. What was written before is still there.
      this.file ??= null;
      return null;
    }
  }
}
