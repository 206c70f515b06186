import { Mirror, type MirrorContent, type MirrorSource } from './mirror.js';
import type { State } from './state.js';

/** The bytes of a document. */
export interface Raw {
  _id: number;
  bytes: Uint8Array;
}

/** Estimated bytes of a document in memory besides its own. */
const OVERHEAD = 200;

/** Documents as bytes, as many as fit: bytes take half of the memory of decoded documents. */
class RawContent implements MirrorContent<Raw> {
  private readonly documents = new Map<number, Uint8Array>();
  used = 0;
  /** Bytes that were removed since it was full. */
  private freed = 0;
  readonly isTooLarge = false;
  isFull = false;

  constructor(private readonly limit: () => number) {}

  /** Recent writes are read again only if they leave much room: most would not fit. */
  get needsCompaction(): boolean {
    return this.freed > this.limit() / 2;
  }

  get(id: number): Uint8Array | undefined {
    return this.documents.get(id);
  }

  add({ _id, bytes }: Raw): void {
    this.remove(_id);
    const size = bytes.length + OVERHEAD;
    this.isFull ||= this.used + size > this.limit();
    if (this.isFull) return;
    // A copy, since the bytes are a part of a response of the database. Node puts several small ones into one `ArrayBuffer`.
    this.documents.set(_id, Buffer.from(bytes));
    this.used += size;
  }

  remove(id: number): void {
    const known = this.documents.get(id);
    if (!known) return;
    this.documents.delete(id);
    const size = known.length + OVERHEAD;
    this.used -= size;
    if (this.isFull) this.freed += size;
  }
}

/**
 * Documents of a collection as their bytes, as many as fit, in the order of their ids: a command for a single document costs several times
 * what decoding it costs.
 */
export class RawDocuments<T> {
  private readonly mirror: Mirror<Raw, RawContent>;
  private readonly slot: { content: RawContent | null } = { content: null };

  /** @param limit returns how many bytes they may take */
  constructor(
    state: State,
    collection: string,
    private readonly source: MirrorSource<Raw>,
    private readonly decode: (bytes: Uint8Array) => T,
    limit: () => number,
  ) {
    this.mirror = new Mirror(state, collection, source, () => new RawContent(limit), this.slot);
  }

  /** Memory of all of them, in bytes. */
  get bytes(): number {
    return this.slot.content?.used ?? 0;
  }

  /** Documents by id, in any order. The first call begins to read all of them. */
  async load(ids: number[]): Promise<T[]> {
    const content = await this.mirror.readIfPresent();
    const known = ids.map((id) => content?.get(id));
    const missing = ids.filter((_, i) => !known[i]);
    const found = missing.length === 0 ? [] : (await this.source.some(missing)).map(({ bytes }) => bytes);
    return [...known, ...found].flatMap((bytes) => (bytes ? [this.decode(bytes)] : []));
  }
}
