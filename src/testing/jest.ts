import { helperFor, type Hooks } from './hooks.js';

export * from './shared.js';

// Within a test file they are global; nothing has to be imported, which could only be done in one of the two kinds of modules.
const runner = globalThis as unknown as Hooks;

/**
 * A calendar for the tests of a file or a `describe`: a sandbox of its own, back at its beginning before each test. Call it where tests are
 * declared; what it gives can be used once they run.
 */
export const useUnderstudy = helperFor({
  beforeAll: (work, timeout) => runner.beforeAll(work, timeout),
  beforeEach: (work) => runner.beforeEach(work),
  afterAll: (work) => runner.afterAll(work),
});
