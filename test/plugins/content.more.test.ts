import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Modules are loaded once per worker, and kinds of content are read from the list of plugins when they are: a process of its own. */
test('a plugin with content: see content.isolated.ts', () => {
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const setup = ['--setupFiles', './test/plugins/library/registered.ts'];
  const selection = ['--runInBand', ...setup, '--testMatch', '**/test/plugins/content.isolated.ts'];
  const { status, stderr } = spawnSync(process.execPath, [...options, ...selection], { cwd: root, encoding: 'utf8', timeout: 300_000 });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}, 300_000);
