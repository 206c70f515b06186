import { signIn, WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { send } from '../../support/toy.js';

/** Any parameter of any route may be the name of a member that all objects have. */

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const server = startTestServer({ dataset: WORLD, logLevel: 'silent' });
const ADMIN = { authorization: signIn('admin') };

interface Operation {
  parameters?: { name?: string; in?: string }[];
}

test('no parameter that is read has members of every object', async () => {
  const { json } = await send(server().url, '/__qa/openapi.json?namespace=all', { headers: ADMIN });
  const { paths } = json as { paths: Record<string, { get?: Operation }> };
  const requests = Object.entries(paths).flatMap(([path, { get }]) => {
    const at = path.replace(/\{[^}]*\}/g, '36');
    return (get?.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' && name !== undefined ? [`${at}?${name}=`] : []));
  });
  expect(requests.length).toBeGreaterThan(500);
  const wrong: string[] = [];
  for (const [index, request] of requests.entries()) {
    const sent = `${request.startsWith('/wp-json') ? '' : '/wp-json'}${request}${NAMES[index % NAMES.length]}`;
    const { status, text } = await send(server().url, sent, { headers: ADMIN });
    // 501: a route that exists in WordPress only.
    if ((status >= 500 && status !== 501) || text.includes('native code')) wrong.push(`${sent}: ${status}`);
  }
  expect(wrong).toEqual([]);
});

test.each(NAMES)('comments of the status %s are none', async (status) => {
  const answer = await send(server().url, `/wp-json/wp/v2/comments?status=${status}`, { headers: ADMIN });
  expect([answer.status, answer.json]).toEqual([200, []]);
});
