import { newestZones } from '../../../src/base/php/zone-data.js';
import * as fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { chance, drawDelay } from '../../../src/control/tenant/faults/effects.js';
import { isDelay } from '../../../src/base/text/delay.js';
import type { Delay } from '../../../src/sdk/types/qa.js';
import { moveBy } from '../../../src/control/qa/clock-routes.js';
import { guard } from '../../../src/control/tenant/api/security.js';
import { isLoopback } from '../../../src/base/text/hosts.js';
import { Gate } from '../../../src/control/tenant/gate.js';
import { RestError } from '../../../src/wordpress/rest/route.js';

describe('an advanced clock', () => {
  const from = Date.UTC(2026, 2, 28, 11);
  const iso = (by: number | string): string | null => {
    const at = moveBy(from, by, 'Europe/Berlin', newestZones());
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
    // The time of day is kept in the site's time zone, whose clocks change that night.
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
    // A page can send any header but Host.
    ['GET', { host: 'evil.example', 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' }, 403],
    ['POST', { host: 'evil.example', origin: 'http://localhost', 'x-forwarded-host': 'localhost' }, 403],
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

test('who waits at the gate of a site that is gone, or comes later, is told so', async () => {
  const gate = new Gate();
  const gone = new Error('gone');
  const guest = { method: 'GET', url: '/' };
  let end: () => void = () => undefined;
  const ending = gate.exclusive(() => new Promise<void>((resolve) => (end = resolve)));
  const waiting = [gate.enter(guest), gate.exclusive(() => Promise.resolve())].map((each) => expect(each).rejects.toBe(gone));
  gate.ended = gone;
  end();
  await Promise.all([ending, ...waiting]);
  await expect(gate.enter(guest)).rejects.toBe(gone);
});
