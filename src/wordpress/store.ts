import { isDeepStrictEqual } from 'node:util';
import { Connection, type LaterConnection } from '../database/store/connection.js';
import { Database, type DatabaseLocation } from '../database/store/database.js';
import { DATABASE } from '../database/engine/types.js';
import { Memory } from '../database/memory/index.js';
import { Mirrors } from '../database/memory/mirrors.js';
import { DocumentsInOrder, Mirror, type OwnWrite, type Momentary } from '../database/memory/mirror.js';
import type { Restored, Snapshots } from '../database/store/snapshots.js';
import { documentsOf, idsOf, isConflict, type Step, type StepResult } from '../database/store/writes.js';
import { RawDocuments } from '../database/memory/raw-documents.js';
import { decode, rawSource, readByIds, serverOf, sourceOf } from '../database/store/scan.js';
import { Rows } from '../database/memory/table/rows.js';
import type { Comment, Post, Term, User } from './model.js';
import { PLUGINS_OPTION } from './quirks.js';
import { DECLARED_OPTION, readDeclarations } from './types/declared.js';
import type { SlugFamily, SlugHolder } from './posts/slug-family.js';
import type { Registry } from './types/registry.js';
import { Texts, type SearchText } from '../database/memory/text-index.js';

/** A site option. WP: a row of `wp_options`. */
interface OptionDocument {
  _id: string;
  value: unknown;
}

/** A change of one post or term, by a request or by the clock. Loads, resets and snapshots do not report theirs. */
export type ContentChange =
  | { kind: 'post'; before: Post | null; after: Post | null }
  | { kind: 'term'; before: Term | null; after: Term | null };

/** Sends the steps of a change of a post. @returns what each has done */
type SendChange = (change: { before: Post | null; after: Post | null }, steps: readonly Step[]) => Promise<StepResult[]>;

/** A write that changes the counts of a term. */
export interface CountStep {
  collection: 'terms';
  update: number;
  change: { $inc: { count: number; branchCount: number } };
}

const isCount = (step: Step): step is CountStep => step.collection === 'terms' && 'update' in step && '$inc' in step.change;

/** Without derived columns. */
const POST_ITSELF = { search: 0, titleKey: 0, slugKey: 0 };

/** Assumed memory for the rendered parts of a post, in bytes: with more, sites of few posts would keep parts that are outdated. */
const PARTS_OF_POST = 2_000;

/** Up to this many terms are kept in memory. */
const MAX_TERMS = 20_000;

/** Up to this many taken slugs that memory did not know are remembered. */
const MAX_CLASHED = 1_000;

const SEARCH_TEXT = { search: 1, password: 1 };

export class Store extends Database {
  readonly posts = this.collection<Post>('posts');
  readonly terms = this.collection<Term>('terms');
  readonly users = this.collection<User>('users');
  readonly comments = this.collection<Comment>('comments');
  readonly options = this.collection<OptionDocument>('options');
  /** The columns of posts in memory. */
  rows: Mirror<{ _id: number }, Rows> | null;
  private latestRows: Rows | null = null;
  /** Called after each change of a post or term. It must not throw. */
  onChange: ((change: ContentChange) => void) | undefined;

  private readonly termsInMemory: Mirror<Term, DocumentsInOrder<Term>> | null;

  /** The posts; null in databases of sandboxes, which mostly read what the main one has cached. */
  private readonly rawPosts: RawDocuments<Post> | null;

  readonly texts: Texts | null;

  /** Posts with slugs that several requests want. */
  readonly slugFamilies: Mirrors<SlugHolder, SlugFamily> | null;

  private constructor(
    location: DatabaseLocation,
    /** Registry of the site, from which columns and indexes follow. */
    public registry: Registry,
  ) {
    super(location, registry.indexes);
    const { keepsNothing, raw, texts } = this.memory;
    const { state } = this;
    this.rows = this.rowsOf(registry);
    const makeTerms = (): DocumentsInOrder<Term> => new DocumentsInOrder<Term>(MAX_TERMS);
    this.termsInMemory = keepsNothing ? null : new Mirror(state, 'terms', sourceOf<Term>(this.db, 'terms', {}), makeTerms);
    this.slugFamilies = keepsNothing ? null : new Mirrors(state, 'posts');
    this.texts = keepsNothing ? null : new Texts(state, (type) => sourceOf<SearchText>(this.db, 'posts', SEARCH_TEXT, { type }), texts);
    // Memory that a site with few posts does not need for columns.
    const rawLimit = (): number => raw + (this.latestRows?.unused ?? 0);
    const source = rawSource(this.db, 'posts', POST_ITSELF);
    this.rawPosts = keepsNothing || !location.ownsConnection ? null : new RawDocuments<Post>(state, 'posts', source, decode, rawLimit);
    const { rawPosts } = this;
    if (rawPosts)
      this.memory.unused = () => Math.min(raw, PARTS_OF_POST * (this.latestRows?.size ?? 0), Math.max(0, rawLimit() - rawPosts.bytes));
  }

  /** Takes over the registry of content that has replaced the content. Its indexes are the same. */
  register(registry: Registry): void {
    if (registry === this.registry) return;
    const isAlike = isDeepStrictEqual(registry.queries.columnKinds, this.registry.queries.columnKinds);
    this.registry = registry;
    if (!isAlike) this.rows = this.rowsOf(registry);
  }

  /** Registers what the stored content declares. Call it before anything is derived from the content. */
  async registerStored(): Promise<void> {
    this.registerDeclared(await this.allOptions());
  }

  registerDeclared(rows: readonly OptionDocument[]): void {
    const text = rows.find(({ _id }) => _id === DECLARED_OPTION)?.value;
    this.register(this.registry.with(readDeclarations(text)));
  }

  private rowsOf(registry: Registry): Store['rows'] {
    const { keepsNothing, columns } = this.memory;
    if (keepsNothing) return null;
    const kinds = registry.queries.columnKinds;
    const projection = Object.fromEntries(Object.keys(kinds).map((path) => [path, 1]));
    const tooLarge = (rows: Rows): void => void this.reportMemoryNeed(rows).catch(() => undefined);
    const source = { ...sourceOf<{ _id: number }>(this.db, 'posts', projection), name: JSON.stringify(kinds) };
    const make = (): Rows => (this.latestRows = new Rows(kinds, columns));
    return new Mirror(this.state, 'posts', source, make, undefined, tooLarge);
  }

  private async reportMemoryNeed(rows: Rows): Promise<void> {
    this.memory.columnsNeed(rows.bytesFor(await this.posts.estimatedDocumentCount()));
  }

  /**
   * Connects, converts data of an older format, and creates missing indexes.
   * @param at MongoDB connection string, or a connection
   * @param registry what is registered for the site
   * @param name database name; default: the one in the connection string, else `understudy`
   * @param shared whether other processes write to the database too
   * @param memory what limits the caches
   * @throws EngineError if the server does not respond or rejects the connection, or if a newer version of Understudy wrote the data
   */
  static async open(at: string | Connection, registry: Registry, name?: string, shared = false, memory?: Memory): Promise<Store> {
    const store = await (await (await Store.openAsIs(at, registry, name, shared, memory)).convert()).prepare();
    await store.current();
    return store;
  }

  /** Like `open`, for a database that no other process writes to, but does not wait for its indexes: other work takes as long. */
  static async openSoon(at: string | Connection, registry: Registry, name?: string, memory?: Memory): Promise<Store> {
    return (await (await Store.openAsIs(at, registry, name, false, memory)).convert()).createIndexes();
  }

  /** Makes an empty database in memory. @param connection to the server that it moves to if it has to */
  static inMemory(connection: LaterConnection, registry: Registry, memory = new Memory()): Store {
    const local = { content: new Map() };
    return new Store({ connection, name: DATABASE, local, shared: false, ownsConnection: true, memory }, registry).createIndexes();
  }

  /** Connects without changing anything: no index is created, and data of an older format is not converted. @throws EngineError */
  static async openAsIs(at: string | Connection, registry: Registry, name?: string, shared = false, memory = new Memory()): Promise<Store> {
    const connection = typeof at === 'string' ? await Connection.open(at) : at;
    return new Store({ connection, name, shared, ownsConnection: true, memory }, registry);
  }

  /** The names of the plugins that a stored site has besides the ones that every site has; null if nothing is stored. @param name as for `open` */
  static async storedPlugins(connection: Connection, name?: string): Promise<readonly string[] | null> {
    const options = connection.database(name).collection<OptionDocument>('options');
    const row = (await options.findOne({ _id: PLUGINS_OPTION })) ?? (await options.findOne({}, { projection: { _id: 1 } }));
    if (!row) return null;
    return Array.isArray(row.value) ? row.value.map(String) : [];
  }

  /** Opens another database of the same server over the same connection. @param registry default: the same */
  async sibling(name: string, registry = this.registry): Promise<Store> {
    return new Store(await this.siblingLocation(name), registry).prepare();
  }

  /**
   * Makes a database in memory of the content of a snapshot. If that is too much, an empty database of the engine.
   * @param source the snapshots of a database of the same server
   */
  async copyOf(snapshot: string, source: Snapshots, name: string, registry = this.registry): Promise<Store> {
    const copied = this.memory.keepsNothing ? null : await source.contentOf(snapshot);
    if (!copied) return this.sibling(name, registry);
    const store = new Store(this.localLocation(name, copied.content), registry);
    store.snapshots.beginAt(copied.at, source.copies);
    return store;
  }

  /** All terms by id, in the order of ids; null if they are not in memory. */
  async allTerms(): Promise<Momentary<ReadonlyMap<number, Readonly<Term>>> | null> {
    return (await this.termsInMemory?.read())?.all ?? null;
  }

  /** Reads posts from the database, without derived columns. */
  async loadPosts(ids: number[]): Promise<Post[]> {
    // A database in memory has the documents as bytes already.
    const raw = serverOf(this.db) === null ? null : this.rawPosts;
    return raw?.load(ids) ?? readByIds<Post>(this.db, 'posts', ids, POST_ITSELF);
  }

  /** Slugs that were free as far as memory said, and turned out to be taken. */
  private readonly clashed = new Set<string>();

  /** The slugs that posts may have, out of some. The others are free, unless they are being taken. */
  async possibleSlugs(slugs: readonly string[]): Promise<readonly string[]> {
    const rows = this.rows?.known ?? (await this.rows?.readIfPresent());
    return rows ? slugs.filter((slug) => this.hasClashed(slug) || rows.mayHold('slug', slug)) : slugs;
  }

  /** Whether memory may not know that a slug is taken. */
  hasClashed(slug: string): boolean {
    return this.clashed.has(slug);
  }

  /** Called when a write fails because a slug is taken. */
  slugIsTaken(slug: string): void {
    this.clashed.add(slug);
    const [oldest] = this.clashed;
    if (this.clashed.size > MAX_CLASHED) this.clashed.delete(oldest);
  }

  /** All options, in the order of names. Do not modify them. */
  allOptions(): Promise<readonly OptionDocument[]> {
    return this.cache.remember('all options', () => this.options.find({}).sort({ _id: 1 }).toArray(), 'options');
  }

  /** Begins to read what the first requests will need. */
  warm(): void {
    // The next read reports a failure.
    for (const reading of [this.rows?.readIfPresent(), this.allTerms()]) reading?.catch(() => undefined);
  }

  /** Whether nothing has ever been stored. */
  async isEmpty(): Promise<boolean> {
    return (await this.allOptions()).length === 0;
  }

  /**
   * Replaces a post. Optimistic locking: retries on a version conflict.
   * @param known the post as last read; default: it is read
   * @param send sends the steps of the change, with what else it changes
   * @returns the post before and after, or null if it does not exist
   */
  async changePost(
    id: number,
    change: (current: Post) => Post | Promise<Post>,
    known: Post | null = null,
    send: SendChange = (_change, steps) => this.writeTogether(steps),
  ): Promise<{ before: Post; after: Post } | null> {
    for (let read = known; ; read = null) {
      const before = read ?? (await this.posts.findOne({ _id: id }));
      if (!before) return null;
      const { version } = before;
      const after = { ...(await change(before)), version: (version ?? 0) + 1 };
      try {
        const [{ n }] = await send({ before, after }, [{ collection: 'posts', replace: after, version }]);
        if (n === 0) return null;
      } catch (error) {
        if (isConflict(error)) continue;
        throw error;
      }
      this.onChange?.({ kind: 'post', before, after });
      return { before, after };
    }
  }

  /** Deletes a post. @param send as for `changePost` @returns the post as it was then, or null if it does not exist */
  async removePost(id: number, send: SendChange): Promise<Post | null> {
    for (;;) {
      const before = await this.posts.findOne({ _id: id });
      if (!before) return null;
      const filter = { _id: id, version: before.version ?? { $exists: false } };
      const [{ n }] = await send({ before, after: null }, [{ collection: 'posts', delete: filter, isOne: true }]);
      if (n === 1) return before;
    }
  }

  /** Applies writes to the caches, so that the documents need not be read again. */
  protected override written(steps: readonly Step[], times: Omit<OwnWrite, 'ids'>): void {
    const posts = steps.filter(({ collection }) => collection === 'posts');
    const documents = posts.map(documentsOf);
    const ids = posts.map(idsOf);
    if (posts.length > 0 && documents.every((each) => each !== null) && ids.every((each) => each !== null))
      this.postsReplaced({ ids: ids.flat() as number[], ...times }, documents.flat() as Post[]);
    const counted = steps.filter(isCount);
    if (counted.length === 0) return;
    this.termsInMemory?.apply({ ids: counted.map(({ update }) => update), ...times }, (terms) => {
      for (const { update, change } of counted) {
        const term = terms.get(update);
        const { count, branchCount } = change.$inc;
        if (term) terms.add({ ...term, count: term.count + count, branchCount: term.branchCount + branchCount });
      }
    });
  }

  /** Applies restored documents, too. */
  override restored(restored: Restored): void {
    super.restored(restored);
    const { collection, ids, documents, ...times } = restored;
    if (!ids || !documents) return;
    const write = { ids: ids as readonly number[], ...times };
    if (collection === 'posts') this.postsReplaced(write, documents as Post[]);
    if (collection === 'terms') this.termsInMemory?.replace(write, documents as Term[]);
  }

  private postsReplaced(write: OwnWrite, posts: readonly Post[]): void {
    this.rows?.replace(write, posts);
    this.slugFamilies?.replace(write, posts);
  }
}
