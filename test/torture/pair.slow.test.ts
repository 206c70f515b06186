import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));

/** Each kind of round once. */
const ROUNDS = '8';

test('servers that share a database agree while one is killed, stopped, has a wrong clock, misses 1,000 changes, or the database is killed', async () => {
  const child = spawn(process.execPath, [RUN, '--only', 'pair', '--rounds', ROUNDS, '--seed', '3'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, output]).toEqual([0, expect.stringMatching(/pair: passed/)]);
}, 300_000);
