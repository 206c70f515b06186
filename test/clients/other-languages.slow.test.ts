import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { read } from '../support/documents.js';
import { startTestServer } from '../support/server.js';

/** The set-ups of docs/other-languages.md, which are in examples/languages/tests, work with the test runners of their languages. Those that are not installed are skipped. */

const server = startTestServer({ profile: 'standard', now: '2026-06-15T12:00:00Z' });

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-runners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string): Record<string, string> => ({ [name]: read(`examples/languages/tests/${name}`) });

const isInstalled = (command: string, version: string): boolean => spawnSync(command, [version]).status === 0;

/** Maven downloads packages in CI alone. Elsewhere, it runs with those that are there, or not at all. */
const downloads = process.env['CI'] !== undefined;
const hasJunit = downloads || existsSync(path.join(os.homedir(), '.m2/repository/org/junit/jupiter/junit-jupiter'));

interface Runner {
  name: string;
  /** The argument that prints its version. */
  version?: string;
  /** The names of its files, with their texts. */
  files: Readonly<Record<string, string>>;
  args: readonly string[];
  /** The output of two tests that passed. */
  passed: RegExp;
}

const RUNNERS: readonly Runner[] = [
  {
    name: 'pytest',
    files: { ...example('conftest.py'), ...example('test_calendar.py') },
    args: ['-q', '-p', 'no:cacheprovider'],
    passed: /2 passed/,
  },
  { name: 'phpunit', files: example('CalendarTest.php'), args: ['CalendarTest.php'], passed: /OK \(2 tests/ },
  { name: 'rspec', files: example('calendar_spec.rb'), args: ['calendar_spec.rb'], passed: /2 examples, 0 failures/ },
  {
    name: 'go',
    version: 'version',
    files: example('calendar_test.go'),
    args: ['test', '-v', './calendar_test.go'],
    passed: /--- PASS[^]*--- PASS/,
  },
  {
    name: 'mvn',
    files: { ...example('pom.xml'), ...example('CalendarTest.java') },
    args: ['--batch-mode', ...(downloads ? [] : ['--offline']), 'test'],
    passed: /Tests run: 2, Failures: 0, Errors: 0/,
  },
];

for (const { name, version = '--version', files, args, passed } of RUNNERS) {
  const isHere = isInstalled(name, version) && (name !== 'mvn' || hasJunit);
  (isHere ? test : test.skip)(
    isHere ? name : `${name} (skipped: it is not installed)`,
    async () => {
      for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
      const { stdout } = await promisify(execFile)(name, args, { cwd: folder, env: { ...process.env, UNDERSTUDY_URL: server().url } });
      expect(stdout).toMatch(passed);
    },
    120_000,
  );
}
