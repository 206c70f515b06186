import '../../base/system/node-version.js';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { tellDatasets } from './browser/rerun.js';
import { bunHooks, isFromBun } from './bun.js';
import { datasetPaths } from './dataset.js';
import { helperFor, type Hooks } from './hooks.js';
import type { Understudy, UnderstudyOptions } from './understudy.js';

export * from './shared.js';

/** The part of a suite or test file of Vitest that is needed here. */
interface Suite {
  file?: { meta: object };
  meta: object;
}

/** A test or suite, in those around it. */
interface Task {
  name: string;
  suite?: Task | undefined;
}

const pathOf = ({ name, suite }: Task): string => (suite ? `${pathOf(suite)} > ${name}` : name);

/** `bun test` resolves the import of Vitest to its own module. */
const bun = isFromBun(beforeAll) ? bunHooks() : null;

const vitestHooks: Hooks = {
  beforeAll,
  aroundEach: (before, after, timeout) => {
    // Vitest reads what a hook needs from this pattern.
    beforeEach(({ task }) => before(pathOf(task)));
    afterEach(({ task }) => {
      const hasFailed = task.result?.state === 'fail' && !task.fails;
      return after({ hasFailed, title: task.name, path: pathOf(task), report: (text) => console.error(text) });
    }, timeout);
  },
  afterAll,
};

const useSandbox = helperFor(bun ?? vitestHooks);

/**
 * Creates a sandbox for the tests of a file or a `describe`, which is reset before each test. Call it where tests are declared, and use
 * its result within tests and hooks.
 */
export function useUnderstudy(options: UnderstudyOptions = {}): Understudy {
  if (bun === null)
    // Before the sandbox: an edit may repair a dataset that cannot be loaded.
    // Vitest passes the suite last. Since 4.1, parameters before it are fixtures, which it finds in the text of the function.
    beforeAll(function () {
      const suite = (Array.from(arguments) as Suite[]).at(-1)!;
      tellDatasets((suite.file ?? suite).meta, datasetPaths(options));
    });
  return useSandbox(options);
}
