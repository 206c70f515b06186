import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OPTIONS } from '../../../src/server/config/index.js';
import { runCli } from '../../support/cli.js';
import { root } from '../../support/documents.js';

/** The scripts of `understudy completion`, run by the installed shells. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-completion-'));
const files = path.join(folder, 'files');
beforeAll(() => {
  mkdirSync(path.join(files, 'calendars'), { recursive: true });
  for (const name of ['calendar.json', 'other file.yaml']) writeFileSync(path.join(files, name), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const isInstalled = (shell: string): boolean =>
  ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((bin) => existsSync(path.join(bin, shell)));

const BASH = `
source "$1"
COMP_WORDS=() line=$2
read -ra COMP_WORDS <<< "\${line//=/ = }"
[[ $line == *' ' || $line == *= ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_understudy
printf '%s\\n' "\${COMPREPLY[@]}"`;

const ARGUMENTS: Record<string, (script: string, line: string) => string[]> = {
  bash: (script, line) => ['--norc', '-c', BASH, 'bash', script, line],
  zsh: (script, line) => ['-f', path.join(root, 'test/support/complete.zsh'), script, line, folder],
  fish: (script, line) => ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line],
};

/** The suggestions, sorted. Shells differ in trailing slashes of folders, repeated options and escaped spaces. */
async function offers(shell: string, line: string): Promise<string[]> {
  const script = path.join(folder, `script.${shell}`);
  const { stdout } = await promisify(execFile)(shell, ARGUMENTS[shell](script, line), { cwd: files, timeout: 20_000 });
  const found = stdout.split('\n').filter((text) => text !== '');
  return [
    ...new Set(
      found.map((text) =>
        text
          .split('\t')[0]
          .replace(/\/$/, '')
          .replace(/^--\w+=/, '')
          .replaceAll('\\', ''),
      ),
    ),
  ].sort();
}

const LINES: [line: string, offered: string[]][] = [
  ['understudy se', ['seed', 'serve']],
  ['understudy completion ', ['bash', 'fish', 'zsh']],
  ['understudy users ', ['add', 'list', 'password', 'remove']],
  ['understudy serve --profile ', ['standard', 'tec']],
  ['understudy serve --profile=t', ['tec']],
  ['understudy serve --on-database-loss ', ['exit', 'retry']],
  ['understudy serve --language e', ['en', 'es']],
  ['understudy serve --quirk ical-of-v', ['ical-of-venues-is-general=off', 'ical-of-venues-is-general=on']],
  ['understudy serve --port ', []],
  ['understudy serve --ep', ['--ephemeral']],
  ['understudy proxy --mo', ['--mode', '--mongod', '--mongodb-uri']],
  ['understudy --wat', ['--watch']],
  ['understudy demo --wat', ['--watch']],
  ['understudy serve --dataset ', ['calendar.json', 'calendars', 'demo', 'edge', 'empty', 'other file.yaml', 'tickets']],
  ['understudy import c', ['calendar.json', 'calendars']],
  ['understudy serve --data ', ['calendars']],
  ['understudy reset c', []],
];

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const testIf = isInstalled(shell) ? test : test.skip;

  beforeAll(async () => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(path.join(folder, `script.${shell}`), stdout);
  });

  testIf.each(LINES)('completes "%s"', async (line, offered) => {
    expect(await offers(shell, line)).toEqual(offered);
  });

  testIf('offers all options of a server', async () => {
    const flags = await offers(shell, 'understudy serve --');
    expect(flags).toEqual(expect.arrayContaining(OPTIONS.map(({ flag }) => `--${flag}`)));
  });
});

test.each([[[]], [['tcsh']], [['bash', 'zsh']]])('completion %j is a usage error', async (args) => {
  expect(await runCli(['completion', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash|zsh|fish') });
});
