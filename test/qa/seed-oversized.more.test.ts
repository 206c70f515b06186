import { WORLD, signIn } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD });
const MB = 1_000_000;

const contentOf = async (): Promise<unknown> => {
  const { store } = server().site;
  const [posts, users] = await Promise.all([store.posts.countDocuments(), store.users.countDocuments({ role: 'administrator' })]);
  return { posts, users, work: await store.workLog.unfinished() };
};

const withDescription = (length: number): string =>
  JSON.stringify({
    events: [
      { title: 'Huge', start: '+1d 10:00', duration: '1h', description: 'x'.repeat(length) },
      { title: 'Small', start: '+1d 10:00', duration: '1h' },
    ],
  });

test.each([
  ['/__qa/seed', 15 * MB],
  ['/__qa/seed', 17 * MB],
])(
  '%s with a document of %d bytes is rejected and changes nothing',
  async (path, length) => {
    const before = await contentOf();
    const { status, text } = await http('POST', server().url + path, { 'content-type': 'application/json' }, withDescription(length));
    expect([status, text.slice(0, 1_000)]).toEqual([400, expect.stringMatching(/Huge.*larger than 16 MB/s)]);
    expect(await contentOf()).toEqual(before);
  },
  60_000,
);

test('an event that is larger than a document may be is rejected and changes nothing', async () => {
  const before = await contentOf();
  const event = { title: 'Huge', start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00', description: 'x'.repeat(17 * MB) };
  const headers = { 'content-type': 'application/json', authorization: signIn('admin') };
  const { status } = await http('POST', `${server().restUrl}/tribe/events/v1/events`, headers, JSON.stringify(event));
  expect(status).toBe(413);
  expect(await contentOf()).toEqual(before);
}, 60_000);

test('a body that is nested too deeply is rejected by each route, with the place', async () => {
  const { routes } = JSON.parse((await http('GET', `${server().url}/__qa/`)).text) as {
    routes: Record<string, { endpoints: { methods: string[]; args: object }[] }>;
  };
  const body = `{\n"value": ${'['.repeat(600)}${']'.repeat(600)}}`;
  const changing = Object.entries(routes).flatMap(([path, { endpoints }]) =>
    endpoints
      // The others read no body.
      .filter(({ args }) => Object.keys(args).some((name) => !path.includes(`{${name}}`)))
      .flatMap(({ methods }) => methods)
      .filter((method) => ['POST', 'PUT', 'PATCH'].includes(method))
      .map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, '1') })),
  );
  expect(changing.length).toBeGreaterThan(10);
  for (const { method, path } of changing) {
    const { status, text } = await http(method, server().url + path, { 'content-type': 'application/json' }, body);
    // An export has a line for each item.
    const expected = /nested too deeply: more than 512 levels.*line 2|line 2: .*nested too deeply|as understudy export writes it/s;
    expect([path, status, text]).toEqual([path, 400, expect.stringMatching(expected)]);
  }
});
