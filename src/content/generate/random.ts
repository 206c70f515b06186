/** Chance that is the same on every machine: a seeded generator of whole numbers, and what is drawn from it. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** @param seed any text; the same text gives the same sequence */
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

  /** 32 bits: the small fast counting generator. */
  private bits(): number {
    const sum = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return this.bits() / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True in that share of cases. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.fraction() * list.length)];
  }

  /** Some of a list, in its order, none of them twice. */
  some<T>(list: readonly T[], count: number): T[] {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(count, list.length)) chosen.add(Math.floor(this.fraction() * list.length));
    return list.filter((_, index) => chosen.has(index));
  }
}

/** Draws values by weights that need not add up to one. */
export class Weighted<T> {
  private readonly bounds: readonly number[];

  /** @param entries values with their weights, at least one of which is above zero */
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
