import * as fc from 'fast-check';
import { glob, valueGlob } from '../../../../src/base/text/glob.js';

test.each([
  ['/wp-json/tribe/events/v1/events', '/wp-json/tribe/events/v1/events', true],
  ['/wp-json/tribe/events/v1/events', '/wp-json/tribe/events/v1/events/', true],
  ['/wp-json/*/events', '/wp-json/tribe/events', true],
  ['/wp-json/*/events', '/wp-json/tribe/v1/events', false],
  ['/wp-json/**', '/wp-json', true],
  ['/wp-json/**', '/wp-json/tribe/v1', true],
  ['/wp-json/**', '/wp-jsonx', false],
  ['/**/events/*', '/wp-json/tribe/events/v1/events/12', true],
  ['/a.b', '/axb', false],
  ['/event?', '/events', true],
  ['/event?', '/event/', false],
  ['/a/**/b', '/a/b', true],
  ['/a/**/b', '/a/x/y/b', true],
  ['/a/**/b', '/a/xb', false],
  ['/a**b', '/a/x/ab', true],
  ['/*a*b*', '/xaxxb', true],
  ['/*a*b*', '/xa/b', false],
  ['**a*b', '/ab/a/aab', true],
  ['/', '/', true],
  ['', '//', true],
])('%s and %s', (pattern, path, expected) => expect(glob(pattern).test(path)).toBe(expected));

test.each([
  ['app*', 'app/2', true],
  ['*', '', true],
  ['a*b*c', 'a/b\nbc', true],
  ['a*b', 'abc', false],
  ['a.c', 'abc', false],
])('a value like %j and %j', (pattern, text, expected) => expect(valueGlob(pattern).test(text)).toBe(expected));

/** The definition of a glob, which the faster matcher must agree with. */
function matchesSlowly(pattern: string, text: string): boolean {
  if (pattern === '') return /^\/*$/.test(text);
  const below = /^\/\*\*(?=\/|$)/.test(pattern);
  if (below && matchesSlowly(pattern.slice(3), text)) return true;
  const wildcard = below ? '' : (/^\*\*?/.exec(pattern)?.[0] ?? '');
  if (wildcard === '') {
    const fits = pattern[0] === '?' ? text !== '' && text[0] !== '/' : text !== '' && pattern[0] === text[0];
    return fits && matchesSlowly(pattern.slice(1), text.slice(1));
  }
  const rest = pattern.slice(wildcard.length);
  for (let i = 0; i <= text.length; i += 1) {
    if (matchesSlowly(rest, text.slice(i))) return true;
    if (wildcard === '*' && text[i] === '/') return false;
  }
  return false;
}

test('globs agree with their definition', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**', '/**', '?');
  const part = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
  const normal = part.map((pattern) => pattern.replace(/\*{3,}/g, '**').replace(/(?<=.)\/+$/, ''));
  fc.assert(
    fc.property(normal, fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 }), (pattern, text) => {
      expect([pattern, text, glob(pattern).test(text)]).toEqual([pattern, text, matchesSlowly(pattern, text)]);
    }),
    { numRuns: 3000 },
  );
});

test('a glob with many wildcards is matched in linear time', () => {
  const started = process.cpuUsage();
  for (const wildcard of ['**a', '*a', 'a**/', '?*a']) {
    const pattern = `/${wildcard.repeat(24)}x`;
    expect(glob(pattern).test(`/${'a'.repeat(2000)}`)).toBe(false);
    expect(valueGlob(pattern).test(`/${'a'.repeat(2000)}`)).toBe(false);
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1500);
});
