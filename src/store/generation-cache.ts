/** Identifies a state: results stay valid as long as it does not change. */
export type Generation = string | number;

/**
 * A cache whose entries are valid for one generation: when the generation changes, all are discarded.
 * The size is bounded: the oldest entries are evicted first.
 */
export class GenerationCache<T> {
  private readonly entries = new Map<string, T>();
  private size = 0;
  private current: Generation;

  /**
   * @param generation returns the current generation; called on every access
   * @param limit maximum total size, in units of `sizeOf`
   * @param sizeOf the size of an entry; default: 1
   */
  constructor(
    private readonly generation: () => Generation,
    private readonly limit: number,
    private readonly sizeOf: (value: T, key: string) => number = () => 1,
  ) {
    this.current = generation();
  }

  get(key: string): T | undefined {
    this.refresh();
    return this.entries.get(key);
  }

  /** @param since the generation in which the computation began; if it has ended, the value is not cached */
  set(key: string, value: T, since: Generation): void {
    this.refresh();
    const size = this.sizeOf(value, key);
    if (since !== this.current || size > this.limit) return;
    this.delete(key);
    this.entries.set(key, value);
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.entries.get(key);
    if (value === undefined) return;
    this.entries.delete(key);
    this.size -= this.sizeOf(value, key);
  }

  private refresh(): void {
    const now = this.generation();
    if (now === this.current) return;
    this.current = now;
    this.entries.clear();
    this.size = 0;
  }
}
