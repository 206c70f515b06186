import Sequencer from '@jest/test-sequencer';

/** The files that take longest. */
const LONGEST = [
  'fuzz/fuzz',
  'endpoints/datasets/load-failures',
  'conformance/replay-versions',
  'conformance/replay-more',
  'conformance/replay',
  'conformance/standard',
  'endpoints/users/permissions',
  'endpoints/calendar/quirks',
  'clients/testing',
  'queries/search-in-memory',
  'queries/terms-in-memory',
  'conformance/replay-wp',
  'fuzz/found',
  'endpoints/server/address',
  'endpoints/pages/feeds',
  'rest/hard-input/parameters',
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
