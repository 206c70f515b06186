import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Contents of packed files: unpacking one takes longer than replaying a release. */
const contents = new Map();

function contentOf(file) {
  if (!contents.has(file)) contents.set(file, JSON.parse(brotliDecompressSync(readFileSync(file)).toString()));
  return contents.get(file);
}

/**
 * Reads the scenarios of a corpus: a folder of case files, or a file packed by `scripts/pack-recordings.mjs`.
 * @param {string} cases path, or the name of a corpus in this folder; `cases-versions.json.br#6.14.2` selects a folder in a packed file
 * @returns {{ name: string, writes?: boolean, steps: object[] }[]}
 */
export function readScenarios(cases) {
  const [file, part] = cases.split('#');
  const at = path.resolve(here, file);
  if (at.endsWith('.br')) {
    const content = contentOf(at);
    if (part === undefined) return content;
    if (content[part]) return content[part];
    throw new Error(
      `${file} has no recordings of ${part}, only of ${Object.keys(content).join(', ')}. scripts/pack-recordings.mjs says how to add some.`,
    );
  }
  const files = readdirSync(at).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => JSON.parse(readFileSync(path.join(at, name), 'utf8')));
}

/** The folder for the replayer: the corpus folder itself, or one below `folder` with the selected scenarios. */
async function unpack(cases, wanted, folder) {
  if (!cases.includes('.br') && !wanted) return path.resolve(here, cases);
  const unpacked = path.join(folder, 'cases');
  await mkdir(unpacked);
  for (const scenario of readScenarios(cases)) {
    if (wanted?.(scenario.name) ?? true) await writeFile(path.join(unpacked, `${scenario.name}.json`), JSON.stringify(scenario));
  }
  return unpacked;
}

/**
 * Replays recorded scenarios against a server.
 * @param {{ restUrl: string, namespace: string, resetUrl?: string, only?: string[], wanted?: (name: string) => boolean, ignoreHeaders?: string[], cases?: string }} options
 * @returns {Promise<{ passed: number, failed: number, steps: object, scenarios: { name: string, ok: boolean, steps: { label: string, ok: boolean, diffs: string[] }[] }[] }>}
 */
export async function replay({ restUrl, namespace, resetUrl, only = [], wanted, ignoreHeaders = [], cases = 'cases' }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-replay-'));
  const report = path.join(folder, 'report.json');
  const corpus = await unpack(cases, wanted, folder);
  const args = [path.join(here, 'replay.mjs'), '--base', restUrl, '--cases', corpus, '--namespace', namespace, '--json', report, '--quiet'];
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
