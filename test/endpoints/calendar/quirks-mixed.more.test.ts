import { QUIRK_NAMES } from '../../../src/plugins/quirks.js';
import { VERSION_QUIRK_NAMES } from '../../../src/plugins/the-events-calendar/quirks/index.js';
import { RECORDED_VERSIONS } from '../../../src/plugins/the-events-calendar/quirks/version.js';
import { compareVersions, isInRange } from '../../../src/wordpress/quirks/version.js';
import { VERSION_QUIRKS } from '../../../src/plugins/the-events-calendar/quirks/version-rows.js';
import { EDGE } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { prove } from './quirks/proofs.js';

/** Quirks of releases have their own test. Some of them remove the routes that other proofs use. */
const PROFILE_QUIRK_NAMES = QUIRK_NAMES.filter((name) => !Object.hasOwn(VERSION_QUIRKS, name));

// With quirks.test.ts, each quirk is on and off, with neighbors in the same state and in the other.
describe.each([0, 1])('profile tec, every other quirk switched off, from number %i', (parity) => {
  const quirks = PROFILE_QUIRK_NAMES.map((name, index) => `${name}=${index % 2 === parity ? 'off' : 'on'}`);
  const server = startTestServer({ dataset: EDGE, profile: 'tec', quirks });
  test.each(QUIRK_NAMES)('%s', (name) => prove(name, server, server().site.quirks.has(name)));
});

describe.each(['tec', 'standard'] as const)('releases of the plugin under profile %s', (profile) => {
  const server = startTestServer({ dataset: EDGE, profile });
  afterEach(() => {
    server().site.chosenVersion = null;
  });

  test.each(VERSION_QUIRK_NAMES)('%s', async (name) => {
    const { kind, ...range } = VERSION_QUIRKS[name];
    const inside = RECORDED_VERSIONS.filter((version) => isInRange(version, range)).toSorted(compareVersions);
    const isOpen = !(kind === 'hole' && profile === 'standard');
    for (const version of new Set([inside[0], inside.at(-1)!])) {
      server().site.chosenVersion = version;
      await prove(name, server, isOpen);
    }
    server().site.chosenVersion = range.until;
    await prove(name, server, false);
  });
});
