import { helperFor, type FinishedTest } from '../../src/sdk/testing/hooks.js';
import type { RunningTest } from '../../src/sdk/testing/playwright.js';
import type { Understudy, UnderstudyOptions } from '../../src/sdk/testing/understudy.js';

type Work = (given: never) => Promise<void>;

export interface Run {
  understudy: Understudy;
  /** Runs a test between its hooks. If it throws, the runner's hooks see a failed test. */
  run: (test: () => Promise<unknown>) => Promise<void>;
  end: () => Promise<void>;
  /** Output besides the results. */
  reports: string[];
}

/** Collects the hooks of a test runner, so that a test can call them. */
export function runByHand(options: UnderstudyOptions): Run {
  const hooks: Record<string, Work> = {};
  const keep = (name: string) => (work: Work) => void (hooks[name] = work);
  const reports: string[] = [];
  const call = (name: string, hasFailed = false): Promise<void> =>
    hooks[name]({
      hasFailed,
      title: 'Shows the next events',
      path: '',
      report: (text) => reports.push(text),
    } satisfies FinishedTest as never);
  const understudy = helperFor({
    beforeAll: keep('beforeAll'),
    aroundEach: (before, after) => {
      keep('beforeEach')(before);
      keep('afterEach')(after);
    },
    afterAll: keep('afterAll'),
  })(options);
  let isOpen = false;
  const run = async (test: () => Promise<unknown>): Promise<void> => {
    if (!isOpen) await call('beforeAll');
    isOpen = true;
    await hooks['beforeEach']('' as never);
    const hasFailed = await test().then(
      () => false,
      () => true,
    );
    await call('afterEach', hasFailed);
  };
  return { understudy, run, end: () => call('afterAll'), reports };
}

/** Playwright's information about a finished test. */
export function finishedTest(status = 'passed'): RunningTest & { attached: Record<string, string> } {
  const attached: Record<string, string> = {};
  const attach: RunningTest['attach'] = (name, { body, path }) => {
    attached[name] = body ?? path ?? '';
    return Promise.resolve();
  };
  return { status, expectedStatus: 'passed', title: 'Shows the next events', annotations: [], attach, attached };
}
