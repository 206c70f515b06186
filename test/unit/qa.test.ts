import * as fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { chance, drawDelay, isDelay } from '../../src/tenant/faults/chance.js';
import type { Delay } from '../../src/qa-types.js';
import { moveBy } from '../../src/qa/duration.js';
import { glob, valueGlob } from '../../src/glob.js';
import { addressOf } from '../../src/rest/transport/address.js';
import { guard, isLoopback } from '../../src/tenant/api/security.js';
import { editDistance, suggest } from '../../src/suggest.js';
import { Gate } from '../../src/tenant/gate.js';
import { RestError } from '../../src/rest/error.js';

describe('an advanced clock', () => {
  const from = Date.UTC(2026, 2, 28, 11);
  const iso = (by: number | string): string | null => {
    const at = moveBy(from, by, 'Europe/Berlin');
    return at === null ? null : new Date(at).toISOString();
  };

  test.each<[number | string, string | null]>([
    [1500, '2026-03-28T11:00:01.500Z'],
    [-86_400_000, '2026-03-27T11:00:00.000Z'],
    ['60000', '2026-03-28T11:01:00.000Z'],
    ['PT2H', '2026-03-28T13:00:00.000Z'],
    ['P1DT30M', '2026-03-29T11:30:00.000Z'],
    ['-P1W', '2026-03-21T11:00:00.000Z'],
    ['P11M', '2027-02-28T11:00:00.000Z'],
    ['P1Y', '2027-03-28T11:00:00.000Z'],
    ['90min', '2026-03-28T12:30:00.000Z'],
    // The time of day stays in the site's zone, where the clocks change in the night.
    ['1 day', '2026-03-29T10:00:00.000Z'],
    ['+2 days', '2026-03-30T10:00:00.000Z'],
    ['-1 month', '2026-02-28T11:00:00.000Z'],
    ['next monday 09:00', '2026-03-30T07:00:00.000Z'],
    ['', null],
    ['P', null],
    ['P1DT', null],
    ['soon', null],
    ['2026-04-01', null],
    [Number.NaN, null],
  ])('by %p', (by, expected) => expect(iso(by)).toBe(expected));
});

test.each([
  ['venue_id', ['venue', 'organizer', 'title'], 'venue'],
  ['perPage', ['page', 'per_page', 'start_date'], 'per_page'],
  ['startDate', ['start_date', 'end_date', 'starts_after'], 'start_date'],
  ['category', ['categories', 'tags', 'cost'], 'categories'],
  ['serach', ['search', 'status', 'page'], 'search'],
  ['tag', ['tags', 'page'], 'tags'],
  ['organiser', ['organizer', 'venue'], 'organizer'],
  ['zebra', ['organizer', 'venue', 'page'], undefined],
  ['x', [], undefined],
])('for %s and the names %j suggests the nearest name', (name, known, expected) => expect(suggest(name, known)).toBe(expected));

test('edit distances: symmetric, zero for the same, at most the longer text, and swapped neighbours count once', () => {
  expect(editDistance('serach', 'search')).toBe(1);
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      const far = editDistance(a, b);
      return far === editDistance(b, a) && far <= Math.max(a.length, b.length) && (far === 0) === (a === b);
    }),
  );
});

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

/** The definition of a glob: what the matcher has to agree with, only slow. */
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

describe('delays', () => {
  test.each<[Delay, (ms: number[]) => boolean]>([
    [250, (all) => all.every((ms) => ms === 250)],
    [{ fixed: 10 }, (all) => all.every((ms) => ms === 10)],
    [{ uniform: [100, 200] }, (all) => all.every((ms) => ms >= 100 && ms < 200) && new Set(all).size > 900],
    [{ normal: { mean: 100, deviation: 10 } }, (all) => Math.abs(all.reduce((a, b) => a + b) / all.length - 100) < 2],
    [{ lognormal: { median: 100, sigma: 0.5 } }, (all) => Math.abs(all.filter((ms) => ms < 100).length - 500) < 60],
  ])('%j', (delay, holds) => {
    const draw = (seed: number): number[] => {
      const random = chance(seed);
      return Array.from({ length: 1000 }, () => drawDelay(delay, random));
    };
    expect(isDelay(delay)).toBe(true);
    expect(holds(draw(1))).toBe(true);
    expect(draw(7)).toEqual(draw(7));
  });

  test.each([-1, 'soon', null, {}, { uniform: [2, 1] }, { uniform: [1] }, { normal: { mean: 1 } }, { fixed: 1, uniform: [1, 2] }])(
    '%j is not a delay',
    (value) => expect(isDelay(value)).toBe(false),
  );
});

describe('access to the test API', () => {
  const request = (method: string, headers: Record<string, string>): IncomingMessage =>
    ({ method, headers: { host: '127.0.0.1:8080', ...headers } }) as unknown as IncomingMessage;
  const url = 'https://calendar.example.org';
  const access = (...tokens: string[]) => ({
    url,
    address: addressOf({ url, followsRequest: false, trustsProxy: true }),
    sandboxDomain: 'sb.example.org',
    allowedHosts: ['understudy', '.internal.example'],
    tokens: () => tokens,
  });
  const refusal = (method: string, headers: Record<string, string>, ...tokens: string[]): number | null => {
    try {
      guard(request(method, headers), access(...tokens));
      return null;
    } catch (error) {
      return error instanceof RestError ? error.httpStatus : 0;
    }
  };

  test.each<[string, Record<string, string>, number | null]>([
    ['POST', {}, null],
    ['POST', { host: 'localhost:8080' }, null],
    ['POST', { host: '[::1]:8080' }, null],
    ['POST', { host: 'w1.localhost' }, null],
    ['POST', { host: 'calendar.example.org' }, null],
    ['POST', { host: 'w1.sb.example.org' }, null],
    ['POST', { host: 'understudy:8080' }, null],
    ['POST', { host: 'web.internal.example' }, null],
    ['POST', { host: 'internal.example' }, null],
    ['POST', { host: 'not-internal.example' }, 403],
    ['POST', { host: 'web.understudy' }, 403],
    ['POST', { host: 'upstream', 'x-forwarded-host': 'understudy' }, null],
    ['POST', { 'x-forwarded-host': 'evil.example' }, 403],
    ['POST', { host: 'evil.example' }, 403],
    ['GET', { host: 'evil.example' }, 403],
    ['GET', { host: '127.0.0.1.evil.example' }, 403],
    ['GET', { host: 'localhost.evil.example' }, 403],
    ['GET', { host: 'user@127.0.0.1' }, 403],
    ['GET', { host: '' }, 403],
    ['POST', { origin: 'https://evil.example' }, 403],
    ['DELETE', { origin: 'null' }, 403],
    ['PUT', { origin: 'http://127.0.0.1:3000' }, 403],
    ['GET', { origin: 'https://evil.example' }, null],
    ['POST', { origin: 'https://calendar.example.org' }, null],
    ['POST', { origin: 'http://127.0.0.1:8080' }, null],
  ])('%s with %j', (method, headers, expected) => expect(refusal(method, headers)).toBe(expected));

  test.each<[Record<string, string>, number | null]>([
    [{}, 401],
    [{ authorization: 'Bearer first-token' }, null],
    [{ authorization: 'bearer second-token' }, null],
    [{ 'x-understudy-token': 'first-token' }, null],
    [{ 'x-understudy-token': 'first-toke' }, 401],
    [{ authorization: 'Basic first-token' }, 401],
    [{ 'x-understudy-token': 'first-token', host: 'any.example:8080' }, null],
    [{ 'x-understudy-token': 'first-token', origin: 'https://any.example' }, null],
    [{ host: 'any.example' }, 401],
  ])('with tokens, %j', (headers, expected) => expect(refusal('GET', headers, 'first-token', 'second-token')).toBe(expected));

  test.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['localhost', true],
    ['::1', true],
    ['127.0.0.1.nip.io', false],
    ['0.0.0.0', false],
    ['128.0.0.1', false],
  ])('%s is this machine: %s', (host, expected) => expect(isLoopback(host)).toBe(expected));
});

test('a gate runs exclusive work alone, in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), fc.scheduler(), async (works, scheduler) => {
      const gate = new Gate();
      let [together, alone] = [0, 0];
      const broken: string[] = [];
      const pause = (): Promise<void> => scheduler.schedule(Promise.resolve());
      const shared = async (): Promise<void> => {
        await pause();
        const guest = { method: 'GET', url: '/' };
        await gate.enter(guest);
        together += 1;
        if (alone > 0) broken.push('somebody came in');
        await pause();
        together -= 1;
        gate.leave(guest);
      };
      const single = (): Promise<void> =>
        gate.exclusive(async () => {
          alone += 1;
          if (together > 0 || alone > 1) broken.push('not alone');
          await pause();
          alone -= 1;
        });
      const all = Promise.all(works.map((isAlone) => (isAlone ? single() : shared())));
      await scheduler.waitFor(all);
      expect(broken).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
