/** The latest version in this process. All databases share the sequence, so no version is ever used twice. */
let lastVersion = 0;

const nextVersion = (): number => (lastVersion += 1);

type Id = number | string;

/** Documents of a collection; null: any of them. */
export type Ids = readonly Id[] | null;

interface Versions {
  /** The generation of its content. */
  readonly content: number;
  /** The version of documents that are not in `written`. */
  readonly unwritten: number;
  readonly written: ReadonlyMap<Id, number>;
}

/** A state that a database can return to. */
export interface Mark {
  readonly content: number;
  /** The versions of collections that are not in `collections`. */
  readonly unwritten: Versions;
  readonly collections: ReadonlyMap<string, Versions>;
}

/** Above this many written documents, all documents of the collection get a new version instead. */
const MAX_WRITTEN = 20_000;

/** Maximum number of changed documents of a collection that are listed; a mirror that misses some has to read everything. */
const MAX_LISTED = 4_000;

const newVersions = (version: number): Versions => ({ content: version, unwritten: version, written: new Map() });

/** How many writes to each document of a collection are under way; null: to any of them. */
type PendingWrites = Map<Id | null, number>;

/** Documents that got a new version, and which (`State.latestVersion`). */
interface Invalidation {
  at: number;
  ids: readonly Id[];
}

/** The documents of a collection that were written lately, the latest last. */
class InvalidationLog {
  private readonly entries: Invalidation[] = [];
  private listed = 0;
  /** Changes before this version are no longer listed. */
  private droppedUntil: number;
  last: number;

  constructor(at: number) {
    this.last = this.droppedUntil = at;
  }

  add(at: number, ids: Ids): void {
    this.last = at;
    if (ids === null) {
      this.droppedUntil = at;
      this.entries.length = this.listed = 0;
      return;
    }
    this.entries.push({ at, ids });
    for (this.listed += ids.length; this.listed > MAX_LISTED;) {
      const oldest = this.entries.shift();
      if (!oldest) return;
      this.listed -= oldest.ids.length;
      this.droppedUntil = oldest.at;
    }
  }

  since(at: number): readonly Invalidation[] | null {
    if (at < this.droppedUntil) return null;
    return this.entries.slice(this.entries.findLastIndex((entry) => entry.at <= at) + 1);
  }
}

/**
 * The versions of a database: a generation of its content and of each collection, and a version of each document. The same version means
 * the same content: a write changes the versions of what it writes, and a restored snapshot brings them back. While a write is pending,
 * each reader gets a different version of its documents: one reader may have seen the new document already, and then no other may get the
 * old one.
 */
export class State {
  private content = nextVersion();
  private unwritten = newVersions(this.content);
  private collections = new Map<string, Versions>();
  changeCount = 0;
  /** The number of returns to earlier states. While it stays the same, an old version never comes back. */
  returns = 0;
  private readonly pendingWrites = new Map<string, PendingWrites>();
  private readonly invalidations = new Map<string, InvalidationLog>();
  /** The version at which everything was invalidated. */
  private invalidatedAllAt = this.content;
  private settingsVersion = '';

  /** The generation of the content and of the settings in force, as a cache key. @param collection the generation of this one alone */
  generationOf(collection?: string): string {
    const isChanging = this.isChanging(collection);
    if (collection === undefined) return `${isChanging ? nextVersion() : this.content} ${this.settingsVersion}`;
    return String(isChanging ? nextVersion() : this.versionsOf(collection).content);
  }

  /** Changes with every write, even one that restores an earlier state: documents read while it stayed the same are consistent. */
  revisionOf(collection?: string): string {
    if (this.isChanging(collection)) return `changing ${nextVersion()}`;
    return collection === undefined ? String(this.changeCount) : `${this.versionsOf(collection).content} ${this.returns}`;
  }

  versionOf(collection: string, id: Id): number {
    const writes = this.pendingWrites.get(collection);
    if (writes && (writes.has(id) || writes.has(null))) return nextVersion();
    const { unwritten, written } = this.versionsOf(collection);
    return written.get(id) ?? unwritten;
  }

  /** The latest version, to be passed to `invalidationsSince` later. */
  get latestVersion(): number {
    return lastVersion;
  }

  /** Whether nothing in a collection has changed since version `at`, and no write is pending. */
  isSame(collection: string, at: number): boolean {
    return !this.pendingWrites.has(collection) && (this.invalidations.get(collection)?.last ?? this.invalidatedAllAt) <= at;
  }

  /** The documents that have changed since version `at`, the latest last; null: any. */
  invalidationsSince(collection: string, at: number): readonly Invalidation[] | null {
    const log = this.invalidations.get(collection);
    if (log) return log.since(at);
    return at < this.invalidatedAllAt ? null : [];
  }

  /** The documents that are being written; null: any. */
  writingIn(collection: string): Ids {
    const writes = this.pendingWrites.get(collection);
    return writes?.has(null) === true ? null : ([...(writes?.keys() ?? [])] as Id[]);
  }

  /** Writes of this server that are under way. They settle when their changes are recorded here. */
  readonly ownWrites = new Set<Promise<unknown>>();

  /** The current settings, on which results depend besides the content of the database. */
  get settings(): string {
    return this.settingsVersion;
  }

  set settings(name: string) {
    if (name === this.settingsVersion) return;
    this.settingsVersion = name;
    this.changeCount += 1;
  }

  /** Called before a write is sent. @param ids the documents; null: any of the collection */
  beginWrite(collection: string, ids: Ids): void {
    this.change(collection, ids, 1);
  }

  /** Called after the response to a write, or its failure. */
  endWrite(collection: string, ids: Ids): void {
    const version = this.change(collection, ids, -1);
    const log = this.invalidations.get(collection) ?? new InvalidationLog(this.invalidatedAllAt);
    this.invalidations.set(collection, log);
    log.add(version, ids);
  }

  /** Gives new versions to documents. @param pending how many more writes of them are under way */
  private change(collection: string, ids: Ids, pending: 1 | -1): number {
    const writes: PendingWrites = this.pendingWrites.get(collection) ?? new Map<Id | null, number>();
    for (const id of ids ?? [null]) {
      const left = (writes.get(id) ?? 0) + pending;
      if (left > 0) writes.set(id, left);
      else writes.delete(id);
    }
    if (writes.size > 0) this.pendingWrites.set(collection, writes);
    else this.pendingWrites.delete(collection);
    const version = this.advance();
    const { unwritten, written } = this.versionsOf(collection);
    const isAny = ids === null || written.size + ids.length > MAX_WRITTEN;
    // Changed in place, since copies are made of marks only.
    const own = (this.collections.has(collection) ? written : new Map(written)) as Map<Id, number>;
    if (!isAny) for (const id of ids) own.set(id, version);
    this.collections.set(collection, isAny ? newVersions(version) : { content: version, unwritten, written: own });
    return version;
  }

  /** Assigns new versions to everything. */
  changeAll(): void {
    const version = this.advance();
    this.unwritten = newVersions(version);
    this.collections.clear();
    this.invalidations.clear();
    this.invalidatedAllAt = version;
  }

  /** The state as it is now, for `enter`; null while a write is under way. */
  mark(): Mark | null {
    return this.isChanging() ? null : { content: this.content, unwritten: this.unwritten, collections: copyOf(this.collections) };
  }

  /** Called when the last write has brought the content back to a state, of this database or of another one of the process. */
  enter({ content, unwritten, collections }: Mark): void {
    this.changeCount += 1;
    this.returns += 1;
    this.content = content;
    this.unwritten = unwritten;
    this.collections = copyOf(collections);
  }

  /** Whether a write is under way. @param collection to this one alone */
  isChanging(collection?: string): boolean {
    return collection === undefined ? this.pendingWrites.size > 0 : this.pendingWrites.has(collection);
  }

  private versionsOf(collection: string): Versions {
    return this.collections.get(collection) ?? this.unwritten;
  }

  private advance(): number {
    this.changeCount += 1;
    this.content = nextVersion();
    return this.content;
  }
}

const copyOf = (collections: ReadonlyMap<string, Versions>): Map<string, Versions> =>
  new Map([...collections].map(([collection, names]) => [collection, { ...names, written: new Map(names.written) }]));
