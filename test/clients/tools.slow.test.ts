import { existsSync } from 'node:fs';
import path from 'node:path';
import { Project, tools, withTools } from '../support/tools.js';

/** The helpers with the newest releases of test tools, on the Node.js that these need. */

let project: Project;
let node = '';
beforeAll(() => {
  if (tools === null) return;
  project = new Project(tools);
  ({ node } = tools);
});
beforeEach(() => project?.empty());
afterAll(() => project?.delete());

const vitest = (...args: string[]): { status: number | null; output: string } =>
  project.run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args]);

const DATASET = `{ events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h' }] }`;

describe('MSW 3', () => {
  const testWith = (options: string): string => `
    import { setupServer } from 'msw/node';
    import { afterAll, expect, test } from 'vitest';
    import { createHandler } from 'wp-understudy';
    import { handlers } from 'wp-understudy/msw';
    const calendar = await createHandler({ url: 'https://mill.example', dataset: ${DATASET} });
    const server = setupServer(...handlers(calendar), ...handlers(calendar, { origin: 'https://old.example' }));
    server.listen({ ${options} });
    afterAll(async () => { server.close(); await calendar.close(); });
    test('takes requests', async () => {
      const response = await fetch('https://mill.example/wp-json/tribe/events/v1/events');
      expect((await response.json()).events[0].title).toBe('Fair');
      await expect(fetch('https://elsewhere.invalid/')).rejects.toThrow(TypeError);
    });`;

  withTools('the option of MSW 2 alone is pointed out, once', () => {
    project.write({ 'a.test.js': testWith(`onUnhandledRequest: 'error'`) });
    const { output } = vitest();
    expect(output.match(/MSW 3 ignores "onUnhandledRequest" in \S+a\.test\.js: .* "onUnhandledFrame"/g)).toHaveLength(1);
    expect(output).toContain('[MSW] Warning: intercepted a request');
  });

  withTools('both names stop what no handler takes', () => {
    project.write({ 'a.test.js': testWith(`onUnhandledRequest: 'error', onUnhandledFrame: 'error'`) });
    const { status, output } = vitest();
    expect(output).not.toContain('MSW 3 ignores');
    expect(output).toContain('[MSW] Error: intercepted a request');
    expect(status).toBe(0);
  });
});

describe('beside mocks that forbid the network', () => {
  /** The globals of a page, in which a test replaces `fetch`. */
  const WITHOUT_FETCH = `
      const plain = globalThis.fetch;
      for (const name of ['document', 'location', 'XMLHttpRequest', 'Event', 'AbortController']) globalThis[name] = window[name];
      Object.assign(globalThis, { window, self: window, fetch: () => Promise.reject(new Error('no network')) });
      const allow = () => Object.assign(globalThis, { fetch: plain });`;

  /** Declares `fetch`, whose requests the mock forbids, and `allow`, which lets them to this machine. */
  const MOCKS = {
    nock: `
      import nock from 'nock';
      nock.disableNetConnect();
      const allow = () => nock.enableNetConnect('127.0.0.1');`,
    undici: `
      import { fetch, MockAgent, setGlobalDispatcher } from 'undici';
      const agent = new MockAgent();
      agent.disableNetConnect();
      setGlobalDispatcher(agent);
      const allow = () => agent.enableNetConnect(/^127\\.0\\.0\\.1:/);`,
    MSW: `
      import { http, passthrough } from 'msw';
      import { setupServer } from 'msw/node';
      const mocks = setupServer();
      mocks.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' });
      const allow = () => mocks.use(http.all('*', () => passthrough()));`,
    'fetch-mock': `
      import fetchMock from 'fetch-mock';
      fetchMock.mockGlobal();
      const allow = () => fetchMock.unmockGlobal();`,
    Polly: `
      import FetchAdapter from '@pollyjs/adapter-fetch';
      import HttpAdapter from '@pollyjs/adapter-node-http';
      import { Polly } from '@pollyjs/core';
      Polly.register(FetchAdapter);
      Polly.register(HttpAdapter);
      const polly = new Polly('calendar', { adapters: ['fetch', 'node-http'], mode: 'replay', recordIfMissing: false, logLevel: 'silent' });
      const allow = () => polly.stop();`,
    jsdom: `
      import { JSDOM } from 'jsdom';
      const { window } = new JSDOM('', { url: 'https://app.example/' });
      ${WITHOUT_FETCH}`,
    'happy-dom': `
      import { Window } from 'happy-dom';
      const window = new Window({ url: 'https://app.example/' });
      ${WITHOUT_FETCH}`,
  };

  withTools.each(Object.keys(MOCKS) as (keyof typeof MOCKS)[])('%s: helpers work, and the program once it may', (name) => {
    project.write({
      'a.test.js': `
        import assert from 'node:assert/strict';
        import { test } from 'node:test';
        ${name === 'nock' ? `import { useUnderstudy } from 'wp-understudy/node';` : ''}
        ${MOCKS[name]}
        // Mocks of sockets are the only ones that the helper has to come before.
        ${name === 'nock' ? '' : `const { useUnderstudy } = await import('wp-understudy/node');`}
        const understudy = useUnderstudy({ dataset: ${DATASET} });
        const ask = () => fetch(understudy.restUrl + '/tribe/events/v1/events');
        test('works', async () => {
          await assert.rejects(ask());
          await understudy.faults.profile('maintenance');
          await allow();
          assert.equal((await ask()).status, 503);
          await understudy.faults.clear();
          assert.equal((await (await ask()).json()).events[0].title, 'Fair');
          await understudy.journal.expect({ path: '**/events', count: 2 });
        });`,
    });
    expect(project.run(node, ['--test'])).toEqual({ status: 0, output: expect.stringContaining('pass 1') });
  });
});

withTools(
  'node --test --watch runs a failed test once, also where it watches the whole folder',
  async () => {
    const testThat = (works: string): string => `
    import { test } from 'node:test';
    import { useUnderstudy } from 'wp-understudy/node';
    const understudy = useUnderstudy();
    test('works', async () => { await understudy.reset(); ${works} });`;
    project.write({ 'a.test.js': testThat(`throw new Error('no');`) });
    const child = project.start(node, ['--test', '--watch', '--test-isolation=none', '--test-reporter=tap']);
    let output = '';
    const until = (pattern: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        child.once('exit', () => reject(new Error(output)));
        child.stdout?.on('data', () => pattern.test(output) && resolve());
      });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until(/^# fail 1$/m);
    const [, file] = /understudy open (\S+)/.exec(output) ?? [];
    expect(path.isAbsolute(file)).toBe(true);
    expect([file, path.join(project.folder, 'understudy-results')].map((each) => existsSync(each))).toEqual([true, false]);
    project.write({ 'a.test.js': testThat('') });
    await until(/^# pass 1$/m);
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
    expect(output.match(/^# tests 1$/gm)).toHaveLength(2);
  },
  120_000,
);

const SHARED = `
import { useUnderstudy } from 'wp-understudy/vitest';
export const useCalendar = () => useUnderstudy({ now: '2026-06-15T12:00:00Z' });
export const understudy = useCalendar();`;
const uses = (declaration: string): string => `
import { expect, test } from 'vitest';
${declaration}
test('lists', async () => { expect((await fetch(understudy.restUrl + '/tribe/events/v1/events')).status).toBe(200); });`;
const BY_VALUE = uses(`import { understudy } from './calendar.js';`);
const BY_FUNCTION = uses(`import { useCalendar } from './calendar.js'; const understudy = useCalendar();`);

describe('a shared module with a helper, in test files that share modules', () => {
  const runners = {
    Vitest: () => vitest('--no-isolate', '--maxWorkers=1'),
    Bun: () => project.run(tools?.bun ?? '', ['test']),
  };

  withTools.each(Object.keys(runners) as (keyof typeof runners)[])('%s: the second file is told to call a function', (name) => {
    project.write({ 'calendar.js': SHARED, 'a.test.js': BY_VALUE, 'b.test.js': BY_VALUE });
    const { status, output } = runners[name]();
    expect(output).toContain('Let it export a function that calls useUnderstudy(), and call that in each test file.');
    expect(status).toBe(1);
    project.write({ 'a.test.js': BY_FUNCTION, 'b.test.js': BY_FUNCTION });
    expect(runners[name]()).toMatchObject({ status: 0 });
  });
});

describe('tests that run at the same time', () => {
  const HIT = `const hit = async () => { await fetch(understudy.restUrl + '/tribe/events/v1/events'); await new Promise((resolve) => setTimeout(resolve, 500)); };`;
  const WARNING = /The tests "(.*)" and "(.*)" ran at the same time, and share one calendar/g;
  const named = (output: string): string[][] => [...output.matchAll(WARNING)].map(([, ...names]) => names);

  withTools('Vitest: named once', () => {
    project.write({
      'a.test.js': `
        import { describe, test } from 'vitest';
        import { useUnderstudy } from 'wp-understudy/vitest';
        const understudy = useUnderstudy();
        ${HIT}
        describe('both', () => { for (const name of ['one', 'two', 'three']) test.concurrent(name, hit); });
        test('alone', hit);`,
    });
    expect(named(vitest().output)).toEqual([[expect.stringMatching(/^both > /), expect.stringMatching(/^both > /)]]);
  });

  withTools.each([
    ['true', [['both > one', 'both > two']]],
    ['false', []],
  ])('node:test: concurrency %s', (concurrency, expected) => {
    project.write({
      'a.test.js': `
        import { describe, test } from 'node:test';
        import { useUnderstudy } from 'wp-understudy/node';
        const understudy = useUnderstudy();
        ${HIT}
        describe('both', { concurrency: ${concurrency} }, () => { test('one', hit); test('two', hit); });
        test('with parts', async (t) => { await t.test('part', hit); await t.test('another', hit); });`,
    });
    expect(named(project.run(node, ['--test']).output)).toEqual(expected);
  });
});

withTools('deno test: a test whose requests are wrong fails, with evidence', () => {
  project.write({
    'a.test.js': `
      import { test } from 'node:test';
      import { useUnderstudy } from 'wp-understudy/node';
      const understudy = useUnderstudy({ strict: true });
      const ask = async (query) => (await fetch(understudy.restUrl + '/tribe/events/v1/events?' + query)).text();
      test('misspells a parameter', () => ask('perPage=2'));
      test('spells it right', () => ask('per_page=2'));
      test('fails', async () => { await ask('per_page=3'); throw new Error('no'); });`,
  });
  const { status, output } = project.run(tools?.deno ?? '', ['test', '--allow-all', '--no-check']);
  expect(output).toMatch(/1 passed \| 2 failed/);
  expect(output).toContain('did you mean "per_page"?');
  expect(output).toMatch(/Understudy at http\S+[^]*perPage=2 -> 200/);
  expect(status).toBe(1);
});
