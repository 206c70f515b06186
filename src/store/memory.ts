/** Names a state of affairs: as long as it stays the same, so do all results. */
export type Generation = string | number;

/**
 * Results that hold for one generation: as soon as it is another, all are forgotten.
 * Bounded: the oldest make room for new ones.
 */
export class Memory<T> {
  private readonly entries = new Map<string, T>();
  private size = 0;
  private current: Generation;

  /**
   * @param generation tells the present generation; asked at every use
   * @param limit how much is kept, in units of `sizeOf`
   * @param sizeOf the size of a result; results are counted one by one when absent
   */
  constructor(
    private readonly generation: () => Generation,
    private readonly limit: number,
    private readonly sizeOf: (value: T, key: string) => number = () => 1,
  ) {
    this.current = generation();
  }

  get(key: string): T | undefined {
    this.turn();
    return this.entries.get(key);
  }

  /** @param since the generation in which the work on this result began; when that is over, it is not kept */
  set(key: string, value: T, since: Generation): void {
    this.turn();
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

  private turn(): void {
    const now = this.generation();
    if (now === this.current) return;
    this.current = now;
    this.entries.clear();
    this.size = 0;
  }
}
