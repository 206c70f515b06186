import { newestZones } from '../../../src/base/php/zone-data.js';
import { strtotime } from '../../../src/base/php/strtotime.js';
import { WORLD } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });

const list = async (route: string, query: Record<string, string>): Promise<{ status: number; total: string | null }> => {
  const headers = { 'x-http-method-override': 'GET', 'content-type': 'application/json' };
  const response = await http('POST', `${server().restUrl}/${route}`, headers, JSON.stringify(query));
  return { status: response.status, total: response.headers.get('x-wp-total') ?? response.headers.get('x-tec-total') };
};

test.each(['tribe/events/v1/events', 'wp/v2/tribe_events', 'wp/v2/search'])(
  'a search of more than 1,600 bytes is dropped: %s',
  async (route) => {
    const all = await list(route, {});
    expect(Number(all.total)).toBeGreaterThan(1);
    expect(await list(route, { search: 'x'.repeat(1_600) })).toEqual({ status: 200, total: '0' });
    expect(await list(route, { search: 'x'.repeat(1_601) })).toEqual(all);
    expect(await list(route, { search: 'é'.repeat(801) })).toEqual(all);
  },
);

test('a text of more than 10,000 characters is no date', () => {
  const context = { now: 0, zone: 'UTC', zones: newestZones() };
  expect(strtotime('+1 day '.repeat(1_000), context)).toBe(86_400 * 1_000);
  expect(strtotime('+1 day '.repeat(1_500), context)).toBeNull();
});

/** Least CPU time of three attempts to reject a date, in ms. */
async function cost(text: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const before = process.cpuUsage();
    expect((await list('tribe/events/v1/events', { start_date: text })).status).toBe(400);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

test.each(['+1 ', 'monday ', '1', 'a', '2026-', ':'])(
  'dates of %j: four times the text costs not much more than four times as much',
  async (unit) => {
    const [short, long] = [60_000, 240_000].map((length) => unit.repeat(length / unit.length));
    expect(await cost(long)).toBeLessThan(8 * (await cost(short)) + 100);
  },
);
