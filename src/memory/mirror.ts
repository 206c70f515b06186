import type { State } from './state.js';

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

/** After this many changes, the size of a collection that was too large is checked again. */
const CHECKED_AFTER = 2_000;

/** If more documents than this got other names, all are read again. */
const MAX_STALE = 2_000;

/**
 * Holds what is made of the documents of a collection in memory, and when it was read. They are read when they are first needed; after that,
 * only documents that got other names since.
 */
export class Mirror<T extends { _id: number }, C extends MirrorContent<T>> {
  /** What is held has the names of this time, or later ones. */
  private readAt = 0;
  private reading: Promise<void> | null = null;
  /** Whether everything is being read. */
  private isBeginning = false;
  /** The number of changes at which a collection that was too large is read again. */
  private pausedUntil = 0;

  /**
   * @param names of the collection
   * @param make makes empty content
   * @param place where the content is held; what disappears from there is read again
   */
  constructor(
    private readonly names: { state: State; collection: string },
    private readonly source: MirrorSource<T>,
    private readonly make: () => C,
    private readonly place: Place<C> = { content: null },
  ) {}

  /**
   * The content, including all writes that ended before the call. Null if it is too large, or if all of it is being replaced. Use it before
   * the next `await`, since it changes.
   */
  async read(): Promise<C | null> {
    // The second time, the reading began after the call.
    for (let i = 0; i < 2 && !this.isCurrent && !this.isUnreadable; i += 1) await this.refresh();
    return this.isUnreadable || this.isBeginning ? null : this.place.content;
  }

  /** Like `read`, but if everything has to be read, null; then that begins. */
  async readIfPresent(): Promise<C | null> {
    if (this.isUnreadable) return null;
    if (this.place.content && !this.isBeginning && this.stale !== null) return this.read();
    // A failure shows when it is read again.
    if (!this.reading) this.refresh().catch(() => {});
    return null;
  }

  /** Whether the content has the names of now. */
  get isCurrent(): boolean {
    const { state, collection } = this.names;
    return this.place.content !== null && !this.reading && state.isSame(collection, this.readAt);
  }

  /**
   * Changes the content as a write has changed the documents, so that they need not be read again. Call it after the end of the write.
   * @param ids the documents
   * @param since `State.now` before the write. If anything else was written since, it is unknown what came first
   */
  apply(ids: readonly number[], since: number, change: (content: C) => void): void {
    const { state, collection } = this.names;
    const { content } = this.place;
    if (!content || this.reading || !state.isOnlyWrite(collection, ids, since)) return;
    const others = state.renamedSince(collection, this.readAt);
    if (others?.every((id) => ids.includes(id as number)) !== true) return;
    change(content);
    this.readAt = state.now;
  }

  /** Like `apply`, for documents that were replaced. @param documents those of `ids` that there are now */
  replace(ids: readonly number[], since: number, documents: readonly T[]): void {
    this.apply(ids, since, (content) => {
      for (const id of ids) content.remove(id);
      for (const document of documents) content.add(document);
      this.settle(content);
    });
  }

  private get isUnreadable(): boolean {
    const { state, collection } = this.names;
    return state.changeCount < this.pausedUntil || state.isBeingReplaced(collection);
  }

  /** The documents to read again; null: all. */
  private get stale(): readonly number[] | null {
    const { state, collection } = this.names;
    const ids = state.renamedSince(collection, this.readAt);
    return ids === null || ids.length > MAX_STALE ? null : ([...new Set(ids)] as number[]);
  }

  private refresh(): Promise<void> {
    this.reading ??= this.update().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async update(): Promise<void> {
    const { content } = this.place;
    const { stale } = this;
    // What is renamed from here on is read again.
    const { now } = this.names.state;
    try {
      await (content && stale && content.isWorn !== true ? this.readAgain(content, stale) : this.readAll());
      this.readAt = now;
    } catch (error) {
      this.place.content = null;
      throw error;
    } finally {
      this.isBeginning = false;
    }
  }

  private async readAll(): Promise<void> {
    this.isBeginning = true;
    const { state, collection } = this.names;
    const { now } = state;
    const content = this.make();
    this.place.content = content;
    for await (const documents of this.source.all()) {
      for (const document of documents) content.add(document);
      const isOvertaken = state.renamedSince(collection, now) === null;
      if (isOvertaken) this.place.content = null;
      if (isOvertaken || this.isTooLarge(content)) return;
    }
    if (!this.isTooLarge(content)) this.settle(content);
  }

  private async readAgain(content: C, ids: readonly number[]): Promise<void> {
    const found = new Map((await this.source.some([...ids])).map((document) => [document._id, document]));
    for (const id of ids) {
      const document = found.get(id);
      if (document) content.add(document);
      else content.remove(id);
    }
    if (!this.isTooLarge(content)) this.settle(content);
  }

  private isTooLarge(content: C): boolean {
    if (!content.isTooLarge) return false;
    this.pausedUntil = this.names.state.changeCount + CHECKED_AFTER;
    this.place.content = null;
    return true;
  }

  /** Tells the place the new size of the content. */
  private settle(content: C): void {
    this.place.content = content;
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
