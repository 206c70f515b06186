import { Mirror, type MirrorContent, type MirrorSource } from './mirror.js';
import type { State } from './state.js';
import { RowsById } from './table/ids.js';

const MB = 1024 * 1024;

/** The bytes of a document. */
export interface Raw {
  _id: number;
  bytes: Uint8Array;
}

/** How much space replaced documents may waste, in bytes; beyond that, as much as is in use. */
const WASTE = 16 * MB;

/** Bytes in blocks, up to a limit. */
class Blocks {
  private readonly blocks: Buffer[] = [];
  private readonly size: number;
  private filled = 0;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {
    this.size = Math.min(MB, limit);
  }

  /** The new position of a document; null if there is no space. */
  append(bytes: Uint8Array): number | null {
    const { size } = this;
    // No document is split across blocks.
    const at = (this.filled % size) + bytes.length > size ? Math.ceil(this.filled / size) * size : this.filled;
    if (bytes.length > size || at + bytes.length > this.limit) return null;
    (this.blocks[Math.floor(at / size)] ??= Buffer.allocUnsafeSlow(size)).set(bytes, at % size);
    this.filled = at + bytes.length;
    return at;
  }

  read(at: number): Uint8Array {
    const [block, start] = [this.blocks[Math.floor(at / this.size)], at % this.size];
    // A document begins with its length.
    return block.subarray(start, start + block.readInt32LE(start));
  }
}

/** As many documents as fit, as bytes: these take half of the memory of decoded documents, and no time of the garbage collector. */
class RawContent implements MirrorContent<Raw> {
  private readonly positions = new RowsById();
  private readonly blocks: Blocks;
  private used = 0;
  private wasted = 0;
  readonly isTooLarge = false;
  isFull = false;

  constructor(limit: number) {
    this.blocks = new Blocks(limit);
  }

  get isWorn(): boolean {
    return this.wasted > Math.max(WASTE, this.used);
  }

  get(id: number): Uint8Array | undefined {
    const at = this.positions.get(id);
    return at === undefined ? undefined : this.blocks.read(at);
  }

  add({ _id, bytes }: Raw): void {
    this.remove(_id);
    const at = this.blocks.append(bytes);
    this.isFull ||= at === null;
    if (at === null) return;
    this.positions.set(_id, at);
    this.used += bytes.length;
  }

  remove(id: number): void {
    const length = this.get(id)?.length ?? 0;
    this.positions.delete(id);
    this.used -= length;
    this.wasted += length;
  }
}

/** Where documents come from. */
interface RawSource<T> extends MirrorSource<Raw> {
  decode: (bytes: Uint8Array) => T;
  /** Finds documents that are not in memory, by id. */
  find: (ids: number[]) => Promise<T[]>;
}

/**
 * Documents of a collection as their bytes, as many as fit, in the order of their ids: a command for a single document costs several times
 * what decoding it costs.
 */
export class RawDocuments<T> {
  private readonly mirror: Mirror<Raw, RawContent>;

  /** @param limit in bytes */
  constructor(
    state: State,
    collection: string,
    private readonly source: RawSource<T>,
    limit: number,
  ) {
    // Positions have 32 bits.
    this.mirror = new Mirror(state, collection, source, () => new RawContent(Math.min(Math.floor(limit), 2 ** 31 - 1)));
  }

  /** Documents by id, in any order. The first call begins to read all of them. */
  async load(ids: number[]): Promise<T[]> {
    const content = await this.mirror.readIfPresent();
    const { find, decode } = this.source;
    if (!content) return find(ids);
    const found: T[] = [];
    const missing: number[] = [];
    for (const id of ids) {
      const bytes = content.get(id);
      if (bytes) found.push(decode(bytes));
      else missing.push(id);
    }
    return missing.length === 0 ? found : [...found, ...(await find(missing))];
  }
}
