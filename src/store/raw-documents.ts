import { BSON, type Db, type Document } from 'mongodb';
import { ByteLog } from './byte-log.js';
import { idOf } from './differences.js';
import { Mirror, type MirrorContent, type MirrorSource } from '../memory/mirror.js';
import { RowsById } from '../memory/table/ids.js';

/** The bytes of a document. */
interface Raw {
  _id: number;
  bytes: Uint8Array;
}

/** Documents in a batch. */
const BATCH = 500;

/** As much may be wasted on documents that were replaced, in bytes; beyond that, as much as is in use. */
const WASTE = 16 * 1024 * 1024;

/** As many documents as fit, each as its bytes: that takes half of the memory of what is decoded, and no work of the garbage collector. */
class RawContent implements MirrorContent<Raw> {
  private readonly rows = new RowsById();
  private positions = new Float64Array(1_000);
  private lengths = new Uint32Array(1_000);
  private count = 0;
  private used = 0;
  private wasted = 0;
  readonly isTooLarge = false;

  constructor(private readonly log: ByteLog) {}

  get isWorn(): boolean {
    return this.wasted > Math.max(WASTE, this.used);
  }

  /** Valid until the next call. */
  get(id: number): Uint8Array | undefined {
    const row = this.rows.get(id);
    return row === undefined ? undefined : this.log.read(this.positions[row], this.lengths[row]);
  }

  add({ _id, bytes }: Raw): void {
    const known = this.rows.get(_id);
    this.remove(_id);
    const at = this.log.append(bytes);
    if (at === null) return;
    const row = known ?? this.newRow();
    this.positions[row] = at;
    this.lengths[row] = bytes.length;
    this.rows.set(_id, row);
    this.used += bytes.length;
  }

  remove(id: number): void {
    const row = this.rows.get(id);
    if (row === undefined) return;
    this.rows.delete(id);
    this.used -= this.lengths[row];
    this.wasted += this.lengths[row];
  }

  private newRow(): number {
    if (this.count === this.positions.length) {
      const { positions, lengths } = this;
      this.positions = new Float64Array(2 * this.count);
      this.positions.set(positions);
      this.lengths = new Uint32Array(2 * this.count);
      this.lengths.set(lengths);
    }
    this.count += 1;
    return this.count - 1;
  }
}

/** The database has only texts that it was given. */
const TRUSTED = { validation: { utf8: false } } as const;

/** What is kept, and where. */
export interface RawSource<T> {
  db: Db;
  collection: string;
  /** Of the documents. */
  projection: Document;
  /** Finds documents that are not kept, by id. */
  find: (ids: number[]) => Promise<T[]>;
  /** Whether a write of a document is under way. Somebody may have seen it: then nobody may read what was there before. */
  isBeingWritten: (id: number) => boolean;
  /** Limit in memory, in bytes. */
  limit: number;
  /** For a file with what does not fit; null: that is not kept. */
  folder: string | null;
}

/**
 * Documents of a collection as their bytes, as many as fit, in the order of their ids: a command for a single document costs several times
 * what decoding it costs. Of use only if no other process writes to the database.
 */
export class RawDocuments<T extends Document & { _id: number }> {
  private readonly mirror: Mirror<Raw, RawContent>;
  private readonly log: ByteLog;
  /** What `log` has the bytes of. */
  private content: RawContent | undefined;

  constructor(private readonly source: RawSource<T>) {
    this.log = new ByteLog(source.limit, source.folder);
    const reader: MirrorSource<Raw> = {
      all: () => this.all(),
      some: (ids) => this.read({ _id: { $in: ids } }, ids.length),
    };
    this.mirror = new Mirror(reader, () => {
      this.log.clear();
      return (this.content = new RawContent(this.log));
    });
  }

  /** Called after every write, even if it failed. @param ids the documents; null: any document */
  recordWrite(ids: readonly (number | string)[] | null): void {
    this.mirror.recordWrite(ids);
  }

  /** Documents by id, in any order. The first call begins to read all of them. */
  async load(ids: number[]): Promise<T[]> {
    const content = await this.mirror.readIfPresent();
    // Others may have begun to replace it.
    const { find, isBeingWritten } = this.source;
    if (!content || content !== this.content) return find(ids);
    const found: T[] = [];
    const missing: number[] = [];
    for (const id of ids) {
      const bytes = isBeingWritten(id) ? undefined : content.get(id);
      if (bytes) found.push(BSON.deserialize(bytes, TRUSTED) as T);
      else missing.push(id);
    }
    return missing.length === 0 ? found : [...found, ...(await find(missing))];
  }

  /** Frees the file. Nothing is loaded after that. */
  close(): void {
    this.log.close();
  }

  private async *all(): AsyncGenerator<readonly Raw[]> {
    for (let last = -1; !this.log.isFull;) {
      const batch = await this.read({ _id: { $gt: last } }, BATCH);
      const final = batch.at(-1);
      if (!final) return;
      yield batch;
      if (batch.length < BATCH) return;
      last = final._id;
    }
  }

  private async read(filter: Document, limit: number): Promise<Raw[]> {
    const { db, collection, projection } = this.source;
    const options = { projection, sort: { _id: 1 }, limit, batchSize: limit + 1, raw: true } as const;
    const found = await db.collection(collection).find(filter, options).toArray();
    return (found as unknown as Uint8Array[]).map((bytes) => ({ _id: idOf(bytes) as number, bytes }));
  }
}
