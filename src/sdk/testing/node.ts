import '../../base/system/node-version.js';
import { after, afterEach, before, beforeEach } from 'node:test';
import { bunHooks } from './bun.js';
import { helperFor, type FinishedTest } from './hooks.js';

export * from './shared.js';

/** The context of a test, as a hook gets it. */
interface Context {
  /** Why the test failed; null if it did not. */
  error?: Error | null;
  name?: string;
  diagnostic?: (message: string) => void;
}

const finishedTest = (test: Context): FinishedTest => ({
  hasFailed: (test.error ?? null) !== null,
  title: test.name ?? '',
  report: (text) => text.split('\n').forEach((line) => test.diagnostic?.(line)),
});

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor(
  // Bun ignores the timeout of hooks of `node:test`, which the start of a server exceeds.
  bunHooks() ?? {
    beforeAll: (work, timeout) => before(work, { timeout }),
    beforeEach: (work) => beforeEach(work),
    afterEach: (work) => afterEach((test) => work(finishedTest(test))),
    afterAll: (work) => after(work),
  },
);
