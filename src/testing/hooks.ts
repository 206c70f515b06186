import { Understudy, type UnderstudyOptions } from './understudy.js';

/** What a test runner calls before and after. */
export interface Hooks {
  beforeAll: (work: () => Promise<void>, timeout: number) => void;
  beforeEach: (work: () => Promise<void>) => void;
  afterAll: (work: () => Promise<void>) => void;
}

/** The first start on a machine unpacks the database. */
const LONGEST_START = 90_000;

const EARLY = 'Understudy is not there yet: use it within a test or a hook, not while tests are being declared';

/** What stands for a sandbox before there is one. */
function standIn(current: () => Understudy | undefined): Understudy {
  return new Proxy({} as Understudy, {
    get(_, name) {
      const understudy = current();
      // What runners ask of anything that they show, or that might be a promise.
      if (!understudy && (typeof name === 'symbol' || name === 'then' || name === 'toJSON')) return undefined;
      if (!understudy) throw new Error(EARLY);
      const value: unknown = Reflect.get(understudy, name, understudy);
      return typeof value === 'function' ? (value.bind(understudy) as unknown) : value;
    },
  });
}

/**
 * Makes the helper of a test runner: a sandbox per file (or per `describe`, within one), which goes back to where it began before each test.
 */
export const helperFor =
  ({ beforeAll, beforeEach, afterAll }: Hooks) =>
  (options: UnderstudyOptions = {}): Understudy => {
    let understudy: Understudy | undefined;
    let isFresh = true;
    beforeAll(async () => {
      understudy = await Understudy.open(options);
      isFresh = true;
    }, LONGEST_START);
    beforeEach(async () => {
      if (!isFresh) await understudy?.reset();
      isFresh = false;
    });
    afterAll(async () => {
      await understudy?.close();
      understudy = undefined;
    });
    return standIn(() => understudy);
  };
