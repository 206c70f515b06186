import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const requireOnce = createRequire(import.meta.url);
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

const [run, getStore] = ['run', 'getStore'].map((name) => Reflect.get(AsyncLocalStorage.prototype, name));

/** AsyncLocalStorage instances used since the last file ended. Node.js before 24 keeps those active, and calls hooks for each promise. */
const storages = new Set();

/**
 * What Jest has stored, by instance. It runs each test and hook in an AsyncLocalStorage, to know which of them an error belongs to, and each
 * promise would then take longer. Here tests run one after another, so a variable is enough.
 */
const stored = new Map();
const isOfJest = (store) => typeof store === 'object' && store !== null && ('test' in store || 'hook' in store);

AsyncLocalStorage.prototype.run = function (store, work, ...args) {
  if (!isOfJest(store)) {
    storages.add(this);
    return run.call(this, store, work, ...args);
  }
  const outer = stored.get(this);
  stored.set(this, store);
  return work(...args).finally(() => stored.set(this, outer));
};
AsyncLocalStorage.prototype.getStore = function () {
  return stored.get(this) ?? getStore.call(this);
};

const { compileFunction } = vm;
const scripts = new Map();

/** Jest loads parts of itself again for each test file. Compiled once per worker, they run in the context of each file. */
vm.compileFunction = (source, parameters, options) => {
  const { filename, parsingContext } = options;
  // Such a module imports for the file that it was compiled for.
  if (source.includes('import(')) return compileFunction(source, parameters, options);
  if (!scripts.has(filename)) scripts.set(filename, new vm.Script(`(function (${parameters.join(', ')}) {${source}\n})`, { filename }));
  return scripts.get(filename).runInContext(parsingContext);
};

/** Jest tells its main process of each test, which shows how many have passed so far. That takes as long as many of the tests. */
const isOfTest = (message) => String(message[1]?.[0]).startsWith('test-case-');
if (process.send) {
  const send = process.send.bind(process);
  process.send = (message, ...rest) => isOfTest(message) || send(message, ...rest);
  // Exits at once: on a busy machine, freeing the memory of all files takes longer than Jest waits.
  process.once('exit', () => process.exit());
}

/**
 * The same commit gives the same result: property tests draw the same values each time, unless they are asked for more effort.
 * `UNDERSTUDY_TEST_SEED` is another seed, or `random`.
 */
const { UNDERSTUDY_TEST_SEED: seed = Number(process.env.UNDERSTUDY_TEST_EFFORT ?? 1) > 1 ? 'random' : '1' } = process.env;
if (seed !== 'random') (await import('fast-check')).configureGlobal({ seed: Number(seed) });

/** Gives test files access to the modules that `once.mjs` keeps outside their contexts, and to the same error classes. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, ERRORS, { requireOnce });
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    stored.clear();
    await super.teardown();
  }
}
