import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const requireOnce = createRequire(import.meta.url);
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/**
 * AsyncLocalStorage instances used since the last file ended. Jest creates one for each file without disabling it. Node.js before 24 keeps
 * those active, so that each promise of the worker would propagate the contexts of all previous files. Jest has no option for this.
 */
const storages = new Set();
const run = Reflect.get(AsyncLocalStorage.prototype, 'run');
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

// Exits at once: on a busy machine, freeing the memory of all files takes longer than Jest waits.
if (process.send) process.once('exit', () => process.exit());

/** Gives test files access to the modules that `once.mjs` keeps outside their contexts, and to the same error classes. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // The plugin must register before a store is opened, even if the first test file of a worker imports only the store.
    requireOnce('../../dist/tec/index.js');
    Object.assign(this.global, ERRORS, { requireOnce });
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
