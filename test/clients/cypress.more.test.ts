import { jest } from '@jest/globals';
import { useUnderstudy, type CommandOptions } from '../../src/sdk/testing/cypress.js';
import { understudyPlugin, type PluginOptions } from '../../src/sdk/testing/cypress-plugin.js';
import { testEnvironment } from '../support/environment.js';
import { startTestServer } from '../support/server.js';

const PASSWORD = 'a-password-of-24-letters';
const NOW = '2026-06-15T12:00:00.000Z';
const dataset = { events: [{ title: 'Open Stage', start: '+1d 20:00', duration: '3h' }] };
const server = startTestServer({ adminPassword: PASSWORD });

testEnvironment(() => ({ UNDERSTUDY_URL: server().url, UNDERSTUDY_ADMIN_PASSWORD: PASSWORD, JEST_WORKER_ID: '1' }));

type Command = (...args: unknown[]) => Promise<unknown>;
type Task = (argument: unknown) => unknown;

/**
 * Cypress without a browser: commands are functions, and tasks run in this process. Arguments and results pass through JSON, as in Cypress.
 */
async function openCypress(options: PluginOptions, commands: CommandOptions = {}) {
  const tasks: Record<string, Task> = {};
  const { env } = await understudyPlugin<{ env: Record<string, unknown> }>(
    (_event, more) => Object.assign(tasks, more),
    { env: { other: 1 } },
    options,
  );
  const cy: Record<string, Command> = {};
  const hooks: Record<string, (this: object) => void> = {};
  const pending: unknown[] = [];
  const through = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const task = async (name: string, argument: unknown): Promise<unknown> => {
    const result = await tasks[name](through(argument));
    if (result === undefined) throw new Error(`The task ${name} returned undefined.`);
    return through(result);
  };
  const globals = {
    Cypress: { Commands: { add: (name: string, command: Command) => void (cy[name] = command) } },
    cy: { task: (name: string, argument: unknown) => pending[pending.push(task(name, argument)) - 1] },
    beforeEach: (work: () => void) => void (hooks['before'] = work),
    afterEach: (work: () => void) => void (hooks['after'] = work),
  };
  // The commands read Cypress's globals each time they run.
  const own = { beforeEach, afterEach };
  Object.assign(globalThis, globals);
  useUnderstudy(commands);
  Object.assign(globalThis, own);
  const hook = async (name: 'before' | 'after', currentTest: object = { title: 'passes', state: 'passed' }): Promise<void> => {
    pending.length = 0;
    hooks[name]?.call({ currentTest });
    await Promise.all(pending);
  };
  const { understudy } = env as { understudy: { url: string; restUrl: string } };
  const titles = async (): Promise<string[]> => {
    const { events } = (await (await fetch(`${understudy.restUrl}/tribe/events/v1/events`)).json()) as { events: { title: string }[] };
    return events.map(({ title }) => title);
  };
  return { cy, env, understudy, hook, titles };
}

test('commands control the site of the plugin', async () => {
  const { cy, env, understudy, hook, titles } = await openCypress({ dataset, now: NOW });
  expect(env).toMatchObject({ other: 1, understudy: { url: expect.stringContaining('/__sandbox/') } });
  expect(await cy['understudySite']()).toEqual({ ...understudy, admin: { login: 'admin', password: PASSWORD } });

  const times = { start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' };
  expect(await cy['understudyCreate']('events', { title: 'Late Show', ...times })).toMatchObject({
    id: expect.any(Number),
    title: 'Late Show',
  });
  expect(await titles()).toEqual(['Late Show', 'Open Stage']);
  await cy['understudyExpect']({ path: '**/events', method: 'GET', count: 1 });
  await expect(cy['understudyExpect']({ path: '**/venues' })).rejects.toThrow('found 0');
  expect(await cy['understudyJournal']({ method: 'POST' })).toMatchObject([{ status: 201 }]);

  expect(await cy['understudyAdvance']('4 days')).toEqual({ now: '2026-06-19T12:00:00.000Z', frozen: true });
  expect(await titles()).toEqual([]);
  await cy['understudyNow'](new Date(NOW));
  expect(await titles()).toEqual(['Late Show', 'Open Stage']);

  await cy['understudyFault']('maintenance');
  expect((await fetch(understudy.restUrl)).status).toBe(503);
  await cy['understudyClearFaults']();
  await cy['understudyFault']({ match: { path: '**/events' }, times: 1, effect: { status: 500 } });
  expect((await fetch(`${understudy.restUrl}/tribe/events/v1/events`)).status).toBe(500);

  await hook('before');
  expect(await titles()).toEqual(['Open Stage']);
  await cy['understudySeed']({ events: [{ title: 'Regatta', start: '+1d 10:00', duration: '2h' }] });
  await cy['understudyReset']();
  expect(await titles()).toEqual(['Regatta']);
  expect(await cy['understudyNow'](null)).toMatchObject({ frozen: false });
});

test('strict: the hook after a test fails when something was ignored', async () => {
  const { cy, understudy, hook } = await openCypress({ dataset, now: NOW, strict: true }, { reset: false });
  const ask = (query: string): Promise<Response> => fetch(`${understudy.restUrl}/tribe/events/v1/events?${query}`);
  await ask('perPage=1');
  await expect(hook('after')).rejects.toThrow('"perPage" is not a parameter here and is ignored: did you mean "per_page"?');
  await cy['understudyAllow']('utm_*');
  await ask('utm_source=mail');
  await hook('after');
});

test('controls a running server without a sandbox', async () => {
  const { url } = server();
  await expect(openCypress({ url, now: NOW })).rejects.toThrow('"now" goes with a "dataset"');
  const { cy, understudy, titles } = await openCypress({ url: `${url}/`, dataset, now: NOW });
  expect(understudy).toEqual({ url, restUrl: `${url}/wp-json` });
  expect(await titles()).toEqual(['Open Stage']);
  await cy['understudyAdvance']('4 days');
  expect(await titles()).toEqual([]);
});

test.each([true, false])('a failed test reports its requests and keeps its site, with evidence: %s', async (evidence) => {
  const { understudy, hook } = await openCypress({ dataset, now: NOW, evidence });
  const error = jest.spyOn(console, 'error').mockReturnValue();
  await hook('before');
  await fetch(`${understudy.restUrl}/tribe/events/v1/venues`);
  await hook('after');
  expect(error.mock.calls).toEqual([]);
  await hook('after', { title: 'Shows a notice', state: 'failed' });
  const kept = /the site as it is now, for an hour: http\S+failed-shows-a-notice-\w{6}\/__qa\/ui\n[^]*GET \S+venues -> 200/;
  expect(error.mock.calls).toEqual(evidence ? [[expect.stringMatching(kept)]] : []);
  error.mockRestore();
});
