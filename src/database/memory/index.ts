/*
 * The caches, and the rule that keeps them current:
 *
 *   A value is cached under the version of what it was computed from, and a write changes the versions of what it touches.
 *
 * `State` hands out versions: a generation for the content of a database and for each collection, a version for each document. A write
 * assigns new ones to what it changes, before it is sent and again when it has ended; in between, each reader gets a different one. So
 * nothing is invalidated explicitly: values under old versions are never requested again, and the LRU evicts them. A reset brings the
 * versions of the restored state back, and with them the values that were computed before.
 *
 * There are two kinds of values:
 *
 * - Cached under a version, in caches of bounded size (`Lru`): whole responses by the generation of the content; results
 *   (`Cache.remember`) by the generation of a collection; documents (`Cache.recall`) by their versions; fragments of responses
 *   (`FragmentCache`) by the versions of all documents that they depend on.
 * - Computed from all documents of a collection (`Mirror`): columns to find and sort posts by, terms, the words of texts, the bytes of
 *   posts. A mirror records the version up to which it is current; before it is used, documents that changed since are read again.
 *
 * Writes by other servers over the same database change versions in the same way: before each request, `store` reads which there were
 * (`src/database/store/change-log.ts`). This room does not know how many servers there are.
 */

import { Lru } from './lru.js';

const MB = 1024 * 1024;

/** Limit of all caches of a server together, in MB, unless an option sets another. */
export const DEFAULT_MEMORY = 80;

/** How the caches share the memory. */
const SHARES = { responses: 0.08, parts: 0.25, documents: 0.04, results: 0.02, raw: 0.16, columns: 0.2, texts: 0.25 } as const;

/** The caches of a server. Its databases share them: keys contain versions, and no version is ever used twice (`State`). */
export class Memory {
  /** Responses to anonymous requests. */
  readonly responses: Lru<unknown>;
  /** Posts, and what several of them show, as parts of responses. */
  readonly fragments: Lru<unknown>;
  readonly documents: Lru<unknown>;
  readonly results: Lru<unknown>;
  /** Limit of the documents of a database that are kept as bytes, in memory. */
  readonly raw: number;
  /** Returns what documents leave of their limit for rendered parts. */
  unused = (): number => 0;
  /** Limit of the columns of a database that are kept in memory. */
  readonly columns: number;
  readonly texts: Lru<unknown>;

  /** Called when the columns of all posts do not fit, with a sufficient limit for all caches, in MB. */
  onTooSmall: ((megabytes: number) => void) | undefined;
  /** A sufficient limit, in MB; 0 if the current one suffices, as far as is known. */
  needed = 0;

  readonly keepsNothing: boolean;

  /** @param megabytes limit of all caches together; 0: nothing is kept */
  constructor(megabytes = DEFAULT_MEMORY) {
    this.keepsNothing = megabytes === 0;
    const limit = megabytes * MB;
    this.responses = new Lru(limit * SHARES.responses);
    this.fragments = new Lru(limit * SHARES.parts, () => this.unused());
    this.documents = new Lru(limit * SHARES.documents);
    this.results = new Lru(limit * SHARES.results);
    this.texts = new Lru(limit * SHARES.texts);
    this.raw = limit * SHARES.raw;
    this.columns = limit * SHARES.columns;
  }

  /** Called when columns are too large. @param bytes size of all columns */
  columnsNeed(bytes: number): void {
    const megabytes = 10 * Math.ceil(bytes / SHARES.columns / (10 * MB));
    if (megabytes <= this.needed) return;
    this.needed = megabytes;
    this.onTooSmall?.(megabytes);
  }

  /** Hits and misses of the caches of bounded size, their size, and a sufficient limit for all caches, in bytes. */
  get figures(): { caches: Record<string, Pick<Lru<unknown>, 'hits' | 'misses' | 'bytes'>>; needed: number } {
    const { responses, fragments: parts, documents, results, texts, needed } = this;
    return { caches: { responses, parts, documents, results, texts }, needed: needed * MB };
  }
}

/** Assumed size of a nested value. */
const NESTED = 200;

/** Assumed size of a member of a map or a set, besides its value. */
const IN_MAP = 40;

const sizeWithin = (value: unknown): number => {
  if (typeof value === 'string') return 24 + value.length;
  if (value === null || typeof value !== 'object') return 8;
  return Array.isArray(value) ? value.length * (typeof value[0] === 'object' ? NESTED : 16) : NESTED;
};

/** Estimated memory of a plain value, in bytes. Looks at the first level only, since it is called for every document that is read. */
export function roughSize(value: unknown): number {
  if (value === null || typeof value !== 'object') return sizeWithin(value);
  if (value instanceof Map || value instanceof Set) {
    const [first] = value.values();
    return value.size * (IN_MAP + sizeWithin(first));
  }
  if (Array.isArray(value)) return sizeWithin(value);
  let size = 0;
  for (const name in value) size += 24 + sizeWithin(value[name as keyof typeof value]);
  return size;
}
