import { Understudy, type UnderstudyOptions } from './understudy.js';

export * from './shared.js';

/** What a test can ask for: `test('…', async ({ page, understudy }) => …)`. */
export interface UnderstudyFixtures {
  /** The sandbox of the worker, back at its beginning. */
  understudy: Understudy;
}

export interface UnderstudyWorkerFixtures {
  /** The same, for fixtures that live as long as a worker. */
  understudySandbox: Understudy;
}

type Use<T> = (value: T) => Promise<void>;

/** Fixtures as Playwright's `test.extend` takes them. */
export interface FixtureTable {
  understudySandbox: [(others: object, use: Use<Understudy>) => Promise<void>, { scope: 'worker'; timeout: number }];
  understudy: (others: UnderstudyWorkerFixtures, use: Use<Understudy>) => Promise<void>;
}

const LONGEST_START = 90_000;

/** The fixtures for `base.extend<UnderstudyFixtures, UnderstudyWorkerFixtures>(understudyFixtures(options))`. */
export const understudyFixtures = (options: UnderstudyOptions = {}): FixtureTable => ({
  understudySandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from this pattern: here, nothing
    async ({}, use) => {
      const understudy = await Understudy.open(options);
      await use(understudy);
      await understudy.close();
    },
    { scope: 'worker', timeout: LONGEST_START },
  ],
  understudy: async ({ understudySandbox }, use) => {
    await understudySandbox.reset();
    await use(understudySandbox);
  },
});

/** @ts-ignore Resolved where Playwright's test runner is installed; nobody else calls `withUnderstudy`. */
type PlaywrightTest<Fixtures, WorkerFixtures> = import('@playwright/test').TestType<Fixtures, WorkerFixtures>;

/** As much of Playwright's `test` as is needed to extend it. */
export interface Extendable {
  // A method: Playwright's own is narrower in what it takes.
  extend(fixtures: FixtureTable): unknown;
}

/** Playwright's `test`, of which tests can ask for what Understudy adds. */
export type WithUnderstudy<Base> =
  Base extends PlaywrightTest<infer Fixtures, infer WorkerFixtures>
    ? PlaywrightTest<Fixtures & UnderstudyFixtures, WorkerFixtures & UnderstudyWorkerFixtures>
    : never;

/**
 * Playwright's `test` with a calendar per worker, which is back at its beginning before each test:
 * `export const test = withUnderstudy(base, { now: '2026-06-15T12:00:00Z' })`.
 */
export const withUnderstudy = <Base extends Extendable>(base: Base, options: UnderstudyOptions = {}): WithUnderstudy<Base> =>
  base.extend(understudyFixtures(options)) as WithUnderstudy<Base>;
