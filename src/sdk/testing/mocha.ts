import type { Hooks } from './hooks.js';

/** The context of a hook of Mocha. */
interface Context {
  timeout: (ms: number) => void;
  currentTest?: { title: string; state?: string; titlePath: () => string[] };
}

type Declare = (hook: (this: Context) => Promise<void>) => void;

/** The hooks of Mocha, which are global; null in other runners. */
export function mochaHooks(): Hooks | null {
  const { before, beforeEach, afterEach, after, specify } = globalThis as Partial<
    Record<'before' | 'beforeEach' | 'afterEach' | 'after' | 'specify', Declare>
  >;
  // No other runner has `specify`.
  if (!before || !beforeEach || !afterEach || !after || !specify) return null;
  const declare = (at: Declare, work: (context: Context) => Promise<void>, timeout?: number): void =>
    at(function () {
      if (timeout !== undefined) this.timeout(timeout);
      return work(this);
    });
  const pathOf = ({ currentTest }: Context): string => currentTest?.titlePath().join(' > ') ?? '';
  return {
    beforeAll: (work, timeout) => declare(before, work, timeout),
    aroundEach: (start, end, timeout) => {
      declare(beforeEach, (context) => start(pathOf(context)), timeout);
      const finished = (context: Context): Parameters<typeof end>[0] => ({
        hasFailed: context.currentTest?.state === 'failed',
        title: context.currentTest?.title ?? '',
        path: pathOf(context),
        report: (text) => console.error(text),
      });
      declare(afterEach, (context) => end(finished(context)), timeout);
    },
    afterAll: (work) => declare(after, work),
  };
}
