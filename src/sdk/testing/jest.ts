import '../../base/system/node-version.js';
import { bunHooks } from './bun.js';
import { helperFor, type FinishedTest, type Hooks } from './hooks.js';

export * from './shared.js';

type Work = () => Promise<void>;

// The hooks are globals in test files. Importing them would work in either ESM or CommonJS only.
const runner = globalThis as unknown as Record<'beforeEach' | 'afterAll', (work: Work) => void> & {
  afterEach: (work: Work, timeout: number) => void;
  // Absent in Bun, where they are globals of the test file alone.
  beforeAll?: (work: Work, timeout: number) => void;
};

/** The part of the state of jest-circus that says whether a test has failed. */
interface CircusState {
  currentlyRunningTest?: { name: string; errors: readonly unknown[]; failing?: boolean } | null;
}

/** The running test. Jest has no interface for it in test files; its state is a global with a symbol as name. */
function runningTest(): CircusState['currentlyRunningTest'] {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  return symbol === undefined ? null : (Reflect.get(globalThis, symbol) as CircusState).currentlyRunningTest;
}

function finishedTest(): FinishedTest {
  const test = runningTest();
  return {
    hasFailed: test ? test.errors.length > 0 && !test.failing : false,
    title: test?.name ?? '',
    path: '',
    report: (text) => console.error(test ? `Test ${test.name}\n${text}` : text),
  };
}

const jestHooks: Hooks = {
  beforeAll: (work, timeout) => runner.beforeAll?.(work, timeout),
  aroundEach: (before, after, timeout) => {
    // Jest runs hooks around one test at a time.
    runner.beforeEach(() => before(''));
    runner.afterEach(() => after(finishedTest()), timeout);
  },
  afterAll: (work) => runner.afterAll(work),
};

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor((runner.beforeAll ? null : bunHooks()) ?? jestHooks);
