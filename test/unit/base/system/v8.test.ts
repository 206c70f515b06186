import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { flagFor, KNOWN_FLAGS } from '../../../../src/base/system/v8.js';
import { read, root } from '../../../support/documents.js';

const NAMES = Object.keys(KNOWN_FLAGS) as (keyof typeof KNOWN_FLAGS)[];

test.each([
  ['11.3.244.8-node.38', 'interrupt-budget', 300_000, '--interrupt-budget=300000'],
  ['12.4.254.21-node.57', 'interrupt-budget', 300_000, null],
  ['10.2.154.26-node.39', 'flush-bytecode', true, null],
  ['14.6.202.34-node.40', 'flush-bytecode', true, '--flush-bytecode'],
  ['14.6.202.34-node.40', 'flush-bytecode', false, '--no-flush-bytecode'],
  ['15.0.245.2-rusty', 'heap-growing-percent', 60, null],
  ['unknown', 'heap-growing-percent', 60, null],
] as const)('V8 %s, %s %s: %s', (version, name, value, expected) => {
  expect(flagFor(version, name, value)).toBe(expected);
});

test('this Node.js has the flags that are set, and says nothing', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--v8-options'], { maxBuffer: 2 ** 24 });
  const there = new Set([...stdout.matchAll(/^ {2}--([\w-]+) \(/gm)].map(([, name]) => name));
  expect(there.size).toBeGreaterThan(100);
  const given = NAMES.filter((name) => flagFor(process.versions.v8, name, 1) !== null);
  expect(given.filter((name) => !there.has(name))).toEqual([]);
  const module = JSON.stringify(path.join(root, 'dist/base/system/v8.js'));
  const values = JSON.stringify(NAMES.map((name) => [name, name === 'flush-bytecode' ? true : 1]));
  const script = `import(${module}).then(({ setFlag }) => { for (const [name, value] of ${values}) setFlag(name, value); });`;
  expect(await run(process.execPath, ['-e', script])).toEqual({ stdout: '', stderr: '' });
});

test('flags are set there alone', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.filter((name) => read(`src/${name}`).includes('setFlagsFromString'))).toEqual([path.join('base', 'system', 'v8.ts')]);
});
