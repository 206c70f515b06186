import { send, type Answer, type Call } from '../../support/toy.js';
import { WORLD } from '../../support/plan.js';
import { startTestServer } from '../../support/server.js';
import { readFileSync } from 'node:fs';
import { spentSince } from '../../support/cpu.js';

export const NS = '/wp-json/tribe/events/v1';

/** Timeout of each response. */
export const LIMIT_MS = 2000;

const world = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: string; application_password: string }[] };
const admin = world.users.find(({ login }) => login === 'admin');
/** Headers that sign in the administrator. */
export const ADMIN = { authorization: `Basic ${Buffer.from(`admin:${admin?.application_password}`).toString('base64')}` };

export const totalOf = ({ json }: Answer): unknown => (json as { total?: number }).total;
export const paramsOf = ({ json }: Answer): unknown => (json as { data?: { params?: object } }).data?.params;

/** A request with a JSON body. */
export const asJson = (body: unknown, method = 'GET'): Call => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export interface HardInput {
  /** Sends a request and checks the general rules: the response is in time, JSON, and not a server error. */
  ask: (path: string, options?: Call) => Promise<Answer>;
  /** Sends a request without checks. */
  unchecked: (path: string, options?: Call) => Promise<Answer>;
  url: () => string;
  /** Total of each list, for anonymous requests without parameters. */
  totals: () => Record<string, unknown>;
}

/** Names of the lists. */
export const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags'];

/** Starts a server for one test file. The last test checks that the server and its content are intact. */
export function startHardInput(): HardInput {
  // Like the plugin, but without its server errors for some invalid input.
  const server = startTestServer({ dataset: WORLD, logLevel: 'silent', quirks: ['bad-input-is-server-error=off'] });
  const unchecked = (path: string, options: Call = {}): Promise<Answer> => send(server().url, path, options);
  const ask = async (path: string, options: Call = {}): Promise<Answer> => {
    const spent = spentSince();
    const answer = await unchecked(path, options);
    expect(spent()).toBeLessThan(LIMIT_MS);
    expect(answer.status).toBeLessThan(500);
    if (options.method !== 'HEAD') expect(answer.json).toBeDefined();
    return answer;
  };

  let totals: Record<string, unknown>;
  beforeAll(async () => {
    totals = Object.fromEntries(await Promise.all(LISTS.map(async (list) => [list, totalOf(await ask(`${NS}/${list}`))])));
  });
  return { ask, unchecked, url: () => server().url, totals: () => totals };
}

/** Registers the last test. */
export function testSurvival({ ask, unchecked, totals }: HardInput): void {
  test('after all of this the lists have their totals and the server is healthy', async () => {
    await unchecked('/__qa/reset', { method: 'POST' });
    for (const [list, total] of Object.entries(totals())) expect([list, totalOf(await ask(`${NS}/${list}`))]).toEqual([list, total]);
    expect((await ask('/__qa/health')).json).toMatchObject({ status: 'ok' });
  });
}
