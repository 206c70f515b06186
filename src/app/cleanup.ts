/** Runs shutdown steps once, in reverse order of registration. */
export class Cleanup {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ended: Promise<void> | null = null;

  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }

  run(): Promise<void> {
    this.ended ??= (async () => {
      for (const step of this.steps) await step();
    })();
    return this.ended;
  }
}
