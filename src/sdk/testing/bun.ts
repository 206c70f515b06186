import type { Hooks } from './hooks.js';

/** The part of `bun:test` that the helpers need. Its hooks get nothing about the test, not even whether it failed. */
interface BunTest {
  beforeAll: (work: () => Promise<void>, timeout: number) => void;
  beforeEach: (work: () => Promise<void>) => void;
  afterEach: (work: () => Promise<void>, timeout: number) => void;
  afterAll: (work: () => Promise<void>) => void;
}

/** The hooks of `bun test`; null in Node.js. Not imported: the helpers load in Node.js too, and as CommonJS. */
export function bunHooks(): Hooks | null {
  if (process.versions.bun === undefined) return null;
  const { beforeAll, beforeEach, afterEach, afterAll } = process.getBuiltinModule('bun:test') as unknown as BunTest;
  return {
    beforeAll,
    aroundEach: (before, after, timeout) => {
      beforeEach(() => before(''));
      afterEach(() => after({ hasFailed: false, title: '', path: '', report: (text) => console.error(text) }), timeout);
    },
    afterAll,
  };
}

/** Whether a hook is from `bun test`, which resolves the modules of other runners to its own. */
export const isFromBun = (beforeAll: unknown): boolean =>
  process.versions.bun !== undefined && (process.getBuiltinModule('bun:test') as unknown as BunTest | undefined)?.beforeAll === beforeAll;
