import { setImmediate as endOfTurn } from 'node:timers/promises';
import { roughSize, type Memory } from './index.js';
import type { State } from './state.js';

/** Maximum time to wait for work that another request began, in ms: the database may have been lost meanwhile. */
const MAX_PENDING_MS = 10_000;

/** Value that can be cached: not `undefined`, which means that nothing is. */
type Result = object | string | number | boolean | null;

/** The keys of lookups that are performed together. */
interface Turn {
  keys: Set<unknown>;
  found: Promise<ReadonlyMap<unknown, unknown>>;
}

/** Caches documents and results computed from a database, by version (`State`). */
export class Cache {
  /** Results that are being computed, and since when (`performance.now()`). */
  private readonly pending = new Map<string, { work: Promise<unknown>; since: number }>();
  /** Lookups that wait for the end of the turn. */
  private readonly turns = new Map<string, Turn>();

  constructor(
    private readonly state: State,
    private readonly memory: Memory,
  ) {}

  /** The result that `remember` would return from the cache; undefined: there is none. */
  peek<T extends Result>(name: string, collection?: string): T | undefined {
    return this.memory.results.get(`${this.state.generationOf(collection)} ${name}`) as T | undefined;
  }

  /**
   * Returns the cached result of a computation, or computes it. Callers share the result and must not modify it.
   * @param name identifies the computation
   * @param collection if the result depends on a single collection and nothing else: writes to others do not discard it
   */
  async remember<T extends Result>(name: string, compute: () => Promise<T>, collection?: string): Promise<T> {
    const { state, memory } = this;
    const key = `${state.generationOf(collection)} ${name}`;
    const known = memory.results.get(key) as T | undefined;
    if (known !== undefined) return known;
    const since = state.revisionOf(collection);
    const place = `${since} ${name}`;
    const pending = this.pending.get(place);
    if (pending && performance.now() - pending.since < MAX_PENDING_MS) return pending.work as Promise<T>;
    const work = compute();
    const own = { work, since: performance.now() };
    this.pending.set(place, own);
    try {
      const value = await work;
      if (since === state.revisionOf(collection)) memory.results.set(key, value, roughSize(value));
      return value;
    } finally {
      if (this.pending.get(place) === own) this.pending.delete(place);
    }
  }

  /** Returns documents by id, in any order, like `recall`, but does not cache those that it loads. */
  async read<T extends { _id: number }>(collection: string, ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
    const found: T[] = [];
    const missing = new Set<number>();
    for (const id of ids) {
      const kept = this.memory.documents.get(this.keyOf(collection, id)) as T | null | undefined;
      if (kept === undefined) missing.add(id);
      else if (kept !== null) found.push(kept);
    }
    return missing.size === 0 ? found : [...found, ...(await load([...missing]))];
  }

  /**
   * Returns documents by id and loads those that are not cached with a single call. Callers share the documents and must not modify them.
   * @param load finds documents by id, in any order
   */
  recall<T extends { _id: number }>(collection: string, ids: readonly number[], load: (ids: number[]) => Promise<T[]>): Promise<T[]> {
    return this.read(collection, ids, async (missing) => {
      const keys = missing.map((id) => this.keyOf(collection, id));
      const { returns } = this.state;
      const loaded = await load(missing);
      if (returns !== this.state.returns) return loaded;
      const byId = new Map(loaded.map((document) => [document._id, document]));
      for (const [i, id] of missing.entries()) {
        // Null: it does not exist.
        const document = byId.get(id) ?? null;
        // A write may have begun in the meantime.
        if (keys[i] === this.keyOf(collection, id)) this.memory.documents.set(keys[i], document, roughSize(document));
      }
      return loaded;
    });
  }

  /**
   * Looks something up by a key, with one call for all keys that are asked for in a turn of the event loop: what is embedded in a list asks for
   * each item.
   * @param name identifies what is looked up, and how
   */
  async lookUp<K, V>(name: string, key: K, load: (keys: K[]) => Promise<ReadonlyMap<K, V>>): Promise<V | undefined> {
    const turn = this.turns.get(name) ?? this.startTurn(name, load as (keys: unknown[]) => Promise<ReadonlyMap<unknown, unknown>>);
    turn.keys.add(key);
    return (await turn.found).get(key) as V | undefined;
  }

  private startTurn(name: string, load: (keys: unknown[]) => Promise<ReadonlyMap<unknown, unknown>>): Turn {
    const keys = new Set<unknown>();
    const find = async (): Promise<ReadonlyMap<unknown, unknown>> => {
      await endOfTurn();
      this.turns.delete(name);
      return load([...keys]);
    };
    const turn = { keys, found: find() };
    this.turns.set(name, turn);
    return turn;
  }

  private keyOf(collection: string, id: number): string {
    return `${this.state.versionOf(collection, id)} ${collection} ${id}`;
  }
}
