import { createServer } from '../../../src/index.js';
import { QUIRK_NAMES } from '../../../src/plugins/quirks.js';
import { EDGE } from '../../support/edge.js';
import { startTestServer } from '../../support/server.js';
import { CALENDAR_QUIRK_NAMES, prove, PROOFS } from './quirks/proofs.js';

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(PROOFS).toSorted()).toEqual(CALENDAR_QUIRK_NAMES.toSorted());
  for (const [name, { plugin, documented }] of Object.entries(PROOFS))
    expect({ name, answer: plugin }).not.toEqual({ name, answer: documented });
});

// quirks-mixed.more.test.ts switches them off, one by one and together, and has releases of the plugin.
describe('profile tec', () => {
  const server = startTestServer({ dataset: EDGE, profile: 'tec' });
  test.each(CALENDAR_QUIRK_NAMES)('%s', (name) => prove(name, server, server().site.quirks.has(name)));
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
