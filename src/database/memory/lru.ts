/** Estimated bytes of an entry besides its key and its value. */
const OVERHEAD = 100;

interface Entry<T> {
  value: T;
  bytes: number;
  /** The bytes that had been added to the cache when the entry was put behind all others. */
  moved: number;
}

/** An entry that was used moves behind all others, unless less than this part of the limit was added after it. */
const NEAR_THE_END = 0.25;

/** A cache of bounded size that drops the least recently used entries first. */
export class Lru<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Estimated memory of all entries, in bytes. */
  bytes = 0;
  /** Bytes of all entries that were ever added. */
  private added = 0;
  hits = 0;
  misses = 0;

  /** @param limit in bytes @param spare returns what it may take besides, as long as nothing else needs it, in bytes */
  constructor(
    readonly limit: number,
    private readonly spare: () => number = () => 0,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    // Moving takes longer than finding.
    if (this.added - entry.moved > NEAR_THE_END * this.limit) {
      this.entries.delete(key);
      this.entries.set(key, entry);
      entry.moved = this.added;
    }
    return entry.value;
  }

  /** Adds or replaces an entry. One that is larger than the limit is not kept. @param size of the value, in bytes */
  set(key: string, value: T, size: number): void {
    this.delete(key);
    const bytes = size + key.length + OVERHEAD;
    if (bytes > this.limit) return;
    const limit = this.limit + this.spare();
    this.added += bytes;
    this.entries.set(key, { value, bytes, moved: this.added });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }
}
