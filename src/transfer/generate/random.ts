/** A seeded random generator with the same results on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** @param seed any text; the same text produces the same sequence */
  constructor(seed: string) {
    let hash = 1779033703 ^ seed.length;
    const next = (): number => {
      hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
      hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
      return (hash ^= hash >>> 16) >>> 0;
    };
    for (let i = 0; i < seed.length; i += 1) {
      hash = Math.imul(hash ^ seed.charCodeAt(i), 3432918353);
      hash = (hash << 13) | (hash >>> 19);
    }
    [this.a, this.b, this.c, this.d] = [next(), next(), next(), next()];
    for (let i = 0; i < 8; i += 1) this.bits();
  }

  /** The next 32 bits (algorithm: sfc32). */
  private bits(): number {
    const sum = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bits() / 4294967296;
  }

  /** An integer from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.fraction() * list.length)];
  }

  /** Distinct items of a list, in its order. */
  some<T>(list: readonly T[], count: number): T[] {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(count, list.length)) chosen.add(Math.floor(this.fraction() * list.length));
    return list.filter((_, index) => chosen.has(index));
  }
}

/** Draws values by weight. The weights need not add up to 1. */
export class Weighted<T> {
  private readonly bounds: readonly number[];

  /** @param entries values with their weights; at least one must be greater than 0 */
  constructor(private readonly entries: readonly (readonly [T, number])[]) {
    let sum = 0;
    this.bounds = entries.map(([, weight]) => (sum += weight));
  }

  draw(random: Random): T {
    const at = random.fraction() * (this.bounds.at(-1) ?? 0);
    const index = this.bounds.findIndex((bound) => at < bound);
    return this.entries[index < 0 ? this.entries.length - 1 : index][0];
  }
}
