import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const requireOnce = createRequire(import.meta.url);
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/**
 * Those that were entered since the last file ended. Jest enters one for each file and never leaves it, and Node.js before 24 lists what was
 * entered until it is disabled: every promise of the worker would be told of the contexts of all files so far. No option ends that.
 */
const storages = new Set();
const run = Reflect.get(AsyncLocalStorage.prototype, 'run');
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

// A worker at its end has nothing open. To free the memory of all its files takes longer on a busy machine than Jest waits for it.
if (process.send) process.once('exit', () => process.exit());

/** Gives test files access to the modules that `once.mjs` keeps outside of their contexts, and the same classes of errors as those use. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // The plugin registers itself before any store is opened, also where the first test file of a worker knows the store alone.
    requireOnce('../../dist/tec/index.js');
    Object.assign(this.global, ERRORS, { requireOnce });
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
