import { mochaHooks } from '../../src/sdk/testing/mocha.js';

/** The helper for node:test in Mocha, whose hooks are global. */

type Hook = (this: object) => Promise<void>;

const NAMES = ['before', 'beforeEach', 'afterEach', 'after', 'specify'];
const known = NAMES.map((name) => [name, Reflect.get(globalThis, name) as unknown] as const);
afterEach(() => {
  for (const [name, value] of known) Reflect.set(globalThis, name, value);
});

test('runs with the hooks, titles, results and timeouts of Mocha', async () => {
  const hooks = new Map<string, Hook>();
  for (const name of NAMES) Reflect.set(globalThis, name, (hook: Hook) => void hooks.set(name, hook));
  const seen: unknown[] = [];
  const found = mochaHooks();
  found?.beforeAll(async () => void seen.push('begin'), 90_000);
  found?.aroundEach(
    async (path) => void seen.push(path),
    async ({ hasFailed, title, path }) => void seen.push([hasFailed, title, path]),
    30_000,
  );
  found?.afterAll(async () => void seen.push('end'));
  const run = async (name: string, state?: string): Promise<void> => {
    const currentTest = { title: 'adds', state, titlePath: () => ['calendar', 'adds'] };
    await hooks.get(name)?.call({ currentTest, timeout: (ms: number) => seen.push(ms) });
  };
  await run('before');
  await run('beforeEach');
  await run('afterEach', 'failed');
  await run('after');
  expect(seen).toEqual([90_000, 'begin', 30_000, 'calendar > adds', 30_000, [true, 'adds', 'calendar > adds'], 'end']);
});

test('is not taken in runners that have some of these hooks', () => {
  expect(mochaHooks()).toBeNull();
  Reflect.set(globalThis, 'before', () => undefined);
  Reflect.set(globalThis, 'after', () => undefined);
  expect(mochaHooks()).toBeNull();
});
