import { AsyncLocalStorage } from 'node:async_hooks';

/** The time that applies to a single async context, in ms since 1970 UTC. */
const overrides = new AsyncLocalStorage<number>();
let activeOverrides = 0;

/** Real time, in ms since 1970 UTC. For measurements, never for content. */
export const realTime = (): number => Date.now();

/** The state of a clock. */
export interface SavedClock {
  /** Milliseconds since 1970 UTC; null: running. */
  frozenAt: number | null;
  /** Milliseconds ahead of real time. */
  shift: number;
}

/** The only source of the current time: real time, shifted or frozen. */
export class Clock {
  private frozenAt: number | null;
  private shift = 0;

  /** @param frozenAt time at which the clock is frozen, in ms since 1970 UTC; null: running */
  constructor(frozenAt: number | null = null) {
    this.frozenAt = frozenAt;
  }

  /** How often any clock was read: results computed without reading it do not depend on the time. */
  static readings = 0;

  /** Milliseconds since 1970 UTC. */
  now(): number {
    Clock.readings += 1;
    if (activeOverrides > 0) {
      const override = overrides.getStore();
      if (override !== undefined) return override;
    }
    return this.frozenAt ?? Date.now() + this.shift;
  }

  /** Runs a function for which all clocks show a given time. Other async contexts are not affected. @param time ms since 1970 UTC */
  static async at<T>(time: number, run: () => Promise<T>): Promise<T> {
    activeOverrides += 1;
    try {
      return await overrides.run(time, run);
    } finally {
      activeOverrides -= 1;
      // An enabled AsyncLocalStorage slows down every promise of the process.
      if (activeOverrides === 0) overrides.disable();
    }
  }

  /** Whether the time is overridden in the current async context (`at`). */
  static get isOverridden(): boolean {
    return activeOverrides > 0 && overrides.getStore() !== undefined;
  }

  /** Whole seconds since 1970 UTC. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  get frozen(): boolean {
    return this.frozenAt !== null;
  }

  /** For `restoreState`. */
  get state(): SavedClock {
    return { frozenAt: this.frozenAt, shift: this.shift };
  }

  /** Restores a `state`. A running clock has the same shift from real time as before. */
  restoreState({ frozenAt, shift }: SavedClock): void {
    this.frozenAt = frozenAt;
    this.shift = shift;
  }

  /** Freezes the clock. @param at ms since 1970 UTC */
  freeze(at: number = this.now()): void {
    this.frozenAt = at;
  }

  /** Sets the time. A frozen clock stays frozen. @param at ms since 1970 UTC */
  set(at: number): void {
    if (this.frozenAt === null) this.shift = at - Date.now();
    else this.frozenAt = at;
  }

  /** Unfreezes the clock. `real` resets it to real time. */
  run({ real = false }: { real?: boolean } = {}): void {
    const at = this.now();
    this.frozenAt = null;
    this.shift = real ? 0 : at - Date.now();
  }
}
