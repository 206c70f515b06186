import { CONFIG_KINDS, configText } from '../../../src/cli/commands/init-files.js';
import { ONLY_OPTION, partsNamed } from '../../../src/cli/commands/content.js';
import { pullSite } from '../../../src/cli/commands/pull.js';

test('--only names parts of a site', () => {
  expect(partsNamed('events, venues')).toEqual(['events', 'venues']);
  expect(partsNamed(undefined)).toBeNull();
  expect(() => partsNamed('evnts')).toThrow(/^--only: unknown kind "evnts"\. Use events, venues, /);
});

test('copies of live sites have it', () => expect(pullSite.options).toContain(ONLY_OPTION));

test.each(CONFIG_KINDS)('a new configuration file of the kind %s imports nothing but the types of this package', (kind) => {
  const text = configText(kind, { dataset: './calendar.json', now: '2026-06-15T12:00:00Z', package: 'node_modules/wp-understudy' });
  const modules = [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name]) => name);
  expect(modules).toEqual(kind === 'json' ? [] : ['wp-understudy/config']);
});
