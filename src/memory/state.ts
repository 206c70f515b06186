/** The last name given to a state or to a version of a document. Names are never used again in this process, also not by other databases. */
let lastName = 0;

const nextName = (): number => (lastName += 1);

type Id = number | string;

/** Documents of a collection; null: any of them. */
export type Ids = readonly Id[] | null;

/** The names of a collection. */
interface Names {
  /** Of its content. */
  readonly content: number;
  /** The name of documents that are not in `written`. */
  readonly usual: number;
  readonly written: ReadonlyMap<Id, number>;
}

/** A state that a database can return to. */
export interface Mark {
  readonly content: number;
  /** The names of collections that are not in `collections`. */
  readonly usual: Names;
  readonly collections: ReadonlyMap<string, Names>;
}

/** Above this many written documents, all documents of the collection get a new version instead. */
const MAX_WRITTEN = 20_000;

/** Maximum number of changed documents of a collection that are listed; a mirror that misses some has to read everything. */
const MAX_LISTED = 4_000;

const newNames = (name: number): Names => ({ content: name, usual: name, written: new Map() });

/** How many writes to each document of a collection are under way; null: to any of them. */
type UnderWay = Map<Id | null, number>;

/** Documents that got another name, and when (`State.now`). */
export interface Rename {
  at: number;
  ids: readonly Id[];
}

/** The documents of a collection that were written lately, the latest last. */
class Renamed {
  private readonly entries: Rename[] = [];
  private listed = 0;
  /** Documents renamed before this time are not listed. */
  private unlisted: number;
  last: number;

  constructor(at: number) {
    this.last = this.unlisted = at;
  }

  add(at: number, ids: Ids): void {
    this.last = at;
    if (ids === null) {
      this.unlisted = at;
      this.entries.length = this.listed = 0;
      return;
    }
    this.entries.push({ at, ids });
    for (this.listed += ids.length; this.listed > MAX_LISTED;) {
      const oldest = this.entries.shift();
      if (!oldest) return;
      this.listed -= oldest.ids.length;
      this.unlisted = oldest.at;
    }
  }

  since(at: number): readonly Rename[] | null {
    if (at < this.unlisted) return null;
    return this.entries.slice(this.entries.findLastIndex((entry) => entry.at <= at) + 1);
  }
}

/**
 * Names the content of a database, and the version of each of its documents. The same name means the same content: a write changes the
 * names of what it writes, and a restored snapshot brings the names back. While a write is under way, its documents have a new name for
 * each reader: one may have seen the new version already, and then no other may get the old one.
 */
export class State {
  private content = nextName();
  private usual = newNames(this.content);
  private collections = new Map<string, Names>();
  /** The number of changes so far. */
  changeCount = 0;
  /** The number of returns to earlier states. While it stays the same, a version that changes never comes back. */
  returns = 0;
  private readonly underWay = new Map<string, UnderWay>();
  private readonly renamed = new Map<string, Renamed>();
  /** When everything got another name. */
  private renamedAll = this.content;
  private settingsName = '';

  /** The name of the content and of the settings in force. @param collection the name of its content alone */
  nameOf(collection?: string): string {
    const isChanging = this.isChanging(collection);
    if (collection === undefined) return `${isChanging ? nextName() : this.content} ${this.settingsName}`;
    return String(isChanging ? nextName() : this.namesOf(collection).content);
  }

  /** Differs after every change, even after a return to an earlier state: documents read while it stayed the same are consistent. */
  revisionOf(collection?: string): string {
    if (this.isChanging(collection)) return `changing ${nextName()}`;
    return collection === undefined ? String(this.changeCount) : `${this.namesOf(collection).content} ${this.returns}`;
  }

  versionOf(collection: string, id: Id): number {
    const writes = this.underWay.get(collection);
    if (writes && (writes.has(id) || writes.has(null))) return nextName();
    const { usual, written } = this.namesOf(collection);
    return written.get(id) ?? usual;
  }

  /** To be passed to `renamedSince` later. */
  get now(): number {
    return lastName;
  }

  /** Whether nothing in a collection got another name after `at`, and nothing is being written. */
  isSame(collection: string, at: number): boolean {
    return !this.underWay.has(collection) && (this.renamed.get(collection)?.last ?? this.renamedAll) <= at;
  }

  /** The documents that got another name after `at`, the latest last; null: any. */
  renamesSince(collection: string, at: number): readonly Rename[] | null {
    const renamed = this.renamed.get(collection);
    if (renamed) return renamed.since(at);
    return at < this.renamedAll ? null : [];
  }

  /** The documents that are being written; null: any. */
  writingIn(collection: string): Ids {
    const writes = this.underWay.get(collection);
    return writes?.has(null) === true ? null : ([...(writes?.keys() ?? [])] as Id[]);
  }

  /** Writes of this server that are under way. They settle when their changes are recorded here. */
  readonly ownWrites = new Set<Promise<unknown>>();

  /** The current settings, on which results depend besides the content of the database. */
  get settings(): string {
    return this.settingsName;
  }

  set settings(name: string) {
    if (name === this.settingsName) return;
    this.settingsName = name;
    this.changeCount += 1;
  }

  /** Called before and after every write. @param ids the documents; null: any of the collection */
  change(collection: string, ids: Ids, isDone: boolean): void {
    const writes: UnderWay = this.underWay.get(collection) ?? new Map<Id | null, number>();
    for (const id of ids ?? [null]) {
      const left = (writes.get(id) ?? 0) + (isDone ? -1 : 1);
      if (left > 0) writes.set(id, left);
      else writes.delete(id);
    }
    if (writes.size > 0) this.underWay.set(collection, writes);
    else this.underWay.delete(collection);
    const name = this.renew();
    const { usual, written } = this.namesOf(collection);
    const isAny = ids === null || written.size + ids.length > MAX_WRITTEN;
    // Changed in place, since copies are made of marks only.
    const own = (this.collections.has(collection) ? written : new Map(written)) as Map<Id, number>;
    if (!isAny) for (const id of ids) own.set(id, name);
    this.collections.set(collection, isAny ? newNames(name) : { content: name, usual, written: own });
    if (!isDone) return;
    const renamed = this.renamed.get(collection) ?? new Renamed(this.renamedAll);
    this.renamed.set(collection, renamed);
    renamed.add(name, ids);
  }

  /** Gives new names to everything. */
  changeAll(): void {
    const name = this.renew();
    this.usual = newNames(name);
    this.collections.clear();
    this.renamed.clear();
    this.renamedAll = name;
  }

  /** The state as it is now, for `enter`; null while a write is under way. */
  mark(): Mark | null {
    return this.isChanging() ? null : { content: this.content, usual: this.usual, collections: copyOf(this.collections) };
  }

  /** Called when the last write has brought the content back to a state, of this database or of another one of the process. */
  enter({ content, usual, collections }: Mark): void {
    this.changeCount += 1;
    this.returns += 1;
    this.content = content;
    this.usual = usual;
    this.collections = copyOf(collections);
  }

  /** Whether a write is under way. @param collection to this one alone */
  isChanging(collection?: string): boolean {
    return collection === undefined ? this.underWay.size > 0 : this.underWay.has(collection);
  }

  private namesOf(collection: string): Names {
    return this.collections.get(collection) ?? this.usual;
  }

  private renew(): number {
    this.changeCount += 1;
    this.content = nextName();
    return this.content;
  }
}

const copyOf = (collections: ReadonlyMap<string, Names>): Map<string, Names> =>
  new Map([...collections].map(([collection, names]) => [collection, { ...names, written: new Map(names.written) }]));
