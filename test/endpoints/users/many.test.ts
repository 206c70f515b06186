import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/** Lists of users read them once, also where the caches are small. */

const users = Array.from({ length: 150 }, (_, index) => ({
  login: `author-${index}`,
  email: `a${index}@example.org`,
  role: 'author' as const,
}));
const posts = users.map(({ login }) => ({ title: login, author: login }));

const PASSWORD = 'only for tests';

const server = startTestServer({ dataset: { users, posts }, cacheMemory: 1, adminPassword: PASSWORD });

const list = async (query: string): Promise<string[]> => {
  const { status, text } = await http('GET', `${server().restUrl}/wp/v2/users?per_page=100&${query}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
};

test('in every order, and with what has changed since', async () => {
  const { users: stored } = server().site.store;
  const find = stored.find.bind(stored);
  let reads = 0;
  const counted = (...call: Parameters<typeof find>): ReturnType<typeof find> => {
    reads += 1;
    return find(...call);
  };
  await list('page=2');
  Object.assign(stored, { find: counted });
  const names = users.map(({ login }) => login);
  expect(await list('orderby=id')).toEqual(names.slice(0, 100));
  expect(await list('orderby=name&order=desc')).toEqual(names.toSorted().toReversed().slice(0, 100));
  expect(await list('search=author-14')).toEqual(['author-14', ...names.slice(140)]);
  expect(reads).toBe(0);
  Reflect.deleteProperty(stored, 'find');
  const headers = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`, 'content-type': 'application/json' };
  const [{ id }] = JSON.parse((await http('GET', `${server().restUrl}/wp/v2/users?search=author-3&per_page=1`)).text) as [{ id: number }];
  expect((await http('POST', `${server().restUrl}/wp/v2/users/${id}`, headers, '{"name":"Aaron"}')).status).toBe(200);
  expect((await list('orderby=name'))[0]).toBe('Aaron');
});
