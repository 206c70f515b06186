import '../system/node-version.js';
import { after, afterEach, before, beforeEach } from 'node:test';
import { helperFor } from './hooks.js';

export * from './shared.js';

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export const useUnderstudy = helperFor({
  beforeAll: (work, timeout) => before(work, { timeout }),
  beforeEach: (work) => beforeEach(work),
  afterEach: (work) => afterEach(work),
  afterAll: (work) => after(work),
});
