import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions } from '../../../src/server/config/index.js';
import type { Server } from '../../../src/index.js';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { startReplicaSet, type ReplicaSet } from '../../support/replica-set.js';

/**
 * A server on a replica set whose primary steps down: acknowledged writes are kept, no write happens twice, and meanwhile the response is
 * 503.
 */

const { uri, name } = testDatabase();
const EVENTS = '/wp-json/tribe/events/v1/events';
const HEADERS = { authorization: signIn('admin'), 'content-type': 'application/json' };

let set: ReplicaSet;
let server: Server;
beforeAll(async () => {
  set = await startReplicaSet(uri);
  const engine = { kind: 'uri' as const, uri: set.uri, database: name, close: async () => {} };
  const options = resolveOptions({ port: 0, ephemeral: true, logLevel: 'silent', dataset: WORLD, requestTimeout: 10 });
  server = await startServer(options, () => Promise.resolve(engine));
}, 60_000);
afterAll(async () => {
  await server.close();
  await set.close();
});

const post = (title: string) =>
  http('POST', server.url + EVENTS, HEADERS, JSON.stringify({ title, start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' }));

/** Waits until writes succeed. */
async function recovered(): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    if ((await http('PUT', `${server.url}/__qa/snapshots/any`, {})).status < 300) return;
    await sleep(50);
  }
  throw new Error('The server did not recover.');
}

/** The stored titles, with their number of occurrences. */
async function stored(prefix: string): Promise<Map<string, number>> {
  await recovered();
  const posts = await server.site.store.posts.find({ title: { $regex: `^${prefix} ` } }).toArray();
  const counts = new Map<string, number>();
  for (const { title } of posts) counts.set(title, (counts.get(title) ?? 0) + 1);
  return counts;
}

/** Creates events, several at a time. @returns titles that were acknowledged, and the outcomes of the others */
async function createMany(prefix: string, many: number, meanwhile: (n: number) => void | Promise<void>) {
  const acknowledged: string[] = [];
  const others = new Map<string, number>();
  let n = 0;
  const worker = async (): Promise<void> => {
    while (n < many) {
      const title = `${prefix} ${(n += 1)}`;
      await meanwhile(n);
      const { status, text, headers } = await post(title);
      if (status === 201) acknowledged.push(title);
      else {
        const outcome = `${status} ${(JSON.parse(text) as { code: string }).code}, retry after ${headers.get('retry-after')}`;
        others.set(outcome, (others.get(outcome) ?? 0) + 1);
        await sleep(20);
      }
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return { acknowledged, others };
}

const GONE = '503 understudy_no_database, retry after 1';

test.each([
  ['refuses a write', { kind: 'refused' }],
  ['stops before anything is written', { kind: 'interrupted', after: 0 }],
  ['stops when the write is announced', { kind: 'interrupted', after: 1 }],
  ['stops when the document is written', { kind: 'interrupted', after: 2 }],
  ['loses the reply', { kind: 'reply lost' }],
] as const)(
  'a primary that %s',
  async (what, mishap) => {
    await recovered();
    const before = set.refused;
    const { acknowledged, others } = await createMany(what, 12, (n) => {
      if (n === 4) set.next(mishap);
    });
    expect(set.refused).toBeGreaterThan(before);
    expect([...others.keys()].filter((outcome) => outcome !== GONE)).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(0);
    const all = await stored(what);
    expect(acknowledged.filter((title) => all.get(title) !== 1)).toEqual([]);
    expect([...all].filter(([, count]) => count > 1)).toEqual([]);
  },
  60_000,
);

test('elections, closed connections and a slow network, while reads are current', async () => {
  await recovered();
  const { id } = JSON.parse((await post('Changing 0')).text) as { id: number };
  const address = `${server.url}${EVENTS}/${id}`;
  let [acknowledged, isOver] = [0, false];
  const stale: string[] = [];
  const changing = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const { status } = await http('POST', address, HEADERS, JSON.stringify({ title: `Changing ${n}` }));
      if (status === 200) acknowledged = n;
      const least = acknowledged;
      const shown = await http('GET', address, {});
      const value = shown.status === 200 ? Number((JSON.parse(shown.text) as { title: string }).title.split(' ')[1]) : null;
      // Failed writes may have happened.
      if (value !== null && (value < least || value > n)) stale.push(`${value} of ${least} to ${n}`);
    }
  })();
  const { others } = await createMany('Weather', 45, (n) => {
    if (n % 15 === 3) void set.stepDown(80);
    if (n % 15 === 8) set.drop();
    if (n % 15 === 12) set.lag(15);
    if (n % 15 === 14) set.lag(0);
  });
  set.lag(0);
  await recovered();
  isOver = true;
  await changing;
  expect([...others.keys()].filter((outcome) => outcome !== GONE)).toEqual([]);
  expect(stale).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
  expect([...(await stored('Weather'))].filter(([, count]) => count > 1)).toEqual([]);
}, 60_000);

test('without a primary, reads and writes are 503, and health says so', async () => {
  await recovered();
  const election = set.stepDown(3_000);
  const [read, write, health] = await Promise.all([
    http('GET', `${server.url}${EVENTS}?page=2`, {}),
    post('Nobody'),
    http('GET', `${server.url}/health`, {}),
  ]);
  expect([read.status, write.status]).toEqual([503, 503]);
  expect(JSON.parse(read.text)).toMatchObject({ code: 'understudy_no_database' });
  expect([200, 503]).toContain(health.status);
  await election;
  await recovered();
  expect((await http('GET', `${server.url}${EVENTS}?page=2`, {})).status).toBe(200);
}, 60_000);
