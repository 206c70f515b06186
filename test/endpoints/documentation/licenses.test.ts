import { isPermissive, LICENSES_FILE, licensesPage, packagesOf, readLock, unexplained, unreviewed } from '../../../scripts/licenses.mjs';
import { read } from '../../support/documents.js';

/** Ignores differences that the formatter makes: spaces and table rules. */
const words = (text: string): string[] => text.replaceAll(/\\?\*/g, '*').replaceAll(/-{3,}/g, '-').split(/\s+/);

test('docs/licenses.md lists what package-lock.json installs. Otherwise run node scripts/licenses.mjs', () => {
  expect(words(read(LICENSES_FILE))).toEqual(words(licensesPage(readLock())));
});

test('someone has decided on every licence that asks for more than keeping the notice', () => {
  expect(unreviewed(packagesOf(readLock()))).toEqual([]);
});

test('a new package under another licence is reported', () => {
  const lock = readLock();
  const added = { ...lock.packages, 'node_modules/copyleft': { version: '1.0.0', license: 'AGPL-3.0-only' }, 'node_modules/none': {} };
  expect(unreviewed(packagesOf({ packages: added }))).toEqual(['copyleft: AGPL-3.0-only', 'none: unknown']);
});

test('a reviewed package that changes its licence is reported', () => {
  const lock = readLock();
  const changed = { ...lock.packages, 'node_modules/ical.js': { version: '3.0.0', license: 'AGPL-3.0-only' } };
  expect(unreviewed(packagesOf({ packages: changed }))).toEqual(['ical.js: AGPL-3.0-only']);
});

test('the page lists all that is bundled, and their licenses are in the package', () => {
  const listed = packagesOf(readLock()).filter(({ use }) => use !== 'development');
  const titles = read('dist/THIRD-PARTY-LICENSES.txt').matchAll(/^(\S+ \d\S*): \S+$/gm);
  const bundled = [...titles].map(([, title]) => title);
  expect(bundled).toEqual(expect.arrayContaining([expect.stringMatching(/^koa \d/), expect.stringMatching(/^moment-timezone \d/)]));
  expect(bundled.filter((title) => !listed.some(({ name, version }) => title === `${name} ${version}`))).toEqual([]);
});

test('every dependency says what it is for', () => {
  expect(unexplained(JSON.parse(read('package.json')) as Parameters<typeof unexplained>[0])).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(BSD-3-Clause OR GPL-2.0)', true],
  ['Apache-2.0 AND MIT', true],
  ['Apache-2.0 AND LGPL-3.0-or-later', false],
  ['SSPL-1.0', false],
  ['unknown', false],
])('%s is permissive: %s', (licence, expected) => expect(isPermissive(licence)).toBe(expected));
