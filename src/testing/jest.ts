import '../system/node-version.js';
import { helperFor, type Hooks } from './hooks.js';

export * from './shared.js';

// The hooks are globals in test files. Importing them would work in either ESM or CommonJS only.
const runner = globalThis as unknown as Hooks;

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor({
  beforeAll: (work, timeout) => runner.beforeAll(work, timeout),
  beforeEach: (work) => runner.beforeEach(work),
  afterEach: (work) => runner.afterEach(work),
  afterAll: (work) => runner.afterAll(work),
});
