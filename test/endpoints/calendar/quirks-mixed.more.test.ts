import { PRODUCTS, QUIRKS, releaseProblem } from '../../../src/plugins/quirks.js';
import { compareVersions, isInRange } from '../../../src/wordpress/quirks/version.js';
import { EDGE } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { CALENDAR_QUIRK_NAMES, prove } from './quirks/proofs.js';

const isOfOlder = (name: (typeof CALENDAR_QUIRK_NAMES)[number]): boolean => QUIRKS[name].until !== undefined;

/** Quirks of releases have their own test. Some of them remove the routes that other proofs use. */
const PROFILE_QUIRK_NAMES = CALENDAR_QUIRK_NAMES.filter((name) => !isOfOlder(name));

// With quirks.test.ts, each quirk is on and off, with neighbors in the same state and in the other.
describe.each([0, 1])('profile tec, every other quirk switched off, from number %i', (parity) => {
  const quirks = PROFILE_QUIRK_NAMES.map((name, index) => `${name}=${index % 2 === parity ? 'off' : 'on'}`);
  const server = startTestServer({ dataset: EDGE, profile: 'tec', quirks });
  test.each(CALENDAR_QUIRK_NAMES)('%s', (name) => prove(name, server, server().site.quirks.has(name)));
});

describe('profile standard', () => {
  const server = startTestServer({ dataset: EDGE, profile: 'standard' });
  test.each(CALENDAR_QUIRK_NAMES)('%s', (name) => prove(name, server, server().site.quirks.has(name)));
});

describe.each(['tec', 'standard'] as const)('releases under profile %s', (profile) => {
  const server = startTestServer({ dataset: EDGE, profile });
  afterEach(() => {
    server().site.chosenReleases = {};
  });

  test.each(CALENDAR_QUIRK_NAMES.filter(isOfOlder))('%s', async (name) => {
    const { kind, of, since, until = '' } = QUIRKS[name];
    expect(releaseProblem(of, until)).toBeNull();
    const inside = PRODUCTS[of].releases.filter((release) => isInRange(release, { since, until })).toSorted(compareVersions);
    const isOpen = !(kind === 'hole' && profile === 'standard');
    for (const release of new Set([inside[0], inside.at(-1)!])) {
      server().site.chosenReleases = { [of]: release };
      await prove(name, server, isOpen);
    }
    server().site.chosenReleases = { [of]: until };
    await prove(name, server, false);
  });
});
