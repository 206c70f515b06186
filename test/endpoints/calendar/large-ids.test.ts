import { intText } from '../../../src/base/php/cast.js';
import { WORLD } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const server = startTestServer({ dataset: WORLD });

test.each([
  ['1152921504606846976', '1152921504606846976'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775808', '9223372036854775807'],
  ['-9223372036854775809', '-9223372036854775808'],
  [' 12abc', '12'],
  [12, '12'],
  ['1e3', '1000'],
])('PHP has 64 bits for (string) (int) %j', (value, text) => {
  expect(intText(value)).toBe(text);
});

test.each(['1152921504606846976', '9007199254740993'])('ids of 64 bits are echoed with all digits: %s', async (id) => {
  const { status, text } = await http('GET', `${server().restUrl}/tribe/events/v1/events?include=${id}`);
  expect([status, new URL((JSON.parse(text) as { rest_url: string }).rest_url).searchParams.get('include')]).toEqual([200, id]);
});

test.each([2 ** 60, Number.MAX_SAFE_INTEGER])('content with the id %d is rejected: the next one would be the same', async (id) => {
  const events = [{ id, title: 'Far out', start: '+1d 10:00', duration: '1h' }];
  const { status, text } = await http(
    'POST',
    `${server().url}/__qa/seed`,
    { 'content-type': 'application/json' },
    JSON.stringify({ events }),
  );
  expect([status, text]).toEqual([400, expect.stringContaining('larger than 4503599627370496, the largest that can be kept')]);
});
