import { type Call } from '../../support/toy.js';
import { ADMIN, NS, asJson, startHardInput, testSurvival } from './hard-input.js';

const hard = startHardInput();
const { ask, unchecked } = hard;

describe('huge requests', () => {
  test('a query string of 100 KB gets a response', async () => {
    const answer = await unchecked(`${NS}/events?x=${'a'.repeat(100 * 1024)}`);
    expect([200, 400, 414, 431]).toContain(answer.status);
  });

  test('handles 100 KB of parameters in a form', async () => {
    const call: Call = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Array.from({ length: 20_000 }, (_p, i) => `a${i}=1`).join('&'),
    };
    expect((await ask(`${NS}/events`, call)).status).toBe(400);
  });

  test('handles 1 MB of text in JSON of a user, and does not read it of others', async () => {
    const search = asJson({ search: 'a'.repeat(1_000_000) });
    const title = asJson({ title: 'a'.repeat(1_000_000) }, 'POST');
    const statuses = async (headers: Record<string, string>): Promise<number[]> =>
      Promise.all(
        [search, title].map(async (call) => (await ask(`${NS}/events`, { ...call, headers: { ...call.headers, ...headers } })).status),
      );
    expect(await statuses(ADMIN)).toEqual([200, 400]);
    expect(await statuses({})).toEqual([413, 401]);
  });

  test('a body of 8 MB is read, and one of more returns 413', async () => {
    const headers = { ...ADMIN, 'content-type': 'application/json' };
    const statusOf = async (length: number): Promise<number> =>
      (await unchecked(`${NS}/events`, { method: 'POST', headers, body: '{}'.padEnd(length) })).status;
    const most = 8 * 1024 * 1024;
    expect([await statusOf(most), await statusOf(most + 1)]).toEqual([400, 413]);
  });

  test('headers beyond the limit return 431', async () => {
    expect((await unchecked(`${NS}/events`, { headers: { 'x-a': 'a'.repeat(50_000) } })).status).toBe(431);
  });
});

testSurvival(hard);
