import { createServer, type Server } from '../../../src/index.js';
import { QUIRK_NAMES, VERSION_QUIRK_NAMES, type QuirkName } from '../../../src/wp/quirks.js';
import { compareVersions, isInRange, RECORDED_VERSIONS } from '../../../src/wp/quirks/plugin-version.js';
import { VERSION_QUIRKS } from '../../../src/wp/quirks/version-rows.js';
import { EDGE, edgeApi } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { send } from '../../support/toy.js';
import { ACCESS_PROOFS } from './quirks/writes-and-access.js';
import { LIST_PROOFS } from './quirks/lists.js';
import { PAGE_PROOFS } from './quirks/pages-and-protocol.js';
import { NEWER_PROOFS } from './quirks/tec-v1.js';
import { SURROUNDING_PROOFS } from './quirks/versions-wp.js';
import { VERSION_PROOFS } from './quirks/versions.js';
import type { Ask, Proof } from './quirks/proof.js';

/** For each quirk, a request whose response differs between the plugin and its documentation. */
const PROOFS: Record<QuirkName, Proof> = {
  ...LIST_PROOFS,
  ...ACCESS_PROOFS,
  ...PAGE_PROOFS,
  ...NEWER_PROOFS,
  ...VERSION_PROOFS,
  ...SURROUNDING_PROOFS,
};

/** Quirks of releases have their own test. Some of them remove the routes that other proofs use. */
const PROFILE_QUIRK_NAMES = QUIRK_NAMES.filter((name) => !Object.hasOwn(VERSION_QUIRKS, name));

const alternate = (parity: number): string[] => PROFILE_QUIRK_NAMES.map((name, index) => `${name}=${index % 2 === parity ? 'on' : 'off'}`);

/** Between them, the servers have each quirk on and off, with neighbors in the same state and in the other. */
const SERVERS = [
  { what: 'profile tec', options: { profile: 'tec' } },
  { what: 'profile standard', options: { profile: 'standard' } },
  { what: 'profile tec, every other quirk switched off', options: { profile: 'tec', quirks: alternate(0) } },
  { what: 'profile tec, the others switched off', options: { profile: 'tec', quirks: alternate(1) } },
] as const;

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(PROOFS).toSorted()).toEqual(QUIRK_NAMES.toSorted());
  for (const [name, { plugin, documented }] of Object.entries(PROOFS))
    expect({ name, answer: plugin }).not.toEqual({ name, answer: documented });
});

const asking = (server: () => Server): Ask => ({
  ...edgeApi(server),
  raw: (route, given = {}) => send(server().url, `/wp-json/tribe/events/v1/${route}`, given),
  page: (path) => send(server().url, path),
});

/** Sends the request of a proof, and expects the response that the quirk implies. */
async function prove(name: QuirkName, server: () => Server, isOn: boolean): Promise<void> {
  const { ask, plugin, documented, writes } = PROOFS[name];
  const answer = await ask(asking(server));
  if (writes) await server().reset();
  expect(answer).toEqual(isOn ? plugin : documented);
}

describe.each(SERVERS)('$what', ({ options }) => {
  const server = startTestServer({ dataset: EDGE, ...options, quirks: 'quirks' in options ? [...options.quirks] : [] });
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

describe('an invalid quirk option', () => {
  test.each([
    ['no-such-quirk=on', `NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`],
    ['=on', `NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`],
    ['', `NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`],
    ['no-etags', 'no-etags=on or no-etags=off'],
    ['no-etags=perhaps', 'no-etags=on or no-etags=off'],
  ])('"%s" is rejected with what is valid', async (quirk, valid) => {
    await expect(createServer({ quirks: [quirk] })).rejects.toThrow(`invalid quirk ${JSON.stringify(quirk)}. Use ${valid}`);
  });
});
