import { availableParallelism } from 'node:os';

export default {
  testEnvironment: 'node',
  // These tests wait for the database, for processes and for the disk as much as they compute; all share one database.
  maxWorkers: Math.min(8, Math.ceil(availableParallelism() * 1.5)),
  roots: ['<rootDir>/test'],
  // What starts processes over and over, or a browser, is run by `npm run test:slow`.
  testMatch: [process.env.UNDERSTUDY_TESTS === 'slow' ? '**/*.slow.test.ts' : '**/!(*.slow).test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  // Sources import with the extension that Node will see after the build.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Some tests start processes, and machines differ.
  testTimeout: 30_000,
  // One database for the run; each test file has its own name in it.
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
