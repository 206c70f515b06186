// Runs the projects in examples/ as a user would: with the package that `npm pack` makes, in fresh folders. Test tools are those that are
// installed here. Names of examples as arguments; all when there are none.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(path.join(os.tmpdir(), 'understudy-examples-'));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Runs a command, and shows what it said if it failed. */
function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    timeout: 300_000,
  });
  if (error) throw error;
  if (status !== 0) process.stdout.write(stdout + stderr);
  return { status, stdout };
}

/** Installs the tarball by itself; its dependencies from the cache of npm, or the registry. */
function installPackage(tarball) {
  const folder = path.join(work, 'installed');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const { status } = run(npm, ['install', '--prefer-offline', '--no-audit', '--no-fund', '--omit=dev', tarball], folder);
  if (status !== 0) throw new Error('The package cannot be installed.');
  return path.join(folder, 'node_modules');
}

/** A project with the package in place, and the test tools of this repository where the project asks for them. */
function prepare(name, installed) {
  const folder = path.join(work, name);
  cpSync(path.join(root, 'examples', name), folder, { recursive: true });
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules);
  for (const entry of readdirSync(installed).filter((each) => !each.startsWith('.'))) {
    const source = path.join(installed, entry);
    // The package itself must not be a link: what it shares with the project, such as vitest, it finds beside itself.
    if (entry === 'wp-understudy') cpSync(source, path.join(modules, entry), { recursive: true });
    else symlinkSync(source, path.join(modules, entry), 'junction');
  }
  const { devDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  for (const tool of Object.keys(devDependencies)) {
    if (existsSync(path.join(modules, tool))) continue;
    symlinkSync(path.join(root, 'node_modules', tool), path.join(modules, tool), 'junction');
  }
  return folder;
}

const TOOLS = ['jest', 'vitest'];

/** `npm test`, as the project says; npm itself would look for the tools among what it has installed. */
function test(name, folder) {
  const bin = path.join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  for (const tool of TOOLS) {
    const target = path.join(root, 'node_modules', '.bin', tool);
    if (existsSync(path.join(folder, 'node_modules', tool)) && existsSync(target)) symlinkSync(target, path.join(bin, tool));
  }
  const started = performance.now();
  const { status, stdout } = run(npm, ['test', '--silent'], folder);
  const skipped = new Set(stdout.match(/# SKIP .*/g));
  for (const line of skipped) console.log(`== ${name}: ${line.slice(2)}`);
  console.log(`== ${name}: ${status === 0 ? 'passed' : `failed (${status})`} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status === 0;
}

const all = readdirSync(path.join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
const unknown = wanted.find((name) => !all.includes(name));
if (unknown !== undefined) throw new Error(`There is no example ${unknown}; there are ${all.join(', ')}`);

try {
  const { stdout, status } = run(npm, ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  if (status !== 0) throw new Error('The package cannot be made.');
  const [{ filename, entryCount, size }] = JSON.parse(stdout);
  console.log(`${filename}: ${entryCount} files, ${Math.round(size / 1024)} KB`);
  const installed = installPackage(path.join(work, filename));
  const failed = wanted.filter((name) => !test(name, prepare(name, installed)));
  console.log(failed.length === 0 ? `${wanted.length} examples passed` : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
