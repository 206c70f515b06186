import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const DIST = path.join(ROOT, 'dist');
const moduleOf = (name: string): string => JSON.stringify(pathToFileURL(path.join(DIST, 'sdk/testing', name)).href);

const TESTS = `
const understudy = useUnderstudy({ strict: true });
const ask = (query) => fetch(understudy.restUrl + '/tribe/events/v1/events?' + query);
test('misspells a parameter', async () => { await ask('perPage=2'); });
test('spells it right', async () => { await ask('per_page=2'); });
test('wants another status', async () => {
  await understudy.faults.profile('maintenance');
  const { status } = await ask('per_page=3');
  if (status !== 200) throw new Error('Not 200');
});
`;

/** How each runner is started, and with which file. */
const RUNNERS = [
  {
    name: 'node:test',
    file: 'strict.test.mjs',
    head: `import { test } from 'node:test'; import { useUnderstudy } from ${moduleOf('node.js')};`,
    args: ['--test'],
    passed: /pass 1\b[\s\S]*fail 2\b/,
  },
  {
    name: 'jest',
    file: 'strict.test.js',
    head: `const { useUnderstudy } = require(${JSON.stringify(path.join(DIST, 'cjs/sdk/testing/jest.js'))});`,
    args: [path.join(ROOT, 'node_modules/jest/bin/jest.js'), '--rootDir', '.', '--config', '{}'],
    passed: /2 failed, 1 passed/,
  },
  {
    name: 'vitest',
    file: 'strict.test.mjs',
    head: `import { test } from 'vitest'; import { useUnderstudy } from ${moduleOf('vitest.js')};`,
    args: [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'],
    passed: /2 failed \| 1 passed/,
  },
];

test.each(RUNNERS)(
  '$name: a test with a misspelled parameter fails, the next one passes, and failed ones report their requests',
  ({ file, head, args, passed }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-strict-'));
    try {
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
      writeFileSync(path.join(folder, file), `${head}\n${TESTS}`);
      const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
      for (const name of Object.keys(env)) if (/^UNDERSTUDY_|^JEST_|^NODE_TEST|^NODE_OPTIONS/.test(name)) delete env[name];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
      const output = stdout + stderr;
      expect(output).toMatch(passed);
      expect(output).toContain('GET /wp-json/tribe/events/v1/events?perPage=2');
      expect(output).toContain('"perPage" is not a parameter here and is ignored: did you mean "per_page"?');
      // Evidence only for the failed test.
      expect(output.match(/Understudy at http/g)).toHaveLength(2);
      expect(output).toMatch(/clock: \S+\s[^]*no faults\s[^]*GET \/wp-json\/tribe\/events\/v1\/events\?perPage=2 -> 200, /);
      expect(output).toMatch(/faults:[^]*fault 1 maintenance: affected 1 of 1 requests[^]*per_page=3 -> 503, \d+ ms, fault 1/);
      expect(status).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
