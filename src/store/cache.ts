import { GenerationCache } from './generation-cache.js';

/** Limits: cached documents, and the total length of the names of cached results. */
const MAX_DOCUMENTS = 5_000;
const MAX_CHARACTERS = 4_000_000;

/**
 * Caches documents and results computed from a database until the next write. Caches nothing if other processes write to the database.
 */
export class Cache {
  private writes = 0;
  private readonly results = new GenerationCache<Promise<unknown>>(
    () => this.writes,
    MAX_CHARACTERS,
    (_, name) => name.length + 100,
  );
  private readonly documents = new GenerationCache<{ _id: number } | null>(() => this.writes, MAX_DOCUMENTS);

  /** @param shared whether other processes write to the database too */
  constructor(private readonly shared: boolean) {}

  /** Number of writes so far. A cached result is valid for one revision. */
  get revision(): number {
    return this.writes;
  }

  /** Discards everything, including the results of reads that are still running. */
  invalidate(): void {
    this.writes += 1;
  }

  /** Returns the result cached under a name, or computes it. */
  remember<T>(name: string, compute: () => Promise<T>): Promise<T> {
    if (this.shared) return compute();
    const known = this.results.get(name);
    if (known) return known as Promise<T>;
    const since = this.writes;
    const value = compute();
    this.results.set(name, value, since);
    value.catch(() => this.results.delete(name));
    return value;
  }

  /**
   * Returns documents by id and loads those that are not cached with a single call. Callers share the documents and must not modify them.
   * @param load finds documents by id, in any order
   */
  async recall<T extends { _id: number }>(kind: string, ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
    if (this.shared) return ids.length === 0 ? [] : load([...ids]);
    const since = this.writes;
    const known = ids.map((id) => this.documents.get(`${kind} ${id}`) as T | null | undefined);
    const missing = ids.filter((_, i) => known[i] === undefined);
    const loaded = missing.length === 0 ? [] : await load(missing);
    const byId = new Map(loaded.map((document) => [document._id, document]));
    for (const id of missing) this.documents.set(`${kind} ${id}`, byId.get(id) ?? null, since);
    return [...known, ...loaded].filter((document) => document !== undefined && document !== null);
  }
}
