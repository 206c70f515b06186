import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const STEPS = fileURLToPath(new URL('steps.mjs', import.meta.url));

test('a server that is killed or stopped before or after any command of a write leaves old or new content to another one', async () => {
  const child = spawn(process.execPath, [STEPS, '--short'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, output]).toEqual([0, expect.stringMatching(/steps: passed/)]);
  // Each kind of write was interrupted.
  expect(output.match(/: (\d+) commands, [1-9]\d* cases, 0 problems/g)).toHaveLength(2);
}, 600_000);
