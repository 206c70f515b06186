import { createServer } from '../../../src/index.js';
import { QUIRKS, QUIRK_NAMES, type QuirkName } from '../../../src/wp/quirks.js';
import { EDGE, edgeApi } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { send } from '../../support/toy.js';
import { ACCESS_PROOFS } from './quirks/writes-and-access.js';
import { LIST_PROOFS } from './quirks/lists.js';
import { PAGE_PROOFS } from './quirks/pages-and-protocol.js';
import { NEWER_PROOFS } from './quirks/tec-v1.js';
import type { Ask, Proof } from './quirks/proof.js';

/** For each quirk a request whose response differs between the plugin and its documentation. */
const PROOFS: Record<QuirkName, Proof> = { ...LIST_PROOFS, ...ACCESS_PROOFS, ...PAGE_PROOFS, ...NEWER_PROOFS };

const alternate = (state: 'on' | 'off', parity: number): string[] =>
  QUIRK_NAMES.map((name, index) => `${name}=${index % 2 === parity ? state : state === 'on' ? 'off' : 'on'}`);

/** Servers that between them have each quirk on and off, with its neighbours alike and not. */
const SERVERS = [
  { what: 'profile tec', options: { profile: 'tec' } },
  { what: 'profile standard', options: { profile: 'standard' } },
  { what: 'profile tec, every other quirk switched off', options: { profile: 'tec', quirks: alternate('on', 0) } },
] as const;

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(PROOFS).toSorted()).toEqual(Object.keys(QUIRKS).toSorted());
  for (const [name, { plugin, documented }] of Object.entries(PROOFS))
    expect({ name, answer: plugin }).not.toEqual({ name, answer: documented });
});

describe.each(SERVERS)('$what', ({ options }) => {
  const server = startTestServer({ dataset: EDGE, ...options, quirks: 'quirks' in options ? [...options.quirks] : [] });
  const api = edgeApi(server);
  const ask: Ask = {
    ...api,
    raw: (route, given = {}) => send(server().url, `/wp-json/tribe/events/v1/${route}`, given),
    page: (path) => send(server().url, path),
  };
  test.each(QUIRK_NAMES)('%s', async (name) => {
    const { ask: question, plugin, documented, writes } = PROOFS[name];
    const answer = await question(ask);
    if (writes) await server().reset();
    expect(answer).toEqual(server().site.quirks.has(name) ? plugin : documented);
  });
});

describe('an invalid quirk option', () => {
  test.each(['no-such-quirk=on', 'no-etags', 'no-etags=perhaps', '=on', ''])(
    '"%s" is rejected with a list of the valid names',
    async (quirk) => {
      await expect(createServer({ quirks: [quirk] })).rejects.toThrow(
        `invalid quirk ${JSON.stringify(quirk)}. Use NAME=on or NAME=off, where NAME is one of: ${QUIRK_NAMES.join(', ')}`,
      );
    },
  );
});
