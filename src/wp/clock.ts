/** The only source of "now": the system's, shifted, or standing still. */
export class Clock {
  private frozenAt: number | null;
  private shift = 0;

  /** @param frozenAt milliseconds since 1970 UTC at which the clock stands, or null for a running clock */
  constructor(frozenAt: number | null = null) {
    this.frozenAt = frozenAt;
  }

  /** Milliseconds since 1970 UTC. */
  now(): number {
    return this.frozenAt ?? Date.now() + this.shift;
  }

  /** Whole seconds since 1970 UTC. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  get frozen(): boolean {
    return this.frozenAt !== null;
  }

  /** Stops the clock at a moment (ms UTC), or where it is. */
  freeze(at: number = this.now()): void {
    this.frozenAt = at;
  }

  /** Moves the clock to a moment (ms UTC) without changing whether it runs. */
  set(at: number): void {
    if (this.frozenAt === null) this.shift = at - Date.now();
    else this.frozenAt = at;
  }

  /** Lets the clock run on from where it is; `real` puts it back to the system's time. */
  run({ real = false }: { real?: boolean } = {}): void {
    const at = this.now();
    this.frozenAt = null;
    this.shift = real ? 0 : at - Date.now();
  }
}
