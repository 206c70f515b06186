import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EFFORT } from '../support/effort.js';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));

/** A kill, a stop and a replacement. With more effort, one round of each kind. */
const ROUNDS = EFFORT > 1 ? '8' : '3';

test('servers that share a database agree while they are killed, stopped and replace the content', async () => {
  const child = spawn(process.execPath, [RUN, '--only', 'pair', '--rounds', ROUNDS, '--seed', '3'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, output]).toEqual([0, expect.stringMatching(/pair: passed/)]);
}, 300_000);
