/** Estimated bytes of an entry besides its key and its value. */
const OVERHEAD = 100;

interface Entry<T> {
  value: T;
  bytes: number;
}

/** Entries that were used at about the same time. */
class Generation<T> {
  readonly entries = new Map<string, Entry<T>>();
  bytes = 0;

  set(key: string, entry: Entry<T>): void {
    this.entries.set(key, entry);
    this.bytes += entry.bytes;
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }
}

/**
 * A cache of bounded size: what was not used for the longest time is dropped first. It is only known of each entry whether it was used
 * lately: an exact order would cost more with each use than finding the entry.
 */
export class Lru<T> {
  private latest = new Generation<T>();
  private older = new Generation<T>();

  /** @param limit in bytes */
  constructor(readonly limit: number) {}

  /** Estimated memory of all entries, in bytes. */
  get bytes(): number {
    return this.latest.bytes + this.older.bytes;
  }

  get(key: string): T | undefined {
    const entry = this.latest.entries.get(key);
    if (entry) return entry.value;
    const old = this.older.entries.get(key);
    if (!old) return undefined;
    this.older.delete(key);
    this.add(key, old);
    return old.value;
  }

  /** Adds or replaces an entry. One that is larger than the limit is not kept. @param size of the value, in bytes */
  set(key: string, value: T, size: number): void {
    this.delete(key);
    const bytes = size + key.length + OVERHEAD;
    if (bytes <= this.limit) this.add(key, { value, bytes });
  }

  delete(key: string): void {
    this.latest.delete(key);
    this.older.delete(key);
  }

  private add(key: string, entry: Entry<T>): void {
    if (2 * (this.latest.bytes + entry.bytes) > this.limit) {
      this.older = this.latest;
      this.latest = new Generation();
    }
    this.latest.set(key, entry);
    if (this.bytes > this.limit) this.older = new Generation();
  }
}
