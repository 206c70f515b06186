import { jest } from '@jest/globals';
import { apiOf } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

const TICKETS = '/tribe/tickets/v1/tickets';

interface List {
  total: number;
  tickets: { id: number; title: string }[];
}

/** Queries of lists, and how many tickets everybody finds. */
const LISTS: [query: string, total: number][] = [
  ['', 11],
  ['include_post=52,37,39', 4],
  ['exclude_post=52,37,39', 7],
  ['search=standard', 1],
  ['is_available=true', 9],
  ['available_until=2026-06-30', 1],
  ['orderby=title', 11],
];

describe('a list after a write', () => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard' });
  const api = apiOf(server);
  beforeAll(() => server().site.store.rows?.read());
  let reads = 0;
  // What is in memory already is not read, but not all of it is.
  afterAll(() => expect(reads).toBeGreaterThan(0));

  test.each(LISTS)('reads the tickets of its page, and no others: %s', async (query, total) => {
    const { store } = server().site;
    await api.call('PUT', '/tec/v1/tickets/301', { as: 'admin', body: { price: 5 }, headers: ACKNOWLEDGED });
    const loaded = jest.spyOn(store, 'loadPosts');
    const asked = jest.spyOn(store, 'aggregate');
    const { body } = await api.get<List>(`${TICKETS}?per_page=2&${query}`);
    const read = loaded.mock.calls.flatMap(([ids]) => ids);
    const pages = asked.mock.calls.filter(([, pipeline]) => pipeline.some((stage) => '$limit' in stage));
    for (const spy of [loaded, asked]) spy.mockRestore();
    expect(body.total).toBe(total);
    // They are found in memory, or with a limit; with them, their events are read.
    reads += read.length + pages.length;
    expect(read.length).toBeLessThanOrEqual(2 * 2);
  });
});

describe('a list without memory', () => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard', cacheMemory: 0 });
  const api = apiOf(server);

  test.each(LISTS)('is the same, and uses an index: %s', async (query, total) => {
    const { store } = server().site;
    const asked = jest.spyOn(store, 'aggregate');
    const { body } = await api.get<List>(`${TICKETS}?per_page=2&${query}`);
    const pipelines = asked.mock.calls.filter(([collection]) => collection === 'posts').map(([, pipeline]) => pipeline);
    asked.mockRestore();
    expect(body.total).toBe(total);
    expect(pipelines.length).toBeGreaterThan(0);
    for (const pipeline of pipelines) {
      const plan = await store.db.collection('posts').aggregate(pipeline).explain('queryPlanner');
      expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
      expect(JSON.stringify(plan)).toContain('IXSCAN');
    }
  });
});

describe('orders of profile standard', () => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard' });
  const api = apiOf(server);
  const ids = async (query: string): Promise<number[]> =>
    (await api.get<List>(`${TICKETS}?include=305,301,309&${query}`)).body.tickets.map(({ id }) => id);

  test.each([
    ['', [301, 305, 309]],
    ['order=DESC', [309, 305, 301]],
    ['orderby=title', [305, 309, 301]],
    ['orderby=title&order=DESC', [301, 309, 305]],
    ['orderby=slug', [305, 309, 301]],
    ['orderby=include', [305, 301, 309]],
    ['orderby=id&offset=1', [305, 309]],
  ])('%s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });
});
