import { ONLY_OPTION, partsNamed } from '../../../src/cli/commands/content.js';
import { pullSite } from '../../../src/cli/commands/pull.js';

test('--only names parts of a site', () => {
  expect(partsNamed('events, venues')).toEqual(['events', 'venues']);
  expect(partsNamed(undefined)).toBeNull();
  expect(() => partsNamed('evnts')).toThrow(/^--only: unknown kind "evnts"\. Use events, venues, /);
});

test('copies of live sites have it', () => expect(pullSite.options).toContain(ONLY_OPTION));
