import Sequencer from '@jest/test-sequencer';

/** Jest assumes that large files are slow. These are small, since their content is in other files. */
const LONG = /\/test\/(?:conformance|torture|endpoints\/documentation\/readme)/;

/** Starts the slowest files first, even before Jest has timed them, so that none of them runs alone at the end. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => LONG.test(b.path) - LONG.test(a.path));
  }
}
