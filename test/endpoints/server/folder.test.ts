import { WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** A site in a folder of its host, such as the second site of a network. */
const server = startTestServer({ dataset: WORLD, url: 'https://example.org/two' });

const at = async (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`${server().localUrl}${path}`, { redirect: 'manual', ...init });

test.each([
  ['/two/wp-json/', 200],
  ['/two/wp-json/tribe/events/v1/events?per_page=1', 200],
  ['/two/?rest_route=/wp/v2/posts', 200],
  ['/two', 200],
  ['/two/events/', 200],
  ['/two/events', 301],
  ['/two/events/?ical=1', 200],
  ['/two/wp-content/uploads/2026/06/missing.png', 404],
  ['/two/__qa/', 200],
  // For proxies that remove the folder.
  ['/wp-json/', 200],
  ['/twofold/wp-json/', 404],
])('%s is %i', async (path, status) => {
  expect((await at(path)).status).toBe(status);
});

test('links have the folder once, from the first response and from the cache', async () => {
  const urls = async (): Promise<unknown> => {
    const { events, rest_url, next_rest_url } = (await (await at('/two/wp-json/tribe/events/v1/events?per_page=1')).json()) as {
      events: { url: string; rest_url: string; global_id: string }[];
      rest_url: string;
      next_rest_url: string;
    };
    return [events[0].url, events[0].rest_url, events[0].global_id, rest_url, next_rest_url].map((url) => url.split('/two').length - 1);
  };
  expect([await urls(), await urls()]).toEqual([
    [1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1],
  ]);
});

test('a redirect stays in the folder', async () => {
  expect((await at('/two/events')).headers.get('location')).toBe('https://example.org/two/events/');
});

test('sandboxes are in the folder', async () => {
  const { url } = (await (await at('/two/__qa/sandboxes/a', { method: 'PUT' })).json()) as { url: string };
  expect(new URL(url).pathname).toBe('/two/__sandbox/a');
  expect((await at('/two/__sandbox/a/wp-json/wp/v2/posts')).status).toBe(200);
});
