import { GenerationCache } from './generation-cache.js';

/** Limits: cached documents of a collection, and the total length of the names of cached results. */
const MAX_DOCUMENTS = 5_000;
const MAX_CHARACTERS = 4_000_000;

type Id = number | string;

/** The cached documents of a collection; null: there is none with that id. */
class Documents {
  private writes = 0;
  private readonly byId = new Map<Id, object | null>();

  /** Number of writes so far. */
  get revision(): number {
    return this.writes;
  }

  get(id: Id): object | null | undefined {
    return this.byId.get(id);
  }

  /** @param since the revision at which reading began; if there was a write since, the document is not cached */
  set(id: Id, document: object | null, since: number): void {
    if (since !== this.writes) return;
    this.byId.delete(id);
    this.byId.set(id, document);
    for (const oldest of this.byId.keys()) {
      if (this.byId.size <= MAX_DOCUMENTS) break;
      this.byId.delete(oldest);
    }
  }

  /** @param ids the documents that were written; null: any document */
  invalidate(ids: readonly Id[] | null): void {
    this.writes += 1;
    if (ids === null) this.byId.clear();
    else for (const id of ids) this.byId.delete(id);
  }
}

/**
 * Caches documents of a database until they are written to, and results computed from it until the next write. Caches nothing if other
 * processes write to the database.
 */
export class Cache {
  private writes = 0;
  private readonly results = this.resultsOf(() => this.writes);
  private readonly documents = new Map<string, Documents>();
  /** Results computed from a single collection. */
  private readonly resultsByCollection = new Map<string, ReturnType<typeof this.resultsOf>>();

  /** @param shared whether other processes write to the database too */
  constructor(private readonly shared: boolean) {}

  /** Number of writes so far. A cached result is valid for one revision. */
  get revision(): number {
    return this.writes;
  }

  /**
   * Discards what a write may have changed, including the results of reads that are still running.
   * @param collection default: all
   * @param ids the documents that were written; null: any document
   */
  invalidate(collection?: string, ids: readonly Id[] | null = null): void {
    this.writes += 1;
    if (collection !== undefined) this.documentsOf(collection).invalidate(ids);
    else for (const documents of this.documents.values()) documents.invalidate(null);
  }

  /**
   * Returns the result cached under a name, or computes it.
   * @param collection if the result depends on a single collection and nothing else: writes to others do not discard it
   */
  remember<T>(name: string, compute: () => Promise<T>, collection?: string): Promise<T> {
    if (this.shared) return compute();
    const results = collection === undefined ? this.results : this.resultsIn(collection);
    const known = results.get(name);
    if (known) return known as Promise<T>;
    const since = collection === undefined ? this.writes : this.documentsOf(collection).revision;
    const value = compute();
    results.set(name, value, since);
    value.catch(() => results.delete(name));
    return value;
  }

  /**
   * Returns documents by id and loads those that are not cached with a single call. Callers share the documents and must not modify them.
   * @param load finds documents by id, in any order
   */
  async recall<T extends { _id: number }>(collection: string, ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
    if (this.shared) return ids.length === 0 ? [] : load([...ids]);
    const documents = this.documentsOf(collection);
    const since = documents.revision;
    const known = ids.map((id) => documents.get(id) as T | null | undefined);
    const missing = ids.filter((_, i) => known[i] === undefined);
    const loaded = missing.length === 0 ? [] : await load(missing);
    const byId = new Map(loaded.map((document) => [document._id, document]));
    for (const id of missing) documents.set(id, byId.get(id) ?? null, since);
    return [...known, ...loaded].filter((document) => document !== undefined && document !== null);
  }

  private documentsOf(collection: string): Documents {
    const known = this.documents.get(collection);
    if (known) return known;
    const documents = new Documents();
    this.documents.set(collection, documents);
    return documents;
  }

  private resultsIn(collection: string): ReturnType<typeof this.resultsOf> {
    const known = this.resultsByCollection.get(collection);
    if (known) return known;
    const results = this.resultsOf(() => this.documentsOf(collection).revision);
    this.resultsByCollection.set(collection, results);
    return results;
  }

  private resultsOf(generation: () => number): GenerationCache<Promise<unknown>> {
    return new GenerationCache<Promise<unknown>>(generation, MAX_CHARACTERS, (_, name) => name.length + 100);
  }
}
