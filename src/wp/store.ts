import { Connection } from '../store/connection.js';
import { Database, type DatabaseLocation } from '../store/database.js';
import { Memory } from '../memory/memory.js';
import { Finder } from '../store/finder.js';
import { DocumentsInOrder, Mirror, type MirrorContent } from '../memory/mirror.js';
import type { Write } from '../store/observe.js';
import type { Restored } from '../store/snapshots.js';
import type { Step } from '../store/together.js';
import { RawDocuments, type RawSource } from '../store/raw-documents.js';
import { scan } from '../store/scan.js';
import { Rows, type ColumnKinds } from '../memory/table/rows.js';
import { indexes } from './indexes.js';
import { columnKinds } from './query/clauses.js';
import type { Post, Term, User } from './model.js';
import { NextPublication } from './next-publication.js';
import { referenceColumns } from './types/registry.js';
import { Texts } from './query/texts.js';

/** A site option. WP: a row of `wp_options`. */
export interface OptionDocument {
  _id: string;
  value: unknown;
}

/** A change of one post or term, by a request or by the clock. Loads, resets and snapshots do not report theirs. */
export type Change = { kind: 'post'; before: Post | null; after: Post | null } | { kind: 'term'; before: Term | null; after: Term | null };

/** A write that changes the counts of a term. */
export interface CountStep {
  collection: 'terms';
  update: number;
  change: { $inc: { count: number; branchCount: number } };
}

const isCount = (step: Step): step is CountStep => step.collection === 'terms' && 'update' in step && '$inc' in step.change;

/** Without derived columns. */
const POST_ITSELF = { search: 0, titleKey: 0, slugKey: 0 };

/** Up to this many terms are kept in memory. */
const MAX_TERMS = 5_000;

/** Restores what a mirror holds as well, once the documents are restored. */
function withMirror<T extends { _id: number }>(
  mirror: Mirror<T, MirrorContent<T>>,
  restored: Restored,
  ids: readonly (number | string)[] | null,
): Restored {
  const since = mirror.progress;
  return (documents) => {
    restored(documents);
    if (ids && documents) mirror.replace(ids.map(Number), since, documents as unknown as T[]);
  };
}

/** The database of a site. */
export class Store extends Database {
  readonly posts = this.collection<Post>('posts');
  readonly terms = this.collection<Term>('terms');
  readonly users = this.collection<User>('users');
  readonly options = this.collection<OptionDocument>('options');
  /** The columns of posts in memory; null if other processes write to the database too. */
  readonly rows: Mirror<{ _id: number }, Rows> | null;
  readonly nextPublication = new NextPublication(this.posts);
  /** Called after each change of a post or term. It must not throw. */
  onChange: ((change: Change) => void) | undefined;

  private readonly termsInMemory = new Mirror(
    {
      all: () => scan<Term>({ db: this.db, collection: 'terms' }, {}, {}),
      some: (ids) => this.terms.find({ _id: { $in: ids } }).toArray(),
    },
    () => new DocumentsInOrder<Term>(MAX_TERMS),
  );

  private readonly postFinder = new Finder<Post>(this.db, 'posts', POST_ITSELF);

  /** The posts themselves; null in databases of sandboxes, where little is read that the main one has not shown already. */
  private readonly rawPosts: RawDocuments<Post> | null;

  readonly texts = new Texts(this.db, this.posts, this.memory.texts);

  private constructor(location: DatabaseLocation) {
    super(location, indexes());
    this.rows = this.shared ? null : this.rowsOf(columnKinds());
    this.rawPosts = !this.shared && location.ownsConnection ? new RawDocuments<Post>(this.rawSource()) : null;
  }

  private rawSource(): RawSource<Post> {
    return {
      db: this.db,
      collection: 'posts',
      projection: POST_ITSELF,
      find: (ids) => this.postFinder.find(ids),
      isBeingWritten: (id) => this.state.isBeingWritten('posts', id),
      limit: this.memory.raw,
      folder: this.memory.scratch,
    };
  }

  private rowsOf(kinds: ColumnKinds): Mirror<{ _id: number }, Rows> {
    const projection = Object.fromEntries(Object.keys(kinds).map((path) => [path, 1]));
    const source = {
      all: () => scan<{ _id: number }>({ db: this.db, collection: 'posts' }, {}, projection),
      some: (ids: number[]) =>
        this.db
          .collection<{ _id: number }>('posts')
          .find({ _id: { $in: ids } }, { projection })
          .toArray(),
    };
    return new Mirror(source, () => new Rows(kinds, this.memory.columns));
  }

  /**
   * Connects, converts data of an older format, and creates missing indexes.
   * @param at MongoDB connection string, or a connection
   * @param name database name; default: the one in the connection string, else `understudy`
   * @param shared whether other processes write to the database too
   * @param memory what limits the caches
   * @throws EngineError if the server does not respond or rejects the connection, or if a newer version of Understudy wrote the data
   */
  static async open(at: string | Connection, name?: string, shared = false, memory?: Memory): Promise<Store> {
    return (await (await Store.openAsIs(at, name, shared, memory)).convert()).prepare();
  }

  /** Like `open`, for a database that no other process writes to, but does not wait for its indexes: other work takes as long. */
  static async openSoon(at: string | Connection, name?: string, memory?: Memory): Promise<Store> {
    return (await (await Store.openAsIs(at, name, false, memory)).convert()).createIndexes();
  }

  /** Connects without changing anything: no index is created, and data of an older format is not converted. @throws EngineError */
  static async openAsIs(at: string | Connection, name?: string, shared = false, memory = new Memory()): Promise<Store> {
    const connection = typeof at === 'string' ? await Connection.open(at) : at;
    return new Store({ connection, name, shared, ownsConnection: true, memory });
  }

  /** Opens another database of the same server over the same connection. */
  sibling(name: string): Promise<Store> {
    return new Store(this.siblingLocation(name)).prepare();
  }

  /**
   * All terms by id, in the order of ids; null if there are too many or other processes write too. Do not modify them, and use them before
   * the next `await`.
   */
  async allTerms(): Promise<ReadonlyMap<number, Term> | null> {
    return this.shared ? null : ((await this.termsInMemory.read())?.all ?? null);
  }

  /** Reads posts from the database, without derived columns. */
  loadPosts(ids: number[]): Promise<Post[]> {
    if (this.shared) return this.posts.find({ _id: { $in: ids } }, { projection: POST_ITSELF }).toArray();
    return this.rawPosts?.load(ids) ?? this.postFinder.find(ids);
  }

  /** Ids of posts that are shown with some posts, as far as that is known without the database. */
  shownWith(ids: readonly number[]): number[] {
    const rows = this.rows?.outdated;
    return rows ? referenceColumns().flatMap((column) => ids.flatMap((id) => rows.idsIn(column, id))) : [];
  }

  /** All options, in the order of names. Do not modify them. */
  allOptions(): Promise<readonly OptionDocument[]> {
    return this.cache.remember('all options', () => this.options.find({}).sort({ _id: 1 }).toArray(), 'options');
  }

  /** Begins to read what the first requests will need. */
  warm(): void {
    if (this.shared) return;
    // A failure shows when it is read again.
    for (const reading of [this.rows?.readIfPresent(), this.allTerms(), this.nextPublication.refresh()]) reading?.catch(() => undefined);
  }

  override async close(): Promise<void> {
    await super.close();
    this.rawPosts?.close();
  }

  /** Whether nothing has ever been stored. */
  async isEmpty(): Promise<boolean> {
    return (await this.allOptions()).length === 0;
  }

  /**
   * Replaces a post. Optimistic locking: retries on a version conflict.
   * @param known the post as last read; default: it is read
   * @returns the post before and after, or null if it does not exist
   */
  async changePost(
    id: number,
    change: (current: Post) => Post | Promise<Post>,
    known: Post | null = null,
  ): Promise<{ before: Post; after: Post } | null> {
    for (let read = known; ; read = null) {
      const before = read ?? (await this.posts.findOne({ _id: id }));
      if (!before) return null;
      const after = { ...(await change(before)), version: (before.version ?? 0) + 1 };
      const { matchedCount } = await this.posts.replaceOne({ _id: id, version: before.version ?? { $exists: false } }, after);
      if (matchedCount === 0) continue;
      this.onChange?.({ kind: 'post', before, after });
      return { before, after };
    }
  }

  /** Counts of terms are changed in memory too, so that they need not be read again after every write to a post. */
  override async writeTogether(steps: readonly Step[]): Promise<void> {
    const since = this.termsInMemory.progress;
    await super.writeTogether(steps);
    const counted = steps.filter(isCount);
    const ids = counted.map(({ update }) => update);
    this.termsInMemory.apply(ids, since, (terms) => {
      for (const { update, change } of counted) {
        const term = terms.get(update);
        const { count, branchCount } = change.$inc;
        if (term) terms.add({ ...term, count: term.count + count, branchCount: term.branchCount + branchCount });
      }
    });
  }

  /** Columns and terms in memory are restored too, so that they need not be read again after every reset. */
  protected override beginRestore(collection: string, ids: readonly (number | string)[] | null): Restored {
    const restored = super.beginRestore(collection, ids);
    if (collection === 'posts' && this.rows) return withMirror(this.rows, restored, ids);
    return collection === 'terms' ? withMirror(this.termsInMemory, restored, ids) : restored;
  }

  protected override contentChanged(collection?: string, write?: Pick<Write, 'ids' | 'documents'>): void {
    if (collection === undefined || collection === 'terms') this.termsInMemory.recordWrite(write?.ids ?? null);
    if (collection !== undefined && collection !== 'posts') return;
    this.texts.recordWrite(write?.ids ?? null);
    this.nextPublication.recordWrite((write?.documents ?? null) as Post[] | null);
    this.rows?.recordWrite(write?.ids ?? null);
    this.rawPosts?.recordWrite(write?.ids ?? null);
  }
}
