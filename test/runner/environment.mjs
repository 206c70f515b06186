import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/** Gives test files access to the modules that `once.mjs` keeps outside of their contexts, and the same classes of errors as those use. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, ERRORS, { requireOnce: createRequire(import.meta.url) });
  }
}
