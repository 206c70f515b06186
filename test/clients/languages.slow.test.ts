import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { read } from '../support/documents.js';
import { startTestServer } from '../support/server.js';

/**
 * The clients of examples/languages and docs/clients.md read and write the demo calendar. Clients whose language is not installed are
 * skipped.
 */

const server = startTestServer({ profile: 'standard', now: '2026-06-15T12:00:00Z', adminPassword: 'only for the demo' });
const page = read('docs/clients.md');

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const block = (language: string, use: string): string =>
  new RegExp(`^\`\`\`${language} ${use}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

const installed = (command: string): boolean =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((each) => existsSync(path.join(each, command)));

/** Python with the package `requests`. */
const PYTHON = ['python3', 'requests'];
const GSON = ['/usr/share/java/gson.jar'];

interface Language {
  name: string;
  file: string;
  /** Programs and files that it requires. */
  needs: readonly string[];
  commands: readonly (readonly string[])[];
}

const LANGUAGES: readonly Language[] = [
  { name: 'python', file: 'client.py', needs: PYTHON, commands: [['python3', 'client.py']] },
  { name: 'php', file: 'client.php', needs: ['php'], commands: [['php', 'client.php']] },
  { name: 'ruby', file: 'client.rb', needs: ['ruby'], commands: [['ruby', 'client.rb']] },
  { name: 'go', file: 'main.go', needs: ['go'], commands: [['go', 'run', 'main.go']] },
  {
    name: 'kotlin',
    file: 'Client.kt',
    needs: ['kotlinc', 'java', ...GSON],
    commands: [
      ['kotlinc', 'Client.kt', '-cp', GSON[0], '-include-runtime', '-d', 'client.jar'],
      ['java', '-cp', `client.jar${path.delimiter}${GSON[0]}`, 'ClientKt'],
    ],
  },
];

/** Runs a program of the page in the folder. @returns output of the last command */
async function run(file: string, text: string, commands: Language['commands']): Promise<string> {
  writeFileSync(path.join(folder, file), text.replaceAll('http://127.0.0.1:8080', server().url));
  let output = '';
  for (const [command, ...args] of commands) output = (await promisify(execFile)(command, args, { cwd: folder })).stdout;
  return output;
}

const isThere = (need: string): boolean => {
  if (need === 'requests') return spawnSync('python3', ['-c', 'import requests']).status === 0;
  return path.isAbsolute(need) ? existsSync(need) : installed(need);
};
const has = (needs: readonly string[]): boolean => needs.every(isThere);

for (const { name, file, needs, commands } of LANGUAGES)
  (has(needs) ? test : test.skip)(
    `${name}, which needs ${needs.join(' and ')}: reads all pages`,
    async () => {
      expect(await run(file, read(`examples/languages/${file}`), commands)).toBe(block('text', 'languages'));
    },
    120_000,
  );

(has(PYTHON) ? test : test.skip)('python, which needs python3 and requests: writes', async () => {
  expect(await run('write.py', block('python', 'write'), [['python3', 'write.py']])).toBe(block('text', 'write'));
});
