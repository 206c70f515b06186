import { PLUGINS } from '../../../src/plugins/index.js';
import { QUIRKS } from '../../../src/plugins/quirks.js';
import { compareVersions } from '../../../src/wordpress/quirks/version.js';
import { WORDPRESS_QUIRKS } from '../../../src/wordpress/quirks/index.js';
import { registryOf } from '../../../src/plugins/register.js';

const NAMES = PLUGINS.map(({ name }) => name);

test('plugins have names of their own', () => {
  expect(NAMES).toContain('the-events-calendar');
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

describe.each(PLUGINS)('$title', ({ name, releases, requires, namespaces, loadResponses }) => {
  test('its releases are sorted, newest first', () => {
    expect(releases).toEqual(releases.toSorted(compareVersions).toReversed());
  });

  test('what it requires is a plugin', () => {
    expect(NAMES).toEqual(expect.arrayContaining([...requires]));
  });

  test('it has routes under each of its names, and only there', async () => {
    const responses = await loadResponses();
    const registry = await registryOf([name]);
    const namesOf = (names: readonly string[]): string[] => responses.namespaces(names, registry).map((namespace) => namespace.name);
    expect(namesOf(namespaces)).toEqual(expect.arrayContaining([...namespaces]));
    expect(namesOf([]).filter((each) => namespaces.includes(each))).toEqual([]);
  });
});

test('no two tables of quirks share a name', () => {
  const tables = [WORDPRESS_QUIRKS, ...PLUGINS.map(({ quirks }) => quirks)];
  expect(tables.flatMap(Object.keys).toSorted()).toEqual(Object.keys(QUIRKS).toSorted());
});
