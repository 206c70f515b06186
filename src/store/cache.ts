import { Memory } from './memory.js';

/** How many documents are cached, and how many characters the names of results may have in all. */
const MOST_DOCUMENTS = 5_000;
const MOST_CHARACTERS = 4_000_000;

/**
 * What was read or computed from a database, until the next write to it. Nothing is cached of a database that others write to as well.
 */
export class Cache {
  private writes = 0;
  private readonly results = new Memory<Promise<unknown>>(
    () => this.writes,
    MOST_CHARACTERS,
    (_, name) => name.length + 100,
  );
  private readonly documents = new Memory<{ _id: number } | null>(() => this.writes, MOST_DOCUMENTS);

  /** @param shared true when other processes write to the database too */
  constructor(private readonly shared: boolean) {}

  /** Number of changes so far: what was computed at one revision holds until the next. */
  get revision(): number {
    return this.writes;
  }

  /** Forgets everything, including what is being read at the moment. */
  invalidate(): void {
    this.writes += 1;
  }

  /** The result of a computation, cached under a name. */
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
   * Documents by id; those that are not cached are loaded in one go. Callers share them and must not modify them.
   * @param load finds the documents of some ids, in any order
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
