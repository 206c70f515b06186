import type { State } from './state.js';

/** A value that writes change in place: use it before the next `await`. */
export type Momentary<Value> = Value;

/** The source of the documents of a mirror. Callers do not modify them. */
export interface MirrorSource<T> {
  /** Reads all of them, in batches. */
  all: () => AsyncIterable<readonly T[]>;
  /** Whether reading all of them takes no longer than a query. */
  readonly isQuick?: () => boolean;
  /** Reads documents by id, in any order. */
  some: (ids: number[]) => Promise<T[]>;
  /** Identifies all documents, as long as they are those that other databases began with, too. */
  readonly origin?: () => object | null;
  /** Identifies what is read of them. */
  readonly name?: string;
}

export interface MirrorContent<T> {
  add: (document: T) => void;
  remove: (id: number) => void;
  /** Whether it takes too much memory. */
  readonly isTooLarge: boolean;
  /** Whether replaced documents take so much memory that everything should be read again. */
  readonly needsCompaction?: boolean;
  /** Whether further documents do not fit, and need not be read. */
  readonly isFull?: boolean;
  /** A copy that can change. Absent: contents are not shared. */
  copy?: () => MirrorContent<T>;
}

/** Contents by the origin of the documents and the name of the source. Databases share them until they change. */
const contentsOf = new WeakMap<object, Map<string, unknown>>();

/** Holds the content of a mirror. Null if nothing was read. */
interface Slot<C> {
  content: C | null;
}

/** After this many changes, the size of a collection that was too large is checked again. */
const CHECKED_AFTER = 2_000;

/** If more documents than this have changed, all are read again. */
const MAX_STALE = 2_000;

/** A write of this server to some documents, from its begin to before its end (`State.latestVersion`). */
export interface OwnWrite {
  ids: readonly number[];
  began: number;
  ended: number;
}

/**
 * Holds content computed from all documents of a collection in memory. They are read on first use; after that, only documents that have
 * changed.
 */
export class Mirror<T extends { _id: number }, C extends MirrorContent<T>> {
  /** The content is as current as this time, or newer. */
  private readAt = 0;
  /** Documents that this server changed after that, and when. */
  private readonly applied = new Map<number, number>();
  private reading: Promise<void> | null = null;
  /** The number of changes at which a collection that was too large is read again. */
  private pausedUntil = 0;
  /** Whether other databases have the content, too. */
  private isShared = false;

  /**
   * @param make makes empty content
   * @param slot holds the content; if it disappears, it is read again
   * @param onTooLarge called with content that takes too much memory, before it is discarded
   */
  constructor(
    private readonly state: State,
    private readonly collection: string,
    private readonly source: MirrorSource<T>,
    private readonly make: () => C,
    private readonly slot: Slot<C> = { content: null },
    private readonly onTooLarge: (content: C) => void = () => undefined,
  ) {}

  /** The content, including all writes that ended before the call. Null if it is too large, or being replaced. */
  async read(): Promise<Momentary<C> | null> {
    // Waiting for pending writes takes less time than reading twice.
    if (!this.isCurrent && this.state.ownWrites.size > 0) await Promise.allSettled(this.state.ownWrites);
    // A read that is under way began before the call.
    for (let left = this.reading ? 2 : 1; left > 0 && !this.isCurrent && !this.isUnreadable; left -= 1) await this.refresh();
    return this.isUnreadable ? null : this.slot.content;
  }

  /** Like `read`, but if everything has to be read, starts that and returns null. */
  async readIfPresent(): Promise<Momentary<C> | null> {
    if (this.isUnreadable) return null;
    if (this.source.isQuick?.() === true || (this.slot.content && this.stale !== null)) return this.read();
    // The next read reports a failure.
    if (!this.reading) this.refresh().catch(() => {});
    return null;
  }

  /** The content, if it includes all writes that have ended. It may include writes that are under way, or parts of them. */
  get known(): Momentary<C> | null {
    return this.reading || this.missing?.length !== 0 ? null : this.slot.content;
  }

  private get isCurrent(): boolean {
    if (this.slot.content === null || this.reading) return false;
    return this.state.isSame(this.collection, this.readAt) || this.stale?.length === 0;
  }

  /**
   * Applies a write of this server to the content, so that the documents need not be read again. Call it right after the end of the write.
   * @param change may be applied in any order with others, or replaces the documents
   */
  apply(write: OwnWrite, change: (content: C) => void, isReplacement = false): void {
    if (!this.slot.content || this.reading || !this.canApply(write, isReplacement)) return;
    change(this.own(this.slot.content));
    const { latestVersion: now } = this.state;
    for (const id of write.ids) this.applied.set(id, now);
    if (this.stale?.length !== 0) return;
    this.readAt = now;
    this.applied.clear();
  }

  /** Like `apply`, for documents that were replaced. @param documents the documents of `ids` that exist now */
  replace(write: OwnWrite, documents: readonly T[]): void {
    const change = (content: C): void => {
      for (const id of write.ids) content.remove(id);
      for (const document of documents) content.add(document);
    };
    this.apply(write, change, true);
  }

  /** Whether the content includes all earlier writes to the documents, and for a replacement, whether there was none since it began. */
  private canApply({ ids, began, ended }: OwnWrite, isReplacement: boolean): boolean {
    // Documents read in the meantime may include it or not.
    if (this.readAt > began) return false;
    const earlier = this.state.invalidationsSince(this.collection, this.readAt)?.filter(({ at }) => at <= ended);
    if (
      !earlier ||
      earlier.some(({ at, ids: changed }) => changed.some((id) => this.isMissing(id as number, at) && ids.includes(id as number)))
    )
      return false;
    if (!isReplacement) return true;
    const writing = this.state.writingIn(this.collection);
    return writing !== null && !ids.some((id) => writing.includes(id) || !this.isMissing(id, began));
  }

  /** Whether a change of a document is not in the content. */
  private isMissing(id: number, at: number): boolean {
    return at > (this.applied.get(id) ?? 0);
  }

  private get isUnreadable(): boolean {
    return this.state.changeCount < this.pausedUntil || this.state.writingIn(this.collection) === null;
  }

  /** The documents whose writes have ended, and are not in the content; null: any. */
  private get missing(): readonly number[] | null {
    const invalidations = this.state.invalidationsSince(this.collection, this.readAt);
    return invalidations && (invalidations.flatMap(({ at, ids }) => ids.filter((id) => this.isMissing(id as number, at))) as number[]);
  }

  /** The documents to read again; null: all. */
  private get stale(): readonly number[] | null {
    const [missing, writing] = [this.missing, this.state.writingIn(this.collection)];
    if (!missing || !writing) return null;
    const ids = new Set([...missing, ...writing] as number[]);
    return ids.size > MAX_STALE ? null : [...ids];
  }

  private refresh(): Promise<void> {
    this.reading ??= this.update().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async update(): Promise<void> {
    const { stale, slot } = this;
    const content = slot.content && this.own(slot.content);
    // Documents that change from here on are read again.
    const { latestVersion: now } = this.state;
    try {
      await (content && stale && content.needsCompaction !== true ? this.readAgain(content, stale) : this.readAll());
      this.readAt = now;
      this.applied.clear();
    } catch (error) {
      this.slot.content = null;
      throw error;
    }
  }

  /** The content, for changes. */
  private own(content: C): C {
    if (!this.isShared) return content;
    this.isShared = false;
    return (this.slot.content = content.copy!() as C);
  }

  private async readAll(): Promise<void> {
    const { latestVersion: now } = this.state;
    const { origin, name = '' } = this.source;
    const from = origin?.() ?? null;
    const known = from && contentsOf.get(from)?.get(name);
    this.slot.content = (known as C | undefined) ?? null;
    this.isShared = Boolean(known);
    if (known) return;
    // Nobody uses the new content before it is complete.
    const content = this.make();
    for await (const documents of this.source.all()) {
      for (const document of documents) content.add(document);
      if (this.state.invalidationsSince(this.collection, now) === null || this.isTooLarge(content)) return;
      if (content.isFull === true) break;
    }
    this.slot.content = content;
    this.isShared = from !== null && content.copy !== undefined && origin?.() === from;
    if (from && this.isShared) contentsOf.set(from, new Map(contentsOf.get(from)).set(name, content));
  }

  private async readAgain(content: C, ids: readonly number[]): Promise<void> {
    const documents = content.isFull === true ? [] : await this.source.some([...ids]);
    const found = new Map(documents.map((document) => [document._id, document]));
    for (const id of ids) {
      const document = found.get(id);
      if (document) content.add(document);
      else content.remove(id);
    }
    // Again: its size may have changed.
    if (!this.isTooLarge(content)) this.slot.content = content;
  }

  private isTooLarge(content: C): boolean {
    if (!content.isTooLarge) return false;
    this.onTooLarge(content);
    this.pausedUntil = this.state.changeCount + CHECKED_AFTER;
    this.slot.content = null;
    return true;
  }
}

/** Documents by id, in the order of ids. */
export class DocumentsInOrder<T extends { _id: number }> implements MirrorContent<T> {
  private byId = new Map<number, T>();
  private isSorted = true;

  /** @param limit maximum number of documents */
  constructor(private readonly limit: number) {}

  copy(): DocumentsInOrder<T> {
    const copy = new DocumentsInOrder<T>(this.limit);
    copy.byId = new Map(this.all);
    return copy;
  }

  get isTooLarge(): boolean {
    return this.byId.size > this.limit;
  }

  add(document: T): void {
    this.isSorted &&= this.byId.has(document._id);
    this.byId.set(document._id, document);
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
