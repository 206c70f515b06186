import { http } from '../support/http.js';
import { testDatabase } from '../support/database.js';
import { startTestServer } from '../support/server.js';

/** Stubs of a dataset are part of the stored content. */

const database = testDatabase();
const dataset = { stubs: [{ match: { path: '/acme/v1/**' }, respond: { status: 418, body: '{{request.pathSegments.3}}' } }] };

const seats = async (url: string): Promise<[status: number, text: string]> => {
  const { status, text } = await http('GET', `${url}/wp-json/acme/v1/seats`);
  return [status, text];
};

describe('a server with a dataset', () => {
  const server = startTestServer({ dataset }, { isShared: true, database });
  test('responds with its stubs', async () => expect(await seats(server().url)).toEqual([418, 'seats']));
});

describe('after a restart, without the test API', () => {
  const server = startTestServer({ qa: false }, { isShared: true, database });
  test('it responds with them as before', async () => {
    expect(await seats(server().url)).toEqual([418, 'seats']);
    expect((await http('GET', `${server().url}/wp-json/tribe/events/v1/events`)).status).toBe(200);
  });
});
