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
