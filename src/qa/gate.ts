/** A read-write lock: requests run concurrently; an exclusive function waits for them to finish and blocks new ones. */
export class Gate {
  private active = 0;
  private closed: Promise<void> | null = null;
  private onEmpty: (() => void) | null = null;

  /** Whether an exclusive function runs or waits. */
  get isClosed(): boolean {
    return this.closed !== null;
  }

  /** Enters the gate. Returns a promise only if it has to wait. Every `enter` needs a `leave`. */
  enter(): Promise<void> | undefined {
    if (this.closed) return this.enterLater();
    this.active += 1;
    return undefined;
  }

  private async enterLater(): Promise<void> {
    while (this.closed) await this.closed;
    this.active += 1;
  }

  leave(): void {
    this.active -= 1;
    if (this.active === 0) this.onEmpty?.();
  }

  /** Runs a function exclusively. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    let open: () => void = () => undefined;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.active > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
      return await work();
    } finally {
      this.onEmpty = null;
      this.closed = null;
      open();
    }
  }
}
