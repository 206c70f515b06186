import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyAssets } from '../../scripts/assets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = path.join(root, 'dist');

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

const newest = (paths) => Math.max(...paths.map((file) => statSync(file).mtimeMs));

const isBuilt = () => {
  const built = path.join(dist, 'store/engine/child.js');
  return existsSync(built) && statSync(built).mtimeMs > newest([...files(path.join(root, 'src')), path.join(root, 'tsconfig.build.json')]);
};

/**
 * The engine's child process is plain node, so it needs the built product. Each file moves into place whole: another run may be
 * reading it. Type errors are the check's business, here they only show up in the output.
 */
const build = () => {
  const draft = path.join(dist, `.build-${process.pid}`);
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', draft], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  copyAssets(draft);
  for (const file of files(draft)) {
    const target = path.join(dist, path.relative(draft, file));
    mkdirSync(path.dirname(target), { recursive: true });
    renameSync(file, target);
  }
  rmSync(draft, { recursive: true });
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const sweepKilledRuns = () => {
  for (const name of readdirSync(os.tmpdir())) {
    const pid = /^understudy-test-(\d+)-\w{6}$/.exec(name)?.[1];
    if (!pid || isRunning(Number(pid))) continue;
    try {
      rmSync(path.join(os.tmpdir(), name), { recursive: true });
    } catch {
      // Another user's, or another run was quicker.
    }
  }
};

/** Builds what is out of date and starts one database for all test files, unless MONGODB_URI names one. */
export default async function globalSetup() {
  if (!isBuilt()) build();
  sweepKilledRuns();
  const { startEngine } = await import('../../dist/store/engine/index.js');
  const directory = mkdtempSync(path.join(os.tmpdir(), `understudy-test-${process.pid}-`));
  const engine = await startEngine({ uri: process.env.MONGODB_URI, directory });
  globalThis.understudyTestRun = { engine, directory };
  process.env.UNDERSTUDY_TEST_MONGODB_URI = engine.uri;
}
