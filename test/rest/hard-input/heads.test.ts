import { http } from '../../support/http.js';
import { WORLD } from '../../support/plan.js';
import { startTestServer } from '../../support/server.js';
import { NS } from './hard-input.js';

/* Addresses near the limit are repeated in headers: encoded, or several times. Clients of Node read heads of 16 KB. */

const LONG = encodeURIComponent('é'.repeat(2_300));
const WIDE = 'a['.repeat(6_900);

const ADDRESSES: [what: string, address: string][] = [
  ['a list of the calendar', `${NS}/events?per_page=1&search=%20&x=${LONG}`],
  ['the next page of a list', `/wp-json/wp/v2/tribe_events?per_page=1&_x=${LONG}`],
  ['pages before and after', `/wp-json/wp/v2/tribe_events?per_page=1&page=2&x=${WIDE}`],
  ['a batch of fields', `/wp-json/wp/v2/tribe_venue?per_page=1&page=2&_fields=${LONG}`],
  ['sign-in', `/wp-login.php?redirect_to=${WIDE}`],
  ['the dashboard', `/wp-admin/?x=${WIDE}`],
  ['an approval', `/wp-admin/authorize-application.php?app_name=${WIDE}`],
  ['a page that moves', `/events/month?x=${WIDE}`],
  ['an old address', `/?post_type=tribe_events&x=${WIDE}`],
  ['an embed', `/wp-json/oembed/1.0/embed?url=${LONG}`],
  ['a feed', `/feed?x=${WIDE}`],
  ['a page of an author', `/?author=1&x=${WIDE}`],
  ['a callback', `/wp-json/wp/v2/types?_jsonp=${'a'.repeat(13_800)}`],
];

describe.each(['tec', 'standard'] as const)('under %s, the head of a response is one that clients can read', (profile) => {
  const server = startTestServer({ dataset: WORLD, profile });

  test.each(ADDRESSES)('%s', async (_, address) => {
    const { status, headers } = await http('GET', `${server().url}${address}`);
    expect([200, 301, 302, 400, 404, 414]).toContain(status);
    expect(Number(headers.get('content-length') ?? 0)).toBeLessThan(500_000);
  });

  test('without a link to the next page, or not at all', async () => {
    const { status, headers } = await http('GET', `${server().url}${ADDRESSES[2][1]}`);
    expect([status, headers.get('link')]).toEqual([200, null]);
    expect((await http('GET', `${server().url}${ADDRESSES[5][1]}`)).status).toBe(414);
  });

  test('of a form that leads to a long address', async () => {
    const form = `log=a&pwd=b&redirect_to=${encodeURIComponent(`${server().url}/?${'a'.repeat(40_000)}`)}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await http('POST', `${server().url}/wp-login.php?action=postpass`, type, form);
    expect(status).toBeLessThan(500);
  });
});
