import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));

test('two servers start at once on an empty database, and one is killed: what the other acknowledges outlives restarts', async () => {
  const child = spawn(process.execPath, [RUN, '--only', 'pair', '--rounds', '2', '--seed', '3'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, output]).toEqual([0, expect.stringMatching(/pair: passed/)]);
}, 300_000);
