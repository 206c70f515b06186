import Sequencer from '@jest/test-sequencer';

/** The files that take longest. */
const LONGEST = [
  // Slow ones.
  'engine/engine.slow',
  'torture/torture.slow',
  'torture/steps.slow',
  'endpoints/pages/pages-browser.slow',
  'qa/panel-browser.slow',
  'endpoints/documentation/readme.slow',
  'endpoints/datasets/load-crash.slow',
  'endpoints/folder/cli.slow',
  'torture/pair.slow',
  'endpoints/server/crash.slow',
  'live/version.slow',
  'endpoints/server/cli.slow',
  // All others.
  'conformance/replay-versions',
  'conformance/replay-more',
  'conformance/replay',
  'conformance/standard',
  'qa/faults',
  'fuzz/fuzz',
  'endpoints/datasets/load-failures',
  'endpoints/server/shared',
  'endpoints/folder/backup',
  'endpoints/users/permissions',
  'endpoints/calendar/quirks',
  'clients/testing',
  'endpoints/server/caches',
  'endpoints/server/tls',
  'qa/panel',
  'endpoints/server/outage',
  'endpoints/folder/online',
  'queries/search-in-memory',
  'endpoints/pages/page-content',
  'endpoints/pages/feeds',
  'queries/terms-in-memory',
  'unit/wp/formatting/shortcuts',
  'engine/durability',
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
