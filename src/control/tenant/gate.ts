import { qaError } from './api/route.js';

/** How long an exclusive function waits for running requests, in ms. */
const PATIENCE_MS = 10_000;

/** How many running requests its error names. */
const MAX_NAMED = 3;

/** A request that holds the lock. */
export interface RunningRequest {
  method: string;
  url: string;
}

/** A read-write lock: requests run concurrently; an exclusive function waits for them to finish and blocks new ones. */
export class Gate {
  /** The requests inside, with the times at which they entered (`performance.now()`). */
  private readonly inside = new Map<RunningRequest, number>();
  private closed: Promise<void> | null = null;
  /** The error for all who wait, or come later: the site is gone. */
  ended: Error | null = null;
  private onEmpty: (() => void) | null = null;

  /** @param patience how long an exclusive function waits, in ms */
  constructor(private readonly patience = PATIENCE_MS) {}

  /** Whether an exclusive function runs or waits. */
  get isClosed(): boolean {
    return this.closed !== null;
  }

  /** Enters the gate. Returns a promise only if it has to wait, which rejects once the gate has `ended`. Every `enter` needs a `leave`. */
  enter(guest: RunningRequest): Promise<void> | undefined {
    if (this.closed || this.ended) return this.enterLater(guest);
    this.inside.set(guest, performance.now());
    return undefined;
  }

  private async enterLater(guest: RunningRequest): Promise<void> {
    while (this.closed) await this.closed;
    if (this.ended) throw this.ended;
    this.inside.set(guest, performance.now());
  }

  leave(guest: RunningRequest): void {
    this.inside.delete(guest);
    if (this.inside.size === 0) this.onEmpty?.();
  }

  /**
   * Runs a function exclusively.
   * @throws RestError 503 that names the requests that still run, if they do not finish soon
   */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    if (this.ended) throw this.ended;
    let open: () => void = () => undefined;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.inside.size > 0) await this.emptied();
      return await work();
    } finally {
      this.onEmpty = null;
      this.closed = null;
      open();
    }
  }

  private emptied(): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(this.busy()), this.patience);
      this.onEmpty = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }

  private busy(): Error {
    const now = performance.now();
    const names = [...this.inside].map(([{ method, url }, since]) => `${method} ${url} (${((now - since) / 1000).toFixed(1)} s)`);
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    return qaError('busy', `Requests are still running: ${names.slice(0, MAX_NAMED).join(', ')}${more}. Nothing was changed.`, 503);
  }
}
