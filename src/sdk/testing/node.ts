import '../../base/system/node-version.js';
import { after, afterEach, before, beforeEach } from 'node:test';
import { bunHooks } from './bun.js';
import { helperFor, type FinishedTest } from './hooks.js';
import { mochaHooks } from './mocha.js';

export * from './shared.js';

/** The context of a test, as a hook gets it. */
interface Context {
  /** Why the test failed; null if it did not. */
  error?: Error | null;
  name?: string;
  fullName?: string;
  after?: (work: () => Promise<void>) => void;
  diagnostic?: (message: string) => void;
}

const pathOf = ({ name = '', fullName = name }: Context): string => fullName;

/** Whether this is Deno, which ignores errors of `afterEach`, but not of what a test is told to do after it. */
const isDeno = process.versions['deno'] !== undefined;

const finishedTest = (test: Context): FinishedTest => ({
  hasFailed: (test.error ?? null) !== null,
  title: test.name ?? '',
  path: pathOf(test),
  report: (text) => text.split('\n').forEach((line) => test.diagnostic?.(line)),
});

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor(
  // Bun ignores the timeout of hooks of `node:test`, which the start of a server exceeds.
  bunHooks() ??
    mochaHooks() ?? {
      beforeAll: (work, timeout) => before(work, { timeout }),
      aroundEach: (start, end) => {
        beforeEach(async (test: Context) => {
          if (isDeno) test.after?.(() => end(finishedTest(test)));
          await start(pathOf(test));
        });
        if (!isDeno) afterEach((test: Context) => end(finishedTest(test)));
      },
      afterAll: (work) => after(work),
    },
);
