import { Lru } from './lru.js';

const MB = 1024 * 1024;

/** Limit of all caches of a server together, unless an option sets another. */
export const DEFAULT_MEMORY = 128 * MB;

/** How the caches share the memory. The only place that says so. */
const SHARES = { responses: 0.35, fragments: 0.2, documents: 0.2, results: 0.05, columns: 0.2 } as const;

/** The caches of a server. Its databases share them: what is in them is named by state, and names are never used twice (`State`). */
export class Memory {
  /** Responses to anonymous requests. */
  readonly responses: Lru<unknown>;
  /** What was written of a post, as a part of responses. */
  readonly fragments: Lru<unknown>;
  readonly documents: Lru<unknown>;
  /** Results computed from a database. */
  readonly results: Lru<unknown>;
  /** Limit of the columns of a database that are kept in memory. */
  readonly columns: number;

  /** @param limit of all caches together, in bytes */
  constructor(limit = DEFAULT_MEMORY) {
    this.responses = new Lru(limit * SHARES.responses);
    this.fragments = new Lru(limit * SHARES.fragments);
    this.documents = new Lru(limit * SHARES.documents);
    this.results = new Lru(limit * SHARES.results);
    this.columns = limit * SHARES.columns;
  }
}

/** Roughly the memory that a plain value takes, in bytes. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (value === null || typeof value !== 'object') return 8;
  let size = 32;
  if (value instanceof Map) for (const [key, each] of value) size += 16 + roughSize(key) + roughSize(each);
  else if (value instanceof Set) for (const each of value) size += 16 + roughSize(each);
  else for (const each of Object.values(value)) size += 8 + roughSize(each);
  return size;
}
