import Sequencer from '@jest/test-sequencer';

/** The files that take longest. */
const LONGEST = [
  'fuzz/fuzz',
  'conformance/replay',
  'endpoints/users/permissions',
  'conformance/standard',
  'rest/hard-input/parameters',
  'endpoints/datasets/load',
  'endpoints/calendar/quirks',
  'agreement',
  'conformance/replay-wp',
  'conformance/replay-versions',
  'endpoints/calendar/properties/writes',
];

/** Where a file stands among the longest; behind all of them when it is none. */
const rank = ({ path }) => {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONGEST.length : place;
};

/** Starts the longest files first, so that no worker is left with one of them at the end; Jest itself only knows that of earlier runs. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
