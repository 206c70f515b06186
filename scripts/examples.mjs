// Runs the projects in examples/ as a user would: with the package that `npm pack` makes, in fresh folders. Test tools are those that are
// installed here. Arguments are names of examples; default: all but those that install further packages, which take minutes; with --all
// those, too. With --newest, tools and frameworks are the newest releases (scripts/tools.mjs), whatever the examples ask for.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedTools, installTools } from './tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(path.join(os.tmpdir(), 'understudy-examples-'));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const isNewest = process.argv.includes('--newest');
const tools = isNewest ? (installedTools() ?? installTools()) : null;

/** Where test tools are, and the programs that they need. */
const modules = tools?.modules ?? path.join(root, 'node_modules');
const env = tools === null ? process.env : { ...process.env, PATH: `${path.dirname(tools.node)}${path.delimiter}${process.env.PATH}` };

/** Tools that cannot be installed from the registry alone, and their replacements. */
const STAND_INS = { cypress: 'scripts/cypress/cypress.mjs' };

/** Longest time that a command may take. */
const LIMIT_MS = 300_000;

/** Runs a command, and shows its output if it failed. */
async function run(command, args, cwd) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    timeout: LIMIT_MS,
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (chunk) => (said[stream] += chunk));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  if (status !== 0) process.stdout.write(said.stdout + said.stderr);
  return { status, stdout: said.stdout };
}

/** Installs the tarball by itself; its dependencies from the cache of npm, or the registry. */
async function installPackage(tarball) {
  const folder = path.join(work, 'installed');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const { status } = await run(npm, ['install', '--prefer-offline', '--no-audit', '--no-fund', '--omit=dev', tarball], folder);
  if (status !== 0) throw new Error('The package cannot be installed.');
  return path.join(folder, 'node_modules');
}

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Whether an example needs more than test tools. */
const needsInstall = (name) => Object.keys(manifestOf(path.join(root, 'examples', name)).dependencies ?? {}).length > 0;

/** A project with all its packages installed, as a user would. */
async function install(name, tarball) {
  const folder = path.join(work, name);
  cpSync(path.join(root, 'examples', name), folder, { recursive: true });
  const newest = isNewest ? Object.keys(manifestOf(folder).dependencies).map((each) => `${each}@latest`) : [];
  const { status } = await run(npm, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...newest, tarball], folder);
  if (status !== 0) throw new Error(`The packages of ${name} cannot be installed.`);
  return folder;
}

/** A project with the package in place, and the test tools of this repository where the project asks for them. */
function prepare(name, installed) {
  const folder = path.join(work, name);
  cpSync(path.join(root, 'examples', name), folder, { recursive: true });
  const own = path.join(folder, 'node_modules');
  mkdirSync(own);
  for (const entry of readdirSync(installed).filter((each) => !each.startsWith('.'))) {
    const source = path.join(installed, entry);
    // The package must not be a link, since it resolves shared packages, such as vitest, from its own folder.
    if (entry === 'wp-understudy') cpSync(source, path.join(own, entry), { recursive: true });
    else symlinkSync(source, path.join(own, entry), 'junction');
  }
  for (const tool of Object.keys(manifestOf(folder).devDependencies)) {
    if (existsSync(path.join(own, tool)) || !existsSync(path.join(modules, tool))) continue;
    symlinkSync(path.join(modules, tool), path.join(own, tool), 'junction');
  }
  return folder;
}

const TOOLS = ['cypress', 'jest', 'msw', 'vitest'];

/** The test script of the project, run without npm, which would not find the linked tools. */
async function test(name, folder) {
  const bin = path.join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  for (const tool of TOOLS) {
    const target = path.join(modules, '.bin', tool);
    if (existsSync(path.join(folder, 'node_modules', tool)) && existsSync(target)) symlinkSync(target, path.join(bin, tool));
  }
  for (const [tool, file] of Object.entries(STAND_INS)) {
    const isWanted = tool in (manifestOf(folder).devDependencies ?? {});
    if (isWanted && !existsSync(path.join(bin, tool))) symlinkSync(path.join(root, file), path.join(bin, tool));
  }
  const started = performance.now();
  const { status, stdout } = await run(npm, ['test', '--silent'], folder);
  const skipped = new Set(stdout.match(/# SKIP .*/g));
  for (const line of skipped) console.log(`== ${name}: ${line.slice(2)}`);
  console.log(`== ${name}: ${status === 0 ? 'passed' : `failed (${status})`} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status === 0;
}

/** Runs the tests of examples, two at a time, since each waits for its servers. @returns the names of those that failed */
async function failing(names, passes) {
  const waiting = [...names];
  const failed = [];
  const next = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) if (!(await passes(name))) failed.push(name);
  };
  await Promise.all([next(), next()]);
  return failed;
}

/** The folders that are projects. */
const all = readdirSync(path.join(root, 'examples')).filter((name) => existsSync(path.join(root, 'examples', name, 'package.json')));
const given = process.argv.slice(2).filter((argument) => !['--all', '--newest'].includes(argument));
const unknown = given.find((name) => !all.includes(name));
if (unknown !== undefined) throw new Error(`There is no example ${unknown}; there are ${all.join(', ')}`);
const wanted = given.length > 0 ? given : all.filter((name) => process.argv.includes('--all') || !needsInstall(name));

try {
  const { stdout, status } = await run(npm, ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  if (status !== 0) throw new Error('The package cannot be made.');
  const [{ filename, entryCount, size }] = JSON.parse(stdout);
  console.log(`${filename}: ${entryCount} files, ${Math.round(size / 1024)} KB`);
  const tarball = path.join(work, filename);
  const installed = await installPackage(tarball);
  const folderOf = (name) => (needsInstall(name) ? install(name, tarball) : prepare(name, installed));
  const failed = await failing(wanted, async (name) => test(name, await folderOf(name)));
  console.log(failed.length === 0 ? `${wanted.length} examples passed` : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  // An exiting process may still write to it.
  rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
