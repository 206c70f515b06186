import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * Replays recorded scenarios against a server.
 * @param {{ restUrl: string, namespace: string, resetUrl?: string, only?: string[], ignoreHeaders?: string[], cases?: string }} options
 * @returns {Promise<{ passed: number, failed: number, steps: object, scenarios: { name: string, ok: boolean, steps: { label: string, ok: boolean, diffs: string[] }[] }[] }>}
 */
export async function replay({ restUrl, namespace, resetUrl, only = [], ignoreHeaders = [], cases = path.join(here, 'cases') }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-replay-'));
  const report = path.join(folder, 'report.json');
  const args = [path.join(here, 'replay.mjs'), '--base', restUrl, '--cases', cases, '--namespace', namespace, '--json', report, '--quiet'];
  if (resetUrl) args.push('--reset-url', resetUrl);
  for (const name of only) args.push('--only', name);
  for (const name of ignoreHeaders) args.push('--ignore-header', name);
  const output = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
  try {
    return JSON.parse(await readFile(report, 'utf8'));
  } catch {
    throw new Error(`The replay ended without a report:\n${output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
