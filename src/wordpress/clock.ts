import { AsyncLocalStorage } from 'node:async_hooks';

/** The time that applies to a single async context, in ms since 1970 UTC. */
const overrides = new AsyncLocalStorage<number>();
let activeOverrides = 0;

/** Real time, in ms since 1970 UTC. For measurements, never for content. */
export const realTime = (): number => Date.now();

export interface SavedClock {
  /** Milliseconds since 1970 UTC; null: running. */
  frozenAt: number | null;
  /** Milliseconds ahead of real time. */
  shift: number;
}

/** A span of time, in ms since 1970 UTC. The end is not part of it. */
export interface Span {
  from: number;
  until: number;
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

  /** For each observer, when results that are being computed are the same as now. */
  private readonly observed = new Set<Span>();

  /** Milliseconds since 1970 UTC. What depends on them is taken to change every second: the other methods say more. */
  now(): number {
    const now = this.peek();
    const from = 1000 * Math.floor(now / 1000);
    this.noteSpan(from, from + 1000);
    return now;
  }

  /** Starts to collect the span of time in which results that are computed from here on stay the same. End it with `endSpan`. */
  beginSpan(): Span {
    const span = { from: -Infinity, until: Infinity };
    this.observed.add(span);
    return span;
  }

  endSpan(span: Span): void {
    this.observed.delete(span);
  }

  /** Notes that what was learned from the time stays the same in a span of time, which the current time is in. */
  noteSpan(from: number, until: number): void {
    Clock.readings += 1;
    if (this.observed.size === 0 || Clock.isOverridden) return;
    for (const span of this.observed) {
      span.from = Math.max(span.from, from);
      span.until = Math.min(span.until, until);
    }
  }

  /** Whether the clock shows a second, or a later one. @param second since 1970 UTC */
  hasReached(second: number): boolean {
    const at = 1000 * second;
    const isReached = this.peek() >= at;
    this.noteSpan(isReached ? at : -Infinity, isReached ? Infinity : at);
    return isReached;
  }

  /** Like `now`, for what no response depends on, or only together with a call of `noteSpan`. */
  peek(): number {
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
