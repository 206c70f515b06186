import { shortEvidence } from './evidence.js';
import { Understudy, type UnderstudyOptions } from './understudy.js';

/** A test that has just run. */
export interface FinishedTest {
  hasFailed: boolean;
  /** Its title; empty: unknown. */
  title: string;
  /** Prints a text beside the result of the test. */
  report: (text: string) => void;
}

/** The hooks of a test runner. */
export interface Hooks {
  beforeAll: (work: () => Promise<void>, timeout: number) => void;
  beforeEach: (work: () => Promise<void>) => void;
  afterEach: (work: (test: FinishedTest) => Promise<void>, timeout: number) => void;
  afterAll: (work: () => Promise<void>) => void;
}

/** Timeout of the start in ms. The first start on a machine unpacks the database. */
const START_TIMEOUT = 90_000;

/** Timeout of the hook that collects what is known of a failed test, in ms: it copies the site. */
const EVIDENCE_TIMEOUT = 30_000;

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
 * Creates the helper for a test runner: one sandbox per file or `describe`, which is reset before each test. After each test its requests
 * are checked, and a failed test reports them.
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
    afterEach(async ({ hasFailed, title, report }) => {
      if (!understudy) return;
      const problem = await problemOf(understudy.check());
      if (options.evidence !== false && (hasFailed || problem)) report(await shortEvidence(understudy, title));
      if (problem) throw problem.reason;
    }, EVIDENCE_TIMEOUT);
    afterAll(async () => {
      await understudy?.close();
      understudy = undefined;
    });
    return lazy(() => understudy);
  };

/** Why a check failed; null if it did not. */
export const problemOf = (check: Promise<void>): Promise<{ reason: unknown } | null> =>
  check.then(
    () => null,
    (reason: unknown) => ({ reason }),
  );
