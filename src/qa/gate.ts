/** Lets works through together, and now and then one that wants to be alone: it waits for those that are under way, and new ones for it. */
export class Gate {
  private under = 0;
  private closed: Promise<void> | null = null;
  private onEmpty: (() => void) | null = null;

  /** Comes in; a promise only when it has to wait. Whoever came in leaves. */
  enter(): Promise<void> | undefined {
    if (this.closed) return this.enterLater();
    this.under += 1;
    return undefined;
  }

  private async enterLater(): Promise<void> {
    while (this.closed) await this.closed;
    this.under += 1;
  }

  leave(): void {
    this.under -= 1;
    if (this.under === 0) this.onEmpty?.();
  }

  /** Runs a work while no other is under way. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    let open: () => void = () => undefined;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.under > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
      return await work();
    } finally {
      this.onEmpty = null;
      this.closed = null;
      open();
    }
  }
}
