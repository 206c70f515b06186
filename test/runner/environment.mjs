import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const requireOnce = createRequire(import.meta.url);
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/** Gives test files access to the modules that `once.mjs` keeps outside of their contexts, and the same classes of errors as those use. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // The plugin registers itself before any store is opened, also where the first test file of a worker knows the store alone.
    requireOnce('../../dist/tec/index.js');
    Object.assign(this.global, ERRORS, { requireOnce });
  }
}
