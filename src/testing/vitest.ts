import { afterAll, beforeAll, beforeEach } from 'vitest';
import { helperFor } from './hooks.js';

export * from './shared.js';

/**
 * A calendar for the tests of a file or a `describe`: a sandbox of its own, back at its beginning before each test. Call it where tests are
 * declared; what it gives can be used once they run.
 */
export const useUnderstudy = helperFor({ beforeAll, beforeEach, afterAll });
