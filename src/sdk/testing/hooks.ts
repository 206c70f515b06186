import { shortEvidence } from './evidence.js';
import { Understudy, type UnderstudyOptions } from './understudy.js';

/** A test that has just run. */
export interface FinishedTest {
  hasFailed: boolean;
  /** Its title; empty: unknown. */
  title: string;
  /** Its title with those around it, as before the test. */
  path: string;
  /** Prints a text beside the result of the test. */
  report: (text: string) => void;
}

/** The hooks of a test runner. */
export interface Hooks {
  beforeAll: (work: () => Promise<void>, timeout: number) => void;
  /** @param before gets the title of the test with those around it; empty: unknown. @param timeout of `after` */
  aroundEach: (before: (path: string) => Promise<void>, after: (test: FinishedTest) => Promise<void>, timeout: number) => void;
  afterAll: (work: () => Promise<void>) => void;
}

/** Timeout of the start in ms. The first start on a machine unpacks the database. */
const START_TIMEOUT = 90_000;

/** Timeout of the hook that collects what is known of a failed test, in ms: it copies the site. */
const EVIDENCE_TIMEOUT = 30_000;

const NOT_STARTED =
  'Understudy has not started yet. Use it within a test or a hook, not while tests are being declared. If you do, this helper is of another test runner: see docs/helpers.md.';

const ENDED =
  'The test file or describe that this Understudy belongs to has ended. Test files that share modules ("isolate: false" in Vitest, or bun test) run a shared module once. Let it export a function that calls useUnderstudy(), and call that in each test file.';

/** A proxy for a sandbox that does not exist yet. @param problem why it does not exist */
function lazy(current: () => Understudy | undefined, problem: () => string): Understudy {
  return new Proxy({} as Understudy, {
    get(_, name) {
      const understudy = current();
      // Properties that runners read to format a value, or to find out whether it is a promise.
      if (!understudy && (typeof name === 'symbol' || name === 'then' || name === 'toJSON')) return undefined;
      if (!understudy) throw new Error(problem());
      const value: unknown = Reflect.get(understudy, name, understudy);
      return typeof value === 'function' ? (value.bind(understudy) as unknown) : value;
    },
  });
}

/** Finds tests that run at the same time, which is known when the first of two ends. */
class Overlaps {
  /** The running tests, and which tests have begun since. */
  private readonly running = new Map<string, string[]>();
  private hasWarned = false;

  begin(path: string): void {
    for (const later of this.running.values()) later.push(path);
    if (path !== '') this.running.set(path, []);
  }

  end(path: string): void {
    // Parts of a test run within it.
    const other = this.running.get(path)?.find((each) => each !== path && !each.startsWith(`${path} > `));
    this.running.delete(path);
    if (other === undefined || this.hasWarned) return;
    this.hasWarned = true;
    console.warn(
      `The tests ${JSON.stringify(path)} and ${JSON.stringify(other)} ran at the same time, and share one calendar: the start of a test resets it for the other, and requests, faults and evidence are of both. Run the tests of a file one after another. Different files may run at the same time.`,
    );
  }
}

/**
 * Creates the helper for a test runner: one sandbox per file or `describe`, which is reset before each test. After each test its requests
 * are checked, and a failed test reports them.
 */
export const helperFor =
  ({ beforeAll, aroundEach, afterAll }: Hooks) =>
  (options: UnderstudyOptions = {}): Understudy => {
    let understudy: Understudy | undefined;
    let isFresh = true;
    let problem = NOT_STARTED;
    const overlaps = new Overlaps();
    beforeAll(async () => {
      understudy = await Understudy.open(options);
      isFresh = true;
    }, START_TIMEOUT);
    const before = async (path: string): Promise<void> => {
      overlaps.begin(path);
      if (!isFresh) await understudy?.reset();
      isFresh = false;
    };
    const after = async ({ hasFailed, title, path, report }: FinishedTest): Promise<void> => {
      overlaps.end(path);
      if (!understudy) return;
      const found = await problemOf(understudy.check());
      if (options.evidence !== false && (hasFailed || found)) report(await shortEvidence(understudy, title));
      if (found) throw found.reason;
    };
    aroundEach(before, after, EVIDENCE_TIMEOUT);
    afterAll(async () => {
      await understudy?.close();
      understudy = undefined;
      problem = ENDED;
    });
    return lazy(
      () => understudy,
      () => problem,
    );
  };

/** Why a check failed; null if it did not. */
export const problemOf = (check: Promise<void>): Promise<{ reason: unknown } | null> =>
  check.then(
    () => null,
    (reason: unknown) => ({ reason }),
  );
