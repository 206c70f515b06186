import Sequencer from '@jest/test-sequencer';

/** Jest takes a large file for a long one. These are short, and what they play is in other files. */
const LONG = /\/test\/(?:conformance|torture)\//;

/** Starts the longest files first, also where Jest has not timed them yet: no worker is left with one of them at the end. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => LONG.test(b.path) - LONG.test(a.path));
  }
}
