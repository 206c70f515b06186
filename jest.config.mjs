import { availableParallelism } from 'node:os';
import { MODULES, SOURCES, UNTOUCHED } from './test/runner/once.mjs';

/** What `UNDERSTUDY_TESTS` selects. */
const SELECTED = {
  more: '**/*.more.test.ts',
  slow: '**/*.slow.test.ts',
  all: '**/*.test.ts',
};

export default {
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  // One more than compute at once, since tests wait for the database, for processes and for the disk. With more, each takes longer.
  maxWorkers: Math.min(8, availableParallelism() + 1),
  testSequencer: '<rootDir>/test/runner/sequencer.mjs',
  roots: ['<rootDir>/test'],
  testMatch: [SELECTED[process.env.UNDERSTUDY_TESTS] ?? '**/!(*.more|*.slow).test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    [SOURCES]: '<rootDir>/test/runner/once.mjs',
    [MODULES]: '<rootDir>/test/runner/once.mjs',
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  transformIgnorePatterns: [UNTOUCHED],
  // Sources import with the extension that Node will see after the build.
  moduleNameMapper: {
    // The build copies it.
    '^\\.{1,2}/htm\\.js$': 'htm/preact/standalone',
    '^\\./root\\.cjs$': '<rootDir>/test/runner/root.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Some tests start processes, and machines differ and may be busy.
  testTimeout: 60_000,
  // Nothing keeps a worker running, but its memory takes longer to free than the half second that Jest allows for.
  workerGracefulExitTimeout: 10_000,
  // One database for the run; each test file has its own name in it.
  globalSetup: '<rootDir>/test/runner/setup.mjs',
  globalTeardown: '<rootDir>/test/runner/teardown.mjs',
};
