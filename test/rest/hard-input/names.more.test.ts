import { signIn, WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { send } from '../../support/toy.js';
import { readScenarios } from '../../conformance/replay-run.mjs';

/**
 * Any parameter of any route, and any name in a content, may be the name of a member that all objects have. A planted member says which
 * code asks for it.
 */

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const server = startTestServer({ dataset: WORLD, logLevel: 'silent' });
const ADMIN = { authorization: signIn('admin') };

const PLANTED = 'plantedmember';
const reached = new Set<string>();
const planted: PropertyDescriptor & ThisType<object> = {
  configurable: true,
  get() {
    const [caller = ''] = new Error().stack?.split('\n').slice(2) ?? [];
    if (caller.includes('/src/')) reached.add(caller.trim());
    return Object;
  },
  set(value: unknown) {
    Object.defineProperty(this, PLANTED, { value, writable: true, enumerable: true, configurable: true });
  },
};

/** What all objects of the server have: they are not those of a test. */
const ofAll = (): object => Object.getPrototypeOf(server().site.registry.queries.columnKinds) as object;

beforeAll(() => Object.defineProperty(ofAll(), PLANTED, planted));
afterAll(() => Reflect.deleteProperty(ofAll(), PLANTED));
afterEach(() => {
  expect([...reached]).toEqual([]);
});

test('the planted member is found', () => {
  const table = (JSON.parse as (text: string) => Record<string, unknown>)('{}');
  expect(Reflect.get(Object.setPrototypeOf(table, ofAll()) as object, PLANTED)).toBe(Object);
});

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
    const sent = `${request.startsWith('/wp-json') ? '' : '/wp-json'}${request}${index % 2 === 0 ? PLANTED : NAMES[index % NAMES.length]}`;
    const { status, text } = await send(server().url, sent, { headers: ADMIN });
    // 501: a route that exists in WordPress only.
    if ((status >= 500 && status !== 501) || text.includes('native code')) wrong.push(`${sent}: ${status}`);
  }
  expect(wrong).toEqual([]);
});

/** The contents of recordings, with names and texts of their blocks and shortcodes replaced. */
function* contents(): Generator<string> {
  const found = new Set<string>();
  JSON.stringify(readScenarios('cases-blocks.json.br'), (name, value: unknown) => {
    if (name === 'content' && typeof value === 'string') found.add(value);
    return value;
  });
  for (const text of found) {
    const inBlocks = (from: RegExp): string => text.replace(/<!-- wp:[^>]*>/g, (block) => block.replace(from, PLANTED));
    yield inBlocks(/(?<=:\s*")[^"]*(?=")/g);
    yield inBlocks(/(?<=[{,]\s*")[^"]*(?="\s*:)/g);
    yield inBlocks(/(?<=[[,]\s*")[^"]*(?="\s*[,\]])/g);
    yield text.replace(/(?<=class=")[^"]*(?=")|(?<=<)[a-z]+(?=[ >])|(?<=\[\/?)\w+/g, PLANTED);
  }
}

test('no block and no shortcode has members of every object', async () => {
  const own = [
    `<!-- wp:post-terms {"term":"${PLANTED}"} /-->`,
    `[${PLANTED} ${PLANTED}=1] [gallery size=${PLANTED} ids=1 ${PLANTED}=2] [audio ${PLANTED}="a.mp3"] [video a.${PLANTED}] &${PLANTED}; :${PLANTED}:`,
  ];
  const json = { ...ADMIN, 'content-type': 'application/json' };
  const { json: made } = await send(server().url, '/wp-json/wp/v2/posts', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ title: PLANTED, status: 'publish' }),
  });
  const { id } = made as { id: number };
  const all = [...own, ...contents()];
  expect(all.length).toBeGreaterThan(200);
  const wrong: string[] = [];
  for (const content of all) {
    const body = JSON.stringify({ content });
    const { status } = await send(server().url, `/wp-json/wp/v2/posts/${id}`, { method: 'POST', headers: json, body });
    const page = await send(server().url, `/?p=${id}`, { headers: ADMIN });
    if (status !== 200 || page.status >= 400 || page.text.includes('native code')) wrong.push(`${status}, ${page.status}: ${content}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test.each(NAMES)('comments of the status %s are none', async (status) => {
  const answer = await send(server().url, `/wp-json/wp/v2/comments?status=${status}`, { headers: ADMIN });
  expect([answer.status, answer.json]).toEqual([200, []]);
});
