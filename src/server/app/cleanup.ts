/** Runs shutdown steps once, in reverse order of registration. */
export class Cleanup {
  private readonly steps: (() => unknown)[] = [];
  private ended: Promise<void> | null = null;

  add(step: () => unknown): void {
    this.steps.unshift(step);
  }

  run(): Promise<void> {
    this.ended ??= (async () => {
      for (const step of this.steps) await step();
    })();
    return this.ended;
  }
}
