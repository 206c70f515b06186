import '../../base/system/node-version.js';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { helperFor } from './hooks.js';

export * from './shared.js';

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor({
  beforeAll,
  beforeEach,
  // Vitest reads what a hook needs from this pattern.
  afterEach: (work) =>
    afterEach(({ task }) => work({ hasFailed: task.result?.state === 'fail' && !task.fails, report: (text) => console.error(text) })),
  afterAll,
});
