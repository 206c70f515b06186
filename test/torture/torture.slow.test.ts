import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));

interface Results {
  isGood: boolean;
  scenarios: { name: string; requests: number; acknowledged: number; isGood: boolean; failures: string[]; notes: string[] }[];
}

async function torture(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** pair.slow.test.ts and fuzz.slow.test.ts run the first two. A short soak finds no slow growth. */
const ELSEWHERE = ['pair', 'fuzz', 'soak', 'soak-memory'];

test('under kills, pauses, slow clients, floods, a full disk and jumps of the clock, no acknowledged write is lost and no request hangs', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-torture-test-'));
  const file = path.join(folder, 'results.json');
  try {
    const all = (await torture(['--list'])).output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(all).toEqual(expect.arrayContaining(ELSEWHERE));
    const wanted = all.filter((name) => !ELSEWHERE.includes(name));
    const only = wanted.flatMap((name) => ['--only', name]);
    const { code, output } = await torture(['--short', '--seed', '7', '--json', file, ...only]);
    const { scenarios } = JSON.parse(readFileSync(file, 'utf8')) as Results;
    expect(scenarios.filter(({ isGood }) => !isGood).map(({ name, failures, notes }) => ({ name, failures, notes }))).toEqual([]);
    expect(scenarios.map(({ name }) => name)).toEqual(wanted);
    expect(scenarios.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(40);
    expect([code, output]).toEqual([0, expect.stringContaining('seed 7')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 480_000);

test('an unknown scenario is a usage error', async () => {
  expect(await torture(['--only', 'nothing'])).toEqual({
    code: 2,
    output: expect.stringContaining('unknown scenario "nothing"') as string,
  });
});
