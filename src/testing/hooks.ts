import { Understudy, type UnderstudyOptions } from './understudy.js';

/** The hooks of a test runner. */
export interface Hooks {
  beforeAll: (work: () => Promise<void>, timeout: number) => void;
  beforeEach: (work: () => Promise<void>) => void;
  afterEach: (work: () => Promise<void>) => void;
  afterAll: (work: () => Promise<void>) => void;
}

/** Timeout of the start in ms. The first start on a machine unpacks the database. */
const START_TIMEOUT = 90_000;

const NOT_STARTED = 'Understudy has not started yet. Use it within a test or a hook, not while tests are being declared.';

/** A proxy for a sandbox that does not exist yet. */
function lazy(current: () => Understudy | undefined): Understudy {
  return new Proxy({} as Understudy, {
    get(_, name) {
      const understudy = current();
      // Properties that runners read to format a value, or to find out whether it is a promise.
      if (!understudy && (typeof name === 'symbol' || name === 'then' || name === 'toJSON')) return undefined;
      if (!understudy) throw new Error(NOT_STARTED);
      const value: unknown = Reflect.get(understudy, name, understudy);
      return typeof value === 'function' ? (value.bind(understudy) as unknown) : value;
    },
  });
}

/**
 * Creates the helper for a test runner: one sandbox per file or `describe`, which is reset before each test. With `strict`, requests are checked after each test.
 */
export const helperFor =
  ({ beforeAll, beforeEach, afterEach, afterAll }: Hooks) =>
  (options: UnderstudyOptions = {}): Understudy => {
    let understudy: Understudy | undefined;
    let isFresh = true;
    beforeAll(async () => {
      understudy = await Understudy.open(options);
      isFresh = true;
    }, START_TIMEOUT);
    beforeEach(async () => {
      if (!isFresh) await understudy?.reset();
      isFresh = false;
    });
    if (options.strict) afterEach(async () => understudy?.check());
    afterAll(async () => {
      await understudy?.close();
      understudy = undefined;
    });
    return lazy(() => understudy);
  };
