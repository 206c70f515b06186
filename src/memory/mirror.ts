/** Where the documents of a mirror come from. Callers do not modify them. */
export interface MirrorSource<T> {
  /** Reads all of them, in batches. */
  all: () => AsyncIterable<readonly T[]>;
  /** Reads documents by id, in any order. */
  some: (ids: number[]) => Promise<T[]>;
}

/** What a mirror makes of the documents. */
export interface MirrorContent<T> {
  /** Adds or replaces a document. */
  add: (document: T) => void;
  remove: (id: number) => void;
  /** Whether it takes too much memory. */
  readonly isTooLarge: boolean;
  /** Whether replaced documents take so much memory that everything should be read again. */
  readonly isWorn?: boolean;
}

/** Holds the content of a mirror. Null: nothing was read yet. */
export interface Place<C> {
  content: C | null;
}

/** After this many writes to a collection that was too large, its size is checked again. */
const CHECKED_AFTER = 1_000;

/** If more documents than this were written to, all are read again. */
const MAX_STALE = 2_000;

/**
 * Holds what is made of the documents of a collection in memory. They are read when they are first needed; after that, only documents that
 * were written to are read again. Of use only if no other process writes to the database.
 */
export class Mirror<T extends { _id: number }, C extends MirrorContent<T>> {
  /** Ids of documents that were written to since they were read, each with the number of these writes. */
  private stale = new Map<number, number>();
  /** Number of reads that were begun or ended. */
  private reads = 0;
  /** A read that is under way. */
  private reading: Promise<void> | null = null;
  /** Number of writes to wait before a collection that was too large is read again. */
  private pause = 0;

  /**
   * @param make makes empty content
   * @param place where the content is held; what disappears from there is read again
   */
  constructor(
    private readonly source: MirrorSource<T>,
    private readonly make: () => C,
    private readonly place: Place<C> = { content: null },
  ) {}

  /** Called after every write, even if it failed. @param ids the documents; null: any document */
  recordWrite(ids: readonly (number | string)[] | null): void {
    this.pause = Math.max(0, this.pause - 1);
    if (ids === null || this.stale.size + ids.length > MAX_STALE) this.place.content = null;
    else if (this.place.content) for (const id of ids) this.stale.set(Number(id), (this.stale.get(Number(id)) ?? 0) + 1);
  }

  /** To be passed to `apply`. */
  get progress(): number {
    return this.reads;
  }

  /**
   * Changes the content as a write has changed the documents, so that they need not be read again. Call it after the end of the write.
   * @param ids the documents, which `recordWrite` was called with
   * @param since the `progress` before the write. If anything was read since, it is unknown whether that includes the write
   */
  apply(ids: readonly number[], since: number, change: (content: C) => void): void {
    const { content } = this.place;
    if (!content || this.reading || since !== this.reads) return;
    for (const id of ids) {
      const writes = this.stale.get(id) ?? 0;
      if (writes > 1) this.stale.set(id, writes - 1);
      else this.stale.delete(id);
    }
    change(content);
  }

  /** Like `apply`, for documents that were replaced. @param documents those of `ids` that there are now */
  replace(ids: readonly number[], since: number, documents: readonly T[]): void {
    this.apply(ids, since, (content) => {
      for (const id of ids) content.remove(id);
      for (const document of documents) content.add(document);
    });
  }

  /**
   * The content, including all writes that ended before the call. Null if it is too large. Use it before the next `await`, since it
   * changes.
   */
  async read(): Promise<C | null> {
    while (this.pause === 0) {
      const { content } = this.place;
      if (content && this.stale.size === 0 && !this.reading) return content;
      await this.refresh();
    }
    return null;
  }

  /** The content without the latest writes, or before it is complete. Null: nothing was read yet. */
  get outdated(): C | null {
    return this.place.content;
  }

  /** Like `read`, but if everything has to be read, null; then that begins. */
  async readIfPresent(): Promise<C | null> {
    if (this.place.content && !this.isBeginning) return this.read();
    // A failure shows when it is read again.
    if (this.pause === 0) this.refresh().catch(() => {});
    return null;
  }

  /** Whether everything is being read. */
  private isBeginning = false;

  private refresh(): Promise<void> {
    this.reading ??= this.update().finally(() => {
      this.reading = null;
      this.reads += 1;
    });
    return this.reading;
  }

  private async update(): Promise<void> {
    this.reads += 1;
    try {
      const { content } = this.place;
      if (content && !content.isWorn) await this.readStale(content);
      else await this.readAll();
    } catch (error) {
      this.place.content = null;
      throw error;
    } finally {
      this.isBeginning = false;
    }
  }

  private async readAll(): Promise<void> {
    this.isBeginning = true;
    const content = this.make();
    this.place.content = content;
    this.stale.clear();
    for await (const documents of this.source.all()) {
      // Discarded by a write in the meantime.
      if (this.place.content !== content) return;
      for (const document of documents) content.add(document);
      if (!content.isTooLarge) continue;
      this.pause = CHECKED_AFTER;
      this.place.content = null;
      return;
    }
    this.settle(content);
  }

  private async readStale(content: C): Promise<void> {
    const ids = [...this.stale.keys()];
    this.stale.clear();
    const found = new Map((await this.source.some(ids)).map((document) => [document._id, document]));
    for (const id of ids) {
      const document = found.get(id);
      if (document) content.add(document);
      else content.remove(id);
    }
    if (content.isTooLarge) {
      this.pause = CHECKED_AFTER;
      this.place.content = null;
    } else this.settle(content);
  }

  /** Tells the place the new size of the content. */
  private settle(content: C): void {
    if (this.place.content === content) this.place.content = content;
  }
}

/** Documents by id, in the order of ids. */
export class DocumentsInOrder<T extends { _id: number }> implements MirrorContent<T> {
  private byId = new Map<number, T>();
  private last: number | null = null;
  private isSorted = true;

  /** @param limit maximum number of documents */
  constructor(private readonly limit: number) {}

  get isTooLarge(): boolean {
    return this.byId.size > this.limit;
  }

  add(document: T): void {
    const { _id } = document;
    if (this.last !== null && _id <= this.last) this.isSorted &&= this.byId.has(_id);
    else this.last = _id;
    this.byId.set(_id, document);
  }

  remove(id: number): void {
    this.byId.delete(id);
  }

  get(id: number): T | undefined {
    return this.byId.get(id);
  }

  get all(): ReadonlyMap<number, T> {
    if (!this.isSorted) this.byId = new Map([...this.byId].toSorted(([a], [b]) => a - b));
    this.isSorted = true;
    return this.byId;
  }
}
