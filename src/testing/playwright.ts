import '../system/node-version.js';
import { Understudy, type UnderstudyOptions } from './understudy.js';

export * from './shared.js';

/** Fixtures of a test: `test('…', async ({ page, understudy }) => …)`. */
export interface UnderstudyFixtures {
  /** The sandbox of the worker, reset before each test. */
  understudy: Understudy;
}

export interface UnderstudyWorkerFixtures {
  /** The sandbox of the worker, for worker-scoped fixtures. */
  understudySandbox: Understudy;
}

type Use<T> = (value: T) => Promise<void>;

/** Fixtures for Playwright's `test.extend`. */
export interface FixtureTable {
  understudySandbox: [(others: object, use: Use<Understudy>) => Promise<void>, { scope: 'worker'; timeout: number }];
  understudy: (others: UnderstudyWorkerFixtures, use: Use<Understudy>) => Promise<void>;
}

const START_TIMEOUT = 90_000;

/** The fixtures for `base.extend<UnderstudyFixtures, UnderstudyWorkerFixtures>(understudyFixtures(options))`. */
export const understudyFixtures = (options: UnderstudyOptions = {}): FixtureTable => ({
  understudySandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from this pattern; there are none
    async ({}, use) => {
      const understudy = await Understudy.open(options);
      await use(understudy);
      await understudy.close();
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
  understudy: async ({ understudySandbox }, use) => {
    await understudySandbox.reset();
    await use(understudySandbox);
    await understudySandbox.check();
  },
});

/** @ts-ignore Resolved only if Playwright's test runner is installed, as required for `withUnderstudy`. */
type PlaywrightTest<Fixtures, WorkerFixtures> = import('@playwright/test').TestType<Fixtures, WorkerFixtures>;

/** The part of Playwright's `test` that is needed to extend it. */
export interface Extendable {
  // A method, since Playwright's parameter type is narrower.
  extend(fixtures: FixtureTable): unknown;
}

/** Playwright's `test` with the fixtures of Understudy. */
export type WithUnderstudy<Base> =
  Base extends PlaywrightTest<infer Fixtures, infer WorkerFixtures>
    ? PlaywrightTest<Fixtures & UnderstudyFixtures, WorkerFixtures & UnderstudyWorkerFixtures>
    : never;

/**
 * Extends Playwright's `test` with a sandbox per worker, which is reset before each test:
 * `export const test = withUnderstudy(base, { now: '2026-06-15T12:00:00Z' })`.
 */
export const withUnderstudy = <Base extends Extendable>(base: Base, options: UnderstudyOptions = {}): WithUnderstudy<Base> =>
  base.extend(understudyFixtures(options)) as WithUnderstudy<Base>;
