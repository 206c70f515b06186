import { AsyncLocalStorage } from 'node:async_hooks';

/** The moment that a single work has to itself, ms since 1970 UTC. */
const moments = new AsyncLocalStorage<number>();
let worksWithMoment = 0;

/** Real time, ms since 1970 UTC: for what is measured, never for what is answered. */
export const realTime = (): number => Date.now();

/** All there is to know of a clock, ms. */
export interface ClockState {
  frozenAt: number | null;
  shift: number;
}

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
    if (worksWithMoment > 0) {
      const moment = moments.getStore();
      if (moment !== undefined) return moment;
    }
    return this.frozenAt ?? Date.now() + this.shift;
  }

  /** Runs a work for which it is a moment of its own (ms UTC), whatever any clock says; everybody else's time is what it was. */
  static async at<T>(moment: number, work: () => Promise<T>): Promise<T> {
    worksWithMoment += 1;
    try {
      return await moments.run(moment, work);
    } finally {
      worksWithMoment -= 1;
      // As long as it is on, every promise of the process costs a little more.
      if (worksWithMoment === 0) moments.disable();
    }
  }

  /** Whether the work that asks has a moment of its own (`at`). */
  static get isMoment(): boolean {
    return worksWithMoment > 0 && moments.getStore() !== undefined;
  }

  /** Whole seconds since 1970 UTC. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  get frozen(): boolean {
    return this.frozenAt !== null;
  }

  /** What `restoreState` takes. */
  get state(): ClockState {
    return { frozenAt: this.frozenAt, shift: this.shift };
  }

  /** Goes back to what `state` told; a clock that ran then runs as far from real time as it did. */
  restoreState({ frozenAt, shift }: ClockState): void {
    this.frozenAt = frozenAt;
    this.shift = shift;
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
