import { jest } from '@jest/globals';
import { apiOf, WORLD } from '../../../support/api.js';
import { startTestServer } from '../../../support/server.js';

// Nothing is kept, so that each lookup is a command.
const server = startTestServer({ dataset: WORLD, cacheMemory: 0 });
const api = apiOf(server);
afterEach(() => jest.restoreAllMocks());

test('the linked posts of an event are looked up together, however they are named', async () => {
  const { body } = await api.get<{ organizers: { id: number }[] }>('organizers?per_page=3');
  const ids = body.organizers.map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const { store } = server().site;
  const load = jest.spyOn(store, 'loadPosts');
  const created = await api.post<{ organizer: { id: number }[] }>('events', {
    title: 'Zed',
    start_date: '2026-08-01 10:00:00',
    end_date: '2026-08-01 12:00:00',
    organizer: [ids[0], { id: ids[1] }, String(ids[2]), { organizer: 'New guild' }],
  });
  expect(created.status).toBe(201);
  expect(created.body.organizer.map(({ id }) => id)).toEqual([...ids, expect.any(Number)]);
  const lookups = load.mock.calls.map(([wanted]) => wanted.filter((id) => ids.includes(id))).filter(({ length }) => length > 0);
  expect(lookups).not.toHaveLength(0);
  expect(lookups.filter(({ length }) => length < ids.length)).toEqual([]);
});
