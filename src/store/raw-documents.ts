import { BSON, type Db, type Document } from 'mongodb';
import { Mirror, type MirrorContent, type MirrorSource } from './mirror.js';

/** The bytes of a document. */
interface Raw {
  _id: number;
  bytes: Uint8Array;
}

/** Documents in a batch. */
const BATCH = 500;

/** As many documents as fit, each as its bytes: that takes half of the memory of what is decoded, and no work of the garbage collector. */
class RawContent implements MirrorContent<Raw> {
  private readonly byId = new Map<number, Uint8Array>();
  private size = 0;
  readonly isTooLarge = false;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.size >= this.limit;
  }

  get(id: number): Uint8Array | undefined {
    return this.byId.get(id);
  }

  add({ _id, bytes }: Raw): void {
    this.remove(_id);
    if (this.isFull) return;
    this.size += bytes.length;
    this.byId.set(_id, bytes);
  }

  remove(id: number): void {
    this.size -= this.byId.get(id)?.length ?? 0;
    this.byId.delete(id);
  }
}

/** BSON: the start of a document whose first element is an integer of 32 bits named `_id`, after its length. */
const INT_ID = Buffer.from('\x10_id\0', 'latin1');

function withId(raw: Uint8Array): Raw {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const isPlain = bytes.subarray(4, 4 + INT_ID.length).equals(INT_ID);
  return { _id: isPlain ? bytes.readInt32LE(4 + INT_ID.length) : (BSON.deserialize(bytes)._id as number), bytes };
}

/**
 * Documents of a collection in memory, as many as fit, in the order of their ids: a command for a single document costs several times what
 * decoding it costs. Of use only if no other process writes to the database.
 */
export class RawDocuments<T extends Document & { _id: number }> {
  private readonly mirror: Mirror<Raw, RawContent>;

  /**
   * @param projection of the documents
   * @param limit in bytes
   * @param find finds documents that are not in memory, by id
   */
  constructor(
    private readonly db: Db,
    private readonly collection: string,
    private readonly projection: Document,
    limit: number,
    private readonly find: (ids: number[]) => Promise<T[]>,
  ) {
    // Set by `make` for the read that follows it.
    let content = new RawContent(limit);
    const source: MirrorSource<Raw> = {
      all: () => this.all(() => content.isFull),
      some: async (ids) =>
        (await this.read({ _id: { $in: ids } }, ids.length)).map(({ _id, bytes }) => ({ _id, bytes: Buffer.from(bytes) })),
    };
    this.mirror = new Mirror(source, () => (content = new RawContent(limit)));
  }

  /** Called after every write, even if it failed. @param ids the documents; null: any document */
  recordWrite(ids: readonly (number | string)[] | null): void {
    this.mirror.recordWrite(ids);
  }

  /** Documents by id, in any order. The first call begins to read all of them. */
  async load(ids: number[]): Promise<T[]> {
    const content = await this.mirror.readIfPresent();
    if (!content) return this.find(ids);
    const found: T[] = [];
    const missing: number[] = [];
    for (const id of ids) {
      const bytes = content.get(id);
      if (bytes) found.push(BSON.deserialize(bytes) as T);
      else missing.push(id);
    }
    return missing.length === 0 ? found : [...found, ...(await this.find(missing))];
  }

  private async *all(isEnough: () => boolean): AsyncGenerator<readonly Raw[]> {
    for (let last = -1; !isEnough();) {
      const batch = await this.read({ _id: { $gt: last } }, BATCH);
      const final = batch.at(-1);
      if (!final) return;
      yield batch;
      last = final._id;
    }
  }

  private async read(filter: Document, limit: number): Promise<Raw[]> {
    const options = { projection: this.projection, sort: { _id: 1 }, limit, batchSize: limit + 1, raw: true } as const;
    const found = await this.db.collection(this.collection).find(filter, options).toArray();
    return (found as unknown as Uint8Array[]).map(withId);
  }
}
