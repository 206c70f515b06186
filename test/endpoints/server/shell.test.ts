import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitsForOne } from '../../../src/cli/commands/shell.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

test.each([
  [['sh', '-c', "'understudy' serve --port 0"], true],
  [['/bin/bash', '-c', 'node dist/cli.js serve > server.log'], true],
  [['sh', '-c', 'understudy serve & jest'], false],
  [['sh', '-c', 'understudy serve; rm -r data'], false],
  [['sh', '-c', 'nohup understudy serve'], false],
  [['sh', '-c', '(understudy serve)'], false],
  [['bash'], false],
  [['bash', 'start.sh'], false],
  [['node', '-c', 'understudy serve'], false],
  [[], false],
])('a shell that waits for one command: %j, %s', (argv, expected) => expect(waitsForOne(argv)).toBe(expected));

const onLinux = process.platform === 'linux' && existsSync('/usr/bin/dash') ? test : test.skip;

/** Starts a server in a shell, and kills the shell. @returns whether the server still runs afterwards */
async function survivesItsShell(line: string): Promise<boolean> {
  // A separate process group, so that all of it can be killed. dash, since other shells replace themselves with a single command.
  const shell = spawn('dash', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  let said = '';
  shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('Stop with')) await sleep(20);
  const health = `${/calendar at (\S+)/.exec(said)?.[1]}/__qa/health`;
  shell.kill('SIGKILL');
  await once(shell, 'exit');
  for (let i = 0; i < 60; i += 1) {
    await sleep(50);
    if (
      !(await fetch(health).then(
        () => true,
        () => false,
      ))
    )
      return false;
  }
  process.kill(-(shell.pid ?? 0), 'SIGKILL');
  return true;
}

onLinux('a server ends when the shell that waits for it was killed, as by npx', async () => {
  expect(await survivesItsShell(`'${process.execPath}' '${CLI}' serve --config none --ephemeral --port 0`)).toBe(false);
});
