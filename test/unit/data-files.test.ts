import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { QUIRKS, PRODUCTS } from '../../src/plugins/quirks.js';
import { namesOf } from '../../src/base/values/records.js';
import type { Arg } from '../../src/wordpress/rest/route.js';
import { declaredRoutes } from '../../src/wordpress/wp-v2/declared/routes.js';
import ROUTES from '../../src/wordpress/wp-v2/declared/routes.json' with { type: 'json' };
import { CORE_TAXONOMIES, CORE_TYPES } from '../../src/wordpress/types/core.js';

const SRC = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../src');

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

/** Names that stand twice in an object: a parser takes the last one, and says nothing. */
function repeatedNames(text: string): string[] {
  const found: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/[{}]|"((?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (name !== undefined) {
      if (open.at(-1)?.has(name)) found.push(name);
      open.at(-1)?.add(name);
    }
  }
  return found;
}

test.each(FILES)('%s is JSON without repeated names', (name) => {
  const text = readFileSync(path.join(SRC, name), 'utf8');
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(repeatedNames(text)).toEqual([]);
});

test('finds repeated names', () => {
  expect(repeatedNames('{ "a": { "b": "a", "c": ":" }, "b": [{ "c": 1 }, { "c": 2 }], "a": "}" }')).toEqual(['a']);
});

// The compiler does not check the values of data files.
test.each(Object.entries(QUIRKS))(
  'the quirk %s has a kind, two behaviors and a range of releases',
  (_, { kind, on, off, since, until, of }) => {
    expect(['interface', 'hole', 'transport', 'situation']).toContain(kind);
    expect([on, off]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
    for (const release of [since, until]) expect(release === undefined || PRODUCTS[of].findRelease(release)).toBeTruthy();
    expect(since === undefined || until !== undefined).toBe(true);
  },
);

test('core types and taxonomies are complete', () => {
  for (const { capability, rights, taxonomies = [], supports } of CORE_TYPES) {
    expect(capability).toHaveLength(2);
    expect(Object.values(rights ?? {})).toEqual(Object.values(rights ?? {}).filter((right) => /^[a-z_]+$/.test(right)));
    expect(taxonomies.filter((name) => !CORE_TAXONOMIES.some((taxonomy) => taxonomy.name === name))).toEqual([]);
    expect(supports.length).toBeGreaterThan(0);
  }
  expect(CORE_TYPES.filter(({ name, rights }) => /^wp_|^nav/.test(name) && rights === undefined)).toEqual([]);
  for (const { capabilities } of CORE_TAXONOMIES) expect(capabilities).toHaveLength(4);
});

test('declared routes name arguments and actions that exist', () => {
  const endpoints = namesOf(ROUTES).flatMap((group) => declaredRoutes(group).flatMap((route) => route.endpoints));
  expect(endpoints.length).toBeGreaterThan(30);
  for (const { args, permission } of endpoints) {
    expect(typeof permission).toBe('function');
    expect(Object.entries(args).filter(([, arg]) => typeof (arg as Arg | undefined)?.description !== 'string')).toEqual([]);
  }
});
