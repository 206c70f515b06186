import { Lru } from './lru.js';

const MB = 1024 * 1024;

/** Limit of all caches of a server together, in MB, unless an option sets another. */
export const DEFAULT_MEMORY = 80;

/** How the caches share the memory. The only place that says so. */
const SHARES = { responses: 0.08, fragments: 0.25, documents: 0.04, results: 0.02, raw: 0.16, columns: 0.2, texts: 0.25 } as const;

/** The caches of a server. Its databases share them: what is in them is named by state, and names are never used twice (`State`). */
export class Memory {
  /** Responses to anonymous requests. */
  readonly responses: Lru<unknown>;
  /** What was written of a post, as a part of responses. */
  readonly fragments: Lru<unknown>;
  readonly documents: Lru<unknown>;
  /** Results computed from a database. */
  readonly results: Lru<unknown>;
  /** Limit of the documents of a database that are kept as bytes, in memory. */
  readonly raw: number;
  /** Limit of the columns of a database that are kept in memory. */
  readonly columns: number;
  /** Indexes of texts, for searches. */
  readonly texts: Lru<unknown>;

  /**
   * @param megabytes limit of all caches together
   * @param scratch folder for files that are gone when the process ends; null: there are none
   */
  constructor(
    megabytes = DEFAULT_MEMORY,
    readonly scratch: string | null = null,
  ) {
    const limit = megabytes * MB;
    this.responses = new Lru(limit * SHARES.responses);
    this.fragments = new Lru(limit * SHARES.fragments);
    this.documents = new Lru(limit * SHARES.documents);
    this.results = new Lru(limit * SHARES.results);
    this.texts = new Lru(limit * SHARES.texts);
    this.raw = limit * SHARES.raw;
    this.columns = limit * SHARES.columns;
  }
}

/** What is taken for the size of a value that is not looked into. */
const NESTED = 200;

const sizeWithin = (value: unknown): number => {
  if (typeof value === 'string') return 24 + value.length;
  if (value === null || typeof value !== 'object') return 8;
  return Array.isArray(value) ? value.length * (typeof value[0] === 'object' ? NESTED : 16) : NESTED;
};

/** Roughly the memory that a plain value takes, in bytes. Looks at the first level only, since that is asked of every document that is read. */
export function roughSize(value: unknown): number {
  if (value === null || typeof value !== 'object') return sizeWithin(value);
  if (value instanceof Map || value instanceof Set) return value.size * NESTED;
  if (Array.isArray(value)) return sizeWithin(value);
  let size = 0;
  for (const name in value) size += 24 + sizeWithin(value[name as keyof typeof value]);
  return size;
}
